//! Refusals: every way in which a request is not served, and the answer to each.

use super::answer::Answer;
use super::storage::StorageError;
use crate::address::{ProviderAddress, ReleaseAddress};
use crate::archive_name::ArchiveName;
use crate::document::DocumentError;
use crate::keys::DocumentKey;
use crate::platform::Platform;

/// The methods that every route answers.
const ALLOW: &str = "GET, HEAD";

/// When to try again after a failure of storage, in seconds. Clients wait as long as they are told, so it is short.
const RETRY_AFTER: &str = "2";

/// What every failure of storage tells a client: its cause is for the operator.
const UNAVAILABLE: &str = "the registry's storage does not answer; try again shortly";

/// Why a request is not served.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refusal {
    /// What the path names is not there, or not for everybody to see.
    #[error("{0}")]
    NotFound(String),
    /// Nothing is written through the public Worker.
    #[error("method {0} is not allowed, only {ALLOW}")]
    MethodNotAllowed(String),
    /// The asked range starts behind the archive's end.
    #[error("the range asked for is outside the archive's {0} bytes")]
    RangeNotSatisfiable(u64),
    /// Storage does not answer.
    #[error("storage does not answer: {0}")]
    Unavailable(#[from] StorageError),
    /// Storage has bytes that this yuba cannot read.
    #[error("`{0}`: {1}")]
    Unreadable(Box<DocumentKey>, DocumentError),
    /// Storage lacks a document that another one names.
    #[error("`{0}` is listed, but neither KV nor R2 has it")]
    Missing(Box<DocumentKey>),
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
        Self::NotFound(format!("provider `{address}` was not found"))
    }

    pub(super) fn no_version(address: &ReleaseAddress) -> Self {
        Self::NotFound(format!("version `{}` of provider `{}` was not found", address.version, address.provider))
    }

    pub(super) fn no_platform(address: &ReleaseAddress, platform: &Platform) -> Self {
        Self::NotFound(format!(
            "version `{}` of provider `{}` has no package for platform `{platform}`",
            address.version, address.provider
        ))
    }

    pub(super) fn no_archive(address: &ReleaseAddress, filename: &ArchiveName) -> Self {
        Self::NotFound(format!(
            "version `{}` of provider `{}` has no archive `{filename}` with that digest",
            address.version, address.provider
        ))
    }

    /// A listed release whose key is registered nowhere cannot be verified by any client.
    pub(super) fn no_key(address: &ReleaseAddress) -> Self {
        Self::NotFound(format!(
            "version `{}` of provider `{}` is signed by a key that is not registered",
            address.version, address.provider
        ))
    }

    pub(super) fn into_answer<S>(self) -> Answer<S> {
        let text = self.to_string();
        match self {
            Self::NotFound(_) => Answer::error(404, &text),
            Self::MethodNotAllowed(_) => Answer::error(405, &text).with_header("allow", ALLOW.to_owned()),
            Self::RangeNotSatisfiable(size) => {
                Answer::error(416, &text).with_header("content-range", format!("bytes */{size}"))
            }
            Self::Unavailable(_)
            | Self::Unreadable(..)
            | Self::Missing(_)
            | Self::WrongSize { .. }
            | Self::Unrenderable(_) => {
                Answer::error(503, UNAVAILABLE).with_header("retry-after", RETRY_AFTER.to_owned()).with_cause(text)
            }
        }
    }
}
