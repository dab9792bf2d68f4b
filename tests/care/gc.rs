//! Garbage collection beside publishers: whatever comes between what, nothing that is listed loses an archive, and
//! garbage goes (invariant 9 of the design).

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::mpsc::channel;

use jiff::{SignedDuration, Timestamp};
use tempfile::TempDir;
use yuba::digest::Sha256Digest;
use yuba::document::{Document as _, ReleaseDocument};
use yuba::keys::BlobKey;
use yuba_companion::gc::{Collected, GcError, collect};
use yuba_companion::publish::{Ending, PublishError};
use yuba_companion::store::faults::{Fault, Faults, Operation};
use yuba_companion::store::memory::MemoryStore;
use yuba_companion::store::rehearsal::Rehearsal;
use yuba_companion::store::{Attempt, Store};

use crate::aside::{fill, killed, listed, meanwhile};
use crate::scene::{Registry, Release};

/// When everything was stored that is there at first, and when everything else happens.
const THEN: &str = "2026-03-01T12:00:00Z";
const NOW: &str = "2026-04-01T12:00:00Z";

/// The shortest period there is, which asks the most of publishers.
const GRACE: &str = "1d";

/// Bytes that nobody names.
const GARBAGE: &[u8] = b"left behind";

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn after(start: &str, hours: i64) -> Timestamp {
    time(start) + SignedDuration::from_hours(hours)
}

fn garbage() -> BlobKey {
    BlobKey(Sha256Digest::of(GARBAGE))
}

fn trash() -> String {
    garbage().object().replace("blob/", "trash/")
}

async fn gc_at(store: &dyn Store, now: Timestamp) -> Result<Collected, GcError> {
    collect(store, GRACE.parse().unwrap(), now).await
}

async fn gc(store: &dyn Store) -> Result<Collected, GcError> {
    gc_at(store, time(NOW)).await
}

/// What an earlier publisher of version 2.0.0 left when it was killed.
#[derive(Debug, Clone, Copy)]
enum Left {
    Nothing,
    OneArchive,
    Archives,
    ArchivesAndDocument,
}

const LEFT: [Left; 4] = [Left::Nothing, Left::OneArchive, Left::Archives, Left::ArchivesAndDocument];

/// A registry with version 1.0.0, garbage, and what a killed publisher left, all of it old.
struct Scene {
    registry: Registry,
    /// The release that the killed publisher began.
    begun: TempDir,
}

impl Scene {
    async fn new(left: Left) -> Self {
        let registry = Registry::new().await;
        registry.store.set_now(time(THEN));
        registry.publish(&Release::new("1.0.0")).await;
        registry.store.damage(&garbage().object(), GARBAGE);
        let begun = registry.write(&Release { label: "second", ..Release::new("2.0.0") });
        let fatal = Faults::new(&registry.store, |_, operation: &Operation| {
            let ends = match left {
                Left::Nothing | Left::OneArchive => operation.attempt == Attempt::Upload,
                Left::Archives => operation.key.starts_with("meta/release/"),
                Left::ArchivesAndDocument => operation.key == "meta/index",
            };
            match (ends, left) {
                (false, _) => Fault::None,
                (true, Left::OneArchive) => Fault::After(killed()),
                (true, Left::Nothing | Left::Archives | Left::ArchivesAndDocument) => Fault::Before(killed()),
            }
        });
        registry.try_publish(&fatal, begun.path()).await.unwrap_err();
        if let Left::OneArchive = left {
            // Archives are sent at once, and the killed one's machine was faster with the first.
            let uploads = fatal.operations().into_iter().filter(|it| it.attempt == Attempt::Upload);
            uploads.skip(1).for_each(|upload| registry.store.lose(&upload.key));
        }
        registry.store.set_now(time(NOW));
        Self { registry, begun }
    }

    /// The same storage again, as it is at first.
    fn store(&self) -> MemoryStore {
        let store = MemoryStore::default();
        store.set_now(time(THEN));
        fill(&store, &self.registry.store.r2(), &self.registry.store.kv());
        store.set_now(time(NOW));
        store
    }

    async fn publish(&self, store: &dyn Store) -> Result<Ending, PublishError> {
        self.registry.try_publish(store, self.begun.path()).await
    }

    /// What publishing and collecting ask of storage when nothing comes in between.
    async fn operations(&self) -> (usize, usize) {
        let (one, other) = (self.store(), self.store());
        let (publish, collection) = (Faults::new(&one, |_, _| Fault::None), Faults::new(&other, |_, _| Fault::None));
        self.publish(&publish).await.unwrap();
        gc(&collection).await.unwrap();
        (publish.operations().len(), collection.operations().len())
    }
}

/// The listed versions; each has all of its archives, to the byte.
fn assert_whole(store: &MemoryStore, context: &str) -> Vec<String> {
    let r2 = store.r2();
    let listed = listed(&r2);
    for name in &listed {
        let document = ReleaseDocument::from_json(&r2[&format!("meta/{name}")]).unwrap();
        for (platform, package) in &document.packages {
            let blob = r2.get(&BlobKey(package.zh).object());
            let blob = blob.unwrap_or_else(|| panic!("{context}: {name} lost {platform}"));
            assert_eq!(Sha256Digest::of(blob), package.zh, "{context}: {name} {platform}");
        }
    }
    listed.iter().map(|name| name.split('/').nth(4).unwrap().to_owned()).collect()
}

/// Publishing and a collection are both over: both versions are whole, and garbage is in the trash, which does not last.
async fn assert_done(store: &MemoryStore, context: &str) {
    assert_eq!(assert_whole(store, context), ["1.0.0", "2.0.0"], "{context}");
    let r2 = store.r2();
    assert!(!r2.contains_key(&garbage().object()) && r2[&trash()] == GARBAGE, "{context}");
    let blobs = r2.keys().filter(|key| key.starts_with("blob/")).count();
    assert_eq!(blobs, 4, "{context}");
    let later = after(NOW, 7 * 24);
    store.set_now(later);
    let collected = gc_at(store, later).await.unwrap();
    assert!(collected.garbage.is_empty() && collected.restored.is_empty(), "{context}: {collected:?}");
    assert_whole(store, context);
    assert!(!store.r2().keys().any(|key| key.starts_with("trash/")), "{context}: the trash is emptied");
}

#[tokio::test]
async fn garbage_is_moved_to_the_trash_and_deleted_a_grace_period_later() {
    for left in LEFT {
        let store = Scene::new(left).await.store();
        let before = store.r2();
        let collected = gc(&store).await.unwrap();
        let expected = match left {
            Left::Nothing => 1,
            Left::OneArchive => 2,
            Left::Archives | Left::ArchivesAndDocument => 3,
        };
        assert_eq!((collected.named, collected.garbage.len()), (2, expected), "{left:?}");
        let moved = |key: &String| key.replace("blob/", "trash/");
        let moved: BTreeMap<_, _> = before
            .into_iter()
            .map(|(key, bytes)| {
                let is_garbage = collected.garbage.iter().any(|archive| archive.key.object() == key);
                (if is_garbage { moved(&key) } else { key }, bytes)
            })
            .collect();
        assert_eq!(store.r2(), moved);
        assert_eq!(assert_whole(&store, "collected"), ["1.0.0"]);
        for (hours, trash) in [(23, expected), (24, expected), (25, 0)] {
            store.set_now(after(NOW, hours));
            let collected = gc_at(&store, after(NOW, hours)).await.unwrap();
            assert!(collected.garbage.is_empty());
            assert_eq!(collected.trash.len(), trash, "{left:?} after {hours} hours");
        }
    }
}

#[tokio::test]
async fn what_is_young_is_no_garbage() {
    for (hours, garbage, young) in [(0, 0, 3), (23, 0, 3), (24, 0, 3), (25, 3, 0)] {
        let store = Scene::new(Left::Archives).await.store();
        store.set_now(after(THEN, hours));
        let collected = gc_at(&store, after(THEN, hours)).await.unwrap();
        assert_eq!((collected.garbage.len(), collected.young.len()), (garbage, young), "after {hours} hours");
    }
    // A document that was never listed counts as long as it is young.
    for (hours, named) in [(24, 4), (25, 2)] {
        let store = Scene::new(Left::ArchivesAndDocument).await.store();
        assert_eq!(gc_at(&store, after(THEN, hours)).await.unwrap().named, named, "after {hours} hours");
    }
}

#[tokio::test]
async fn a_rehearsal_says_the_same_and_writes_nothing() {
    for left in LEFT {
        let store = Scene::new(left).await.store();
        let (before, writes) = (store.r2(), store.writes());
        let rehearsed = gc(&Rehearsal::new(&store, time(NOW))).await.unwrap();
        assert_eq!((store.r2(), store.writes()), (before, writes));
        assert_eq!(rehearsed.garbage, gc(&store).await.unwrap().garbage);
    }
}

/// Where nobody can tell what is named, nothing is garbage.
#[tokio::test]
async fn nothing_is_collected_unless_every_document_can_be_used() {
    let scene = Scene::new(Left::Archives).await;
    let documents: Vec<_> = scene.store().r2().into_keys().filter(|key| key.starts_with("meta/")).collect();
    let mut refused = Vec::new();
    for key in documents {
        for damage in [None, Some(&b"{}"[..]), Some(br#"{"format":9}"#)] {
            let store = scene.store();
            match damage {
                Some(damage) => store.damage(&key, damage),
                None => store.lose(&key),
            }
            let before = store.r2();
            let is_read = key.starts_with("meta/release/") || key.starts_with("meta/provider/");
            if is_read {
                refused.push(gc(&store).await.unwrap_err().to_string());
                assert_eq!(store.r2(), before);
            }
        }
    }
    let store = scene.store();
    store.damage("meta/oci/registry.example/acme/dns/sha256", b"{}");
    let before = store.r2();
    refused.push(gc(&store).await.unwrap_err().to_string());
    assert_eq!(store.r2(), before);
    insta::assert_snapshot!(yuba_tests::digests::number_digests(&refused.join("\n")), @r"
    `meta/provider/registry.example/acme/dns` is not there, and KV still has a copy of it
    cannot use `meta/provider/registry.example/acme/dns`
    cannot use `meta/provider/registry.example/acme/dns`
    `meta/release/registry.example/acme/dns/1.0.0/[1]` is missing: it is listed, but not there
    cannot use `meta/release/registry.example/acme/dns/1.0.0/[1]`: it is not what its key says
    cannot use `meta/release/registry.example/acme/dns/1.0.0/[1]`: it is not what its key says
    `meta/oci/registry.example/acme/dns/sha256` is none of the documents that this yuba knows, and may name archives
    ");
}

/// A clock that is ahead would make everything old.
#[tokio::test]
async fn nothing_is_deleted_by_a_clock_that_is_ahead() {
    let store = Scene::new(Left::Archives).await.store();
    let before: Vec<_> = store.r2().into_keys().collect();
    let error = gc_at(&store, after(NOW, 48)).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "this machine's clock says 2026-04-03T12:00:00Z, and storage's says 2026-04-01T12:00:00Z"
    );
    assert_eq!(store.r2().into_keys().filter(|key| !key.starts_with("trash/")).collect::<Vec<_>>(), before);
}

/// One does all of its work before an operation of the other.
#[tokio::test(flavor = "multi_thread")]
async fn a_publish_and_a_collection_may_come_in_between_each_other() {
    let (mut collections, mut publishes) = (0, 0);
    for left in LEFT {
        let scene = Scene::new(left).await;
        let (of_publish, of_gc) = scene.operations().await;
        for number in 0..of_publish {
            let store = scene.store();
            let interrupted = Faults::new(&store, |now, _| {
                if now == number {
                    meanwhile(gc(&store)).unwrap();
                }
                Fault::None
            });
            let context = format!("{left:?}, collected before operation {number} of a publish");
            assert!(matches!(scene.publish(&interrupted).await.unwrap(), Ending::Published(_)), "{context}");
            assert_done(&store, &context).await;
            collections += 1;
        }
        for number in 0..of_gc {
            let store = scene.store();
            let interrupted = Faults::new(&store, |now, _| {
                if now == number {
                    meanwhile(scene.publish(&store)).unwrap();
                }
                Fault::None
            });
            gc(&interrupted).await.unwrap();
            assert_done(&store, &format!("{left:?}, published before operation {number} of a collection")).await;
            publishes += 1;
        }
    }
    println!("{collections} points of a publish and {publishes} of a collection at which the other came in between");
}

/// What one of two does with a store.
type Work<'a> = &'a (dyn Fn(&dyn Store) + Sync);

/// Runs `one` up to its operation `at`, then `other` up to its operation `until`, then the rest of `one`, then of `other`.
fn interleave(store: &MemoryStore, (one, at): (Work<'_>, usize), (other, until): (Work<'_>, usize)) {
    let (go, begin) = channel();
    let (pause, paused) = channel();
    let (end, ended) = channel();
    std::thread::scope(|scope| {
        let other = scope.spawn(move || {
            begin.recv().unwrap();
            let ended = Mutex::new(ended);
            let stopping = Faults::new(store, |now, _| {
                if now == until {
                    pause.send(()).unwrap();
                    ended.lock().unwrap().recv().unwrap();
                }
                Fault::None
            });
            other(&stopping);
            let _ = pause.send(());
        });
        let paused = Mutex::new(paused);
        let stopping = Faults::new(store, |now, _| {
            if now == at {
                go.send(()).unwrap();
                paused.lock().unwrap().recv().unwrap();
            }
            Fault::None
        });
        one(&stopping);
        let _ = end.send(());
        other.join().unwrap();
    });
}

fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

/// Each is half done while the other goes on.
#[test]
fn a_publish_and_a_collection_may_be_interleaved() {
    let mut interleavings = 0;
    for left in [Left::Archives, Left::ArchivesAndDocument] {
        let scene = run(Scene::new(left));
        let (of_publish, of_gc) = run(scene.operations());
        let publish = |store: &dyn Store| assert!(matches!(run(scene.publish(store)).unwrap(), Ending::Published(_)));
        let collection = |store: &dyn Store| drop(run(gc(store)).unwrap());
        for at in 0..of_publish {
            for until in 1..of_gc {
                let store = scene.store();
                interleave(&store, (&publish, at), (&collection, until));
                run(assert_done(&store, &format!("{left:?}, a collection's {until} first before a publish's {at}")));
                let store = scene.store();
                interleave(&store, (&collection, until), (&publish, at));
                run(assert_done(&store, &format!("{left:?}, a publish's {at} first before a collection's {until}")));
                interleavings += 2;
            }
        }
    }
    println!("{interleavings} interleavings of a publish and a collection, nothing lost");
}

/// A publisher for whom hours pass at any point, and then the garbage is collected at any later one.
#[tokio::test(flavor = "multi_thread")]
async fn a_slow_publisher_stores_again_what_has_become_old() {
    let scene = Scene::new(Left::ArchivesAndDocument).await;
    let (operations, _) = scene.operations().await;
    let mut delays = 0;
    for slow in 0..operations {
        for collected in slow..operations {
            let store = scene.store();
            let late = after(NOW, 20);
            let delayed = Faults::new(&store, |now, _| {
                if now == slow {
                    store.set_now(late);
                }
                if now == collected {
                    meanwhile(gc_at(&store, late)).unwrap();
                }
                Fault::None
            });
            let context = format!("20 hours pass before operation {slow}, collected before {collected}");
            assert!(matches!(scene.publish(&delayed).await.unwrap(), Ending::Published(_)), "{context}");
            assert_eq!(assert_whole(&store, &context), ["1.0.0", "2.0.0"]);
            // Whoever collects next, and a day later, finds nothing to take from it.
            for hours in [20, 30] {
                store.set_now(after(NOW, hours));
                gc_at(&store, after(NOW, hours)).await.unwrap();
                assert_whole(&store, &context);
            }
            delays += 1;
        }
    }
    println!("{delays} delays of a publisher, nothing lost");
}

#[tokio::test]
async fn a_publisher_that_is_always_slow_is_told() {
    let scene = Scene::new(Left::Nothing).await;
    let store = scene.store();
    let now = Mutex::new(time(NOW));
    let slow = Faults::new(&store, |_, operation: &Operation| {
        // The document comes so late after its archives, each time.
        if operation.attempt == Attempt::Write && operation.key.starts_with("meta/release/") {
            let mut now = now.lock().unwrap();
            *now += SignedDuration::from_hours(13);
            store.set_now(*now);
        }
        Fault::None
    });
    let error = scene.publish(&slow).await.unwrap_err();
    assert_eq!(error.problem.to_string(), "storing the archives takes longer than 12 hours each time");
    assert_eq!(assert_whole(&store, "slow"), ["1.0.0"]);
}

/// Whatever a killed collection left is completed by the next, also where a publisher came in between.
#[tokio::test(flavor = "multi_thread")]
async fn a_collection_that_was_killed_anywhere_is_completed_by_the_next() {
    let mut killings = 0;
    for left in LEFT {
        let scene = Scene::new(left).await;
        let (_, operations) = scene.operations().await;
        for number in 0..operations {
            for done in [false, true] {
                let store = scene.store();
                let fatal = Faults::new(&store, |now, _| match (now == number, done) {
                    (false, _) => Fault::None,
                    (true, false) => Fault::Before(killed()),
                    (true, true) => Fault::After(killed()),
                });
                let context = format!("{left:?}, killed at operation {number}");
                let _ = gc(&fatal).await;
                assert_eq!(assert_whole(&store, &context), ["1.0.0"]);
                gc(&store).await.unwrap();
                assert!(matches!(scene.publish(&store).await.unwrap(), Ending::Published(_)));
                assert_done(&store, &context).await;
                killings += 1;
            }
            // A publisher is done before an operation, and the collection is killed at any later one.
            for later in number..operations {
                let store = scene.store();
                let fatal = Faults::new(&store, |now, _| {
                    if now == number {
                        meanwhile(scene.publish(&store)).unwrap();
                    }
                    if now == later { Fault::After(killed()) } else { Fault::None }
                });
                let _ = gc(&fatal).await;
                gc(&store).await.unwrap();
                assert_done(&store, &format!("{left:?}, published at {number}, killed at {later}")).await;
                killings += 1;
            }
        }
    }
    println!("{killings} kill points of a collection, each completed by running again");
}
