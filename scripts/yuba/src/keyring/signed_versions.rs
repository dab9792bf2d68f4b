//! What a key signed, as the provider documents say.

use serde::Serialize;
use yuba::address::{NamespaceAddress, ProviderAddress};
use yuba::document::{IndexDocument, ProviderDocument};
use yuba::fingerprint::Fingerprint;
use yuba::keys::DocumentKey;
use yuba::version::Version;

use crate::documents::{self, AccessError};
use crate::store::Store;

/// The listed versions of one provider that a key signed, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SignedVersions {
    /// The provider.
    pub provider: ProviderAddress,
    /// The versions, of which there is at least one.
    pub versions: Vec<Version>,
}

/// What the key `fingerprint` signed in `namespace`, by provider.
///
/// # Errors
/// [`AccessError`] if storage fails or holds no such documents.
pub async fn signed_versions(
    store: &dyn Store,
    namespace: &NamespaceAddress,
    fingerprint: &Fingerprint,
) -> Result<Vec<SignedVersions>, AccessError> {
    let index = documents::read::<IndexDocument>(store, &DocumentKey::Index).await?;
    let mut signed = Vec::new();
    for provider in index.map(|index| index.providers_in(namespace)).unwrap_or_default() {
        let key = DocumentKey::Provider(provider.clone());
        // The index may name a provider that has no version yet.
        let Some(document) = documents::read::<ProviderDocument>(store, &key).await? else { continue };
        let entries = document.versions().filter(|entry| entry.signing_key == *fingerprint);
        let versions: Vec<_> = entries.map(|entry| entry.version.clone()).collect();
        if !versions.is_empty() {
            signed.push(SignedVersions { provider, versions });
        }
    }
    Ok(signed)
}
