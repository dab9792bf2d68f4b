//! The part of a pass that reads releases, of which there may be many: each is judged and forgotten.

use std::collections::BTreeMap;

use futures::StreamExt as _;
use yuba::address::ReleaseAddress;
use yuba::document::{ReleaseDocument, VersionEntry};
use yuba::keys::{BlobKey, DocumentKey};

use super::{Expected, Read, Walk, read};
use crate::fsck::checks::leftovers::{ARCHIVE_UNNAMED, RELEASE_UNLISTED};
use crate::fsck::checks::providers::{RELEASE_MISSING, REMOVED_LEFT};
use crate::fsck::finding::Subject;
use crate::fsck::judge::{copy, release, stored};
use crate::store::{Stat, StoreError};

/// What a provider says of a release document.
enum Standing {
    /// It is listed by this entry.
    Listed(Box<VersionEntry>),
    /// Its version was removed.
    Removed,
    /// It is not listed.
    Unlisted,
    /// The provider cannot be read.
    Unknown,
}

impl Walk<'_> {
    /// Reads every release document that is there or listed; `names` is what KV has.
    pub(super) async fn read_releases(&mut self, names: &[String]) -> Result<(), StoreError> {
        let mut keys: BTreeMap<String, (DocumentKey, bool)> = BTreeMap::new();
        for key in &self.inventory.releases {
            let name = key.to_string();
            let is_copied = matches!(self.standing(key), Standing::Unknown) && names.binary_search(&name).is_ok();
            keys.insert(name, (key.clone(), is_copied));
        }
        for (address, provider) in &self.providers {
            for entry in provider.versions() {
                let release = ReleaseAddress { provider: address.clone(), version: entry.version.clone() };
                let key = DocumentKey::Release(release, entry.release);
                keys.insert(key.to_string(), (key, true));
            }
        }
        let mut reads = std::pin::pin!(read(self.store, keys.into_values().collect()));
        while let Some(read) = reads.next().await {
            self.judge_release(&read?);
        }
        Ok(())
    }

    fn judge_release(&mut self, Read { key, document, copy: copied }: &Read) {
        let standing = self.standing(key);
        let is_copied = match &standing {
            Standing::Listed(_) => true,
            // It may be listed, and then so may its copy.
            Standing::Unknown => copied.is_some(),
            Standing::Removed | Standing::Unlisted => false,
        };
        if is_copied {
            self.served.insert(key.to_string());
            copy::judge(key, document.as_deref(), copied.as_deref(), &mut self.findings);
        }
        let subject = Subject::document(key);
        let Some(bytes) = document else {
            if let Standing::Listed(entry) = standing {
                let message = format!("is not there, and {} is listed with it", entry.version);
                self.findings.add(&RELEASE_MISSING, &subject, message);
                self.has_unread_release = true;
            }
            return;
        };
        self.documents += 1;
        match &standing {
            Standing::Listed(_) | Standing::Unknown => {}
            Standing::Removed => self.findings.add(&REMOVED_LEFT, &subject, "is there, and its version was removed"),
            Standing::Unlisted => self.findings.add(&RELEASE_UNLISTED, &subject, "is not listed"),
        }
        let Some(document) = stored::judge::<ReleaseDocument>(key, bytes, &mut self.findings) else {
            self.has_unread_release = true;
            return;
        };
        release::judge(key, &document, &mut self.findings);
        let is_listed = matches!(standing, Standing::Listed(_));
        if let Standing::Listed(entry) = &standing {
            let provider = DocumentKey::Provider(document.address.clone());
            release::judge_entry(&provider, entry, &document, &mut self.findings);
            self.expect_views(key, &document, entry);
            if let Some(signers) = self.signers.get(document.address.namespace_address()) {
                release::judge_signature(key, &document, signers, self.now, &mut self.findings);
            }
        }
        for package in document.packages.into_values() {
            let expected = Expected { package, release: key.clone(), is_listed };
            self.expected.entry(BlobKey(expected.package.zh)).or_default().push(expected);
        }
    }

    fn standing(&self, key: &DocumentKey) -> Standing {
        let DocumentKey::Release(address, digest) = key else { return Standing::Unknown };
        let Some(provider) = self.providers.get(&address.provider) else {
            return if self.is_unknown(&address.provider) { Standing::Unknown } else { Standing::Unlisted };
        };
        match provider.entries().iter().find(|entry| entry.version == address.version) {
            Some(entry) if entry.is_removed() => Standing::Removed,
            Some(entry) if entry.release == *digest => Standing::Listed(Box::new(entry.clone())),
            Some(_) | None => Standing::Unlisted,
        }
    }

    /// Tells which archives nobody names, unless something that may name them could not be read.
    pub(super) fn judge_unnamed(&mut self) {
        if self.has_unread_release {
            return;
        }
        for (key, Stat { size, modified }) in &self.inventory.blobs {
            if !self.expected.contains_key(key) {
                let message = format!("has {size} bytes and is there since {modified}");
                self.findings.add(&ARCHIVE_UNNAMED, &Subject::object(key.object()), message);
            }
        }
    }
}
