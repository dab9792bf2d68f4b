//! One archive: its bytes, its entries, its executable.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rawzip::CompressionMethod;
use sha2::{Digest as _, Sha256};
use yuba::digest::{H1, Sha256Digest};
use yuba::name::ProviderType;
use yuba::platform::Platform;

use super::checks::archive::{ZIP_ENCRYPTED, ZIP_METHOD, ZIP_RATIO, ZIP_SIZE};
use super::checks::executable::{
    EXECUTABLE, EXECUTABLE_HEADER, EXECUTABLE_HOST, EXECUTABLE_MODE, EXECUTABLE_PLATFORM, EXECUTABLE_SINGLE,
};
use super::executable::{Judgement, is_candidate, judge};
use super::finding::Findings;
use super::limits::{BUFFER_BYTES, FREE_CONTENT_BYTES, MAX_CONTENT_BYTES, MAX_RATIO};
use super::zip::{Digested, Entry, UnpackError, Zip, check_paths, check_spans, read_central_directory, unpack};

/// The mode that an executable must have.
pub(crate) const EXECUTABLE_BITS: u32 = 0o755;

/// An archive to be verified.
#[derive(Debug)]
pub(crate) struct Archive {
    /// Its file name.
    pub(crate) file: String,
    /// Where it is.
    pub(crate) path: PathBuf,
    /// Its size in bytes.
    pub(crate) size: u64,
    /// What its name says it is for, if the name is legal.
    pub(crate) purpose: Option<(ProviderType, Platform)>,
}

/// What an archive is inspected against, wherever its bytes are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Contents<'a> {
    /// What findings are about: the file's name.
    pub(crate) file: &'a str,
    /// Its size in bytes.
    pub(crate) size: u64,
    /// What it is said to be for, if that is known.
    pub(crate) purpose: Option<&'a (ProviderType, Platform)>,
}

/// The digest of a file, read in small steps.
pub(crate) fn digest_file(path: &Path) -> io::Result<Sha256Digest> {
    let mut file = File::open(path)?;
    let mut digest = Sha256::new();
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            let digest: [u8; 32] = digest.finalize().into();
            return Ok(digest.into());
        }
        digest.update(buffer.get(..read).unwrap_or_default());
    }
}

impl Archive {
    /// The digest of the file's bytes.
    pub(crate) fn digest(&self) -> io::Result<Sha256Digest> {
        digest_file(&self.path)
    }

    /// Checks everything inside the archive; its h1, if all of it could be read.
    pub(crate) fn inspect(&self, advance: &dyn Fn(u64), findings: &mut Findings) -> io::Result<Option<H1>> {
        let contents = Contents { file: &self.file, size: self.size, purpose: self.purpose.as_ref() };
        contents.inspect(File::open(&self.path)?, advance, findings)
    }
}

impl Contents<'_> {
    /// Checks everything inside the archive whose bytes are in `bytes`; its h1, if all of it could be read.
    pub(crate) fn inspect(
        &self,
        bytes: File,
        advance: &dyn Fn(u64),
        findings: &mut Findings,
    ) -> io::Result<Option<H1>> {
        let Some(zip) = read_central_directory(bytes, self.size, self.file, findings)? else {
            return Ok(None);
        };
        check_paths(&zip.entries, self.file, findings);
        check_spans(&zip, self.file, findings)?;
        let executable = self.check_executable(&zip.entries, findings);
        if !self.check_amount(&zip.entries, findings) {
            return Ok(None);
        }
        let mut digests = Vec::new();
        for (index, entry) in zip.entries.iter().enumerate() {
            let Some(content) = self.unpack(&zip, entry, advance, findings)? else {
                continue;
            };
            if executable == Some(index) {
                self.check_header(entry, &content.head, findings);
            }
            digests.push((entry.name.as_deref(), content.digest));
        }
        let complete = digests.len() == zip.entries.len();
        let named: Option<Vec<_>> = digests.into_iter().map(|(name, digest)| Some((name?, digest))).collect();
        Ok(named.filter(|_| complete).map(H1::of_files))
    }

    /// Whether the content is small enough to be unpacked.
    fn check_amount(&self, entries: &[Entry], findings: &mut Findings) -> bool {
        let content = entries.iter().fold(0_u64, |sum, entry| sum.saturating_add(entry.size));
        if content > MAX_CONTENT_BYTES {
            let message = format!("unpacks to {content} bytes, over {MAX_CONTENT_BYTES}");
            findings.add(&ZIP_SIZE, self.file, message);
            return false;
        }
        if content > FREE_CONTENT_BYTES && content > self.size.saturating_mul(MAX_RATIO) {
            let message = format!("has {} bytes and unpacks to {content}, over {MAX_RATIO} times as many", self.size);
            findings.add(&ZIP_RATIO, self.file, message);
            return false;
        }
        true
    }

    fn unpack(
        &self,
        zip: &Zip,
        entry: &Entry,
        advance: &dyn Fn(u64),
        findings: &mut Findings,
    ) -> io::Result<Option<Digested>> {
        if entry.encrypted {
            findings.add(&ZIP_ENCRYPTED, self.file, format!("entry {} is encrypted", entry.shown()));
            return Ok(None);
        }
        if !matches!(entry.method, CompressionMethod::STORE | CompressionMethod::DEFLATE) {
            let message = format!("entry {} is compressed by method `{}`", entry.shown(), entry.method);
            findings.add(&ZIP_METHOD, self.file, message);
            return Ok(None);
        }
        match unpack(zip, entry, advance) {
            Ok(content) => Ok(Some(content)),
            Err(UnpackError::Io(error)) => Err(error),
            Err(UnpackError::Defect(check, what)) => {
                findings.add(check, self.file, format!("entry {} {what}", entry.shown()));
                Ok(None)
            }
        }
    }

    /// Finds the entry that a client starts, and checks how it was packed.
    fn check_executable(&self, entries: &[Entry], findings: &mut Findings) -> Option<usize> {
        let (r#type, _) = self.purpose?;
        let named = |entry: &Entry| entry.name.clone().filter(|name| is_candidate(name, r#type));
        let files = entries.iter().enumerate().filter(|(_, entry)| !entry.is_directory());
        let mut candidates: Vec<_> = files.filter_map(|(index, entry)| Some((named(entry)?, index, entry))).collect();
        candidates.sort_by(|a, b| a.0.cmp(&b.0));
        candidates.dedup_by(|a, b| a.0 == b.0);
        let Some((name, index, entry)) = candidates.first() else {
            if !entries.is_empty() {
                let message = format!("has no file `terraform-provider-{type}` in its root");
                findings.add(&EXECUTABLE, self.file, message);
            }
            return None;
        };
        if let Some((second, ..)) = candidates.get(1) {
            let message = format!("has `{name}`, which clients start, and also `{second}`");
            findings.add(&EXECUTABLE_SINGLE, self.file, message);
        }
        match entry.mode() {
            None => {
                let message = format!("entry `{name}` was made on host `{}`, without a unix mode", entry.host());
                findings.add(&EXECUTABLE_HOST, self.file, message);
            }
            Some(mode) if mode & 0o777 != EXECUTABLE_BITS => {
                let message = format!("entry `{name}` has mode `{:04o}`", mode & 0o777);
                findings.add(&EXECUTABLE_MODE, self.file, message);
            }
            Some(_) => {}
        }
        Some(*index)
    }

    fn check_header(&self, entry: &Entry, head: &[u8], findings: &mut Findings) {
        let Some((_, platform)) = self.purpose else {
            return;
        };
        match judge(head, platform) {
            Judgement::Fits => {}
            Judgement::Contradicts(header) => {
                let message = format!("entry {} is {header}, which is not `{platform}`", entry.shown());
                findings.add(&EXECUTABLE_PLATFORM, self.file, message);
            }
            Judgement::Unknown(why) => {
                findings.add(&EXECUTABLE_HEADER, self.file, format!("entry {} {why}", entry.shown()));
            }
        }
    }
}
