//! Times as documents hold them.

use jiff::Timestamp;

/// RFC 3339 in UTC, to the second.
#[must_use]
pub fn render(time: Timestamp) -> String {
    // A whole second of a valid time is a valid time.
    Timestamp::from_second(time.as_second()).unwrap_or(time).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_whole_seconds_in_utc() {
        let time: Timestamp = "2026-01-02T03:04:05.678+02:00".parse().unwrap();
        assert_eq!(render(time), "2026-01-02T01:04:05Z");
    }
}
