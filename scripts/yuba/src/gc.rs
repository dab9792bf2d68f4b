//! Garbage collection: archives that nobody needs any more go, and nothing that a publisher may still list is lost.
//!
//! 1. read from all documents which archives they name; an archive of these that is in the trash alone is restored: a
//!    collection was killed
//! 2. garbage is what none of them names and what is older than the grace period. It is copied to the trash, then deleted
//! 3. read all documents once more, and restore what they name by now: a publisher was at work meanwhile
//! 4. delete from the trash what has been there for longer than the grace period
//!
//! A release document that was never listed names its archives for one grace period; a publisher that completes it later
//! stores it again, and writes archives again that are old. The document itself is never collected: it is small, nobody
//! could tell whether it is about to be listed, and it says that its key was good when it was stored.

mod named;
mod sort;

use std::collections::BTreeSet;

use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use jiff::{SignedDuration, Timestamp};
use yuba::keys::{Area, BlobKey, ObjectKey};

use crate::documents::AccessError;
use crate::grace::Grace;
use crate::store::{Stat, Store, StoreError};
use named::Named;
use sort::{Archives, Sorted};

/// How many archives are moved at once; they are copied within R2.
const MOVES_AT_ONCE: usize = 8;

/// How much this machine's clock may be ahead of R2's.
const CLOCK_TOLERANCE: SignedDuration = SignedDuration::from_mins(10);

/// Why garbage is not collected.
#[derive(Debug, thiserror::Error)]
pub enum GcError {
    /// Storage failed, or a document cannot be used, so that nobody can tell what it names.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// There is a document of a kind that this yuba does not know.
    #[error("`{0}` is none of the documents that this yuba knows, and may name archives")]
    Unknown(String),
    /// What seems old may be new.
    #[error("this machine's clock says {here}, and storage's says {there}")]
    Clock {
        /// The time here.
        here: Timestamp,
        /// The time there, a little later.
        there: Timestamp,
    },
}

impl From<StoreError> for GcError {
    fn from(error: StoreError) -> Self {
        Self::Access(error.into())
    }
}

/// An archive that is or was in storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Archive {
    /// Its key.
    pub key: BlobKey,
    /// Its size, and since when it is there.
    pub stat: Stat,
}

/// What a collection came to.
#[derive(Debug, Default)]
pub struct Collected {
    /// How many archives documents name.
    pub named: usize,
    /// The archives that were moved to the trash.
    pub garbage: Vec<Archive>,
    /// The archives that no document names, and that are too young to be garbage.
    pub young: Vec<Archive>,
    /// The archives that were taken out of the trash again, since documents name them.
    pub restored: Vec<BlobKey>,
    /// What was deleted from the trash.
    pub emptied: Vec<Archive>,
    /// What is left in the trash.
    pub trash: Vec<Archive>,
}

/// Collects garbage that is older than `grace` at the time `now`.
///
/// # Errors
/// [`GcError`] if storage fails or nobody can tell what is garbage. Whatever was moved then is restored by the next run.
pub async fn collect(store: &dyn Store, grace: Grace, now: Timestamp) -> Result<Collected, GcError> {
    let Ok(cutoff) = now.checked_sub(grace.duration()) else { return Ok(Collected::default()) };
    let mut collection = Collection { store, cutoff, now, collected: Collected::default() };
    collection.run().await?;
    Ok(collection.collected)
}

/// A collection under way.
struct Collection<'a> {
    store: &'a dyn Store,
    /// What was written before is old.
    cutoff: Timestamp,
    now: Timestamp,
    collected: Collected,
}

impl Collection<'_> {
    async fn run(&mut self) -> Result<(), GcError> {
        let named = Named::read(self.store, self.cutoff).await?;
        self.restore(&named).await?;
        let blobs = Archives::list(self.store, Area::Blobs).await?;
        let Sorted { garbage, young } = blobs.sort(&named, self.cutoff);
        (self.collected.named, self.collected.young) = (named.len(), young);
        let mut named = named;
        if !garbage.is_empty() {
            self.copy_to_trash(&garbage).await?;
            let deleted = self.delete(garbage).await;
            // Whatever came in between: what is gone and named must come back first.
            named = Named::read(self.store, self.cutoff).await?;
            self.restore(&named).await?;
            deleted?;
        }
        self.empty_trash(&named).await
    }

    /// Copies archives to the trash, which also tells what time it is there.
    async fn copy_to_trash(&self, garbage: &[Archive]) -> Result<(), GcError> {
        let copies = garbage.iter().map(|archive| archive.key);
        let copies = copies.map(|key| async move {
            self.store.duplicate(&ObjectKey::Blob(key), &ObjectKey::Trash(key)).await.map(drop)
        });
        stream::iter(copies).buffer_unordered(MOVES_AT_ONCE).try_collect::<Vec<()>>().await?;
        let trash = Archives::list(self.store, Area::Trash).await?;
        let moved: BTreeSet<_> = garbage.iter().map(|archive| archive.key).collect();
        let times = trash.iter().filter(|archive| moved.contains(&archive.key)).map(|archive| archive.stat.modified);
        match times.min() {
            Some(there) if self.now.duration_since(there) > CLOCK_TOLERANCE => {
                Err(GcError::Clock { here: self.now, there })
            }
            _ => Ok(()),
        }
    }

    /// Deletes archives that are in the trash, unless somebody wrote them again.
    async fn delete(&mut self, garbage: Vec<Archive>) -> Result<(), GcError> {
        let store = self.store;
        let deletions = garbage.into_iter().map(|archive| async move {
            if store.stat_blob(&archive.key).await? != Some(archive.stat) {
                return Ok::<_, StoreError>(None);
            }
            store.delete(&ObjectKey::Blob(archive.key)).await?;
            Ok(Some(archive))
        });
        let mut deleted = stream::iter(deletions).buffered(MOVES_AT_ONCE);
        while let Some(archive) = deleted.try_next().await? {
            self.collected.garbage.extend(archive);
        }
        Ok(())
    }

    /// Takes out of the trash what is named and gone.
    async fn restore(&mut self, named: &Named) -> Result<(), GcError> {
        let trash = Archives::list(self.store, Area::Trash).await?;
        if trash.iter().all(|archive| !named.contains(archive.key)) {
            return Ok(());
        }
        let blobs = Archives::list(self.store, Area::Blobs).await?;
        for archive in trash.iter().filter(|archive| named.contains(archive.key) && !blobs.contains(archive.key)) {
            let key = archive.key;
            if self.store.duplicate(&ObjectKey::Trash(key), &ObjectKey::Blob(key)).await? {
                self.collected.restored.push(key);
            }
        }
        Ok(())
    }

    /// Deletes from the trash what has been there for a whole grace period, unless it is all that there is of something.
    async fn empty_trash(&mut self, named: &Named) -> Result<(), GcError> {
        let trash = Archives::list(self.store, Area::Trash).await?;
        let blobs = Archives::list(self.store, Area::Blobs).await?;
        for archive in trash.iter() {
            let is_needed = named.contains(archive.key) && !blobs.contains(archive.key);
            if archive.stat.modified >= self.cutoff || is_needed {
                self.collected.trash.push(archive);
                continue;
            }
            self.store.delete(&ObjectKey::Trash(archive.key)).await?;
            self.collected.emptied.push(archive);
        }
        Ok(())
    }
}
