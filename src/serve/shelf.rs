//! Shelves: the documents that an isolate holds in memory, bounded in bytes.

use std::cell::{Cell, RefCell};
use std::ops::Deref;
use std::rc::Rc;
use std::time::Duration;

use lru::LruCache;

use crate::digest::Sha256Digest;
use crate::document::{Document, DocumentError};
use crate::keys::DocumentKey;

/// What a held entry costs beside its document: key, list and map, generously.
const ENTRY_BYTES: usize = 512;

/// A document and the SHA-256 of the bytes it was read from.
#[derive(Debug)]
pub(super) struct Stored<D> {
    document: D,
    digest: Sha256Digest,
    bytes: usize,
}

impl<D: Document> Stored<D> {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, DocumentError> {
        Ok(Self { document: D::from_json(bytes)?, digest: Sha256Digest::of(bytes), bytes: bytes.len() })
    }
}

impl<D> Stored<D> {
    pub(super) const fn digest(&self) -> Sha256Digest {
        self.digest
    }
}

impl<D> Deref for Stored<D> {
    type Target = D;

    fn deref(&self) -> &D {
        &self.document
    }
}

/// What R2 said under a key, and when it said so.
#[derive(Debug)]
pub(super) struct Held<D> {
    /// The document; none if R2 has none.
    pub(super) stored: Option<Rc<Stored<D>>>,
    /// When R2 said so.
    pub(super) read_at: Duration,
}

impl<D> Clone for Held<D> {
    fn clone(&self) -> Self {
        Self { stored: self.stored.clone(), read_at: self.read_at }
    }
}

impl<D> Held<D> {
    fn bytes(&self) -> usize {
        ENTRY_BYTES + self.stored.as_ref().map_or(0, |stored| stored.bytes)
    }
}

/// The held documents of one kind, the least recently used leaving first.
#[derive(Debug)]
pub(super) struct Shelf<D> {
    held: RefCell<LruCache<DocumentKey, Held<D>>>,
    bytes: Cell<usize>,
    limit: usize,
    reading: RefCell<LruCache<DocumentKey, Duration>>,
}

impl<D> Shelf<D> {
    /// An empty shelf that holds at most `limit` bytes of documents as stored.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            held: RefCell::new(LruCache::unbounded()),
            bytes: Cell::new(0),
            limit,
            reading: RefCell::new(LruCache::unbounded()),
        }
    }

    /// What is held under `key`.
    pub(super) fn find(&self, key: &DocumentKey) -> Option<Held<D>> {
        self.held.borrow_mut().get(key).cloned()
    }

    /// Holds what R2 said. Unchanged bytes keep the document that is held, and with it all that was rendered from it.
    pub(super) fn hold(&self, key: &DocumentKey, stored: Option<Stored<D>>, read_at: Duration) -> Held<D> {
        let before = self.find(key).and_then(|held| held.stored);
        let stored = stored.map(|stored| match before {
            Some(before) if before.digest == stored.digest => before,
            _ => Rc::new(stored),
        });
        let held = Held { stored, read_at };
        let mut shelf = self.held.borrow_mut();
        let replaced = shelf.put(key.clone(), held.clone()).map_or(0, |held| held.bytes());
        let mut bytes = self.bytes.get() + held.bytes() - replaced;
        while bytes > self.limit {
            let Some((_, evicted)) = shelf.pop_lru() else { break };
            bytes -= evicted.bytes();
        }
        self.bytes.set(bytes);
        held
    }

    /// Whether somebody has been reading `key` since `earliest`.
    pub(super) fn is_being_read(&self, key: &DocumentKey, earliest: Duration) -> bool {
        self.reading.borrow().peek(key).is_some_and(|started| *started >= earliest)
    }

    /// Notes that `key` is being read from now on.
    pub(super) fn begin_reading(&self, key: &DocumentKey, now: Duration) {
        self.reading.borrow_mut().put(key.clone(), now);
    }

    /// Notes that `key` is no longer being read.
    pub(super) fn end_reading(&self, key: &DocumentKey) {
        self.reading.borrow_mut().pop(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::IndexDocument;

    fn stored(name: &str) -> Stored<IndexDocument> {
        let index = IndexDocument::empty().with(&format!("a.example/acme/{name}").parse().unwrap());
        Stored::read(&index.to_json().unwrap()).unwrap()
    }

    fn key(name: &str) -> DocumentKey {
        DocumentKey::Provider(format!("a.example/acme/{name}").parse().unwrap())
    }

    #[test]
    fn the_least_recently_used_leaves_first() {
        let shelf = Shelf::new(2 * (ENTRY_BYTES + stored("a").bytes));
        for name in ["a", "b"] {
            shelf.hold(&key(name), Some(stored(name)), Duration::ZERO);
        }
        shelf.find(&key("a"));
        shelf.hold(&key("c"), Some(stored("c")), Duration::ZERO);
        let held = ["a", "b", "c"].map(|name| shelf.find(&key(name)).is_some());
        assert_eq!(held, [true, false, true]);
        assert_eq!(shelf.bytes.get(), shelf.limit);
    }

    #[test]
    fn a_document_larger_than_the_shelf_is_not_held() {
        let shelf = Shelf::new(ENTRY_BYTES);
        shelf.hold(&key("a"), Some(stored("a")), Duration::ZERO);
        assert!(shelf.find(&key("a")).is_none());
        assert_eq!(shelf.bytes.get(), 0);
    }

    #[test]
    fn unchanged_bytes_keep_the_document() {
        let shelf = Shelf::new(usize::MAX);
        let before = shelf.hold(&key("a"), Some(stored("a")), Duration::ZERO).stored.unwrap();
        let same = shelf.hold(&key("a"), Some(stored("a")), Duration::from_secs(1));
        assert!(Rc::ptr_eq(&before, &same.stored.unwrap()));
        assert_eq!(same.read_at, Duration::from_secs(1));
        let other = shelf.hold(&key("a"), Some(stored("b")), Duration::from_secs(2)).stored.unwrap();
        assert!(!Rc::ptr_eq(&before, &other));
    }
}
