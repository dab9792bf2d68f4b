//! The storage of this machine's registry, through the storage worker of `scripts/dev`.

mod connection;
mod server;

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use futures::{StreamExt as _, TryStreamExt as _};
use jiff::Timestamp;
use reqwest::{Body, Method, RequestBuilder, Response, StatusCode, header};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio_util::io::ReaderStream;
use yuba::keys::{BlobKey, DocumentKey, ObjectKey};

use super::{
    Advance, Attempt, BlobFile, Cause, Creation, ETag, Existing, Object, Pieces, Stat, Store, StoreError, Stored, Swap,
};

pub use connection::{Connection, ConnectionError, Token};
pub(crate) use server::lock;
pub use server::{Server, ServerError};

/// How much of a blob is sent at a time.
const CHUNK_BYTES: usize = 256 * 1024;

/// What the storage worker checks a blob against.
const SHA256_HEADER: &str = "X-Sha256";

/// What an object becomes a copy of.
const COPY_HEADER: &str = "X-Copy-Source";

/// When an object was written.
const UPLOADED_HEADER: &str = "X-Uploaded";

/// How long a KV write on this machine takes at most, also when it is busy.
const LONGEST_COPY: Duration = Duration::from_secs(2);

/// A store behind a storage worker on this machine.
#[derive(Debug, Clone)]
pub struct LocalStore {
    connection: Connection,
}

/// One page of a listing: `objects` of R2, `keys` of KV.
#[derive(Deserialize)]
struct Page<T> {
    #[serde(alias = "objects", alias = "keys")]
    found: Vec<T>,
    cursor: Option<String>,
}

#[derive(Deserialize)]
struct ListedObject {
    key: String,
    size: u64,
    uploaded: Timestamp,
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

    fn kv(&self, method: Method, name: &str) -> Result<RequestBuilder, Cause> {
        self.connection.request(method, "kv", name)
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

    /// Everything that a listing of `storage` finds, page by page.
    async fn pages<T: DeserializeOwned>(&self, storage: &str, prefix: &str) -> Result<Vec<T>, Cause> {
        let (mut all, mut cursor) = (Vec::new(), None::<String>);
        loop {
            let mut query = vec![("prefix", prefix)];
            query.extend(cursor.as_deref().map(|cursor| ("cursor", cursor)));
            let answer = send(self.connection.list(storage, &query)).await?;
            if answer.status() != StatusCode::OK {
                return Err(refusal(answer).await);
            }
            let page: Page<T> = answer.json().await.map_err(Cause::NoAnswer)?;
            all.extend(page.found);
            cursor = page.cursor;
            if cursor.is_none() {
                return Ok(all);
            }
        }
    }

    async fn stat(&self, object: &str) -> Result<Option<Stat>, Cause> {
        let Some(answer) = found(self.r2(Method::HEAD, object)?).await? else { return Ok(None) };
        // Not `content_length`, which speaks of the body that a HEAD does not have.
        let size = parsed(&answer, header::CONTENT_LENGTH.as_str()).ok_or(Cause::Malformed("a Content-Length"))?;
        let modified = parsed(&answer, UPLOADED_HEADER).ok_or(Cause::Malformed("a time of upload"))?;
        Ok(Some(Stat { size, modified }))
    }

    async fn change(&self, request: RequestBuilder, done: StatusCode) -> Result<(), Cause> {
        let answer = send(request).await?;
        if answer.status() == done { Ok(()) } else { Err(refusal(answer).await) }
    }

    async fn put_copy(&self, from: &str, to: &str) -> Result<bool, Cause> {
        // A header holds no letters beyond ASCII: the key goes in it as it does in a path.
        let source = self.r2(Method::GET, from)?.build().map_err(Cause::NoAnswer)?.url().path().to_owned();
        let source = source.strip_prefix("/r2/").unwrap_or_default();
        let request = self.r2(Method::PUT, to)?.header(COPY_HEADER, source).header(header::CONTENT_LENGTH, 0);
        let answer = send(request).await?;
        match answer.status() {
            StatusCode::OK => Ok(true),
            StatusCode::NOT_FOUND => Ok(false),
            _ => Err(refusal(answer).await),
        }
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

/// A header's value, if it is there and is one.
fn parsed<T: std::str::FromStr>(answer: &Response, name: &str) -> Option<T> {
    answer.headers().get(name)?.to_str().ok()?.parse().ok()
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

    async fn objects(&self, prefix: &str) -> Result<Vec<Object>, StoreError> {
        let listed = self.pages::<ListedObject>("r2", prefix).await;
        let listed = listed.map_err(|cause| StoreError { attempt: Attempt::List, key: prefix.to_owned(), cause })?;
        let object = |ListedObject { key, size, uploaded }| Object { key, stat: Stat { size, modified: uploaded } };
        let mut objects: Vec<_> = listed.into_iter().map(object).collect();
        objects.sort_by(|one, other| one.key.cmp(&other.key));
        Ok(objects)
    }

    async fn delete(&self, key: &ObjectKey) -> Result<(), StoreError> {
        let object = key.to_string();
        let delete = async { self.change(self.r2(Method::DELETE, &object)?, StatusCode::NO_CONTENT).await };
        delete.await.map_err(|cause| StoreError { attempt: Attempt::Delete, key: object, cause })
    }

    async fn duplicate(&self, from: &ObjectKey, to: &ObjectKey) -> Result<bool, StoreError> {
        let to = to.to_string();
        let copied = self.put_copy(&from.to_string(), &to).await;
        copied.map_err(|cause| StoreError { attempt: Attempt::Duplicate, key: to, cause })
    }

    async fn mark(&self, key: &ObjectKey) -> Result<(), StoreError> {
        let object = key.to_string();
        let mark = async {
            let request = self.r2(Method::PUT, &object)?.header(header::CONTENT_LENGTH, 0);
            self.change(request, StatusCode::OK).await
        };
        mark.await.map_err(|cause| StoreError { attempt: Attempt::Mark, key: object, cause })
    }

    async fn read_copy(&self, key: &DocumentKey) -> Result<Option<Vec<u8>>, StoreError> {
        let read = async {
            let Some(answer) = found(self.kv(Method::GET, &key.to_string())?).await? else { return Ok(None) };
            Ok(Some(answer.bytes().await.map_err(Cause::NoAnswer)?.into()))
        };
        read.await.map_err(|cause| StoreError { attempt: Attempt::ReadCopy, key: key.to_string(), cause })
    }

    async fn write_copy(&self, key: &DocumentKey, bytes: &[u8]) -> Result<(), StoreError> {
        let write =
            async { self.change(self.kv(Method::PUT, &key.to_string())?.body(bytes.to_vec()), StatusCode::OK).await };
        write.await.map_err(|cause| StoreError { attempt: Attempt::WriteCopy, key: key.to_string(), cause })
    }

    async fn delete_copy(&self, name: &str) -> Result<(), StoreError> {
        let delete = async { self.change(self.kv(Method::DELETE, name)?, StatusCode::NO_CONTENT).await };
        delete.await.map_err(|cause| StoreError { attempt: Attempt::DeleteCopy, key: name.to_owned(), cause })
    }

    async fn copies(&self) -> Result<Vec<String>, StoreError> {
        let listed = self.pages::<String>("kv", "").await;
        let mut names =
            listed.map_err(|cause| StoreError { attempt: Attempt::ListCopies, key: String::new(), cause })?;
        names.sort();
        Ok(names)
    }

    fn longest_copy(&self) -> Duration {
        LONGEST_COPY
    }

    async fn stat_blob(&self, key: &BlobKey) -> Result<Option<Stat>, StoreError> {
        let object = key.object();
        self.stat(&object).await.map_err(|cause| StoreError { attempt: Attempt::Stat, key: object, cause })
    }

    async fn put_blob(&self, file: BlobFile<'_>, existing: Existing, advance: Advance) -> Result<Creation, StoreError> {
        let put = self.upload(file, existing, advance).await;
        put.map_err(|cause| StoreError { attempt: Attempt::Upload, key: file.key.object(), cause })
    }

    async fn read_blob(&self, key: &BlobKey) -> Result<Option<Pieces>, StoreError> {
        let object = key.object();
        let failed = move |cause| StoreError { attempt: Attempt::Download, key: object.clone(), cause };
        let answer = async { found(self.r2(Method::GET, &key.object())?).await }.await.map_err(&failed)?;
        Ok(answer.map(|answer| answer.bytes_stream().map_err(move |error| failed(Cause::NoAnswer(error))).boxed()))
    }
}
