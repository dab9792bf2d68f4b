//! Storage as publishing uses it: whether R2 and KV can be read and written, and what is in them.

use yuba::digest::Sha256Digest;
use yuba::document::{IndexDocument, NamespaceDocument, ProviderDocument, Visibility};
use yuba::hostname::Hostname;
use yuba::keys::{BlobKey, DocumentKey, ObjectKey};

use super::{Check, Finding, Listed, chain};
use crate::documents::{self, AccessError};
use crate::store::{Listing, Store, StoreError};

/// What nothing is ever stored under. Deleting it changes nothing, and is refused to whoever may not write.
const NOTHING: &str = "yuba doctor";

/// What is in storage.
#[derive(Debug, Default)]
pub struct Seen {
    /// The registry's own namespaces.
    pub namespaces: Vec<NamespaceDocument>,
    /// A version that everybody is served.
    pub listed: Option<Listed>,
}

/// Looks at storage, changing nothing.
pub async fn look(store: &dyn Store, hostname: &Hostname) -> (Vec<Finding>, Seen) {
    let (r2, seen) = match read(store, hostname).await {
        Ok(seen) => (writable(store).await.err(), seen),
        Err(error) => (Some(told(Check::R2, &error)), Seen::default()),
    };
    let r2 = r2.unwrap_or_else(|| Finding::ok(Check::R2, "can be read and written"));
    let kv = copies(store).await.map_or_else(
        |error| problem(Check::Kv, &error, &error),
        |()| Finding::ok(Check::Kv, "can be read and written"),
    );
    (vec![r2, kv], seen)
}

async fn read(store: &dyn Store, hostname: &Hostname) -> Result<Seen, AccessError> {
    documents::read::<IndexDocument>(store, &DocumentKey::Index).await?;
    let mut seen = Seen::default();
    for key in store.list(&Listing::Namespaces).await? {
        let own = matches!(&key, DocumentKey::Namespace(address) if address.hostname == *hostname);
        if own && let Some(namespace) = documents::read::<NamespaceDocument>(store, &key).await? {
            seen.namespaces.push(namespace);
        }
    }
    let public = |namespace: &&NamespaceDocument| namespace.visibility == Visibility::Public;
    let public: Vec<_> = seen.namespaces.iter().filter(public).map(|document| &document.namespace).collect();
    for key in store.list(&Listing::Providers(Some(hostname.clone()))).await? {
        let DocumentKey::Provider(address) = &key else { continue };
        if !public.contains(&address.namespace()) {
            continue;
        }
        let Some(provider) = documents::read::<ProviderDocument>(store, &key).await? else { continue };
        if let Some(newest) = provider.versions().last() {
            seen.listed = Some(Listed { address: provider.address.clone(), version: newest.version.clone() });
            break;
        }
    }
    Ok(seen)
}

async fn writable(store: &dyn Store) -> Result<(), Finding> {
    let nothing = ObjectKey::Trash(BlobKey(Sha256Digest::of(NOTHING.as_bytes())));
    store.delete(&nothing).await.map_err(|error| problem(Check::R2, &error, &error))
}

async fn copies(store: &dyn Store) -> Result<(), StoreError> {
    store.read_copy(&DocumentKey::Index).await?;
    store.delete_copy(NOTHING).await
}

fn told(check: Check, error: &AccessError) -> Finding {
    match error {
        AccessError::Store(failed) => problem(check, error, failed),
        AccessError::Document { .. }
        | AccessError::Altered(_)
        | AccessError::Missing(_)
        | AccessError::Lost(_)
        | AccessError::Empty(_)
        | AccessError::Contended(_) => {
            let hint = "a newer yuba wrote this, or storage is damaged: update yuba, and see what `yuba fsck` finds";
            Finding::problem(check, chain(error), hint)
        }
    }
}

fn problem(check: Check, error: &(dyn std::error::Error + 'static), failed: &StoreError) -> Finding {
    let hint = failed.cause.hint();
    Finding::problem(check, chain(error), hint.unwrap_or_else(|| "try again; storage may be busy".to_owned()))
}
