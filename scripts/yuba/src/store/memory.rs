//! Storage in memory: for tests, which also ask what it was asked.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use tokio::io::AsyncReadExt as _;
use yuba::digest::Sha256Digest;
use yuba::keys::{BlobKey, DocumentKey};

use super::{Advance, Attempt, BlobFile, Cause, Creation, ETag, Existing, Listing, Store, StoreError, Stored, Swap};

/// A store that lives as long as its value.
#[derive(Debug, Default)]
pub struct MemoryStore {
    r2: Mutex<BTreeMap<String, Vec<u8>>>,
    kv: Mutex<BTreeMap<String, Vec<u8>>>,
    reads: AtomicUsize,
    writes: AtomicUsize,
}

/// A panic elsewhere leaves these maps whole.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn etag(bytes: &[u8]) -> ETag {
    ETag::new(Sha256Digest::of(bytes).to_string())
}

impl MemoryStore {
    /// How often anything was read or listed.
    #[must_use]
    pub fn reads(&self) -> usize {
        self.reads.load(Ordering::Relaxed)
    }

    /// How often anything was written, refused writes not counted.
    #[must_use]
    pub fn writes(&self) -> usize {
        self.writes.load(Ordering::Relaxed)
    }

    /// Everything in R2.
    #[must_use]
    pub fn r2(&self) -> BTreeMap<String, Vec<u8>> {
        locked(&self.r2).clone()
    }

    /// Everything in KV.
    #[must_use]
    pub fn kv(&self) -> BTreeMap<String, Vec<u8>> {
        locked(&self.kv).clone()
    }

    fn count_read(&self) {
        self.reads.fetch_add(1, Ordering::Relaxed);
    }

    fn write(&self, map: &mut BTreeMap<String, Vec<u8>>, key: String, bytes: Vec<u8>) {
        self.writes.fetch_add(1, Ordering::Relaxed);
        map.insert(key, bytes);
    }
}

#[async_trait]
impl Store for MemoryStore {
    async fn read(&self, key: &DocumentKey) -> Result<Option<Stored>, StoreError> {
        self.count_read();
        let bytes = locked(&self.r2).get(&key.object()).cloned();
        Ok(bytes.map(|bytes| Stored { etag: etag(&bytes), bytes }))
    }

    async fn swap(&self, key: &DocumentKey, expected: Option<&ETag>, bytes: &[u8]) -> Result<Swap, StoreError> {
        let mut r2 = locked(&self.r2);
        if r2.get(&key.object()).map(|bytes| etag(bytes)).as_ref() != expected {
            return Ok(Swap::Conflict);
        }
        self.write(&mut r2, key.object(), bytes.to_vec());
        Ok(Swap::Swapped(etag(bytes)))
    }

    async fn list(&self, listing: &Listing) -> Result<Vec<DocumentKey>, StoreError> {
        self.count_read();
        Ok(locked(&self.r2).keys().filter_map(|object| listing.key(object)).collect())
    }

    async fn read_copy(&self, key: &DocumentKey) -> Result<Option<Vec<u8>>, StoreError> {
        self.count_read();
        Ok(locked(&self.kv).get(&key.to_string()).cloned())
    }

    async fn write_copy(&self, key: &DocumentKey, bytes: &[u8]) -> Result<(), StoreError> {
        self.write(&mut locked(&self.kv), key.to_string(), bytes.to_vec());
        Ok(())
    }

    async fn blob_size(&self, key: &BlobKey) -> Result<Option<u64>, StoreError> {
        self.count_read();
        Ok(locked(&self.r2).get(&key.object()).map(|bytes| bytes.len() as u64))
    }

    async fn put_blob(&self, file: BlobFile<'_>, existing: Existing, advance: Advance) -> Result<Creation, StoreError> {
        let failed = |cause| StoreError { attempt: Attempt::Upload, key: file.key.object(), cause };
        let mut bytes = Vec::new();
        let mut opened = tokio::fs::File::open(file.path).await.map_err(|error| failed(error.into()))?;
        opened.read_to_end(&mut bytes).await.map_err(|error| failed(error.into()))?;
        if bytes.len() as u64 != file.size || Sha256Digest::of(&bytes) != file.key.0 {
            return Err(failed(Cause::Changed(file.path.to_owned())));
        }
        let mut r2 = locked(&self.r2);
        if existing == Existing::Keep && r2.contains_key(&file.key.object()) {
            return Ok(Creation::Exists);
        }
        self.write(&mut r2, file.key.object(), bytes);
        advance(file.size);
        Ok(Creation::Created)
    }
}
