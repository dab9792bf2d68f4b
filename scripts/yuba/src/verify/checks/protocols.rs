//! Rows about the plugin protocol versions.

use crate::verify::check::area;

area! {
    "Protocol versions";

    MANIFEST = "YB082" "manifest", Refuse Warn,
        proves "The release has a manifest that states the protocol versions.",
        matters "Without one, 5.0 is assumed, and a provider that speaks 6.0 is announced wrongly.",
        remedy "Add `terraform-registry-manifest.json` with `{\"version\":1,\"metadata\":{\"protocol_versions\":[\"6.0\"]}}`, or name it with `--manifest`.";
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
