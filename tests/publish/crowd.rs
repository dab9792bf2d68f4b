//! Sixteen publishers of different versions of one provider.

use futures::future::join_all;
use tempfile::TempDir;
use yuba::document::{Document as _, ProviderDocument};
use yuba::keys::DocumentKey;
use yuba_companion::publish::Ending;
use yuba_companion::store::{Listing, Store};

use crate::scene::{Registry, Release, provider, release};

/// How many publish at once.
pub(crate) const PUBLISHERS: usize = 16;

fn versions() -> Vec<String> {
    (0..PUBLISHERS).map(|number| format!("1.{number}.0")).collect()
}

/// A release for each publisher.
pub(crate) fn releases(registry: &Registry) -> Vec<TempDir> {
    versions().iter().map(|version| registry.write(&Release { label: version, ..Release::new(version) })).collect()
}

/// Publishes each release through a store of its own, all at once.
pub(crate) async fn publish_at_once(registry: &Registry, releases: &[TempDir], publishers: &[&dyn Store]) {
    let publishes =
        publishers.iter().zip(releases).map(|(store, dist)| registry.publish_directory(*store, dist.path()));
    for ending in join_all(publishes).await {
        assert!(matches!(ending, Ending::Published(_)), "{ending:?}");
    }
}

pub(crate) async fn read_provider(store: &dyn Store) -> ProviderDocument {
    let key = DocumentKey::Provider(provider());
    let stored = store.read(&key).await.unwrap().unwrap();
    assert_eq!(store.read_copy(&key).await.unwrap().unwrap(), stored.bytes, "KV holds what R2 holds");
    ProviderDocument::from_json(&stored.bytes).unwrap()
}

/// Every version is listed, in R2 and in KV, with its document in both; how many that are.
pub(crate) async fn assert_all_listed(store: &dyn Store) -> usize {
    let provider = read_provider(store).await;
    let listed: Vec<_> = provider.versions().map(|entry| entry.version.to_string()).collect();
    assert_eq!(listed, versions());
    assert_eq!(provider.revision, PUBLISHERS as u64, "one swap each");
    for version in &listed {
        let documents = store.list(&Listing::Releases(release(version))).await.unwrap();
        assert_eq!(documents.len(), 1);
        assert!(store.read_copy(&documents[0]).await.unwrap().is_some());
    }
    listed.len()
}
