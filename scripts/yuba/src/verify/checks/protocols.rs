//! Rows about the plugin protocol versions.

use crate::verify::check::area;

area! {
    "Protocol versions";

    MANIFEST = "YB082" "manifest", Refuse Warn,
        proves "The release has one manifest that states the protocol versions.",
        matters "Without one, 5.0 is assumed, and a provider that speaks 6.0 is announced wrongly.",
        remedy "Have one manifest, the one that SHA256SUMS was made with: `terraform-registry-manifest.json` in the release's directory or above it, or what `--manifest` names; it says `{\"version\":1,\"metadata\":{\"protocol_versions\":[\"6.0\"]}}`.";
    MANIFEST_FORMAT = "YB083" "manifest-format", Refuse Refuse,
        proves "The manifest is JSON of version 1 with a list `metadata.protocol_versions`.",
        matters "Nothing else says which protocols the provider speaks.",
        remedy "Write `{\"version\":1,\"metadata\":{\"protocol_versions\":[\"6.0\"]}}`.";
    PROTOCOL = "YB084" "protocol", Refuse Refuse,
        proves "Each protocol version is written MAJOR.MINOR.",
        matters "Clients stop at one that they cannot read.",
        remedy "Write `5.0`, `6.0` or what the provider's framework states.";
    PROTOCOL_ACCEPTED = "YB085" "protocol-accepted", Refuse Refuse,
        proves "Clients speak at least one of the protocol versions: 5 or 6.",
        matters "Clients refuse the package, and the newest version is tried first whatever it speaks.",
        remedy "State the version that the provider speaks; one that speaks 4 only has to be rebuilt.";
}
