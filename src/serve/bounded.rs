//! What an isolate holds, bounded in bytes: the least recently used leaves first.

use std::hash::Hash;

use lru::LruCache;

/// What a held entry costs beside its own bytes: list, map and allocations, generously.
const ENTRY_BYTES: usize = 512;

/// Values of known size, by key.
#[derive(Debug)]
pub(super) struct Bounded<K: Hash + Eq, V> {
    held: LruCache<K, (V, usize)>,
    bytes: usize,
    limit: usize,
}

impl<K: Hash + Eq, V> Bounded<K, V> {
    /// Holds nothing yet, and never more than `limit` bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self { held: LruCache::unbounded(), bytes: 0, limit }
    }

    /// The value under `key`, which is now the most recently used.
    pub(super) fn get(&mut self, key: &K) -> Option<&V> {
        self.held.get(key).map(|(value, _)| value)
    }

    /// Holds `value`, whose key and content take `bytes`, unless it is larger than all that may be held.
    pub(super) fn put(&mut self, key: K, value: V, bytes: usize) {
        let bytes = bytes + ENTRY_BYTES;
        self.remove(&key);
        if bytes > self.limit {
            return;
        }
        while self.bytes + bytes > self.limit {
            let Some((_, (_, evicted))) = self.held.pop_lru() else { break };
            self.bytes -= evicted;
        }
        self.bytes += bytes;
        self.held.put(key, (value, bytes));
    }

    fn remove(&mut self, key: &K) {
        if let Some((_, bytes)) = self.held.pop(key) {
            self.bytes -= bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTES: usize = 100;

    fn held(bounded: &mut Bounded<char, ()>) -> String {
        ('a'..='z').filter(|key| bounded.held.peek(key).is_some()).collect()
    }

    #[test]
    fn the_least_recently_used_leaves_first() {
        let mut bounded = Bounded::new(2 * (ENTRY_BYTES + BYTES));
        bounded.put('a', (), BYTES);
        bounded.put('b', (), BYTES);
        bounded.get(&'a');
        bounded.put('c', (), BYTES);
        assert_eq!(held(&mut bounded), "ac");
        assert_eq!(bounded.bytes, bounded.limit);
    }

    #[test]
    fn what_is_put_again_counts_once() {
        let mut bounded = Bounded::new(2 * (ENTRY_BYTES + BYTES));
        for _ in 0..3 {
            bounded.put('a', (), BYTES);
        }
        bounded.put('b', (), BYTES);
        assert_eq!(held(&mut bounded), "ab");
    }

    #[test]
    fn what_is_too_large_is_not_held_and_displaces_nothing_else() {
        let mut bounded = Bounded::new(ENTRY_BYTES + BYTES);
        bounded.put('a', (), BYTES);
        bounded.put('b', (), BYTES + 1);
        assert_eq!(held(&mut bounded), "a");
        bounded.put('a', (), BYTES + 1);
        assert_eq!(held(&mut bounded), "", "an older value is not served instead");
        assert_eq!(bounded.bytes, 0);
    }
}
