//! `yuba key`: which keys may sign.

mod add;
mod list;

use clap::Subcommand;
use serde::Serialize;
use yuba::document::SigningKey;
use yuba::fingerprint::Fingerprint;

use super::failure::{Exit, Failure};
use super::output::visible;

/// Register signing keys, the only ones whose releases are published
#[derive(Debug, Subcommand)]
pub(crate) enum Key {
    Add(add::Add),
    List(list::List),
}

impl Key {
    pub(crate) async fn run(&self) -> Result<Exit, Failure> {
        match self {
            Self::Add(add) => add.run().await,
            Self::List(list) => list.run().await,
        }
    }
}

/// A key as reports show it; the armor is for clients.
#[derive(Debug, Serialize)]
struct Shown<'a> {
    fingerprint: &'a Fingerprint,
    user_ids: &'a [String],
    algorithm: &'a str,
    created: &'a str,
    expires: Option<&'a str>,
    added: &'a str,
    source: &'a str,
    source_url: &'a str,
}

impl<'a> Shown<'a> {
    fn new(key: &'a SigningKey) -> Self {
        Self {
            fingerprint: &key.fingerprint,
            user_ids: &key.user_ids,
            algorithm: &key.algorithm,
            created: &key.created,
            expires: key.expires.as_deref(),
            added: &key.added,
            source: &key.source,
            source_url: &key.source_url,
        }
    }

    /// One line, without what a terminal would obey in a user ID.
    fn line(&self) -> String {
        let expires = self.expires.map_or_else(|| "never expires".to_owned(), |expires| format!("expires {expires}"));
        format!("{}  {}  {expires}  {}", self.fingerprint, self.algorithm, visible(&self.user_ids.join(", ")))
    }
}
