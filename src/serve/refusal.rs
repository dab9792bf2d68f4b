//! Refusals: every way in which a request is not served, and the answer to each.

use super::answer::{Answer, Dialect};
use super::storage::StorageError;
use crate::address::{ProviderAddress, ReleaseAddress};
use crate::archive_name::ArchiveName;
use crate::digest::Sha256Digest;
use crate::document::KeyRevocation;
use crate::fingerprint::Fingerprint;
use crate::keys::DocumentKey;
use crate::platform::Platform;
use crate::protocol::oci::error::Code;
use crate::protocol::oci::spell;
use crate::repository::RepositoryError;
use crate::route::{OciError, RouteError};

/// The methods that every route answers.
const ALLOW: &str = "GET, HEAD";

/// When to try again after a failure of storage, in seconds. Clients wait as long as they are told, so it is short.
const RETRY_AFTER: &str = "2";

/// The status of what a revoked key blocks. Clients say `410 Gone` beside the warning that they got with the versions; of
/// 404 they make a missing platform, and of 403 missing credentials.
const BLOCKED: u16 = 410;

/// The same in OCI distribution, whose error code `DENIED` belongs to 403. Clients show the text that comes with it, but
/// OpenTofu, which asks for the head of a tag first and says no more than `403: Forbidden`.
const DENIED: u16 = 403;

/// What every failure of storage tells a client: its cause is for the operator.
const UNAVAILABLE: &str = "the registry's storage does not answer; try again shortly";

/// What is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Absent {
    /// Anything at such a path.
    Path,
    /// A repository of such a name.
    Name,
    /// The provider.
    Provider,
    /// The version, its manifest, or its package for a platform.
    Release,
    /// The archive.
    Archive,
}

/// Why R2's word on a document is not to be had.
#[derive(Debug, Clone, thiserror::Error)]
pub(super) enum ReadFailure {
    /// Storage does not answer.
    #[error("storage does not answer: {0}")]
    Unavailable(#[from] StorageError),
    /// Storage has bytes that this yuba cannot read.
    #[error("`{0}`: {1}")]
    Unreadable(Box<DocumentKey>, String),
}

/// Why a request is not served.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refusal {
    /// What the path names is not there, or not for everybody to see.
    #[error("{1}")]
    NotFound(Absent, String),
    /// OCI distribution has a code for what is wrong with the request.
    #[error("{1}")]
    Malformed(Code, String),
    /// The key that the version is signed with is revoked, and what it signed is given to nobody.
    #[error("{0}")]
    Blocked(String),
    /// Nothing is written through the public Worker.
    #[error("method {0} is not allowed, only {ALLOW}")]
    MethodNotAllowed(String),
    /// The asked range starts behind the archive's end.
    #[error("the range asked for is outside the archive's {0} bytes")]
    RangeNotSatisfiable(u64),
    /// A document cannot be read.
    #[error(transparent)]
    Read(#[from] ReadFailure),
    /// An archive cannot be read, or storage is unwell.
    #[error("storage does not answer: {0}")]
    Unavailable(#[from] StorageError),
    /// Storage lacks a document that another one names.
    #[error("`{0}` is listed, but neither KV nor R2 has it")]
    Missing(Box<DocumentKey>),
    /// The provider document lists a platform that the release document lacks.
    #[error("{0}")]
    NoPackage(String),
    /// Storage lacks an archive that a release lists.
    #[error("archive `{name}` was not found")]
    NoBlob {
        /// What the archive is called here.
        name: String,
        /// Its key in R2.
        object: String,
    },
    /// Storage has other bytes than the release lists.
    #[error("`{object}` has {found} bytes, its release lists {listed}")]
    WrongSize {
        /// The archive's key in R2.
        object: String,
        /// Its size there.
        found: u64,
        /// Its size in the release document.
        listed: u64,
    },
    /// A payload cannot be rendered.
    #[error("payload cannot be rendered: {0}")]
    Unrenderable(#[from] serde_json::Error),
}

impl Refusal {
    pub(super) fn no_provider(address: &ProviderAddress) -> Self {
        Self::NotFound(Absent::Provider, format!("provider `{address}` was not found"))
    }

    pub(super) fn no_version(address: &ReleaseAddress) -> Self {
        let text = format!("version `{}` of provider `{}` was not found", address.version, address.provider);
        Self::NotFound(Absent::Release, text)
    }

    pub(super) fn no_platform(address: &ReleaseAddress, platform: &Platform) -> Self {
        let text = format!(
            "version `{}` of provider `{}` has no package for platform `{platform}`",
            address.version, address.provider
        );
        Self::NotFound(Absent::Release, text)
    }

    pub(super) fn no_archive(digest: &Sha256Digest, filename: &ArchiveName) -> Self {
        let text = format!("archive `{filename}` with the SHA-256 `{digest}` was not found");
        Self::NotFound(Absent::Archive, text)
    }

    /// A digest that no repository of the provider refers to.
    pub(super) fn no_content(what: Absent, digest: &Sha256Digest, provider: &ProviderAddress) -> Self {
        Self::NotFound(what, format!("provider `{provider}` has nothing with the digest `{}`", spell(digest)))
    }

    /// A version that was listed before there were OCI views.
    pub(super) fn no_index(address: &ReleaseAddress) -> Self {
        let text = format!("version `{}` of provider `{}` has no OCI index yet", address.version, address.provider);
        Self::NotFound(Absent::Release, text)
    }

    pub(super) fn no_package(address: &ReleaseAddress, platform: &Platform) -> Self {
        Self::NoPackage(format!("`{address}` is listed for `{platform}`, but its release document lacks it"))
    }

    /// A listed release whose key is registered nowhere cannot be verified by any client.
    pub(super) fn no_key(address: &ReleaseAddress) -> Self {
        let text = format!(
            "version `{}` of provider `{}` is signed by a key that is not registered",
            address.version, address.provider
        );
        Self::NotFound(Absent::Release, text)
    }

    pub(super) fn blocked(address: &ReleaseAddress, key: &Fingerprint, revocation: &KeyRevocation) -> Self {
        Self::Blocked(format!(
            "version `{}` of provider `{}` is signed with key `{key}`, which is revoked: {}",
            address.version, address.provider, revocation.reason
        ))
    }

    pub(super) fn into_answer<S>(self, dialect: Dialect) -> Answer<S> {
        let text = self.to_string();
        let error = |status, code| Answer::error(status, dialect, code, &text);
        match self {
            Self::NotFound(what, _) => error(404, what.code()),
            Self::Malformed(code, _) => error(400, code),
            Self::Blocked(_) => error(dialect.blocked(), Code::Denied),
            Self::MethodNotAllowed(_) => error(405, Code::Unsupported).with_header("allow", ALLOW.to_owned()),
            Self::RangeNotSatisfiable(size) => {
                error(416, Code::SizeInvalid).with_header("content-range", format!("bytes */{size}"))
            }
            Self::NoBlob { object, .. } => {
                error(404, Code::BlobUnknown).with_cause(format!("`{object}` is listed, but R2 does not have it"))
            }
            Self::Read(_)
            | Self::Unavailable(_)
            | Self::Missing(_)
            | Self::NoPackage(_)
            | Self::WrongSize { .. }
            | Self::Unrenderable(_) => unavailable_in(dialect, text),
        }
    }
}

impl Absent {
    const fn code(self) -> Code {
        match self {
            Self::Path => Code::Unsupported,
            Self::Name => Code::NameInvalid,
            Self::Provider => Code::NameUnknown,
            Self::Release => Code::ManifestUnknown,
            Self::Archive => Code::BlobUnknown,
        }
    }
}

impl Dialect {
    /// The status of what a revoked key blocks.
    const fn blocked(self) -> u16 {
        match self {
            Self::Registry => BLOCKED,
            Self::Oci => DENIED,
        }
    }
}

/// A path that is none is not found, whatever is wrong with it; only of a digest OCI's specification wants more.
impl From<RouteError> for Refusal {
    fn from(error: RouteError) -> Self {
        let text = error.to_string();
        match error {
            RouteError::Oci(OciError::Digest(_)) => Self::Malformed(Code::DigestInvalid, text),
            RouteError::Oci(OciError::Repository(error)) => error.into(),
            RouteError::Oci(OciError::Tag(_)) => Self::NotFound(Absent::Release, text),
            RouteError::Oci(OciError::Unknown(_))
            | RouteError::Unknown(_)
            | RouteError::Illegal { .. }
            | RouteError::NotNormalised { .. } => Self::NotFound(Absent::Path, text),
        }
    }
}

impl From<RepositoryError> for Refusal {
    fn from(error: RepositoryError) -> Self {
        Self::NotFound(Absent::Name, error.to_string())
    }
}

/// The answer while storage or configuration is at fault, which `cause` explains to the operator alone.
#[must_use]
pub fn unavailable<S>(cause: String) -> Answer<S> {
    unavailable_in(Dialect::Registry, cause)
}

fn unavailable_in<S>(dialect: Dialect, cause: String) -> Answer<S> {
    Answer::error(503, dialect, Code::Unavailable, UNAVAILABLE)
        .with_header("retry-after", RETRY_AFTER.to_owned())
        .with_cause(cause)
}
