//! Finding what a route names: the namespace's policy first, then the version in the provider's document, then its
//! release. Nothing is refused before R2 was asked for what the copy at hand lacks.

mod oci;

use futures_util::future::try_join;

use super::documents::{Reader, Shelves};
use super::freshness::Freshness;
use super::refusal::Refusal;
use super::storage::Storage;
use super::stored::Stored;
use crate::address::{NamespaceAddress, ProviderAddress, ReleaseAddress};
use crate::archive_name::ArchiveName;
use crate::digest::Sha256Digest;
use crate::document::{
    IndexDocument, KeyRevocation, NamespaceDocument, Package, ProviderDocument, ReleaseDocument, RevocationPolicy,
    VersionEntry, Visibility,
};
use crate::fingerprint::Fingerprint;
use crate::keys::DocumentKey;
use crate::platform::Platform;

/// A provider, and the namespace whose policy it is under.
pub(super) struct Found {
    pub(super) namespace: Stored<NamespaceDocument>,
    pub(super) provider: Stored<ProviderDocument>,
}

/// What a version is listed with.
#[derive(Debug, Clone, Copy)]
struct Listed {
    /// The digest of its release document.
    release: Sha256Digest,
    /// The digest of its OCI index, if it has one.
    oci_index: Option<Sha256Digest>,
}

impl Listed {
    const fn of(entry: &VersionEntry) -> Self {
        Self { release: entry.release, oci_index: entry.oci_index }
    }
}

/// Whether those who are answered see for themselves that a key is revoked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Audience {
    /// Clients of the registry protocol, who verify the signature by the key that they are given: one that carries its
    /// owner's revocation makes them refuse what it signed, and say why. They do so once they have the archive.
    Verifying,
    /// Clients of the mirror, who never see a key.
    Trusting,
}

/// How one request finds documents.
pub(super) struct Lookup<'a, S> {
    reader: Reader<'a, S>,
}

impl<'a, S: Storage> Lookup<'a, S> {
    pub(super) fn new(shelves: &'a Shelves, freshness: &'a Freshness, storage: &'a S) -> Self {
        Self { reader: Reader { shelves, freshness, storage } }
    }

    pub(super) fn storage(&self) -> &'a S {
        self.reader.storage
    }

    /// The provider at `address`, if its namespace's policy lets anybody see it.
    pub(super) async fn provider(&self, address: &ProviderAddress) -> Result<Found, Refusal> {
        let key = DocumentKey::Provider(address.clone());
        if self.is_known_absent(address, &key).await {
            return Err(Refusal::no_provider(address));
        }
        let provider = self.reader.mutable::<ProviderDocument>(&key);
        let (namespace, provider) = try_join(self.namespace(address.namespace_address()), provider).await?;
        if let (Some(namespace), Some(provider)) = (namespace, provider) {
            if provider.versions().next().is_some() {
                return Ok(Found { namespace, provider });
            }
            // All that the copy at hand knows of was removed. Clients take an empty list for a fault, and a 404 for no.
            let again = self.reader.recheck(&key).await?;
            let again = again.filter(|provider: &Stored<ProviderDocument>| provider.versions().next().is_some());
            let provider = again.ok_or_else(|| Refusal::no_provider(address))?;
            return Ok(Found { namespace, provider });
        }
        // From now on, the index judges unknown names. That it cannot be read changes nothing for this one.
        let _ = self.reader.index().await;
        Err(Refusal::no_provider(address))
    }

    /// The namespace at `address`, if its policy lets anybody see it. That it is private is R2's to say: KV may be
    /// late in both directions, and only one of them may be answered from it.
    async fn namespace(&self, address: &NamespaceAddress) -> Result<Option<Stored<NamespaceDocument>>, Refusal> {
        let key = DocumentKey::Namespace(address.clone());
        let namespace = self.reader.mutable::<NamespaceDocument>(&key).await?;
        match namespace {
            Some(namespace) if namespace.visibility == Visibility::Private => {
                Ok(visible(self.reader.confirmed(&key).await?))
            }
            namespace => Ok(namespace),
        }
    }

    /// Whether the index says that there is no such provider. Before the first unknown name there is no index at hand,
    /// and the documents answer for themselves, so that a cold install costs no read more; after it, invented names
    /// cost one read of the index now and then, however many they are. What an old index names is not asked again.
    async fn is_known_absent(&self, address: &ProviderAddress, key: &DocumentKey) -> bool {
        if let Some(Some(_)) = self.reader.held::<ProviderDocument>(key) {
            return false;
        }
        let Some(index) = self.reader.held::<IndexDocument>(&DocumentKey::Index) else { return false };
        if index.is_some_and(|index| index.names(address)) {
            return false;
        }
        match self.reader.index().await {
            Ok(Some(index)) => !index.names(address),
            Ok(None) | Err(_) => false,
        }
    }

    /// What the release at `address` is listed with, if it is and is not blocked; for `platform`, if one is asked for.
    async fn listed(
        &self,
        address: &ReleaseAddress,
        platform: Option<&Platform>,
        audience: Audience,
    ) -> Result<Listed, Refusal> {
        let Found { namespace, provider } = self.provider(&address.provider).await?;
        match find_entry(&provider, address, platform) {
            Ok(entry) => {
                admit(&namespace, &entry.signing_key, address, audience)?;
                Ok(Listed::of(entry))
            }
            Err(_) => self.listed_now(address, platform, &namespace, audience).await,
        }
    }

    /// The same by R2's word, because the copy at hand may be too old.
    async fn listed_now(
        &self,
        address: &ReleaseAddress,
        platform: Option<&Platform>,
        namespace: &NamespaceDocument,
        audience: Audience,
    ) -> Result<Listed, Refusal> {
        let key = DocumentKey::Provider(address.provider.clone());
        let provider = self.reader.recheck(&key).await?;
        let provider = provider.ok_or_else(|| Refusal::no_provider(&address.provider))?;
        let entry = find_entry(&provider, address, platform)?;
        admit(namespace, &entry.signing_key, address, audience)?;
        Ok(Listed::of(entry))
    }

    /// The release at `address`, if it is listed and not blocked; for `platform`, if one is asked for.
    pub(super) async fn release(
        &self,
        address: &ReleaseAddress,
        platform: Option<&Platform>,
        audience: Audience,
    ) -> Result<Stored<ReleaseDocument>, Refusal> {
        let mut digest = self.listed(address, platform, audience).await?.release;
        let mut release = self.read_release(address, digest).await?;
        if release.is_none() {
            // It may have been removed after what says that it is listed was read.
            let Found { namespace, .. } = self.provider(&address.provider).await?;
            digest = self.listed_now(address, platform, &namespace, audience).await?.release;
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
    ) -> Result<Option<Stored<ReleaseDocument>>, Refusal> {
        let key = DocumentKey::Release(address.clone(), digest);
        self.reader.immutable(&key).await
    }

    /// The package whose archive is `filename` with this digest, if the release at `address` lists it.
    pub(super) async fn archive(
        &self,
        address: &ReleaseAddress,
        digest: &Sha256Digest,
        filename: &ArchiveName,
    ) -> Result<Package, Refusal> {
        let release = self.release(address, Some(&filename.platform), Audience::Verifying).await?;
        release.find_archive(digest, filename).cloned().ok_or_else(|| Refusal::no_archive(digest, filename))
    }

    /// The namespace of `address`, with the key `fingerprint` in it if R2 knows of one.
    pub(super) async fn namespace_with_key(
        &self,
        address: &ReleaseAddress,
        fingerprint: &Fingerprint,
    ) -> Result<Stored<NamespaceDocument>, Refusal> {
        let refusal = || Refusal::no_provider(&address.provider);
        let namespace_address = address.provider.namespace_address();
        let namespace = self.namespace(namespace_address).await?.ok_or_else(refusal)?;
        if namespace.signing_key(fingerprint).is_some() {
            return Ok(namespace);
        }
        let key = DocumentKey::Namespace(namespace_address.clone());
        let namespace = visible(self.reader.recheck(&key).await?).ok_or_else(refusal)?;
        admit(&namespace, fingerprint, address, Audience::Verifying)?;
        Ok(namespace)
    }
}

/// The namespace, if anybody may see it.
fn visible(namespace: Option<Stored<NamespaceDocument>>) -> Option<Stored<NamespaceDocument>> {
    namespace.filter(|namespace| namespace.visibility == Visibility::Public)
}

/// Lets pass what is signed with a key that blocks nothing; to those who see for themselves, also what carries its
/// owner's revocation.
fn admit(
    namespace: &NamespaceDocument,
    fingerprint: &Fingerprint,
    address: &ReleaseAddress,
    audience: Audience,
) -> Result<(), Refusal> {
    let Some(revocation) = namespace.signing_key(fingerprint).and_then(|key| key.revoked.as_ref()) else {
        return Ok(());
    };
    match (revocation, audience) {
        (KeyRevocation { policy: RevocationPolicy::Warn, .. }, _)
        | (KeyRevocation { certified: true, .. }, Audience::Verifying) => Ok(()),
        (KeyRevocation { policy: RevocationPolicy::Block, .. }, _) => {
            Err(Refusal::blocked(address, fingerprint, revocation))
        }
    }
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
