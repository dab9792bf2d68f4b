//! Whether a transfer still moves. A slow line must not be taken for a dead one, so what is limited is standing still.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How long a transfer may stand still.
const STALL: Duration = Duration::from_mins(1);

/// Why a transfer was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("nothing moved for {} seconds", STALL.as_secs())]
pub struct Stalled;

/// How far a transfer is.
#[derive(Debug, Clone, Default)]
pub(super) struct Progress(Arc<AtomicU64>);

impl Progress {
    /// The transfer moved.
    pub(super) fn advance(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn so_far(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// What `transfer` comes to, unless it makes no progress for as long as [`STALL`].
pub(super) async fn watched<T>(progress: &Progress, transfer: impl Future<Output = T>) -> Result<T, Stalled> {
    let mut transfer = std::pin::pin!(transfer);
    loop {
        let before = progress.so_far();
        if let Ok(done) = tokio::time::timeout(STALL, &mut transfer).await {
            return Ok(done);
        }
        if progress.so_far() == before {
            return Err(Stalled);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn only_what_stands_still_is_given_up() {
        let progress = Progress::default();
        let moving = async {
            for _ in 0..10 {
                tokio::time::sleep(STALL / 2).await;
                progress.advance();
            }
        };
        assert_eq!(watched(&progress, moving).await, Ok(()));
        assert_eq!(watched(&progress, std::future::pending::<()>()).await, Err(Stalled));
    }
}
