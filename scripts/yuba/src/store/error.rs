//! What storage could not do.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use super::cloudflare::{Refusal, Stalled};

/// What storage was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attempt {
    /// Reading a document from R2.
    Read,
    /// Writing a document to R2.
    Write,
    /// Listing keys in R2.
    List,
    /// Reading a copy from KV.
    ReadCopy,
    /// Writing a copy to KV.
    WriteCopy,
    /// Asking R2 for a blob's size.
    Stat,
    /// Writing a blob to R2.
    Upload,
    /// Reading a blob from R2.
    Download,
    /// Deleting an object from R2.
    Delete,
    /// Copying an object within R2.
    Duplicate,
    /// Writing an empty object to R2.
    Mark,
    /// Deleting a key from KV.
    DeleteCopy,
    /// Listing keys in KV.
    ListCopies,
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::List => "list",
            Self::ReadCopy => "read the KV copy",
            Self::WriteCopy => "write the KV copy",
            Self::Stat => "look up",
            Self::Upload => "upload",
            Self::Download => "download",
            Self::Delete => "delete",
            Self::Duplicate => "copy within R2",
            Self::Mark => "mark",
            Self::DeleteCopy => "delete the KV copy",
            Self::ListCopies => "list KV",
        })
    }
}

/// Why storage could not.
#[derive(Debug, thiserror::Error)]
pub enum Cause {
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] io::Error),
    /// No whole answer came: a write may have happened or not.
    #[error("no answer from storage")]
    NoAnswer(#[source] reqwest::Error),
    /// The way to storage stood still: a write may have happened or not.
    #[error(transparent)]
    Stalled(#[from] Stalled),
    /// Storage answered, but not with what was asked.
    #[error("storage answered {status}: {text}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// What it said.
        text: String,
    },
    /// It was tried for as long as anything is tried; a write may have happened or not.
    #[error("gave up: this is tried for {} seconds at most, and was {tries} times", limit.as_secs())]
    GaveUp {
        /// How often.
        tries: u32,
        /// How long it may be tried.
        limit: Duration,
        /// Why the last try failed.
        #[source]
        last: Box<Cause>,
    },
    /// The S3 client does not understand what it got.
    #[error("cannot understand R2's answer")]
    Client(#[source] Box<object_store::Error>),
    /// Cloudflare refuses this for good.
    #[error(transparent)]
    Cloudflare(#[from] Refusal),
    /// Storage answered what cannot be understood.
    #[error("storage answered without {0}")]
    Malformed(&'static str),
    /// A file is not what was verified.
    #[error("file `{}` is not the one that was verified: it changed since", .0.display())]
    Changed(PathBuf),
}

/// A failed attempt on one key.
#[derive(Debug, thiserror::Error)]
#[error("cannot {attempt} `{key}`")]
pub struct StoreError {
    /// What was attempted.
    pub attempt: Attempt,
    /// The key or prefix in R2, or the key in KV.
    pub key: String,
    /// Why it failed.
    #[source]
    pub cause: Cause,
}

impl StoreError {
    /// Whether the same attempt may succeed later, or may have succeeded already: only reading again can tell.
    #[must_use]
    pub const fn is_ambiguous(&self) -> bool {
        match &self.cause {
            Cause::NoAnswer(_) | Cause::Stalled(_) => true,
            Cause::Refused { status, .. } => *status == 429 || *status >= 500,
            // What gave up has tried long enough.
            Cause::File(_)
            | Cause::GaveUp { .. }
            | Cause::Client(_)
            | Cause::Cloudflare(_)
            | Cause::Malformed(_)
            | Cause::Changed(_) => false,
        }
    }
}

impl Cause {
    /// What to do about it, where that is known.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Cloudflare(refusal) => Some(refusal.hint()),
            Self::GaveUp { last, .. } => last.hint(),
            Self::File(_)
            | Self::NoAnswer(_)
            | Self::Stalled(_)
            | Self::Refused { .. }
            | Self::Client(_)
            | Self::Malformed(_)
            | Self::Changed(_) => None,
        }
    }
}
