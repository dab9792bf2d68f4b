//! A store that fails where it is told to: for tests of what a killed or cut-off publish leaves behind.

use std::fmt;
use std::future::Future;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use yuba::keys::{BlobKey, DocumentKey, ObjectKey};

use super::{
    Advance, Attempt, BlobFile, Cause, Creation, ETag, Existing, Object, Pieces, Stat, Store, StoreError, Stored, Swap,
};

/// Something that a store was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// What it was.
    pub attempt: Attempt,
    /// The key or prefix.
    pub key: String,
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.attempt, self.key)
    }
}

/// What happens to an operation.
#[derive(Debug)]
pub enum Fault {
    /// Nothing.
    None,
    /// It fails and was not done.
    Before(Cause),
    /// It fails although it was done.
    After(Cause),
}

/// Another store, with faults.
pub struct Faults<'a, F> {
    store: &'a dyn Store,
    decide: F,
    operations: Mutex<Vec<Operation>>,
}

impl<'a, F: Fn(usize, &Operation) -> Fault + Send + Sync> Faults<'a, F> {
    /// `store`, to whose operations happens what `decide` says of each and its number, from 0.
    pub const fn new(store: &'a dyn Store, decide: F) -> Self {
        Self { store, decide, operations: Mutex::new(Vec::new()) }
    }

    /// What was asked for so far.
    #[must_use]
    pub fn operations(&self) -> Vec<Operation> {
        self.locked().clone()
    }

    /// A panic elsewhere leaves the list whole.
    fn locked(&self) -> MutexGuard<'_, Vec<Operation>> {
        self.operations.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn run<T>(
        &self,
        attempt: Attempt,
        key: String,
        operation: impl Future<Output = Result<T, StoreError>> + Send,
    ) -> Result<T, StoreError> {
        let asked = Operation { attempt, key: key.clone() };
        let number = {
            let mut operations = self.locked();
            operations.push(asked.clone());
            operations.len() - 1
        };
        match (self.decide)(number, &asked) {
            Fault::None => operation.await,
            Fault::Before(cause) => Err(StoreError { attempt, key, cause }),
            Fault::After(cause) => {
                operation.await?;
                Err(StoreError { attempt, key, cause })
            }
        }
    }
}

#[async_trait]
impl<F: Fn(usize, &Operation) -> Fault + Send + Sync> Store for Faults<'_, F> {
    async fn read(&self, key: &DocumentKey) -> Result<Option<Stored>, StoreError> {
        self.run(Attempt::Read, key.object(), self.store.read(key)).await
    }

    async fn swap(&self, key: &DocumentKey, expected: Option<&ETag>, bytes: &[u8]) -> Result<Swap, StoreError> {
        self.run(Attempt::Write, key.object(), self.store.swap(key, expected, bytes)).await
    }

    async fn objects(&self, prefix: &str) -> Result<Vec<Object>, StoreError> {
        self.run(Attempt::List, prefix.to_owned(), self.store.objects(prefix)).await
    }

    async fn delete(&self, key: &ObjectKey) -> Result<(), StoreError> {
        self.run(Attempt::Delete, key.to_string(), self.store.delete(key)).await
    }

    async fn duplicate(&self, from: &ObjectKey, to: &ObjectKey) -> Result<bool, StoreError> {
        self.run(Attempt::Duplicate, to.to_string(), self.store.duplicate(from, to)).await
    }

    async fn mark(&self, key: &ObjectKey) -> Result<(), StoreError> {
        self.run(Attempt::Mark, key.to_string(), self.store.mark(key)).await
    }

    async fn read_copy(&self, key: &DocumentKey) -> Result<Option<Vec<u8>>, StoreError> {
        self.run(Attempt::ReadCopy, key.to_string(), self.store.read_copy(key)).await
    }

    async fn write_copy(&self, key: &DocumentKey, bytes: &[u8]) -> Result<(), StoreError> {
        self.run(Attempt::WriteCopy, key.to_string(), self.store.write_copy(key, bytes)).await
    }

    async fn delete_copy(&self, name: &str) -> Result<(), StoreError> {
        self.run(Attempt::DeleteCopy, name.to_owned(), self.store.delete_copy(name)).await
    }

    async fn copies(&self) -> Result<Vec<String>, StoreError> {
        self.run(Attempt::ListCopies, String::new(), self.store.copies()).await
    }

    fn longest_copy(&self) -> Duration {
        self.store.longest_copy()
    }

    async fn stat_blob(&self, key: &BlobKey) -> Result<Option<Stat>, StoreError> {
        self.run(Attempt::Stat, key.object(), self.store.stat_blob(key)).await
    }

    async fn put_blob(&self, file: BlobFile<'_>, existing: Existing, advance: Advance) -> Result<Creation, StoreError> {
        self.run(Attempt::Upload, file.key.object(), self.store.put_blob(file, existing, advance)).await
    }

    async fn read_blob(&self, key: &BlobKey) -> Result<Option<Pieces>, StoreError> {
        self.run(Attempt::Download, key.object(), self.store.read_blob(key)).await
    }
}
