//! The state of this machine's registry: the directory that `scripts/dev` serves from.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use yuba::hostname::Hostname;

use crate::store::local::{Connection, Token};

/// What `scripts/dev` leaves in its state while it runs. A killed one leaves it too: only an answer counts.
#[derive(Debug, Deserialize)]
struct Record {
    storage_url: String,
    storage_token: Token,
    hostname: Hostname,
    url: String,
}

/// A registry that is served on this machine right now.
#[derive(Debug, Clone)]
pub struct Served {
    /// The way to its storage.
    pub storage: Connection,
    /// The hostname of its own providers.
    pub hostname: Hostname,
    /// Where clients reach it.
    pub url: String,
}

/// A state directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State(PathBuf);

impl State {
    /// The state in `directory`.
    #[must_use]
    pub const fn new(directory: PathBuf) -> Self {
        Self(directory)
    }

    /// Its directory.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.0
    }

    /// The hostname of every registry that `scripts/dev` serves.
    #[must_use]
    pub fn usual_hostname() -> Option<Hostname> {
        "localhost".parse().ok()
    }

    /// The certificate of the authority that its server has its own from, in PEM.
    #[must_use]
    pub fn authority(&self) -> Option<Vec<u8>> {
        std::fs::read(self.0.join("tls/ca.pem")).ok()
    }

    fn record(&self) -> Option<Record> {
        let bytes = std::fs::read(self.0.join("yuba.json")).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// The hostname that was served from here last, whether it is now or not.
    #[must_use]
    pub fn hostname(&self) -> Option<Hostname> {
        self.record().map(|record| record.hostname)
    }

    /// Who serves this state, if anybody answers. A record that is stale, broken or leads elsewhere is none.
    pub async fn served(&self) -> Option<Served> {
        let record = self.record()?;
        let storage = Connection::new(&record.storage_url, &record.storage_token).ok()?;
        let served = Served { storage, hostname: record.hostname, url: record.url };
        served.storage.answers().await.then_some(served)
    }
}
