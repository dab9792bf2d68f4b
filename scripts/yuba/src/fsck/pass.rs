//! One pass over all documents and their copies; archives are only listed.
//!
//! The order matters beside publishers: KV is listed before R2 is read, so that what is in KV for a good reason is found in
//! R2; providers before releases, and those before the index, so that what is listed is there.

mod inventory;
mod releases;
mod views;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use futures::stream::{self, Stream, StreamExt as _};
use jiff::Timestamp;
use yuba::address::{NamespaceAddress, ProviderAddress};
use yuba::digest::H1;
use yuba::document::{IndexDocument, NamespaceDocument, Package, ProviderDocument};
use yuba::keys::{BlobKey, DocumentKey};

use super::checks::copies::COPY_STRAY;
use super::checks::documents::DOCUMENT_LOST;
use super::finding::{Finding, Findings, Subject};
use super::judge::namespace::Signers;
use super::judge::{copy, index, namespace, provider, stored};
use crate::store::{Store, StoreError};
use inventory::Inventory;
use views::ExpectedViews;

/// How many documents are read at once, each with its copy.
const READS_AT_ONCE: usize = 16;

/// What a release says of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Expected {
    /// The package.
    pub(super) package: Package,
    /// The release.
    pub(super) release: DocumentKey,
    /// Whether clients can ask for it.
    pub(super) is_listed: bool,
}

impl Expected {
    pub(super) const fn h1(&self) -> H1 {
        self.package.h1
    }
}

/// What a pass found.
#[derive(Debug, Default)]
pub(super) struct Pass {
    pub(super) findings: Vec<Finding>,
    /// What releases say of archives.
    pub(super) expected: BTreeMap<BlobKey, Vec<Expected>>,
    /// The OCI views that follow from listed releases.
    pub(super) views: ExpectedViews,
    /// The release documents of versions that are listed without their OCI index.
    pub(super) incomplete: HashSet<DocumentKey>,
    /// What is there of archives.
    pub(super) inventory: Inventory,
    pub(super) documents: usize,
    pub(super) copies: usize,
}

/// A document and its copy, as they were read.
struct Read {
    key: DocumentKey,
    document: Option<Vec<u8>>,
    copy: Option<Vec<u8>>,
}

/// A pass under way.
struct Walk<'a> {
    store: &'a dyn Store,
    now: Timestamp,
    findings: Findings,
    inventory: Inventory,
    signers: BTreeMap<NamespaceAddress, Signers>,
    providers: BTreeMap<ProviderAddress, ProviderDocument>,
    expected: BTreeMap<BlobKey, Vec<Expected>>,
    views: ExpectedViews,
    incomplete: HashSet<DocumentKey>,
    /// The documents whose copies belong into KV.
    served: BTreeSet<String>,
    /// The documents that KV has copies of, and R2 nothing but what belongs to them.
    lost: BTreeSet<String>,
    /// Whether nobody can tell which archives some release names.
    has_unread_release: bool,
    documents: usize,
}

impl Pass {
    /// Reads all documents and their copies, and judges them at the time `now`.
    pub(super) async fn run(store: &dyn Store, now: Timestamp) -> Result<Self, StoreError> {
        let names = store.copies().await?;
        let mut findings = Findings::default();
        let inventory = Inventory::list(store, &mut findings).await?;
        let lost = inventory.lost(&names);
        let mut walk = Walk {
            store,
            lost,
            now,
            findings,
            inventory,
            signers: BTreeMap::new(),
            providers: BTreeMap::new(),
            expected: BTreeMap::new(),
            views: BTreeMap::new(),
            incomplete: HashSet::new(),
            served: BTreeSet::new(),
            has_unread_release: false,
            documents: 0,
        };
        walk.read_namespaces().await?;
        walk.read_providers().await?;
        walk.read_releases(&names).await?;
        walk.read_views(&names).await?;
        walk.read_index().await?;
        let copies = names.len();
        walk.judge_strays(names);
        walk.judge_unnamed();
        let Walk { findings, inventory, expected, views, incomplete, documents, .. } = walk;
        Ok(Self { findings: findings.finish(), expected, views, incomplete, inventory, documents, copies })
    }
}

/// Reads documents in their order, with their copies where they have one.
fn read(store: &dyn Store, keys: Vec<(DocumentKey, bool)>) -> impl Stream<Item = Result<Read, StoreError>> {
    let reads = keys.into_iter().map(move |(key, is_copied)| async move {
        let document = store.read(&key).await?.map(|stored| stored.bytes);
        let copy = if is_copied { store.read_copy(&key).await? } else { None };
        Ok(Read { key, document, copy })
    });
    stream::iter(reads).buffered(READS_AT_ONCE)
}

impl Walk<'_> {
    async fn read_namespaces(&mut self) -> Result<(), StoreError> {
        let keys = self.inventory.namespaces.iter().cloned().map(|address| (DocumentKey::Namespace(address), true));
        let mut reads = std::pin::pin!(read(self.store, keys.collect()));
        while let Some(read) = reads.next().await {
            let Read { key, document: Some(bytes), copy } = read? else { continue };
            let signers = match self.judge_served::<NamespaceDocument>(&key, &bytes, copy.as_deref()) {
                Some(document) => namespace::judge(&key, &document, self.now, &mut self.findings),
                None => Signers::default(),
            };
            if let DocumentKey::Namespace(address) = key {
                self.signers.insert(address, signers);
            }
        }
        Ok(())
    }

    async fn read_providers(&mut self) -> Result<(), StoreError> {
        let keys = self.inventory.providers.iter().cloned().map(|address| (DocumentKey::Provider(address), true));
        let mut reads = std::pin::pin!(read(self.store, keys.collect()));
        while let Some(read) = reads.next().await {
            let Read { key, document: Some(bytes), copy } = read? else { continue };
            let document = self.judge_served::<ProviderDocument>(&key, &bytes, copy.as_deref());
            let (DocumentKey::Provider(address), Some(document)) = (&key, document) else { continue };
            let has_namespace = self.signers.contains_key(address.namespace_address());
            provider::judge(&key, &document, has_namespace, &mut self.findings);
            self.providers.insert(address.clone(), document);
        }
        Ok(())
    }

    async fn read_index(&mut self) -> Result<(), StoreError> {
        let key = DocumentKey::Index;
        let Some(stored) = self.store.read(&key).await? else {
            index::judge(None, &self.inventory.providers, &self.lost, &mut self.findings);
            return Ok(());
        };
        let copied = self.store.read_copy(&key).await?;
        if let Some(document) = self.judge_served::<IndexDocument>(&key, &stored.bytes, copied.as_deref()) {
            index::judge(Some(&document), &self.inventory.providers, &self.lost, &mut self.findings);
        }
        Ok(())
    }

    /// Judges a document that belongs into KV, and its copy.
    fn judge_served<D: stored::Addressed>(
        &mut self,
        key: &DocumentKey,
        bytes: &[u8],
        copied: Option<&[u8]>,
    ) -> Option<D> {
        self.documents += 1;
        self.served.insert(key.to_string());
        let document = stored::judge(key, bytes, &mut self.findings);
        copy::judge(key, Some(bytes), copied, &mut self.findings);
        document
    }

    /// Whether nobody can tell what a provider lists.
    fn is_unknown(&self, address: &ProviderAddress) -> bool {
        let name = DocumentKey::Provider(address.clone()).to_string();
        self.lost.contains(&name)
            || (self.inventory.providers.contains(address) && !self.providers.contains_key(address))
    }

    /// Judges the keys of KV. Of a provider that cannot be read, nobody can tell which copies are strays.
    fn judge_strays(&mut self, names: Vec<String>) {
        for name in names.into_iter().filter(|name| !self.served.contains(name)) {
            if self.lost.contains(&name) {
                let subject = name.parse().map_or_else(|_| Subject::copy(name), |key| Subject::document(&key));
                self.findings.add(&DOCUMENT_LOST, &subject, "is not there, and KV has a copy of it");
                continue;
            }
            let may_be_served = match name.parse() {
                Ok(DocumentKey::Release(release, _)) => self.is_unknown(&release.provider),
                Ok(DocumentKey::OciView(provider, _)) => self.has_unread_release || self.is_unknown(&provider),
                Ok(DocumentKey::Index | DocumentKey::Namespace(_) | DocumentKey::Provider(_)) | Err(_) => false,
            };
            if !may_be_served {
                let message = if name.parse::<DocumentKey>().is_ok() {
                    "is a copy of what is not served"
                } else {
                    "is no document's name"
                };
                self.findings.add(&COPY_STRAY, &Subject::copy(name), message);
            }
        }
    }
}
