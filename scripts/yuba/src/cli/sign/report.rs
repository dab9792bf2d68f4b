//! What `yuba sign` says in the end.

use std::fmt::Write as _;

use serde::Serialize;
use yuba::fingerprint::Fingerprint;
use yuba::platform::Platform;
use yuba_companion::openpgp::{KeyWarning, Signer};
use yuba_companion::signing::{Prepared, SignedFile};
use yuba_companion::verify::Finding;

use crate::cli::finding::say_findings;
use crate::cli::key_warning::ToldWarning;
use crate::cli::output::{PrintError, print, print_json, say};

/// What becomes of the release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Status {
    /// It is signed now.
    Signed,
    /// It was signed before.
    Unchanged,
    /// It must not be signed.
    Refused,
    /// It would be signed.
    DryRun,
}

/// A report, whose JSON form is what programs get.
#[derive(Debug, Serialize)]
pub(super) struct Report<'a> {
    status: Status,
    r#type: Option<String>,
    version: Option<String>,
    platforms: Vec<&'a Platform>,
    /// The primary key.
    key: &'a Fingerprint,
    /// The part of it that signs.
    signer: &'a Fingerprint,
    files: &'a [SignedFile],
    findings: &'a [Finding],
    warnings: Vec<ToldWarning>,
    #[serde(skip)]
    has_sums: bool,
}

impl<'a> Report<'a> {
    pub(super) fn new(prepared: &'a Prepared, signer: &'a Signer, warnings: &[KeyWarning], dry_run: bool) -> Self {
        let refused = Self {
            status: Status::Refused,
            r#type: None,
            version: None,
            platforms: Vec::new(),
            key: signer.key().fingerprint(),
            signer: signer.fingerprint(),
            files: &[],
            findings: &[],
            warnings: ToldWarning::list(warnings),
            has_sums: false,
        };
        match prepared {
            Prepared::Refused { findings, has_sums } => Self { findings, has_sums: *has_sums, ..refused },
            Prepared::Ready(signing) => Self {
                status: match (dry_run, signing.is_done()) {
                    (true, _) => Status::DryRun,
                    (false, true) => Status::Unchanged,
                    (false, false) => Status::Signed,
                },
                r#type: Some(signing.release.r#type.to_string()),
                version: Some(signing.release.version.to_string()),
                platforms: signing.release.archives.keys().collect(),
                files: &signing.files,
                findings: &signing.findings,
                ..refused
            },
        }
    }

    pub(super) fn print_json(&self) -> Result<(), PrintError> {
        print_json(self)
    }

    /// Findings, warnings and refusals go to standard error, what was signed to standard output.
    pub(super) fn print_text(&self) -> Result<(), PrintError> {
        self.warnings.iter().for_each(ToldWarning::say);
        say_findings(self.findings);
        let (Some(r#type), Some(version)) = (&self.r#type, &self.version) else {
            let count = self.findings.len();
            say(format_args!(
                "error: the release is not signed for {count} finding{}",
                if count == 1 { "" } else { "s" }
            ));
            say(if self.has_sums {
                "hint: nothing was written: mend what is listed above, or remove SHA256SUMS and its signature if nobody has them yet, and sign again"
            } else {
                "hint: nothing was written: mend what is listed above, and sign again"
            });
            return Ok(());
        };
        let mut text = String::new();
        for SignedFile { name, action, .. } in self.files {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{:<7}  {name}", action.as_str());
        }
        let platforms: Vec<_> = self.platforms.iter().map(ToString::to_string).collect();
        let (platforms, key) = (platforms.join(", "), self.signer);
        let _ = match self.status {
            Status::DryRun => {
                writeln!(text, "\ndry run: {type} {version} ({platforms}) can be signed by {key}; nothing was written")
            }
            Status::Unchanged => {
                writeln!(text, "\nunchanged: {type} {version} ({platforms}) is signed by {key} already")
            }
            Status::Signed | Status::Refused => writeln!(text, "\nsigned: {type} {version} ({platforms}) by {key}"),
        };
        print(&text)
    }
}
