//! Files that are written whole or not at all.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::Duration;

use jiff::Timestamp;
use sha2::{Digest as _, Sha256};
use tempfile::NamedTempFile;
use yuba::digest::Sha256Digest;

use crate::store::{Advance, ETag, Stat};

/// How much of a file is copied at a time.
pub(super) const CHUNK_BYTES: usize = 256 * 1024;

/// How old a staged file is when nobody writes it any more: no upload takes so long.
const ABANDONED: Duration = Duration::from_hours(24);

/// A directory; paths given to its methods are relative to it.
#[derive(Debug)]
pub(super) struct Tree {
    root: PathBuf,
    swept: Once,
}

/// The `ETag` of some content: its digest, so equal content is never in the way of a swap.
pub(super) fn etag(bytes: &[u8]) -> ETag {
    ETag::new(Sha256Digest::of(bytes).to_string())
}

/// What was read, or nothing if there was no such file.
fn found<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

impl Tree {
    pub(super) const fn new(root: PathBuf) -> Self {
        Self { root, swept: Once::new() }
    }

    pub(super) fn read(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        found(fs::read(self.root.join(path)))
    }

    pub(super) fn stat(&self, path: &Path) -> io::Result<Option<Stat>> {
        let Some(metadata) = found(fs::metadata(self.root.join(path)))? else { return Ok(None) };
        // A file from before 1970 or from the far future is as old as can be said.
        let modified = Timestamp::try_from(metadata.modified()?).unwrap_or(Timestamp::UNIX_EPOCH);
        Ok(Some(Stat { size: metadata.len(), modified }))
    }

    pub(super) fn open(&self, path: &Path) -> io::Result<Option<File>> {
        found(File::open(self.root.join(path)))
    }

    pub(super) fn remove(&self, path: &Path) -> io::Result<()> {
        found(fs::remove_file(self.root.join(path))).map(drop)
    }

    /// The files under a directory, as paths relative to it with `/`; names that are not Unicode are left out.
    pub(super) fn files(&self, directory: &Path) -> io::Result<Vec<String>> {
        let mut files = Vec::new();
        let mut pending = vec![(self.root.join(directory), String::new())];
        while let Some((path, prefix)) = pending.pop() {
            for entry in found(fs::read_dir(path))?.into_iter().flatten() {
                let entry = entry?;
                let Ok(name) = entry.file_name().into_string() else { continue };
                if entry.file_type()?.is_dir() {
                    pending.push((entry.path(), format!("{prefix}{name}/")));
                } else {
                    files.push(format!("{prefix}{name}"));
                }
            }
        }
        Ok(files)
    }

    /// Waits until no other process is between its look and its write.
    pub(super) fn lock(&self) -> io::Result<File> {
        fs::create_dir_all(&self.root)?;
        let lock = File::options().create(true).append(true).open(self.root.join("lock"))?;
        lock.lock()?;
        Ok(lock)
    }

    /// Writes `bytes` to a file that has no place yet.
    pub(super) fn stage(&self, bytes: &[u8]) -> io::Result<NamedTempFile> {
        let mut staged = self.staging_file()?;
        staged.write_all(bytes)?;
        staged.as_file().sync_all()?;
        Ok(staged)
    }

    /// Copies the file at `path`, if it is there, to one that has no place yet.
    pub(super) fn stage_copy(&self, path: &Path) -> io::Result<Option<NamedTempFile>> {
        let Some(mut source) = self.open(path)? else { return Ok(None) };
        let mut staged = self.staging_file()?;
        io::copy(&mut source, &mut staged)?;
        staged.as_file().sync_all()?;
        Ok(Some(staged))
    }

    /// Copies `source` to a file that has no place yet; says what was copied.
    pub(super) fn stage_file(
        &self,
        source: &Path,
        advance: &Advance,
    ) -> io::Result<(NamedTempFile, (Sha256Digest, u64))> {
        let mut source = File::open(source)?;
        let mut staged = self.staging_file()?;
        let mut hash = Sha256::new();
        let mut size = 0;
        let mut buffer = vec![0; CHUNK_BYTES];
        loop {
            let read = match source.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let chunk = buffer.get(..read).unwrap_or_default();
            hash.update(chunk);
            staged.write_all(chunk)?;
            size += read as u64;
            advance(read as u64);
        }
        staged.as_file().sync_all()?;
        let digest = <[u8; 32]>::from(hash.finalize());
        Ok((staged, (digest.into(), size)))
    }

    /// Puts a staged file where it belongs, in one step, over whatever is there.
    pub(super) fn place(&self, staged: NamedTempFile, path: &Path) -> io::Result<()> {
        let path = self.root.join(path);
        let directory = path.parent().unwrap_or(&self.root);
        fs::create_dir_all(directory)?;
        staged.persist(&path).map_err(|refused| refused.error)?;
        sync_directory(directory)
    }

    fn staging_file(&self) -> io::Result<NamedTempFile> {
        let directory = self.root.join("tmp");
        fs::create_dir_all(&directory)?;
        // Best effort: what cannot be swept is only in the way of nobody.
        self.swept.call_once(|| drop(sweep(&directory)));
        let mut builder = tempfile::Builder::new();
        make_readable(&mut builder);
        builder.tempfile_in(&directory)
    }
}

/// Gives files the permissions that any other file gets, which the umask narrows; temporary ones are their owner's alone.
#[cfg(unix)]
fn make_readable(builder: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt as _;
    builder.permissions(fs::Permissions::from_mode(0o666));
}

/// Elsewhere files have no mode.
#[cfg(not(unix))]
fn make_readable(_: &mut tempfile::Builder<'_, '_>) {}

/// Removes what killed processes left behind.
fn sweep(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let modified = entry.metadata()?.modified()?;
        if modified.elapsed().is_ok_and(|age| age > ABANDONED) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Makes the names in a directory survive a power failure.
#[cfg(unix)]
fn sync_directory(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}

/// Elsewhere a directory cannot be opened as a file, and names are written through.
#[cfg(not(unix))]
fn sync_directory(_: &Path) -> io::Result<()> {
    Ok(())
}
