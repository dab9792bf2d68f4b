//! Archives: R2's stream handed through, whole or in part.

use super::answer::{Answer, Body, CacheControl, validators};
use super::range::{ByteRange, Selection};
use super::refusal::Refusal;
use super::storage::Storage;
use super::{Request, Served};
use crate::document::Package;
use crate::keys::BlobKey;

/// Answers with the archive of `package`. Its size and tag are facts of the release, so that HEAD and 304 cost no read.
pub(super) async fn serve<S: Storage>(storage: &S, request: &Request<'_>, package: &Package) -> Served<S> {
    let etag = format!("\"{}\"", package.zh);
    let mut headers = validators(&etag, CacheControl::Immutable);
    headers.push(("accept-ranges", "bytes".to_owned()));
    if request.conditions.none_match(&etag) {
        return Ok(Answer::new(304, headers, Body::Empty));
    }
    let is_head = request.method == "HEAD";
    // Ranges are defined for GET alone (RFC 9110, section 14.2).
    let selection = if is_head { Selection::Whole } else { request.conditions.select(&etag, package.size) };
    let range = match selection {
        Selection::Whole => None,
        Selection::Part(range) => Some(range),
        Selection::Unsatisfiable => return Err(Refusal::RangeNotSatisfiable(package.size)),
    };
    headers.push(("content-type", "application/zip".to_owned()));
    headers.push(("content-length", range.map_or(package.size, ByteRange::len).to_string()));
    if let Some(ByteRange { first, last }) = range {
        headers.push(("content-range", format!("bytes {first}-{last}/{}", package.size)));
    }
    let status = if range.is_some() { 206 } else { 200 };
    let body = if is_head { Body::Empty } else { Body::Stream(open(storage, package, range).await?) };
    Ok(Answer::new(status, headers, body))
}

async fn open<S: Storage>(storage: &S, package: &Package, range: Option<ByteRange>) -> Result<S::Stream, Refusal> {
    let key = BlobKey(package.zh);
    let missing = || Refusal::NoBlob { filename: Box::new(package.filename.clone()), object: key.object() };
    let archive = storage.open_archive(key, range).await?.ok_or_else(missing)?;
    if archive.size != package.size {
        return Err(Refusal::WrongSize { object: key.object(), found: archive.size, listed: package.size });
    }
    Ok(archive.stream)
}
