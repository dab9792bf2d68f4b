//! Finding what a route names: the namespace's policy first, then the version in the provider's document, then its
//! release. Nothing is refused before R2 was asked for what the copy at hand lacks.

use std::rc::Rc;

use futures_util::future::try_join;

use super::documents::{Reader, Shelves};
use super::freshness::Freshness;
use super::refusal::Refusal;
use super::shelf::Stored;
use super::storage::Storage;
use crate::address::{NamespaceAddress, ProviderAddress, ReleaseAddress};
use crate::archive_name::ArchiveName;
use crate::digest::Sha256Digest;
use crate::document::{NamespaceDocument, Package, ProviderDocument, ReleaseDocument, VersionEntry, Visibility};
use crate::fingerprint::Fingerprint;
use crate::keys::DocumentKey;
use crate::platform::Platform;

/// How one request finds documents.
pub(super) struct Lookup<'a, S> {
    shelves: &'a Shelves,
    reader: Reader<'a, S>,
}

impl<'a, S: Storage> Lookup<'a, S> {
    pub(super) fn new(shelves: &'a Shelves, freshness: &'a Freshness, storage: &'a S) -> Self {
        Self { shelves, reader: Reader { freshness, storage } }
    }

    pub(super) fn storage(&self) -> &'a S {
        self.reader.storage
    }

    /// The provider at `address`, if its namespace's policy lets anybody see it.
    pub(super) async fn provider(&self, address: &ProviderAddress) -> Result<Rc<Stored<ProviderDocument>>, Refusal> {
        let key = DocumentKey::Provider(address.clone());
        if self.is_known_absent(address, &key).await {
            return Err(Refusal::no_provider(address));
        }
        let provider = self.reader.mutable(&self.shelves.providers, &key);
        let (namespace, provider) = try_join(self.namespace(address.namespace_address()), provider).await?;
        if let (Some(_), Some(provider)) = (namespace, provider) {
            if provider.versions().next().is_some() {
                return Ok(provider);
            }
            // All that the copy at hand knows of was removed. Clients take an empty list for a fault, and a 404 for no.
            let again = self.reader.recheck(&self.shelves.providers, &key).await?;
            let again = again.filter(|provider| provider.versions().next().is_some());
            return again.ok_or_else(|| Refusal::no_provider(address));
        }
        // From now on, the index judges unknown names. That it cannot be read changes nothing for this one.
        let _ = self.reader.index(&self.shelves.index).await;
        Err(Refusal::no_provider(address))
    }

    /// The namespace at `address`, if its policy lets anybody see it. That it is private is R2's to say: KV may be
    /// late in both directions, and only one of them may be answered from it.
    async fn namespace(&self, address: &NamespaceAddress) -> Result<Option<Rc<Stored<NamespaceDocument>>>, Refusal> {
        let key = DocumentKey::Namespace(address.clone());
        let namespace = self.reader.mutable(&self.shelves.namespaces, &key).await?;
        match namespace {
            Some(namespace) if namespace.visibility == Visibility::Private => {
                Ok(visible(self.reader.confirmed(&self.shelves.namespaces, &key).await?))
            }
            namespace => Ok(namespace),
        }
    }

    /// Whether the index says that there is no such provider. Before the first unknown name there is no index at hand,
    /// and the documents answer for themselves, so that a cold install costs no read more; after it, invented names
    /// cost one read of the index now and then, however many they are. What an old index names is not asked again.
    async fn is_known_absent(&self, address: &ProviderAddress, key: &DocumentKey) -> bool {
        if self.shelves.providers.find(key).is_some_and(|held| held.answer.is_some()) {
            return false;
        }
        let Some(held) = self.shelves.index.find(&DocumentKey::Index) else { return false };
        if held.answer.is_some_and(|index| index.names(address)) {
            return false;
        }
        match self.reader.index(&self.shelves.index).await {
            Ok(Some(index)) => !index.names(address),
            Ok(None) | Err(_) => false,
        }
    }

    /// The digest of the release at `address`, if it is listed; for `platform`, if one is asked for.
    async fn listed(&self, address: &ReleaseAddress, platform: Option<&Platform>) -> Result<Sha256Digest, Refusal> {
        let provider = self.provider(&address.provider).await?;
        match find_entry(&provider, address, platform) {
            Ok(entry) => Ok(entry.release),
            Err(_) => self.listed_now(address, platform).await,
        }
    }

    /// The same by R2's word, because the copy at hand may be too old.
    async fn listed_now(&self, address: &ReleaseAddress, platform: Option<&Platform>) -> Result<Sha256Digest, Refusal> {
        let key = DocumentKey::Provider(address.provider.clone());
        let provider = self.reader.recheck(&self.shelves.providers, &key).await?;
        let provider = provider.ok_or_else(|| Refusal::no_provider(&address.provider))?;
        Ok(find_entry(&provider, address, platform)?.release)
    }

    /// The release at `address`, if it is listed; for `platform`, if one is asked for.
    pub(super) async fn release(
        &self,
        address: &ReleaseAddress,
        platform: Option<&Platform>,
    ) -> Result<Rc<Stored<ReleaseDocument>>, Refusal> {
        let mut digest = self.listed(address, platform).await?;
        let mut release = self.read_release(address, digest).await?;
        if release.is_none() {
            // It may have been removed after what says that it is listed was read.
            digest = self.listed_now(address, platform).await?;
            release = self.read_release(address, digest).await?;
        }
        let missing = || Refusal::Missing(Box::new(DocumentKey::Release(address.clone(), digest)));
        let release = release.ok_or_else(missing)?;
        match platform {
            Some(platform) if !release.packages.contains_key(platform) => Err(Refusal::no_package(address, platform)),
            _ => Ok(release),
        }
    }

    async fn read_release(
        &self,
        address: &ReleaseAddress,
        digest: Sha256Digest,
    ) -> Result<Option<Rc<Stored<ReleaseDocument>>>, Refusal> {
        let key = DocumentKey::Release(address.clone(), digest);
        self.reader.immutable(&self.shelves.releases, &key, &digest).await
    }

    /// The package whose archive is `filename` with this digest, if the release at `address` lists it.
    pub(super) async fn archive(
        &self,
        address: &ReleaseAddress,
        digest: &Sha256Digest,
        filename: &ArchiveName,
    ) -> Result<Package, Refusal> {
        let release = self.release(address, Some(&filename.platform)).await?;
        release.find_archive(digest, filename).cloned().ok_or_else(|| Refusal::no_archive(digest, filename))
    }

    /// The namespace of `address`, with the key `fingerprint` in it if R2 knows of one.
    pub(super) async fn namespace_with_key(
        &self,
        address: &ReleaseAddress,
        fingerprint: &Fingerprint,
    ) -> Result<Rc<Stored<NamespaceDocument>>, Refusal> {
        let refusal = || Refusal::no_provider(&address.provider);
        let namespace_address = address.provider.namespace_address();
        let namespace = self.namespace(namespace_address).await?.ok_or_else(refusal)?;
        if namespace.signing_key(fingerprint).is_some() {
            return Ok(namespace);
        }
        let key = DocumentKey::Namespace(namespace_address.clone());
        visible(self.reader.recheck(&self.shelves.namespaces, &key).await?).ok_or_else(refusal)
    }
}

/// The namespace, if anybody may see it.
fn visible(namespace: Option<Rc<Stored<NamespaceDocument>>>) -> Option<Rc<Stored<NamespaceDocument>>> {
    namespace.filter(|namespace| namespace.visibility == Visibility::Public)
}

/// The entry of the version at `address`: the one place that looks for a version in a document.
fn find_entry<'a>(
    provider: &'a ProviderDocument,
    address: &ReleaseAddress,
    platform: Option<&Platform>,
) -> Result<&'a VersionEntry, Refusal> {
    let entry = provider.find(&address.version).ok_or_else(|| Refusal::no_version(address))?;
    match platform {
        Some(platform) if !entry.platforms.contains(platform) => Err(Refusal::no_platform(address, platform)),
        _ => Ok(entry),
    }
}
