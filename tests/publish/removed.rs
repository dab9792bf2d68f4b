//! A version that is removed: by somebody who is killed at any operation on storage, and beside publishers who meet them
//! at any of theirs.

use std::collections::BTreeMap;
use std::io;

use tempfile::TempDir;
use yuba::address::ProviderAddress;
use yuba::document::{Document as _, OciView, ProviderDocument};
use yuba::keys::DocumentKey;
use yuba_companion::life_cycle::{LifeCycleError, Statement, state};
use yuba_companion::publish::Ending;
use yuba_companion::store::faults::{Fault, Faults, Operation};
use yuba_companion::store::memory::MemoryStore;
use yuba_companion::store::{Attempt, Cause, Store};
use yuba_tests::digests::number_digests;

use crate::scene::{HOST, MIRRORED, Registry, Release, copy, meanwhile};
use crate::served::served;

/// What is removed here.
const REMOVED: &str = "1.0.0";

fn on(hostname: &str) -> ProviderAddress {
    format!("{hostname}/acme/dns").parse().unwrap()
}

fn killed() -> Cause {
    Cause::File(io::Error::other("killed"))
}

/// A registry in which 1.0.0 can be removed.
struct Scene {
    registry: Registry,
    /// The release that is removed.
    dist: TempDir,
    /// One with an archive in common with it, to be published under another hostname.
    alike: TempDir,
    /// Another version.
    other: TempDir,
    /// What was stored before, to begin anew with.
    before: MemoryStore,
}

impl Scene {
    /// 1.0.0 with a stray document of a publish that was killed, and 1.1.0.
    async fn new() -> Self {
        let registry = Registry::new().await;
        registry.register_on(&registry.store, MIRRORED).await;
        let stray = registry.write(&Release { label: "stray", ..Release::new(REMOVED) });
        let fatal = Faults::new(&registry.store, |_, operation: &Operation| match operation.key.as_str() {
            "meta/index" => Fault::Before(killed()),
            _ => Fault::None,
        });
        assert!(registry.try_publish(&fatal, stray.path()).await.is_err());
        let dist = registry.write(&Release::new(REMOVED));
        registry.publish_directory(&registry.store, dist.path()).await;
        registry.publish(&Release { label: "newer", ..Release::new("1.1.0") }).await;
        let alike = registry.write(&Release { platforms: &["linux_amd64"], ..Release::new(REMOVED) });
        let other = registry.write(&Release { label: "newest", ..Release::new("1.2.0") });
        let before = copy(&registry.store);
        Self { registry, dist, alike, other, before }
    }

    /// The same, with 1.0.0 under the other hostname too.
    async fn mirroring() -> Self {
        let scene = Self::new().await;
        scene.registry.publish_on(&scene.registry.store, scene.alike.path(), MIRRORED).await;
        Self { before: copy(&scene.registry.store), ..scene }
    }

    /// The same, with 1.0.0 removed but for its documents, by somebody who was killed then.
    async fn half_removed() -> Self {
        let scene = Self::new().await;
        let fatal = Faults::new(&scene.registry.store, |_, operation: &Operation| match operation.attempt {
            Attempt::Delete if operation.key.starts_with("meta/release/") => Fault::Before(killed()),
            _ => Fault::None,
        });
        assert!(scene.registry.remove(&fatal, REMOVED).await.is_err());
        Self { before: copy(&scene.registry.store), ..scene }
    }
}

/// Asserts that nothing is left of 1.0.0 but its tombstone, and what belongs to others.
fn assert_gone(store: &MemoryStore, wanted: &[(&str, &str)]) {
    assert_eq!(served(store), names(wanted));
    let r2 = store.r2();
    let provider = ProviderDocument::from_json(&r2[&DocumentKey::Provider(on(HOST)).object()]).unwrap();
    assert!(provider.find_entry(&REMOVED.parse().unwrap()).unwrap().is_removed());
    let left: Vec<_> = r2.keys().filter(|key| key.contains("/1.0.0/") && key.contains(HOST)).collect();
    assert_eq!(left, [""; 0]);
    let views = r2.iter().filter(|(key, _)| key.starts_with("meta/oci/registry.example/"));
    for (key, bytes) in views {
        let releases = OciView::from_json(bytes).unwrap().releases;
        assert!(releases.iter().all(|(version, _)| version.to_string() != REMOVED), "{key}: {releases:?}");
    }
    let elsewhere: Vec<_> = r2.keys().filter(|key| key.starts_with("trash/") || key.starts_with("copying/")).collect();
    assert_eq!(elsewhere, [""; 0]);
}

fn names(wanted: &[(&str, &str)]) -> Vec<String> {
    wanted.iter().map(|(hostname, version)| format!("{hostname} {version}")).collect()
}

#[tokio::test]
async fn a_removal_that_was_killed_anywhere_is_completed_by_running_it_again() {
    let scene = Scene::mirroring().await;
    let reference = copy(&scene.before);
    let recorder = Faults::new(&reference, |_, _| Fault::None);
    let removed = scene.registry.remove(&recorder, REMOVED).await.unwrap();
    assert_eq!(removed.kept.len(), 1, "{:?}", removed.kept);
    assert_gone(&reference, &[(MIRRORED, "1.0.0"), (HOST, "1.1.0")]);
    let operations = recorder.operations();
    let mut killings = 0;
    for number in 0..operations.len() {
        for done in [false, true] {
            let store = copy(&scene.before);
            let fatal = Faults::new(&store, |now, _| match (now == number, done) {
                (false, _) => Fault::None,
                (true, false) => Fault::Before(killed()),
                (true, true) => Fault::After(killed()),
            });
            let ended = scene.registry.remove(&fatal, REMOVED).await;
            // An unreadable KV is one without the copy: that alone stops nobody.
            let asked = &fatal.operations()[number];
            assert!(ended.is_err() || asked.attempt == Attempt::ReadCopy, "{number}: {asked}");
            // Whatever is listed is whole, and 1.0.0 is served as a whole or not at all.
            let mut others = served(&store);
            others.retain(|name| *name != format!("{HOST} {REMOVED}"));
            assert_eq!(others, names(&[(MIRRORED, "1.0.0"), (HOST, "1.1.0")]), "{number}: {asked}");

            scene.registry.remove(&store, REMOVED).await.unwrap();
            assert_eq!(store.r2(), reference.r2(), "{number}: {asked}");
            assert_eq!(store.kv(), reference.kv(), "{number}: {asked}");
            killings += 1;
        }
    }
    println!("{killings} kill points, each completed by running again");
}

#[tokio::test]
async fn a_version_is_not_served_before_anything_of_it_is_deleted() {
    let scene = Scene::mirroring().await;
    let recorder = Faults::new(&scene.registry.store, |_, _| Fault::None);
    scene.registry.remove(&recorder, REMOVED).await.unwrap();
    let is_told = |operation: &Operation| match operation.attempt {
        Attempt::Read | Attempt::ReadCopy | Attempt::Stat | Attempt::Download => false,
        Attempt::Write
        | Attempt::WriteCopy
        | Attempt::Upload
        | Attempt::Mark
        | Attempt::Duplicate
        | Attempt::Delete
        | Attempt::DeleteCopy
        | Attempt::List
        | Attempt::ListCopies => true,
    };
    let changes: Vec<_> = recorder.operations().iter().filter(|it| is_told(it)).map(ToString::to_string).collect();
    insta::assert_snapshot!(number_digests(&changes.join("\n")), @r"
    write meta/provider/registry.example/acme/dns
    mark copying/provider/registry.example/acme/dns/[1]
    write the KV copy provider/registry.example/acme/dns
    delete copying/provider/registry.example/acme/dns/[1]
    list copying/provider/registry.example/acme/dns/
    list meta/release/registry.example/acme/dns/1.0.0/
    delete the KV copy release/registry.example/acme/dns/1.0.0/[2]
    delete the KV copy release/registry.example/acme/dns/1.0.0/[3]
    delete meta/oci/registry.example/acme/dns/[4]
    delete the KV copy oci/registry.example/acme/dns/[4]
    delete meta/oci/registry.example/acme/dns/[5]
    delete the KV copy oci/registry.example/acme/dns/[5]
    delete meta/oci/registry.example/acme/dns/[6]
    delete the KV copy oci/registry.example/acme/dns/[6]
    delete meta/oci/registry.example/acme/dns/[7]
    delete the KV copy oci/registry.example/acme/dns/[7]
    delete meta/oci/registry.example/acme/dns/[8]
    delete the KV copy oci/registry.example/acme/dns/[8]
    delete meta/oci/registry.example/acme/dns/[9]
    delete the KV copy oci/registry.example/acme/dns/[9]
    delete meta/oci/registry.example/acme/dns/[10]
    delete the KV copy oci/registry.example/acme/dns/[10]
    delete meta/oci/registry.example/acme/dns/[11]
    delete the KV copy oci/registry.example/acme/dns/[11]
    delete meta/oci/registry.example/acme/dns/[12]
    delete the KV copy oci/registry.example/acme/dns/[12]
    delete meta/oci/registry.example/acme/dns/[13]
    delete the KV copy oci/registry.example/acme/dns/[13]
    list meta/
    copy within R2 trash/sha256/[9]
    copy within R2 trash/sha256/[6]
    copy within R2 trash/sha256/[7]
    list meta/
    delete blob/sha256/[9]
    delete blob/sha256/[6]
    delete blob/sha256/[7]
    list meta/
    delete trash/sha256/[9]
    delete trash/sha256/[6]
    delete trash/sha256/[12]
    delete trash/sha256/[7]
    delete meta/release/registry.example/acme/dns/1.0.0/[2]
    delete meta/release/registry.example/acme/dns/1.0.0/[3]
    ");
}

#[tokio::test]
async fn a_removal_again_writes_nothing_and_keeps_the_first_reason() {
    let scene = Scene::new().await;
    let store = copy(&scene.before);
    assert!(!scene.registry.remove(&store, REMOVED).await.unwrap().unchanged);
    let r2 = store.r2();
    assert!(scene.registry.remove(&store, REMOVED).await.unwrap().unchanged);
    assert_eq!(store.r2(), r2);
}

/// A publisher comes and goes while a removal stands still before one of its operations.
async fn publish_while_removing(scene: Scene, dist: fn(&Scene) -> (&TempDir, &'static str), wanted: &[(&str, &str)]) {
    let recorder_store = copy(&scene.before);
    let recorder = Faults::new(&recorder_store, |_, _| Fault::None);
    scene.registry.remove(&recorder, REMOVED).await.unwrap();
    let operations = recorder.operations().len();
    let (dist, hostname) = dist(&scene);
    for number in 0..operations {
        let store = copy(&scene.before);
        let met = Faults::new(&store, |now, _| {
            if now == number {
                meanwhile(async {
                    scene.registry.publish_on(&store, dist.path(), hostname).await;
                });
            }
            Fault::None
        });
        scene.registry.remove(&met, REMOVED).await.unwrap();
        assert_gone(&store, wanted);
    }
    println!("{operations} meetings, nothing lost and nothing revived");
}

#[tokio::test]
async fn a_publisher_of_the_same_version_revives_nothing() {
    publish_while_removing(Scene::new().await, |scene| (&scene.dist, HOST), &[(HOST, "1.1.0")]).await;
}

#[tokio::test]
async fn a_publisher_of_another_version_loses_nothing() {
    publish_while_removing(Scene::new().await, |scene| (&scene.other, HOST), &[(HOST, "1.1.0"), (HOST, "1.2.0")]).await;
}

#[tokio::test]
async fn a_publisher_of_the_same_archive_elsewhere_loses_nothing() {
    publish_while_removing(
        Scene::new().await,
        |scene| (&scene.alike, MIRRORED),
        &[(MIRRORED, "1.0.0"), (HOST, "1.1.0")],
    )
    .await;
}

#[tokio::test]
async fn a_publisher_of_an_archive_that_was_deleted_loses_nothing_to_the_removal_run_again() {
    let wanted = [(MIRRORED, "1.0.0"), (HOST, "1.1.0")];
    publish_while_removing(Scene::half_removed().await, |scene| (&scene.alike, MIRRORED), &wanted).await;
}

/// A removal comes and goes while a publisher stands still before one of its operations; before it, the version may be
/// published by somebody else.
async fn remove_while_publishing(
    begin: impl Fn(&Scene) -> MemoryStore,
    dist: fn(&Scene) -> (&TempDir, &'static str),
    wanted: &[(&str, &str)],
) {
    let scene = Scene::new().await;
    let recorder_store = begin(&scene);
    let (dist, hostname) = dist(&scene);
    let recorder = Faults::new(&recorder_store, |_, _| Fault::None);
    scene.registry.publish_on(&recorder, dist.path(), hostname).await;
    let operations = recorder.operations().len();
    let mut refusals = 0;
    for number in 0..operations {
        let store = begin(&scene);
        let met = Faults::new(&store, |now, _| {
            if now == number {
                meanwhile(async {
                    scene.registry.publish_on(&store, scene.dist.path(), HOST).await;
                    scene.registry.remove(&store, REMOVED).await.unwrap();
                });
            }
            Fault::None
        });
        let ending = scene.registry.publish_on(&met, dist.path(), hostname).await;
        refusals += usize::from(matches!(ending, Ending::Refused(_)));
        assert_gone(&store, wanted);
        // A copy in KV that was on its way then is not served, and goes when the removal is run again.
        scene.registry.remove(&store, REMOVED).await.unwrap();
        assert!(!store.kv().keys().any(|name| name.starts_with(&format!("release/{HOST}/acme/dns/{REMOVED}/"))));
    }
    println!("{operations} meetings, {refusals} publishers told, nothing lost and nothing revived");
}

#[tokio::test]
async fn a_version_that_is_removed_while_it_is_published_again_stays_removed() {
    remove_while_publishing(|scene| copy(&scene.before), |scene| (&scene.dist, HOST), &[(HOST, "1.1.0")]).await;
}

#[tokio::test]
async fn a_version_that_is_published_and_removed_while_another_publishes_it_stays_removed() {
    let without = |scene: &Scene| {
        let store = MemoryStore::default();
        let namespaces = |(key, _): &(&String, &Vec<u8>)| key.contains("namespace/");
        scene.before.r2().iter().filter(namespaces).for_each(|(key, bytes)| store.damage(key, bytes));
        store
    };
    remove_while_publishing(without, |scene| (&scene.dist, HOST), &[]).await;
}

#[tokio::test]
async fn an_archive_that_is_deleted_while_another_publisher_names_it_is_stored_again() {
    let wanted = [(MIRRORED, "1.0.0"), (HOST, "1.1.0")];
    remove_while_publishing(|scene| copy(&scene.before), |scene| (&scene.alike, MIRRORED), &wanted).await;
}

#[tokio::test]
async fn a_yank_beside_a_publisher_loses_neither() {
    let scene = Scene::new().await;
    let yanked = Statement::Yanked { version: REMOVED.parse().unwrap(), reason: "it loses records".parse().unwrap() };
    let now = scene.registry.now.parse().unwrap();
    let yank = async |store: &dyn Store| state(store, &on(HOST), &yanked, now, fastrand::Rng::new()).await;
    let recorder_store = copy(&scene.before);
    let recorder = Faults::new(&recorder_store, |_, _| Fault::None);
    yank(&recorder).await.unwrap();
    for number in 0..recorder.operations().len() {
        let store = copy(&scene.before);
        let met = Faults::new(&store, |at, _| {
            if at == number {
                meanwhile(async {
                    scene.registry.publish_on(&store, scene.other.path(), HOST).await;
                });
            }
            Fault::None
        });
        assert!(!yank(&met).await.unwrap().unchanged);
        let key = DocumentKey::Provider(on(HOST));
        assert_eq!(store.kv()[&key.to_string()], store.r2()[&key.object()]);
        let provider = ProviderDocument::from_json(&store.r2()[&key.object()]).unwrap();
        let states: BTreeMap<_, _> =
            provider.versions().map(|entry| (entry.version.to_string(), entry.status.clone())).collect();
        assert_eq!(states.len(), 3);
        assert!(matches!(states[REMOVED], yuba::document::Status::Yanked { .. }));
    }
}

#[tokio::test]
async fn what_was_removed_is_neither_yanked_nor_restored() {
    let scene = Scene::new().await;
    let store = copy(&scene.before);
    scene.registry.remove(&store, REMOVED).await.unwrap();
    let r2 = store.r2();
    let version: yuba::version::Version = REMOVED.parse().unwrap();
    let reason = "it loses records".parse().unwrap();
    for statement in [Statement::Yanked { version: version.clone(), reason }, Statement::NotYanked { version }] {
        let now = scene.registry.now.parse().unwrap();
        let stated = state(&store, &on(HOST), &statement, now, fastrand::Rng::new()).await;
        assert!(matches!(stated, Err(LifeCycleError::Removed { .. })));
    }
    assert_eq!(store.r2(), r2);
}
