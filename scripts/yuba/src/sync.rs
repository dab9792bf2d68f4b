//! Sync: KV is made to hold what R2 says it should, and nothing else, from R2 alone.
//!
//! 1. list KV, then read from R2 what is served. In this order: whatever was in KV for a good reason is found in R2 too
//! 2. mend the index, which is derived, where it lacks a provider
//! 3. derive the OCI views that listed versions lack, and list those versions with the digests of their indexes
//! 4. write the copies that are missing or differ: releases, which never change, in bulk; what can change in bulk too,
//!    under marks, by the rules of [`copies`], so that publishers may be at work
//! 5. delete the keys in KV that are no such document's
//! 6. start over, until there is nothing left to do; then look for whoever was killed while copying
//!
//! A document that cannot be used is left alone, and so is its copy.

mod bulk;
mod examine;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use fastrand::Rng;
use futures::stream::{self, StreamExt as _};
use serde::Serialize;
use yuba::address::ReleaseAddress;
use yuba::digest::Sha256Digest;
use yuba::document::ReleaseDocument;
use yuba::keys::{Area, DocumentKey, ObjectKey};

use crate::backoff::Backoff;
use crate::copies;
use crate::documents::{self, AccessError, Action};
use crate::index;
use crate::oci_views;
use crate::served::Served;
use crate::store::Store;
use bulk::Batch;
use examine::{Examined, examine};

/// How many documents are compared with their copies at once.
const EXAMINED_AT_ONCE: usize = 16;

/// How many releases are written in one request: KV takes 10,000, which would be a lot to hold in memory.
const RELEASES_AT_ONCE: usize = 500;

/// How many documents that can change are written in one request: few, so that their marks stay good meanwhile.
const MUTABLE_AT_ONCE: usize = 16;

/// What was wrong with a key of KV.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Difference {
    /// It was missing.
    Missing,
    /// It held something else than R2.
    Different,
    /// It is no key of a document that is served.
    Stray,
}

/// What a sync came to.
#[derive(Debug)]
pub struct Synced {
    /// How many documents are served, and so have a copy now.
    pub served: usize,
    /// What was done to the index in R2.
    pub index: Action,
    /// The versions whose OCI views were derived.
    pub derived: BTreeSet<ReleaseAddress>,
    /// The keys of KV that were not as they should be, and are now.
    pub differences: BTreeMap<String, Difference>,
    /// The documents that cannot be used, by key.
    pub unusable: BTreeMap<String, AccessError>,
}

/// Makes KV hold what R2 holds.
///
/// # Errors
/// [`AccessError`] if storage fails, or others change it for longer than [`TOTAL`](crate::backoff::TOTAL).
pub async fn sync(store: &dyn Store, mut random: Rng) -> Result<Synced, AccessError> {
    let mut backoff = Backoff::new(random.fork());
    let mut syncing = Syncing::new(store, random);
    while syncing.round().await? {
        if !backoff.wait().await {
            return Err(AccessError::Contended("KV".to_owned()));
        }
    }
    syncing.settle().await?;
    Ok(syncing.synced)
}

/// A sync under way.
struct Syncing<'a> {
    store: &'a dyn Store,
    random: Rng,
    /// What was written or deleted here: KV may answer for a minute as if it were not.
    known: HashMap<String, Option<Sha256Digest>>,
    synced: Synced,
}

impl<'a> Syncing<'a> {
    fn new(store: &'a dyn Store, random: Rng) -> Self {
        let (differences, unusable) = (BTreeMap::new(), BTreeMap::new());
        let derived = BTreeSet::new();
        let synced = Synced { served: 0, index: Action::Exists, derived, differences, unusable };
        Self { store, random, known: HashMap::new(), synced }
    }

    /// One look at everything. Whether there was something to do.
    async fn round(&mut self) -> Result<bool, AccessError> {
        let mut names: BTreeSet<String> = self.store.copies().await?.into_iter().collect();
        for (name, held) in &self.known {
            if held.is_some() {
                names.insert(name.clone())
            } else {
                names.remove(name)
            };
        }
        let mut served = Served::read(self.store).await?;
        if served.documents.is_empty() && served.unreadable.is_empty() && !names.is_empty() {
            // Whoever emptied R2, or named another bucket, would not want to lose the copies too.
            return Err(AccessError::Empty(names.len()));
        }
        let index = index::rebuild(self.store, &served.providers, &mut self.random).await?;
        if index != Action::Exists {
            self.synced.index = index;
            served.documents.insert(DocumentKey::Index.to_string(), DocumentKey::Index);
        }
        self.synced.served = served.documents.len();
        self.synced.unusable = std::mem::take(&mut served.errors);
        served.lost.retain(|name, _| names.contains(name));
        let lost = served.lost.values().map(DocumentKey::object);
        self.synced.unusable.extend(lost.map(|object| (object.clone(), AccessError::Lost(object))));
        if self.derive(&served.incomplete).await? {
            // What is served is more than was read: the copies of views that R2 had lost are no strays.
            return Ok(true);
        }
        let written = self.write(&served, &names).await?;
        let deleted = self.delete(names.iter().filter(|name| !served.may_have(name))).await?;
        Ok(index != Action::Exists || written || deleted)
    }

    /// Derives what listed versions lack for OCI distribution. Whether there were any.
    async fn derive(&mut self, incomplete: &[DocumentKey]) -> Result<bool, AccessError> {
        let mut derived = false;
        for key in incomplete {
            // It may have been removed meanwhile.
            if let Some(release) = documents::read::<ReleaseDocument>(self.store, key).await? {
                match oci_views::complete(self.store, &release, &mut self.random).await {
                    Ok(()) => {
                        derived = true;
                        self.synced.derived.insert(release.release_address());
                    }
                    Err(error @ AccessError::Document { .. }) => {
                        self.synced.unusable.insert(key.object(), error);
                    }
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(derived)
    }

    /// Waits for whoever is copying, and makes good for those who were killed while they did.
    async fn settle(&mut self) -> Result<(), AccessError> {
        let marks = self.store.objects(Area::Copying.prefix()).await?;
        let documents = marks.iter().filter_map(|mark| match mark.key.parse() {
            Ok(ObjectKey::Copying(key, _)) => Some((key.to_string(), key)),
            _ => None,
        });
        for key in documents.collect::<BTreeMap<_, _>>().into_values() {
            copies::copy(self.store, &key, &mut self.random).await?;
        }
        Ok(())
    }

    /// Writes the copies that are not as they should be. Whether there were any.
    async fn write(&mut self, served: &Served, names: &BTreeSet<String>) -> Result<bool, AccessError> {
        let (mut releases, mut mutable) = (Batch::new(RELEASES_AT_ONCE), Batch::new(MUTABLE_AT_ONCE));
        let store = self.store;
        let known = self.known.clone();
        let examinations = served.documents.iter().map(|(name, key)| {
            let held = known.get(name).copied().flatten();
            examine(store, key.clone(), names.contains(name), held)
        });
        let mut examined = stream::iter(examinations).buffered(EXAMINED_AT_ONCE);
        let mut written = false;
        while let Some(done) = examined.next().await {
            match done? {
                (_, Examined::Same) => {}
                (key, Examined::Unusable(error)) => drop(self.synced.unusable.insert(key.object(), error)),
                (key, Examined::Differs(difference, bytes)) => {
                    written = true;
                    self.synced.differences.entry(key.to_string()).or_insert(difference);
                    let batch = if key.is_mutable() { &mut mutable } else { &mut releases };
                    if let Some(full) = batch.add(key, bytes) {
                        self.write_batch(full).await?;
                    }
                }
            }
        }
        self.write_batch(releases.take()).await?;
        self.write_batch(mutable.take()).await?;
        Ok(written)
    }

    /// Deletes keys from KV. Whether there were any.
    async fn delete(&mut self, strays: impl Iterator<Item = &String>) -> Result<bool, AccessError> {
        let mut deleted = false;
        for stray in strays {
            deleted = true;
            self.store.delete_copy(stray).await?;
            self.known.insert(stray.clone(), None);
            self.synced.differences.entry(stray.clone()).or_insert(Difference::Stray);
        }
        Ok(deleted)
    }
}
