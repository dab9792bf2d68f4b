//! What a verification comes to.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use yuba::digest::{H1, Sha256Digest};
use yuba::fingerprint::Fingerprint;
use yuba::name::{Namespace, ProviderType};
use yuba::platform::Platform;
use yuba::protocol_version::ProtocolVersion;
use yuba::version::Version;

use super::finding::Finding;

/// Why a release could not be judged at all.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The release's directory cannot be read.
    #[error("cannot read the directory `{}`", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// One of the release's files cannot be read.
    #[error("cannot read `{}`", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A key that the registry holds is not one that it would take.
    #[error("registered signing key {number} of namespace `{namespace}` cannot be used")]
    RegisteredKey {
        /// The namespace.
        namespace: String,
        /// Which of its keys, from 1.
        number: usize,
        /// What is wrong with it.
        source: crate::openpgp::KeyFileError,
    },
    /// A thread that read an archive ended before it was done, which is a bug.
    #[error("the verification of `{}` ended before it was done", path.display())]
    Lost {
        /// The archive.
        path: PathBuf,
    },
}

/// What was found about a release.
#[derive(Debug)]
pub struct Verdict {
    /// All that is wrong, in the order of the table.
    pub findings: Vec<Finding>,
    /// What was proved, unless a finding refuses the release.
    pub release: Option<VerifiedRelease>,
}

/// A release about which everything in the table holds, or nothing worse than a warning was found.
#[derive(Debug, Clone)]
pub struct VerifiedRelease {
    /// The namespace it is published in.
    pub namespace: Namespace,
    /// The provider's type.
    pub r#type: ProviderType,
    /// The release's version.
    pub version: Version,
    /// The plugin protocol versions that the provider speaks, in the manifest's order.
    pub protocols: Vec<ProtocolVersion>,
    /// The archives.
    pub archives: BTreeMap<Platform, VerifiedArchive>,
    /// SHA256SUMS, byte for byte as signed.
    pub shasums: String,
    /// The detached signature over it, in OpenPGP's binary form.
    pub signature: Vec<u8>,
    /// The fingerprint of the registered primary key that the signature was made under.
    pub fingerprint: Fingerprint,
    /// When the signature says it was made.
    pub signed_at: jiff::Timestamp,
}

/// An archive of a verified release.
#[derive(Debug, Clone)]
pub struct VerifiedArchive {
    /// Where it is.
    pub path: PathBuf,
    /// Its name, as SHA256SUMS spells it.
    pub filename: String,
    /// Its size in bytes.
    pub size: u64,
    /// The SHA-256 of its bytes.
    pub zh: Sha256Digest,
    /// Go's dirhash of its content.
    pub h1: H1,
}
