//! Documents in storage: read, and changed by compare-and-swap.

use futures::stream::{self, Stream, StreamExt as _};
use serde::Serialize;
use yuba::digest::Sha256Digest;
use yuba::document::{
    Document, DocumentError, IndexDocument, NamespaceDocument, OciView, ProviderDocument, ReleaseDocument,
};
use yuba::keys::DocumentKey;

use crate::backoff::{Backoff, TOTAL};
use crate::store::{ETag, Store, StoreError, Stored, Swap};

/// How many documents are read at once where all of them are.
const READS_AT_ONCE: usize = 16;

/// Why a document cannot be worked on.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What is stored cannot be used.
    #[error("cannot use `{key}`")]
    Document {
        /// The key in R2.
        key: String,
        /// What is wrong with it.
        source: DocumentError,
    },
    /// What is stored is not what its key says.
    #[error("cannot use `{0}`: it is not what its key says")]
    Altered(String),
    /// What another document names is not there.
    #[error("`{0}` is missing: it is listed, but not there")]
    Missing(String),
    /// The document is gone, and its copy is not.
    #[error("`{0}` is not there, and KV still has a copy of it")]
    Lost(String),
    /// There is nothing to make copies of.
    #[error("R2 holds no document, and KV holds {0}")]
    Empty(usize),
    /// Somebody else changed the document each time.
    #[error("cannot change `{}`: others changed it each time for {} seconds", .0, TOTAL.as_secs())]
    Contended(String),
}

/// What a step did to a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Nothing: the key holds what it should.
    Exists,
    /// It wrote a key that did not exist.
    Create,
    /// It replaced what the key held.
    Swap,
    /// It deleted the key.
    Delete,
}

impl Action {
    /// The word that stands in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Exists => "exists",
            Self::Create => "create",
            Self::Swap => "swap",
            Self::Delete => "delete",
        }
    }
}

/// What a document becomes.
#[derive(Debug)]
pub enum Next<D> {
    /// It is as it should be.
    Keep(D),
    /// This is to be stored.
    Write(D),
}

/// A document as it is stored now, and how it came to be.
#[derive(Debug)]
pub struct Changed<D> {
    /// The document.
    pub document: D,
    /// What was done for it.
    pub action: Action,
}

/// Parses what is stored under `key`.
pub(crate) fn parse<D: Document>(key: &DocumentKey, bytes: &[u8]) -> Result<D, AccessError> {
    D::from_json(bytes).map_err(|source| AccessError::Document { key: key.object(), source })
}

/// Renders what is to be stored under `key`.
pub(crate) fn render<D: Document>(key: &DocumentKey, document: &D) -> Result<Vec<u8>, AccessError> {
    document.to_json().map_err(|source| AccessError::Document { key: key.object(), source })
}

/// Reads the document under `key` from R2.
///
/// # Errors
/// [`AccessError`] if storage fails or holds no such document.
pub async fn read<D: Document>(store: &dyn Store, key: &DocumentKey) -> Result<Option<D>, AccessError> {
    Ok(held(store, key).await?.map(|(document, _)| document))
}

/// Makes sure that `bytes` are the document that `key` says, as far as one document alone can tell.
pub(crate) fn check(key: &DocumentKey, bytes: &[u8]) -> Result<(), AccessError> {
    let is_altered = match key {
        DocumentKey::Index => parse::<IndexDocument>(key, bytes).map(|_| false)?,
        DocumentKey::Namespace(address) => {
            let namespace: NamespaceDocument = parse(key, bytes)?;
            namespace.hostname != address.hostname || namespace.namespace != address.namespace
        }
        DocumentKey::Provider(address) => parse::<ProviderDocument>(key, bytes)?.address != *address,
        DocumentKey::Release(address, digest) => {
            Sha256Digest::of(bytes) != *digest || parse::<ReleaseDocument>(key, bytes)?.release_address() != *address
        }
        DocumentKey::OciView(_, digest) => !parse::<OciView>(key, bytes)?.is_of(digest),
    };
    if is_altered { Err(AccessError::Altered(key.object())) } else { Ok(()) }
}

/// Reads many documents from R2, in their order, several at a time.
pub(crate) fn read_all(
    store: &dyn Store,
    keys: Vec<DocumentKey>,
) -> impl Stream<Item = Result<(DocumentKey, Option<Stored>), StoreError>> {
    let reads = keys.into_iter().map(move |key| async move {
        let stored = store.read(&key).await?;
        Ok((key, stored))
    });
    stream::iter(reads).buffered(READS_AT_ONCE)
}

async fn held<D: Document>(store: &dyn Store, key: &DocumentKey) -> Result<Option<(D, ETag)>, AccessError> {
    let Some(stored) = store.read(key).await? else { return Ok(None) };
    Ok(Some((parse(key, &stored.bytes)?, stored.etag)))
}

/// Changes the document under `key`: reads it, asks `next` what it becomes, and swaps. If somebody else was faster, or
/// nobody knows whether the write happened, it starts over: then `next` sees what is stored, its own change included.
///
/// # Errors
/// What `next` refuses, and [`AccessError`] if storage fails, holds no such document, or others change it for longer
/// than [`TOTAL`].
pub async fn change<D: Document, E: From<AccessError>>(
    store: &dyn Store,
    key: &DocumentKey,
    mut backoff: Backoff,
    mut next: impl FnMut(Option<D>) -> Result<Next<D>, E>,
) -> Result<Changed<D>, E> {
    loop {
        let failed = match attempt(store, key, &mut next).await? {
            Ok(changed) => return Ok(changed),
            Err(failed) => failed,
        };
        if !backoff.wait().await {
            return Err(failed.into());
        }
    }
}

/// One round of a change. The inner error is one that another round may mend.
async fn attempt<D: Document, E: From<AccessError>>(
    store: &dyn Store,
    key: &DocumentKey,
    next: &mut impl FnMut(Option<D>) -> Result<Next<D>, E>,
) -> Result<Result<Changed<D>, AccessError>, E> {
    let held = match held(store, key).await {
        Ok(held) => held,
        Err(error) => return ambiguous(error).map(Err),
    };
    let (document, etag) = held.unzip();
    let document = match next(document)? {
        Next::Keep(document) => return Ok(Ok(Changed { document, action: Action::Exists })),
        Next::Write(document) => document,
    };
    let action = if etag.is_some() { Action::Swap } else { Action::Create };
    match store.swap(key, etag.as_ref(), &render(key, &document)?).await {
        Ok(Swap::Swapped(_)) => Ok(Ok(Changed { document, action })),
        Ok(Swap::Conflict) => Ok(Err(AccessError::Contended(key.object()))),
        Err(error) => ambiguous(error.into()).map(Err),
    }
}

/// An error that another round may mend; any other is returned as one.
fn ambiguous<E: From<AccessError>>(error: AccessError) -> Result<AccessError, E> {
    match error {
        AccessError::Store(error) if error.is_ambiguous() => Ok(error.into()),
        error => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::faults::{Fault, Faults, Operation};
    use crate::store::memory::MemoryStore;
    use crate::store::{Attempt, Cause};
    use fastrand::Rng;
    use futures::FutureExt as _;

    const KEY: DocumentKey = DocumentKey::Index;

    fn backoff() -> Backoff {
        Backoff::new(Rng::with_seed(7))
    }

    fn cut_off() -> Cause {
        Cause::Refused { status: 502, text: "cut off".to_owned() }
    }

    async fn add(store: &dyn Store, provider: &str) -> Result<Changed<IndexDocument>, AccessError> {
        let provider = provider.parse().unwrap();
        change(store, &KEY, backoff(), |index: Option<IndexDocument>| {
            let index = index.unwrap_or_else(IndexDocument::empty);
            Ok(if index.names(&provider) { Next::Keep(index) } else { Next::Write(index.with(&provider)) })
        })
        .await
    }

    /// Adds to the index at once, as another publisher would in between.
    fn meddle(store: &MemoryStore, provider: &str) {
        add(store, provider).now_or_never().unwrap().unwrap();
    }

    #[tokio::test]
    async fn a_change_creates_swaps_and_keeps() {
        let store = MemoryStore::default();
        for (provider, action) in [("a/b/c", Action::Create), ("a/b/d", Action::Swap), ("a/b/c", Action::Exists)] {
            assert_eq!(add(&store, provider).await.unwrap().action, action, "{provider}");
        }
        assert_eq!(store.writes(), 2);
    }

    #[tokio::test]
    async fn a_change_is_made_upon_what_others_stored_in_between() {
        let store = MemoryStore::default();
        let meddled = Faults::new(&store, |_, Operation { attempt, .. }| {
            if *attempt == Attempt::Write && store.writes() == 0 {
                meddle(&store, "x/y/z");
            }
            Fault::None
        });
        let changed = add(&meddled, "a/b/c").await.unwrap();
        assert_eq!((changed.action, changed.document.revision()), (Action::Swap, 2));
        assert!(changed.document.names(&"x/y/z".parse().unwrap()));
    }

    #[tokio::test]
    async fn an_answer_that_was_lost_is_looked_up() {
        for done in [false, true] {
            let store = MemoryStore::default();
            let faults = Faults::new(&store, |number, _| match (number, done) {
                (1, false) => Fault::Before(cut_off()),
                (1, true) => Fault::After(cut_off()),
                _ => Fault::None,
            });
            assert_eq!(add(&faults, "a/b/c").await.unwrap().document.revision(), 1, "{done}");
            assert_eq!(store.writes(), 1);
        }
    }

    #[tokio::test]
    async fn what_another_try_cannot_mend_is_an_error_at_once() {
        let store = MemoryStore::default();
        let faults = Faults::new(&store, |_, _| Fault::Before(Cause::Malformed("an ETag")));
        assert!(matches!(add(&faults, "a/b/c").await, Err(AccessError::Store(_))));
        assert_eq!(faults.operations().len(), 1);
        store.swap(&KEY, None, br#"{"format":9}"#).await.unwrap();
        assert!(matches!(add(&store, "a/b/c").await, Err(AccessError::Document { .. })));
    }
}
