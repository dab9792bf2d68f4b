//! What the registry's Worker would serve from a store: asked of the code that serves, over its documents and archives.

use std::collections::HashSet;

use yuba::address::ReleaseAddress;
use yuba::digest::Sha256Digest;
use yuba::document::{Document as _, OciContent, ProviderDocument, ReleaseDocument};
use yuba::keys::{BlobKey, DocumentKey, ObjectKey};
use yuba::protocol::oci::manifest;
use yuba::repository::Repository;
use yuba::route::{OciRoute, Route};
use yuba::serve::Freshness;
use yuba::tag::Tag;
use yuba_companion::oci_views;
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

/// Everything that OCI clients ask for of a release, and whether they get it.
fn oci_routes(release: &ReleaseDocument) -> Vec<(Route, Option<String>)> {
    let repository = || Repository::of_mirror(release.address.clone()).unwrap();
    let derived = oci_views::derive(release).unwrap();
    let mut routes = Vec::new();
    for (key, view) in derived.views {
        let DocumentKey::OciView(_, digest) = key else { panic!("{key} is no view") };
        let route = match view.content {
            OciContent::Index(_) | OciContent::Manifest(_) => OciRoute::Manifest(repository(), digest),
            OciContent::Layer { .. } => OciRoute::Blob(repository(), digest),
        };
        let text = manifest(&view.content).map(|(_, text)| text.to_owned());
        if digest == derived.index {
            routes.push((Route::Oci(OciRoute::Tagged(repository(), Tag(release.version.clone()))), text.clone()));
        }
        routes.push((Route::Oci(route), text));
    }
    routes
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
    let releases: Vec<ReleaseDocument> = documents(store, |key| matches!(key, DocumentKey::Release(..)));
    let find = |address: &ReleaseAddress| {
        let provider = providers.iter().find(|provider| provider.address == address.provider);
        provider.and_then(|provider| provider.find(&address.version))
    };
    let is_listed = |release: &ReleaseDocument| {
        let digest = Sha256Digest::of(&release.to_json().unwrap());
        find(&release.release_address()).is_some_and(|entry| entry.release == digest)
    };
    let listed: HashSet<Route> =
        releases.iter().filter(|release| is_listed(release)).flat_map(oci_routes).map(|(route, _)| route).collect();
    for release in &releases {
        let address = release.release_address();
        let entry = find(&address);
        let is_listed = is_listed(release);
        for (route, text) in oci_routes(release) {
            let (status, body) = ask(&route);
            // The archive of an unlisted release may be that of a listed one too.
            if !listed.contains(&route) {
                assert_eq!(status, 404, "{route}");
                continue;
            }
            assert_eq!(status, 200, "{route}");
            match (&route, text) {
                (Route::Oci(OciRoute::Tagged(..)), _) if !is_listed => {}
                (_, Some(text)) => assert_eq!(String::from_utf8(body).unwrap(), text, "{route}"),
                (Route::Oci(OciRoute::Blob(_, digest)), _) => assert_eq!(Sha256Digest::of(&body), *digest),
                (route, None) => panic!("{route} has neither a manifest nor an archive"),
            }
        }
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
