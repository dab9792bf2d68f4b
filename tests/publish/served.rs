//! What the registry's Worker would serve from a store: asked of the code that serves, over its documents and archives.

use yuba::digest::Sha256Digest;
use yuba::document::{Document as _, ProviderDocument, ReleaseDocument};
use yuba::keys::{BlobKey, DocumentKey, ObjectKey};
use yuba::route::Route;
use yuba::serve::Freshness;
use yuba_companion::store::memory::MemoryStore;
use yuba_tests::content::Content;
use yuba_tests::exchange::{Ask, MemoryServer, Server as _};
use yuba_tests::memory::MemoryStorage;

/// A registry that has just begun to serve what is in `store`.
fn serve(store: &MemoryStore) -> MemoryServer {
    let storage = MemoryStorage::new(&Content::default());
    for (key, bytes) in store.r2() {
        match key.parse().unwrap() {
            ObjectKey::Document(key) => storage.put_truth(&key, &bytes),
            ObjectKey::Blob(key) => storage.alter_archive(key, Some(&bytes)),
            ObjectKey::Trash(_) | ObjectKey::Copying(..) => {}
        }
    }
    for (name, bytes) in store.kv() {
        storage.put_copy(&name.parse().unwrap(), &bytes);
    }
    MemoryServer::new(storage, Freshness::DEPLOYED)
}

fn documents<D: yuba::document::Document>(store: &MemoryStore, matches: fn(&DocumentKey) -> bool) -> Vec<D> {
    let keys = store.r2().into_iter().filter_map(|(key, bytes)| match key.parse() {
        Ok(ObjectKey::Document(key)) if matches(&key) => Some(bytes),
        _ => None,
    });
    keys.map(|bytes| D::from_json(&bytes).unwrap()).collect()
}

/// The versions that are served, by hostname: each of them whole. Of all others, nothing is served at all.
pub(crate) fn served(store: &MemoryStore) -> Vec<String> {
    let mut server = serve(store);
    let mut ask = |route: &Route| {
        let reply = server.exchange(&Ask::new(&format!("GET {route}")));
        (reply.status, reply.body)
    };
    let providers: Vec<ProviderDocument> = documents(store, |key| matches!(key, DocumentKey::Provider(_)));
    for provider in &providers {
        let index: serde_json::Value =
            serde_json::from_slice(&ask(&Route::MirrorIndex(provider.address.clone())).1).unwrap();
        for entry in provider.entries() {
            let listed = index["versions"].get(entry.version.to_string()).is_some();
            assert_eq!(listed, !entry.is_removed());
        }
    }
    let mut served = Vec::new();
    for release in documents::<ReleaseDocument>(store, |key| matches!(key, DocumentKey::Release(..))) {
        let address = release.release_address();
        let provider = providers.iter().find(|provider| provider.address == address.provider);
        let entry = provider.and_then(|provider| provider.find(&address.version));
        let is_listed = entry.is_some_and(|entry| entry.release == Sha256Digest::of(&release.to_json().unwrap()));
        if is_listed {
            assert_eq!(ask(&Route::Shasums(address.clone())), (200, release.shasums.clone().into_bytes()));
            served.push(format!("{} {}", address.provider.hostname(), address.version));
        }
        if entry.is_none() {
            assert_eq!(ask(&Route::Shasums(address.clone())).0, 404);
            assert_eq!(ask(&Route::ShasumsSignature(address.clone())).0, 404);
            assert_eq!(ask(&Route::MirrorVersion(address.clone())), (200, b"{\"archives\":{}}".to_vec()));
        }
        for package in release.packages.values() {
            let (status, body) = ask(&Route::Archive(address.clone(), package.zh, package.filename.clone()));
            if is_listed {
                assert_eq!((status, Sha256Digest::of(&body)), (200, package.zh), "{}", BlobKey(package.zh).object());
            } else {
                assert_eq!(status, 404);
            }
        }
    }
    served
}
