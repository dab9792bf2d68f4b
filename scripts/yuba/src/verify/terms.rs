//! What a release is verified against.

use std::path::Path;

use yuba::document::Standing;

use super::severity::Origin;

/// A signing key that the registry knows for the release's namespace.
#[derive(Debug, Clone, Copy)]
pub struct RegisteredKey<'a> {
    /// The armored public key block, as the registry serves it.
    pub ascii_armor: &'a str,
    /// How the key stands with the registry.
    pub standing: Standing<'a>,
}

/// Whether it is judged what time has done to a key and a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyAge {
    /// The key and the signature must not have expired, and the key must be one that still signs.
    Judge,
    /// The same content was published while that was so, and only completing it is left: that a key has expired since
    /// then, was retired, or was revoked in a way that blocks nothing, is no finding.
    AlreadyPublished,
}

/// What a release is verified against.
#[derive(Debug, Clone)]
pub struct Terms<'a> {
    /// The namespace that the release is published in, as it was typed.
    pub namespace: &'a str,
    /// Where the release comes from.
    pub origin: Origin,
    /// The namespace's signing keys: the only ones accepted.
    pub keys: &'a [RegisteredKey<'a>],
    /// Whether the age of key and signature is judged.
    pub key_age: KeyAge,
    /// The time to judge by.
    pub now: jiff::Timestamp,
    /// The release's manifest, where release tools leave it outside the release's directory. Without it, the
    /// directory's parent is asked for `terraform-registry-manifest.json`.
    pub manifest: Option<&'a Path>,
}
