//! The content of an entry: unpacked in small steps, digested, and never past the size that the directory says.

use std::io::{self, Read};

use flate2::{Crc, Decompress, FlushDecompress, Status};
use rawzip::CompressionMethod;
use sha2::{Digest as _, Sha256};
use yuba::digest::Sha256Digest;

use super::entry::{Entry, Zip};
use crate::verify::check::Check;
use crate::verify::checks::archive::{ZIP_CRC, ZIP_DATA, ZIP_ENTRY_SIZE};
use crate::verify::limits::{BUFFER_BYTES, HEADER_BYTES};

/// What was learned of an entry's content.
pub(crate) struct Digested {
    /// Its SHA-256.
    pub(crate) digest: Sha256Digest,
    /// Its first bytes.
    pub(crate) head: Vec<u8>,
}

/// Why content could not be digested.
pub(crate) enum UnpackError {
    /// The archive is at fault.
    Defect(&'static Check, String),
    /// The system is at fault.
    Io(io::Error),
}

impl From<io::Error> for UnpackError {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::UnexpectedEof {
            return Self::Defect(&ZIP_DATA, "is cut off".to_owned());
        }
        Self::Io(error)
    }
}

/// What takes content in as it is unpacked.
struct Sink {
    limit: u64,
    size: u64,
    crc: Crc,
    digest: Sha256,
    head: Vec<u8>,
}

impl Sink {
    fn take(&mut self, bytes: &[u8]) -> Result<(), UnpackError> {
        self.size += bytes.len() as u64;
        if self.size > self.limit {
            let what = format!("unpacks to more than the {} bytes that the directory says", self.limit);
            return Err(UnpackError::Defect(&ZIP_ENTRY_SIZE, what));
        }
        self.crc.update(bytes);
        self.digest.update(bytes);
        let missing = HEADER_BYTES.saturating_sub(self.head.len());
        self.head.extend(bytes.iter().take(missing));
        Ok(())
    }

    fn finish(self, crc: u32) -> Result<Digested, UnpackError> {
        if self.size < self.limit {
            let what = format!("unpacks to {} bytes, where the directory says {}", self.size, self.limit);
            return Err(UnpackError::Defect(&ZIP_ENTRY_SIZE, what));
        }
        if self.crc.sum() != crc {
            let what = format!("has CRC-32 {:08x}, where the directory says {crc:08x}", self.crc.sum());
            return Err(UnpackError::Defect(&ZIP_CRC, what));
        }
        let digest: [u8; 32] = self.digest.finalize().into();
        Ok(Digested { digest: digest.into(), head: self.head })
    }
}

/// Unpacks an entry that is stored or deflated; `advance` is told how many bytes of the archive are done.
pub(crate) fn unpack(zip: &Zip, entry: &Entry, advance: &dyn Fn(u64)) -> Result<Digested, UnpackError> {
    let located = zip.archive.get_entry(entry.wayfinder);
    let located = located.map_err(|_| UnpackError::Defect(&ZIP_DATA, "has no data".to_owned()))?;
    let mut sink = Sink { limit: entry.size, size: 0, crc: Crc::new(), digest: Sha256::new(), head: Vec::new() };
    let reader = Counted { inner: located.reader(), advance };
    if entry.method == CompressionMethod::STORE {
        copy(reader, &mut sink)?;
    } else {
        inflate(reader, &mut sink)?;
    }
    sink.finish(entry.crc)
}

/// A reader that reports what was read.
struct Counted<'a, R> {
    inner: R,
    advance: &'a dyn Fn(u64),
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        (self.advance)(read as u64);
        Ok(read)
    }
}

fn copy(mut reader: impl Read, sink: &mut Sink) -> Result<(), UnpackError> {
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        let read = reader.read(&mut buffer)?;
        if read == 0 {
            return Ok(());
        }
        sink.take(buffer.get(..read).unwrap_or_default())?;
    }
}

fn inflate(mut reader: impl Read, sink: &mut Sink) -> Result<(), UnpackError> {
    let defect = |what: &str| UnpackError::Defect(&ZIP_DATA, what.to_owned());
    let mut inflater = Decompress::new(false);
    let (mut input, mut output) = (vec![0; BUFFER_BYTES], vec![0; BUFFER_BYTES]);
    let (mut start, mut end) = (0, 0);
    loop {
        if start == end {
            (start, end) = (0, reader.read(&mut input)?);
        }
        let pending = input.get(start..end).unwrap_or_default();
        let (read_before, written_before) = (inflater.total_in(), inflater.total_out());
        let status = inflater.decompress(pending, &mut output, FlushDecompress::None);
        let status = status.map_err(|_| defect("has data that is not deflated"))?;
        let read = usize::try_from(inflater.total_in() - read_before).unwrap_or(usize::MAX);
        let written = usize::try_from(inflater.total_out() - written_before).unwrap_or(usize::MAX);
        start += read;
        sink.take(output.get(..written).unwrap_or_default())?;
        if status == Status::StreamEnd {
            let left = start < end || reader.read(&mut input)? > 0;
            return if left { Err(defect("has bytes behind its deflated data")) } else { Ok(()) };
        }
        if read == 0 && written == 0 {
            // No input is left, and without it no progress: the data ends before its last block.
            return Err(defect("has deflated data that is cut off"));
        }
    }
}
