//! Archives, written so that the same files make the same bytes on every machine and at every time.
//!
//! Nothing of the machine gets in: not the files' times, owners or modes, not the order in which a directory lists them.
//! `SOURCE_DATE_EPOCH` is not asked either, since there is no date worth keeping.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::time::UtcDateTime;
use rawzip::{CompressionMethod, ErrorKind, ZipArchiveWriter};

use crate::verify::limits::BUFFER_BYTES;

/// How hard the compressor tries, of 1 to 9. With 9, the executable of a real provider (18 MB) comes out 3 % smaller and
/// takes 2.6 times as long; with 5, half as long and not a hundredth larger, but 6 is what zip tools and Go do too.
const LEVEL: u32 = 6;

/// The time of every entry, 1980-01-01: the first that a zip file can state, in seconds since 1970.
const TIME: i64 = 315_532_800;

/// The kind bits of an ordinary file (POSIX `sys/stat.h`).
const REGULAR: u32 = 0o100_000;

/// A file to be packed.
#[derive(Debug, Clone)]
pub(super) struct Item {
    /// Its name in the archive.
    pub(super) name: String,
    /// Where it is.
    pub(super) path: PathBuf,
    /// The mode that it unpacks with.
    pub(super) mode: u32,
}

/// Why an archive is not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// A file that is to be packed cannot be read.
    #[error("cannot read `{}`", .0.display())]
    Read(PathBuf, #[source] io::Error),
    /// The archive cannot be written.
    #[error("cannot write `{}`", .0.display())]
    Write(PathBuf, #[source] io::Error),
}

/// Writes an archive of `items`, sorted by name; `advance` is told how many bytes were packed.
pub(super) fn write(path: &Path, mut items: Vec<Item>, advance: &dyn Fn(u64)) -> Result<(), WriteError> {
    items.sort_by(|a, b| a.name.cmp(&b.name));
    let failed = |error| WriteError::Write(path.to_owned(), error);
    let file = File::options().write(true).create_new(true).open(path).map_err(failed)?;
    let mut archive = ZipArchiveWriter::new(BufWriter::with_capacity(BUFFER_BYTES, file));
    for item in &items {
        let source = File::open(&item.path).map_err(|error| WriteError::Read(item.path.clone(), error))?;
        write_entry(&mut archive, item, source, path, advance)?;
    }
    let writer = archive.finish().map_err(|error| failed(to_io(error)))?;
    let file = writer.into_inner().map_err(|error| failed(error.into_error()))?;
    file.sync_all().map_err(failed)
}

fn write_entry<W: Write>(
    archive: &mut ZipArchiveWriter<W>,
    item: &Item,
    mut source: impl Read,
    path: &Path,
    advance: &dyn Fn(u64),
) -> Result<(), WriteError> {
    let failed = |error| WriteError::Write(path.to_owned(), error);
    let entry = archive.new_file(item.name.as_str()).compression_method(CompressionMethod::DEFLATE);
    let entry = entry.unix_permissions(REGULAR | item.mode).last_modified(UtcDateTime::from_unix(TIME)).start();
    let (mut entry, config) = entry.map_err(|error| failed(to_io(error)))?;
    let mut writer = config.wrap(DeflateEncoder::new(&mut entry, Compression::new(LEVEL)));
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        let filled = fill(&mut source, &mut buffer).map_err(|error| WriteError::Read(item.path.clone(), error))?;
        if filled == 0 {
            break;
        }
        writer.write_all(buffer.get(..filled).unwrap_or_default()).map_err(failed)?;
        advance(filled as u64);
    }
    let (encoder, descriptor) = writer.finish().map_err(|error| failed(to_io(error)))?;
    encoder.finish().map_err(failed)?;
    entry.finish(descriptor).map_err(|error| failed(to_io(error)))?;
    Ok(())
}

/// Fills the buffer, unless the source ends: how a system cuts up its answers must not show in what is compressed.
fn fill(source: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match source.read(rest) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

fn to_io(error: rawzip::Error) -> io::Error {
    match error.into_kind() {
        ErrorKind::IO(error) => error,
        kind => io::Error::other(format!("{kind:?}")),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use yuba::digest::Sha256Digest;

    use super::*;

    /// Bytes that compress somewhat, as executables do, and that no library makes.
    fn content(length: usize) -> Vec<u8> {
        let mut state = 1_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 24
        };
        (0..length).map(|_| u8::try_from(next() & next()).unwrap()).collect()
    }

    fn packed(names: [(&str, &[u8], u32); 2]) -> Vec<u8> {
        let directory = tempfile::tempdir().unwrap();
        let item = |(name, content, mode): (&str, &[u8], u32)| {
            let path = directory.path().join(name);
            fs::write(&path, content).unwrap();
            Item { name: name.to_owned(), path, mode }
        };
        let path = directory.path().join("a.zip");
        write(&path, names.map(item).to_vec(), &|_| {}).unwrap();
        fs::read(path).unwrap()
    }

    /// The compressor's own output is no promise of its authors: another version of it may need another digest here,
    /// and then makes other archives of the same files. A release that is signed keeps its archives.
    #[test]
    fn the_same_files_make_the_same_bytes_for_ever() {
        let executable = content(1_000_000);
        let files: [(&str, &[u8], u32); 2] = [("b_v1", &executable, 0o755), ("LICENSE", b"Free.\n", 0o644)];
        let archive = packed(files);
        let [first, second] = files;
        assert_eq!(packed([second, first]), archive, "the order does not matter");
        let digest = Sha256Digest::of(&archive).to_string();
        assert_eq!(digest, "49f7a54adee7bb48d216075b6f459c22bfadc0dbb799ee63a3c12011c7e08595");
    }

    #[test]
    fn what_a_system_reads_in_pieces_is_the_same() {
        struct Pieces<'a>(&'a [u8]);
        impl Read for Pieces<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let length = buffer.len().min(self.0.len()).min(7);
                let (now, later) = self.0.split_at(length);
                buffer[..length].copy_from_slice(now);
                self.0 = later;
                Ok(length)
            }
        }
        let mut buffer = [0; 32];
        let mut source = Pieces(b"twenty-one characters!and more, to fill two");
        assert_eq!(fill(&mut source, &mut buffer).unwrap(), 32);
        assert_eq!(fill(&mut source, &mut buffer).unwrap(), 11);
        assert_eq!(fill(&mut source, &mut buffer).unwrap(), 0);
    }
}
