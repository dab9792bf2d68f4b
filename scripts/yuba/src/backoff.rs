//! How long to wait before trying again.

use std::time::Duration;

use fastrand::Rng;

/// The longest first wait. Storage on a disk is free again after a few milliseconds.
const BASE: Duration = Duration::from_millis(50);

/// The longest wait. R2 and KV take one write per second and key, so 16 publishers are done after a few of these.
const CAP: Duration = Duration::from_secs(5);

/// The most time that is waited in all, before a publisher gives up.
pub const TOTAL: Duration = Duration::from_mins(2);

/// Waits that grow, with so much jitter that publishers which met once do not meet again.
#[derive(Debug)]
pub struct Backoff {
    random: Rng,
    ceiling: Duration,
    waited: Duration,
}

impl Backoff {
    /// Waits that `random` spreads.
    #[must_use]
    pub const fn new(random: Rng) -> Self {
        Self { random, ceiling: BASE, waited: Duration::ZERO }
    }

    /// Waits; `false` without waiting if the total is used up.
    pub async fn wait(&mut self) -> bool {
        let Some(delay) = self.next() else { return false };
        tokio::time::sleep(delay).await;
        true
    }
}

impl Iterator for Backoff {
    type Item = Duration;

    fn next(&mut self) -> Option<Duration> {
        let delay = self.ceiling.mul_f64(self.random.f64());
        self.ceiling = (self.ceiling * 2).min(CAP);
        self.waited += delay;
        (self.waited <= TOTAL).then_some(delay)
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
}
