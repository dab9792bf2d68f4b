//! Storage as the registry sees it: a truth that may be slow or fail, and a copy of it that is fast and may be late.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use super::ByteRange;
use crate::keys::{BlobKey, DocumentKey};

/// Why storage did not answer. The text is for the operator's log, never for a client.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct StorageError(pub String);

/// Work that goes on after its request was answered.
pub type Deferred = Pin<Box<dyn Future<Output = ()>>>;

/// An archive, or the asked part of it, on its way out.
#[derive(Debug)]
pub struct Archive<S> {
    /// The size of the whole archive in bytes, as storage knows it.
    pub size: u64,
    /// The bytes.
    pub stream: S,
}

/// What one request may use: KV and R2, read-only, and a clock. Cloning shares the same storage.
pub trait Storage: Clone + 'static {
    /// The bytes of an archive, not held by us.
    type Stream;

    /// Reads a document from KV.
    fn read_copy(&self, key: &DocumentKey) -> impl Future<Output = Result<Option<Vec<u8>>, StorageError>>;

    /// Reads a document from R2, whose answer is the truth, absence included.
    fn read_truth(&self, key: &DocumentKey) -> impl Future<Output = Result<Option<Vec<u8>>, StorageError>>;

    /// Opens an archive in R2, or the part of it that `range` names.
    fn open_archive(
        &self,
        key: BlobKey,
        range: Option<ByteRange>,
    ) -> impl Future<Output = Result<Option<Archive<Self::Stream>>, StorageError>>;

    /// Asks KV and R2 whether they answer at all.
    fn probe(&self) -> impl Future<Output = Result<(), StorageError>>;

    /// The time since some fixed moment. In Workers it stands still between reads.
    fn now(&self) -> Duration;

    /// Waits.
    fn sleep(&self, duration: Duration) -> impl Future<Output = ()>;

    /// Lets `work` go on after the answer.
    fn defer(&self, work: Deferred);
}
