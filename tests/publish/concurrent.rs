//! Publishers at once.

use std::path::Path;

use futures::future::join_all;
use yuba::document::{Document as _, ProviderDocument};
use yuba::keys::DocumentKey;
use yuba_companion::project::Project;
use yuba_companion::publish::{Ending, Reason};
use yuba_companion::state::State;
use yuba_companion::store::dir::DirStore;
use yuba_companion::store::{Listing, Store};
use yuba_companion::target::Opened;

use crate::scene::{Registry, Release, provider, release};

/// How many publish at once.
const PUBLISHERS: usize = 16;

async fn read_provider(store: &dyn Store) -> ProviderDocument {
    let key = DocumentKey::Provider(provider());
    let stored = store.read(&key).await.unwrap().unwrap();
    assert_eq!(store.read_copy(&key).await.unwrap().unwrap(), stored.bytes, "KV holds what R2 holds");
    ProviderDocument::from_json(&stored.bytes).unwrap()
}

/// Each publisher has a store of its own over one directory, as separate processes have.
#[tokio::test(flavor = "multi_thread")]
async fn all_versions_of_sixteen_publishers_are_listed() {
    let registry = Registry::new().await;
    let directory = tempfile::tempdir().unwrap();
    let opened = registry.open_directory(directory.path()).await;
    let stores: Vec<_> = (0..PUBLISHERS).map(|_| DirStore::new(directory.path().to_owned())).collect();
    let publishers: Vec<_> = stores.iter().map(|store| store as &dyn Store).collect();
    publish_at_once(&registry, &publishers).await;
    assert_all_listed(&*opened.store).await;
    opened.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_versions_of_sixteen_publishers_are_listed_locally() {
    let project = Project::find(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    if !project.root().join("node_modules/miniflare").exists() {
        println!("skipped: node_modules is missing: run `scripts/setup`");
        return;
    }
    let registry = Registry::new().await;
    let directory = tempfile::tempdir().unwrap();
    let opened = Opened::local(&State::new(directory.path().to_owned()), Some(&project)).await.unwrap();
    registry.register(&*opened.store).await;
    publish_at_once(&registry, &[&*opened.store; PUBLISHERS]).await;
    assert_all_listed(&*opened.store).await;
    opened.close().await;
}

fn versions() -> Vec<String> {
    (0..PUBLISHERS).map(|number| format!("1.{number}.0")).collect()
}

async fn publish_at_once(registry: &Registry, publishers: &[&dyn Store]) {
    let releases: Vec<_> =
        versions().iter().map(|version| registry.write(&Release { label: version, ..Release::new(version) })).collect();
    let publishes =
        publishers.iter().zip(&releases).map(|(store, dist)| registry.publish_directory(*store, dist.path()));
    for ending in join_all(publishes).await {
        assert!(matches!(ending, Ending::Published(_)));
    }
}

async fn assert_all_listed(store: &dyn Store) {
    let provider = read_provider(store).await;
    let listed: Vec<_> = provider.versions().map(|entry| entry.version.to_string()).collect();
    assert_eq!(listed, versions());
    assert_eq!(provider.revision, PUBLISHERS as u64);
    for version in listed {
        let documents = store.list(&Listing::Releases(release(&version))).await.unwrap();
        assert_eq!(documents.len(), 1);
        assert!(store.read_copy(&documents[0]).await.unwrap().is_some());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_release_by_sixteen_publishers_is_one() {
    let registry = Registry::new().await;
    let directory = tempfile::tempdir().unwrap();
    let opened = registry.open_directory(directory.path()).await;
    let release = registry.write(&Release::new("1.0.0"));
    let publishes = (0..PUBLISHERS).map(|_| registry.publish_directory(&*opened.store, release.path()));
    for ending in join_all(publishes).await {
        assert!(matches!(ending, Ending::Published(_)));
    }
    assert_eq!(read_provider(&*opened.store).await.revision, 1);
}

/// Two builds of one version: one is listed, and the other's publisher is told.
#[tokio::test(flavor = "multi_thread")]
async fn of_different_releases_of_one_version_one_is_listed() {
    let registry = Registry::new().await;
    let directory = tempfile::tempdir().unwrap();
    let opened = registry.open_directory(directory.path()).await;
    let releases: Vec<_> =
        ["one", "two", "three", "four"].map(|label| registry.write(&Release { label, ..Release::new("1.0.0") })).into();
    let publishes = releases.iter().map(|release| registry.publish_directory(&*opened.store, release.path()));
    let mut listed = Vec::new();
    for ending in join_all(publishes).await {
        match ending {
            Ending::Published(publication) => listed.push(publication.document),
            Ending::Refused(refusal) => assert!(matches!(refusal.reason, Reason::OtherContent(..))),
        }
    }
    assert_eq!(listed.len(), 1);
    let provider = read_provider(&*opened.store).await;
    assert_eq!(provider.entries()[0].protocols, listed[0].protocols);
    assert_eq!(provider.revision, 1);
}
