//! Changing one key's record: the namespace document by compare-and-swap, then its KV copy.

use fastrand::Rng;
use yuba::address::NamespaceAddress;
use yuba::document::{NamespaceDocument, SigningKey};
use yuba::keys::DocumentKey;

use super::error::KeyringError;
use super::key_name::KeyName;
use crate::backoff::Backoff;
use crate::copies;
use crate::documents::{self, Next};
use crate::publish::Write;
use crate::store::Store;

/// A key's record before and after.
#[derive(Debug, Clone)]
pub struct ChangedKey {
    /// The record as it was.
    pub before: SigningKey,
    /// The record as it is.
    pub after: SigningKey,
    /// What was done to each storage key.
    pub writes: Vec<Write>,
}

/// The record of a key as R2 has it.
///
/// # Errors
/// [`KeyringError`] if there is no such key or storage fails.
pub async fn find(store: &dyn Store, namespace: &NamespaceAddress, name: &KeyName) -> Result<SigningKey, KeyringError> {
    let key = DocumentKey::Namespace(namespace.clone());
    let document = documents::read::<NamespaceDocument>(store, &key).await?;
    let document = document.ok_or_else(|| KeyringError::NoNamespace(namespace.clone()))?;
    Ok(name.choose(&document)?.clone())
}

/// Makes of a key's record what `next` says.
pub(super) async fn change(
    store: &dyn Store,
    namespace: &NamespaceAddress,
    name: &KeyName,
    random: &mut Rng,
    next: impl Fn(&SigningKey) -> Result<SigningKey, KeyringError>,
) -> Result<ChangedKey, KeyringError> {
    let key = DocumentKey::Namespace(namespace.clone());
    let mut records = None;
    let changed = documents::change(store, &key, Backoff::new(random.fork()), |held: Option<NamespaceDocument>| {
        let mut document = held.ok_or_else(|| KeyringError::NoNamespace(namespace.clone()))?;
        let before = name.choose(&document)?.clone();
        let after = next(&before)?;
        records = Some((before.clone(), after.clone()));
        if before == after {
            return Ok(Next::Keep(document));
        }
        let known = document.signing_keys.iter_mut().filter(|known| known.fingerprint == after.fingerprint);
        known.for_each(|known| known.clone_from(&after));
        document.revision += 1;
        Ok::<_, KeyringError>(Next::Write(document))
    });
    let mut writes = vec![Write::document(&key, changed.await?.action)];
    writes.push(Write::copy(&key, copies::copy(store, &key, random).await?));
    // A change that succeeded has seen a record.
    let (before, after) = records.ok_or_else(|| KeyringError::NoNamespace(namespace.clone()))?;
    Ok(ChangedKey { before, after, writes })
}
