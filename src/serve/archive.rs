//! Archives: R2's stream handed through, whole or in part.

use super::answer::{Answer, Body, CacheControl, validators};
use super::range::{ByteRange, Selection};
use super::refusal::Refusal;
use super::storage::Storage;
use super::{Request, Served};
use crate::document::Package;
use crate::keys::BlobKey;

/// An archive as it is served.
pub(super) struct Archive {
    /// What refusals call it.
    pub(super) name: String,
    pub(super) key: BlobKey,
    /// Its size in bytes.
    pub(super) size: u64,
    pub(super) content_type: &'static str,
}

impl Archive {
    /// The archive of `package`, under its own name.
    pub(super) fn of(package: &Package) -> Self {
        let name = package.filename.to_string();
        Self { name, key: BlobKey(package.zh), size: package.size, content_type: "application/zip" }
    }
}

/// Answers with an archive. Its size and tag are facts of the release, so that HEAD and 304 cost no read.
pub(super) async fn serve<S: Storage>(storage: &S, request: &Request<'_>, archive: &Archive) -> Served<S> {
    let etag = format!("\"{}\"", archive.key.0);
    let mut headers = validators(&etag, CacheControl::Immutable);
    headers.push(("accept-ranges", "bytes".to_owned()));
    if request.conditions.none_match(&etag) {
        return Ok(Answer::new(304, headers, Body::Empty));
    }
    let is_head = request.method == "HEAD";
    // Ranges are defined for GET alone (RFC 9110, section 14.2).
    let selection = if is_head { Selection::Whole } else { request.conditions.select(&etag, archive.size) };
    let range = match selection {
        Selection::Whole => None,
        Selection::Part(range) => Some(range),
        Selection::Unsatisfiable => return Err(Refusal::RangeNotSatisfiable(archive.size)),
    };
    headers.push(("content-type", archive.content_type.to_owned()));
    headers.push(("content-length", range.map_or(archive.size, ByteRange::len).to_string()));
    if let Some(ByteRange { first, last }) = range {
        headers.push(("content-range", format!("bytes {first}-{last}/{}", archive.size)));
    }
    let status = if range.is_some() { 206 } else { 200 };
    let body = if is_head { Body::Empty } else { Body::Stream(open(storage, archive, range).await?) };
    Ok(Answer::new(status, headers, body))
}

async fn open<S: Storage>(storage: &S, archive: &Archive, range: Option<ByteRange>) -> Result<S::Stream, Refusal> {
    let object = archive.key.object();
    let Some(opened) = storage.open_archive(archive.key, range).await? else {
        return Err(Refusal::NoBlob { name: archive.name.clone(), object });
    };
    if opened.size != archive.size {
        return Err(Refusal::WrongSize { object, found: opened.size, listed: archive.size });
    }
    Ok(opened.stream)
}
