//! Whether two releases are the same, and what differs.

use std::fmt;

use yuba::digest::Sha256Digest;
use yuba::document::ReleaseDocument;
use yuba::platform::Platform;
use yuba::protocol_version::ProtocolVersion;

/// One difference between what is listed and what was to be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// A platform that is listed is missing.
    Missing(Platform),
    /// A platform is not listed.
    Additional(Platform),
    /// A platform's archive is another.
    Archive {
        /// The platform.
        platform: Platform,
        /// The listed archive.
        listed: Sha256Digest,
        /// The other archive.
        given: Sha256Digest,
    },
    /// The plugin protocol versions are others.
    Protocols {
        /// The listed ones.
        listed: Vec<ProtocolVersion>,
        /// The others.
        given: Vec<ProtocolVersion>,
    },
    /// The archives are the same, and still SHA256SUMS is another.
    Shasums {
        /// The SHA-256 of the listed SHA256SUMS.
        listed: Sha256Digest,
        /// The SHA-256 of the other one.
        given: Sha256Digest,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(platform) => write!(f, "{platform} is listed, but not in this release"),
            Self::Additional(platform) => write!(f, "{platform} is in this release, but not listed"),
            Self::Archive { platform, listed, given } => {
                write!(f, "{platform} is listed with SHA-256 {listed}, this release has {given}")
            }
            Self::Protocols { listed, given } => {
                write!(f, "protocols {} are listed, this release has {}", join(listed), join(given))
            }
            Self::Shasums { listed, given } => {
                write!(
                    f,
                    "SHA256SUMS is listed with SHA-256 {listed}, this release's has {given} for the same archives"
                )
            }
        }
    }
}

fn join(protocols: &[ProtocolVersion]) -> String {
    protocols.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// What differs. Releases are the same if their SHA256SUMS and protocols are: a new signature or date is no difference.
pub(super) fn differences(listed: &ReleaseDocument, given: &ReleaseDocument) -> Vec<Difference> {
    let mut differences = Vec::new();
    if listed.shasums != given.shasums {
        differences = archives(listed, given);
        if differences.is_empty() {
            let digest = |document: &ReleaseDocument| Sha256Digest::of(document.shasums.as_bytes());
            differences.push(Difference::Shasums { listed: digest(listed), given: digest(given) });
        }
    }
    if listed.protocols != given.protocols {
        let (listed, given) = (listed.protocols.clone(), given.protocols.clone());
        differences.push(Difference::Protocols { listed, given });
    }
    differences
}

fn archives(listed: &ReleaseDocument, given: &ReleaseDocument) -> Vec<Difference> {
    let mut differences = Vec::new();
    for (platform, package) in &listed.packages {
        match given.packages.get(platform) {
            None => differences.push(Difference::Missing(platform.clone())),
            Some(other) if other.zh != package.zh => differences.push(Difference::Archive {
                platform: platform.clone(),
                listed: package.zh,
                given: other.zh,
            }),
            Some(_) => {}
        }
    }
    let additional = given.packages.keys().filter(|platform| !listed.packages.contains_key(platform));
    differences.extend(additional.cloned().map(Difference::Additional));
    differences
}
