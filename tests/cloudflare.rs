//! Cloudflare on this machine: a real S3 server behind a gateway that behaves as R2 does, and a double of the REST API.

mod api;
mod faults;
mod gateway;
mod s3s;
mod server;
mod throttle;

use std::path::{Path, PathBuf};

use tempfile::TempDir;
use yuba_companion::store::cloudflare::{
    Access, AccountId, Bindings, Endpoint, Jurisdiction, KeyPair, KvNamespaceId, Token,
};

pub use api::{Api, Permission, TokenKind};
pub use faults::{Fault, Faults};
pub use gateway::Gateway;
pub use throttle::Throttle;

/// The account.
pub const ACCOUNT: &str = "023e105f4ecef8ad9ca31a8372d0c353";

/// Its KV namespace.
pub const KV_NAMESPACE: &str = "0f2ac74b498b48028cb68387c421e279";

/// Its bucket.
pub const BUCKET: &str = "yuba-archives";

/// A token of the account's with every permission.
pub const TOKEN: &str = "test-only-token";

/// That token's id.
pub const TOKEN_ID: &str = "ed17574386854bf78a67040be0a770b0";

/// An account with one bucket and one KV namespace.
pub struct Cloudflare {
    /// R2.
    pub r2: Gateway,
    /// The REST API, with KV.
    pub api: Api,
    _directory: TempDir,
    root: PathBuf,
}

impl Cloudflare {
    /// A fresh account, as fast as this machine is.
    ///
    /// # Errors
    /// Why there is no S3 server here.
    pub fn start() -> Result<Self, String> {
        Self::with(Throttle::Off)
    }

    /// A fresh account that takes one write per second and key.
    ///
    /// # Errors
    /// Why there is no S3 server here.
    pub fn throttled() -> Result<Self, String> {
        Self::with(Throttle::OnePerSecondAndKey)
    }

    fn with(throttle: Throttle) -> Result<Self, String> {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path().to_owned();
        let api = Api::start(throttle);
        let r2 = Gateway::start(&root, throttle)?;
        let cloudflare = Self { r2, api, _directory: directory, root };
        cloudflare.make_bucket(BUCKET);
        Ok(cloudflare)
    }

    /// How many writes were put off with 429, in R2 and in KV.
    #[must_use]
    pub fn put_off(&self) -> usize {
        self.r2.put_off() + self.api.put_off()
    }

    /// Makes a bucket.
    pub fn make_bucket(&self, name: &str) {
        std::fs::create_dir(self.root.join(name)).expect("a bucket that is not there yet");
    }

    /// The directory whose directories are the buckets.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The file behind an object.
    #[must_use]
    pub fn object(&self, bucket: &str, key: &str) -> PathBuf {
        self.root.join(bucket).join(key)
    }

    /// How many uploads in parts were begun and neither completed nor given up.
    #[must_use]
    pub fn open_uploads(&self) -> usize {
        let entries = std::fs::read_dir(&self.root).expect("the server's directory");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        names.filter(|name| name.to_str().is_some_and(|name| name.starts_with(".upload-"))).count()
    }

    /// The way to the account with its token.
    #[must_use]
    pub fn access(&self) -> Access {
        self.access_to(BUCKET, KV_NAMESPACE)
    }

    /// The way to a bucket and a KV namespace of the account.
    #[must_use]
    pub fn access_to(&self, bucket: &str, kv_namespace: &str) -> Access {
        let account: AccountId = ACCOUNT.parse().expect("an account");
        let kv_namespace: KvNamespaceId = kv_namespace.parse().expect("a KV namespace");
        let bucket = bucket.parse().expect("a bucket");
        Access {
            bindings: Bindings { account, bucket, jurisdiction: Jurisdiction::Default, kv_namespace },
            token: Token::new(TOKEN.to_owned()).expect("a token"),
            keys: None::<KeyPair>,
            api: Some(Endpoint::local(self.api.url()).expect("an address")),
            r2: Some(Endpoint::local(self.r2.url()).expect("an address")),
        }
    }
}
