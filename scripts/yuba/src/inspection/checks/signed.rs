//! Rows about how SHA256SUMS and its signature are served. What must hold of their content stands in the verification
//! table.

use crate::verify::check::area;

area! {
    "Signed files";

    SUMS_STATUS = "YR023" "sums-status", Refuse Refuse,
        proves "SHA256SUMS is answered with 200.",
        matters "Clients fetch it before any archive and stop without it.",
        remedy "See what the registry itself says in its answer, and `wrangler tail` while it is asked.";
    SIGNATURE_STATUS = "YR024" "signature-status", Refuse Refuse,
        proves "The signature of SHA256SUMS is answered with 200.",
        matters "Clients fetch it before any archive and stop without it.",
        remedy "See what the registry itself says in its answer, and `wrangler tail` while it is asked.";
    SIGNATURE_BINARY = "YR025" "signature-binary", Refuse Refuse,
        proves "The signature is served in OpenPGP's binary form.",
        matters "Clients cannot read an armored one.",
        remedy "Serve the output of `gpg --detach-sign` without `--armor`.";
    SIGNATURE_OFFERED_KEY = "YR026" "signature-offered-key", Refuse Refuse,
        proves "The key that signed is among those that the package comes with.",
        matters "Clients trust no other, and refuse the package.",
        remedy "Register the key that signed the version: `yuba key add`.";
    SIGNATURE_AGE = "YR027" "signature-age", Warn Warn,
        proves "Neither the signature nor its key has expired.",
        matters "Clients install the version with a warning, and not at all where they are told to enforce expiry.",
        remedy "Extend the key's life, and register it again: `yuba key add`.";
}
