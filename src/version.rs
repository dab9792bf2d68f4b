//! Versions of a provider: canonical Semantic Versioning 2.0.0, within what clients survive.

use std::fmt;
use std::str::FromStr;

use crate::serde_text::serde_text;

/// The longest version in bytes: an OCI tag holds 128 characters, and storage keys are sized for it.
pub const MAX_VERSION_BYTES: usize = 128;

/// Why a text is no version that a registry can list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VersionError {
    /// The text is longer than a tag or a storage key has room for.
    #[error("version `{0}` is longer than {MAX_VERSION_BYTES} bytes")]
    TooLong(String),
    /// The text is not `MAJOR.MINOR.PATCH` with an optional pre-release and build metadata, each number canonical.
    #[error("version `{0}` is not canonical SemVer such as `1.2.3` or `1.2.3-rc.1`")]
    NotSemver(String),
    /// A number is too large for clients, which panic on it.
    #[error("version `{0}` has a number over 2^64-1, which crashes clients")]
    NumberTooLarge(String),
    /// `0.0.0` means "no version" inside clients.
    #[error("version `{0}` cannot be installed: clients take 0.0.0 for no version at all")]
    Zero(String),
}

/// One version of a provider, such as `1.2.3-rc.1+build.7`; build metadata is part of its identity.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(semver::Version);

impl Version {
    /// Whether clients select it only where it is asked for by name.
    #[must_use]
    pub fn is_prerelease(&self) -> bool {
        !self.0.pre.is_empty()
    }
}

/// Whether some run of digits that is a number in `text` does not fit into 64 bits.
fn has_large_number(text: &str) -> bool {
    let core_and_prerelease = text.split('+').next().unwrap_or_default();
    core_and_prerelease
        .split(['.', '-'])
        .filter(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
        .any(|number| number.parse::<u64>().is_err())
}

impl FromStr for Version {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, VersionError> {
        if text.len() > MAX_VERSION_BYTES {
            return Err(VersionError::TooLong(text.to_owned()));
        }
        if has_large_number(text) {
            return Err(VersionError::NumberTooLarge(text.to_owned()));
        }
        let version = semver::Version::parse(text).map_err(|_| VersionError::NotSemver(text.to_owned()))?;
        let zero = version.major == 0 && version.minor == 0 && version.patch == 0 && version.pre.is_empty();
        if zero {
            return Err(VersionError::Zero(text.to_owned()));
        }
        Ok(Self(version))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

serde_text!(Version);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn canonical_versions_are_kept_as_written() {
        let cases = [
            "1.2.3",
            "0.0.1",
            "0.0.0-dev",
            "1.0.0-rc.1",
            "1.0.0-RC1",
            "1.0.0+build.7",
            "1.0.0-rc.1+001",
            "18446744073709551615.0.0",
        ];
        for text in cases {
            assert_eq!(text.parse::<Version>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_breaks_a_client_is_refused() {
        let not_semver = [
            "",
            "v1.0.0",
            "1",
            "1.0",
            "01.2.3",
            "1.2.3-",
            "1.2.3+",
            "1.2.3.4",
            " 1.2.3",
            "1.2.3 ",
            "1.2.3-01",
            "1.2.3-a_b",
            "1.2.3+a+b",
            "1.2.x",
            "=1.2.3",
            "1.2.３",
        ];
        for text in not_semver {
            assert_eq!(text.parse::<Version>(), Err(VersionError::NotSemver(text.to_owned())));
        }
        let large = ["18446744073709551616.0.0", "1.0.0-18446744073709551616"];
        for text in large {
            assert_eq!(text.parse::<Version>(), Err(VersionError::NumberTooLarge(text.to_owned())));
        }
        for text in ["0.0.0", "0.0.0+build"] {
            assert_eq!(text.parse::<Version>(), Err(VersionError::Zero(text.to_owned())));
        }
        let long = format!("1.0.0-{}", "a".repeat(123));
        assert_eq!(long.parse::<Version>(), Err(VersionError::TooLong(long)));
    }

    #[test]
    fn versions_sort_by_precedence() {
        let mut versions: Vec<Version> =
            ["1.10.0", "1.9.0", "1.10.0-rc.1", "1.10.0-rc.2"].iter().map(|text| text.parse().unwrap()).collect();
        versions.sort();
        let sorted: Vec<String> = versions.iter().map(ToString::to_string).collect();
        assert_eq!(sorted, ["1.9.0", "1.10.0-rc.1", "1.10.0-rc.2", "1.10.0"]);
    }

    proptest! {
        #[test]
        fn what_parses_is_rendered_as_it_was(text in "[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}(-[0-9A-Za-z.-]{1,8})?(\\+[0-9A-Za-z.-]{1,8})?") {
            if let Ok(version) = text.parse::<Version>() {
                prop_assert_eq!(version.to_string(), text);
            }
        }
    }
}
