//! Deleting archives that may be somebody else's too: the same bytes are one blob, whoever names it.
//!
//! A publisher that finds a blob does not upload it, and names it a moment later. So a blob is deleted in the way of
//! garbage (invariant 9 of the design): it is copied to the trash, the documents are asked once more, it is deleted, the
//! documents are asked again, and what is named by then is put back. A publisher on its part looks for its blobs once
//! more after its release document is written. Whichever of the two looks last sees the other.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use fastrand::Rng;
use futures::future::{BoxFuture, FutureExt as _};
use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use yuba::address::ReleaseAddress;
use yuba::document::ReleaseDocument;
use yuba::keys::{BlobKey, DocumentKey, ObjectKey};

use super::Kept;
use crate::attempt::attempt;
use crate::documents::{self, AccessError, Action};
use crate::publish::Write;
use crate::store::{Listing, Store};

/// How many documents are read at once.
const READERS: usize = 16;

/// An archive that stays, and the documents of other versions that name it.
pub(super) struct Named {
    blob: BlobKey,
    pub(super) by: BTreeMap<ReleaseAddress, Vec<DocumentKey>>,
}

impl Named {
    pub(super) fn shown(&self) -> Kept {
        Kept { key: self.blob.object(), named_by: self.by.keys().map(ToString::to_string).collect() }
    }
}

/// Deletes those of `blobs` that no document of another version than `release` names, and says which it kept.
pub(super) async fn delete(
    store: &dyn Store,
    release: &ReleaseAddress,
    blobs: &BTreeSet<BlobKey>,
    random: &mut Rng,
    writes: &mut Vec<Write>,
) -> Result<Vec<Named>, AccessError> {
    if blobs.is_empty() {
        return Ok(Vec::new());
    }
    let mut others = Others { store, release, blobs, seen: HashSet::new(), names: BTreeMap::new() };
    others.ask(random).await?;
    let mut in_trash = BTreeSet::new();
    for blob in blobs.iter().filter(|blob| !others.names.contains_key(blob)) {
        if duplicate(store, &ObjectKey::Blob(*blob), &ObjectKey::Trash(*blob), random).await? {
            in_trash.insert(*blob);
        }
    }
    // To read all documents takes a while, and to read those that are new since then does not.
    others.ask(random).await?;
    // A blob that is not in the trash is not deleted: somebody has written it since, and may name it.
    for blob in in_trash.iter().filter(|blob| !others.names.contains_key(blob)) {
        delete_object(store, &ObjectKey::Blob(*blob), random).await?;
    }
    others.ask(random).await?;
    for blob in others.names.keys() {
        if attempt(random, || store.stat_blob(blob)).await?.is_none() {
            // What a removal that was killed has deleted is in the trash as well.
            duplicate(store, &ObjectKey::Trash(*blob), &ObjectKey::Blob(*blob), random).await?;
        }
    }
    for blob in blobs {
        delete_object(store, &ObjectKey::Trash(*blob), random).await?;
    }
    let gone = in_trash.iter().filter(|blob| !others.names.contains_key(blob));
    writes.extend(gone.map(|blob| Write::blob(blob, Action::Delete)));
    Ok(others.names.into_iter().map(|(blob, by)| Named { blob, by }).collect())
}

/// A document that was read, and what it is.
type Read = Result<(ReleaseAddress, Option<ReleaseDocument>, DocumentKey), AccessError>;

/// The documents of other versions, as far as they name the blobs.
struct Others<'a> {
    store: &'a dyn Store,
    release: &'a ReleaseAddress,
    blobs: &'a BTreeSet<BlobKey>,
    /// What was read. It never changes, so it is read once.
    seen: HashSet<DocumentKey>,
    names: BTreeMap<BlobKey, BTreeMap<ReleaseAddress, Vec<DocumentKey>>>,
}

impl Others<'_> {
    /// Reads what was not there before. A document that cannot be read may name any blob, so it is an error.
    async fn ask(&mut self, random: &mut Rng) -> Result<(), AccessError> {
        let (store, blobs) = (self.store, self.blobs);
        let keys = attempt(random, || store.list(&Listing::All)).await?;
        let new = keys.into_iter().filter(|key| !self.seen.contains(key));
        let of_others = new.filter_map(|key| match &key {
            DocumentKey::Release(release, _) if release != self.release => Some((release.clone(), key)),
            DocumentKey::Release(..)
            | DocumentKey::Index
            | DocumentKey::Namespace(_)
            | DocumentKey::Provider(_)
            | DocumentKey::OciView(..) => None,
        });
        let reads: Vec<_> = of_others.map(|(release, key)| read(store, release, key, random.fork())).collect();
        let mut reads = stream::iter(reads).buffer_unordered(READERS);
        while let Some((release, document, key)) = reads.try_next().await? {
            let packages = document.iter().flat_map(|document| document.packages.values());
            for blob in packages.map(|package| BlobKey(package.zh)).filter(|blob| blobs.contains(blob)) {
                self.names.entry(blob).or_default().entry(release.clone()).or_default().push(key.clone());
            }
            self.seen.insert(key);
        }
        Ok(())
    }
}

/// Reads one document of another release.
fn read(store: &dyn Store, release: ReleaseAddress, key: DocumentKey, mut random: Rng) -> BoxFuture<'_, Read> {
    async move {
        let document = attempt(&mut random, || documents::read(store, &key)).await?;
        Ok((release, document, key))
    }
    .boxed()
}

async fn duplicate(store: &dyn Store, from: &ObjectKey, to: &ObjectKey, random: &mut Rng) -> Result<bool, AccessError> {
    attempt(random, || store.duplicate(from, to)).await
}

async fn delete_object(store: &dyn Store, key: &ObjectKey, random: &mut Rng) -> Result<(), AccessError> {
    attempt(random, || store.delete(key)).await
}
