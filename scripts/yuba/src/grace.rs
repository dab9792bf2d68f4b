//! The grace period: how old an archive must be that no document names before it is taken for garbage.
//!
//! Publishers and garbage collection both rely on [`SHORTEST`], and need no other agreement. A publisher makes sure that
//! its archives were written less than [`HALF`] of it before the document that names them; so whatever garbage collection
//! finds older than the whole, and named by nobody, belongs to no publish that can still be completed without noticing.

use std::fmt;
use std::str::FromStr;

use jiff::SignedDuration;

/// The shortest grace period that can be asked for, which publishers count on: no upload of a release takes a day.
pub const SHORTEST: SignedDuration = SignedDuration::from_hours(24);

/// How much older than its document an archive may be when it is stored; the other half is for clocks and restarts.
pub const HALF: SignedDuration = SignedDuration::from_hours(12);

/// The longest grace period that can be asked for, in hours: ten years.
const MAX_HOURS: i64 = 10 * 365 * 24;

/// Why a text is no grace period.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GraceError {
    /// The text is no number of days or hours.
    #[error("`{0}` is not a number of days or hours such as `7d` or `36h`")]
    Shape(String),
    /// A publisher could take as long.
    #[error("`{0}` is shorter than {hours} hours, which a running publish may take", hours = SHORTEST.as_hours())]
    TooShort(String),
    /// Nobody waits so long.
    #[error("`{0}` is longer than {days} days", days = MAX_HOURS / 24)]
    TooLong(String),
}

/// A grace period of at least [`SHORTEST`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grace {
    hours: i64,
}

impl Grace {
    /// The period as a duration.
    #[must_use]
    pub const fn duration(self) -> SignedDuration {
        SignedDuration::from_hours(self.hours)
    }
}

/// A week: a release that failed on a Friday is completed on Monday without sending its archives again.
impl Default for Grace {
    fn default() -> Self {
        Self { hours: 7 * 24 }
    }
}

impl FromStr for Grace {
    type Err = GraceError;

    fn from_str(text: &str) -> Result<Self, GraceError> {
        let shape = || GraceError::Shape(text.to_owned());
        let (number, unit) = match (text.strip_suffix('d'), text.strip_suffix('h')) {
            (Some(days), _) => (days, 24),
            (None, Some(hours)) => (hours, 1),
            (None, None) => return Err(shape()),
        };
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(shape());
        }
        // Digits that are no number are too many.
        let hours = number.parse::<i64>().ok().and_then(|number| number.checked_mul(unit)).unwrap_or(i64::MAX);
        if hours < SHORTEST.as_hours() {
            return Err(GraceError::TooShort(text.to_owned()));
        }
        if hours > MAX_HOURS {
            return Err(GraceError::TooLong(text.to_owned()));
        }
        Ok(Self { hours })
    }
}

impl fmt::Display for Grace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.hours {
            hours if hours % 24 == 0 => write!(f, "{}d", hours / 24),
            hours => write!(f, "{hours}h"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grace_periods_round_trip() {
        for (text, hours) in [("7d", 168), ("1d", 24), ("36h", 36), ("3650d", 87600)] {
            let grace: Grace = text.parse().unwrap();
            assert_eq!((grace.to_string().as_str(), grace.duration().as_hours()), (text, hours));
        }
        assert_eq!("48h".parse::<Grace>().unwrap().to_string(), "2d");
        assert_eq!(Grace::default().to_string(), "7d");
    }

    #[test]
    fn what_is_no_grace_period_is_refused() {
        for text in ["", "d", "h", "7", "7 d", "7D", "7days", "-7d", "+7d", "1.5d", "1w", "0x7d", "٧d", "7d7"] {
            assert_eq!(text.parse::<Grace>(), Err(GraceError::Shape(text.to_owned())));
        }
        for text in ["0d", "0h", "1h", "23h"] {
            assert_eq!(text.parse::<Grace>(), Err(GraceError::TooShort(text.to_owned())));
        }
        for text in ["3651d", "87601h", "99999999999999999999d", "9223372036854775807d"] {
            assert_eq!(text.parse::<Grace>(), Err(GraceError::TooLong(text.to_owned())));
        }
    }

    #[test]
    fn publishers_use_half_of_what_they_may_count_on() {
        assert_eq!(HALF.checked_mul(2), Some(SHORTEST));
    }
}
