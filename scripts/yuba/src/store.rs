//! Storage as publishing needs it: documents in R2 with compare-and-swap, their copies in KV, and blobs.
//!
//! What a store refuses (a key that exists, a document that changed) is an outcome, not an error: publishing reacts to
//! it. An error means that storage could not do what it was asked, or that nobody knows whether it did.

pub mod dir;
mod error;
pub mod faults;
pub mod local;
pub mod memory;
pub mod rehearsal;

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use yuba::address::{NamespaceAddress, ReleaseAddress};
use yuba::hostname::Hostname;
use yuba::keys::{BlobKey, DocumentKey};
use yuba::name::Namespace;

pub use error::{Attempt, Cause, StoreError};

/// What tells one content of a key from another; only the store that gave it understands it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ETag(String);

impl ETag {
    /// An `ETag` as the store spells it.
    #[must_use]
    pub const fn new(text: String) -> Self {
        Self(text)
    }

    /// The store's spelling.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A document as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What a swap of exactly these bytes expects.
    pub etag: ETag,
}

/// What came of writing a key that must not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Creation {
    /// The key is there now.
    Created,
    /// The key was there, and is as it was.
    Exists,
}

/// What came of a compare-and-swap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Swap {
    /// The document is stored, under this `ETag`.
    Swapped(ETag),
    /// The key does not hold what was expected, and is as it was.
    Conflict,
}

/// What a blob that is there already means to a put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// It is left alone.
    Keep,
    /// It is written again: it is not what its key says.
    Replace,
}

/// A file on this machine that becomes a blob.
#[derive(Debug, Clone, Copy)]
pub struct BlobFile<'a> {
    /// Its key, and so the SHA-256 that the file must have.
    pub key: BlobKey,
    /// Where it is.
    pub path: &'a Path,
    /// Its size in bytes.
    pub size: u64,
}

/// Takes the number of bytes that were just sent; a failed put may be started again, so the sum may exceed the size.
pub type Advance = Arc<dyn Fn(u64) + Send + Sync>;

/// The documents that one listing finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Listing {
    /// Every namespace.
    Namespaces,
    /// Every document of one release, listed or not.
    Releases(ReleaseAddress),
}

impl Listing {
    /// What the R2 keys of these documents start with.
    #[must_use]
    pub fn prefix(&self) -> String {
        match self {
            Self::Namespaces => DocumentKey::namespaces_prefix(),
            Self::Releases(address) => DocumentKey::releases_prefix(address),
        }
    }

    /// The document that an R2 key under the prefix means. A stray object is none.
    #[must_use]
    pub fn key(&self, object: &str) -> Option<DocumentKey> {
        let name = object.strip_prefix(&self.prefix())?;
        match self {
            Self::Namespaces => {
                let (hostname, namespace) = name.split_once('/')?;
                let hostname = hostname.parse::<Hostname>().ok()?;
                let namespace = namespace.parse::<Namespace>().ok()?;
                Some(DocumentKey::Namespace(NamespaceAddress { hostname, namespace }))
            }
            Self::Releases(address) => Some(DocumentKey::Release(address.clone(), name.parse().ok()?)),
        }
    }
}

/// R2 and KV, wherever they are. Every write is whole or not at all, also when its writer is killed.
#[async_trait]
pub trait Store: Send + Sync {
    /// Reads a document from R2.
    async fn read(&self, key: &DocumentKey) -> Result<Option<Stored>, StoreError>;

    /// Writes a document to R2 if the key holds what has the `ETag` `expected`; `None` expects that there is nothing.
    async fn swap(&self, key: &DocumentKey, expected: Option<&ETag>, bytes: &[u8]) -> Result<Swap, StoreError>;

    /// Writes a document to R2 if the key does not exist.
    async fn create(&self, key: &DocumentKey, bytes: &[u8]) -> Result<Creation, StoreError> {
        match self.swap(key, None, bytes).await? {
            Swap::Swapped(_) => Ok(Creation::Created),
            Swap::Conflict => Ok(Creation::Exists),
        }
    }

    /// The keys in R2 of the documents that `listing` means, sorted.
    async fn list(&self, listing: &Listing) -> Result<Vec<DocumentKey>, StoreError>;

    /// Reads a document's copy from KV.
    async fn read_copy(&self, key: &DocumentKey) -> Result<Option<Vec<u8>>, StoreError>;

    /// Writes a document's copy to KV, over whatever is there.
    async fn write_copy(&self, key: &DocumentKey, bytes: &[u8]) -> Result<(), StoreError>;

    /// The size in bytes of a blob, if it is there.
    async fn blob_size(&self, key: &BlobKey) -> Result<Option<u64>, StoreError>;

    /// Stores a file as a blob, in pieces, if it has the size and the SHA-256 that it should have.
    async fn put_blob(&self, file: BlobFile<'_>, existing: Existing, advance: Advance) -> Result<Creation, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_objects_become_keys_and_strays_do_not() {
        let namespaces = Listing::Namespaces;
        let key = namespaces.key("meta/namespace/localhost:8443/straße").unwrap();
        assert_eq!(key.object(), "meta/namespace/localhost:8443/straße");
        for stray in ["meta/namespace/.DS_Store", "meta/namespace/a.example", "meta/namespace/a.example/b/c", "meta/x"]
        {
            assert_eq!(namespaces.key(stray), None, "{stray}");
        }
        let provider = "a.example/acme/dns".parse().unwrap();
        let releases = Listing::Releases(ReleaseAddress { provider, version: "1.0.0".parse().unwrap() });
        let object = format!("{}{}", releases.prefix(), "0".repeat(64));
        assert_eq!(releases.key(&object).unwrap().object(), object);
        assert_eq!(releases.key(&format!("{}.DS_Store", releases.prefix())), None);
    }
}
