//! OCI views beside the releases that they follow from.

use fastrand::Rng;
use yuba::digest::Sha256Digest;
use yuba::document::{Document as _, OciContent, OciView, ProviderDocument, VersionEntry};
use yuba::keys::DocumentKey;
use yuba_companion::store::faults::{Fault, Faults, Operation};
use yuba_companion::store::memory::MemoryStore;
use yuba_companion::store::{Attempt, Cause};
use yuba_companion::sync::sync;

use crate::scene::{Registry, Release, copy, meanwhile, provider};
use crate::served::served;

/// The versions that each archive's view names.
fn layers(store: &MemoryStore) -> Vec<Vec<String>> {
    let documents = store.r2().into_iter().filter(|(key, _)| key.starts_with("meta/oci/"));
    let views = documents.map(|(_, bytes)| OciView::from_json(&bytes).unwrap());
    let layers = views.filter(|view| matches!(view.content, OciContent::Layer { .. }));
    layers.map(|view| view.releases.iter().map(|(version, _)| version.to_string()).collect()).collect()
}

/// A version whose archives are those of every such version, to the byte.
fn alike(version: &str) -> Release<'_> {
    Release { executable: Some("terraform-provider-dns"), ..Release::new(version) }
}

/// Two versions whose archives are the same.
async fn registry() -> Registry {
    let registry = Registry::new().await;
    for version in ["1.0.0", "1.1.0"] {
        registry.publish(&alike(version)).await;
    }
    registry
}

#[tokio::test]
async fn an_archive_that_two_versions_have_is_one_layer_of_both() {
    let registry = registry().await;
    assert_eq!(layers(&registry.store), [["1.0.0", "1.1.0"], ["1.0.0", "1.1.0"]]);
    assert_eq!(registry.store.r2().keys().filter(|key| key.starts_with("blob/")).count(), 2);
    assert_eq!(served(&registry.store), ["registry.example 1.0.0", "registry.example 1.1.0"]);

    registry.remove(&registry.store, "1.0.0").await.unwrap();
    assert_eq!(layers(&registry.store), [["1.1.0"], ["1.1.0"]]);
    assert_eq!(served(&registry.store), ["registry.example 1.1.0"]);

    registry.remove(&registry.store, "1.1.0").await.unwrap();
    assert!(registry.store.r2().keys().all(|key| !key.starts_with("meta/oci/") && !key.starts_with("blob/")));
    assert!(registry.store.kv().keys().all(|key| !key.starts_with("oci/")));
}

/// Of two versions with the same archives, the one is removed at every moment of publishing the other.
#[tokio::test]
async fn a_version_keeps_its_layers_whenever_one_that_shares_them_is_removed() {
    let registry = Registry::new().await;
    registry.publish(&alike("1.0.0")).await;
    let before = copy(&registry.store);
    let recorder = Faults::new(&registry.store, |_, _| Fault::None);
    let dist = registry.write(&alike("1.1.0"));
    registry.publish_directory(&recorder, dist.path()).await;
    let operations = recorder.operations().len();
    for number in 0..operations {
        let store = copy(&before);
        let meddled = Faults::new(&store, |now, _| {
            if now == number {
                meanwhile(async { drop(registry.remove(&store, "1.0.0").await.unwrap()) });
            }
            Fault::None
        });
        registry.publish_directory(&meddled, dist.path()).await;
        assert_eq!(served(&store), ["registry.example 1.1.0"], "removed at {number}");
        assert_eq!(layers(&store), [["1.1.0"], ["1.1.0"]], "removed at {number}");
    }
    println!("{operations} moments of a removal, no layer lost");
}

/// What was listed by a yuba that knew no views gets them, and everything is as if it had been published now.
#[tokio::test]
async fn sync_derives_the_views_of_what_was_listed_before_there_were_any() {
    let registry = registry().await;
    let (sound, copies) = (registry.store.r2(), registry.store.kv());
    for key in sound.keys().filter(|key| key.starts_with("meta/oci/")) {
        registry.store.lose(key);
    }
    for name in copies.keys().filter(|name| name.starts_with("oci/")) {
        registry.store.damage_copy(name, None);
    }
    let key = DocumentKey::Provider(provider()).object();
    let mut listed = ProviderDocument::from_json(&sound[&key]).unwrap();
    for entry in listed.clone().entries() {
        listed = listed.with(VersionEntry { oci_index: None, ..entry.clone() });
    }
    registry.store.damage(&key, &listed.to_json().unwrap());

    let synced = sync(&registry.store, Rng::with_seed(1)).await.unwrap();
    let derived: Vec<_> = synced.derived.iter().map(ToString::to_string).collect();
    assert_eq!(derived, ["registry.example/acme/dns 1.0.0", "registry.example/acme/dns 1.1.0"]);
    assert_eq!(served(&registry.store), ["registry.example 1.0.0", "registry.example 1.1.0"]);
    let views = |documents: std::collections::BTreeMap<String, Vec<u8>>| {
        documents.into_iter().filter(|(key, _)| key.contains("oci/")).collect::<Vec<_>>()
    };
    assert_eq!(views(registry.store.r2()), views(sound));
    assert_eq!(views(registry.store.kv()), views(copies));
    let again = sync(&registry.store, Rng::with_seed(1)).await.unwrap();
    assert!(again.derived.is_empty() && again.differences.is_empty());
}

/// A version is never listed before its views are there.
#[tokio::test]
async fn a_publisher_that_cannot_store_a_view_lists_nothing() {
    let registry = Registry::new().await;
    let dist = registry.write(&Release::new("1.0.0"));
    let fatal = Faults::new(&registry.store, |_, operation: &Operation| {
        let is_view = operation.attempt == Attempt::Write && operation.key.starts_with("meta/oci/");
        if is_view { Fault::Before(Cause::File(std::io::Error::other("full"))) } else { Fault::None }
    });
    assert!(registry.try_publish(&fatal, dist.path()).await.is_err());
    assert_eq!(registry.versions(), [""; 0]);
    registry.publish_directory(&registry.store, dist.path()).await;
    assert_eq!(served(&registry.store), ["registry.example 1.0.0"]);
}

/// The digest that a version is listed with is that of the index which its view holds.
#[tokio::test]
async fn a_version_is_listed_with_the_digest_of_its_index() {
    let registry = Registry::new().await;
    registry.publish(&Release::new("1.0.0")).await;
    let r2 = registry.store.r2();
    let listed = ProviderDocument::from_json(&r2[&DocumentKey::Provider(provider()).object()]).unwrap();
    let index = listed.entries()[0].oci_index.unwrap();
    let view = OciView::from_json(&r2[&DocumentKey::OciView(provider(), index).object()]).unwrap();
    let OciContent::Index(text) = view.content else { panic!("an index") };
    assert_eq!(Sha256Digest::of(text.as_bytes()), index);
}

/// Views are derived, so one that is damaged is replaced, and stops nobody.
#[tokio::test]
async fn a_damaged_view_stops_neither_a_publisher_nor_a_removal() {
    for damage in ["", "{\"format\":1,", "null"] {
        let registry = registry().await;
        let sound = registry.store.r2();
        let views: Vec<_> = sound.keys().filter(|key| key.starts_with("meta/oci/")).cloned().collect();
        for key in &views {
            registry.store.damage(key, damage.as_bytes());
        }
        registry.publish(&alike("1.0.0")).await;
        registry.publish(&alike("1.1.0")).await;
        assert_eq!(registry.store.r2(), sound, "{damage}");
        for key in &views {
            registry.store.damage(key, damage.as_bytes());
        }
        registry.remove(&registry.store, "1.0.0").await.unwrap();
        assert_eq!(layers(&registry.store), [["1.1.0"], ["1.1.0"]], "{damage}");
        registry.remove(&registry.store, "1.1.0").await.unwrap();
        assert!(registry.store.r2().keys().all(|key| !key.starts_with("blob/")), "{damage}");
    }
}

/// What was listed without an index is listed with it by publishing it again.
#[tokio::test]
async fn publishing_again_lists_the_index_that_a_version_lacks() {
    let registry = registry().await;
    let key = DocumentKey::Provider(provider()).object();
    let listed = ProviderDocument::from_json(&registry.store.r2()[&key]).unwrap();
    let entry = VersionEntry { oci_index: None, ..listed.entries()[0].clone() };
    registry.store.damage(&key, &listed.with(entry).to_json().unwrap());
    registry.publish(&alike("1.0.0")).await;
    let again = ProviderDocument::from_json(&registry.store.r2()[&key]).unwrap();
    assert_eq!(again.entries(), listed.entries());
}
