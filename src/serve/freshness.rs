//! Freshness: how long what was read is taken for true.

use std::time::Duration;

/// How long what was read from R2 is served without asking again. Immutable documents are held until there is no room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Freshness {
    /// A document that is there: how late a client may see what was published.
    pub present: Duration,
    /// A document that was missing, or that lacked what was asked for: how often R2 is asked again.
    pub missing: Duration,
    /// The index that unknown names are judged by.
    pub index: Duration,
}

impl Freshness {
    /// The freshness of a deployment: what was published shows within five seconds, a new provider within ten.
    pub const DEPLOYED: Self =
        Self { present: Duration::from_secs(5), missing: Duration::from_secs(1), index: Duration::from_secs(10) };

    /// Holds present documents for `seconds`, and missing ones no longer. With 0, nothing is taken for true without
    /// asking, the index included, which is what a person who tries things out expects.
    #[must_use]
    pub fn of_seconds(seconds: u32) -> Self {
        let present = Duration::from_secs(seconds.into());
        let index = if seconds == 0 { Duration::ZERO } else { Self::DEPLOYED.index };
        Self { present, missing: Self::DEPLOYED.missing.min(present), index }
    }
}

/// How long a request waits for R2 where KV has an answer already: long enough for R2 in the same region, short enough
/// not to be noticed beside a client's own work.
pub(super) const TRUTH_WAIT: Duration = Duration::from_millis(150);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_documents_are_never_held_longer_than_present_ones() {
        assert_eq!(Freshness::of_seconds(5), Freshness::DEPLOYED);
        for (seconds, missing, index) in [(0_u64, 0, 0), (1, 1, 10), (60, 1, 10)] {
            let [present, missing, index] = [seconds, missing, index].map(Duration::from_secs);
            let expected = Freshness { present, missing, index };
            assert_eq!(Freshness::of_seconds(u32::try_from(seconds).unwrap()), expected);
        }
    }
}
