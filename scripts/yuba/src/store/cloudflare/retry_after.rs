//! The header `Retry-After` (RFC 9110, section 10.2.3).

use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822;
use reqwest::header::{HeaderMap, RETRY_AFTER};

/// How long an answer asks to wait from `now` on; a header that says neither seconds nor a date asks for nothing.
pub(super) fn retry_after(headers: &HeaderMap, now: Timestamp) -> Duration {
    let asked = headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok());
    asked.and_then(|text| parse(text.trim(), now)).unwrap_or_default()
}

fn parse(text: &str, now: Timestamp) -> Option<Duration> {
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = rfc2822::parse(text).ok()?.timestamp();
    // A date that has passed asks for nothing.
    Duration::try_from(date.duration_since(now)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_dates_are_understood() {
        let now: Timestamp = "1994-11-06T08:49:30Z".parse().unwrap();
        for (text, seconds) in [
            ("0", 0),
            ("1", 1),
            (" 120 ", 120),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 7),
            ("Sun, 06 Nov 1994 08:49:00 GMT", 0),
            ("", 0),
            ("soon", 0),
            ("-1", 0),
            ("1.5", 0),
        ] {
            let headers = HeaderMap::from_iter([(RETRY_AFTER, text.parse().unwrap())]);
            assert_eq!(retry_after(&headers, now), Duration::from_secs(seconds), "{text}");
        }
        assert_eq!(retry_after(&HeaderMap::new(), now), Duration::ZERO);
    }
}
