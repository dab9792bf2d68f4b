//! What a release is verified against.

use std::path::Path;

use super::severity::Origin;

/// A signing key that the registry knows for the release's namespace.
#[derive(Debug, Clone, Copy)]
pub struct RegisteredKey<'a> {
    /// The armored public key block, as the registry serves it.
    pub ascii_armor: &'a str,
    /// Why the registry has revoked the key, if it has.
    pub revoked: Option<&'a str>,
}

/// Whether a key's and a signature's age is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyAge {
    /// The key and the signature must not have expired.
    Judge,
    /// The same content was published while they had not, so that only completing it is left: expiry since then is no
    /// finding.
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
