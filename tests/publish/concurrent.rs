//! Publishers at once.

use futures::future::join_all;
use yuba_companion::publish::{Ending, Reason};
use yuba_companion::store::Store;
use yuba_companion::store::dir::DirStore;

use crate::crowd::{PUBLISHERS, assert_all_listed, publish_at_once, read_provider, releases};
use crate::scene::{Registry, Release};

/// Each publisher has a store of its own over one directory, as separate processes have.
#[tokio::test(flavor = "multi_thread")]
async fn all_versions_of_sixteen_publishers_are_listed() {
    let registry = Registry::new().await;
    let directory = tempfile::tempdir().unwrap();
    let opened = registry.open_directory(directory.path()).await;
    let stores: Vec<_> = (0..PUBLISHERS).map(|_| DirStore::new(directory.path().to_owned())).collect();
    let publishers: Vec<_> = stores.iter().map(|store| store as &dyn Store).collect();
    let releases = releases(&registry);
    publish_at_once(&registry, &releases, &publishers).await;
    assert_all_listed(&*opened.store).await;
    opened.close().await;
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
