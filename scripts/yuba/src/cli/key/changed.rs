//! What a command did to a key's record.

use jiff::Timestamp;
use serde::Serialize;
use yuba::address::NamespaceAddress;
use yuba_companion::keyring::{ChangedKey, SignedVersions};
use yuba_companion::publish::Write;
use yuba_companion::target::Target;

use super::shown::Shown;
use crate::cli::Format;
use crate::cli::output::{PrintError, print, print_json};
use crate::cli::plan;

/// A report, whose JSON form is what programs get.
#[derive(Serialize)]
pub(super) struct Changed<'a> {
    status: &'static str,
    target: String,
    namespace: String,
    key: Shown<'a>,
    /// The listed versions that the key signed.
    signed: &'a [SignedVersions],
    writes: &'a [Write],
    #[serde(skip)]
    done: &'static str,
}

impl<'a> Changed<'a> {
    /// The report of a change that is `done`, such as `retired`.
    pub(super) fn new(
        changed: &'a ChangedKey,
        done: &'static str,
        dry_run: bool,
        target: &Target,
        namespace: &NamespaceAddress,
        signed: &'a [SignedVersions],
    ) -> Self {
        let status = match (dry_run, changed.before == changed.after) {
            (true, _) => "dry-run",
            (false, true) => "unchanged",
            (false, false) => done,
        };
        Self {
            status,
            target: target.to_string(),
            namespace: namespace.to_string(),
            key: Shown::new(&changed.after, Timestamp::now()),
            signed,
            writes: &changed.writes,
            done,
        }
    }

    pub(super) fn print(&self, format: Format) -> Result<(), PrintError> {
        match format {
            Format::Text => print(&self.text()),
            Format::Json => print_json(self),
        }
    }

    fn text(&self) -> String {
        let Self { status, done, namespace, .. } = self;
        let (key, state) = (self.key.fingerprint, self.key.state());
        if *status != "dry-run" {
            return format!("{status}: {key} in {namespace}, {state}\n");
        }
        let plan = plan::render(self.writes);
        format!("{plan}\ndry run: {key} in {namespace} would be {done}, {state}; nothing was written\n")
    }
}
