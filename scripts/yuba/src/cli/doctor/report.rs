//! What `yuba doctor` says in the end.

use std::fmt::Write as _;

use serde::Serialize;
use url::Url;
use yuba_companion::diagnosis::{Finding, Outcome};

use super::exit;
use crate::cli::Format;
use crate::cli::failure::{Exit, Failure};
use crate::cli::output::{print, print_json, visible};

/// All findings, whose JSON form is what programs get.
#[derive(Debug, Serialize)]
pub(super) struct Diagnosis {
    status: Outcome,
    url: Option<String>,
    checks: Vec<Finding>,
}

impl Diagnosis {
    pub(super) fn new(url: Option<&Url>, findings: Vec<Finding>) -> Self {
        let worst = findings.iter().map(|finding| finding.outcome).filter(|outcome| *outcome != Outcome::Skipped).max();
        Self { status: worst.unwrap_or(Outcome::Ok), url: url.map(Url::to_string), checks: findings }
    }

    /// Prints it, and says how the command ends.
    pub(super) fn finish(&self, format: Format) -> Result<Exit, Failure> {
        let printed = match format {
            Format::Text => print(&visible(&self.text())),
            Format::Json => print_json(self),
        };
        printed.map_err(|error| error.after("nothing was changed"))?;
        Ok(exit(self.status))
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for Finding { check, outcome, message, hint } in &self.checks {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{:<7}  {:<13}  {message}", outcome.as_str(), check.as_str());
            if let Some(hint) = hint {
                let _ = writeln!(text, "{:<7}  {:<13}  hint: {hint}", "", "");
            }
        }
        let count = |outcome| self.checks.iter().filter(|finding| finding.outcome == outcome).count();
        let told = |count: usize, noun: &str| match count {
            0 => format!("no {noun}s"),
            1 => format!("1 {noun}"),
            _ => format!("{count} {noun}s"),
        };
        let (problems, warnings) = (count(Outcome::Problem), count(Outcome::Warning));
        let _ = writeln!(text, "\n{}, {}", told(problems, "problem"), told(warnings, "warning"));
        text
    }
}
