//! This machine's clock beside those of the servers that answered: signatures carry its time.

use jiff::{SignedDuration, Timestamp};

use super::{Check, Finding};

/// What R2 tolerates between a request's signature and its own clock (S3's "Authenticating Requests").
const REFUSED: SignedDuration = SignedDuration::from_mins(15);

/// What a clock that is kept never differs by, network delays included.
const TOLERATED: SignedDuration = SignedDuration::from_secs(60);

const HINT: &str = "set this machine's clock, and keep it set by NTP";

/// Judges this machine's time by that of a server, both taken at once.
#[must_use]
pub fn judge(here: Timestamp, there: Option<Timestamp>) -> Finding {
    let Some(there) = there else { return Finding::skipped(Check::Clock, "no server told its time") };
    let difference = here.duration_since(there);
    let direction = if difference.is_negative() { "behind" } else { "ahead of" };
    let difference = difference.abs();
    let told = format!("this machine's clock is {} seconds {direction} the registry's", difference.as_secs());
    if difference > REFUSED {
        let message = format!("{told}: R2 refuses what it signs, and releases are signed with a wrong date");
        return Finding::problem(Check::Clock, message, HINT);
    }
    if difference > TOLERATED {
        return Finding::warning(Check::Clock, format!("{told}; R2 tolerates {}", REFUSED.as_secs()), HINT);
    }
    Finding::ok(Check::Clock, format!("within {} seconds of the registry's", TOLERATED.as_secs()))
}

#[cfg(test)]
mod tests {
    use super::super::Outcome;
    use super::*;

    #[test]
    fn a_clock_is_judged_by_how_far_it_is_off() {
        let here: Timestamp = "2026-01-01T12:00:00Z".parse().unwrap();
        for (seconds, outcome) in [
            (0, Outcome::Ok),
            (60, Outcome::Ok),
            (-60, Outcome::Ok),
            (61, Outcome::Warning),
            (-61, Outcome::Warning),
            (900, Outcome::Warning),
            (901, Outcome::Problem),
            (-901, Outcome::Problem),
            (400_000_000, Outcome::Problem),
        ] {
            let there = here + SignedDuration::from_secs(seconds);
            assert_eq!(judge(here, Some(there)).outcome, outcome, "{seconds}");
        }
        let late = judge(here, Some(here + SignedDuration::from_secs(100)));
        assert_eq!(late.message, "this machine's clock is 100 seconds behind the registry's; R2 tolerates 900");
        assert_eq!(judge(here, None).outcome, Outcome::Skipped);
    }
}
