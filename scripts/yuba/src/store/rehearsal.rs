//! A rehearsal: another store as it would be after some writes, which stay here.
//!
//! A dry run works on this, so it takes exactly the steps that the real run would take.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use yuba::digest::Sha256Digest;
use yuba::keys::{BlobKey, DocumentKey, ObjectKey};

use super::{Advance, BlobFile, Creation, ETag, Existing, Object, Pieces, Stat, Store, StoreError, Stored, Swap};

/// What was written here, over a store that is only read.
pub struct Rehearsal<'a> {
    store: &'a dyn Store,
    now: Timestamp,
    written: Mutex<Written>,
}

/// What became of a key in R2.
#[derive(Clone, Copy)]
enum Rehearsed {
    Written(Stat),
    Deleted,
}

impl Rehearsed {
    const fn stat(self) -> Option<Stat> {
        match self {
            Self::Written(stat) => Some(stat),
            Self::Deleted => None,
        }
    }
}

/// What became of keys; a copy that is nothing was deleted.
#[derive(Default)]
struct Written {
    documents: BTreeMap<String, Vec<u8>>,
    objects: BTreeMap<String, Rehearsed>,
    copies: BTreeMap<String, Option<Vec<u8>>>,
}

impl<'a> Rehearsal<'a> {
    /// A rehearsal of writes to `store` at the time `now`.
    #[must_use]
    pub fn new(store: &'a dyn Store, now: Timestamp) -> Self {
        Self { store, now, written: Mutex::default() }
    }

    /// A panic elsewhere leaves these maps whole.
    fn written(&self) -> MutexGuard<'_, Written> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, key: String, size: usize) {
        let stat = Stat { size: size as u64, modified: self.now };
        self.written().objects.insert(key, Rehearsed::Written(stat));
    }

    /// What was done here to an R2 key, if anything was.
    fn rehearsed(&self, key: &str) -> Option<Rehearsed> {
        self.written().objects.get(key).copied()
    }
}

/// The `ETag` of what was never stored, which no store gives.
fn rehearsed(bytes: &[u8]) -> ETag {
    ETag::new(format!("rehearsed {}", Sha256Digest::of(bytes)))
}

#[async_trait]
impl Store for Rehearsal<'_> {
    async fn read(&self, key: &DocumentKey) -> Result<Option<Stored>, StoreError> {
        let object = key.object();
        match self.rehearsed(&object) {
            Some(Rehearsed::Deleted) => return Ok(None),
            Some(Rehearsed::Written(_)) => {
                if let Some(bytes) = self.written().documents.get(&object) {
                    return Ok(Some(Stored { bytes: bytes.clone(), etag: rehearsed(bytes) }));
                }
            }
            None => {}
        }
        self.store.read(key).await
    }

    async fn swap(&self, key: &DocumentKey, expected: Option<&ETag>, bytes: &[u8]) -> Result<Swap, StoreError> {
        let held = self.read(key).await?.map(|stored| stored.etag);
        if held.as_ref() != expected {
            return Ok(Swap::Conflict);
        }
        self.write(key.object(), bytes.len());
        self.written().documents.insert(key.object(), bytes.to_vec());
        Ok(Swap::Swapped(rehearsed(bytes)))
    }

    async fn objects(&self, prefix: &str) -> Result<Vec<Object>, StoreError> {
        let stored = self.store.objects(prefix).await?;
        let mut objects: BTreeMap<_, _> =
            stored.into_iter().map(|Object { key, stat }| (key, Rehearsed::Written(stat))).collect();
        let written = self.written();
        objects
            .extend(written.objects.iter().filter(|(key, _)| key.starts_with(prefix)).map(|(k, it)| (k.clone(), *it)));
        Ok(objects.into_iter().filter_map(|(key, it)| Some(Object { key, stat: it.stat()? })).collect())
    }

    async fn delete(&self, key: &ObjectKey) -> Result<(), StoreError> {
        self.written().objects.insert(key.to_string(), Rehearsed::Deleted);
        Ok(())
    }

    async fn duplicate(&self, from: &ObjectKey, to: &ObjectKey) -> Result<bool, StoreError> {
        let from = from.to_string();
        let found = self.objects(&from).await?.into_iter().find(|object| object.key == from);
        let Some(Object { stat, .. }) = found else { return Ok(false) };
        self.written().objects.insert(to.to_string(), Rehearsed::Written(Stat { modified: self.now, ..stat }));
        Ok(true)
    }

    async fn mark(&self, key: &ObjectKey) -> Result<(), StoreError> {
        self.write(key.to_string(), 0);
        Ok(())
    }

    async fn read_copy(&self, key: &DocumentKey) -> Result<Option<Vec<u8>>, StoreError> {
        if let Some(copy) = self.written().copies.get(&key.to_string()) {
            return Ok(copy.clone());
        }
        self.store.read_copy(key).await
    }

    async fn write_copy(&self, key: &DocumentKey, bytes: &[u8]) -> Result<(), StoreError> {
        self.written().copies.insert(key.to_string(), Some(bytes.to_vec()));
        Ok(())
    }

    async fn delete_copy(&self, name: &str) -> Result<(), StoreError> {
        self.written().copies.insert(name.to_owned(), None);
        Ok(())
    }

    async fn copies(&self) -> Result<Vec<String>, StoreError> {
        let mut names: BTreeSet<_> = self.store.copies().await?.into_iter().collect();
        for (name, copy) in &self.written().copies {
            if copy.is_some() {
                names.insert(name.clone())
            } else {
                names.remove(name)
            };
        }
        Ok(names.into_iter().collect())
    }

    fn longest_copy(&self) -> Duration {
        self.store.longest_copy()
    }

    async fn stat_blob(&self, key: &BlobKey) -> Result<Option<Stat>, StoreError> {
        match self.rehearsed(&key.object()) {
            Some(it) => Ok(it.stat()),
            None => self.store.stat_blob(key).await,
        }
    }

    async fn put_blob(&self, file: BlobFile<'_>, existing: Existing, advance: Advance) -> Result<Creation, StoreError> {
        if existing == Existing::Keep && self.stat_blob(&file.key).await?.is_some() {
            return Ok(Creation::Exists);
        }
        let stat = Stat { size: file.size, modified: self.now };
        self.written().objects.insert(file.key.object(), Rehearsed::Written(stat));
        advance(file.size);
        Ok(Creation::Created)
    }

    /// What was only rehearsed has no bytes: it is not there to be read.
    async fn read_blob(&self, key: &BlobKey) -> Result<Option<Pieces>, StoreError> {
        match self.rehearsed(&key.object()) {
            Some(_) => Ok(None),
            None => self.store.read_blob(key).await,
        }
    }
}
