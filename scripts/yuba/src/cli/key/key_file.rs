//! Files that hold keys, or what belongs to them.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use yuba_companion::openpgp::KeyFileError;

/// The largest file that is read as keys; a key with many signatures has some 100 KiB.
const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;

/// Why a key file is refused.
#[derive(Debug, thiserror::Error)]
pub(super) enum FileError {
    #[error("cannot read `{}`", .0.display())]
    Read(PathBuf, #[source] io::Error),
    #[error("`{}` is larger than {MAX_FILE_BYTES} bytes, and no key file is", .0.display())]
    TooLarge(PathBuf),
    #[error("cannot use `{}`", .0.display())]
    Keys(PathBuf, #[source] KeyFileError),
}

/// The bytes of a file that is no larger than a key file.
pub(super) fn read_file(path: &Path) -> Result<Vec<u8>, FileError> {
    let failed = |error| FileError::Read(path.to_owned(), error);
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(failed)?;
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(FileError::TooLarge(path.to_owned()));
    }
    Ok(bytes)
}
