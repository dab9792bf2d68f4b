//! What the tests of care share: a second worker that comes in between, and what must hold in the end.

use std::collections::BTreeMap;
use std::future::Future;
use std::io;

use tokio::runtime::Handle;
use tokio::task::block_in_place;
use yuba::address::ProviderAddress;
use yuba::digest::Sha256Digest;
use yuba::document::{Document as _, OciView, ProviderDocument};
use yuba::keys::DocumentKey;
use yuba::version::Version;
use yuba_companion::store::Cause;
use yuba_companion::store::memory::MemoryStore;

/// The end of a process.
pub(crate) fn killed() -> Cause {
    Cause::File(io::Error::other("killed"))
}

/// Runs `work` to its end while whoever is called from waits.
pub(crate) fn meanwhile<T>(work: impl Future<Output = T>) -> T {
    block_in_place(|| Handle::current().block_on(work))
}

/// Puts everything in `r2` and `kv` into a store, over whatever is there.
pub(crate) fn fill(store: &MemoryStore, r2: &BTreeMap<String, Vec<u8>>, kv: &BTreeMap<String, Vec<u8>>) {
    for (key, bytes) in r2 {
        store.damage(key, bytes);
    }
    for (name, bytes) in kv {
        store.damage_copy(name, Some(bytes));
    }
}

/// The release documents that listed versions name, by their names.
pub(crate) fn listed(r2: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let mut listed = Vec::new();
    for (key, bytes) in r2 {
        let Some(Ok(DocumentKey::Provider(provider))) = key.strip_prefix("meta/").map(str::parse) else { continue };
        for entry in ProviderDocument::from_json(bytes).unwrap().versions() {
            listed.push(format!("release/{provider}/{}/{}", entry.version, entry.release));
        }
    }
    listed
}

/// What KV has to hold: every document but releases that are not listed, and their views.
pub(crate) fn copies_of(r2: &BTreeMap<String, Vec<u8>>) -> BTreeMap<String, Vec<u8>> {
    let listed = listed(r2);
    let is_listed = |provider: &ProviderAddress, view: &OciView| {
        let name = |(version, document): &(Version, Sha256Digest)| format!("release/{provider}/{version}/{document}");
        view.releases.iter().any(|release| listed.contains(&name(release)))
    };
    let is_copied = |name: &str, bytes: &[u8]| match name.parse() {
        Ok(DocumentKey::Release(..)) => listed.iter().any(|listed| listed == name),
        Ok(DocumentKey::OciView(provider, _)) => is_listed(&provider, &OciView::from_json(bytes).unwrap()),
        _ => true,
    };
    let documents = r2.iter().filter_map(|(key, bytes)| Some((key.strip_prefix("meta/")?.to_owned(), bytes.clone())));
    documents.filter(|(name, bytes)| is_copied(name, bytes)).collect()
}

/// KV holds what R2 holds, and nobody left a mark.
pub(crate) fn assert_copied(store: &MemoryStore) {
    let r2 = store.r2();
    assert_eq!(store.kv(), copies_of(&r2));
    assert_eq!(r2.keys().filter(|key| key.starts_with("copying/")).collect::<Vec<_>>(), [""; 0]);
}
