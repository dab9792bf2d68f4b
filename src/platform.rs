//! Platforms: an operating system and an architecture by their Go names.

use std::fmt;
use std::str::FromStr;

use crate::serde_text::serde_text;

/// Why a text is no platform.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("platform `{0}` is not OS_ARCH in lower-case letters and digits, such as `linux_amd64`")]
pub struct PlatformError(String);

/// What a package runs on, such as `linux_amd64`; clients demand exactly one underscore.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Platform {
    os: String,
    arch: String,
}

impl Platform {
    /// The operating system, as Go's `GOOS` spells it.
    #[must_use]
    pub fn os(&self) -> &str {
        &self.os
    }

    /// The architecture, as Go's `GOARCH` spells it.
    #[must_use]
    pub fn arch(&self) -> &str {
        &self.arch
    }
}

fn is_go_name(text: &str) -> bool {
    !text.is_empty() && text.len() <= 32 && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

impl FromStr for Platform {
    type Err = PlatformError;

    fn from_str(text: &str) -> Result<Self, PlatformError> {
        let parts = text.split_once('_').filter(|(os, arch)| is_go_name(os) && is_go_name(arch));
        let (os, arch) = parts.ok_or_else(|| PlatformError(text.to_owned()))?;
        Ok(Self { os: os.to_owned(), arch: arch.to_owned() })
    }
}

impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.os, self.arch)
    }
}

serde_text!(Platform);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn platforms_round_trip_and_all_else_is_refused() {
        let platform: Platform = "linux_amd64".parse().unwrap();
        assert_eq!((platform.os(), platform.arch()), ("linux", "amd64"));
        assert_eq!(platform.to_string(), "linux_amd64");
        let long = format!("linux_{}", "a".repeat(33));
        for text in
            ["", "linux", "linux_", "_amd64", "linux_amd64_v1", "Linux_amd64", "linux-amd64", "li nux_amd64", &long]
        {
            assert_eq!(text.parse::<Platform>(), Err(PlatformError(text.to_owned())));
        }
    }
}
