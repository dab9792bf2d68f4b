//! `sync`: KV comes to hold what R2 holds, whatever it held before and whoever is publishing.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use fastrand::Rng;
use futures::future::{join, join_all};
use yuba::document::{Document as _, IndexDocument, ProviderDocument, Status, VersionEntry};
use yuba::keys::{DocumentKey, ObjectKey};
use yuba_companion::documents::{self, Action};
use yuba_companion::store::dir::DirStore;
use yuba_companion::store::faults::{Fault, Faults};
use yuba_companion::store::memory::MemoryStore;
use yuba_companion::store::rehearsal::Rehearsal;
use yuba_companion::store::{Attempt, Listing, Store};
use yuba_companion::sync::{Difference, Synced, sync};

use crate::aside::{assert_copied, copies_of, killed, meanwhile};
use crate::scene::{Registry, Release, provider};

/// How many publish at once, and how often.
const PUBLISHERS: usize = 16;
const ROUNDS: usize = 10;

async fn run(store: &dyn Store) -> Synced {
    sync(store, Rng::with_seed(7)).await.unwrap()
}

/// A registry with two versions, one that was stored and never listed, and one that was removed.
async fn registry() -> Registry {
    let registry = Registry::new().await;
    for version in ["1.0.0", "1.1.0", "1.2.0"] {
        registry.publish(&Release { label: version, ..Release::new(version) }).await;
    }
    let unlisted = registry.write(&Release { label: "unlisted", ..Release::new("2.0.0") });
    let fatal = Faults::new(&registry.store, |_, operation| match operation.key.as_str() {
        "meta/index" => Fault::Before(killed()),
        _ => Fault::None,
    });
    registry.try_publish(&fatal, unlisted.path()).await.unwrap_err();
    let key = DocumentKey::Provider(provider());
    let listed: ProviderDocument = documents::read(&registry.store, &key).await.unwrap().unwrap();
    let (reason, at) = ("court order 7".to_owned(), registry.now.to_owned());
    let tombstone = VersionEntry { status: Status::Removed { reason, at }, ..listed.entries()[1].clone() };
    registry.store.damage(&key.object(), &listed.with(tombstone).to_json().unwrap());
    registry
}

fn empty_kv(store: &MemoryStore) {
    for name in store.kv().keys() {
        store.damage_copy(name, None);
    }
}

#[tokio::test]
async fn an_empty_kv_is_filled_with_what_is_served_and_nothing_else() {
    let Registry { store, .. } = registry().await;
    empty_kv(&store);
    let before = store.r2();
    let synced = run(&store).await;
    assert_copied(&store);
    assert_eq!(store.r2(), before);
    // The index, the namespace, the provider and two releases with five views each; neither the unlisted one nor the
    // removed one.
    assert_eq!((synced.served, store.kv().len(), synced.differences.len()), (15, 15, 15));
    assert!(synced.differences.values().all(|difference| *difference == Difference::Missing));
}

#[tokio::test]
async fn a_second_sync_writes_nothing() {
    let Registry { store, .. } = registry().await;
    run(&store).await;
    let writes = store.writes();
    assert!(run(&store).await.differences.is_empty());
    assert_eq!(store.writes(), writes);
}

#[tokio::test]
async fn every_damaged_missing_or_stray_copy_is_mended() {
    let Registry { store, .. } = registry().await;
    run(&store).await;
    let sound = store.kv();
    for (name, bytes) in &sound {
        for (damage, difference) in [
            (None, Difference::Missing),
            (Some(&b""[..]), Difference::Different),
            (Some(b"{}"), Difference::Different),
            (Some(&bytes[..bytes.len() - 1]), Difference::Different),
        ] {
            store.damage_copy(name, damage);
            assert_eq!(run(&store).await.differences, BTreeMap::from([(name.clone(), difference)]));
            assert_copied(&store);
        }
    }
    let listed = sound.keys().find(|name| name.starts_with("release/")).unwrap();
    let unlisted = listed.replace("1.0.0", "9.0.0");
    for stray in ["", "x", "Index", "provider/registry.example/acme/other", &unlisted] {
        store.damage_copy(stray, Some(b"{}"));
        assert_eq!(run(&store).await.differences, BTreeMap::from([(stray.to_owned(), Difference::Stray)]));
        assert_copied(&store);
    }
}

#[tokio::test]
async fn a_rehearsal_says_the_same_and_writes_nothing() {
    let Registry { store, now, .. } = registry().await;
    empty_kv(&store);
    store.damage_copy("stray", Some(b""));
    store.lose("meta/index");
    let (before, writes) = (store.kv(), store.writes());
    let rehearsed = run(&Rehearsal::new(&store, now.parse().unwrap())).await;
    assert_eq!((store.kv(), store.writes()), (before, writes));
    let synced = run(&store).await;
    assert_eq!(rehearsed.differences, synced.differences);
    assert_eq!((rehearsed.index, synced.index), (Action::Create, Action::Create));
}

#[tokio::test]
async fn the_index_is_derived_from_the_providers() {
    let Registry { store, .. } = registry().await;
    run(&store).await;
    let sound = store.r2()["meta/index"].clone();
    let empty = IndexDocument::empty().to_json().unwrap();
    for damage in [None, Some(&empty), Some(&b"{".to_vec()), Some(&b"null".to_vec())] {
        match damage {
            Some(damage) => store.damage("meta/index", damage),
            None => store.lose("meta/index"),
        }
        assert_ne!(run(&store).await.index, Action::Exists);
        assert_copied(&store);
        let index = IndexDocument::from_json(&store.r2()["meta/index"]).unwrap();
        assert_eq!(index.providers().collect::<Vec<_>>(), [provider()]);
    }
    store.damage("meta/index", &sound);
    run(&store).await;
    assert_eq!(store.r2()["meta/index"], sound);
}

/// Nobody can tell what a provider lists whose document is damaged: what KV has of it may be the last of it.
#[tokio::test]
async fn what_cannot_be_used_is_told_and_its_copies_stay() {
    let Registry { store, .. } = registry().await;
    run(&store).await;
    let (r2, kv) = (store.r2(), store.kv());
    for (key, bytes) in copies_of(&r2).into_iter().filter(|(name, _)| name != "index") {
        let object = format!("meta/{key}");
        store.damage(&object, &bytes[1..]);
        let synced = run(&store).await;
        assert_eq!(synced.unusable.keys().collect::<Vec<_>>(), [&object]);
        assert_eq!(store.kv(), kv);
        store.damage(&object, &bytes);
    }
    for lost in ["provider/registry.example/acme/dns", "namespace/registry.example/acme"] {
        let object = format!("meta/{lost}");
        store.lose(&object);
        let told = run(&store).await.unusable[&object].to_string();
        assert_eq!(told, format!("`{object}` is not there, and KV still has a copy of it"));
        assert_eq!(store.kv(), kv);
        store.damage(&object, &r2[&object]);
    }
    let release = r2.keys().find(|key| key.contains("/1.0.0/")).unwrap();
    store.lose(release);
    assert_eq!(
        run(&store).await.unusable[release].to_string(),
        format!("`{release}` is missing: it is listed, but not there")
    );
    assert_eq!(store.kv(), kv);
}

#[tokio::test(start_paused = true)]
async fn a_sync_that_was_killed_anywhere_is_completed_by_the_next() {
    let damaged = || async {
        let registry = registry().await;
        empty_kv(&registry.store);
        registry.store.damage_copy("stray", Some(b""));
        registry.store.lose("meta/index");
        registry.store
    };
    let whole = damaged().await;
    let recorder = Faults::new(&whole, |_, _| Fault::None);
    run(&recorder).await;
    let mut killings = 0;
    for number in 0..recorder.operations().len() {
        for done in [false, true] {
            let store = damaged().await;
            let fatal = Faults::new(&store, |now, _| match (now == number, done) {
                (false, _) => Fault::None,
                (true, false) => Fault::Before(killed()),
                (true, true) => Fault::After(killed()),
            });
            let _ = sync(&fatal, Rng::with_seed(1)).await;
            run(&store).await;
            assert_copied(&store);
            killings += 1;
        }
    }
    println!("{killings} kill points, each completed by running again");
}

/// A publisher does all of its work between any two operations of a sync.
#[tokio::test(flavor = "multi_thread")]
async fn a_release_that_is_published_during_a_sync_is_copied() {
    let reference = registry().await;
    empty_kv(&reference.store);
    let recorder = Faults::new(&reference.store, |_, _| Fault::None);
    run(&recorder).await;
    let operations = recorder.operations().len();
    for number in 0..operations {
        let registry = registry().await;
        empty_kv(&registry.store);
        let published = registry.write(&Release { label: "meanwhile", ..Release::new("3.0.0") });
        let interrupted = Faults::new(&registry.store, |now, _| {
            if now == number {
                meanwhile(registry.publish_directory(&registry.store, published.path()));
            }
            Fault::None
        });
        run(&interrupted).await;
        assert_copied(&registry.store);
        assert_eq!(registry.versions(), ["1.0.0", "1.2.0", "3.0.0"]);
    }
    println!("{operations} points at which a publisher came in between, nothing lost");
}

/// What a killed sync wrote may come after everybody else's: its marks say so to whoever copies next.
#[tokio::test(start_paused = true)]
async fn what_a_killed_sync_overwrites_is_made_good_for_by_a_publisher() {
    let registry = registry().await;
    empty_kv(&registry.store);
    let key = DocumentKey::Provider(provider());
    let older = registry.store.r2()[&key.object()].clone();
    let fatal = Faults::new(&registry.store, |_, operation| match operation.attempt {
        Attempt::WriteCopy if operation.key == key.to_string() => Fault::Before(killed()),
        _ => Fault::None,
    });
    sync(&fatal, Rng::with_seed(1)).await.unwrap_err();
    let marks = ObjectKey::copying_prefix(&key);
    let looked = AtomicBool::new(false);
    let late = Faults::new(&registry.store, |_, operation| {
        if operation.attempt == Attempt::List && operation.key == marks && !looked.swap(true, Ordering::Relaxed) {
            registry.store.damage_copy(&key.to_string(), Some(&older));
        }
        Fault::None
    });
    let release = registry.write(&Release { label: "second", ..Release::new("3.1.0") });
    registry.publish_directory(&late, release.path()).await;
    assert!(looked.into_inner());
    assert_copied(&registry.store);
}

/// Each publisher has a store of its own over one directory, and so has the sync that runs again and again beside them.
#[tokio::test(flavor = "multi_thread")]
async fn sixteen_publishers_and_a_sync_do_not_harm_each_other() {
    for round in 0..ROUNDS {
        let registry = Registry::new().await;
        let directory = tempfile::tempdir().unwrap();
        let opened = registry.open_directory(directory.path()).await;
        let versions: Vec<_> = (0..PUBLISHERS).map(|number| format!("1.{number}.0")).collect();
        let releases: Vec<_> = versions
            .iter()
            .map(|version| registry.write(&Release { label: version, ..Release::new(version) }))
            .collect();
        let stores: Vec<_> = (0..=PUBLISHERS).map(|_| DirStore::new(directory.path().to_owned())).collect();
        let publishes = stores
            .iter()
            .zip(&releases)
            .map(|(store, dist)| registry.publish_directory(store as &dyn Store, dist.path()));
        let done = AtomicBool::new(false);
        let publish = async {
            join_all(publishes).await;
            done.store(true, Ordering::SeqCst);
        };
        let syncs = async {
            let mut syncs = 0;
            while !done.load(Ordering::SeqCst) {
                // An empty KV is the most there is to do.
                std::fs::remove_dir_all(directory.path().join("kv")).ok();
                sync(&stores[PUBLISHERS], Rng::new()).await.unwrap();
                syncs += 1;
            }
            syncs
        };
        let ((), syncs) = join(publish, syncs).await;
        let mut copied = 0;
        for key in opened.store.list(&Listing::All).await.unwrap() {
            let stored = opened.store.read(&key).await.unwrap().unwrap();
            assert_eq!(opened.store.read_copy(&key).await.unwrap(), Some(stored.bytes), "{key}");
            copied += 1;
        }
        // Each publisher's release, and its five views.
        assert_eq!(copied, PUBLISHERS * 6 + 3);
        let marks = opened.store.objects("copying/").await.unwrap();
        assert!(marks.is_empty(), "{marks:?}");
        println!("round {round}: {PUBLISHERS} publishers and {syncs} syncs, {copied} documents copied");
    }
}
