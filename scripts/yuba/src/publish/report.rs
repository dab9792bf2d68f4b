//! What a publish did, key by key.

use serde::Serialize;
use yuba::keys::{BlobKey, DocumentKey};

use crate::documents::Action;

/// Where a key is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Storage {
    /// R2, which is the truth.
    R2,
    /// KV, which holds copies.
    Kv,
}

impl Storage {
    /// The word that stands in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::R2 => "r2",
            Self::Kv => "kv",
        }
    }
}

/// What was done to one key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Write {
    /// Where the key is.
    pub storage: Storage,
    /// The key.
    pub key: String,
    /// What was done.
    pub action: Action,
}

impl Write {
    /// What was done to a document.
    pub(crate) fn document(key: &DocumentKey, action: Action) -> Self {
        Self { storage: Storage::R2, key: key.object(), action }
    }

    /// What was done to a document's copy.
    pub(crate) fn copy(key: &DocumentKey, action: Action) -> Self {
        Self { storage: Storage::Kv, key: key.to_string(), action }
    }

    /// What was done to a blob.
    pub(crate) fn blob(key: &BlobKey, action: Action) -> Self {
        Self { storage: Storage::R2, key: key.object(), action }
    }
}
