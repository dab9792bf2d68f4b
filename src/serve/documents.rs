//! Reading documents: what is held, what KV says and what R2 says, in the design's order.
//!
//! 1. Immutable documents are read from KV first, and R2 is asked for what KV lacks.
//! 2. Mutable ones are asked of KV and R2 at once. R2's answer is taken if it arrives within [`TRUTH_WAIT`]; else KV's
//!    serves this request, and R2's replaces it behind.
//! 3. Only what R2 said is held.

use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

use futures_util::future::{Either, join, select};

use super::freshness::{Freshness, TRUTH_WAIT};
use super::refusal::Refusal;
use super::shelf::{Held, Shelf, Stored};
use super::storage::Storage;
use crate::digest::Sha256Digest;
use crate::document::{Document, IndexDocument, NamespaceDocument, ProviderDocument, ReleaseDocument};
use crate::keys::DocumentKey;

const MIB: usize = 1024 * 1024;

/// How often a request looks whether another one has read what both want.
const POLL: Duration = Duration::from_millis(5);

/// How long another request's read is waited for; then it is taken for lost, and made again.
const LONGEST_READ: Duration = Duration::from_secs(2);

/// All that an isolate holds. The limits leave most of a Worker's 128 MiB free (a document takes a few times its stored
/// size in memory).
#[derive(Debug)]
pub(super) struct Shelves {
    pub(super) index: Rc<Shelf<IndexDocument>>,
    pub(super) namespaces: Rc<Shelf<NamespaceDocument>>,
    pub(super) providers: Rc<Shelf<ProviderDocument>>,
    pub(super) releases: Rc<Shelf<ReleaseDocument>>,
}

impl Default for Shelves {
    fn default() -> Self {
        Self {
            index: Rc::new(Shelf::new(2 * MIB)),
            namespaces: Rc::new(Shelf::new(2 * MIB)),
            providers: Rc::new(Shelf::new(8 * MIB)),
            releases: Rc::new(Shelf::new(8 * MIB)),
        }
    }
}

type Found<D> = Result<Option<Rc<Stored<D>>>, Refusal>;

/// How one request reads documents.
pub(super) struct Reader<'a, S> {
    pub(super) freshness: &'a Freshness,
    pub(super) storage: &'a S,
}

/// Reads a document from R2 and holds what it says.
async fn read_truth<D: Document, S: Storage>(
    storage: S,
    shelf: Rc<Shelf<D>>,
    key: DocumentKey,
) -> Result<Held<D>, Refusal> {
    let bytes = storage.read_truth(&key).await?;
    let stored = bytes.map(|bytes| Stored::read(&bytes)).transpose();
    let stored = stored.map_err(|error| Refusal::Unreadable(Box::new(key.clone()), error))?;
    Ok(shelf.hold(&key, stored, storage.now()))
}

/// The newer of two copies; a copy that is held may be newer than KV's.
fn newer<D: Document>(copy: Option<Rc<Stored<D>>>, held: Option<Rc<Stored<D>>>) -> Option<Rc<Stored<D>>> {
    match (copy, held) {
        (Some(copy), Some(held)) if copy.revision() > held.revision() => Some(copy),
        (copy, None) => copy,
        (_, held) => held,
    }
}

impl<S: Storage> Reader<'_, S> {
    /// Reads a mutable document: what is held if it is fresh, else R2's word or, where that is slow, KV's.
    pub(super) async fn mutable<D: Document + 'static>(&self, shelf: &Rc<Shelf<D>>, key: &DocumentKey) -> Found<D> {
        let held = shelf.find(key);
        if let Some(held) = held.as_ref().filter(|held| self.is_fresh(held)) {
            return Ok(held.stored.clone());
        }
        let held = held.and_then(|held| held.stored);
        let truth = Box::pin(read_truth(self.storage.clone(), shelf.clone(), key.clone()));
        let copy = pin!(join(self.copy(key), self.storage.sleep(TRUTH_WAIT)));
        match select(truth, copy).await {
            Either::Left((Ok(truth), _)) => Ok(truth.stored),
            Either::Left((Err(failure), _)) => newer(self.copy(key).await, held).map(Some).ok_or(failure),
            Either::Right(((copy, ()), truth)) => match newer(copy, held) {
                Some(document) => {
                    self.storage.defer(Box::pin(async move {
                        // What fails here was not needed; the next request asks again.
                        let _ = truth.await;
                    }));
                    Ok(Some(document))
                }
                None => Ok(truth.await?.stored),
            },
        }
    }

    /// Reads a mutable document again from R2, because the copy at hand lacks what was asked for. R2 is asked once for
    /// all who want to know, and at most every [`Freshness::missing`].
    pub(super) async fn recheck<D: Document>(&self, shelf: &Rc<Shelf<D>>, key: &DocumentKey) -> Found<D> {
        self.current(shelf, key, self.freshness.missing).await
    }

    /// Reads the index, which R2 is asked for at most every [`Freshness::index`].
    pub(super) async fn index(&self, shelf: &Rc<Shelf<IndexDocument>>) -> Found<IndexDocument> {
        self.current(shelf, &DocumentKey::Index, self.freshness.index).await
    }

    /// R2's word on `key`, at most `age` old.
    async fn current<D: Document>(&self, shelf: &Rc<Shelf<D>>, key: &DocumentKey, age: Duration) -> Found<D> {
        let asked_at = self.storage.now();
        let read_since = |earliest: Duration| shelf.find(key).filter(|held| held.read_at >= earliest);
        if let Some(held) = read_since(asked_at.saturating_sub(age)) {
            return Ok(held.stored);
        }
        while shelf.is_being_read(key, self.storage.now().saturating_sub(LONGEST_READ)) {
            self.storage.sleep(POLL).await;
        }
        if let Some(held) = read_since(asked_at) {
            return Ok(held.stored);
        }
        shelf.begin_reading(key, self.storage.now());
        let truth = read_truth(self.storage.clone(), shelf.clone(), key.clone()).await;
        shelf.end_reading(key);
        Ok(truth?.stored)
    }

    /// Reads an immutable document. Its digest is part of its key, so a copy that is not it is a miss.
    pub(super) async fn immutable<D: Document>(
        &self,
        shelf: &Rc<Shelf<D>>,
        key: &DocumentKey,
        digest: &Sha256Digest,
    ) -> Found<D> {
        if let Some(stored) = shelf.find(key).and_then(|held| held.stored) {
            return Ok(Some(stored));
        }
        if let Some(copy) = self.read_copy(key).await.filter(|copy: &Stored<D>| copy.digest() == *digest) {
            return Ok(shelf.hold(key, Some(copy), self.storage.now()).stored);
        }
        Ok(read_truth(self.storage.clone(), shelf.clone(), key.clone()).await?.stored)
    }

    fn is_fresh<D>(&self, held: &Held<D>) -> bool {
        let age = self.storage.now().saturating_sub(held.read_at);
        age < if held.stored.is_some() { self.freshness.present } else { self.freshness.missing }
    }

    async fn copy<D: Document>(&self, key: &DocumentKey) -> Option<Rc<Stored<D>>> {
        self.read_copy(key).await.map(Rc::new)
    }

    /// KV's copy; an error is a miss, and so is a copy that cannot be read.
    async fn read_copy<D: Document>(&self, key: &DocumentKey) -> Option<Stored<D>> {
        let bytes = self.storage.read_copy(key).await.unwrap_or(None)?;
        Stored::read(&bytes).ok()
    }
}
