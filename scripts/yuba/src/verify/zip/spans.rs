//! The entries' own headers, and which bytes of the archive belong to which entry.

use std::io;

use rawzip::{ReaderAt, ZipLocalFileHeader};

use super::entry::{Entry, Zip};
use crate::verify::check::Check;
use crate::verify::checks::archive::{ZIP_GAPS, ZIP_LOCAL_HEADER, ZIP_OVERLAP};
use crate::verify::finding::Findings;

/// The flags that must agree: encryption, descriptor, patch, strong encryption, UTF-8, masking (APPNOTE 4.4.4). The
/// others describe how hard the compressor tried.
const COMPARED_FLAGS: u16 = 0b0010_1000_0110_1001;

/// The signature that may stand before a data descriptor (APPNOTE 4.3.9.3).
const DESCRIPTOR_SIGNATURE: [u8; 4] = *b"PK\x07\x08";

/// The most that a name and the extra fields of a header can take.
const MAX_HEADER_VARIABLE: usize = 2 * (u16::MAX as usize);

/// The bytes of one entry, from its header to the end of its data.
struct Span<'a> {
    entry: &'a Entry,
    start: u64,
    end: u64,
}

/// Checks that headers agree with the directory, and that the entries cover the archive without gap or overlap.
pub(crate) fn check(zip: &Zip, subject: &str, findings: &mut Findings) -> io::Result<()> {
    let mut buffer = vec![0; MAX_HEADER_VARIABLE];
    let mut spans = Vec::new();
    for entry in &zip.entries {
        if let Some(span) = check_header(zip, entry, &mut buffer, subject, findings) {
            spans.push(span);
        }
    }
    if spans.len() < zip.entries.len() {
        return Ok(());
    }
    spans.sort_by_key(|span| (span.start, span.end));
    if let Some(first) = spans.first().filter(|span| span.start > 0) {
        findings.add(&ZIP_GAPS, subject, format!("has {} bytes before its first entry", first.start));
    }
    let next_starts = spans.iter().skip(1).map(|span| span.start).chain([zip.directory_offset]);
    for (span, next) in spans.iter().zip(next_starts) {
        if let Some((check, what)) = check_gap(zip, span, next)? {
            findings.add(check, subject, format!("entry {} {what}", span.entry.shown()));
        }
    }
    Ok(())
}

/// The span of an entry, if its own header could be read.
fn check_header<'a>(
    zip: &Zip,
    entry: &'a Entry,
    buffer: &mut [u8],
    subject: &str,
    findings: &mut Findings,
) -> Option<Span<'a>> {
    if entry.header_offset >= zip.directory_offset {
        findings.add(&ZIP_OVERLAP, subject, format!("entry {} lies behind the directory's start", entry.shown()));
        return None;
    }
    let located = zip.archive.get_entry(entry.wayfinder);
    let Ok((start, end)) = located.as_ref().map(|located| (entry.header_offset, located.compressed_data_range().1))
    else {
        findings.add(&ZIP_LOCAL_HEADER, subject, format!("entry {} has no header of its own", entry.shown()));
        return None;
    };
    if let Ok(differences) =
        located.and_then(|located| located.local_header(buffer).map(|header| differences(entry, &header)))
    {
        for what in differences {
            findings.add(&ZIP_LOCAL_HEADER, subject, format!("entry {} {what}", entry.shown()));
        }
    } else {
        findings.add(&ZIP_LOCAL_HEADER, subject, format!("entry {} has a header that is cut off", entry.shown()));
        return None;
    }
    Some(Span { entry, start, end })
}

/// In what an entry's own header differs from the directory. With a descriptor behind the data, sizes and CRC may be
/// zero in the header, since they were not known when it was written.
fn differences(entry: &Entry, header: &ZipLocalFileHeader<'_>) -> Vec<String> {
    let path = header.file_path();
    let name: &[u8] = path.as_ref();
    let mut found = Vec::new();
    if name != entry.raw_name.as_slice() {
        let name = crate::verify::finding::quote(&String::from_utf8_lossy(name));
        found.push(format!("is called {name} by its own header"));
    }
    if header.compression_method() != entry.method {
        let (own, directory) = (header.compression_method().as_u16(), entry.method.as_u16());
        found.push(format!("has method {own} by its own header and {directory} by the directory"));
    }
    if (header.flags().bits() ^ entry.flags) & COMPARED_FLAGS != 0 {
        let (own, directory) = (header.flags().bits(), entry.flags);
        found.push(format!("has flags {own:#06x} by its own header and {directory:#06x} by the directory"));
    }
    let values = [
        ("CRC", u64::from(header.crc32()), u64::from(entry.crc)),
        ("compressed size", header.compressed_size_hint(), entry.compressed_size),
        ("size", header.uncompressed_size_hint(), entry.size),
    ];
    for (what, own, directory) in values {
        let deferred = entry.has_descriptor && own == 0;
        if own != directory && !deferred {
            found.push(format!("has {what} {own} by its own header and {directory} by the directory"));
        }
    }
    found
}

/// What is wrong with the bytes between the end of an entry's data and the `next` entry: they must be its descriptor.
fn check_gap(zip: &Zip, span: &Span<'_>, next: u64) -> io::Result<Option<(&'static Check, String)>> {
    let Some(gap) = next.checked_sub(span.end) else {
        return Ok(Some((&ZIP_OVERLAP, format!("shares {} bytes with what follows it", span.end - next))));
    };
    if !span.entry.has_descriptor {
        return Ok((gap > 0).then(|| (&ZIP_GAPS, format!("is followed by {gap} bytes of no entry"))));
    }
    let mut bytes = [0; 24];
    let wanted = usize::try_from(gap).ok().filter(|gap| [12, 16, 20, 24].contains(gap));
    let Some(descriptor) = wanted.and_then(|length| bytes.get_mut(..length)) else {
        let what = format!("is followed by {gap} bytes, which is no data descriptor");
        return Ok(Some((if gap == 0 { &ZIP_LOCAL_HEADER } else { &ZIP_GAPS }, what)));
    };
    zip.archive.get_ref().read_exact_at(descriptor, span.end)?;
    let agrees = descriptor_agrees(descriptor, span.entry);
    Ok((!agrees).then(|| (&ZIP_LOCAL_HEADER, "has a data descriptor that differs from the directory".to_owned())))
}

/// Whether a data descriptor, with its signature or without, with sizes of 4 or 8 bytes, says what the directory says.
fn descriptor_agrees(descriptor: &[u8], entry: &Entry) -> bool {
    let wide = matches!(descriptor.len(), 20 | 24);
    let signed = matches!(descriptor.len(), 16 | 24);
    let values = if signed { descriptor.strip_prefix(&DESCRIPTOR_SIGNATURE) } else { Some(descriptor) };
    let mut expected = entry.crc.to_le_bytes().to_vec();
    for size in [entry.compressed_size, entry.size] {
        let bytes = size.to_le_bytes();
        expected.extend(bytes.iter().take(if wide { 8 } else { 4 }));
    }
    values == Some(expected.as_slice())
}
