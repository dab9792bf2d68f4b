//! One write at a time per key, and one per second if that is asked for.

use std::collections::HashMap;
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
    keys: Mutex<HashMap<String, Key>>,
}

impl Keys {
    pub(super) fn new(throttle: Throttle) -> Self {
        Self { throttle, keys: Mutex::default() }
    }

    pub(super) fn key(&self, name: &str) -> Key {
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(keys.entry(name.to_owned()).or_default())
    }

    /// Whether a key that was written at `last` may be written again.
    pub(super) fn allows(&self, last: Option<Instant>) -> bool {
        match self.throttle {
            Throttle::Off => true,
            Throttle::OnePerSecondAndKey => last.is_none_or(|last| last.elapsed() >= Duration::from_secs(1)),
        }
    }
}
