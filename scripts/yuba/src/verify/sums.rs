//! SHA256SUMS against the files it lists.

use std::path::Path;

use yuba::digest::Sha256Digest;

use super::archive::{Archive, digest_file};
use super::checks::files::SUMS_FILE;
use super::checks::sums::{SUMS_ABSENT_FILE, SUMS_MISMATCH, SUMS_UNLISTED};
use super::directory::{ARCHIVE_SUFFIX, Directory, MANIFEST_SUFFIX, SmallFile, file_size, read_small};
use super::finding::Findings;
use super::limits::MAX_SUMS_BYTES;
use super::listing::Listing;
use super::verdict::VerifyError;

/// The name and the bytes of the release's one SHA256SUMS file.
pub(crate) fn read(directory: &Directory, findings: &mut Findings) -> Result<Option<(String, Vec<u8>)>, VerifyError> {
    let subject = directory.path().display().to_string();
    let (name, path) = match directory.sums().as_slice() {
        [(name, path)] => ((*name).to_owned(), *path),
        [] => {
            findings.add(&SUMS_FILE, &subject, "has no file `…_SHA256SUMS`");
            return Ok(None);
        }
        several => {
            let names: Vec<_> = several.iter().map(|(name, _)| *name).collect();
            findings.add(&SUMS_FILE, &subject, format!("has several: `{}`", names.join("`, `")));
            return Ok(None);
        }
    };
    match read_small(path, MAX_SUMS_BYTES)? {
        SmallFile::Read(bytes) => return Ok(Some((name, bytes))),
        SmallFile::NotAFile => findings.add(&SUMS_FILE, &name, "is no regular file"),
        SmallFile::TooLarge(size) => {
            findings.add(&SUMS_FILE, &name, format!("has {size} bytes, over {MAX_SUMS_BYTES}"));
        }
    }
    Ok(None)
}

/// Compares the listing with the archives' digests, and with the other files that it lists.
pub(crate) fn compare(
    directory: &Directory,
    sums: &str,
    listing: &Listing,
    archives: &[(&Archive, Sha256Digest)],
    findings: &mut Findings,
) -> Result<(), VerifyError> {
    for (archive, digest) in archives {
        match listing.digests.get(&archive.file) {
            None if listing.has_unread_lines => {}
            None => findings.add(&SUMS_UNLISTED, &archive.file, format!("has no line in `{sums}`")),
            // What is wrong with the line is said already.
            Some(None) => {}
            Some(Some(listed)) if listed == digest => {}
            Some(Some(listed)) => findings.add(&SUMS_MISMATCH, &archive.file, mismatch(*digest, *listed)),
        }
    }
    for (name, listed) in &listing.digests {
        if archives.iter().any(|(archive, _)| archive.file == *name) {
            continue;
        }
        match (directory.file(name), listed) {
            (None, _) if name.ends_with(MANIFEST_SUFFIX) => {}
            (None, _) => findings.add(&SUMS_ABSENT_FILE, name, format!("is listed in `{sums}`, but not there")),
            (Some(path), Some(listed)) => match digest_regular(path)? {
                Some(digest) if digest == *listed => {}
                Some(digest) => findings.add(&SUMS_MISMATCH, name, mismatch(digest, *listed)),
                None if name.ends_with(ARCHIVE_SUFFIX) => {}
                None => findings.add(&SUMS_ABSENT_FILE, name, format!("is listed in `{sums}`, but no regular file")),
            },
            (Some(_), None) => {}
        }
    }
    Ok(())
}

fn mismatch(digest: Sha256Digest, listed: Sha256Digest) -> String {
    format!("has digest `{digest}`, where its line says `{listed}`")
}

/// The digest of a file that is no archive, such as a manifest or a bill of materials.
fn digest_regular(path: &Path) -> Result<Option<Sha256Digest>, VerifyError> {
    let fail = |source| VerifyError::File { path: path.to_owned(), source };
    match file_size(path).map_err(fail)? {
        Some(_) => digest_file(path).map(Some).map_err(fail),
        None => Ok(None),
    }
}
