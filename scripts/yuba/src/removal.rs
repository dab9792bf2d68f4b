//! Removal: a version is taken down for good. It breaks whoever has locked it, so it is for the case that the law, or a
//! leaked secret, leaves no choice.
//!
//! 1. The provider's entry becomes a tombstone, by compare-and-swap: from then on nothing of the version is served, and
//!    its number is used up
//! 2. the provider's KV copy
//! 3. the version's KV copies are deleted
//! 4. it is taken out of its OCI views; those that no other version has are deleted
//! 5. the archives that no other release names are deleted; whoever came to name one meanwhile gets its view back
//! 6. the version's release documents are deleted, the strays first
//!
//! Each step finds what is left to do in what the later ones delete, so the same command again completes a removal that
//! was killed.

mod archives;
mod views;

use std::collections::BTreeSet;

use fastrand::Rng;
use jiff::Timestamp;
use serde::Serialize;
use yuba::address::ReleaseAddress;
use yuba::document::{ProviderDocument, ReleaseDocument, Status, VersionEntry};
use yuba::keys::{BlobKey, DocumentKey, ObjectKey};

use crate::backoff::Backoff;
use crate::copies;
use crate::documents::{self, AccessError, Action, Next};
use crate::life_cycle::LifeCycleError;
use crate::publish::Write;
use crate::reason::Reason;
use crate::store::{Listing, Store};
use crate::time;

use crate::attempt::attempt;

/// What is to be removed, and when.
#[derive(Debug, Clone)]
pub struct Removal {
    /// Which version.
    pub release: ReleaseAddress,
    /// Why, for those who look after the registry.
    pub reason: Reason,
    /// The time.
    pub now: Timestamp,
    /// What spreads those who meet.
    pub random: Rng,
}

/// An archive that stays, because other releases have the same bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Kept {
    /// The archive's key in R2.
    pub key: String,
    /// The other releases.
    pub named_by: Vec<String>,
}

/// A version that was removed.
#[derive(Debug)]
pub struct Removed {
    /// Its tombstone.
    pub tombstone: VersionEntry,
    /// Whether the provider has other versions.
    pub is_last: bool,
    /// Whether there was nothing left to do.
    pub unchanged: bool,
    /// The archives that stay.
    pub kept: Vec<Kept>,
    /// What was done to each storage key, in the order of time.
    pub writes: Vec<Write>,
}

/// Removes a version.
///
/// # Errors
/// [`LifeCycleError`] if it was never listed, or storage fails. Running it again completes it.
pub async fn remove(store: &dyn Store, removal: &Removal) -> Result<Removed, LifeCycleError> {
    let Removal { release, reason, now, random } = removal;
    let mut random = random.clone();
    let key = DocumentKey::Provider(release.provider.clone());
    let changed = documents::change(store, &key, Backoff::new(random.fork()), |held: Option<ProviderDocument>| {
        let held = held.ok_or_else(|| LifeCycleError::NoProvider(release.provider.clone()))?;
        let Some(entry) = held.find_entry(&release.version) else {
            return Err(LifeCycleError::NoVersion(release.clone()));
        };
        if entry.is_removed() {
            // A tombstone is a record: it keeps its reason, and its time.
            return Ok(Next::Keep(held));
        }
        let status = Status::Removed { reason: reason.to_string(), at: time::render(*now) };
        let tombstone = VersionEntry { status, ..entry.clone() };
        Ok(Next::Write(held.with(tombstone)))
    });
    let changed = changed.await?;
    let mut writes = vec![Write::document(&key, changed.action)];
    writes.push(Write::copy(&key, copies::copy(store, &key, &mut random).await?));
    let provider = changed.document;
    let Some(tombstone) = provider.find_entry(&release.version).cloned() else {
        return Err(LifeCycleError::NoVersion(release.clone()));
    };
    let listed = DocumentKey::Release(release.clone(), tombstone.release);
    let kept = clear(store, release, &listed, &mut random, &mut writes).await?;
    let is_last = provider.versions().next().is_none();
    let unchanged = writes.iter().all(|write| write.action == Action::Exists);
    Ok(Removed { tombstone, is_last, unchanged, kept, writes })
}

/// Deletes all that is stored of a version whose tombstone stands: its KV copies, its archives, its documents. `listed`
/// is the document that was listed.
pub(crate) async fn clear(
    store: &dyn Store,
    release: &ReleaseAddress,
    listed: &DocumentKey,
    random: &mut Rng,
    writes: &mut Vec<Write>,
) -> Result<Vec<Kept>, AccessError> {
    let listing = Listing::Releases(release.clone());
    let mut documents = attempt(random, || store.list(&listing)).await?;
    documents.sort_by_key(|key| key == listed);
    let copied = documents.iter().filter(|key| *key != listed).chain([listed]);
    for key in copied {
        delete_copy(store, key, random, writes).await?;
    }
    if documents.is_empty() {
        views::sweep(store, release, random, writes).await?;
    }
    let mut blobs = BTreeSet::new();
    for key in &documents {
        let Some(document) = attempt(random, || documents::read::<ReleaseDocument>(store, key)).await? else {
            continue;
        };
        views::withdraw(store, &document, random, writes).await?;
        blobs.extend(document.packages.into_values().map(|package| BlobKey(package.zh)));
    }
    let kept = archives::delete(store, release, &blobs, random, writes).await?;
    views::give_back(store, &release.provider, &kept, random).await?;
    let kept = kept.into_iter().map(|kept| kept.shown()).collect();
    for key in documents {
        let object = ObjectKey::Document(key.clone());
        attempt(random, || store.delete(&object)).await?;
        writes.push(Write::document(&key, Action::Delete));
    }
    Ok(kept)
}

async fn delete_copy(
    store: &dyn Store,
    key: &DocumentKey,
    random: &mut Rng,
    writes: &mut Vec<Write>,
) -> Result<(), AccessError> {
    // KV may say for a minute that it lacks what it has, so it is told in any case.
    let held = store.read_copy(key).await.unwrap_or_default();
    let name = key.to_string();
    attempt(random, || store.delete_copy(&name)).await?;
    if held.is_some() {
        writes.push(Write::copy(key, Action::Delete));
    }
    Ok(())
}
