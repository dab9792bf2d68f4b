//! Signing: SHA256SUMS, the signature over it, and the manifest that it lists, for a release that is sound.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::Serialize;
use yuba::digest::Sha256Digest;

use crate::openpgp::{Form, SignError, SignatureFile, Signer};
use crate::verify::{Finding, Progress, UnsignedRelease, UnsignedVerdict, VerifyError, verify_unsigned};
use crate::whole_file;

/// Why a release is not signed, where that is not the release's fault.
#[derive(Debug, thiserror::Error)]
pub enum SigningError {
    /// A file of the release cannot be read.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// There is no signature that clients would take.
    #[error(transparent)]
    Sign(#[from] SignError),
    /// An older signature cannot be read.
    #[error("cannot read `{}`", .0.display())]
    Read(PathBuf, #[source] io::Error),
    /// A file cannot be written.
    #[error("cannot write `{}`", .0.display())]
    Write(PathBuf, #[source] io::Error),
}

/// What becomes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FileAction {
    /// It is there and stays.
    Exists,
    /// It is made.
    Create,
    /// It is written over the one that is there.
    Replace,
}

impl FileAction {
    /// The word that stands in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Exists => "exists",
            Self::Create => "create",
            Self::Replace => "replace",
        }
    }
}

/// A file of a signed release.
#[derive(Debug, Clone, Serialize)]
pub struct SignedFile {
    /// Its name in the release's directory.
    pub name: String,
    /// What becomes of it.
    pub action: FileAction,
    #[serde(skip)]
    bytes: Vec<u8>,
}

/// A release that is ready to be signed, or already is, and the files that this takes.
#[derive(Debug)]
pub struct Signing {
    /// The release.
    pub release: UnsignedRelease,
    /// What is to be known about it.
    pub findings: Vec<Finding>,
    /// The manifest, SHA256SUMS and its signature, in the order in which they are written.
    pub files: Vec<SignedFile>,
    directory: PathBuf,
}

/// What came of looking at a release.
#[derive(Debug)]
pub enum Prepared {
    /// It can be signed.
    Ready(Signing),
    /// It must not be.
    Refused {
        /// What is wrong with it.
        findings: Vec<Finding>,
        /// Whether there is a SHA256SUMS already, so that it may be that which is wrong.
        has_sums: bool,
    },
}

/// Verifies the release in `dist` and signs it in memory; nothing is written yet.
///
/// A SHA256SUMS that is there is signed as it is, provided that it vouches for the files that are there: it may have
/// been seen elsewhere, so that it is never written over. A good signature by the same key over it stays.
///
/// # Errors
/// [`SigningError`], if something cannot be read, or the signature is none that clients take.
pub fn prepare(
    dist: &Path,
    manifest: Option<&Path>,
    signer: &Signer,
    now: Timestamp,
    progress: &dyn Progress,
) -> Result<Prepared, SigningError> {
    let UnsignedVerdict { findings, release, has_sums } = verify_unsigned(dist, manifest, progress)?;
    let Some(release) = release else { return Ok(Prepared::Refused { findings, has_sums }) };
    let manifest_name = release.manifest_name();
    let is_there = |name: &str| fs::symlink_metadata(dist.join(name)).is_ok();
    let manifest = SignedFile {
        action: if is_there(&manifest_name) { FileAction::Exists } else { FileAction::Create },
        name: manifest_name,
        bytes: release.manifest.clone(),
    };
    let sums = SignedFile {
        name: release.sums_name(),
        action: if release.shasums.is_some() { FileAction::Exists } else { FileAction::Create },
        bytes: release.shasums.clone().unwrap_or_else(|| render_sums(&release)).into_bytes(),
    };
    let signature = sign(dist, &release.signature_name(), &sums, signer, now)?;
    let files = vec![manifest, sums, signature];
    Ok(Prepared::Ready(Signing { release, findings, files, directory: dist.to_owned() }))
}

impl Signing {
    /// Whether nothing is left to do.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.files.iter().all(|file| file.action == FileAction::Exists)
    }

    /// Writes what is not there, each file whole or not at all, the signature last.
    ///
    /// # Errors
    /// [`SigningError::Write`], after which running it again completes it.
    pub fn write(&self) -> Result<(), SigningError> {
        for file in &self.files {
            let path = self.directory.join(&file.name);
            let written = match file.action {
                FileAction::Exists => Ok(()),
                FileAction::Create => whole_file::create(&path, &file.bytes),
                FileAction::Replace => whole_file::replace(&path, &file.bytes),
            };
            written.map_err(|error| SigningError::Write(path, error))?;
        }
        Ok(())
    }
}

/// SHA256SUMS as clients read it: digest, two spaces, name, sorted by name.
fn render_sums(release: &UnsignedRelease) -> String {
    let mut lines: Vec<_> = release.archives.values().cloned().collect();
    lines.push((release.manifest_name(), Sha256Digest::of(&release.manifest)));
    lines.sort();
    let mut text = String::new();
    for (name, digest) in lines {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{digest}  {name}");
    }
    text
}

/// The signature over `sums`: the one that is there, if it is good and of the same key, else a new one.
fn sign(
    dist: &Path,
    name: &str,
    sums: &SignedFile,
    signer: &Signer,
    now: Timestamp,
) -> Result<SignedFile, SigningError> {
    let path = dist.join(name);
    let held = match fs::read(&path) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(SigningError::Read(path, error)),
    };
    let name = name.to_owned();
    match held {
        Some(bytes) if is_good(&bytes, &sums.bytes, signer, now) => {
            Ok(SignedFile { name, action: FileAction::Exists, bytes })
        }
        held => {
            let action = if held.is_some() { FileAction::Replace } else { FileAction::Create };
            Ok(SignedFile { name, action, bytes: signer.sign(&sums.bytes, now)? })
        }
    }
}

fn is_good(signature: &[u8], sums: &[u8], signer: &Signer, now: Timestamp) -> bool {
    let Ok(file) = SignatureFile::parse(signature) else { return false };
    let judgement = signer.judge(&file, sums, now);
    file.form == Form::Binary && judgement.fingerprint.is_some() && judgement.defects.is_empty()
}
