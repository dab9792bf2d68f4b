//! What a finding does to a release, and where the release comes from.

use serde::Serialize;

/// What a finding does to the release it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The release is not taken.
    Refuse,
    /// The release is taken, and whoever publishes it should know.
    Warn,
}

impl Severity {
    /// The word that stands in messages, documents and JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Warn => "warn",
        }
    }
}

/// Where a release comes from, which decides how strictly it is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Whoever publishes the release can make it anew.
    Own,
    /// Another registry published it long ago, and nobody here can change it.
    Other,
}
