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
use super::shelf::{Answer, Held, Shelf};
use super::storage::Storage;
use super::stored::{AnyStored, Kind, Stored};
use crate::document::IndexDocument;
use crate::keys::DocumentKey;

const MIB: usize = 1024 * 1024;

/// When R2 was asked for what came from KV.
const NEVER: Duration = Duration::ZERO;

/// How often a request looks whether another one has read what both want.
const POLL: Duration = Duration::from_millis(5);

/// All that an isolate holds. A document takes up to four times its stored size in wasm's memory (measured), so that
/// these and the renderings stay under half of a Worker's 128 MiB. Each kind has a shelf of its own, so that many of one
/// do not displace those of another.
#[derive(Debug)]
pub(super) struct Shelves {
    index: Rc<Shelf>,
    namespaces: Rc<Shelf>,
    providers: Rc<Shelf>,
    releases: Rc<Shelf>,
    oci_views: Rc<Shelf>,
}

impl Default for Shelves {
    fn default() -> Self {
        Self {
            index: Rc::new(Shelf::new(2 * MIB)),
            namespaces: Rc::new(Shelf::new(MIB)),
            providers: Rc::new(Shelf::new(4 * MIB)),
            releases: Rc::new(Shelf::new(4 * MIB)),
            oci_views: Rc::new(Shelf::new(2 * MIB)),
        }
    }
}

impl Shelves {
    const fn of(&self, key: &DocumentKey) -> &Rc<Shelf> {
        match key {
            DocumentKey::Index => &self.index,
            DocumentKey::Namespace(_) => &self.namespaces,
            DocumentKey::Provider(_) => &self.providers,
            DocumentKey::Release(..) => &self.releases,
            DocumentKey::OciView(..) => &self.oci_views,
        }
    }
}

type Read = Result<Answer, ReadFailure>;

/// A document of a known kind, or that there is none.
type Found<D> = Option<Stored<D>>;

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
    pub(super) shelves: &'a Shelves,
    pub(super) freshness: &'a Freshness,
    pub(super) storage: &'a S,
}

/// Asks R2, holds what it says, and ends what [`Shelf::begin_read`] began.
async fn ask<S: Storage>(storage: S, shelf: Rc<Shelf>, key: DocumentKey, asked_at: Duration) -> Read {
    let read = match storage.read_truth(&key).await {
        Ok(Some(bytes)) => match AnyStored::read(&key, &bytes) {
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
fn newer(copy: Answer, held: Option<Held>) -> Answer {
    match (copy, held) {
        (_, Some(Held { answer: None, .. })) => None,
        (Some(copy), Some(Held { answer: Some(held), .. })) if copy.revision() <= held.revision() => Some(held),
        (Some(copy), _) => Some(copy),
        (None, held) => held.and_then(|held| held.answer),
    }
}

/// What is under a key of the kind `D`.
fn known<D: Kind>(answer: Answer) -> Found<D> {
    answer.and_then(Stored::of)
}

impl<S: Storage> Reader<'_, S> {
    /// What is held under `key`, however old: nothing, or that there is none, or the document.
    pub(super) fn held<D: Kind>(&self, key: &DocumentKey) -> Option<Found<D>> {
        self.shelves.of(key).find(key).map(|held| known(held.answer))
    }

    /// Reads a mutable document: what is held if it is fresh, else R2's word or, where that is slow or fails, KV's.
    pub(super) async fn mutable<D: Kind>(&self, key: &DocumentKey) -> Result<Found<D>, Refusal> {
        self.read_mutable(key).await.map(known)
    }

    async fn read_mutable(&self, key: &DocumentKey) -> Result<Answer, Refusal> {
        let asked_at = self.storage.now();
        let held = self.shelves.of(key).find(key);
        if let Some(held) = held.as_ref().filter(|held| self.is_recent(held, Recency::Fresh, asked_at)) {
            return Ok(held.answer.clone());
        }
        let truth = pin!(self.truth(key, Recency::Fresh));
        let copy = self.read_copy(key).boxed_local().shared();
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
    pub(super) async fn confirmed<D: Kind>(&self, key: &DocumentKey) -> Result<Found<D>, Refusal> {
        Ok(known(self.truth(key, Recency::Fresh).await?))
    }

    /// Reads a document again from R2, because the copy at hand lacks what was asked for; at most every
    /// [`Freshness::missing`].
    pub(super) async fn recheck<D: Kind>(&self, key: &DocumentKey) -> Result<Found<D>, Refusal> {
        self.reread(key, self.freshness.missing).await
    }

    /// Reads a document from R2, unless R2 was asked for it within `limit`.
    pub(super) async fn reread<D: Kind>(&self, key: &DocumentKey, limit: Duration) -> Result<Found<D>, Refusal> {
        self.read_checked(key, Recency::Within(limit)).await.map(known)
    }

    /// Whether R2 said a moment ago that there is no such document.
    pub(super) fn is_absent(&self, key: &DocumentKey) -> bool {
        let held = self.shelves.of(key).find(key);
        let is_absent = |held: &Held| held.answer.is_none() && self.is_recent(held, Recency::Fresh, self.storage.now());
        held.is_some_and(|held| is_absent(&held))
    }

    /// Reads the index, which R2 is asked for at most every [`Freshness::index`].
    pub(super) async fn index(&self) -> Result<Found<IndexDocument>, ReadFailure> {
        Ok(known(self.truth(&DocumentKey::Index, Recency::Within(self.freshness.index)).await?))
    }

    /// Reads an immutable document. A digest in its key says what it is, so any other bytes are not it.
    pub(super) async fn immutable<D: Kind>(&self, key: &DocumentKey) -> Result<Found<D>, Refusal> {
        self.read_immutable(key).await.map(known)
    }

    async fn read_immutable(&self, key: &DocumentKey) -> Result<Answer, Refusal> {
        let shelf = self.shelves.of(key);
        if let Some(stored) = shelf.find(key).and_then(|held| held.answer) {
            return Ok(Some(stored));
        }
        if let Some(copy) = self.read_copy(key).await.filter(|copy| copy.is_of(key)) {
            return Ok(shelf.hold(key, Some(copy), NEVER));
        }
        self.read_checked(key, Recency::Fresh).await
    }

    /// R2's word on `key`, if its bytes are what the key says.
    async fn read_checked(&self, key: &DocumentKey, recency: Recency) -> Result<Answer, Refusal> {
        match self.truth(key, recency).await? {
            Some(stored) if !stored.is_of(key) => {
                let reason = format!("its bytes have the SHA-256 {}", stored.digest);
                Err(ReadFailure::Unreadable(Box::new(key.clone()), reason).into())
            }
            answer => Ok(answer),
        }
    }

    /// R2's word on `key`: what it said lately, or else what it says now. Whoever asks first asks for all.
    async fn truth(&self, key: &DocumentKey, recency: Recency) -> Read {
        let shelf = self.shelves.of(key);
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
    fn begin(&self, shelf: &Rc<Shelf>, key: &DocumentKey) -> impl Future<Output = Read> + use<S> {
        let asked_at = self.storage.now();
        shelf.forget_failures(asked_at.saturating_sub(self.freshness.missing));
        shelf.begin_read(key, asked_at);
        let read = ask(self.storage.clone(), shelf.clone(), key.clone(), asked_at).boxed_local().shared();
        self.storage.defer(Box::pin(read.clone().map(drop)));
        read
    }

    fn is_recent(&self, held: &Held, recency: Recency, wanted_at: Duration) -> bool {
        let age = wanted_at.saturating_sub(held.asked_at);
        match recency {
            Recency::Fresh if held.answer.is_some() => age < self.freshness.present,
            Recency::Fresh => age < self.freshness.missing,
            // What was asked since then is recent, however short the time is.
            Recency::Within(limit) => age <= limit,
        }
    }

    /// KV's copy; an error is a miss, and so is a copy that cannot be read.
    async fn read_copy(&self, key: &DocumentKey) -> Answer {
        let bytes = self.storage.read_copy(key).await.unwrap_or(None)?;
        AnyStored::read(key, &bytes).ok()
    }
}
