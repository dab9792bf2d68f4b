//! Findings: what is wrong with a release, and how a verification collects it.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::check::Check;
use super::severity::{Origin, Severity};

/// The most findings of one check about one file: a hostile archive could otherwise make a million of them.
pub const MAX_REPEATS: usize = 5;

/// One thing that is wrong with a release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The row of the table.
    #[serde(rename = "code")]
    pub check: &'static Check,
    /// What it does to the release.
    pub severity: Severity,
    /// The file it is about, by its name in the release's directory; or the option that was given.
    pub subject: String,
    /// What is wrong, with the offending value.
    pub message: String,
    /// What to do about it.
    pub hint: &'static str,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.check.code, self.subject, self.message)
    }
}

/// The findings of a verification under way.
#[derive(Debug)]
pub(crate) struct Findings {
    origin: Origin,
    found: Vec<Finding>,
    repeats: BTreeMap<(&'static str, String), usize>,
}

impl Findings {
    pub(crate) fn new(origin: Origin) -> Self {
        Self { origin, found: Vec::new(), repeats: BTreeMap::new() }
    }

    /// Adds what `check` found about `subject`.
    pub(crate) fn add(&mut self, check: &'static Check, subject: &str, message: impl fmt::Display) {
        let repeats = self.repeats.entry((check.code, subject.to_owned())).or_default();
        *repeats += 1;
        if *repeats > MAX_REPEATS {
            return;
        }
        self.found.push(Finding {
            check,
            severity: check.severity(self.origin),
            subject: subject.to_owned(),
            message: message.to_string(),
            hint: check.remedy,
        });
    }

    /// Findings of nothing yet, for another part of the same verification.
    pub(crate) fn like(&self) -> Self {
        Self::new(self.origin)
    }

    /// Takes over what another part of the verification found.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.found.append(&mut other.found);
        for (key, count) in other.repeats {
            *self.repeats.entry(key).or_default() += count;
        }
    }

    /// Whether nothing was found at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Whether nothing was found that refuses the release.
    pub(crate) fn accept(&self) -> bool {
        self.found.iter().all(|finding| finding.severity != Severity::Refuse)
    }

    /// All findings in the order of their codes, repetitions counted in the last one.
    pub(crate) fn finish(mut self) -> Vec<Finding> {
        for finding in self.found.iter_mut().rev() {
            let key = (finding.check.code, finding.subject.clone());
            let dropped = self.repeats.remove(&key).unwrap_or_default().saturating_sub(MAX_REPEATS);
            if dropped > 0 {
                finding.message = format!("{} (and {dropped} more like it)", finding.message);
            }
        }
        self.found.sort_by(|a, b| (a.check.code, &a.subject).cmp(&(b.check.code, &b.subject)));
        self.found
    }
}

/// Untrusted text as a message shows it: in backticks, control characters escaped, cut where it is long.
pub(crate) fn quote(text: &str) -> String {
    const MAX_QUOTED_CHARS: usize = 160;
    let mut quoted = String::from("`");
    for (count, character) in text.chars().enumerate() {
        if count == MAX_QUOTED_CHARS {
            quoted.push('…');
            break;
        }
        if character.is_control() || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{feff}')
        {
            quoted.extend(character.escape_default());
        } else {
            quoted.push(character);
        }
    }
    quoted.push('`');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::checks::files::ARCHIVE_NAME;

    #[test]
    fn quotes_what_a_terminal_would_obey() {
        assert_eq!(quote("a\u{1b}[31m\u{202e}b"), "`a\\u{1b}[31m\\u{202e}b`");
        assert_eq!(quote(&"x".repeat(1000)).chars().count(), 163);
    }

    #[test]
    fn a_flood_of_findings_is_counted_not_kept() {
        let mut findings = Findings::new(Origin::Own);
        for number in 0..1000 {
            findings.add(&ARCHIVE_NAME, "a.zip", number);
        }
        let found = findings.finish();
        assert_eq!(found.len(), MAX_REPEATS);
        assert_eq!(found[MAX_REPEATS - 1].message, "4 (and 995 more like it)");
    }
}
