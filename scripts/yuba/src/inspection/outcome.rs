//! What an inspection comes to.

use std::collections::BTreeMap;

use url::Url;
use yuba::address::ProviderAddress;
use yuba::digest::{H1, Sha256Digest};
use yuba::platform::Platform;
use yuba::version::Version;

use crate::verify::finding::Finding;

/// What is known of one archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// Downloaded, and everything in the tables holds.
    Verified(ArchiveFacts),
    /// Everything held in an earlier run, at the time given, and the registry states the same today.
    VerifiedBefore(ArchiveFacts, String),
    /// Its documents are inspected and it is not: that was left out.
    LeftOut,
    /// A finding is about it, or about a document that describes it.
    Faulty,
    /// The registry did not answer.
    Unchecked,
}

/// What was found of an archive that is as it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArchiveFacts {
    /// Its SHA-256.
    pub zh: Sha256Digest,
    /// The hash of its content.
    pub h1: H1,
    /// Its size in bytes.
    pub size: u64,
}

/// One version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InspectedVersion {
    /// The version.
    pub version: Version,
    /// Its platforms.
    pub platforms: BTreeMap<Platform, Standing>,
}

/// One provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InspectedProvider {
    /// The provider.
    pub address: ProviderAddress,
    /// Whether the registry says that it has no such provider.
    pub absent: bool,
    /// Whether the mirror was inspected too.
    pub mirrored: bool,
    /// Whether its OCI repository was inspected too.
    pub oci: bool,
    /// What clients show to whoever installs it.
    pub warnings: Vec<String>,
    /// Its versions, in their order.
    pub versions: Vec<InspectedVersion>,
}

/// Something that could not be inspected.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unchecked {
    /// What it is about.
    pub subject: String,
    /// Why not.
    pub reason: String,
}

/// What an inspection comes to.
#[derive(Debug, Default)]
pub struct Inspection {
    /// The base of the registry protocol, if it was found.
    pub registry: Option<Url>,
    /// The providers, in the order they were asked for.
    pub providers: Vec<InspectedProvider>,
    /// All that is wrong: the registry's, then each provider's, in the order of the tables.
    pub findings: Vec<Finding>,
    /// What could not be inspected.
    pub unchecked: Vec<Unchecked>,
}
