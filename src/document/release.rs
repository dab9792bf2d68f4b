//! The release document: everything that was proven about one version. It never changes.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Document;
use crate::address::{ProviderAddress, ReleaseAddress};
use crate::archive_name::ArchiveName;
use crate::digest::{H1, Sha256Digest};
use crate::fingerprint::Fingerprint;
use crate::platform::Platform;
use crate::protocol_version::ProtocolVersion;
use crate::version::Version;

/// One platform's archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Package {
    /// The archive's file name, as SHA256SUMS spells it.
    pub filename: ArchiveName,
    /// The archive's size in bytes.
    pub size: u64,
    /// The SHA-256 of the archive, which names its blob.
    pub zh: Sha256Digest,
    /// The dirhash of what the archive holds.
    pub h1: H1,
}

/// One version of one provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReleaseDocument {
    format: u32,
    /// Whose version it is.
    pub address: ProviderAddress,
    /// The version.
    pub version: Version,
    /// The plugin protocol versions it speaks.
    pub protocols: Vec<ProtocolVersion>,
    /// When it was signed, RFC 3339 in UTC. A fact of the release, so that publishing it again gives the same bytes.
    pub created: String,
    /// The archives.
    pub packages: BTreeMap<Platform, Package>,
    /// SHA256SUMS, byte for byte as signed.
    pub shasums: String,
    /// The binary detached signature over `shasums`.
    #[serde(serialize_with = "to_base64", deserialize_with = "from_base64")]
    pub shasums_signature: Vec<u8>,
    /// The primary key whose signature that is.
    pub signing_key: Fingerprint,
    /// Where the source is, if known.
    pub source: Option<String>,
    /// The licence, as an SPDX expression, if known.
    pub licence: Option<String>,
}

impl Document for ReleaseDocument {
    const FORMAT: u32 = 1;

    fn revision(&self) -> u64 {
        0
    }
}

/// What was proven about a release, from which its document is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvenRelease {
    /// The plugin protocol versions it speaks.
    pub protocols: Vec<ProtocolVersion>,
    /// When it was signed, RFC 3339 in UTC.
    pub created: String,
    /// The archives.
    pub packages: BTreeMap<Platform, Package>,
    /// SHA256SUMS, byte for byte as signed.
    pub shasums: String,
    /// The binary detached signature over `shasums`.
    pub shasums_signature: Vec<u8>,
    /// The primary key whose signature that is.
    pub signing_key: Fingerprint,
}

impl ReleaseDocument {
    /// The document of `address`, from what was proven about it.
    #[must_use]
    pub fn new(address: ReleaseAddress, proven: ProvenRelease) -> Self {
        Self {
            format: Self::FORMAT,
            address: address.provider,
            version: address.version,
            protocols: proven.protocols,
            created: proven.created,
            packages: proven.packages,
            shasums: proven.shasums,
            shasums_signature: proven.shasums_signature,
            signing_key: proven.signing_key,
            source: None,
            licence: None,
        }
    }

    /// What identifies the release.
    #[must_use]
    pub fn release_address(&self) -> ReleaseAddress {
        ReleaseAddress { provider: self.address.clone(), version: self.version.clone() }
    }

    /// The package whose archive has this digest and name.
    #[must_use]
    pub fn find_archive(&self, digest: &Sha256Digest, filename: &ArchiveName) -> Option<&Package> {
        self.packages.get(&filename.platform).filter(|package| package.zh == *digest && package.filename == *filename)
    }
}

fn to_base64<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&BASE64.encode(bytes))
}

fn from_base64<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    let text = String::deserialize(deserializer)?;
    BASE64.decode(text).map_err(serde::de::Error::custom)
}
