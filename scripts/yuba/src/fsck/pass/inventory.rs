//! Everything that R2 holds, by what it is.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use yuba::address::{NamespaceAddress, ProviderAddress};
use yuba::keys::{BlobKey, DocumentKey, ObjectKey};

use crate::fsck::checks::documents::STRAY_OBJECT;
use crate::fsck::checks::leftovers::{MARK, TRASH};
use crate::fsck::finding::{Findings, Subject};
use crate::store::{Stat, Store, StoreError};

/// What R2 holds, documents by key alone.
#[derive(Debug, Default)]
pub(in crate::fsck) struct Inventory {
    pub(in crate::fsck) namespaces: Vec<NamespaceAddress>,
    pub(in crate::fsck) providers: Vec<ProviderAddress>,
    pub(in crate::fsck) releases: Vec<DocumentKey>,
    pub(in crate::fsck) views: HashSet<DocumentKey>,
    pub(in crate::fsck) blobs: BTreeMap<BlobKey, Stat>,
    pub(in crate::fsck) trash: BTreeMap<BlobKey, Stat>,
}

impl Inventory {
    /// Lists everything.
    pub(super) async fn list(store: &dyn Store, findings: &mut Findings) -> Result<Self, StoreError> {
        let mut inventory = Self::default();
        for object in store.objects("").await? {
            let subject = Subject::object(object.key.as_str());
            match object.key.parse() {
                Ok(ObjectKey::Document(DocumentKey::Index)) => {}
                Ok(ObjectKey::Document(DocumentKey::Namespace(address))) => inventory.namespaces.push(address),
                Ok(ObjectKey::Document(DocumentKey::Provider(address))) => inventory.providers.push(address),
                Ok(ObjectKey::Document(key @ DocumentKey::Release(..))) => inventory.releases.push(key),
                Ok(ObjectKey::Document(key @ DocumentKey::OciView(..))) => drop(inventory.views.insert(key)),
                Ok(ObjectKey::Blob(key)) => drop(inventory.blobs.insert(key, object.stat)),
                Ok(ObjectKey::Trash(key)) => {
                    let Stat { size, modified } = object.stat;
                    findings.add(&TRASH, &subject, format!("has {size} bytes and is there since {modified}"));
                    inventory.trash.insert(key, object.stat);
                }
                // Whoever lives renews it or takes it away until it is looked at again.
                Ok(ObjectKey::Copying(..)) => {
                    findings.add(&MARK, &subject, format!("is there since {}", object.stat.modified));
                }
                Err(_) => findings.add(&STRAY_OBJECT, &subject, "is no key of this storage"),
            }
        }
        Ok(inventory)
    }

    /// The documents of namespaces and providers that are not there, though something of theirs is and `names` has copies
    /// of them. Nothing in yuba deletes such a document.
    pub(super) fn lost(&self, names: &[String]) -> BTreeSet<String> {
        let released = self.releases.iter().filter_map(|key| match key {
            DocumentKey::Release(release, _) => Some(&release.provider),
            DocumentKey::Index | DocumentKey::Namespace(_) | DocumentKey::Provider(_) | DocumentKey::OciView(..) => {
                None
            }
        });
        let providers: BTreeSet<_> = released.chain(&self.providers).collect();
        let namespaces = providers.iter().map(|provider| provider.namespace_address());
        let namespaces = namespaces.filter(|address| !self.namespaces.contains(address));
        let namespaces = namespaces.map(|address| DocumentKey::Namespace(address.clone()).to_string());
        let gone = providers.iter().filter(|provider| !self.providers.contains(provider));
        let gone = gone.map(|provider| DocumentKey::Provider((*provider).clone()).to_string());
        namespaces.chain(gone).filter(|name| names.contains(name)).collect()
    }
}
