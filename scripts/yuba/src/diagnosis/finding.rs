//! Findings: what one check came to.

use std::error::Error;

use serde::Serialize;

/// What is looked at, in the order in which it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// What `wrangler.toml` says.
    Configuration,
    /// What leads the hostname to the Worker.
    Route,
    /// Whether the credentials are accepted.
    Credentials,
    /// Reading from and writing to R2.
    R2,
    /// Reading from and writing to KV.
    Kv,
    /// That the registry answers, with a certificate that clients accept.
    Https,
    /// What a client learns first.
    Discovery,
    /// Whether the Worker reaches its storage.
    Health,
    /// Whether the Worker answers for the registry's own providers.
    Providers,
    /// This machine's clock.
    Clock,
    /// How long the signing keys last.
    Keys,
}

impl Check {
    /// The word that stands in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Configuration => "configuration",
            Self::Route => "route",
            Self::Credentials => "credentials",
            Self::R2 => "r2",
            Self::Kv => "kv",
            Self::Https => "https",
            Self::Discovery => "discovery",
            Self::Health => "health",
            Self::Providers => "providers",
            Self::Clock => "clock",
            Self::Keys => "keys",
        }
    }
}

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// All is well.
    Ok,
    /// It could not be looked at.
    Skipped,
    /// It works, but something should be done.
    Warning,
    /// It does not work, for clients or for publishing.
    Problem,
}

impl Outcome {
    /// The word that stands in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Skipped => "skipped",
            Self::Warning => "warning",
            Self::Problem => "problem",
        }
    }
}

/// What one check came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was looked at.
    pub check: Check,
    /// How bad it is.
    pub outcome: Outcome,
    /// What was found.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Finding {
    /// All is well.
    pub fn ok(check: Check, message: impl Into<String>) -> Self {
        Self { check, outcome: Outcome::Ok, message: message.into(), hint: None }
    }

    /// It could not be looked at.
    pub fn skipped(check: Check, message: impl Into<String>) -> Self {
        Self { check, outcome: Outcome::Skipped, message: message.into(), hint: None }
    }

    /// Something should be done.
    pub fn warning(check: Check, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { check, outcome: Outcome::Warning, message: message.into(), hint: Some(hint.into()) }
    }

    /// It does not work.
    pub fn problem(check: Check, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { check, outcome: Outcome::Problem, message: message.into(), hint: Some(hint.into()) }
    }
}

/// An error and its causes in one line.
#[must_use]
pub fn chain(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let said = error.to_string().trim_end().to_owned();
        // Some libraries repeat their cause in their own message.
        if !text.ends_with(&said) {
            text = format!("{text}: {said}");
        }
        cause = error.source();
    }
    text
}
