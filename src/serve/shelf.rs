//! Shelves: what an isolate knows of documents, and which of them are being read.

use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;

use super::bounded::Bounded;
use super::refusal::ReadFailure;
use super::stored::AnyStored;
use crate::keys::DocumentKey;

/// How long a read may take before it is taken for lost, and made again: a Workers request may end without its work.
const LONGEST_READ: Duration = Duration::from_secs(2);

/// A document, or that there is none.
pub(super) type Answer = Option<AnyStored>;

/// What is known of a key, and as of when: R2 was asked at `asked_at`, so what happened later is not in it.
#[derive(Debug, Clone)]
pub(super) struct Held {
    pub(super) answer: Answer,
    pub(super) asked_at: Duration,
}

/// A read of R2 that is under way, or that failed.
#[derive(Debug, Clone)]
enum Read {
    UnderWay { asked_at: Duration },
    Failed { asked_at: Duration, failure: ReadFailure },
}

/// What is known of documents.
#[derive(Debug)]
pub(super) struct Shelf {
    held: RefCell<Bounded<DocumentKey, Held>>,
    reads: RefCell<HashMap<DocumentKey, Read>>,
}

impl Shelf {
    /// Knows nothing yet, and never holds more than `limit` bytes of documents as stored.
    pub(super) fn new(limit: usize) -> Self {
        Self { held: RefCell::new(Bounded::new(limit)), reads: RefCell::default() }
    }

    /// What is held under `key`.
    pub(super) fn find(&self, key: &DocumentKey) -> Option<Held> {
        self.held.borrow_mut().get(key).cloned()
    }

    /// Holds what was answered to a question of `asked_at`, unless a later question was answered already: answers may
    /// overtake each other. Unchanged bytes keep the document that is held, and with it all that was rendered from it.
    pub(super) fn hold(&self, key: &DocumentKey, stored: Answer, asked_at: Duration) -> Answer {
        let mut shelf = self.held.borrow_mut();
        let before = shelf.get(key).cloned();
        if let Some(later) = before.as_ref().filter(|before| before.asked_at > asked_at) {
            return later.answer.clone();
        }
        let before = before.and_then(|before| before.answer);
        let answer = stored.map(|stored| match before {
            Some(before) if before.digest == stored.digest => before,
            _ => stored,
        });
        let bytes = key.to_string().len() + answer.as_ref().map_or(0, |stored| stored.size);
        shelf.put(key.clone(), Held { answer: answer.clone(), asked_at }, bytes);
        answer
    }

    /// Whether somebody is reading `key`.
    pub(super) fn is_being_read(&self, key: &DocumentKey, now: Duration) -> bool {
        let reads = self.reads.borrow();
        matches!(reads.get(key), Some(Read::UnderWay { asked_at }) if *asked_at + LONGEST_READ > now)
    }

    /// How the last read of `key` failed, if it was made at `earliest` or later.
    pub(super) fn failure(&self, key: &DocumentKey, earliest: Duration) -> Option<ReadFailure> {
        match self.reads.borrow().get(key) {
            Some(Read::Failed { asked_at, failure }) if *asked_at >= earliest => Some(failure.clone()),
            _ => None,
        }
    }

    /// Notes that `key` is being read from now on.
    pub(super) fn begin_read(&self, key: &DocumentKey, asked_at: Duration) {
        self.reads.borrow_mut().insert(key.clone(), Read::UnderWay { asked_at });
    }

    /// Notes how the read that began at `asked_at` ended, unless another one has begun since.
    pub(super) fn end_read(&self, key: &DocumentKey, asked_at: Duration, failure: Option<ReadFailure>) {
        let mut reads = self.reads.borrow_mut();
        let began = |read: &Read| matches!(read, Read::UnderWay { asked_at: began } if *began == asked_at);
        if !reads.get(key).is_some_and(began) {
            return;
        }
        match failure {
            Some(failure) => reads.insert(key.clone(), Read::Failed { asked_at, failure }),
            None => reads.remove(key),
        };
    }

    /// Forgets failures from before `earliest`, so that invented names leave nothing behind.
    pub(super) fn forget_failures(&self, earliest: Duration) {
        self.reads
            .borrow_mut()
            .retain(|_, read| !matches!(read, Read::Failed { asked_at, .. } if *asked_at < earliest));
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::document::{Document as _, IndexDocument};
    use crate::serve::stored::Kind as _;

    fn stored(name: &str) -> AnyStored {
        let index = IndexDocument::empty().with(&format!("a.example/acme/{name}").parse().unwrap());
        AnyStored::read(&DocumentKey::Index, &index.to_json().unwrap()).unwrap()
    }

    fn is_same(one: AnyStored, other: AnyStored) -> bool {
        let index = |stored: AnyStored| IndexDocument::of(stored.document).unwrap();
        Rc::ptr_eq(&index(one), &index(other))
    }

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn unchanged_bytes_keep_the_document() {
        let shelf = Shelf::new(usize::MAX);
        let before = shelf.hold(&DocumentKey::Index, Some(stored("a")), SECOND).unwrap();
        let same = shelf.hold(&DocumentKey::Index, Some(stored("a")), 2 * SECOND).unwrap();
        assert!(is_same(before.clone(), same));
        assert_eq!(shelf.find(&DocumentKey::Index).unwrap().asked_at, 2 * SECOND);
        let other = shelf.hold(&DocumentKey::Index, Some(stored("b")), 3 * SECOND).unwrap();
        assert!(!is_same(before, other));
    }

    #[test]
    fn an_answer_that_was_overtaken_is_dropped() {
        let shelf = Shelf::new(usize::MAX);
        let later = shelf.hold(&DocumentKey::Index, Some(stored("a")), 2 * SECOND).unwrap();
        let answer = shelf.hold(&DocumentKey::Index, Some(stored("b")), SECOND).unwrap();
        assert!(is_same(later, answer));
        assert!(shelf.hold(&DocumentKey::Index, None, SECOND).is_some());
    }

    #[test]
    fn a_read_is_ended_by_itself_alone_and_not_waited_for_for_ever() {
        let shelf = Shelf::new(usize::MAX);
        shelf.begin_read(&DocumentKey::Index, SECOND);
        assert!(shelf.is_being_read(&DocumentKey::Index, 2 * SECOND));
        assert!(!shelf.is_being_read(&DocumentKey::Index, SECOND + LONGEST_READ));
        shelf.begin_read(&DocumentKey::Index, 4 * SECOND);
        shelf.end_read(&DocumentKey::Index, SECOND, None);
        assert!(shelf.is_being_read(&DocumentKey::Index, 5 * SECOND));
        shelf.end_read(&DocumentKey::Index, 4 * SECOND, None);
        assert!(!shelf.is_being_read(&DocumentKey::Index, 5 * SECOND));
    }
}
