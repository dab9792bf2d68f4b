//! Storage in memory: for tests, which also ask what it was asked.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use futures::StreamExt as _;
use jiff::Timestamp;
use tokio::io::AsyncReadExt as _;
use yuba::digest::Sha256Digest;
use yuba::keys::{BlobKey, DocumentKey, ObjectKey};

use super::{
    Advance, Attempt, BlobFile, Cause, Creation, ETag, Existing, Object, Pieces, Stat, Store, StoreError, Stored, Swap,
};

/// How long a KV write takes at most.
const LONGEST_COPY: Duration = Duration::from_millis(50);

/// A store that lives as long as its value. Its clock stands still unless it is set.
#[derive(Debug, Default)]
pub struct MemoryStore {
    r2: Mutex<BTreeMap<String, Entry>>,
    kv: Mutex<BTreeMap<String, Vec<u8>>>,
    now: Mutex<Timestamp>,
    reads: AtomicUsize,
    writes: AtomicUsize,
}

#[derive(Debug, Clone)]
struct Entry {
    bytes: Vec<u8>,
    modified: Timestamp,
}

impl Entry {
    fn stat(&self) -> Stat {
        Stat { size: self.bytes.len() as u64, modified: self.modified }
    }
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

    /// How often anything was written or deleted, refused writes not counted.
    #[must_use]
    pub fn writes(&self) -> usize {
        self.writes.load(Ordering::Relaxed)
    }

    /// Everything in R2.
    #[must_use]
    pub fn r2(&self) -> BTreeMap<String, Vec<u8>> {
        locked(&self.r2).iter().map(|(key, entry)| (key.clone(), entry.bytes.clone())).collect()
    }

    /// Everything in KV.
    #[must_use]
    pub fn kv(&self) -> BTreeMap<String, Vec<u8>> {
        locked(&self.kv).clone()
    }

    /// Sets the clock, which says when what is written from now on was written.
    pub fn set_now(&self, now: Timestamp) {
        *locked(&self.now) = now;
    }

    /// Puts `bytes` under `object` in R2, be they what they may: damage, a stray.
    pub fn damage(&self, object: &str, bytes: &[u8]) {
        let entry = Entry { bytes: bytes.to_vec(), modified: *locked(&self.now) };
        locked(&self.r2).insert(object.to_owned(), entry);
    }

    /// Takes `object` out of R2.
    pub fn lose(&self, object: &str) {
        locked(&self.r2).remove(object);
    }

    /// Puts `bytes` under `name` in KV, or takes the name out.
    pub fn damage_copy(&self, name: &str, bytes: Option<&[u8]>) {
        match bytes {
            Some(bytes) => locked(&self.kv).insert(name.to_owned(), bytes.to_vec()),
            None => locked(&self.kv).remove(name),
        };
    }

    fn count_read(&self) {
        self.reads.fetch_add(1, Ordering::Relaxed);
    }

    fn count_write(&self) {
        self.writes.fetch_add(1, Ordering::Relaxed);
    }

    fn write(&self, map: &mut BTreeMap<String, Entry>, key: String, bytes: Vec<u8>) {
        self.count_write();
        map.insert(key, Entry { bytes, modified: *locked(&self.now) });
    }
}

#[async_trait]
impl Store for MemoryStore {
    async fn read(&self, key: &DocumentKey) -> Result<Option<Stored>, StoreError> {
        self.count_read();
        let entry = locked(&self.r2).get(&key.object()).cloned();
        Ok(entry.map(|Entry { bytes, .. }| Stored { etag: etag(&bytes), bytes }))
    }

    async fn swap(&self, key: &DocumentKey, expected: Option<&ETag>, bytes: &[u8]) -> Result<Swap, StoreError> {
        let mut r2 = locked(&self.r2);
        if r2.get(&key.object()).map(|entry| etag(&entry.bytes)).as_ref() != expected {
            return Ok(Swap::Conflict);
        }
        self.write(&mut r2, key.object(), bytes.to_vec());
        Ok(Swap::Swapped(etag(bytes)))
    }

    async fn objects(&self, prefix: &str) -> Result<Vec<Object>, StoreError> {
        self.count_read();
        let r2 = locked(&self.r2);
        let found = r2.iter().filter(|(key, _)| key.starts_with(prefix));
        Ok(found.map(|(key, entry)| Object { key: key.clone(), stat: entry.stat() }).collect())
    }

    async fn delete(&self, key: &ObjectKey) -> Result<(), StoreError> {
        self.count_write();
        locked(&self.r2).remove(&key.to_string());
        Ok(())
    }

    async fn duplicate(&self, from: &ObjectKey, to: &ObjectKey) -> Result<bool, StoreError> {
        let mut r2 = locked(&self.r2);
        let Some(bytes) = r2.get(&from.to_string()).map(|entry| entry.bytes.clone()) else { return Ok(false) };
        self.write(&mut r2, to.to_string(), bytes);
        Ok(true)
    }

    async fn mark(&self, key: &ObjectKey) -> Result<(), StoreError> {
        self.write(&mut locked(&self.r2), key.to_string(), Vec::new());
        Ok(())
    }

    async fn read_copy(&self, key: &DocumentKey) -> Result<Option<Vec<u8>>, StoreError> {
        self.count_read();
        Ok(locked(&self.kv).get(&key.to_string()).cloned())
    }

    async fn write_copy(&self, key: &DocumentKey, bytes: &[u8]) -> Result<(), StoreError> {
        self.count_write();
        locked(&self.kv).insert(key.to_string(), bytes.to_vec());
        Ok(())
    }

    async fn delete_copy(&self, name: &str) -> Result<(), StoreError> {
        self.count_write();
        locked(&self.kv).remove(name);
        Ok(())
    }

    async fn copies(&self) -> Result<Vec<String>, StoreError> {
        self.count_read();
        Ok(locked(&self.kv).keys().cloned().collect())
    }

    fn longest_copy(&self) -> Duration {
        LONGEST_COPY
    }

    async fn stat_blob(&self, key: &BlobKey) -> Result<Option<Stat>, StoreError> {
        self.count_read();
        Ok(locked(&self.r2).get(&key.object()).map(Entry::stat))
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

    async fn read_blob(&self, key: &BlobKey) -> Result<Option<Pieces>, StoreError> {
        self.count_read();
        let bytes = locked(&self.r2).get(&key.object()).map(|entry| entry.bytes.clone());
        Ok(bytes.map(|bytes| futures::stream::iter([Ok(bytes.into())]).boxed()))
    }
}
