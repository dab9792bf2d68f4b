//! What `yuba pack` says in the end.

use std::fmt::Write as _;
use std::path::Path;

use serde::Serialize;
use yuba::name::ProviderType;
use yuba::version::Version;
use yuba_companion::packing::{Mode, Packed, PackedFile, Problem};
use yuba_companion::signing::FileAction;
use yuba_companion::verify::Finding;

use crate::cli::finding::say_findings;
use crate::cli::output::{PrintError, print, print_json, say, say_matter, visible};

/// What becomes of the archives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Status {
    /// They are there now.
    Packed,
    /// They were there before.
    Unchanged,
    /// They are not made.
    Refused,
    /// They would be made.
    DryRun,
}

/// A report, whose JSON form is what programs get.
#[derive(Debug, Serialize)]
pub(super) struct Report<'a> {
    status: Status,
    r#type: &'a ProviderType,
    version: &'a Version,
    files: &'a [PackedFile],
    problems: Vec<ToldProblem>,
    findings: &'a [Finding],
}

#[derive(Debug, Serialize)]
struct ToldProblem {
    message: String,
    hint: &'static str,
}

impl<'a> Report<'a> {
    pub(super) fn new(packed: &'a Packed, r#type: &'a ProviderType, version: &'a Version, mode: Mode) -> Self {
        match packed {
            Packed::Refused { problems, findings } => {
                let tell = |problem: &Problem| ToldProblem { message: problem.to_string(), hint: problem.hint() };
                let problems = problems.iter().map(tell).collect();
                Self { status: Status::Refused, r#type, version, files: &[], problems, findings }
            }
            Packed::Done { files, findings } => {
                let status = match mode {
                    Mode::Rehearse => Status::DryRun,
                    Mode::Write if files.iter().all(|file| file.action == FileAction::Exists) => Status::Unchanged,
                    Mode::Write => Status::Packed,
                };
                Self { status, r#type, version, files, problems: Vec::new(), findings }
            }
        }
    }

    pub(super) fn print_json(&self) -> Result<(), PrintError> {
        print_json(self)
    }

    /// Problems and findings go to standard error, what was packed into `out` to standard output.
    pub(super) fn print_text(&self, out: &Path) -> Result<(), PrintError> {
        for ToldProblem { message, hint } in &self.problems {
            say_matter("refused", message, hint);
        }
        say_findings(self.findings);
        let mut text = String::new();
        for PackedFile { name, action, size, .. } in self.files {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{:<7}  {size:>10}  {name}", action.as_str());
        }
        let (r#type, version, out) = (self.r#type, self.version, visible(&out.display().to_string()));
        let _ = match self.status {
            Status::Refused => {
                say("error: the archives are not made");
                say("hint: nothing was written: mend what is listed above, and pack again");
                return Ok(());
            }
            Status::DryRun => {
                writeln!(text, "\ndry run: {type} {version} can be packed into {out}; nothing was written")
            }
            Status::Unchanged => writeln!(text, "\nunchanged: {type} {version} is packed in {out} already"),
            Status::Packed => writeln!(text, "\npacked: {type} {version} into {out}"),
        };
        print(&text)
    }
}
