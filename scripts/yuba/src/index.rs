//! The index, rebuilt from what it is derived from: the keys of the provider documents.

use fastrand::Rng;
use yuba::address::ProviderAddress;
use yuba::document::{Document as _, DocumentError, IndexDocument};
use yuba::keys::DocumentKey;

use crate::backoff::Backoff;
use crate::documents::{self, AccessError, Action, Next};
use crate::store::{Store, Swap};

/// Makes the index name `providers` too; what it names already it names for ever. An index that cannot be read is made
/// anew, unless a newer yuba wrote it.
///
/// # Errors
/// [`AccessError`] if storage fails, or a newer yuba wrote the index.
pub async fn rebuild(
    store: &dyn Store,
    providers: &[ProviderAddress],
    random: &mut Rng,
) -> Result<Action, AccessError> {
    let key = DocumentKey::Index;
    let lost = replace_damaged(store, providers).await?;
    let changed = documents::change(store, &key, Backoff::new(random.fork()), |index: Option<IndexDocument>| {
        let missing = missing(index.as_ref(), providers);
        Ok::<_, AccessError>(match index {
            Some(index) if missing.is_empty() => Next::Keep(index),
            None if missing.is_empty() => Next::Keep(IndexDocument::empty()),
            index => Next::Write(index.unwrap_or_else(IndexDocument::empty).with_all(missing)),
        })
    });
    let action = changed.await?.action;
    Ok(if lost { Action::Swap } else { action })
}

/// The providers that an index does not name; without an index, all of them.
#[must_use]
pub fn missing<'a>(index: Option<&IndexDocument>, providers: &'a [ProviderAddress]) -> Vec<&'a ProviderAddress> {
    providers.iter().filter(|provider| index.is_none_or(|index| !index.names(provider))).collect()
}

/// Puts an index in the place of one that cannot be read, newer than the copy of what it was. Whether there was one.
async fn replace_damaged(store: &dyn Store, providers: &[ProviderAddress]) -> Result<bool, AccessError> {
    let key = DocumentKey::Index;
    let Some(stored) = store.read(&key).await? else { return Ok(false) };
    match IndexDocument::from_json(&stored.bytes) {
        Ok(_) => return Ok(false),
        Err(source @ DocumentError::NewerFormat { .. }) => {
            return Err(AccessError::Document { key: key.object(), source });
        }
        Err(DocumentError::Json(_)) => {}
    }
    let copy = store.read_copy(&key).await.unwrap_or_default();
    let copied = copy.and_then(|bytes| IndexDocument::from_json(&bytes).ok());
    let revision = copied.map_or(0, |index| index.revision());
    let index = IndexDocument::lost(revision).with_all(providers);
    match store.swap(&key, Some(&stored.etag), &documents::render(&key, &index)?).await? {
        Swap::Swapped(_) => Ok(true),
        // Somebody else did: it is looked at again.
        Swap::Conflict => Ok(false),
    }
}
