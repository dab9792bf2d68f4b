//! R2, through its S3 API.

use std::sync::Arc;

use futures::TryStreamExt as _;
use object_store::aws::{AmazonS3, AmazonS3Builder, S3ConditionalPut};
use object_store::path::Path;
use object_store::{
    ObjectStore, ObjectStoreExt as _, PutMode, PutOptions, PutPayload, PutResult, RetryConfig, UpdateVersion,
};
use tokio::sync::Semaphore;
use yuba::keys::DocumentKey;

use super::bindings::Bindings;
use super::endpoint::Endpoint;
use super::sender::Sender;
use super::service::{Completion, Failure, Service};
use super::token::KeyPair;
use crate::store::{Cause, ETag, Existing, Listing, Stored, Swap};

/// The region of every bucket ("S3 API compatibility").
const REGION: &str = "auto";

/// How many parts of blobs are held at once, all uploads together.
pub(super) const PARTS_IN_MEMORY: usize = 8;

/// A bucket.
#[derive(Debug)]
pub(super) struct R2 {
    documents: AmazonS3,
    creating: AmazonS3,
    replacing: AmazonS3,
    /// A permit for each part that may be held in memory.
    pub(super) memory: Arc<Semaphore>,
}

/// Why the S3 client cannot be made.
#[derive(Debug, thiserror::Error)]
#[error("cannot make a client of R2")]
pub struct R2Error(#[source] object_store::Error);

/// Whether a request's signature covers its body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Signature {
    /// R2 checks the body against it.
    WithBody,
    /// TLS alone guards the body on its way; its SHA-256 was checked where it was read.
    WithoutBody,
}

impl R2 {
    pub(super) fn new(
        endpoint: &Endpoint,
        bindings: &Arc<Bindings>,
        keys: &KeyPair,
        sender: &Arc<Sender>,
    ) -> Result<Self, R2Error> {
        let client = |signature, completion| {
            AmazonS3Builder::new()
                .with_endpoint(endpoint.as_str())
                .with_allow_http(true)
                .with_region(REGION)
                .with_bucket_name(bindings.bucket.as_str())
                .with_access_key_id(&keys.access_key_id)
                .with_secret_access_key(&keys.secret_access_key)
                .with_conditional_put(S3ConditionalPut::ETagMatch)
                .with_unsigned_payload(signature == Signature::WithoutBody)
                .with_retry(RetryConfig { max_retries: 0, ..RetryConfig::default() })
                .with_http_connector(Service::new(Arc::clone(sender), Arc::clone(bindings), completion))
                .build()
                .map_err(R2Error)
        };
        Ok(Self {
            documents: client(Signature::WithBody, Completion::Create)?,
            creating: client(Signature::WithoutBody, Completion::Create)?,
            replacing: client(Signature::WithoutBody, Completion::Replace)?,
            memory: Arc::new(Semaphore::new(PARTS_IN_MEMORY)),
        })
    }

    /// The client for blobs, which completes uploads in parts as `existing` says.
    pub(super) const fn blobs(&self, existing: Existing) -> &AmazonS3 {
        match existing {
            Existing::Keep => &self.creating,
            Existing::Replace => &self.replacing,
        }
    }

    pub(super) async fn read(&self, key: &str) -> Result<Option<Stored>, Cause> {
        let found = match self.documents.get(&path(key)?).await.map_err(Failure::from) {
            Ok(found) => found,
            Err(Failure::NotFound) => return Ok(None),
            Err(failure) => return Err(unexpected(failure)),
        };
        let etag = found.meta.e_tag.clone().ok_or(Cause::Malformed("an ETag"))?;
        let bytes = found.bytes().await.map_err(|error| unexpected(error.into()))?;
        Ok(Some(Stored { bytes: bytes.into(), etag: ETag::new(etag) }))
    }

    pub(super) async fn swap(&self, key: &str, expected: Option<&ETag>, bytes: &[u8]) -> Result<Swap, Cause> {
        let mode = match expected {
            Some(etag) => PutMode::Update(UpdateVersion { e_tag: Some(etag.as_str().to_owned()), version: None }),
            None => PutMode::Create,
        };
        let put = self.documents.put_opts(&path(key)?, PutPayload::from(bytes.to_vec()), PutOptions::from(mode)).await;
        match put.map_err(Failure::from) {
            Ok(PutResult { e_tag: Some(etag), .. }) => Ok(Swap::Swapped(ETag::new(etag))),
            Ok(_) => Err(Cause::Malformed("an ETag")),
            Err(Failure::Precondition) => Ok(Swap::Conflict),
            // An answer was lost. If the key holds these bytes, it was the answer that they are stored.
            Err(Failure::Doubt) => Ok(match self.read(key).await? {
                Some(stored) if stored.bytes == bytes => Swap::Swapped(stored.etag),
                _ => Swap::Conflict,
            }),
            Err(failure) => Err(unexpected(failure)),
        }
    }

    pub(super) async fn list(&self, listing: &Listing) -> Result<Vec<DocumentKey>, Cause> {
        let found = self.documents.list(Some(&path(&listing.prefix())?));
        let found: Vec<_> = found.try_collect().await.map_err(|error| unexpected(error.into()))?;
        let mut keys: Vec<_> = found.iter().filter_map(|object| listing.key(object.location.as_ref())).collect();
        keys.sort_by_key(DocumentKey::object);
        Ok(keys)
    }

    pub(super) async fn size(&self, key: &str) -> Result<Option<u64>, Cause> {
        match self.documents.head(&path(key)?).await.map_err(Failure::from) {
            Ok(found) => Ok(Some(found.size)),
            Err(Failure::NotFound) => Ok(None),
            Err(failure) => Err(unexpected(failure)),
        }
    }
}

/// A key as the S3 client has it.
pub(super) fn path(key: &str) -> Result<Path, Cause> {
    Path::parse(key).map_err(|_| Cause::Malformed("a key that S3 takes"))
}

/// The cause of a failure that should not have come up.
pub(super) fn unexpected(failure: Failure) -> Cause {
    match failure {
        Failure::Cause(cause) => cause,
        Failure::NotFound => Cause::Refused { status: 404, text: "not found".to_owned() },
        Failure::Precondition | Failure::Doubt => {
            Cause::Refused { status: 412, text: "the condition does not hold".to_owned() }
        }
    }
}
