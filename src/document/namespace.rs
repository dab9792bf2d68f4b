//! The namespace document: who may see a namespace, and whose signatures it trusts.

use serde::{Deserialize, Serialize};

use super::Document;
use crate::address::NamespaceAddress;
use crate::fingerprint::Fingerprint;
use crate::hostname::Hostname;
use crate::name::Namespace;

/// Who is answered. Without a namespace document, nobody is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// Everybody.
    Public,
    /// Holders of a token; until tokens exist, nobody.
    Private,
}

/// What a revoked key means to the versions that it signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RevocationPolicy {
    /// They cannot be installed.
    Block,
    /// They can be, and clients show a warning.
    Warn,
}

/// That the registry no longer trusts a key. A record, never a deletion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRevocation {
    /// Why, as clients show it where they can.
    pub reason: String,
    /// What it means to the versions that the key signed.
    pub policy: RevocationPolicy,
    /// Since when, RFC 3339 in UTC.
    pub at: String,
    /// Whether the public key block carries the owner's own revocation, which clients refuse by themselves.
    pub certified: bool,
}

/// How a signing key stands with the registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing<'a> {
    /// It signs releases.
    Active,
    /// It has signed nothing new since this time, and what it signed before is served as ever.
    Retired(&'a str),
    /// It is not trusted any more.
    Revoked(&'a KeyRevocation),
}

/// A registered signing key, with what is known of its life. Times are RFC 3339, in UTC.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SigningKey {
    /// The primary key's fingerprint.
    pub fingerprint: Fingerprint,
    /// Its user IDs, as the key states them.
    pub user_ids: Vec<String>,
    /// Its algorithm and size, such as `RSA 4096`.
    pub algorithm: String,
    /// When the key was made.
    pub created: String,
    /// When the key ends, if it says so.
    pub expires: Option<String>,
    /// When the key was registered.
    pub added: String,
    /// Since when the key signs nothing new, if it is retired. What it signed before is served as ever.
    pub retired: Option<String>,
    /// That it is revoked.
    pub revoked: Option<KeyRevocation>,
    /// The public key block, as clients get it.
    pub ascii_armor: String,
    /// Who vouches for the key: the registry protocol's `source`, possibly empty.
    pub source: String,
    /// Where that can be read: the registry protocol's `source_url`, possibly empty.
    pub source_url: String,
}

impl SigningKey {
    /// How it stands. Of a key that was retired and then revoked, the revocation counts.
    #[must_use]
    pub fn standing(&self) -> Standing<'_> {
        match (&self.revoked, &self.retired) {
            (Some(revocation), _) => Standing::Revoked(revocation),
            (None, Some(since)) => Standing::Retired(since),
            (None, None) => Standing::Active,
        }
    }
}

/// One namespace on one host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamespaceDocument {
    format: u32,
    /// Counts the swaps.
    pub revision: u64,
    /// The host that gives the namespace out.
    pub hostname: Hostname,
    /// The namespace's name.
    pub namespace: Namespace,
    /// Who is answered.
    pub visibility: Visibility,
    /// The registered signing keys, in the order they were added.
    pub signing_keys: Vec<SigningKey>,
}

impl Document for NamespaceDocument {
    const FORMAT: u32 = 1;

    fn revision(&self) -> u64 {
        self.revision
    }
}

impl NamespaceDocument {
    /// A namespace without signing keys.
    #[must_use]
    pub fn new(address: &NamespaceAddress, visibility: Visibility) -> Self {
        Self {
            format: Self::FORMAT,
            revision: 0,
            hostname: address.hostname.clone(),
            namespace: address.namespace.clone(),
            visibility,
            signing_keys: Vec::new(),
        }
    }

    /// The registered key with this fingerprint.
    #[must_use]
    pub fn signing_key(&self, fingerprint: &Fingerprint) -> Option<&SigningKey> {
        self.signing_keys.iter().find(|key| key.fingerprint == *fingerprint)
    }
}
