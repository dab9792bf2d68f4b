//! What was verified before: a file with one line for each archive, so that a run that was stopped goes on where it was.
//!
//! A line is written at once and whole. One that is torn, as a machine that lost its power leaves it, is no line; what
//! comes after it starts on a line of its own.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use url::Url;
use yuba::address::ProviderAddress;
use yuba::digest::{H1, Sha256Digest};
use yuba::platform::Platform;
use yuba::version::Version;

/// Why a file cannot be a ledger.
#[derive(Debug, thiserror::Error)]
#[error("cannot use the state file `{}`", path.display())]
pub struct LedgerError {
    path: PathBuf,
    source: io::Error,
}

/// Which archive was verified.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Verified {
    /// Of which provider.
    pub address: ProviderAddress,
    /// Of which version.
    pub version: Version,
    /// For which platform.
    pub platform: Platform,
    /// Where it was.
    pub url: Url,
    /// Its SHA-256.
    pub zh: Sha256Digest,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// The hash of its content.
    pub h1: H1,
    /// Its size in bytes.
    pub size: u64,
    /// When it was verified, RFC 3339.
    pub at: String,
}

#[derive(Serialize, Deserialize)]
struct Line {
    #[serde(flatten)]
    archive: Verified,
    #[serde(flatten)]
    facts: Facts,
}

/// An open ledger.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
    file: Mutex<File>,
    known: HashMap<Verified, Facts>,
}

impl Ledger {
    /// Opens the ledger at `path`, which is made if it is not there.
    ///
    /// # Errors
    /// [`LedgerError`] if it cannot be read and written.
    pub fn open(path: &Path) -> Result<Self, LedgerError> {
        let open = || {
            if let Some(directory) = path.parent() {
                fs::create_dir_all(directory)?;
            }
            let mut file = OpenOptions::new().append(true).read(true).create(true).open(path)?;
            let text = io::read_to_string(&mut file)?;
            if !text.is_empty() && !text.ends_with('\n') {
                file.write_all(b"\n")?;
            }
            Ok((file, text))
        };
        let (file, text) = open().map_err(|source| LedgerError { path: path.to_owned(), source })?;
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok());
        let known = lines.map(|line| (line.archive, line.facts)).collect();
        Ok(Self { path: path.to_owned(), file: Mutex::new(file), known })
    }

    /// Forgets everything.
    ///
    /// # Errors
    /// [`LedgerError`] if the file cannot be emptied.
    pub fn clear(&mut self) -> Result<(), LedgerError> {
        self.known.clear();
        let file = self.file.get_mut().unwrap_or_else(PoisonError::into_inner);
        file.set_len(0).map_err(|source| LedgerError { path: self.path.clone(), source })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What was found when this archive was verified, in an earlier run.
    #[must_use]
    pub fn find(&self, archive: &Verified) -> Option<&Facts> {
        self.known.get(archive)
    }

    /// Writes down that an archive was verified.
    ///
    /// # Errors
    /// [`LedgerError`] if that cannot be written.
    pub fn record(&self, archive: Verified, facts: Facts) -> Result<(), LedgerError> {
        let fail = |source| LedgerError { path: self.path.clone(), source };
        let mut line = serde_json::to_vec(&Line { archive, facts }).map_err(|error| fail(error.into()))?;
        line.push(b'\n');
        self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(&line).map_err(fail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(version: &str) -> Verified {
        Verified {
            address: "a.example/acme/dns".parse().unwrap(),
            version: version.parse().unwrap(),
            platform: "linux_amd64".parse().unwrap(),
            url: "https://a.example/x.zip".parse().unwrap(),
            zh: Sha256Digest::of(version.as_bytes()),
        }
    }

    fn facts() -> Facts {
        Facts { h1: H1::of_files([]), size: 7, at: "2026-01-01T00:00:00Z".to_owned() }
    }

    #[test]
    fn what_was_recorded_is_found_by_the_next_run() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("new/ledger");
        let ledger = Ledger::open(&path).unwrap();
        ledger.record(archive("1.0.0"), facts()).unwrap();
        assert_eq!(ledger.find(&archive("1.0.0")), None, "this run knows itself what it did");
        let mut ledger = Ledger::open(&path).unwrap();
        assert_eq!(ledger.find(&archive("1.0.0")), Some(&facts()));
        for other in [
            archive("1.1.0"),
            Verified { zh: Sha256Digest::of(b""), ..archive("1.0.0") },
            Verified { url: "https://b.example/x.zip".parse().unwrap(), ..archive("1.0.0") },
        ] {
            assert_eq!(ledger.find(&other), None);
        }
        ledger.clear().unwrap();
        assert_eq!((ledger.find(&archive("1.0.0")), fs::read(&path).unwrap().len()), (None, 0));
    }

    #[test]
    fn a_torn_line_costs_itself_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("ledger");
        Ledger::open(&path).unwrap().record(archive("1.0.0"), facts()).unwrap();
        let whole = fs::read_to_string(&path).unwrap();
        for cut in 1..whole.len() {
            fs::write(&path, format!("{whole}{}", &whole[..cut])).unwrap();
            Ledger::open(&path).unwrap().record(archive("1.1.0"), facts()).unwrap();
            let ledger = Ledger::open(&path).unwrap();
            assert!(ledger.find(&archive("1.0.0")).is_some() && ledger.find(&archive("1.1.0")).is_some(), "{cut}");
        }
    }

    #[test]
    fn what_is_no_file_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        assert!(Ledger::open(directory.path()).is_err());
    }
}
