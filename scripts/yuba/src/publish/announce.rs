//! The third stage: the swap that makes a version exist, what must stand before it, and the copies after it.

use fastrand::Rng;
use yuba::digest::Sha256Digest;
use yuba::document::{IndexDocument, ProviderDocument, ReleaseDocument, Status, VersionEntry};
use yuba::keys::DocumentKey;

use super::store::release;
use super::{Problem, Write, backoff};
use crate::copies;
use crate::documents::{self, AccessError, Next};
use crate::store::Store;

/// What came of it.
pub(super) enum Announced {
    /// The version is listed with this release.
    Listed,
    /// The version is listed with another release document, or was removed; nothing was copied.
    ListedByAnother,
}

/// Lists a stored release, and says of every key what was done.
pub(super) async fn announce(
    store: &dyn Store,
    document: &ReleaseDocument,
    now: jiff::Timestamp,
    random: &mut Rng,
    writes: &mut Vec<Write>,
) -> Result<Announced, Problem> {
    let (release_key, bytes) = release(document)?;
    let release = Sha256Digest::of(&bytes);
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
            Some(_) => Next::Keep(held),
            None => Next::Write(held.with(entry(document, release, now))),
        })
    });
    let listed = listed.await?;
    if listed.document.find(&document.version).is_none_or(|entry| entry.release != release) {
        return Ok(Announced::ListedByAnother);
    }
    writes.push(Write::document(&provider_key, listed.action));

    // The provider's copy comes last, so that no copy lists what has none.
    let namespace_key = DocumentKey::Namespace(provider.namespace_address().clone());
    for key in [release_key, namespace_key, index_key, provider_key] {
        let action = copies::copy(store, &key, random).await?;
        writes.push(Write::copy(&key, action));
    }
    Ok(Announced::Listed)
}

fn entry(document: &ReleaseDocument, release: Sha256Digest, now: jiff::Timestamp) -> VersionEntry {
    VersionEntry {
        version: document.version.clone(),
        protocols: document.protocols.clone(),
        platforms: document.packages.keys().cloned().collect(),
        published: crate::time::render(now),
        status: Status::Listed,
        signing_key: document.signing_key.clone(),
        release,
    }
}
