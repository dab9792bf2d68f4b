//! Fingerprints of `OpenPGP` keys.

use std::fmt;
use std::str::FromStr;

use crate::serde_text::serde_text;

/// Why a text is no fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an OpenPGP v4 fingerprint in 40 hexadecimal digits")]
pub struct FingerprintError(String);

/// The fingerprint of a version 4 `OpenPGP` primary key (RFC 9580, section 5.5.4.2), in upper-case hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// The key ID: the last 16 digits, as the registry protocol's `key_id` wants them.
    #[must_use]
    pub fn key_id(&self) -> &str {
        self.0.get(24..).unwrap_or_default()
    }
}

impl FromStr for Fingerprint {
    type Err = FingerprintError;

    fn from_str(text: &str) -> Result<Self, FingerprintError> {
        if text.len() != 40 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(FingerprintError(text.to_owned()));
        }
        Ok(Self(text.to_ascii_uppercase()))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

serde_text!(Fingerprint);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_id_is_the_end_of_the_fingerprint() {
        let fingerprint: Fingerprint = "91a6e7f85d05c65630bef18951852d87348ffc4c".parse().unwrap();
        assert_eq!(fingerprint.to_string(), "91A6E7F85D05C65630BEF18951852D87348FFC4C");
        assert_eq!(fingerprint.key_id(), "51852D87348FFC4C");
        for text in [
            "",
            "51852D87348FFC4C",
            "91A6E7F85D05C65630BEF18951852D87348FFC4G",
            "0x91A6E7F85D05C65630BEF18951852D87348FFC4C",
        ] {
            assert_eq!(text.parse::<Fingerprint>(), Err(FingerprintError(text.to_owned())));
        }
    }
}
