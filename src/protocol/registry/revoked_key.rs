//! What clients show about a revoked key.

use crate::document::{KeyRevocation, ProviderDocument, RevocationPolicy, SigningKey, VersionEntry};

/// How many versions a warning names, so that it stays a few lines long.
const NAMED_VERSIONS: usize = 5;

/// The warning about a revoked key that listed versions are signed with. Clients show it with a failed installation too,
/// so that it says why a blocked version cannot be had.
pub(super) fn warn(key: &SigningKey, provider: &ProviderDocument) -> Option<String> {
    let KeyRevocation { reason, policy, .. } = key.revoked.as_ref()?;
    let signed: Vec<_> = provider.versions().filter(|entry| entry.signing_key == key.fingerprint).collect();
    let versions = name_versions(&signed)?;
    let (are, they) = if signed.len() == 1 { ("is", "it") } else { ("are", "they") };
    let consequence = match policy {
        RevocationPolicy::Warn => are.to_owned(),
        RevocationPolicy::Block => format!("cannot be installed: {they} {are}"),
    };
    Some(format!("{versions} {consequence} signed with key {}, which is revoked: {reason}", key.fingerprint))
}

/// Names versions, the newest first.
fn name_versions(entries: &[&VersionEntry]) -> Option<String> {
    let newest = entries.iter().rev().take(NAMED_VERSIONS);
    let named = match newest.map(|entry| entry.version.to_string()).collect::<Vec<_>>().as_slice() {
        [] => return None,
        [one] => format!("version {one}"),
        several => format!("versions {}", several.join(", ")),
    };
    let older = entries.len().saturating_sub(NAMED_VERSIONS);
    Some(if older == 0 { named } else { format!("{named} and {older} older") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::Sha256Digest;
    use crate::document::Status;

    const KEY: &str = "91A6E7F85D05C65630BEF18951852D87348FFC4C";

    fn key(policy: RevocationPolicy) -> SigningKey {
        let then = "2026-01-02T03:04:05Z".to_owned();
        let reason = "laptop stolen".to_owned();
        SigningKey {
            fingerprint: KEY.parse().unwrap(),
            user_ids: Vec::new(),
            algorithm: "RSA 4096".to_owned(),
            created: then.clone(),
            expires: None,
            added: then.clone(),
            retired: None,
            revoked: Some(KeyRevocation { reason, policy, at: then, certified: false }),
            ascii_armor: String::new(),
            source: String::new(),
            source_url: String::new(),
        }
    }

    fn entry(version: &str, key: &str, status: Status) -> VersionEntry {
        VersionEntry {
            version: version.parse().unwrap(),
            protocols: Vec::new(),
            platforms: std::collections::BTreeSet::new(),
            oci_index: None,
            published: "2026-01-02T03:04:05Z".to_owned(),
            status,
            signing_key: key.parse().unwrap(),
            release: Sha256Digest::of(b""),
        }
    }

    fn warn_of(versions: &[&str], policy: RevocationPolicy) -> Option<String> {
        let other = "0000000000000000000000000000000000000000";
        let removed = Status::Removed { reason: String::new(), at: String::new() };
        let provider = ProviderDocument::new("a.example/acme/dns".parse().unwrap())
            .with(entry("9.0.0", other, Status::Listed))
            .with(entry("9.1.0", KEY, removed));
        let listed = versions.iter().map(|version| entry(version, KEY, Status::Listed));
        warn(&key(policy), &listed.fold(provider, |provider, entry| provider.with(entry)))
    }

    #[test]
    fn a_key_that_signed_nothing_listed_is_not_spoken_of() {
        assert_eq!(warn_of(&[], RevocationPolicy::Block), None);
        assert_eq!(warn_of(&[], RevocationPolicy::Warn), None);
    }

    #[test]
    fn one_line_names_the_versions_the_key_and_the_reason() {
        let key = format!("signed with key {KEY}, which is revoked: laptop stolen");
        let cases = [
            (&["1.0.0"][..], RevocationPolicy::Warn, "version 1.0.0 is"),
            (&["1.0.0"], RevocationPolicy::Block, "version 1.0.0 cannot be installed: it is"),
            (&["1.0.0", "1.10.0", "1.2.0"], RevocationPolicy::Warn, "versions 1.10.0, 1.2.0, 1.0.0 are"),
            (&["1.0.0", "1.1.0"], RevocationPolicy::Block, "versions 1.1.0, 1.0.0 cannot be installed: they are"),
        ];
        for (versions, policy, expected) in cases {
            assert_eq!(warn_of(versions, policy), Some(format!("{expected} {key}")));
        }
    }

    #[test]
    fn the_line_stays_short_however_many_versions_there_are() {
        let versions: Vec<_> = (0..1000).map(|number| format!("1.{number}.0")).collect();
        let versions: Vec<_> = versions.iter().map(String::as_str).collect();
        let line = warn_of(&versions, RevocationPolicy::Warn).unwrap();
        assert!(line.starts_with("versions 1.999.0, 1.998.0, 1.997.0, 1.996.0, 1.995.0 and 995 older are signed"));
    }
}
