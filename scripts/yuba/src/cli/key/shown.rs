//! A key as reports show it.

use jiff::Timestamp;
use serde::Serialize;
use yuba::document::{KeyRevocation, RevocationPolicy, SigningKey};
use yuba::fingerprint::Fingerprint;
use yuba_companion::openpgp::KeyWarning;

use crate::cli::key_warning::ToldWarning;
use crate::cli::output::visible;

/// A key as reports show it; the armor is for clients.
#[derive(Debug, Serialize)]
pub(in crate::cli) struct Shown<'a> {
    pub(super) fingerprint: &'a Fingerprint,
    pub(super) user_ids: &'a [String],
    pub(super) algorithm: &'a str,
    pub(super) created: &'a str,
    pub(super) expires: Option<&'a str>,
    pub(super) added: &'a str,
    pub(super) retired: Option<&'a str>,
    pub(super) revoked: Option<&'a KeyRevocation>,
    pub(super) source: &'a str,
    pub(super) source_url: &'a str,
    pub(super) warnings: Vec<ToldWarning>,
}

impl<'a> Shown<'a> {
    pub(in crate::cli) fn new(key: &'a SigningKey, now: Timestamp) -> Self {
        Self {
            fingerprint: &key.fingerprint,
            user_ids: &key.user_ids,
            algorithm: &key.algorithm,
            created: &key.created,
            expires: key.expires.as_deref(),
            added: &key.added,
            retired: key.retired.as_deref(),
            revoked: key.revoked.as_ref(),
            source: &key.source,
            source_url: &key.source_url,
            warnings: ToldWarning::list(&KeyWarning::list(&key.ascii_armor, now)),
        }
    }

    /// Says on standard error what is to be known about it.
    pub(super) fn warn(&self) {
        self.warnings.iter().for_each(ToldWarning::say);
    }

    /// Since when it is expired, if it is at `now`.
    pub(super) fn expired(&self, now: Timestamp) -> Option<&'a str> {
        self.expires.filter(|expires| expires.parse::<Timestamp>().is_ok_and(|expires| expires <= now))
    }

    /// One line, without what a terminal would obey in a user ID.
    pub(in crate::cli) fn line(&self, now: Timestamp) -> String {
        let expires = match (self.expired(now), self.expires) {
            (Some(expired), _) => format!("expired {expired}"),
            (None, Some(expires)) => format!("expires {expires}"),
            (None, None) => "never expires".to_owned(),
        };
        let given_up = self.given_up().map(|state| format!("  {state}")).unwrap_or_default();
        format!("{}  {}  {expires}{given_up}  {}", self.fingerprint, self.algorithm, self.owner())
    }

    /// Whose it is.
    pub(super) fn owner(&self) -> String {
        visible(&self.user_ids.join(", "))
    }

    /// That it was retired or revoked, in a few words.
    fn given_up(&self) -> Option<String> {
        match (self.revoked, self.retired) {
            (Some(KeyRevocation { policy, at, .. }), _) => Some(format!("revoked {at} ({})", name(*policy))),
            (None, Some(since)) => Some(format!("retired {since}")),
            (None, None) => None,
        }
    }

    /// Whether and how it was given up, in full.
    pub(super) fn state(&self) -> String {
        let Some(KeyRevocation { reason, certified, .. }) = self.revoked else {
            return self.given_up().unwrap_or_else(|| "in use".to_owned());
        };
        let certified = if *certified { ", by its owner's certificate" } else { "" };
        format!("{}{certified}: {}", self.given_up().unwrap_or_default(), visible(reason))
    }
}

/// The word of a policy, as it is typed.
const fn name(policy: RevocationPolicy) -> &'static str {
    match policy {
        RevocationPolicy::Block => "block",
        RevocationPolicy::Warn => "warn",
    }
}
