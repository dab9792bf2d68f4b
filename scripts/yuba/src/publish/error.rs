//! What fails a publish that is not the release's fault.

use std::fmt;

use yuba::archive_name::ArchiveNameError;

use crate::documents::AccessError;
use crate::grace::HALF;
use crate::store::StoreError;
use crate::verify::VerifyError;

/// A part of publishing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The release is judged; nothing is written.
    Verify,
    /// Its archives and its document are written; nothing names them.
    Store,
    /// It is listed and copied.
    Announce,
}

impl Stage {
    /// Says of a problem that it came up in this stage.
    pub(super) fn failed(self) -> impl Fn(Problem) -> PublishError {
        move |problem| PublishError { stage: self, problem }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Verify => "verify",
            Self::Store => "store",
            Self::Announce => "announce",
        })
    }
}

/// What went wrong.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// A document could not be worked on.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The release could not be read.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// Garbage collection may take the archives before they are listed.
    #[error("storing the archives takes longer than {} hours each time", HALF.as_hours())]
    Slow,
    /// A listed version has no document, which storage must have lost.
    #[error("`{0}` is listed, but not there")]
    Missing(String),
    /// A verified archive has no archive's name, which is a bug.
    #[error("a verified archive has a wrong name")]
    ArchiveName(#[from] ArchiveNameError),
    /// The verification ended before it was done, which is a bug.
    #[error("the verification ended before it was done")]
    Verification(#[source] tokio::task::JoinError),
}

/// A publish that failed in one of its stages.
#[derive(Debug, thiserror::Error)]
#[error("cannot {stage} the release")]
pub struct PublishError {
    /// The stage.
    pub stage: Stage,
    /// What went wrong.
    #[source]
    pub problem: Problem,
}
