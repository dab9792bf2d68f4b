//! Judgements: what is wrong with what was read, and nothing about how it was read.

pub(super) mod copy;
pub(super) mod index;
pub(super) mod namespace;
pub(super) mod oci_view;
pub(super) mod provider;
pub(super) mod release;
pub(super) mod stored;

use jiff::Timestamp;

use super::checks::documents::DOCUMENT_TIME;
use super::finding::{Findings, Subject};
use crate::time;
use crate::verify::finding::quote;

/// Judges the times of a document.
fn judge_times<'a>(subject: &Subject, times: impl IntoIterator<Item = &'a str>, findings: &mut Findings) {
    for text in times {
        if !text.parse::<Timestamp>().is_ok_and(|parsed| time::render(parsed) == text) {
            findings.add(&DOCUMENT_TIME, subject, format!("{} is no time such as 2026-01-02T03:04:05Z", quote(text)));
        }
    }
}
