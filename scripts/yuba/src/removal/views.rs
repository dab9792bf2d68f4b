//! The OCI views of a version that is removed.
//!
//! An archive may be another version's too, and that version may be about to be listed: its publisher adds it to the view
//! after its release document is written. So whoever has such a document once the archives are gone is added again.

use std::collections::BTreeMap;

use fastrand::Rng;
use yuba::address::ProviderAddress;
use yuba::document::ReleaseDocument;

use super::archives::Named;
use super::attempt::attempt;
use super::delete_copy;
use crate::documents::{self, AccessError, Action};
use crate::oci_views::{self, Left};
use crate::publish::Write;
use crate::store::Store;

/// Takes the version of `document` out of its views, and out of their copies.
pub(super) async fn withdraw(
    store: &dyn Store,
    document: &ReleaseDocument,
    random: &mut Rng,
    writes: &mut Vec<Write>,
) -> Result<(), AccessError> {
    for (key, _) in oci_views::derive(document)?.views {
        let mut fork = random.fork();
        let left = attempt(random, || oci_views::withdraw(store, &key, &document.version, fork.fork())).await?;
        match left {
            Left::Others(bytes) => attempt(random, || store.write_copy(&key, &bytes)).await?,
            Left::Nothing => delete_copy(store, &key, random, writes).await?,
            Left::Deleted => {
                delete_copy(store, &key, random, writes).await?;
                writes.push(Write::document(&key, Action::Delete));
            }
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
    let others: BTreeMap<_, _> = kept.iter().flat_map(|named| &named.by).collect();
    for (_, key) in others.into_iter().filter(|(release, _)| release.provider == *provider) {
        let document = attempt(random, || documents::read::<ReleaseDocument>(store, key)).await?;
        if let Some(document) = document {
            oci_views::place(store, &oci_views::derive(&document)?, random).await?;
        }
    }
    Ok(())
}
