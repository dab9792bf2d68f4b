//! `yuba key`: which keys may sign.

mod add;
mod list;

use clap::Subcommand;
use jiff::Timestamp;
use serde::Serialize;
use yuba::document::SigningKey;
use yuba::fingerprint::Fingerprint;
use yuba_companion::openpgp::KeyWarning;

use super::failure::{Exit, Failure};
use super::key_warning::ToldWarning;
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
pub(super) struct Shown<'a> {
    fingerprint: &'a Fingerprint,
    user_ids: &'a [String],
    algorithm: &'a str,
    created: &'a str,
    expires: Option<&'a str>,
    added: &'a str,
    source: &'a str,
    source_url: &'a str,
    warnings: Vec<ToldWarning>,
}

impl<'a> Shown<'a> {
    pub(super) fn new(key: &'a SigningKey, now: Timestamp) -> Self {
        Self {
            fingerprint: &key.fingerprint,
            user_ids: &key.user_ids,
            algorithm: &key.algorithm,
            created: &key.created,
            expires: key.expires.as_deref(),
            added: &key.added,
            source: &key.source,
            source_url: &key.source_url,
            warnings: ToldWarning::list(&KeyWarning::list(&key.ascii_armor, now)),
        }
    }

    /// Says on standard error what is to be known about it.
    fn warn(&self) {
        self.warnings.iter().for_each(ToldWarning::say);
    }

    /// Since when it is expired, if it is at `now`.
    fn expired(&self, now: Timestamp) -> Option<&'a str> {
        self.expires.filter(|expires| expires.parse::<Timestamp>().is_ok_and(|expires| expires <= now))
    }

    /// One line, without what a terminal would obey in a user ID.
    pub(super) fn line(&self, now: Timestamp) -> String {
        let expires = match (self.expired(now), self.expires) {
            (Some(expired), _) => format!("expired {expired}"),
            (None, Some(expires)) => format!("expires {expires}"),
            (None, None) => "never expires".to_owned(),
        };
        format!("{}  {}  {expires}  {}", self.fingerprint, self.algorithm, visible(&self.user_ids.join(", ")))
    }
}
