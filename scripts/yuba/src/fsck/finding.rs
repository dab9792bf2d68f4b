//! Findings: what is wrong in storage, or only left over.

use std::fmt;

use serde::Serialize;
use yuba::keys::{DocumentKey, ObjectKey};

use super::check::{Check, Weight};
use crate::publish::Storage;

/// What a finding is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Subject {
    /// Where the key is.
    pub storage: Storage,
    /// The key, which may be none of ours.
    pub key: String,
}

impl Subject {
    /// An object in R2.
    #[must_use]
    pub fn object(key: impl Into<String>) -> Self {
        Self { storage: Storage::R2, key: key.into() }
    }

    /// A document in R2.
    #[must_use]
    pub fn document(key: &DocumentKey) -> Self {
        Self::object(key.object())
    }

    /// A key in KV.
    #[must_use]
    pub fn copy(name: impl Into<String>) -> Self {
        Self { storage: Storage::Kv, key: name.into() }
    }

    /// The document that it is or is a copy of.
    #[must_use]
    pub fn document_key(&self) -> Option<DocumentKey> {
        match self.storage {
            Storage::Kv => self.key.parse().ok(),
            Storage::R2 => match self.key.parse() {
                Ok(ObjectKey::Document(key) | ObjectKey::Copying(key, _)) => Some(key),
                _ => None,
            },
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.storage.as_str(), self.key)
    }
}

/// One thing that is wrong, or left over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The row of the table.
    pub check: &'static Check,
    /// What it is about.
    pub subject: Subject,
    /// What is wrong, with the offending value.
    pub message: String,
}

impl Finding {
    /// Whether something is wrong.
    #[must_use]
    pub fn is_problem(&self) -> bool {
        self.check.weight == Weight::Problem
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.check.code, self.subject, self.message)
    }
}

/// The findings of a check under way.
#[derive(Debug, Default)]
pub(super) struct Findings(Vec<Finding>);

impl Findings {
    /// Adds what `check` found about `subject`.
    pub(super) fn add(&mut self, check: &'static Check, subject: &Subject, message: impl fmt::Display) {
        self.0.push(Finding { check, subject: subject.clone(), message: message.to_string() });
    }

    pub(super) fn append(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }

    /// All findings in the order of their codes.
    pub(super) fn finish(mut self) -> Vec<Finding> {
        self.0.sort_by(|a, b| (a.check.code, &a.subject, &a.message).cmp(&(b.check.code, &b.subject, &b.message)));
        self.0.dedup();
        self.0
    }
}
