//! OCI distribution, the pull side: the same release, from the same bytes.
//!
//! | route | answers |
//! |---|---|
//! | `/v2/` | `{}`: the registry speaks the protocol |
//! | `/v2/:repository/tags/list` | [`Tags`](tags::Tags) |
//! | `/v2/:repository/manifests/:reference` | an [`Index`](manifest::Index) by tag or digest, a [`Manifest`](manifest::Manifest) by digest |
//! | `/v2/:repository/blobs/:digest` | an archive, or the [empty configuration](EMPTY) |
//! | `/v2/:repository/referrers/:digest` | an index of nothing |
//!
//! ```json
//! {"name":"acme/dns","tags":["1.0.0"]}
//! {"errors":[{"code":"NAME_UNKNOWN","message":"provider `registry.example/acme/dns` was not found"}]}
//! ```
//!
//! A list of tags has no `Link` but that of the next page: `OpenTofu` follows any. What it demands beyond the
//! specification (`internal/getproviders/oci_registry_mirror_source.go`): the index has the artifact type
//! [`PROVIDER`], each descriptor in it and each manifest [`PROVIDER_TARGET`], and a manifest has one layer of the
//! type [`ZIP`]. It compares operating system and architecture with Go's names and ignores variants, so two packages
//! for one architecture would be ambiguous to it: a platform is written as Go spells it, without a variant.
//! Signatures and other referrers are out of scope, and so is everything that writes.

pub mod error;
pub mod manifest;
pub mod tags;

use crate::digest::Sha256Digest;
use crate::document::OciContent;

/// The media type of an image index.
pub const INDEX: &str = "application/vnd.oci.image.index.v1+json";

/// The media type of an image manifest.
pub const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";

/// The media type of the empty configuration.
pub const EMPTY_CONFIG: &str = "application/vnd.oci.empty.v1+json";

/// The artifact type of a provider's index.
pub const PROVIDER: &str = "application/vnd.opentofu.provider";

/// The artifact type of a provider's manifest for one platform.
pub const PROVIDER_TARGET: &str = "application/vnd.opentofu.provider-target";

/// The media type of a provider's archive.
pub const ZIP: &str = "archive/zip";

/// The empty configuration, which every repository has (image specification, "Guidance for an Empty Descriptor").
pub const EMPTY: &str = "{}";

/// What names no algorithm but the one that everything here has.
const SHA256: &str = "sha256:";

/// A digest as OCI spells it.
#[must_use]
pub fn spell(digest: &Sha256Digest) -> String {
    format!("{SHA256}{digest}")
}

/// The digest that `text` spells, if it is a SHA-256.
#[must_use]
pub fn parse_digest(text: &str) -> Option<Sha256Digest> {
    text.strip_prefix(SHA256)?.parse().ok()
}

/// The media type and the text of a manifest; nothing of a layer.
#[must_use]
pub fn manifest(content: &OciContent) -> Option<(&'static str, &str)> {
    match content {
        OciContent::Index(text) => Some((INDEX, text)),
        OciContent::Manifest(text) => Some((MANIFEST, text)),
        OciContent::Layer { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_spelled_with_their_algorithm() {
        // The image specification states the digest of the empty configuration.
        let empty = "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
        assert_eq!(spell(&Sha256Digest::of(EMPTY.as_bytes())), empty);
        assert_eq!(parse_digest(empty), Some(Sha256Digest::of(EMPTY.as_bytes())));
        for text in ["", "sha256:", &empty[7..], &empty.to_uppercase(), &empty.replace("sha256", "sha512")] {
            assert_eq!(parse_digest(text), None, "{text}");
        }
    }
}
