//! What a key signed, for people.

use std::fmt::Write as _;

use yuba_companion::keyring::SignedVersions;

/// Writes a line for each provider.
pub(super) fn write_signed(text: &mut String, signed: &[SignedVersions]) {
    for SignedVersions { provider, versions } in signed {
        let versions: Vec<_> = versions.iter().map(ToString::to_string).collect();
        // Writing to a String cannot fail.
        let _ = writeln!(text, "    {provider}  {}", versions.join(", "));
    }
}

/// How many versions there are.
pub(super) fn count_signed(signed: &[SignedVersions]) -> String {
    match signed.iter().map(|signed| signed.versions.len()).sum() {
        0_usize => "no version".to_owned(),
        1 => "1 version".to_owned(),
        count => format!("{count} versions"),
    }
}
