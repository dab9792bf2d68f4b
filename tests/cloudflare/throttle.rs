//! One write at a time per key, and one per second if that is asked for.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::RwLock;

/// How often a key may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Throttle {
    /// As often as one likes.
    Off,
    /// Once a second, as R2 and KV have it.
    OnePerSecondAndKey,
}

/// When a key was written last. Whoever writes the key holds it.
pub(super) type Key = Arc<RwLock<Option<Instant>>>;

/// The keys of a server.
pub(super) struct Keys {
    throttle: Throttle,
    written: Mutex<HashMap<String, Key>>,
    put_off: AtomicUsize,
}

impl Keys {
    pub(super) fn new(throttle: Throttle) -> Self {
        Self { throttle, written: Mutex::default(), put_off: AtomicUsize::new(0) }
    }

    pub(super) fn key(&self, name: &str) -> Key {
        let mut keys = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(keys.entry(name.to_owned()).or_default())
    }

    /// Whether keys that were written at `last` may be written again; how often they may not is counted.
    pub(super) fn allow(&self, last: impl IntoIterator<Item = Option<Instant>>) -> bool {
        let rested = |last: Option<Instant>| last.is_none_or(|last| last.elapsed() >= Duration::from_secs(1));
        let allowed = match self.throttle {
            Throttle::Off => true,
            Throttle::OnePerSecondAndKey => last.into_iter().all(rested),
        };
        if !allowed {
            self.put_off.fetch_add(1, Ordering::Relaxed);
        }
        allowed
    }

    pub(super) fn put_off(&self) -> usize {
        self.put_off.load(Ordering::Relaxed)
    }
}
