//! Cloudflare itself: R2 through its S3 API, KV through the REST API, both with one API token.
//!
//! Whatever may pass (429, 5xx, no answer) is tried again where requests are sent, and nowhere else.

mod api;
mod bindings;
mod bucket;
mod download;
mod endpoint;
mod envelope;
mod identifier;
mod kv;
mod memory;
mod r2;
mod refusal;
mod retry_after;
mod sender;
mod service;
mod stall;
mod token;
mod upload;
mod verification;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use fastrand::Rng;
use futures::{StreamExt as _, TryStreamExt as _};
use yuba::keys::{BlobKey, DocumentKey, ObjectKey};

use super::{
    Advance, Attempt, BlobFile, Cause, Creation, ETag, Existing, Object, Pieces, Stat, Store, StoreError, Stored, Swap,
};
use crate::backoff::Backoff;
use api::Api;
use kv::Kv;
use r2::R2;
use sender::Sender;

pub use bindings::{
    ACCOUNT_VARIABLE, BUCKET_VARIABLE, Bindings, BindingsError, JURISDICTION_VARIABLE, KV_NAMESPACE_VARIABLE, Origin,
    Variables,
};
pub use bucket::{BucketError, BucketName, Jurisdiction};
pub use endpoint::{Endpoint, EndpointError};
pub use identifier::{AccountId, IdentifierError, KvNamespaceId};
pub use r2::R2Error;
pub use refusal::Refusal;
pub use sender::ClientError;
pub use stall::Stalled;
pub use token::{ACCESS_KEY_VARIABLE, CredentialsError, KeyPair, SECRET_KEY_VARIABLE, TOKEN_VARIABLE, Token};

/// How to reach a registry at Cloudflare.
#[derive(Debug, Clone)]
pub struct Access {
    /// What the registry is made of.
    pub bindings: Bindings,
    /// The API token.
    pub token: Token,
    /// A key pair of R2, if the token's own is not to be used.
    pub keys: Option<KeyPair>,
    /// A stand-in for the REST API on this machine, for tests.
    pub api: Option<Endpoint>,
    /// A stand-in for R2 on this machine, for tests.
    pub r2: Option<Endpoint>,
}

/// Why Cloudflare cannot be reached.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The credentials cannot be used.
    #[error(transparent)]
    Credentials(#[from] CredentialsError),
    /// There is no way to send anything.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// R2's client cannot be made.
    #[error(transparent)]
    R2(#[from] R2Error),
    /// Cloudflare does not say what the token's id is.
    #[error("cannot verify the API token")]
    Verify(#[source] Cause),
}

/// A store at Cloudflare.
#[derive(Debug)]
pub struct CloudflareStore {
    r2: R2,
    kv: Kv,
    random: Mutex<Rng>,
}

impl CloudflareStore {
    /// The store that `access` leads to. The token is verified if its key pair is to be used.
    ///
    /// # Errors
    /// [`ConnectError`] if the credentials cannot be used.
    pub async fn connect(access: Access, mut random: Rng) -> Result<Self, ConnectError> {
        let Access { bindings, token, keys, api, r2 } = access;
        let mut sender = |stand_in: &Option<Endpoint>| Sender::new(random.fork(), stand_in.is_some()).map(Arc::new);
        let (api_sender, r2_sender) = (sender(&api)?, sender(&r2)?);
        let r2_endpoint = r2.unwrap_or_else(|| Endpoint::r2(&bindings.account, bindings.jurisdiction));
        let api_endpoint = api.unwrap_or_else(Endpoint::api);
        let api = Api::new(&api_endpoint, bindings.account.clone(), &token, api_sender)?;
        let keys = match keys {
            Some(keys) => keys,
            None => token.key_pair(verification::token_id(&api).await.map_err(ConnectError::Verify)?),
        };
        let kv = Kv::new(api, bindings.kv_namespace.clone());
        Ok(Self { r2: R2::new(&r2_endpoint, &Arc::new(bindings), &keys, &r2_sender)?, kv, random: Mutex::new(random) })
    }
}

/// Says of a cause what was attempted on which key.
fn failed(attempt: Attempt, key: &str) -> impl FnOnce(Cause) -> StoreError {
    move |cause| StoreError { attempt, key: key.to_owned(), cause }
}

#[async_trait]
impl Store for CloudflareStore {
    async fn read(&self, key: &DocumentKey) -> Result<Option<Stored>, StoreError> {
        let object = key.object();
        self.r2.read(&object).await.map_err(failed(Attempt::Read, &object))
    }

    async fn swap(&self, key: &DocumentKey, expected: Option<&ETag>, bytes: &[u8]) -> Result<Swap, StoreError> {
        let object = key.object();
        self.r2.swap(&object, expected, bytes).await.map_err(failed(Attempt::Write, &object))
    }

    async fn objects(&self, prefix: &str) -> Result<Vec<Object>, StoreError> {
        self.r2.objects(prefix).await.map_err(failed(Attempt::List, prefix))
    }

    async fn delete(&self, key: &ObjectKey) -> Result<(), StoreError> {
        let object = key.to_string();
        self.r2.delete(&object).await.map_err(failed(Attempt::Delete, &object))
    }

    async fn duplicate(&self, from: &ObjectKey, to: &ObjectKey) -> Result<bool, StoreError> {
        let to = to.to_string();
        self.r2.duplicate(&from.to_string(), &to).await.map_err(failed(Attempt::Duplicate, &to))
    }

    async fn mark(&self, key: &ObjectKey) -> Result<(), StoreError> {
        let object = key.to_string();
        self.r2.mark(&object).await.map_err(failed(Attempt::Mark, &object))
    }

    async fn read_copy(&self, key: &DocumentKey) -> Result<Option<Vec<u8>>, StoreError> {
        let key = key.to_string();
        self.kv.read(&key).await.map_err(failed(Attempt::ReadCopy, &key))
    }

    async fn write_copy(&self, key: &DocumentKey, bytes: &[u8]) -> Result<(), StoreError> {
        let key = key.to_string();
        self.kv.write(&key, bytes).await.map_err(failed(Attempt::WriteCopy, &key))
    }

    async fn write_copies(&self, copies: &[(DocumentKey, Vec<u8>)]) -> Result<(), StoreError> {
        let pairs: Vec<_> = copies.iter().map(|(key, bytes)| (key.to_string(), bytes.as_slice())).collect();
        let first = pairs.first().map(|(key, _)| key.clone()).unwrap_or_default();
        self.kv.write_all(&pairs).await.map_err(failed(Attempt::WriteCopy, &first))
    }

    async fn delete_copy(&self, name: &str) -> Result<(), StoreError> {
        self.kv.delete(name).await.map_err(failed(Attempt::DeleteCopy, name))
    }

    async fn copies(&self) -> Result<Vec<String>, StoreError> {
        self.kv.keys().await.map_err(failed(Attempt::ListCopies, ""))
    }

    fn longest_copy(&self) -> Duration {
        kv::LONGEST_WRITE
    }

    async fn stat_blob(&self, key: &BlobKey) -> Result<Option<Stat>, StoreError> {
        let object = key.object();
        self.r2.stat(&object).await.map_err(failed(Attempt::Stat, &object))
    }

    async fn put_blob(&self, file: BlobFile<'_>, existing: Existing, advance: Advance) -> Result<Creation, StoreError> {
        let object = file.key.object();
        self.r2.upload(file, existing, advance).await.map_err(failed(Attempt::Upload, &object))
    }

    async fn read_blob(&self, key: &BlobKey) -> Result<Option<Pieces>, StoreError> {
        let object = key.object();
        let backoff = Backoff::new(self.random.lock().unwrap_or_else(PoisonError::into_inner).fork());
        let pieces = self.r2.download(&object, backoff).await.map_err(failed(Attempt::Download, &object))?;
        Ok(pieces.map(|pieces| {
            pieces.map_err(move |cause| StoreError { attempt: Attempt::Download, key: object.clone(), cause }).boxed()
        }))
    }
}
