//! Many copies in few requests.

use futures::future::try_join_all;
use tokio::time::Instant;
use yuba::digest::Sha256Digest;
use yuba::keys::{DocumentKey, ObjectKey};

use super::Syncing;
use crate::attempt::attempt;
use crate::copies::{self, complete};
use crate::documents::AccessError;

/// The most bytes that are written in one request, one document aside: KV takes 100 MiB, memory is dearer.
const MAX_BATCH_BYTES: usize = 8 << 20;

/// Documents that are to be copied.
pub(super) struct Batch {
    limit: usize,
    bytes: usize,
    documents: Vec<(DocumentKey, Vec<u8>)>,
}

impl Batch {
    /// A batch of at most `limit` documents.
    pub(super) const fn new(limit: usize) -> Self {
        Self { limit, bytes: 0, documents: Vec::new() }
    }

    /// Adds a document; gives out all of them if the batch is full then.
    pub(super) fn add(&mut self, key: DocumentKey, bytes: Vec<u8>) -> Option<Vec<(DocumentKey, Vec<u8>)>> {
        self.bytes += bytes.len();
        self.documents.push((key, bytes));
        (self.documents.len() >= self.limit || self.bytes >= MAX_BATCH_BYTES).then(|| self.take())
    }

    /// Gives out all documents.
    pub(super) fn take(&mut self) -> Vec<(DocumentKey, Vec<u8>)> {
        self.bytes = 0;
        std::mem::take(&mut self.documents)
    }
}

impl Syncing<'_> {
    /// Writes a batch of documents to KV; those that can change are all of them or none.
    pub(super) async fn write_batch(&mut self, batch: Vec<(DocumentKey, Vec<u8>)>) -> Result<(), AccessError> {
        if batch.iter().any(|(key, _)| key.is_mutable()) {
            return self.write_mutable(batch).await;
        }
        self.write_copies(&batch).await?;
        self.remember(&batch);
        Ok(())
    }

    /// Writes documents that can change: under marks, and what was read after the marks were left.
    async fn write_mutable(&mut self, batch: Vec<(DocumentKey, Vec<u8>)>) -> Result<(), AccessError> {
        let left = Instant::now();
        let store = self.store;
        let mark = |key: &DocumentKey, who| ObjectKey::Copying(key.clone(), who);
        let marks: Vec<_> = batch.iter().map(|(key, _)| mark(key, self.random.u64(..))).collect();
        try_join_all(marks.iter().map(|mark| store.mark(mark))).await?;
        let reads = try_join_all(batch.iter().map(|(key, _)| store.read(key))).await?;
        let current: Vec<_> = batch
            .into_iter()
            .zip(reads)
            .map(|((key, before), now)| (key, now.map_or(before, |stored| stored.bytes)))
            .collect();
        if !copies::is_good(store, left) {
            // It took so long that others may take the marks for abandoned: one at a time, then.
            return self.write_singly(&current, &marks).await;
        }
        self.write_copies(&current).await?;
        self.remember(&current);
        for ((key, bytes), mark) in current.into_iter().zip(marks) {
            complete(store, &key, bytes, (mark, left), &mut self.random).await?;
        }
        Ok(())
    }

    async fn write_singly(&mut self, batch: &[(DocumentKey, Vec<u8>)], marks: &[ObjectKey]) -> Result<(), AccessError> {
        for ((key, _), mark) in batch.iter().zip(marks) {
            self.store.delete(mark).await?;
            copies::copy(self.store, key, &mut self.random).await?;
        }
        Ok(())
    }

    async fn write_copies(&mut self, batch: &[(DocumentKey, Vec<u8>)]) -> Result<(), AccessError> {
        if batch.is_empty() {
            return Ok(());
        }
        let store = self.store;
        attempt(&mut self.random, || store.write_copies(batch)).await
    }

    fn remember(&mut self, batch: &[(DocumentKey, Vec<u8>)]) {
        let written = batch.iter().map(|(key, bytes)| (key.to_string(), Some(Sha256Digest::of(bytes))));
        self.known.extend(written);
    }
}
