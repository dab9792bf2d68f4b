//! The directory of a release: which of its files matter, and reading the small ones.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::verdict::VerifyError;

/// What SHA256SUMS files end in.
pub(crate) const SUMS_SUFFIX: &str = "_SHA256SUMS";

/// What signatures over them end in.
const SIGNATURE_SUFFIX: &str = ".sig";

/// What archives end in.
pub(crate) const ARCHIVE_SUFFIX: &str = ".zip";

/// What manifests end in, as release tools upload them.
pub(crate) const MANIFEST_SUFFIX: &str = "_manifest.json";

/// Whether a file of that name is one of a release's, so that it is published with the others: an archive, SHA256SUMS
/// or a manifest.
pub(crate) fn is_release_file(name: &str) -> bool {
    [ARCHIVE_SUFFIX, SUMS_SUFFIX, MANIFEST_SUFFIX].iter().any(|suffix| name.ends_with(suffix))
}

/// The files of a release's directory. Release tools leave others there too; they are ignored unless SHA256SUMS lists
/// them.
#[derive(Debug)]
pub(crate) struct Directory {
    path: PathBuf,
    entries: BTreeMap<String, PathBuf>,
}

impl Directory {
    pub(crate) fn open(path: &Path) -> Result<Self, VerifyError> {
        let fail = |source| VerifyError::Directory { path: path.to_owned(), source };
        let mut entries = BTreeMap::new();
        for entry in fs::read_dir(path).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            entries.insert(entry.file_name().to_string_lossy().into_owned(), entry.path());
        }
        Ok(Self { path: path.to_owned(), entries })
    }

    /// Where the release is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The path of the file `name`, if it is there.
    pub(crate) fn file(&self, name: &str) -> Option<&Path> {
        self.entries.get(name).map(PathBuf::as_path)
    }

    /// All SHA256SUMS files.
    pub(crate) fn sums(&self) -> Vec<(&str, &Path)> {
        self.ending_in(SUMS_SUFFIX)
    }

    /// The name of the signature over the SHA256SUMS file `sums`.
    pub(crate) fn signature_name(sums: &str) -> String {
        format!("{sums}{SIGNATURE_SUFFIX}")
    }

    /// All archives.
    pub(crate) fn archives(&self) -> Vec<(&str, &Path)> {
        self.ending_in(ARCHIVE_SUFFIX)
    }

    /// All manifests.
    pub(crate) fn manifests(&self) -> Vec<(&str, &Path)> {
        self.ending_in(MANIFEST_SUFFIX)
    }

    fn ending_in(&self, suffix: &str) -> Vec<(&str, &Path)> {
        let matching = self.entries.iter().filter(|(name, _)| name.ends_with(suffix));
        matching.map(|(name, path)| (name.as_str(), path.as_path())).collect()
    }
}

/// What became of reading a small file.
#[derive(Debug)]
pub(crate) enum SmallFile {
    /// Its bytes.
    Read(Vec<u8>),
    /// It is no regular file.
    NotAFile,
    /// It has this many bytes, which are too many.
    TooLarge(u64),
}

/// The size of a regular file; none, if `path` is something else, such as a link to nothing.
pub(crate) fn file_size(path: &Path) -> io::Result<Option<u64>> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(Some(metadata.len()).filter(|_| metadata.is_file())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads a file of at most `limit` bytes.
pub(crate) fn read_small(path: &Path, limit: u64) -> Result<SmallFile, VerifyError> {
    read_limited(path, limit).map_err(|source| VerifyError::File { path: path.to_owned(), source })
}

fn read_limited(path: &Path, limit: u64) -> io::Result<SmallFile> {
    let Some(size) = file_size(path)? else {
        return Ok(SmallFile::NotAFile);
    };
    if size > limit {
        return Ok(SmallFile::TooLarge(size));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(limit).read_to_end(&mut bytes)?;
    Ok(SmallFile::Read(bytes))
}
