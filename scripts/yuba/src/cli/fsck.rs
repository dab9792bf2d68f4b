//! `yuba fsck`.

use std::fmt::Write as _;

use clap::Args;
use fastrand::Rng;
use jiff::Timestamp;
use serde::Serialize;
use yuba_companion::fsck::check::{Check, Weight};
use yuba_companion::fsck::{
    Depth, Examination, Finding, FsckError, Repair, Repaired, Request, Subject, fsck, fsck_and_repair,
};
use yuba_companion::store::Store;

use super::care::{Whole, count, typed};
use super::failure::{Exit, Failure};
use super::output::{print, print_json, visible};
use super::place::Found;
use super::{Format, Report, progress};

/// Check everything that is stored
///
/// Reads all of R2 and KV again: every archive's digest and content, every signature, every document against its key, its
/// archives and its copy, and what interrupted commands left. Each finding names what is wrong and what to do. Publishers
/// may be at work meanwhile.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Fsck {
    /// Mend what follows from the rest of storage; nothing is deleted but the marks of killed commands
    #[arg(long)]
    repair: bool,

    /// Read no archive: look only whether each is there, in its size
    #[arg(long)]
    without_archives: bool,

    #[command(flatten)]
    whole: Whole,

    #[command(flatten)]
    report: Report,
}

const EXAMPLES: &str = "\
Examples:
  yuba fsck --target local

  # in a minute: documents, signatures and copies, but no archive's bytes
  yuba fsck --without-archives --target local

  # mend copies, the index and other things that can be derived
  yuba fsck --repair --target local

  # in a pipeline
  yuba fsck --target local --format json | jq -r '.findings[] | select(.weight == \"problem\") | .key'

Exit status: 0 no problem, 1 problems were found and are left, or the input is refused, 2 it could not be checked.";

#[derive(Serialize)]
struct Told<'a> {
    status: &'static str,
    target: String,
    documents: usize,
    copies: usize,
    archives: usize,
    bytes: u64,
    /// What is wrong or left over now.
    findings: Vec<ToldFinding<'a>>,
    /// What was mended.
    repairs: &'a [Repair],
}

#[derive(Serialize)]
struct ToldFinding<'a> {
    code: &'static Check,
    weight: Weight,
    #[serde(flatten)]
    subject: &'a Subject,
    message: &'a str,
    hint: String,
}

impl Fsck {
    pub(crate) async fn run(&self) -> Result<Exit, Failure> {
        let place = self.whole.find()?;
        let opened = place.open().await?;
        let examined = self.examine(&*opened.store).await;
        opened.close().await;
        let (examination, repairs) = examined.map_err(|error| fail(error, &place))?;
        let printed = match self.report.format {
            Format::Text => print(&text(&examination, &repairs, &place)),
            Format::Json => print_json(&told(&examination, &repairs, &place)),
        };
        printed.map_err(|error| error.after("what was mended stays mended"))?;
        Ok(if examination.has_problem() { Exit::Refused } else { Exit::Done })
    }

    /// What is there in the end, and what was mended.
    async fn examine(&self, store: &dyn Store) -> Result<(Examination, Vec<Repair>), FsckError> {
        let depth = if self.without_archives { Depth::List } else { Depth::Read };
        let request = Request { depth, now: Timestamp::now() };
        let watch = progress::archives("checking");
        if !self.repair {
            return Ok((fsck(store, request, &*watch).await?, Vec::new()));
        }
        let (_, Repaired { repairs, after }) = fsck_and_repair(store, request, &*watch, Rng::new()).await?;
        Ok((after, repairs))
    }
}

fn text(examination: &Examination, repairs: &[Repair], place: &Found) -> String {
    let mut text = String::new();
    for Repair { subject, how } in repairs {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "mended: {}: {how}", visible(&subject.to_string()));
    }
    let mut findings = examination.findings.iter().peekable();
    while let Some(finding) = findings.next() {
        let _ = writeln!(text, "{}: {}", finding.check.weight.as_str(), visible(&finding.to_string()));
        // What to do is said once for all findings of a kind.
        if findings.peek().is_none_or(|next| next.check != finding.check) {
            let _ = writeln!(text, "  hint: {}", typed(finding.check.remedy, place));
        }
    }
    if !text.is_empty() {
        text.push('\n');
    }
    let problems = examination.findings.iter().filter(|finding| finding.is_problem()).count();
    let notes = examination.findings.len() - problems;
    let Examination { documents, copies, archives, bytes, .. } = examination;
    let (documents, copies) = (count(*documents, "document", "documents"), count(*copies, "copy", "copies"));
    let archives = count(*archives, "archive", "archives");
    let (problems, notes) = (count(problems, "problem", "problems"), count(notes, "note", "notes"));
    let _ = writeln!(text, "checked: {documents}, {copies} in KV, {archives} ({bytes} bytes): {problems}, {notes}");
    text
}

fn told<'a>(examination: &'a Examination, repairs: &'a [Repair], place: &Found) -> Told<'a> {
    let Examination { findings, documents, copies, archives, bytes } = examination;
    let show = |finding: &'a Finding| ToldFinding {
        code: finding.check,
        weight: finding.check.weight,
        subject: &finding.subject,
        message: &finding.message,
        hint: typed(finding.check.remedy, place),
    };
    Told {
        status: if examination.has_problem() { "problems" } else { "sound" },
        target: place.target().to_string(),
        documents: *documents,
        copies: *copies,
        archives: *archives,
        bytes: *bytes,
        findings: findings.iter().map(show).collect(),
        repairs,
    }
}

fn fail(error: FsckError, place: &Found) -> Failure {
    let hint = match &error {
        FsckError::Store(_) => "what could not be read was not judged: run the same command again",
        FsckError::Repair(_) => "what was mended stays mended: `yuba fsck` says what is left",
        FsckError::File { .. } => "make room where temporary files go, or name another directory with TMPDIR",
        FsckError::Unpacking(_) => "run the same command again",
    };
    Failure::failed(error, typed(hint, place))
}
