//! A rehearsal: another store as it would be after some writes, which stay here.
//!
//! A dry run works on this, so it takes exactly the steps that the real run would take.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use yuba::digest::Sha256Digest;
use yuba::keys::{BlobKey, DocumentKey};

use super::{Advance, BlobFile, Creation, ETag, Existing, Listing, Store, StoreError, Stored, Swap};

/// What was written here, over a store that is only read.
pub struct Rehearsal<'a> {
    store: &'a dyn Store,
    written: Mutex<Written>,
}

#[derive(Default)]
struct Written {
    documents: BTreeMap<String, Vec<u8>>,
    copies: BTreeMap<String, Vec<u8>>,
    blobs: BTreeMap<BlobKey, u64>,
}

impl<'a> Rehearsal<'a> {
    /// A rehearsal of writes to `store`.
    #[must_use]
    pub fn new(store: &'a dyn Store) -> Self {
        Self { store, written: Mutex::default() }
    }

    /// A panic elsewhere leaves these maps whole.
    fn written(&self) -> MutexGuard<'_, Written> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The `ETag` of what was never stored, which no store gives.
fn rehearsed(bytes: &[u8]) -> ETag {
    ETag::new(format!("rehearsed {}", Sha256Digest::of(bytes)))
}

#[async_trait]
impl Store for Rehearsal<'_> {
    async fn read(&self, key: &DocumentKey) -> Result<Option<Stored>, StoreError> {
        if let Some(bytes) = self.written().documents.get(&key.object()) {
            return Ok(Some(Stored { bytes: bytes.clone(), etag: rehearsed(bytes) }));
        }
        self.store.read(key).await
    }

    async fn swap(&self, key: &DocumentKey, expected: Option<&ETag>, bytes: &[u8]) -> Result<Swap, StoreError> {
        let held = self.read(key).await?.map(|stored| stored.etag);
        if held.as_ref() != expected {
            return Ok(Swap::Conflict);
        }
        self.written().documents.insert(key.object(), bytes.to_vec());
        Ok(Swap::Swapped(rehearsed(bytes)))
    }

    async fn list(&self, listing: &Listing) -> Result<Vec<DocumentKey>, StoreError> {
        let mut keys = self.store.list(listing).await?;
        keys.extend(self.written().documents.keys().filter_map(|object| listing.key(object)));
        keys.sort_by_key(DocumentKey::object);
        keys.dedup();
        Ok(keys)
    }

    async fn read_copy(&self, key: &DocumentKey) -> Result<Option<Vec<u8>>, StoreError> {
        if let Some(bytes) = self.written().copies.get(&key.to_string()) {
            return Ok(Some(bytes.clone()));
        }
        self.store.read_copy(key).await
    }

    async fn write_copy(&self, key: &DocumentKey, bytes: &[u8]) -> Result<(), StoreError> {
        self.written().copies.insert(key.to_string(), bytes.to_vec());
        Ok(())
    }

    async fn blob_size(&self, key: &BlobKey) -> Result<Option<u64>, StoreError> {
        if let Some(size) = self.written().blobs.get(key) {
            return Ok(Some(*size));
        }
        self.store.blob_size(key).await
    }

    async fn put_blob(&self, file: BlobFile<'_>, existing: Existing, advance: Advance) -> Result<Creation, StoreError> {
        if existing == Existing::Keep && self.blob_size(&file.key).await?.is_some() {
            return Ok(Creation::Exists);
        }
        self.written().blobs.insert(file.key, file.size);
        advance(file.size);
        Ok(Creation::Created)
    }
}
