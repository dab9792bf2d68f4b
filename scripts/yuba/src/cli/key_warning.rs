//! How what is to be known about a key is told.

use serde::Serialize;
use yuba_companion::openpgp::KeyWarning;

use super::output::say_matter;

/// A warning in a report for programs.
#[derive(Debug, Serialize)]
pub(crate) struct ToldWarning {
    message: String,
    hint: String,
}

impl ToldWarning {
    /// All of `warnings`, in their order.
    pub(crate) fn list(warnings: &[KeyWarning]) -> Vec<Self> {
        warnings.iter().map(|warning| Self { message: warning.to_string(), hint: warning.hint() }).collect()
    }

    /// Says it on standard error, for people.
    pub(crate) fn say(&self) {
        say_matter("warning", &self.message, &self.hint);
    }
}
