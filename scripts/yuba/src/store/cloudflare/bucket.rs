//! An R2 bucket: its name, and where it lies.

use std::fmt;
use std::str::FromStr;

/// The shortest and the longest name (R2's "Create buckets": bucket name rules).
const NAME_BYTES: std::ops::RangeInclusive<usize> = 3..=63;

/// Why a text is no bucket.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BucketError {
    /// It is no name.
    #[error("`{0}` is no bucket name: 3 to 63 lower-case letters, digits and inner dashes")]
    Name(String),
    /// It is no jurisdiction.
    #[error("`{0}` is no jurisdiction of R2: `eu` or `fedramp`, or none")]
    Jurisdiction(String),
}

/// A bucket's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BucketName(String);

impl BucketName {
    /// The name as it is spelled.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for BucketName {
    type Err = BucketError;

    fn from_str(text: &str) -> Result<Self, BucketError> {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let inner = !text.starts_with('-') && !text.ends_with('-');
        if !NAME_BYTES.contains(&text.len()) || !inner || !text.bytes().all(plain) {
            return Err(BucketError::Name(text.to_owned()));
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for BucketName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Where a bucket may lie. A bucket of a jurisdiction is found at that jurisdiction's endpoint alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Jurisdiction {
    /// Anywhere.
    Default,
    /// In the European Union.
    Eu,
    /// Under `FedRAMP`.
    FedRamp,
}

impl Jurisdiction {
    /// How a binding names it; nothing where it names none.
    #[must_use]
    pub const fn as_str(self) -> Option<&'static str> {
        match self {
            Self::Default => None,
            Self::Eu => Some("eu"),
            Self::FedRamp => Some("fedramp"),
        }
    }

    /// What stands between the account and R2's host name.
    #[must_use]
    pub const fn infix(self) -> &'static str {
        match self {
            Self::Default => "",
            Self::Eu => ".eu",
            Self::FedRamp => ".fedramp",
        }
    }
}

impl FromStr for Jurisdiction {
    type Err = BucketError;

    fn from_str(text: &str) -> Result<Self, BucketError> {
        match text {
            "default" => Ok(Self::Default),
            "eu" => Ok(Self::Eu),
            "fedramp" => Ok(Self::FedRamp),
            _ => Err(BucketError::Jurisdiction(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_r2_s_rules() {
        for text in ["yuba-archives", "abc", &"a".repeat(63)] {
            assert_eq!(text.parse::<BucketName>().unwrap().as_str(), text);
        }
        for text in ["", "ab", &"a".repeat(64), "Archives", "a/b", "-abc", "abc-", "a.b.c", "a_bc", "äbc"] {
            assert_eq!(text.parse::<BucketName>(), Err(BucketError::Name(text.to_owned())), "{text}");
        }
    }

    #[test]
    fn jurisdictions_have_endpoints_of_their_own() {
        assert_eq!("eu".parse::<Jurisdiction>().unwrap().infix(), ".eu");
        assert_eq!("fedramp".parse::<Jurisdiction>().unwrap().infix(), ".fedramp");
        assert_eq!("default".parse::<Jurisdiction>().unwrap().infix(), "");
        for text in ["", "us", "EU"] {
            assert_eq!(text.parse::<Jurisdiction>(), Err(BucketError::Jurisdiction(text.to_owned())));
        }
    }
}
