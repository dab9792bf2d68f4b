//! Storage keys: the only place that knows where anything is stored.
//!
//! | what | R2 | KV |
//! |---|---|---|
//! | a document | `meta/` and its name | its name |
//! | an archive | `blob/sha256/<hex>` | not there |

use std::fmt;

use crate::address::{NamespaceAddress, ProviderAddress, ReleaseAddress};
use crate::digest::Sha256Digest;

/// Where R2 keeps documents.
const DOCUMENT_PREFIX: &str = "meta/";

/// Where a document is stored. `Display` gives its name, which is its key in KV.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum DocumentKey {
    /// The providers there are.
    Index,
    /// A namespace.
    Namespace(NamespaceAddress),
    /// A provider.
    Provider(ProviderAddress),
    /// A release, by the SHA-256 of its document: what is under this key never changes.
    Release(ReleaseAddress, Sha256Digest),
}

impl DocumentKey {
    /// The key in R2.
    #[must_use]
    pub fn object(&self) -> String {
        format!("{DOCUMENT_PREFIX}{self}")
    }

    /// The prefix in R2 of all namespaces.
    #[must_use]
    pub fn namespaces_prefix() -> String {
        format!("{DOCUMENT_PREFIX}namespace/")
    }

    /// The prefix in R2 of all documents of one release, listed or not.
    #[must_use]
    pub fn releases_prefix(address: &ReleaseAddress) -> String {
        format!("{DOCUMENT_PREFIX}{}", release_prefix(address))
    }
}

fn release_prefix(address: &ReleaseAddress) -> String {
    format!("release/{}/{}/", address.provider, address.version)
}

impl fmt::Display for DocumentKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index => f.write_str("index"),
            Self::Namespace(address) => write!(f, "namespace/{address}"),
            Self::Provider(address) => write!(f, "provider/{address}"),
            Self::Release(address, digest) => write!(f, "{}{digest}", release_prefix(address)),
        }
    }
}

/// Where an archive is stored: by its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlobKey(pub Sha256Digest);

impl BlobKey {
    /// The key in R2.
    #[must_use]
    pub fn object(&self) -> String {
        format!("blob/sha256/{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::MAX_ADDRESS_BYTES;
    use crate::version::MAX_VERSION_BYTES;

    /// The longest key that Workers KV takes, in bytes (Cloudflare's KV limits).
    const MAX_KEY_BYTES: usize = 512;

    fn release() -> ReleaseAddress {
        let provider = "localhost:8443/straße/dns".parse().unwrap();
        ReleaseAddress { provider, version: "1.0.0-RC1+7".parse().unwrap() }
    }

    #[test]
    fn keys_are_the_design_s() {
        let release = release();
        let digest = Sha256Digest::of(b"");
        let namespace = release.provider.namespace_address().clone();
        assert_eq!(DocumentKey::Index.to_string(), "index");
        assert_eq!(DocumentKey::Namespace(namespace).object(), "meta/namespace/localhost:8443/straße");
        assert_eq!(DocumentKey::Provider(release.provider.clone()).to_string(), "provider/localhost:8443/straße/dns");
        assert_eq!(DocumentKey::releases_prefix(&release), "meta/release/localhost:8443/straße/dns/1.0.0-RC1+7/");
        assert_eq!(
            DocumentKey::Release(release, digest).to_string(),
            format!("release/localhost:8443/straße/dns/1.0.0-RC1+7/{digest}")
        );
        assert_eq!(BlobKey(digest).object(), format!("blob/sha256/{digest}"));
    }

    #[test]
    fn the_longest_key_fits_into_kv() {
        let frame = "meta/release/".len() + "/".len() + "/".len() + Sha256Digest::of(b"").to_string().len();
        assert!(frame + MAX_ADDRESS_BYTES + MAX_VERSION_BYTES <= MAX_KEY_BYTES);
    }
}
