//! The second stage: archives, then the release document, then what is derived from it. Each key names its own content,
//! so nothing is overwritten.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fastrand::Rng;
use futures::{StreamExt as _, stream};
use yuba::digest::Sha256Digest;
use yuba::document::ReleaseDocument;
use yuba::keys::{BlobKey, DocumentKey};

use super::fresh::{keep_fresh, store_again};
use super::prove::Proven;
use super::{Problem, Request, Watch, Write, backoff};
use crate::backoff::Backoff;
use crate::documents::{AccessError, Action, render};
use crate::oci_views::{self, Placed};
use crate::store::{Advance, BlobFile, Creation, Existing, Store, StoreError};
use crate::verify::VerifiedArchive;

/// How many archives are sent at once: enough to fill a line, while each store bounds what it holds of them.
const ARCHIVES_AT_ONCE: usize = 4;

/// Stores what is proven, and says of every key what was done; the views of the release come with it.
pub(super) async fn store(
    store: &dyn Store,
    proven: &Proven,
    request: &Request,
    random: &mut Rng,
    writes: &mut Vec<Write>,
) -> Result<Vec<Placed>, Problem> {
    let stopped = AtomicBool::new(false);
    let puts: Vec<_> = proven
        .archives
        .iter()
        .map(|archive| unless_stopped(&stopped, put(store, archive, &request.watch, backoff(random))))
        .collect();
    // What is begun is brought to its end, so that it need not be sent again; reports come in the order of the archives.
    let stored: Vec<_> = stream::iter(puts).buffered(ARCHIVES_AT_ONCE).collect().await;
    for (archive, action) in proven.archives.iter().zip(stored) {
        if let Some(action) = action? {
            writes.push(Write::blob(&BlobKey(archive.zh), action));
        }
    }
    let (key, bytes) = release(&proven.document)?;
    if proven.is_listed {
        writes.push(Write::document(&key, Action::Exists));
        return place_views(store, proven, random, writes).await;
    }
    let action = create(store, &key, &bytes, backoff(random)).await?;
    if action == Action::Exists {
        store_again(store, &key, &bytes, backoff(random)).await?;
    }
    writes.push(Write::document(&key, action));
    keep_fresh(store, proven, (&key, &bytes), request, random, writes).await?;
    place_views(store, proven, random, writes).await
}

async fn place_views(
    store: &dyn Store,
    proven: &Proven,
    random: &mut Rng,
    writes: &mut Vec<Write>,
) -> Result<Vec<Placed>, Problem> {
    let placed = oci_views::place(store, &oci_views::derive(&proven.document)?, random).await?;
    writes.extend(placed.iter().map(|view| Write::document(&view.key, view.action)));
    Ok(placed)
}

/// Writes an archive over whatever is there.
pub(super) async fn write(
    store: &dyn Store,
    archive: &VerifiedArchive,
    watch: &Arc<dyn Watch>,
    mut backoff: Backoff,
) -> Result<(), StoreError> {
    let file = BlobFile { key: BlobKey(archive.zh), path: &archive.path, size: archive.size };
    loop {
        watch.start(&archive.filename, archive.size);
        let put = store.put_blob(file, Existing::Replace, advance(watch, &archive.filename)).await;
        watch.finish(&archive.filename);
        match put {
            Err(error) if error.is_ambiguous() && backoff.wait().await => {}
            done => return done.map(drop),
        }
    }
}

/// Runs `put` unless another one has failed.
async fn unless_stopped(
    stopped: &AtomicBool,
    put: impl Future<Output = Result<Action, StoreError>>,
) -> Result<Option<Action>, StoreError> {
    if stopped.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let done = put.await;
    if done.is_err() {
        stopped.store(true, Ordering::Relaxed);
    }
    done.map(Some)
}

/// A release document's key and bytes.
pub(super) fn release(document: &ReleaseDocument) -> Result<(DocumentKey, Vec<u8>), AccessError> {
    let address = document.release_address();
    let bytes = render(&DocumentKey::Provider(address.provider.clone()), document)?;
    let digest = Sha256Digest::of(&bytes);
    Ok((DocumentKey::Release(address, digest), bytes))
}

async fn create(
    store: &dyn Store,
    key: &DocumentKey,
    bytes: &[u8],
    mut backoff: Backoff,
) -> Result<Action, StoreError> {
    loop {
        match store.create(key, bytes).await {
            Ok(Creation::Created) => return Ok(Action::Create),
            Ok(Creation::Exists) => return Ok(Action::Exists),
            Err(error) if error.is_ambiguous() && backoff.wait().await => {}
            Err(error) => return Err(error),
        }
    }
}

async fn put(
    store: &dyn Store,
    archive: &VerifiedArchive,
    watch: &Arc<dyn Watch>,
    mut backoff: Backoff,
) -> Result<Action, StoreError> {
    loop {
        match put_once(store, archive, watch).await {
            Err(error) if error.is_ambiguous() && backoff.wait().await => {}
            done => return done,
        }
    }
}

/// Stores an archive unless it is there. A blob of another size is none: it is written again.
async fn put_once(store: &dyn Store, archive: &VerifiedArchive, watch: &Arc<dyn Watch>) -> Result<Action, StoreError> {
    let file = BlobFile { key: BlobKey(archive.zh), path: &archive.path, size: archive.size };
    let (existing, action) = match store.stat_blob(&file.key).await? {
        Some(stat) if stat.size == archive.size => return Ok(Action::Exists),
        Some(_) => (Existing::Replace, Action::Swap),
        None => (Existing::Keep, Action::Create),
    };
    watch.start(&archive.filename, archive.size);
    let put = store.put_blob(file, existing, advance(watch, &archive.filename)).await;
    watch.finish(&archive.filename);
    Ok(match put? {
        Creation::Created => action,
        Creation::Exists => Action::Exists,
    })
}

fn advance(watch: &Arc<dyn Watch>, archive: &str) -> Advance {
    let (watch, archive) = (Arc::clone(watch), archive.to_owned());
    Arc::new(move |bytes| watch.advance(&archive, bytes))
}
