//! Names of R2 buckets.

use std::fmt;
use std::str::FromStr;

/// The lengths that R2 allows, in bytes.
const MIN_BYTES: usize = 3;
const MAX_BYTES: usize = 63;

/// Why a text is no name of a bucket.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "bucket name `{0}` must be {MIN_BYTES} to {MAX_BYTES} lower-case letters, digits and dashes, and start and end with a letter or digit"
)]
pub struct BucketNameError(String);

/// The name of an R2 bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BucketName(String);

impl BucketName {
    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for BucketName {
    type Err = BucketNameError;

    fn from_str(text: &str) -> Result<Self, BucketNameError> {
        let legal = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let ends_well = !text.starts_with('-') && !text.ends_with('-');
        if (MIN_BYTES..=MAX_BYTES).contains(&text.len()) && text.bytes().all(legal) && ends_well {
            return Ok(Self(text.to_owned()));
        }
        Err(BucketNameError(text.to_owned()))
    }
}

impl fmt::Display for BucketName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_r2_refuses_is_refused() {
        let longest = "a".repeat(63);
        for name in ["abc", "yuba-archives", "0-9", &longest] {
            assert_eq!(name.parse::<BucketName>().unwrap().to_string(), name);
        }
        let too_long = "a".repeat(64);
        for name in ["", "ab", "-abc", "abc-", "Abc", "a_b", "a.b.c", "a b", "abc\n", "äbc", &too_long] {
            assert_eq!(name.parse::<BucketName>(), Err(BucketNameError(name.to_owned())));
        }
    }
}
