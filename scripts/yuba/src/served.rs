//! What is served: the documents in R2 that belong into KV.
//!
//! These are the index, the namespaces, the providers, and of listed versions the release documents and the OCI views. An
//! unlisted release is nobody's business but its publisher's, and a removed one is nobody's.

use std::collections::{BTreeMap, BTreeSet};
use std::pin::pin;

use futures::StreamExt as _;
use yuba::address::{ProviderAddress, ReleaseAddress};
use yuba::digest::Sha256Digest;
use yuba::document::ProviderDocument;
use yuba::keys::DocumentKey;

use crate::documents::{self, AccessError};
use crate::oci_views;
use crate::store::{Listing, Store, Stored};

/// The documents that are served.
#[derive(Debug, Default)]
pub struct Served {
    /// Their keys, by name.
    pub documents: BTreeMap<String, DocumentKey>,
    /// Every provider that has a document, be it readable or not.
    pub providers: Vec<ProviderAddress>,
    /// The documents that belong to what is there, and are not there: in KV, a copy of one is no stray.
    pub lost: BTreeMap<String, DocumentKey>,
    /// The providers of which nobody can tell what they list, or what that consists of.
    pub unreadable: Vec<ProviderAddress>,
    /// The release documents of listed versions that lack OCI views, or are listed without the digest of their index.
    pub incomplete: Vec<DocumentKey>,
    /// Why not, by key.
    pub errors: BTreeMap<String, AccessError>,
}

impl Served {
    /// Reads from R2 what is served now.
    ///
    /// # Errors
    /// [`AccessError`] if storage fails.
    pub async fn read(store: &dyn Store) -> Result<Self, AccessError> {
        let mut served = Self::default();
        let (mut providers, mut released, mut views) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
        for key in store.list(&Listing::All).await? {
            match &key {
                DocumentKey::Index | DocumentKey::Namespace(_) => served.add(key),
                DocumentKey::Provider(address) => {
                    served.providers.push(address.clone());
                    providers.push(key);
                }
                DocumentKey::Release(release, _) => drop(released.insert(release.provider.clone())),
                DocumentKey::OciView(..) => drop(views.insert(key.to_string())),
            }
        }
        served.find_lost(&released);
        let mut listed = BTreeMap::new();
        let mut documents = pin!(documents::read_all(store, providers));
        while let Some(read) = documents.next().await {
            let (key, stored) = read?;
            listed.extend(served.add_provider(key, stored));
        }
        let releases = listed.keys().filter_map(|name| served.documents.get(name)).cloned().collect();
        let mut documents = pin!(documents::read_all(store, releases));
        while let Some(read) = documents.next().await {
            let (key, stored) = read?;
            let oci_index = listed.get(&key.to_string()).copied().flatten();
            served.add_views(key, stored, oci_index, &views)?;
        }
        Ok(served)
    }

    /// Finds the providers of releases and the namespaces of providers that have no document. Of a first publish that was
    /// killed there is no copy; nothing else leaves such, so where there is one, the document was lost.
    fn find_lost(&mut self, released: &BTreeSet<ProviderAddress>) {
        let there: BTreeSet<_> = self.providers.iter().cloned().collect();
        for address in released.difference(&there) {
            let key = DocumentKey::Provider(address.clone());
            self.lost.insert(key.to_string(), key);
        }
        for address in released.union(&there) {
            let key = DocumentKey::Namespace(address.namespace_address().clone());
            if !self.documents.contains_key(&key.to_string()) {
                self.lost.insert(key.to_string(), key);
            }
        }
    }

    fn add(&mut self, key: DocumentKey) {
        self.documents.insert(key.to_string(), key);
    }

    /// Adds a provider; gives out the names of the releases that it lists, with the digests of their OCI indexes.
    fn add_provider(&mut self, key: DocumentKey, stored: Option<Stored>) -> Vec<(String, Option<Sha256Digest>)> {
        let mut listed = Vec::new();
        let (DocumentKey::Provider(address), Some(stored)) = (&key, stored) else { return listed };
        let address = address.clone();
        match documents::parse::<ProviderDocument>(&key, &stored.bytes) {
            Ok(provider) => {
                for entry in provider.versions() {
                    let release = ReleaseAddress { provider: address.clone(), version: entry.version.clone() };
                    let release = DocumentKey::Release(release, entry.release);
                    listed.push((release.to_string(), entry.oci_index));
                    self.add(release);
                }
                self.add(key);
            }
            Err(error) => {
                self.unreadable.push(address);
                self.errors.insert(key.object(), error);
            }
        }
        listed
    }

    /// Adds the views of a release that is listed with `oci_index`; `there` are the names of the views in R2.
    fn add_views(
        &mut self,
        key: DocumentKey,
        stored: Option<Stored>,
        oci_index: Option<Sha256Digest>,
        there: &BTreeSet<String>,
    ) -> Result<(), AccessError> {
        let DocumentKey::Release(address, _) = &key else { return Ok(()) };
        let document = stored.filter(|stored| documents::check(&key, &stored.bytes).is_ok());
        let Some(stored) = document else {
            // What is wrong with it is said where it is compared with its copy.
            self.unreadable.push(address.provider.clone());
            return Ok(());
        };
        let derived = oci_views::derive(&documents::parse(&key, &stored.bytes)?)?;
        let (views, missing): (Vec<_>, Vec<_>) =
            derived.views.into_iter().map(|(key, _)| key).partition(|view| there.contains(&view.to_string()));
        if !missing.is_empty() || oci_index != Some(derived.index) {
            self.incomplete.push(key);
        }
        for view in views {
            self.add(view);
        }
        Ok(())
    }

    /// Whether a key of KV is that of a document that is served, or may be, for all that can be told.
    #[must_use]
    pub fn may_have(&self, name: &str) -> bool {
        let is_of = |key: &DocumentKey, address: &ProviderAddress| match key {
            DocumentKey::Provider(provider) | DocumentKey::OciView(provider, _) => provider == address,
            DocumentKey::Release(release, _) => release.provider == *address,
            DocumentKey::Index | DocumentKey::Namespace(_) => false,
        };
        let is_unknown = |key: &DocumentKey| {
            let lost = self.lost.values().filter_map(|key| match key {
                DocumentKey::Provider(address) => Some(address),
                DocumentKey::Index
                | DocumentKey::Namespace(_)
                | DocumentKey::Release(..)
                | DocumentKey::OciView(..) => None,
            });
            self.unreadable.iter().chain(lost).any(|address| is_of(key, address))
        };
        self.documents.contains_key(name)
            || self.lost.contains_key(name)
            || name.parse().is_ok_and(|key: DocumentKey| is_unknown(&key))
    }
}
