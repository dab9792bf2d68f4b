//! The end record and the central directory.

use std::fs::File;
use std::io;

use rawzip::{ErrorKind, FileReader, MAX_CENTRAL_DIRECTORY_RECORD_SIZE, ReaderAt, ZipArchive};

use super::entry::{Entry, Zip};
use crate::verify::checks::archive::{ZIP_EMPTY, ZIP_END, ZIP_READABLE, ZIP_SIZE};
use crate::verify::finding::Findings;
use crate::verify::limits::{MAX_ARCHIVE_BYTES, MAX_DIRECTORY_BYTES, MAX_ENTRIES};

/// The size of an end record without its comment (APPNOTE 4.3.16).
const END_RECORD_BYTES: u64 = 22;

/// What stands between the directory and the end record of a zip64 archive: a record and its locator (APPNOTE 4.3.14,
/// 4.3.15).
const ZIP64_END_BYTES: u64 = 56 + 20;

/// The fixed part of a directory record (APPNOTE 4.3.12).
const RECORD_BYTES: u64 = 46;

/// Reads the central directory of an archive of `size` bytes; nothing, if it cannot or must not be read.
pub(crate) fn read(file: File, size: u64, subject: &str, findings: &mut Findings) -> io::Result<Option<Zip>> {
    if size > MAX_ARCHIVE_BYTES {
        findings.add(&ZIP_SIZE, subject, format!("has {size} bytes, over {MAX_ARCHIVE_BYTES}"));
        return Ok(None);
    }
    let mut buffer = vec![0; MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
    let archive = match ZipArchive::from_file(file, &mut buffer) {
        Ok(archive) => archive,
        Err(error) => return unreadable(error, subject, findings),
    };
    let (end, entry_count) = (archive.eocd_offset(), archive.entries_hint());
    if archive.end_offset() != size || end + END_RECORD_BYTES != size {
        let extra = size.saturating_sub(end + END_RECORD_BYTES);
        findings.add(&ZIP_END, subject, format!("has {extra} bytes behind its end record"));
    }
    let directory_bytes = end.saturating_sub(archive.directory_offset());
    if directory_bytes > MAX_DIRECTORY_BYTES + ZIP64_END_BYTES {
        findings.add(
            &ZIP_SIZE,
            subject,
            format!("has a directory of {directory_bytes} bytes, over {MAX_DIRECTORY_BYTES}"),
        );
        return Ok(None);
    }
    if entry_count > MAX_ENTRIES {
        findings.add(&ZIP_SIZE, subject, format!("has {entry_count} entries, over {MAX_ENTRIES}"));
        return Ok(None);
    }
    let (entries, directory_end) = match read_entries(&archive, &mut buffer) {
        Ok(read) => read,
        Err(error) => return unreadable(error, subject, findings),
    };
    let mut complain = |what: String| {
        findings.add(&ZIP_READABLE, subject, what);
        Ok(None)
    };
    if entries.len() as u64 != entry_count {
        return complain(format!("counts {entry_count} entries and has {} in its directory", entries.len()));
    }
    if directory_end != end && directory_end + ZIP64_END_BYTES != end {
        return complain(format!("has bytes of unknown meaning from {directory_end} on, before its end record"));
    }
    if let Some(what) = contradiction(&archive, directory_end)? {
        return complain(what);
    }
    if entries.is_empty() {
        findings.add(&ZIP_EMPTY, subject, "has no entries");
    }
    let directory_offset = archive.directory_offset();
    Ok(Some(Zip { archive, entries, directory_offset }))
}

/// Reads all records, and tells where the last one ends.
fn read_entries(archive: &ZipArchive<FileReader>, buffer: &mut [u8]) -> Result<(Vec<Entry>, u64), rawzip::Error> {
    let mut entries = Vec::new();
    let mut end = archive.directory_offset();
    let mut records = archive.entries(buffer);
    while let Some(record) = records.next_entry()? {
        let variable = record.file_path().len()
            + record.extra_fields().remaining_bytes().len()
            + record.comment().as_bytes().len();
        end = record.central_directory_offset() + RECORD_BYTES + variable as u64;
        entries.push(Entry::from_record(&record));
        if entries.len() as u64 > MAX_ENTRIES {
            break;
        }
    }
    Ok((entries, end))
}

/// What the end record says that the directory does not bear out. The library leaves these fields unread.
fn contradiction(archive: &ZipArchive<FileReader>, directory_end: u64) -> io::Result<Option<String>> {
    let mut record = [0; 22];
    archive.get_ref().read_exact_at(&mut record, archive.eocd_offset())?;
    let [
        _,
        _,
        _,
        _,
        disk_low,
        disk_high,
        start_low,
        start_high,
        here_low,
        here_high,
        all_low,
        all_high,
        a,
        b,
        c,
        d,
        ..,
    ] = record;
    let one_disk =
        [disk_low, disk_high, start_low, start_high] == [0; 4] && (here_low, here_high) == (all_low, all_high);
    if !one_disk {
        return Ok(Some("is a part of an archive on several disks".to_owned()));
    }
    let stated = u32::from_le_bytes([a, b, c, d]);
    let actual = directory_end - archive.directory_offset();
    let agrees = stated == u32::MAX || u64::from(stated) == actual;
    Ok((!agrees).then(|| format!("states a directory of {stated} bytes and has one of {actual}")))
}

/// Reports an archive that cannot be read, unless the system failed to read it.
fn unreadable(error: rawzip::Error, subject: &str, findings: &mut Findings) -> io::Result<Option<Zip>> {
    match error.into_kind() {
        ErrorKind::IO(error) if error.kind() != io::ErrorKind::UnexpectedEof => return Err(error),
        ErrorKind::IO(_) | ErrorKind::Eof => findings.add(&ZIP_READABLE, subject, "is cut off or damaged"),
        ErrorKind::MissingEndOfCentralDirectory => {
            findings.add(&ZIP_READABLE, subject, "is no zip file, or is cut off: it has no end record");
        }
        kind => findings.add(&ZIP_READABLE, subject, format!("cannot be read as a zip file: {kind}")),
    }
    Ok(None)
}
