//! What is served: the documents in R2 that belong into KV.
//!
//! These are the index, the namespaces, the providers, and the release documents that listed versions name. An unlisted
//! release is nobody's business but its publisher's, and a removed one is nobody's.

use std::collections::{BTreeMap, BTreeSet};
use std::pin::pin;

use futures::StreamExt as _;
use yuba::address::{ProviderAddress, ReleaseAddress};
use yuba::document::ProviderDocument;
use yuba::keys::DocumentKey;

use crate::documents::{self, AccessError};
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
    /// The providers of which nobody can tell what they list.
    pub unreadable: Vec<ProviderAddress>,
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
        let (mut providers, mut released) = (Vec::new(), BTreeSet::new());
        for key in store.list(&Listing::All).await? {
            match &key {
                DocumentKey::Index | DocumentKey::Namespace(_) => served.add(key),
                DocumentKey::Provider(address) => {
                    served.providers.push(address.clone());
                    providers.push(key);
                }
                DocumentKey::Release(release, _) => drop(released.insert(release.provider.clone())),
            }
        }
        served.find_lost(&released);
        let mut documents = pin!(documents::read_all(store, providers));
        while let Some(read) = documents.next().await {
            let (key, stored) = read?;
            served.add_provider(key, stored);
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

    fn add_provider(&mut self, key: DocumentKey, stored: Option<Stored>) {
        let (DocumentKey::Provider(address), Some(stored)) = (&key, stored) else { return };
        let address = address.clone();
        match documents::parse::<ProviderDocument>(&key, &stored.bytes) {
            Ok(provider) => {
                for entry in provider.versions() {
                    let release = ReleaseAddress { provider: address.clone(), version: entry.version.clone() };
                    self.add(DocumentKey::Release(release, entry.release));
                }
                self.add(key);
            }
            Err(error) => {
                self.unreadable.push(address);
                self.errors.insert(key.object(), error);
            }
        }
    }

    /// Whether a key of KV is that of a document that is served, or may be, for all that can be told.
    #[must_use]
    pub fn may_have(&self, name: &str) -> bool {
        let is_of = |key: &DocumentKey, address: &ProviderAddress| match key {
            DocumentKey::Provider(provider) => provider == address,
            DocumentKey::Release(release, _) => release.provider == *address,
            DocumentKey::Index | DocumentKey::Namespace(_) => false,
        };
        let is_unknown = |key: &DocumentKey| {
            let lost = self.lost.values().filter_map(|key| match key {
                DocumentKey::Provider(address) => Some(address),
                DocumentKey::Index | DocumentKey::Namespace(_) | DocumentKey::Release(..) => None,
            });
            self.unreadable.iter().chain(lost).any(|address| is_of(key, address))
        };
        self.documents.contains_key(name)
            || self.lost.contains_key(name)
            || name.parse().is_ok_and(|key: DocumentKey| is_unknown(&key))
    }
}
