//! A provider with its versions, as it is shown.

use std::fmt::Write as _;

use jiff::Timestamp;
use serde::Serialize;
use yuba::document::{Deprecation, SigningKey, Status, VersionEntry};
use yuba::fingerprint::Fingerprint;
use yuba::platform::Platform;
use yuba::protocol_version::ProtocolVersion;
use yuba::version::Version;

use super::Shown;
use crate::cli::key::Shown as ShownKey;
use crate::cli::life_cycle::word;
use crate::cli::output::visible;
use crate::cli::table;

/// How many of a version's platforms are named.
const PLATFORMS: usize = 2;

/// A provider, newest version first.
#[derive(Serialize)]
pub(super) struct Provider<'a> {
    target: String,
    address: String,
    newest: Option<&'a Version>,
    deprecation: Option<&'a Deprecation>,
    signing_keys: Vec<ShownKey<'a>>,
    versions: Vec<ShownVersion<'a>>,
}

#[derive(Serialize)]
struct ShownVersion<'a> {
    version: &'a Version,
    status: &'a Status,
    published: &'a str,
    protocols: &'a [ProtocolVersion],
    platforms: Vec<&'a Platform>,
    signing_key: &'a Fingerprint,
}

impl<'a> ShownVersion<'a> {
    fn new(entry: &'a VersionEntry) -> Self {
        Self {
            version: &entry.version,
            status: &entry.status,
            published: &entry.published,
            protocols: &entry.protocols,
            platforms: entry.platforms.iter().collect(),
            signing_key: &entry.signing_key,
        }
    }

    fn row(&self) -> [String; 5] {
        let named: Vec<_> = self.platforms.iter().take(PLATFORMS).map(ToString::to_string).collect();
        let platforms = match self.platforms.len() - named.len() {
            0 => named.join(", "),
            further => format!("{} and {further} more", named.join(", ")),
        };
        let status = match self.status {
            Status::Listed => word(self.status).to_owned(),
            Status::Yanked { reason, .. } | Status::Removed { reason, .. } => {
                format!("{}: {}", word(self.status), visible(reason))
            }
        };
        let published = self.published.split('T').next().unwrap_or_default().to_owned();
        [self.version.to_string(), published, self.signing_key.key_id().to_owned(), platforms, status]
    }
}

impl<'a> Provider<'a> {
    pub(super) fn new(target: String, shown: &'a Shown, now: Timestamp) -> Self {
        let Shown { provider, namespace, .. } = shown;
        let has_signed = |key: &&SigningKey| provider.versions().any(|entry| entry.signing_key == key.fingerprint);
        let keys = namespace.iter().flat_map(|namespace| &namespace.signing_keys);
        Self {
            target,
            address: provider.address.to_string(),
            newest: provider.newest().map(|entry| &entry.version),
            deprecation: provider.deprecation.as_ref(),
            signing_keys: keys.filter(has_signed).map(|key| ShownKey::new(key, now)).collect(),
            versions: provider.entries().iter().rev().map(ShownVersion::new).collect(),
        }
    }

    /// The same with the newest versions only.
    pub(super) fn limited(mut self, limit: usize) -> Self {
        self.versions.truncate(limit);
        self
    }

    pub(super) fn text(&self, limit: usize, now: Timestamp) -> String {
        let mut text = format!("{}\n", self.address);
        // Writing to a String cannot fail.
        if let Some(Deprecation { reason, successor, at }) = self.deprecation {
            let instead = successor.as_ref().map(|successor| format!(", use {successor} instead"));
            let _ = writeln!(text, "deprecated since {at}{}: {}", instead.unwrap_or_default(), visible(reason));
        }
        for key in &self.signing_keys {
            let _ = writeln!(text, "key {}", key.line(now));
        }
        let heading = ["VERSION", "PUBLISHED", "KEY", "PLATFORMS", "STATUS"].map(str::to_owned);
        let rows: Vec<_> =
            [heading].into_iter().chain(self.versions.iter().take(limit).map(ShownVersion::row)).collect();
        let _ = write!(text, "\n{}", table::render(&rows));
        let older = self.versions.len().saturating_sub(limit);
        if older > 0 {
            let _ = writeln!(text, "\n{older} older: add `--limit {}` to see all", self.versions.len());
        }
        text
    }
}
