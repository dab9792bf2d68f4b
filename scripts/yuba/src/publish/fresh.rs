//! Fresh archives: those of a release that was just stored are no garbage, whoever collects garbage at the moment.
//!
//! 1. the document is stored, or stored again if it was there, which makes it young: what a young document names stays
//! 2. each archive must be there, and written less than half the grace period before the document. One that is not may
//!    have been taken for garbage already, so it is written again, and so is the document
//!
//! All times are R2's own, so no clock of a publisher's matters.

use fastrand::Rng;
use futures::future::try_join_all;
use yuba::keys::{BlobKey, DocumentKey};

use super::prove::Proven;
use super::store::write;
use super::{Problem, Request, Write, backoff};
use crate::backoff::Backoff;
use crate::documents::Action;
use crate::grace::HALF;
use crate::store::{Stat, Store, StoreError, Swap};
use crate::verify::VerifiedArchive;

/// How often archives are written again before it is given up: once, unless writing them takes days.
const ROUNDS: usize = 3;

/// Makes sure that garbage collection leaves the archives of a release alone that is stored under `key`.
pub(super) async fn keep_fresh(
    store: &dyn Store,
    proven: &Proven,
    (key, bytes): (&DocumentKey, &[u8]),
    request: &Request,
    random: &mut Rng,
    writes: &mut Vec<Write>,
) -> Result<(), Problem> {
    for _ in 0..ROUNDS {
        let document = stat_document(store, key, proven, backoff(random)).await?;
        let stats = proven.archives.iter().map(|archive| stat_blob(store, archive, backoff(random)));
        let stats = try_join_all(stats.collect::<Vec<_>>()).await?;
        let archives = proven.archives.iter().zip(stats);
        let stale = archives.filter(|(archive, stat)| !is_fresh(*stat, archive.size, document));
        let stale: Vec<_> = stale.map(|(archive, _)| archive).collect();
        if stale.is_empty() && document.is_some() {
            return Ok(());
        }
        for archive in stale {
            write(store, archive, &request.watch, backoff(random)).await?;
            writes.push(Write::blob(&BlobKey(archive.zh), Action::Swap));
        }
        store_again(store, key, bytes, backoff(random)).await?;
    }
    Err(Problem::Slow)
}

/// Whether an archive is there as a whole, and young enough beside its document.
fn is_fresh(archive: Option<Stat>, size: u64, document: Option<Stat>) -> bool {
    let (Some(archive), Some(document)) = (archive, document) else { return false };
    archive.size == size && document.modified.duration_since(archive.modified) < HALF
}

/// Stores a release document over itself, which makes it young.
pub(super) async fn store_again(
    store: &dyn Store,
    key: &DocumentKey,
    bytes: &[u8],
    mut backoff: Backoff,
) -> Result<(), StoreError> {
    loop {
        let stored = store.read(key).await?;
        let swapped = store.swap(key, stored.as_ref().map(|stored| &stored.etag), bytes).await;
        match swapped {
            // Whoever came in between stored the same document.
            Ok(Swap::Swapped(_) | Swap::Conflict) => return Ok(()),
            Err(error) if error.is_ambiguous() && backoff.wait().await => {}
            Err(error) => return Err(error),
        }
    }
}

async fn stat_document(
    store: &dyn Store,
    key: &DocumentKey,
    proven: &Proven,
    mut backoff: Backoff,
) -> Result<Option<Stat>, StoreError> {
    let prefix = DocumentKey::releases_prefix(&proven.document.release_address());
    let object = key.object();
    loop {
        match store.objects(&prefix).await {
            Err(error) if error.is_ambiguous() && backoff.wait().await => {}
            found => return Ok(found?.into_iter().find(|found| found.key == object).map(|found| found.stat)),
        }
    }
}

async fn stat_blob(
    store: &dyn Store,
    archive: &VerifiedArchive,
    mut backoff: Backoff,
) -> Result<Option<Stat>, StoreError> {
    loop {
        match store.stat_blob(&BlobKey(archive.zh)).await {
            Err(error) if error.is_ambiguous() && backoff.wait().await => {}
            found => return found,
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    #[test]
    fn an_archive_is_fresh_for_half_the_grace_period_before_its_document() {
        let stat = |size, seconds| Some(Stat { size, modified: Timestamp::from_second(seconds).unwrap() });
        let half = HALF.as_secs();
        let document = stat(9, half);
        for (archive, fresh) in
            [(stat(5, half), true), (stat(5, 2 * half), true), (stat(5, 1), true), (stat(5, 0), false), (None, false)]
        {
            assert_eq!(is_fresh(archive, 5, document), fresh, "{archive:?}");
        }
        assert!(!is_fresh(stat(4, half), 5, document), "cut off");
        assert!(!is_fresh(stat(5, half), 5, None), "nothing names it");
    }
}
