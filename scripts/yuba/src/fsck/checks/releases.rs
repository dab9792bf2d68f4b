//! Rows about release documents.

use crate::fsck::check::area;

area! {
    "Releases and signatures";

    RELEASE_PACKAGES = "YF020" "release-packages", Problem Never,
        holds "A release has packages, each named for its provider, version and platform.",
        matters "Clients look for archives by these names.",
        remedy "This was published so, which is a bug: publish the release again under a new version.";
    RELEASE_SUMS = "YF021" "release-sums", Problem Never,
        holds "SHA256SUMS lists every package with the digest of its archive.",
        matters "Clients refuse an archive whose digest is not the signed one.",
        remedy "This was published so, which is a bug: publish the release again under a new version.";
    SIGNATURE = "YF022" "signature", Problem Never,
        holds "The signature is the recorded key's over SHA256SUMS, made when the document says. That the key has expired or was revoked since is no finding.",
        matters "Clients refuse the release.",
        remedy "If the key's record has a finding too, mend that first; else publish the release again under a new version.";
    SIGNATURE_KEY = "YF023" "signature-key", Problem Never,
        holds "The key that signed a listed release is registered in its namespace.",
        matters "Clients get no key that could verify the release.",
        remedy "Register the key again with `yuba key add`.";
}
