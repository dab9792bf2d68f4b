//! The third stage: the swap that makes a version exist, what must stand before it, and the copies after it.

use fastrand::Rng;
use yuba::digest::Sha256Digest;
use yuba::document::{IndexDocument, ProviderDocument, ReleaseDocument, Status, VersionEntry};
use yuba::keys::DocumentKey;

use super::store::release;
use super::{Problem, Write, backoff};
use crate::copies;
use crate::documents::{self, AccessError, Action, Next};
use crate::oci_views::{self, Placed};
use crate::store::Store;

/// What came of it.
pub(super) enum Announced {
    /// The version is listed with this release.
    Listed,
    /// The version is listed with another release document, or was removed; nothing was copied.
    ListedByAnother,
}

/// Lists a stored release, whose views are `placed`, and says of every key what was done.
pub(super) async fn announce(
    store: &dyn Store,
    (document, placed): (&ReleaseDocument, Vec<Placed>),
    now: jiff::Timestamp,
    random: &mut Rng,
    writes: &mut Vec<Write>,
) -> Result<Announced, Problem> {
    let (release_key, bytes) = release(document)?;
    let release = Sha256Digest::of(&bytes);
    let oci_index = oci_views::derive(document)?.index;
    let provider = &document.address;

    // The index comes first: it may name a provider that has no version yet, and never lacks one that has.
    let index_key = DocumentKey::Index;
    let index = documents::change(store, &index_key, backoff(random), |index: Option<IndexDocument>| {
        let index = index.unwrap_or_else(IndexDocument::empty);
        Ok::<_, AccessError>(if index.names(provider) { Next::Keep(index) } else { Next::Write(index.with(provider)) })
    });
    writes.push(Write::document(&index_key, index.await?.action));

    let provider_key = DocumentKey::Provider(provider.clone());
    let listed = documents::change(store, &provider_key, backoff(random), |held: Option<ProviderDocument>| {
        let held = held.unwrap_or_else(|| ProviderDocument::new(provider.clone()));
        Ok::<_, AccessError>(match held.find_entry(&document.version) {
            // It may have been listed before there were views, or by somebody who knew none.
            Some(_) => {
                let indexed = held.with_oci_index(&document.version, &release, oci_index);
                indexed.map_or(Next::Keep(held), Next::Write)
            }
            None => Next::Write(held.with(entry(document, (release, oci_index), now))),
        })
    });
    let listed = listed.await?;
    if listed.document.find(&document.version).is_none_or(|entry| entry.release != release) {
        return Ok(Announced::ListedByAnother);
    }
    writes.push(Write::document(&provider_key, listed.action));

    // Somebody who removed the last other version with the same archive may have deleted its view after it was read.
    let is_shared = placed.iter().any(|view| view.action == Action::Swap);
    let placed = if is_shared { oci_views::place(store, &oci_views::derive(document)?, random).await? } else { placed };
    copy_views(store, &release_key, placed, random, writes).await?;
    // The provider's copy comes last, so that no copy lists what has none.
    let namespace_key = DocumentKey::Namespace(provider.namespace_address().clone());
    for key in [release_key, namespace_key, index_key, provider_key] {
        let action = copies::copy(store, &key, random).await?;
        writes.push(Write::copy(&key, action));
    }
    Ok(Announced::Listed)
}

/// Copies the views of a release unless the release itself has a copy, which is written after them.
async fn copy_views(
    store: &dyn Store,
    release: &DocumentKey,
    placed: Vec<Placed>,
    random: &mut Rng,
    writes: &mut Vec<Write>,
) -> Result<(), Problem> {
    let is_copied = store.read_copy(release).await.unwrap_or_default().is_some();
    if !is_copied {
        oci_views::copy(store, &placed, random).await?;
    }
    let action = if is_copied { Action::Exists } else { Action::Create };
    writes.extend(placed.iter().map(|view| Write::copy(&view.key, action)));
    Ok(())
}

fn entry(
    document: &ReleaseDocument,
    (release, oci_index): (Sha256Digest, Sha256Digest),
    now: jiff::Timestamp,
) -> VersionEntry {
    VersionEntry {
        version: document.version.clone(),
        protocols: document.protocols.clone(),
        platforms: document.packages.keys().cloned().collect(),
        published: crate::time::render(now),
        status: Status::Listed,
        signing_key: document.signing_key.clone(),
        release,
        oci_index: Some(oci_index),
    }
}
