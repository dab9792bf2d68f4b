//! File names of provider packages, the convention that release tools and filesystem mirrors share.

use std::fmt;
use std::str::FromStr;

use crate::name::{NameError, ProviderType};
use crate::platform::{Platform, PlatformError};
use crate::serde_text::serde_text;
use crate::version::{Version, VersionError};

/// What every archive and every executable in one starts with.
pub const FILE_PREFIX: &str = "terraform-provider-";

/// Why a file name is not one of a provider's archive.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArchiveNameError {
    /// The parts are not all there.
    #[error("file name `{0}` is not terraform-provider-TYPE_VERSION_OS_ARCH.zip")]
    Shape(String),
    /// The type part is illegal.
    #[error("file name `{0}`: {1}")]
    Type(String, NameError),
    /// The type part is legal, but not in its normalised form.
    #[error("file name `{0}` spells its type `{1}` otherwise than clients do")]
    TypeNotNormalised(String, ProviderType),
    /// The version part is illegal.
    #[error("file name `{0}`: {1}")]
    Version(String, VersionError),
    /// The platform part is illegal.
    #[error("file name `{0}`: {1}")]
    Platform(String, PlatformError),
}

/// The name of one platform's archive: `terraform-provider-TYPE_VERSION_OS_ARCH.zip`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArchiveName {
    /// The provider's type.
    pub r#type: ProviderType,
    /// The provider's version.
    pub version: Version,
    /// What the package runs on.
    pub platform: Platform,
}

impl FromStr for ArchiveName {
    type Err = ArchiveNameError;

    fn from_str(text: &str) -> Result<Self, ArchiveNameError> {
        let owned = || text.to_owned();
        let shape = || ArchiveNameError::Shape(owned());
        let stem = text.strip_prefix(FILE_PREFIX).and_then(|rest| rest.strip_suffix(".zip"));
        let (type_text, rest) = stem.and_then(|stem| stem.split_once('_')).ok_or_else(shape)?;
        let (version, platform) = rest.split_once('_').ok_or_else(shape)?;
        let r#type: ProviderType = type_text.parse().map_err(|error| ArchiveNameError::Type(owned(), error))?;
        if r#type.as_str() != type_text {
            return Err(ArchiveNameError::TypeNotNormalised(owned(), r#type));
        }
        let version = version.parse().map_err(|error| ArchiveNameError::Version(owned(), error))?;
        let platform = platform.parse().map_err(|error| ArchiveNameError::Platform(owned(), error))?;
        Ok(Self { r#type, version, platform })
    }
}

impl fmt::Display for ArchiveName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{FILE_PREFIX}{}_{}_{}.zip", self.r#type, self.version, self.platform)
    }
}

serde_text!(ArchiveName);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archive_names_round_trip() {
        for text in [
            "terraform-provider-time_0.14.2_linux_amd64.zip",
            "terraform-provider-a-b_1.0.0-rc.1+build_darwin_arm64.zip",
            "terraform-provider-straße_1.0.0_windows_386.zip",
        ] {
            assert_eq!(text.parse::<ArchiveName>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn other_file_names_are_refused() {
        let shape = [
            "",
            "time.zip",
            "terraform-provider-time.zip",
            "terraform-provider-time_1.0.0.zip",
            "terraform-provider-time_1.0.0_linux_amd64.tar.gz",
        ];
        for text in shape {
            assert!(matches!(text.parse::<ArchiveName>(), Err(ArchiveNameError::Shape(_))), "{text}");
        }
        let parse = |text: &str| text.parse::<ArchiveName>();
        assert!(matches!(parse("terraform-provider-_1.0.0_linux_amd64.zip"), Err(ArchiveNameError::Type(..))));
        assert!(matches!(
            parse("terraform-provider-Time_1.0.0_linux_amd64.zip"),
            Err(ArchiveNameError::TypeNotNormalised(..))
        ));
        assert!(matches!(parse("terraform-provider-time_v1.0.0_linux_amd64.zip"), Err(ArchiveNameError::Version(..))));
        assert!(matches!(
            parse("terraform-provider-time_1.0.0_linux_amd64_v1.zip"),
            Err(ArchiveNameError::Platform(..))
        ));
        assert!(matches!(parse("terraform-provider-time_1.0.0_linux.zip"), Err(ArchiveNameError::Platform(..))));
    }
}
