//! Reading documents: what is held, what KV says and what R2 says, in the design's order.
//!
//! 1. Immutable documents are read from KV first, and R2 is asked for what KV lacks.
//! 2. Mutable ones are asked of KV and R2 at once. R2's answer is taken if it arrives within [`TRUTH_WAIT`]; else KV's
//!    serves this request, and R2's replaces it behind. What R2 said to be absent, KV does not bring back.
//! 3. Of mutable documents, only what R2 said is held.
//! 4. R2 is asked by one request for all that want to know, and a failure is an answer to all of them.

use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

use futures_util::future::{Either, FutureExt as _, join, select};

use super::freshness::{Freshness, TRUTH_WAIT};
use super::refusal::{ReadFailure, Refusal};
use super::shelf::{Answer, Held, Shelf, Stored};
use super::storage::Storage;
use crate::digest::Sha256Digest;
use crate::document::{Document, IndexDocument, NamespaceDocument, ProviderDocument, ReleaseDocument};
use crate::keys::DocumentKey;

const MIB: usize = 1024 * 1024;

/// How often a request looks whether another one has read what both want.
const POLL: Duration = Duration::from_millis(5);

/// All that an isolate holds. A document takes up to four times its stored size in wasm's memory (measured), so that
/// these and the renderings stay under half of a Worker's 128 MiB.
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
            namespaces: Rc::new(Shelf::new(MIB)),
            providers: Rc::new(Shelf::new(4 * MIB)),
            releases: Rc::new(Shelf::new(4 * MIB)),
        }
    }
}

type Read<D> = Result<Answer<D>, ReadFailure>;

/// How recent R2's word must be.
#[derive(Debug, Clone, Copy)]
enum Recency {
    /// As recent as [`Freshness`] says for a document that is there, or is not.
    Fresh,
    /// No older than this.
    Within(Duration),
}

/// How one request reads documents.
pub(super) struct Reader<'a, S> {
    pub(super) freshness: &'a Freshness,
    pub(super) storage: &'a S,
}

/// Asks R2, holds what it says, and ends what [`Shelf::begin_read`] began.
async fn ask<D: Document, S: Storage>(
    storage: S,
    shelf: Rc<Shelf<D>>,
    key: DocumentKey,
    asked_at: Duration,
) -> Read<D> {
    let read = match storage.read_truth(&key).await {
        Ok(Some(bytes)) => match Stored::read(&bytes) {
            Ok(stored) => Ok(shelf.hold(&key, Some(stored), asked_at)),
            Err(error) => Err(ReadFailure::Unreadable(Box::new(key.clone()), error.to_string())),
        },
        Ok(None) => Ok(shelf.hold(&key, None, asked_at)),
        Err(error) => Err(ReadFailure::Unavailable(error)),
    };
    shelf.end_read(&key, asked_at, read.as_ref().err().cloned());
    read
}

/// The newer of what KV says and what is held, which may be newer than KV's. What R2 said to be absent is neither.
fn newer<D: Document>(copy: Answer<D>, held: Option<Held<D>>) -> Answer<D> {
    match (copy, held) {
        (_, Some(Held { answer: None, .. })) => None,
        (Some(copy), Some(Held { answer: Some(held), .. })) if copy.revision() <= held.revision() => Some(held),
        (Some(copy), _) => Some(copy),
        (None, held) => held.and_then(|held| held.answer),
    }
}

impl<S: Storage> Reader<'_, S> {
    /// Reads a mutable document: what is held if it is fresh, else R2's word or, where that is slow or fails, KV's.
    pub(super) async fn mutable<D: Document + 'static>(
        &self,
        shelf: &Rc<Shelf<D>>,
        key: &DocumentKey,
    ) -> Result<Answer<D>, Refusal> {
        let asked_at = self.storage.now();
        let held = shelf.find(key);
        if let Some(held) = held.as_ref().filter(|held| self.is_recent(held, Recency::Fresh, asked_at)) {
            return Ok(held.answer.clone());
        }
        let truth = pin!(self.truth(shelf, key, Recency::Fresh));
        let copy = self.copy(key).boxed_local().shared();
        let late = pin!(join(copy.clone(), self.storage.sleep(TRUTH_WAIT)));
        match select(truth, late).await {
            Either::Left((Ok(answer), _)) => Ok(answer),
            Either::Left((Err(failure @ ReadFailure::Unavailable(_)), _)) => {
                newer(copy.await, held).map(Some).ok_or_else(|| failure.into())
            }
            Either::Left((Err(failure @ ReadFailure::Unreadable(..)), _)) => Err(failure.into()),
            Either::Right(((copy, ()), truth)) => match newer(copy, held) {
                // R2's answer replaces it behind: the read goes on by itself.
                Some(document) => Ok(Some(document)),
                None => Ok(truth.await?),
            },
        }
    }

    /// Reads a mutable document of which only R2's word counts, at most as old as a document is held.
    pub(super) async fn confirmed<D: Document + 'static>(
        &self,
        shelf: &Rc<Shelf<D>>,
        key: &DocumentKey,
    ) -> Result<Answer<D>, Refusal> {
        Ok(self.truth(shelf, key, Recency::Fresh).await?)
    }

    /// Reads a mutable document again from R2, because the copy at hand lacks what was asked for; at most every
    /// [`Freshness::missing`].
    pub(super) async fn recheck<D: Document + 'static>(
        &self,
        shelf: &Rc<Shelf<D>>,
        key: &DocumentKey,
    ) -> Result<Answer<D>, Refusal> {
        Ok(self.truth(shelf, key, Recency::Within(self.freshness.missing)).await?)
    }

    /// Reads the index, which R2 is asked for at most every [`Freshness::index`].
    pub(super) async fn index(&self, shelf: &Rc<Shelf<IndexDocument>>) -> Read<IndexDocument> {
        self.truth(shelf, &DocumentKey::Index, Recency::Within(self.freshness.index)).await
    }

    /// Reads an immutable document. Its digest is part of its key, so bytes that have another are not it.
    pub(super) async fn immutable<D: Document + 'static>(
        &self,
        shelf: &Rc<Shelf<D>>,
        key: &DocumentKey,
        digest: &Sha256Digest,
    ) -> Result<Answer<D>, Refusal> {
        if let Some(stored) = shelf.find(key).and_then(|held| held.answer) {
            return Ok(Some(stored));
        }
        let asked_at = self.storage.now();
        if let Some(copy) = self.read_copy(key).await.filter(|copy: &Stored<D>| copy.digest() == *digest) {
            return Ok(shelf.hold(key, Some(copy), asked_at));
        }
        let answer = self.truth(shelf, key, Recency::Fresh).await?;
        match answer {
            Some(stored) if stored.digest() != *digest => {
                let reason = format!("its bytes have the SHA-256 {}", stored.digest());
                Err(ReadFailure::Unreadable(Box::new(key.clone()), reason).into())
            }
            answer => Ok(answer),
        }
    }

    /// R2's word on `key`: what it said lately, or else what it says now. Whoever asks first asks for all.
    async fn truth<D: Document + 'static>(&self, shelf: &Rc<Shelf<D>>, key: &DocumentKey, recency: Recency) -> Read<D> {
        let wanted_at = self.storage.now();
        loop {
            if let Some(held) = shelf.find(key).filter(|held| self.is_recent(held, recency, wanted_at)) {
                return Ok(held.answer);
            }
            if let Some(failure) = shelf.failure(key, wanted_at.saturating_sub(self.freshness.missing)) {
                return Err(failure);
            }
            if !shelf.is_being_read(key, self.storage.now()) {
                return self.begin(shelf, key).await;
            }
            self.storage.sleep(POLL).await;
        }
    }

    /// Begins to read `key` from R2. The read goes on to its end whether this request does or not, because others wait
    /// for it.
    fn begin<D: Document + 'static>(
        &self,
        shelf: &Rc<Shelf<D>>,
        key: &DocumentKey,
    ) -> impl Future<Output = Read<D>> + use<D, S> {
        let asked_at = self.storage.now();
        shelf.forget_failures(asked_at.saturating_sub(self.freshness.missing));
        shelf.begin_read(key, asked_at);
        let read = ask(self.storage.clone(), shelf.clone(), key.clone(), asked_at).boxed_local().shared();
        self.storage.defer(Box::pin(read.clone().map(drop)));
        read
    }

    fn is_recent<D>(&self, held: &Held<D>, recency: Recency, wanted_at: Duration) -> bool {
        let age = wanted_at.saturating_sub(held.asked_at);
        match recency {
            Recency::Fresh if held.answer.is_some() => age < self.freshness.present,
            Recency::Fresh => age < self.freshness.missing,
            // What was asked since then is recent, however short the time is.
            Recency::Within(limit) => age <= limit,
        }
    }

    async fn copy<D: Document>(&self, key: &DocumentKey) -> Answer<D> {
        self.read_copy(key).await.map(Rc::new)
    }

    /// KV's copy; an error is a miss, and so is a copy that cannot be read.
    async fn read_copy<D: Document>(&self, key: &DocumentKey) -> Option<Stored<D>> {
        let bytes = self.storage.read_copy(key).await.unwrap_or(None)?;
        Stored::read(&bytes).ok()
    }
}
