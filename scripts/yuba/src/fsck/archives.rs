//! Archives, re-read: each is hashed as it comes and unpacked from a file beside, a few at a time.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;

use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use sha2::{Digest as _, Sha256};
use tempfile::NamedTempFile;
use yuba::digest::{H1, Sha256Digest};
use yuba::keys::{BlobKey, ObjectKey};

use super::FsckError;
use super::checks::archives::{ARCHIVE_CONTENT, ARCHIVE_DIGEST, ARCHIVE_MISSING, ARCHIVE_SIZE};
use super::finding::{Finding, Findings, Subject};
use super::pass::{Expected, Pass};
use crate::store::{Stat, Store};
use crate::verify::archive::Archive;
use crate::verify::{Origin, Progress};

/// How many archives are read at once.
const ARCHIVES_AT_ONCE: usize = 4;

/// How archives are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// All of them are read and unpacked.
    Read,
    /// They are only listed: that they are there, in their size.
    List,
}

/// What was found about archives.
#[derive(Debug, Default)]
pub(super) struct Checked {
    pub(super) findings: Vec<Finding>,
    pub(super) archives: usize,
    pub(super) bytes: u64,
}

/// Checks the archives that a pass names or lists; `only` these, if they are given.
pub(super) async fn check(
    store: &dyn Store,
    pass: &Pass,
    only: Option<&BTreeSet<BlobKey>>,
    depth: Depth,
    progress: &dyn Progress,
) -> Result<Checked, FsckError> {
    let mut keys: BTreeSet<_> = pass.inventory.blobs.keys().chain(pass.expected.keys()).copied().collect();
    keys.retain(|key| only.is_none_or(|only| only.contains(key)));
    let checks = keys.into_iter().map(|key| {
        let expected = pass.expected.get(&key).map(Vec::as_slice).unwrap_or_default();
        let listed = pass.inventory.blobs.get(&key).copied();
        check_one(store, key, expected, listed, depth, progress)
    });
    let mut checks = stream::iter(checks).buffer_unordered(ARCHIVES_AT_ONCE);
    let (mut checked, mut findings) = (Checked::default(), Findings::default());
    while let Some((found, size)) = checks.try_next().await? {
        findings.append(found);
        checked.archives += 1;
        checked.bytes += size;
    }
    checked.findings = findings.finish();
    Ok(checked)
}

async fn check_one(
    store: &dyn Store,
    key: BlobKey,
    expected: &[Expected],
    listed: Option<Stat>,
    depth: Depth,
    progress: &dyn Progress,
) -> Result<(Findings, u64), FsckError> {
    let mut findings = Findings::default();
    // What the listing lacks may have come since.
    let stat = match listed {
        Some(stat) => Some(stat),
        None => store.stat_blob(&key).await?,
    };
    let Some(stat) = stat else {
        judge_missing(key, expected, &mut findings);
        return Ok((findings, 0));
    };
    match depth {
        Depth::List => judge_size(key, expected, stat.size, &mut findings),
        Depth::Read => read_one(store, key, expected, stat, progress, &mut findings).await?,
    }
    Ok((findings, stat.size))
}

fn judge_missing(key: BlobKey, expected: &[Expected], findings: &mut Findings) {
    if let Some(expected) = expected.iter().find(|expected| expected.is_listed) {
        let message = format!("is not there, and is `{}` of {}", expected.package.filename, shown(expected));
        findings.add(&ARCHIVE_MISSING, &Subject::object(key.object()), message);
    }
}

fn judge_size(key: BlobKey, expected: &[Expected], size: u64, findings: &mut Findings) {
    if let Some(expected) = expected.iter().find(|expected| expected.package.size != size) {
        let stated = expected.package.size;
        let message = format!("has {size} bytes, where {} says {stated}", shown(expected));
        findings.add(&ARCHIVE_SIZE, &Subject::object(key.object()), message);
    }
}

fn shown(expected: &Expected) -> String {
    format!("`{}`", expected.release)
}

/// Reads an archive and judges its digest, its size and its content.
async fn read_one(
    store: &dyn Store,
    key: BlobKey,
    expected: &[Expected],
    stat: Stat,
    progress: &dyn Progress,
    findings: &mut Findings,
) -> Result<(), FsckError> {
    let name = expected.first().map_or_else(|| key.object(), |expected| expected.package.filename.to_string());
    progress.start(&name, stat.size);
    let read = download(store, key, |bytes| progress.advance(&name, bytes)).await;
    progress.finish(&name);
    let Some(Download { file, digest, size }) = read? else {
        judge_missing(key, expected, findings);
        return Ok(());
    };
    judge_size(key, expected, size, findings);
    if digest != key.0 {
        findings.add(&ARCHIVE_DIGEST, &Subject::object(key.object()), format!("has the SHA-256 {digest}"));
        return Ok(());
    }
    let Some(first) = expected.first().filter(|expected| expected.package.size == size) else { return Ok(()) };
    let archive = Archive {
        file: first.package.filename.to_string(),
        path: file.path().to_owned(),
        size,
        purpose: Some((first.package.filename.r#type.clone(), first.package.filename.platform.clone())),
    };
    let unpacked = tokio::task::spawn_blocking(move || unpack(&archive)).await.map_err(FsckError::Unpacking)?;
    let h1 = unpacked.map_err(|error| FsckError::file(file.path(), error))?;
    judge_content(key, expected, &h1, findings);
    Ok(())
}

fn judge_content(key: BlobKey, expected: &[Expected], h1: &Result<H1, String>, findings: &mut Findings) {
    for expected in expected {
        let message = match h1 {
            Ok(h1) if *h1 == expected.h1() => continue,
            Ok(h1) => format!("has {h1}, where {} says {}", shown(expected), expected.h1()),
            Err(what) => format!("cannot be unpacked: {what}"),
        };
        findings.add(&ARCHIVE_CONTENT, &Subject::object(key.object()), message);
    }
}

/// The h1 of an archive, or why it has none.
fn unpack(archive: &Archive) -> std::io::Result<Result<H1, String>> {
    let mut findings = crate::verify::finding::Findings::new(Origin::Other);
    let h1 = archive.inspect(&|_| {}, &mut findings)?;
    let first = || findings.finish().into_iter().next().map_or_else(String::new, |finding| finding.message);
    Ok(h1.ok_or_else(first))
}

/// An archive on this machine.
struct Download {
    file: NamedTempFile,
    digest: Sha256Digest,
    size: u64,
}

async fn download(store: &dyn Store, key: BlobKey, advance: impl Fn(u64)) -> Result<Option<Download>, FsckError> {
    let Some(mut pieces) = store.read_blob(&key).await? else { return Ok(None) };
    let directory = std::env::temp_dir();
    let failed = |error| FsckError::file(&directory, error);
    let mut file = NamedTempFile::new().map_err(failed)?;
    let (mut hash, mut size) = (Sha256::new(), 0);
    while let Some(piece) = pieces.try_next().await? {
        hash.update(&piece);
        size += piece.len() as u64;
        file.write_all(&piece).map_err(failed)?;
        advance(piece.len() as u64);
    }
    let digest = <[u8; 32]>::from(hash.finalize()).into();
    Ok(Some(Download { file, digest, size }))
}

/// The archive that a finding is about.
pub(super) fn blob_of(finding: &Finding) -> Option<BlobKey> {
    match finding.subject.key.parse() {
        Ok(ObjectKey::Blob(key)) => Some(key),
        _ => None,
    }
}

impl FsckError {
    fn file(path: &Path, source: std::io::Error) -> Self {
        Self::File { path: path.to_owned(), source }
    }
}
