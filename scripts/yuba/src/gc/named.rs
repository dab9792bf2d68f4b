//! What documents name: the archives that are no garbage.

use std::collections::{BTreeMap, BTreeSet};
use std::pin::pin;

use futures::StreamExt as _;
use jiff::Timestamp;
use yuba::address::{ProviderAddress, ReleaseAddress};
use yuba::document::{ProviderDocument, ReleaseDocument};
use yuba::keys::{Area, BlobKey, DocumentKey, ObjectKey};

use super::GcError;
use crate::documents::{self, AccessError};
use crate::store::Store;

/// The archives that documents name: release documents that are listed, and those that are young.
#[derive(Debug, Default)]
pub(super) struct Named(BTreeSet<BlobKey>);

impl FromIterator<BlobKey> for Named {
    fn from_iter<T: IntoIterator<Item = BlobKey>>(keys: T) -> Self {
        Self(keys.into_iter().collect())
    }
}

/// Whether a release document has to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// It is listed.
    Listed,
    /// It may be listed soon.
    Young,
}

impl Named {
    /// Reads what is named now. A release document that is not listed counts if it was stored after `cutoff`.
    pub(super) async fn read(store: &dyn Store, cutoff: Timestamp) -> Result<Self, GcError> {
        let (mut providers, mut released, mut releases) = (Vec::new(), BTreeSet::new(), BTreeMap::new());
        for object in store.objects(Area::Documents.prefix()).await? {
            match object.key.parse() {
                Ok(ObjectKey::Document(key @ DocumentKey::Provider(_))) => providers.push(key),
                Ok(ObjectKey::Document(DocumentKey::Release(release, digest))) => {
                    released.insert(release.provider.clone());
                    let key = DocumentKey::Release(release, digest);
                    if object.stat.modified >= cutoff {
                        releases.insert(key.to_string(), (key, Standing::Young));
                    }
                }
                Ok(ObjectKey::Document(DocumentKey::Index | DocumentKey::Namespace(_) | DocumentKey::OciView(..))) => {}
                Ok(ObjectKey::Blob(_) | ObjectKey::Trash(_) | ObjectKey::Copying(..)) | Err(_) => {
                    return Err(GcError::Unknown(object.key));
                }
            }
        }
        refuse_lost(store, released, &providers).await?;
        // The providers are read after the listing, so what they list by now is there, be it in the listing or not.
        for key in list_releases(store, providers).await? {
            releases.insert(key.to_string(), (key, Standing::Listed));
        }
        Self::of(store, releases).await
    }

    async fn of(store: &dyn Store, releases: BTreeMap<String, (DocumentKey, Standing)>) -> Result<Self, GcError> {
        let mut named = BTreeSet::new();
        let (keys, standings): (Vec<_>, Vec<_>) = releases.into_values().unzip();
        let mut reads = pin!(documents::read_all(store, keys).zip(futures::stream::iter(standings)));
        while let Some((read, standing)) = reads.next().await {
            match (read?, standing) {
                ((key, Some(stored)), _) => {
                    documents::check(&key, &stored.bytes)?;
                    let release: ReleaseDocument = documents::parse(&key, &stored.bytes)?;
                    named.extend(release.packages.values().map(|package| BlobKey(package.zh)));
                }
                ((key, None), Standing::Listed) => return Err(AccessError::Missing(key.object()).into()),
                ((_, None), Standing::Young) => {}
            }
        }
        Ok(Self(named))
    }

    pub(super) fn contains(&self, key: BlobKey) -> bool {
        self.0.contains(&key)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

/// Refuses to go on without a provider document that was there once: of a provider without one, only release documents of
/// a first publish that was killed can be there.
async fn refuse_lost(
    store: &dyn Store,
    released: BTreeSet<ProviderAddress>,
    providers: &[DocumentKey],
) -> Result<(), GcError> {
    for address in released {
        let key = DocumentKey::Provider(address);
        if !providers.contains(&key) && store.read_copy(&key).await?.is_some() && store.read(&key).await?.is_none() {
            return Err(AccessError::Lost(key.object()).into());
        }
    }
    Ok(())
}

/// The release documents that are listed.
async fn list_releases(store: &dyn Store, providers: Vec<DocumentKey>) -> Result<Vec<DocumentKey>, AccessError> {
    let mut releases = Vec::new();
    let mut reads = pin!(documents::read_all(store, providers));
    while let Some(read) = reads.next().await {
        let (key, stored) = read?;
        let (DocumentKey::Provider(address), Some(stored)) = (&key, stored) else { continue };
        let provider: ProviderDocument = documents::parse(&key, &stored.bytes)?;
        releases.extend(provider.versions().map(|entry| {
            let release = ReleaseAddress { provider: address.clone(), version: entry.version.clone() };
            DocumentKey::Release(release, entry.release)
        }));
    }
    Ok(releases)
}
