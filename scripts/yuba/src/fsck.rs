//! Fsck: everything in R2 and KV is read again and held against everything else.
//!
//! The table in [`checks`] is the one list of what is looked at. It may run beside publishers: what seems wrong is looked
//! at again after as long as a write to KV may take, and only what is wrong both times, in the same way, is a finding.

pub mod check;
pub mod checks;
pub mod document;

mod archives;
mod finding;
mod judge;
mod pass;
mod repair;

use std::collections::BTreeSet;
use std::path::PathBuf;

use fastrand::Rng;
use jiff::Timestamp;

use crate::copies::lease;
use crate::documents::AccessError;
use crate::store::{Store, StoreError};
use crate::verify::Progress;
use archives::{Checked, blob_of};
use pass::Pass;

pub use archives::Depth;
pub use finding::{Finding, Subject};
pub use repair::Repair;

/// Why storage could not be checked.
#[derive(Debug, thiserror::Error)]
pub enum FsckError {
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Something could not be mended.
    #[error("cannot mend what was found")]
    Repair(#[source] AccessError),
    /// An archive could not be put beside to be unpacked.
    #[error("cannot put an archive beside, at `{}`", path.display())]
    File {
        /// Where.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// An archive's unpacking ended before it was done, which is a bug.
    #[error("the unpacking of an archive ended before it was done")]
    Unpacking(#[source] tokio::task::JoinError),
}

/// What is to be checked, and when.
#[derive(Debug, Clone, Copy)]
pub struct Request {
    /// How archives are looked at.
    pub depth: Depth,
    /// The time.
    pub now: Timestamp,
}

/// What a check found.
#[derive(Debug)]
pub struct Examination {
    /// What was found, in the order of the table.
    pub findings: Vec<Finding>,
    /// How many documents were read.
    pub documents: usize,
    /// How many keys KV has.
    pub copies: usize,
    /// How many archives were looked at.
    pub archives: usize,
    /// How many bytes they have.
    pub bytes: u64,
}

impl Examination {
    /// Whether something is wrong.
    #[must_use]
    pub fn has_problem(&self) -> bool {
        self.findings.iter().any(Finding::is_problem)
    }
}

/// What became of what was found.
#[derive(Debug)]
pub struct Repaired {
    /// What was written.
    pub repairs: Vec<Repair>,
    /// What is there now.
    pub after: Examination,
}

/// Checks everything.
///
/// # Errors
/// [`FsckError`] if something could not be read.
pub async fn fsck(store: &dyn Store, request: Request, progress: &dyn Progress) -> Result<Examination, FsckError> {
    examine(store, request, progress).await.map(|(examination, _)| examination)
}

/// Mends what can be mended of what was found, and checks again.
///
/// # Errors
/// [`FsckError`] if something could not be read or written. What was mended until then stays mended.
pub async fn fsck_and_repair(
    store: &dyn Store,
    request: Request,
    progress: &dyn Progress,
    mut random: Rng,
) -> Result<(Examination, Repaired), FsckError> {
    let (before, pass) = examine(store, request, progress).await?;
    let repairs = repair::repair(store, &pass, &before.findings, &mut random).await.map_err(FsckError::Repair)?;
    let again = look_again(store, request.now).await?;
    let suspects: BTreeSet<_> = before.findings.iter().filter_map(blob_of).collect();
    let archives = archives::check(store, &again, Some(&suspects), request.depth, progress).await?;
    let Checked { archives: number, bytes, .. } = &archives;
    let counted = (before.archives.max(*number), before.bytes.max(*bytes));
    let after = conclude(&again, archives.findings, counted);
    Ok((before, Repaired { repairs, after }))
}

async fn examine(
    store: &dyn Store,
    request: Request,
    progress: &dyn Progress,
) -> Result<(Examination, Pass), FsckError> {
    let pass = look_again(store, request.now).await?;
    let mut archives = archives::check(store, &pass, None, request.depth, progress).await?;
    if archives.findings.iter().any(Finding::is_problem) {
        // Garbage may have been collected meanwhile, or a version removed.
        tokio::time::sleep(lease(store)).await;
        let pass = Pass::run(store, request.now).await?;
        let suspects = archives.findings.iter().filter_map(blob_of).collect();
        let again = archives::check(store, &pass, Some(&suspects), request.depth, progress).await?;
        archives.findings.retain(|finding| again.findings.contains(finding));
    }
    let counted = (archives.archives, archives.bytes);
    Ok((conclude(&pass, archives.findings, counted), pass))
}

fn conclude(pass: &Pass, archives: Vec<Finding>, (number, bytes): (usize, u64)) -> Examination {
    let mut findings = pass.findings.clone();
    findings.extend(archives);
    findings.sort_by(|a, b| (a.check.code, &a.subject).cmp(&(b.check.code, &b.subject)));
    Examination { findings, documents: pass.documents, copies: pass.copies, archives: number, bytes }
}

/// A pass whose problems were there some time ago, too: what a publisher does in between is none.
async fn look_again(store: &dyn Store, now: Timestamp) -> Result<Pass, StoreError> {
    let first = Pass::run(store, now).await?;
    if !first.findings.iter().any(Finding::is_problem) {
        return Ok(first);
    }
    tokio::time::sleep(lease(store)).await;
    let mut second = Pass::run(store, now).await?;
    second.findings.retain(|finding| !finding.is_problem() || first.findings.contains(finding));
    Ok(second)
}
