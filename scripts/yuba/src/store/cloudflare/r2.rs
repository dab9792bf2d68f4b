//! R2, through its S3 API.

use std::sync::Arc;

use jiff::Timestamp;
use object_store::aws::{AmazonS3, AmazonS3Builder, S3ConditionalPut};
use object_store::list::{PaginatedListOptions, PaginatedListStore as _};
use object_store::path::Path;
use object_store::{
    ObjectMeta, ObjectStore as _, ObjectStoreExt as _, PutMode, PutOptions, PutPayload, PutResult, RetryConfig,
    UpdateVersion,
};

use super::bindings::Bindings;
use super::endpoint::Endpoint;
use super::memory::Memory;
use super::sender::Sender;
use super::service::{Completion, Failure, Service};
use super::token::KeyPair;
use crate::store::{Cause, ETag, Existing, Object, Stat, Stored, Swap};

/// The region of every bucket ("S3 API compatibility").
const REGION: &str = "auto";

/// A bucket.
#[derive(Debug)]
pub(super) struct R2 {
    pub(super) documents: AmazonS3,
    creating: AmazonS3,
    replacing: AmazonS3,
    /// What archives are held in on their way.
    pub(super) memory: Memory,
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
                .with_disable_bulk_delete(true)
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
            memory: Memory::new(),
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
        let Some(found) = found(self.documents.get(&path(key)?).await)? else { return Ok(None) };
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

    /// Everything whose key starts with `prefix`, sorted by key.
    pub(super) async fn objects(&self, prefix: &str) -> Result<Vec<Object>, Cause> {
        let (mut objects, mut page_token) = (Vec::new(), None);
        loop {
            let options = PaginatedListOptions { page_token, ..PaginatedListOptions::default() };
            let page = self.documents.list_paginated(Some(prefix), options).await;
            let page = page.map_err(|error| unexpected(error.into()))?;
            for found in &page.result.objects {
                objects.push(Object { key: found.location.to_string(), stat: stat(found)? });
            }
            page_token = page.page_token;
            if page_token.is_none() {
                objects.sort_by(|one, other| one.key.cmp(&other.key));
                return Ok(objects);
            }
        }
    }

    pub(super) async fn stat(&self, key: &str) -> Result<Option<Stat>, Cause> {
        found(self.documents.head(&path(key)?).await)?.map(|found| stat(&found)).transpose()
    }

    pub(super) async fn delete(&self, key: &str) -> Result<(), Cause> {
        found(self.documents.delete(&path(key)?).await).map(|_| ())
    }

    /// Copies an object, unless there is none.
    pub(super) async fn duplicate(&self, from: &str, to: &str) -> Result<bool, Cause> {
        Ok(found(self.documents.copy(&path(from)?, &path(to)?).await)?.is_some())
    }

    /// Writes an empty object.
    pub(super) async fn mark(&self, key: &str) -> Result<(), Cause> {
        let put = self.documents.put(&path(key)?, PutPayload::new()).await;
        put.map(|_| ()).map_err(|error| unexpected(error.into()))
    }
}

/// What was found, unless there is nothing.
pub(super) fn found<T>(found: object_store::Result<T>) -> Result<Option<T>, Cause> {
    match found.map_err(Failure::from) {
        Ok(found) => Ok(Some(found)),
        Err(Failure::NotFound) => Ok(None),
        Err(failure) => Err(unexpected(failure)),
    }
}

fn stat(found: &ObjectMeta) -> Result<Stat, Cause> {
    let modified = Timestamp::from_millisecond(found.last_modified.timestamp_millis());
    Ok(Stat { size: found.size, modified: modified.map_err(|_| Cause::Malformed("a time of upload"))? })
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
