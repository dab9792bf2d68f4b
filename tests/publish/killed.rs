//! A publisher that is killed before or after any operation on storage.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::sync::Mutex;

use yuba::document::{Document as _, IndexDocument, ProviderDocument, ReleaseDocument};
use yuba::keys::{BlobKey, DocumentKey};
use yuba_companion::publish::Ending;
use yuba_companion::store::faults::{Fault, Faults, Operation};
use yuba_companion::store::memory::MemoryStore;
use yuba_companion::store::{Attempt, Cause};

use crate::scene::{Registry, Release, provider, release};

fn killed() -> Cause {
    Cause::File(io::Error::other("killed"))
}

/// Whoever reads the registry now finds everything that is listed, and nothing else in KV.
fn assert_whole(store: &MemoryStore) {
    let (r2, kv) = (store.r2(), store.kv());
    let key = DocumentKey::Provider(provider());
    let mut listed = Vec::new();
    if let Some(bytes) = r2.get(&key.object()) {
        let index = IndexDocument::from_json(&r2[&DocumentKey::Index.object()]).unwrap();
        assert!(index.names(&provider()));
        for entry in ProviderDocument::from_json(bytes).unwrap().versions() {
            let key = DocumentKey::Release(release(&entry.version.to_string()), entry.release);
            let document = ReleaseDocument::from_json(&r2[&key.object()]).unwrap();
            assert_eq!(document.packages.keys().cloned().collect::<Vec<_>>(), Vec::from_iter(entry.platforms.clone()));
            for package in document.packages.values() {
                assert_eq!(r2[&BlobKey(package.zh).object()].len() as u64, package.size);
            }
            listed.push(key.to_string());
        }
    }
    for key in kv.keys().filter(|key| key.starts_with("release/")) {
        assert!(listed.contains(key), "{key} is copied, but not listed");
    }
}

/// Documents in KV are those in R2.
fn assert_copied(store: &MemoryStore) {
    let documents = store
        .r2()
        .into_iter()
        .filter_map(|(key, bytes)| key.strip_prefix("meta/").map(|name| (name.to_owned(), bytes)));
    assert_eq!(store.kv(), documents.collect::<BTreeMap<_, _>>());
}

fn uploads(operations: &[Operation]) -> Vec<String> {
    operations.iter().filter(|it| it.attempt == Attempt::Upload).map(|it| it.key.clone()).collect()
}

/// Publishes `release` once for each operation that this takes, killed there, and then again.
async fn kill_everywhere(before: &[Release<'_>], release: &Release<'_>) -> usize {
    let reference = Registry::new().await;
    for earlier in before {
        reference.publish(earlier).await;
    }
    let directory = reference.write(release);
    let whole = Faults::new(&reference.store, |_, _| Fault::None);
    reference.publish_directory(&whole, directory.path()).await;
    let operations = whole.operations().len();
    let mut killings = 0;
    for number in 0..operations {
        for done in [false, true] {
            let registry = Registry::new().await;
            for earlier in before {
                registry.publish(earlier).await;
            }
            let fatal = Faults::new(&registry.store, |now, _| match (now == number, done) {
                (false, _) => Fault::None,
                (true, false) => Fault::Before(killed()),
                (true, true) => Fault::After(killed()),
            });
            let ended = registry.try_publish(&fatal, directory.path()).await;
            let asked = fatal.operations();
            // An unreadable KV is one without the copy: that alone stops nobody.
            assert!(ended.is_err() || asked[number].attempt == Attempt::ReadCopy, "{number}: {}", asked[number]);
            assert_whole(&registry.store);

            let again = Faults::new(&registry.store, |_, _| Fault::None);
            let Ending::Published(_) = registry.publish_directory(&again, directory.path()).await else {
                panic!("{number}: refused")
            };
            assert_whole(&registry.store);
            assert_copied(&registry.store);
            assert_eq!(registry.store.r2(), reference.store.r2(), "{number}: {}", asked[number]);

            let mut stored = uploads(&asked);
            if !done && asked[number].attempt == Attempt::Upload {
                stored.pop();
            }
            stored.extend(uploads(&again.operations()));
            let mut once = stored.clone();
            once.sort();
            once.dedup();
            assert_eq!(once.len(), stored.len(), "{number}: a blob was stored twice");
            killings += 1;
        }
    }
    killings
}

#[tokio::test]
async fn a_first_release_survives_its_publisher() {
    let killings = kill_everywhere(&[], &Release::new("1.0.0")).await;
    println!("{killings} kill points, each completed by running again");
}

#[tokio::test]
async fn a_second_release_survives_its_publisher() {
    let second = Release { label: "second", ..Release::new("1.1.0") };
    let killings = kill_everywhere(&[Release::new("1.0.0")], &second).await;
    println!("{killings} kill points, each completed by running again");
}

/// A connection that is cut is not a kill: the publisher itself goes on.
#[tokio::test]
async fn a_publisher_survives_every_lost_answer() {
    let cut = || Cause::Refused { status: 502, text: "cut".to_owned() };
    for done in [false, true] {
        let registry = Registry::new().await;
        let directory = registry.write(&Release::new("1.0.0"));
        let cut_before = Mutex::new(HashSet::new());
        let cut_once = Faults::new(&registry.store, |_, operation| {
            // A read before anything is written is not tried again: running the command again costs nothing.
            let is_write = matches!(operation.attempt, Attempt::Write | Attempt::Upload | Attempt::WriteCopy);
            let first = is_write && cut_before.lock().unwrap().insert(operation.to_string());
            match (first, done) {
                (false, _) => Fault::None,
                (true, false) => Fault::Before(cut()),
                (true, true) => Fault::After(cut()),
            }
        });
        registry.publish_directory(&cut_once, directory.path()).await;
        assert_whole(&registry.store);
        assert_copied(&registry.store);
    }
}
