//! How findings are told to people.

use yuba_companion::verify::{Finding, Severity};

use super::output::say_matter;

/// Says on standard error all that was found, each with what to do about it.
pub(crate) fn say_findings(findings: &[Finding]) {
    for finding in findings {
        say_matter(word(finding.severity), &finding.to_string(), finding.hint);
    }
}

/// The word that a finding starts with.
pub(crate) const fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Refuse => "refused",
        Severity::Warn => "warning",
    }
}
