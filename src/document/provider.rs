//! The provider document: the versions that exist. Its swap is the one commit point of a publish.
//!
//! An entry is never taken out. A version that had to be removed leaves a tombstone, which keeps its number from being
//! used for something else; nothing but the companion looks at tombstones.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::Document;
use crate::address::ProviderAddress;
use crate::digest::Sha256Digest;
use crate::fingerprint::Fingerprint;
use crate::platform::Platform;
use crate::protocol_version::ProtocolVersion;
use crate::version::Version;

/// Where a version is in its life. All but a removed one stay listed: locked clients fail without them. Times are
/// RFC 3339, in UTC.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "lowercase")]
pub enum Status {
    /// Nothing speaks against installing it.
    Listed,
    /// It should not be installed.
    Yanked {
        /// Why, as clients show it.
        reason: String,
        /// Since when.
        at: String,
    },
    /// It was taken down, and nobody is served it: a tombstone.
    Removed {
        /// Why, for those who look after the registry.
        reason: String,
        /// Since when.
        at: String,
    },
}

/// That a provider as a whole is given up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deprecation {
    /// Why, as clients show it.
    pub reason: String,
    /// What to use instead.
    pub successor: Option<ProviderAddress>,
    /// Since when, RFC 3339 in UTC.
    pub at: String,
}

/// One version that is listed, or its tombstone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VersionEntry {
    /// The version.
    pub version: Version,
    /// The plugin protocol versions it speaks.
    pub protocols: Vec<ProtocolVersion>,
    /// What it runs on.
    pub platforms: BTreeSet<Platform>,
    /// When it was listed, RFC 3339 in UTC.
    pub published: String,
    /// Where it is in its life.
    pub status: Status,
    /// The primary key that its checksums are signed with.
    pub signing_key: Fingerprint,
    /// The SHA-256 of its release document, which is part of that document's key.
    pub release: Sha256Digest,
    /// The digest of its OCI index; a version that was listed without one has no tag until `yuba sync` derives it.
    pub oci_index: Option<Sha256Digest>,
}

impl VersionEntry {
    /// Whether it is a tombstone.
    #[must_use]
    pub const fn is_removed(&self) -> bool {
        matches!(self.status, Status::Removed { .. })
    }
}

/// One provider and its versions, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderDocument {
    format: u32,
    /// Counts the swaps.
    pub revision: u64,
    /// Whose versions these are.
    pub address: ProviderAddress,
    /// Whether it is given up.
    pub deprecation: Option<Deprecation>,
    versions: Vec<VersionEntry>,
}

impl Document for ProviderDocument {
    const FORMAT: u32 = 1;

    fn revision(&self) -> u64 {
        self.revision
    }
}

impl ProviderDocument {
    /// A provider without versions.
    #[must_use]
    pub const fn new(address: ProviderAddress) -> Self {
        Self { format: Self::FORMAT, revision: 0, address, deprecation: None, versions: Vec::new() }
    }

    /// The listed versions, oldest first.
    pub fn versions(&self) -> impl Iterator<Item = &VersionEntry> {
        self.versions.iter().filter(|entry| !entry.is_removed())
    }

    /// All entries, tombstones included, oldest first.
    #[must_use]
    pub fn entries(&self) -> &[VersionEntry] {
        &self.versions
    }

    /// The entry of `version`, if it is listed; build metadata counts.
    #[must_use]
    pub fn find(&self, version: &Version) -> Option<&VersionEntry> {
        self.find_entry(version).filter(|entry| !entry.is_removed())
    }

    /// The entry of `version`, be it a tombstone.
    #[must_use]
    pub fn find_entry(&self, version: &Version) -> Option<&VersionEntry> {
        let position = self.versions.binary_search_by(|entry| entry.version.cmp(version)).ok()?;
        self.versions.get(position)
    }

    /// The version that clients select where nobody asks for another: the newest, and no pre-release unless there is
    /// nothing else. That a version is yanked makes no difference to them.
    #[must_use]
    pub fn newest(&self) -> Option<&VersionEntry> {
        let (prereleases, releases): (Vec<_>, Vec<_>) =
            self.versions().partition(|entry| entry.version.is_prerelease());
        releases.last().or(prereleases.last()).copied()
    }

    /// The next revision, which is given up as `deprecation` says, or is not.
    #[must_use]
    pub fn deprecated(&self, deprecation: Option<Deprecation>) -> Self {
        Self { revision: self.revision + 1, deprecation, ..self.clone() }
    }

    /// The next revision, in which `version` is listed with the digest of its OCI index; nothing, if it is already, or is
    /// not listed with the release document `release`.
    #[must_use]
    pub fn with_oci_index(&self, version: &Version, release: &Sha256Digest, index: Sha256Digest) -> Option<Self> {
        let entry = self.find(version).filter(|entry| entry.release == *release)?;
        let indexed = VersionEntry { oci_index: Some(index), ..entry.clone() };
        (indexed != *entry).then(|| self.with(indexed))
    }

    /// The next revision, in which `entry` stands where it belongs; no other entry is altered.
    #[must_use]
    pub fn with(&self, entry: VersionEntry) -> Self {
        let mut next = self.clone();
        next.revision += 1;
        match next.versions.binary_search_by(|listed| listed.version.cmp(&entry.version)) {
            Ok(position) => next.versions.splice(position..=position, [entry]).for_each(drop),
            Err(position) => next.versions.insert(position, entry),
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(version: &str) -> VersionEntry {
        VersionEntry {
            version: version.parse().unwrap(),
            protocols: vec!["5.0".parse().unwrap()],
            platforms: BTreeSet::from(["linux_amd64".parse().unwrap()]),
            published: "2026-01-01T00:00:00Z".to_owned(),
            status: Status::Listed,
            signing_key: "91A6E7F85D05C65630BEF18951852D87348FFC4C".parse().unwrap(),
            release: Sha256Digest::of(version.as_bytes()),
            oci_index: None,
        }
    }

    #[test]
    fn versions_are_kept_in_order_and_found_exactly() {
        let mut document = ProviderDocument::new("a.example/acme/dns".parse().unwrap());
        for version in ["1.10.0", "1.9.0", "1.10.0-rc.1", "1.9.0+build"] {
            document = document.with(entry(version));
        }
        let listed: Vec<String> = document.versions().map(|entry| entry.version.to_string()).collect();
        assert_eq!(listed, ["1.9.0", "1.9.0+build", "1.10.0-rc.1", "1.10.0"]);
        assert_eq!(document.revision, 4);
        assert_eq!(document.find(&"1.9.0+build".parse().unwrap()), Some(&entry("1.9.0+build")));
        assert_eq!(document.find(&"1.9.0+other".parse().unwrap()), None);
    }

    #[test]
    fn the_newest_version_is_what_clients_select() {
        let newest = |versions: &[&str]| {
            let empty = ProviderDocument::new("a.example/acme/dns".parse().unwrap());
            let document = versions.iter().fold(empty, |document, version| document.with(entry(version)));
            document.newest().map(|entry| entry.version.to_string())
        };
        assert_eq!(newest(&["1.9.0", "1.10.0", "2.0.0-rc.1"]).as_deref(), Some("1.10.0"));
        assert_eq!(newest(&["2.0.0-rc.1", "2.0.0-rc.2"]).as_deref(), Some("2.0.0-rc.2"));
        assert_eq!(newest(&[]), None);
    }

    #[test]
    fn a_swap_alters_no_other_entry() {
        let before =
            ProviderDocument::new("a.example/acme/dns".parse().unwrap()).with(entry("1.0.0")).with(entry("2.0.0"));
        let (reason, at) = ("broken".to_owned(), "2026-01-02T00:00:00Z".to_owned());
        let yanked = VersionEntry { status: Status::Yanked { reason, at }, ..entry("1.0.0") };
        let after = before.with(yanked.clone());
        assert_eq!(after.entries(), [yanked, entry("2.0.0")]);
    }

    #[test]
    fn a_removed_version_is_an_entry_and_not_listed() {
        let (reason, at) = ("court order 7".to_owned(), "2026-01-02T00:00:00Z".to_owned());
        let tombstone = VersionEntry { status: Status::Removed { reason, at }, ..entry("1.0.0") };
        let document =
            ProviderDocument::new("a.example/acme/dns".parse().unwrap()).with(tombstone.clone()).with(entry("2.0.0"));
        assert_eq!(document.versions().collect::<Vec<_>>(), [&entry("2.0.0")]);
        assert_eq!(document.find(&tombstone.version), None);
        assert_eq!(document.find_entry(&tombstone.version), Some(&tombstone));
    }
}
