//! The storage of this machine's registry, through the storage worker of `scripts/dev`.

mod connection;
mod server;

use std::path::Path;

use async_trait::async_trait;
use futures::StreamExt as _;
use reqwest::{Body, Method, RequestBuilder, Response, StatusCode, header};
use serde::Deserialize;
use tokio_util::io::ReaderStream;
use yuba::keys::{BlobKey, DocumentKey};

use super::{Advance, Attempt, BlobFile, Cause, Creation, ETag, Existing, Listing, Store, StoreError, Stored, Swap};

pub use connection::{Connection, ConnectionError, Token};
pub(crate) use server::lock;
pub use server::{Server, ServerError};

/// How much of a blob is sent at a time.
const CHUNK_BYTES: usize = 256 * 1024;

/// What the storage worker checks a blob against.
const SHA256_HEADER: &str = "X-Sha256";

/// A store behind a storage worker on this machine.
#[derive(Debug, Clone)]
pub struct LocalStore {
    connection: Connection,
}

#[derive(Deserialize)]
struct Page {
    objects: Vec<Object>,
    cursor: Option<String>,
}

#[derive(Deserialize)]
struct Object {
    key: String,
}

impl LocalStore {
    /// The store that `connection` leads to.
    #[must_use]
    pub const fn new(connection: Connection) -> Self {
        Self { connection }
    }

    fn r2(&self, method: Method, object: &str) -> Result<RequestBuilder, Cause> {
        self.connection.request(method, "r2", object)
    }

    fn kv(&self, method: Method, key: &DocumentKey) -> Result<RequestBuilder, Cause> {
        self.connection.request(method, "kv", &key.to_string())
    }

    async fn find(&self, object: &str) -> Result<Option<Stored>, Cause> {
        let Some(answer) = found(self.r2(Method::GET, object)?).await? else { return Ok(None) };
        let etag = etag(&answer)?;
        Ok(Some(Stored { bytes: answer.bytes().await.map_err(Cause::NoAnswer)?.into(), etag }))
    }

    async fn put(&self, object: &str, expected: Option<&ETag>, bytes: Vec<u8>) -> Result<Swap, Cause> {
        let request = match expected {
            Some(etag) => self.r2(Method::PUT, object)?.header(header::IF_MATCH, etag.as_str()),
            None => self.r2(Method::PUT, object)?.header(header::IF_NONE_MATCH, "*"),
        };
        // An empty body would not get this header by itself.
        let answer = send(request.header(header::CONTENT_LENGTH, bytes.len()).body(bytes)).await?;
        match answer.status() {
            StatusCode::OK => Ok(Swap::Swapped(etag(&answer)?)),
            StatusCode::PRECONDITION_FAILED => Ok(Swap::Conflict),
            _ => Err(refusal(answer).await),
        }
    }

    async fn keys(&self, listing: &Listing) -> Result<Vec<DocumentKey>, Cause> {
        let prefix = listing.prefix();
        let (mut keys, mut cursor) = (Vec::new(), None::<String>);
        loop {
            let mut query = vec![("prefix", prefix.as_str())];
            query.extend(cursor.as_deref().map(|cursor| ("cursor", cursor)));
            let answer = send(self.connection.list("r2", &query)).await?;
            if answer.status() != StatusCode::OK {
                return Err(refusal(answer).await);
            }
            let page: Page = answer.json().await.map_err(Cause::NoAnswer)?;
            keys.extend(page.objects.iter().filter_map(|object| listing.key(&object.key)));
            cursor = page.cursor;
            if cursor.is_none() {
                keys.sort_by_key(DocumentKey::object);
                return Ok(keys);
            }
        }
    }

    async fn stat(&self, object: &str) -> Result<Option<u64>, Cause> {
        let Some(answer) = found(self.r2(Method::HEAD, object)?).await? else { return Ok(None) };
        // Not `content_length`, which speaks of the body that a HEAD does not have.
        let length = answer.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        length.map(Some).ok_or(Cause::Malformed("a Content-Length"))
    }

    async fn upload(&self, file: BlobFile<'_>, existing: Existing, advance: Advance) -> Result<Creation, Cause> {
        let request = self.r2(Method::PUT, &file.key.object())?;
        let request = match existing {
            Existing::Keep => request.header(header::IF_NONE_MATCH, "*"),
            Existing::Replace => request,
        };
        let request = request.header(SHA256_HEADER, file.key.0.to_string());
        let answer = send(request.header(header::CONTENT_LENGTH, file.size).body(stream(file, advance).await?)).await?;
        match answer.status() {
            StatusCode::OK => Ok(Creation::Created),
            StatusCode::PRECONDITION_FAILED => Ok(Creation::Exists),
            StatusCode::BAD_REQUEST => Err(Cause::Changed(file.path.to_owned())),
            _ => Err(refusal(answer).await),
        }
    }
}

/// The file as a request's body, a piece at a time.
async fn stream(file: BlobFile<'_>, advance: Advance) -> Result<Body, Cause> {
    let opened = tokio::fs::File::open(file.path).await?;
    if opened.metadata().await?.len() != file.size {
        return Err(Cause::Changed(Path::to_owned(file.path)));
    }
    let pieces = ReaderStream::with_capacity(opened, CHUNK_BYTES).inspect(move |piece| {
        if let Ok(piece) = piece {
            advance(piece.len() as u64);
        }
    });
    Ok(Body::wrap_stream(pieces))
}

async fn send(request: RequestBuilder) -> Result<Response, Cause> {
    request.send().await.map_err(Cause::NoAnswer)
}

/// The answer to a GET or HEAD, unless it is that there is nothing.
async fn found(request: RequestBuilder) -> Result<Option<Response>, Cause> {
    let answer = send(request).await?;
    match answer.status() {
        StatusCode::OK => Ok(Some(answer)),
        StatusCode::NOT_FOUND => Ok(None),
        _ => Err(refusal(answer).await),
    }
}

async fn refusal(answer: Response) -> Cause {
    let status = answer.status().as_u16();
    let text = answer.text().await.unwrap_or_default();
    Cause::Refused { status, text: text.lines().next().unwrap_or_default().to_owned() }
}

fn etag(answer: &Response) -> Result<ETag, Cause> {
    let text = answer.headers().get(header::ETAG).and_then(|etag| etag.to_str().ok());
    text.map(|text| ETag::new(text.to_owned())).ok_or(Cause::Malformed("an ETag"))
}

#[async_trait]
impl Store for LocalStore {
    async fn read(&self, key: &DocumentKey) -> Result<Option<Stored>, StoreError> {
        let object = key.object();
        self.find(&object).await.map_err(|cause| StoreError { attempt: Attempt::Read, key: object, cause })
    }

    async fn swap(&self, key: &DocumentKey, expected: Option<&ETag>, bytes: &[u8]) -> Result<Swap, StoreError> {
        let object = key.object();
        let swap = self.put(&object, expected, bytes.to_vec()).await;
        swap.map_err(|cause| StoreError { attempt: Attempt::Write, key: object, cause })
    }

    async fn list(&self, listing: &Listing) -> Result<Vec<DocumentKey>, StoreError> {
        let keys = self.keys(listing).await;
        keys.map_err(|cause| StoreError { attempt: Attempt::List, key: listing.prefix(), cause })
    }

    async fn read_copy(&self, key: &DocumentKey) -> Result<Option<Vec<u8>>, StoreError> {
        let read = async {
            let Some(answer) = found(self.kv(Method::GET, key)?).await? else { return Ok(None) };
            Ok(Some(answer.bytes().await.map_err(Cause::NoAnswer)?.into()))
        };
        read.await.map_err(|cause| StoreError { attempt: Attempt::ReadCopy, key: key.to_string(), cause })
    }

    async fn write_copy(&self, key: &DocumentKey, bytes: &[u8]) -> Result<(), StoreError> {
        let write = async {
            let answer = send(self.kv(Method::PUT, key)?.body(bytes.to_vec())).await?;
            if answer.status() == StatusCode::OK { Ok(()) } else { Err(refusal(answer).await) }
        };
        write.await.map_err(|cause| StoreError { attempt: Attempt::WriteCopy, key: key.to_string(), cause })
    }

    async fn blob_size(&self, key: &BlobKey) -> Result<Option<u64>, StoreError> {
        let object = key.object();
        self.stat(&object).await.map_err(|cause| StoreError { attempt: Attempt::Stat, key: object, cause })
    }

    async fn put_blob(&self, file: BlobFile<'_>, existing: Existing, advance: Advance) -> Result<Creation, StoreError> {
        let put = self.upload(file, existing, advance).await;
        put.map_err(|cause| StoreError { attempt: Attempt::Upload, key: file.key.object(), cause })
    }
}
