//! Workers KV and R2 as [`Storage`]. Both bindings are used read-only, on every route.

use std::rc::Rc;
use std::time::Duration;

use futures_util::future::try_join;
use worker::kv::KvStore;
use worker::{Bucket, Context, Date, Delay, Env, ResponseBody};

use crate::keys::{BlobKey, DocumentKey};
use crate::serve::{Archive, ByteRange, Deferred, Storage, StorageError};

/// The bindings in `wrangler.toml`.
const METADATA: &str = "METADATA";
const ARCHIVES: &str = "ARCHIVES";

/// A key that is never written.
const PROBE: &str = "probe";

/// A body that the runtime sends by itself.
pub(super) type Stream = ResponseBody;

/// The bindings, for one request. Each is taken out of the environment where it is used: a warm request uses none.
#[derive(Clone)]
pub(super) struct EdgeStorage(Rc<(Env, Context)>);

impl EdgeStorage {
    pub(super) fn new(env: Env, context: Context) -> Self {
        Self(Rc::new((env, context)))
    }

    fn metadata(&self) -> Result<KvStore, StorageError> {
        self.0.0.kv(METADATA).map_err(failed("KV", METADATA))
    }

    fn archives(&self) -> Result<Bucket, StorageError> {
        self.0.0.bucket(ARCHIVES).map_err(failed("R2", ARCHIVES))
    }
}

/// A failure of `what`, under `key`.
fn failed<E: std::fmt::Display>(what: &'static str, key: &str) -> impl FnOnce(E) -> StorageError {
    let key = key.to_owned();
    move |error| StorageError(format!("{what} `{key}`: {error}"))
}

impl Storage for EdgeStorage {
    type Stream = Stream;

    async fn read_copy(&self, key: &DocumentKey) -> Result<Option<Vec<u8>>, StorageError> {
        let key = key.to_string();
        self.metadata()?.get(&key).bytes().await.map_err(failed("KV", &key))
    }

    async fn read_truth(&self, key: &DocumentKey) -> Result<Option<Vec<u8>>, StorageError> {
        let key = key.object();
        let object = self.archives()?.get(&key).execute().await.map_err(failed("R2", &key))?;
        let Some(object) = object else { return Ok(None) };
        let body = object.body().ok_or_else(|| failed("R2", &key)("an object without a body"))?;
        body.bytes().await.map(Some).map_err(failed("R2", &key))
    }

    async fn open_archive(
        &self,
        key: BlobKey,
        range: Option<ByteRange>,
    ) -> Result<Option<Archive<Stream>>, StorageError> {
        let key = key.object();
        let archives = self.archives()?;
        let read = archives.get(&key);
        let read = match range {
            Some(range) => read.range(worker::Range::OffsetWithLength { offset: range.first, length: range.len() }),
            None => read,
        };
        let Some(object) = read.execute().await.map_err(failed("R2", &key))? else { return Ok(None) };
        let body = object.body().ok_or_else(|| failed("R2", &key)("an object without a body"))?;
        let stream = body.response_body().map_err(failed("R2", &key))?;
        Ok(Some(Archive { size: object.size(), stream }))
    }

    /// Asks for a key that nothing has: an answer is all that counts.
    async fn probe(&self) -> Result<(), StorageError> {
        let metadata = async { self.metadata()?.get(PROBE).text().await.map_err(failed("KV", PROBE)) };
        let archives = async { self.archives()?.head(PROBE).await.map_err(failed("R2", PROBE)) };
        try_join(metadata, archives).await.map(|_| ())
    }

    fn now(&self) -> Duration {
        Duration::from_millis(Date::now().as_millis())
    }

    async fn sleep(&self, duration: Duration) {
        Delay::from(duration).await;
    }

    fn defer(&self, work: Deferred) {
        self.0.1.wait_until(work);
    }
}
