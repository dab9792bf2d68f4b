//! Storage as the companion needs it: documents in R2 with compare-and-swap, their copies in KV, and blobs.
//!
//! What a store refuses (a key that exists, a document that changed) is an outcome, not an error: publishing reacts to
//! it. An error means that storage could not do what it was asked, or that nobody knows whether it did.

pub mod cloudflare;
pub mod dir;
mod error;
pub mod faults;
pub mod local;
mod loopback;
pub mod memory;
pub mod rehearsal;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::BoxStream;
use jiff::Timestamp;
use yuba::address::{ProviderAddress, ReleaseAddress};
use yuba::hostname::Hostname;
use yuba::keys::{Area, BlobKey, DocumentKey, ObjectKey};

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
    /// Every document.
    All,
    /// Every namespace.
    Namespaces,
    /// Every provider, or every one of a host.
    Providers(Option<Hostname>),
    /// Every document of one release, listed or not.
    Releases(ReleaseAddress),
    /// Every OCI view of one provider.
    OciViews(ProviderAddress),
}

impl Listing {
    /// What the R2 keys of these documents start with.
    #[must_use]
    pub fn prefix(&self) -> String {
        match self {
            Self::All => Area::Documents.prefix().to_owned(),
            Self::Namespaces => DocumentKey::namespaces_prefix(),
            Self::Providers(hostname) => DocumentKey::providers_prefix(hostname.as_ref()),
            Self::Releases(address) => DocumentKey::releases_prefix(address),
            Self::OciViews(provider) => DocumentKey::oci_views_prefix(provider),
        }
    }
}

/// What R2 says of an object without giving it out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// Its size in bytes.
    pub size: u64,
    /// When it was written last, by R2's clock.
    pub modified: Timestamp,
}

/// An object as a listing of R2 shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// Its key as it is spelled, which may be none of ours.
    pub key: String,
    /// What R2 says of it.
    pub stat: Stat,
}

/// A blob's bytes, a piece at a time.
pub type Pieces = BoxStream<'static, Result<Bytes, StoreError>>;

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

    /// The keys in R2 of the documents that `listing` means, sorted. A stray object is none.
    async fn list(&self, listing: &Listing) -> Result<Vec<DocumentKey>, StoreError> {
        let objects = self.objects(&listing.prefix()).await?;
        let keys = objects.iter().filter_map(|object| match object.key.parse() {
            Ok(ObjectKey::Document(key)) => Some(key),
            _ => None,
        });
        Ok(keys.collect())
    }

    /// Everything in R2 whose key starts with `prefix`, sorted by key.
    async fn objects(&self, prefix: &str) -> Result<Vec<Object>, StoreError>;

    /// Deletes an object from R2; that it is not there is no error.
    async fn delete(&self, key: &ObjectKey) -> Result<(), StoreError>;

    /// Copies an object within R2, over whatever is there, which makes it as new as if it were written. Whether there was
    /// something to copy.
    async fn duplicate(&self, from: &ObjectKey, to: &ObjectKey) -> Result<bool, StoreError>;

    /// Writes an empty object to R2, whose existence and age say all.
    async fn mark(&self, key: &ObjectKey) -> Result<(), StoreError>;

    /// Reads a document's copy from KV.
    async fn read_copy(&self, key: &DocumentKey) -> Result<Option<Vec<u8>>, StoreError>;

    /// Writes a document's copy to KV, over whatever is there.
    async fn write_copy(&self, key: &DocumentKey, bytes: &[u8]) -> Result<(), StoreError>;

    /// Writes many documents' copies, as few requests as possible. Where it fails, some may have been written.
    async fn write_copies(&self, copies: &[(DocumentKey, Vec<u8>)]) -> Result<(), StoreError> {
        for (key, bytes) in copies {
            self.write_copy(key, bytes).await?;
        }
        Ok(())
    }

    /// Deletes a key from KV, be it none of a document; that it is not there is no error.
    async fn delete_copy(&self, name: &str) -> Result<(), StoreError>;

    /// All keys in KV, sorted.
    async fn copies(&self) -> Result<Vec<String>, StoreError>;

    /// How long a write to KV may take at most, after which a writer that was not heard of is not writing any more.
    fn longest_copy(&self) -> Duration;

    /// What R2 says of a blob, if it is there.
    async fn stat_blob(&self, key: &BlobKey) -> Result<Option<Stat>, StoreError>;

    /// Stores a file as a blob, in pieces, if it has the size and the SHA-256 that it should have.
    async fn put_blob(&self, file: BlobFile<'_>, existing: Existing, advance: Advance) -> Result<Creation, StoreError>;

    /// Reads a blob, if it is there.
    async fn read_blob(&self, key: &BlobKey) -> Result<Option<Pieces>, StoreError>;
}
