//! Versions of the plugin protocol that a provider speaks.

use std::fmt;
use std::str::FromStr;

use crate::serde_text::serde_text;

/// Why a text is no plugin protocol version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("protocol version `{0}` is not MAJOR or MAJOR.MINOR, such as `6.0`")]
pub struct ProtocolVersionError(String);

/// A version of the plugin protocol, written `MAJOR.MINOR`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProtocolVersion {
    major: u32,
    minor: u32,
}

impl ProtocolVersion {
    /// Whether today's clients can start such a provider: `>= 5, < 7` (OpenTofu `registry_client.go`).
    #[must_use]
    pub const fn is_accepted_by_clients(self) -> bool {
        5 <= self.major && self.major < 7
    }
}

fn parse_number(text: &str) -> Option<u32> {
    let canonical = text == "0" || !text.starts_with('0');
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| canonical && digits)
}

impl FromStr for ProtocolVersion {
    type Err = ProtocolVersionError;

    fn from_str(text: &str) -> Result<Self, ProtocolVersionError> {
        let (major, minor) = text.split_once('.').unwrap_or((text, "0"));
        let parts = parse_number(major).zip(parse_number(minor));
        let (major, minor) = parts.ok_or_else(|| ProtocolVersionError(text.to_owned()))?;
        Ok(Self { major, minor })
    }
}

impl fmt::Display for ProtocolVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

serde_text!(ProtocolVersion);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn protocol_versions_are_major_and_minor() {
        for (text, rendered) in [("5", "5.0"), ("5.0", "5.0"), ("6.10", "6.10")] {
            assert_eq!(text.parse::<ProtocolVersion>().unwrap().to_string(), rendered);
        }
        for text in ["", "banana", "v5", "5.", ".0", "5.0.0", "05.0", "5.01", "+5", "5.99999999999"] {
            assert_eq!(text.parse::<ProtocolVersion>(), Err(ProtocolVersionError(text.to_owned())));
        }
    }

    #[test]
    fn clients_accept_5_and_6() {
        for (text, accepted) in [("4.0", false), ("5.0", true), ("6.9", true), ("7.0", false)] {
            let version: ProtocolVersion = text.parse().unwrap();
            assert_eq!(version.is_accepted_by_clients(), accepted, "{text}");
        }
    }
}
