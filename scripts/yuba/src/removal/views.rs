//! The OCI views of a version that is removed.
//!
//! An archive may be another version's too, and that version may be about to be listed: its publisher adds it to the view
//! after its release document is written. So whoever has such a document once the archives are gone is added again.

use std::collections::BTreeMap;
use std::pin::pin;

use fastrand::Rng;
use futures::StreamExt as _;
use yuba::address::{ProviderAddress, ReleaseAddress};
use yuba::document::{OciView, ReleaseDocument};
use yuba::keys::DocumentKey;
use yuba::version::Version;

use super::archives::Named;
use super::delete_copy;
use crate::attempt::attempt;
use crate::documents::{self, AccessError, Action};
use crate::oci_views::{self, Left};
use crate::publish::Write;
use crate::store::{Listing, Store};

/// Takes the version of `document` out of its views, and out of their copies.
pub(super) async fn withdraw(
    store: &dyn Store,
    document: &ReleaseDocument,
    random: &mut Rng,
    writes: &mut Vec<Write>,
) -> Result<(), AccessError> {
    for (key, _) in oci_views::derive(document)?.views {
        withdraw_one(store, &key, &document.version, random, writes).await?;
    }
    Ok(())
}

/// Takes a version that has no document any more out of whatever view names it. A publisher that did not know of the
/// removal, and was killed before it could clear up after itself, has left that.
pub(super) async fn sweep(
    store: &dyn Store,
    release: &ReleaseAddress,
    random: &mut Rng,
    writes: &mut Vec<Write>,
) -> Result<(), AccessError> {
    let listing = Listing::OciViews(release.provider.clone());
    let keys = attempt(random, || store.list(&listing)).await?;
    let mut named = Vec::new();
    let mut reads = pin!(documents::read_all(store, keys));
    while let Some(read) = reads.next().await {
        let (key, Some(stored)) = read? else { continue };
        // One that cannot be read is `fsck`'s to mend.
        let Ok(view) = documents::parse::<OciView>(&key, &stored.bytes) else { continue };
        if view.releases.iter().any(|(version, _)| *version == release.version) {
            named.push(key);
        }
    }
    for key in named {
        withdraw_one(store, &key, &release.version, random, writes).await?;
    }
    Ok(())
}

async fn withdraw_one(
    store: &dyn Store,
    key: &DocumentKey,
    version: &Version,
    random: &mut Rng,
    writes: &mut Vec<Write>,
) -> Result<(), AccessError> {
    let mut fork = random.fork();
    let left = attempt(random, || oci_views::withdraw(store, key, version, fork.fork())).await?;
    match left {
        Left::Others(bytes) => attempt(random, || store.write_copy(key, &bytes)).await?,
        Left::Nothing => delete_copy(store, key, random, writes).await?,
        Left::Deleted => {
            delete_copy(store, key, random, writes).await?;
            writes.push(Write::document(key, Action::Delete));
        }
    }
    Ok(())
}

/// Adds the other versions that name archives which stay to their views.
pub(super) async fn give_back(
    store: &dyn Store,
    provider: &ProviderAddress,
    kept: &[Named],
    random: &mut Rng,
) -> Result<(), AccessError> {
    let others = kept.iter().flat_map(|named| &named.by).filter(|(release, _)| release.provider == *provider);
    let documents: BTreeMap<_, _> = others.flat_map(|(_, keys)| keys).map(|key| (key.to_string(), key)).collect();
    for key in documents.into_values() {
        let document = attempt(random, || documents::read::<ReleaseDocument>(store, key)).await?;
        if let Some(document) = document {
            oci_views::place(store, &oci_views::derive(&document)?, random).await?;
        }
    }
    Ok(())
}
