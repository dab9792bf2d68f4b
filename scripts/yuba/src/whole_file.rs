//! Files that are written whole or not at all.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

use tempfile::{Builder, NamedTempFile, TempDir};

/// What the names of files start with that are not whole yet; tools ignore what starts with a dot.
const STAGED_PREFIX: &str = ".yuba-";

/// Writes a file that is not there yet.
pub(crate) fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    stage(path, bytes)?.persist_noclobber(path).map(drop).map_err(|error| error.error)
}

/// Writes a file over the one that is there.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    stage(path, bytes)?.persist(path).map(drop).map_err(|error| error.error)
}

/// Writes `bytes` to a file beside `path`, so that it can be renamed.
fn stage(path: &Path, bytes: &[u8]) -> io::Result<NamedTempFile<File>> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut staged = builder().tempfile_in(directory)?;
    staged.write_all(bytes)?;
    staged.as_file().sync_all()?;
    Ok(staged)
}

/// A directory beside which files can be renamed into `directory`, and which is gone when it is dropped.
pub(crate) fn staging_directory(directory: &Path) -> io::Result<TempDir> {
    Builder::new().prefix(STAGED_PREFIX).tempdir_in(directory)
}

/// What makes files for everybody to read, as other tools do; by default they are for their owner alone.
fn builder() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(STAGED_PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn nothing_is_written_over_unless_it_is_meant() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        create(&path, b"one").unwrap();
        assert_eq!(create(&path, b"two").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"one");
        replace(&path, b"three").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"three");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "nothing is left beside it");
    }
}
