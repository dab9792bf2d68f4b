//! How long to wait before trying again.

use std::time::Duration;

use fastrand::Rng;

/// The longest first wait. Storage on a disk is free again after a few milliseconds.
const BASE: Duration = Duration::from_millis(50);

/// The longest wait. R2 and KV take one write per second and key, so 16 publishers are done after a few of these.
const CAP: Duration = Duration::from_secs(5);

/// The most time that is waited in all, before a publisher gives up.
pub const TOTAL: Duration = Duration::from_mins(2);

/// After how much waiting it is worth a word.
const WORTH_A_WORD: Duration = Duration::from_secs(3);

/// Waits that grow, with so much jitter that publishers which met once do not meet again.
#[derive(Debug)]
pub struct Backoff {
    random: Rng,
    ceiling: Duration,
    waited: Duration,
    total: Duration,
}

impl Backoff {
    /// Waits that `random` spreads.
    #[must_use]
    pub const fn new(random: Rng) -> Self {
        Self::within(random, TOTAL)
    }

    /// Waits that `random` spreads, `total` in all.
    #[must_use]
    pub const fn within(random: Rng, total: Duration) -> Self {
        Self { random, ceiling: BASE, waited: Duration::ZERO, total }
    }

    /// Waits; `false` without waiting if the total is used up.
    pub async fn wait(&mut self) -> bool {
        self.wait_at_least(Duration::ZERO).await
    }

    /// Waits as long as a server asked for, and the jitter; `false` without waiting if that is more than what is left.
    pub async fn wait_at_least(&mut self, asked: Duration) -> bool {
        let before = self.waited;
        let Some(delay) = self.delay(asked) else { return false };
        if before < WORTH_A_WORD && self.waited >= WORTH_A_WORD {
            log::info!(
                "storage is busy or does not answer: trying again, for at most {} seconds",
                self.total.as_secs()
            );
        }
        tokio::time::sleep(delay).await;
        true
    }

    /// Counts the time that a failed try took as waited: a server that is silent must not double the total.
    pub fn spend(&mut self, elapsed: Duration) {
        self.waited = self.waited.saturating_add(elapsed);
    }

    /// How much of the total is left.
    #[must_use]
    pub const fn left(&self) -> Duration {
        self.total.saturating_sub(self.waited)
    }

    fn delay(&mut self, asked: Duration) -> Option<Duration> {
        let delay = asked.saturating_add(self.ceiling.mul_f64(self.random.f64()));
        self.ceiling = (self.ceiling * 2).min(CAP);
        let waited = self.waited.saturating_add(delay);
        if waited > self.total {
            return None;
        }
        self.waited = waited;
        Some(delay)
    }
}

impl Iterator for Backoff {
    type Item = Duration;

    fn next(&mut self) -> Option<Duration> {
        self.delay(Duration::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_to_their_cap_and_end() {
        for seed in 0..100 {
            let delays: Vec<_> = Backoff::new(Rng::with_seed(seed)).collect();
            assert!(delays[0] <= BASE && delays.iter().all(|delay| *delay <= CAP));
            assert!(delays.iter().sum::<Duration>() <= TOTAL);
            assert!(delays.len() > 20, "{}", delays.len());
        }
    }

    #[test]
    fn two_publishers_wait_differently() {
        let delays = |seed| Backoff::new(Rng::with_seed(seed)).take(3).collect::<Vec<_>>();
        assert_ne!(delays(1), delays(2));
    }

    #[test]
    fn what_a_server_asks_for_is_waited_within_the_total() {
        let mut backoff = Backoff::new(Rng::with_seed(1));
        let asked = Duration::from_secs(50);
        for _ in 0..2 {
            assert!(backoff.delay(asked).is_some_and(|delay| delay >= asked));
        }
        assert_eq!(backoff.delay(asked), None);
        assert_eq!(backoff.delay(Duration::MAX), None);
        assert!(backoff.left() < asked);
    }

    #[test]
    fn slow_failures_count_as_waited() {
        let mut backoff = Backoff::new(Rng::with_seed(1));
        backoff.spend(TOTAL);
        assert_eq!(backoff.next(), None);
        backoff.spend(Duration::MAX);
        assert_eq!(backoff.left(), Duration::ZERO);
    }
}
