//! `fsck`: whatever is damaged in storage is found and named, and a sound storage has no finding.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use fastrand::Rng;
use insta::assert_snapshot;
use yuba::keys::ObjectKey;
use yuba_companion::fsck::{Depth, Examination, Request, document, fsck, fsck_and_repair};
use yuba_companion::gc::collect;
use yuba_companion::store::faults::{Fault, Faults};
use yuba_companion::store::memory::MemoryStore;
use yuba_companion::store::{Attempt, Store};
use yuba_companion::sync::sync;
use yuba_companion::verify::Silent;
use yuba_tests::digests::number_digests;

use crate::aside::{copies_of, fill, killed, meanwhile};
use crate::scene::{EXPIRED, Registry, Release};

const NOW: &str = "2026-03-02T12:00:00Z";

fn request(depth: Depth) -> Request {
    Request { depth, now: NOW.parse().unwrap() }
}

async fn examine(store: &dyn Store) -> Examination {
    fsck(store, request(Depth::Read), &Silent).await.unwrap()
}

fn show(examination: &Examination) -> String {
    let lines: Vec<_> = examination
        .findings
        .iter()
        .map(|finding| format!("{} {}: {finding}", finding.check.weight.as_str(), finding.check.slug))
        .collect();
    number_digests(&lines.join("\n"))
}

/// A registry with two versions of two platforms.
async fn registry() -> Registry {
    let registry = Registry::new().await;
    for version in ["1.0.0", "1.1.0"] {
        registry.publish(&Release { label: version, ..Release::new(version) }).await;
    }
    registry
}

/// Where something is put: an object in R2 or a key in KV.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    R2,
    Kv,
}

fn put(store: &MemoryStore, place: Place, key: &str, bytes: Option<&[u8]>) {
    match (place, bytes) {
        (Place::R2, Some(bytes)) => store.damage(key, bytes),
        (Place::R2, None) => store.lose(key),
        (Place::Kv, bytes) => store.damage_copy(key, bytes),
    }
}

/// Everything that is stored.
fn all(store: &MemoryStore) -> Vec<(Place, String, Vec<u8>)> {
    let r2 = store.r2().into_iter().map(|(key, bytes)| (Place::R2, key, bytes));
    r2.chain(store.kv().into_iter().map(|(key, bytes)| (Place::Kv, key, bytes))).collect()
}

/// What of a key every finding about it names: the document's name, or the archive's digest.
fn name(key: &str) -> &str {
    key.strip_prefix("meta/").unwrap_or(key)
}

/// Damages a key, requires a problem that names it, and undoes it.
async fn assert_found(
    store: &MemoryStore,
    (place, key, bytes): &(Place, String, Vec<u8>),
    damage: Option<&[u8]>,
    how: &str,
) {
    put(store, *place, key, damage);
    // No archive has to be read to see what is wrong with a document, and reading them all each time takes minutes.
    let depth = if key.starts_with("blob/") { Depth::Read } else { Depth::List };
    let found = fsck(store, request(depth), &Silent).await.unwrap();
    let is_named = found.findings.iter().any(|finding| {
        finding.is_problem() && (finding.subject.key.contains(name(key)) || finding.message.contains(name(key)))
    });
    assert!(is_named, "{how} {place:?} {key}: {}", show(&found));
    put(store, *place, key, Some(bytes));
}

/// The positions that are flipped: of an archive its structure whole, and a sample of its content.
fn positions(key: &str, bytes: &[u8]) -> Vec<usize> {
    if name(key).starts_with("oci/") {
        // What is around a manifest's text whole, and a sample of the text.
        let text = bytes.iter().position(|byte| *byte == b'\\').unwrap_or(bytes.len());
        return (0..text).chain((text..bytes.len()).step_by(17)).chain([bytes.len() - 1]).collect();
    }
    if !key.starts_with("blob/") {
        return (0..bytes.len()).collect();
    }
    let directory = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    let content = (0..directory).step_by(37);
    let headers = bytes
        .windows(4)
        .enumerate()
        .filter(|(_, window)| window.starts_with(b"PK"))
        .flat_map(|(start, _)| start..(start + 46).min(bytes.len()));
    let structure = directory..bytes.len();
    content.chain(headers).chain(structure).collect::<BTreeSet<_>>().into_iter().collect()
}

#[tokio::test(start_paused = true)]
async fn a_sound_storage_has_no_finding() {
    let Registry { store, .. } = registry().await;
    let found = examine(&store).await;
    assert_eq!(show(&found), "");
    // Each version has an index, and a manifest and an archive for each platform.
    assert_eq!((found.documents, found.copies, found.archives), (5 + 10, 5 + 10, 4));
    let (writes, before) = (store.writes(), store.r2());
    let listed = fsck(&store, request(Depth::List), &Silent).await.unwrap();
    assert_eq!((show(&listed).as_str(), store.writes()), ("", writes));
    assert_eq!(store.r2(), before);
}

/// Bit by bit: one bit of every byte of every document and copy, and of an archive's structure.
#[tokio::test(start_paused = true)]
async fn every_flipped_bit_is_found() {
    let Registry { store, .. } = registry().await;
    let mut flips = 0;
    for stored in all(&store) {
        let (_, key, bytes) = &stored;
        for position in positions(key, bytes) {
            let mut flipped = bytes.clone();
            flipped[position] ^= 1 << (position % 8);
            assert_found(&store, &stored, Some(&flipped), &format!("byte {position} flipped of")).await;
            flips += 1;
        }
    }
    assert_eq!(show(&examine(&store).await), "");
    println!("{flips} flipped bits, each found and named");
}

/// Bytes that stay letters and digits keep a document readable more often than bits do.
#[tokio::test(start_paused = true)]
async fn every_changed_letter_and_digit_is_found() {
    let Registry { store, .. } = registry().await;
    let mut changes = 0;
    for stored in all(&store).into_iter().filter(|(_, key, _)| !key.starts_with("blob/")) {
        let bytes = &stored.2;
        for position in positions(&stored.1, bytes).into_iter().filter(|at| bytes[*at].is_ascii_alphanumeric()) {
            let mut changed = bytes.clone();
            changed[position] = match bytes[position] {
                b'9' => b'1',
                b'z' => b'a',
                b'Z' => b'A',
                other => other + 1,
            };
            assert_found(&store, &stored, Some(&changed), &format!("letter {position} changed of")).await;
            changes += 1;
        }
    }
    println!("{changes} changed letters and digits, each found and named");
}

#[tokio::test(start_paused = true)]
async fn whatever_is_cut_extended_emptied_lost_or_put_elsewhere_is_found() {
    let Registry { store, .. } = registry().await;
    let everything = all(&store);
    let mut damages = 0;
    for stored in &everything {
        let bytes = &stored.2;
        let longer = |tail: &[u8]| [&bytes[..], tail].concat();
        let cases = [
            ("lost", None),
            ("emptied", Some(Vec::new())),
            ("cut by one", Some(bytes[..bytes.len() - 1].to_vec())),
            ("cut in half", Some(bytes[..bytes.len() / 2].to_vec())),
            ("without its first byte", Some(bytes[1..].to_vec())),
            ("extended by a space", Some(longer(b" "))),
            ("extended by a line feed", Some(longer(b"\n"))),
            ("extended by itself", Some(longer(bytes))),
            ("zeroed", Some(vec![0; bytes.len()])),
        ];
        for (how, damage) in cases {
            assert_found(&store, stored, damage.as_deref(), how).await;
            damages += 1;
        }
    }
    let mut swaps = 0;
    for one in &everything {
        for other in &everything {
            if one.2 == other.2 {
                continue;
            }
            put(&store, other.0, &other.1, Some(&one.2));
            assert_found(&store, one, Some(&other.2), "exchanged").await;
            put(&store, one.0, &one.1, Some(&other.2));
            assert_found(&store, other, Some(&one.2), "exchanged").await;
            put(&store, one.0, &one.1, Some(&one.2));
            swaps += 1;
        }
    }
    assert_eq!(show(&examine(&store).await), "");
    println!("{damages} damages and {swaps} exchanges, each found and named");
}

/// What is added to storage that yuba did not put there.
#[tokio::test(start_paused = true)]
async fn strays_are_found() {
    let Registry { store, .. } = registry().await;
    let release = store.kv().into_keys().find(|key| key.starts_with("release/")).unwrap();
    let digest = release.rsplit('/').next().unwrap().to_owned();
    let elsewhere = release.replace("1.0.0", "3.0.0");
    for key in ["x", "meta/", "meta/x", "meta/Index", "blob/sha256/x", "trash/x", "copying/index/x"] {
        store.damage(key, b"{}");
    }
    store.damage(&format!("meta/{elsewhere}"), &store.kv()[&release]);
    store.damage("copying/index/00000000000000ff", b"");
    store.damage(&format!("trash/sha256/{digest}"), b"trash");
    store.damage(&format!("blob/sha256/{digest}"), &store.kv()[&release]);
    for name in ["", "x", &elsewhere, "token/x"] {
        store.damage_copy(name, Some(b"{}"));
    }
    assert_snapshot!(show(&examine(&store).await), @r"
    problem stray-object: YF001 r2/blob/sha256/x: is no key of this storage
    problem stray-object: YF001 r2/copying/index/x: is no key of this storage
    problem stray-object: YF001 r2/meta/: is no key of this storage
    problem stray-object: YF001 r2/meta/Index: is no key of this storage
    problem stray-object: YF001 r2/meta/x: is no key of this storage
    problem stray-object: YF001 r2/trash/x: is no key of this storage
    problem stray-object: YF001 r2/x: is no key of this storage
    problem document-address: YF005 r2/meta/release/registry.example/acme/dns/3.0.0/[1]: is about something else
    problem copy-stray: YF032 kv/: is no document's name
    problem copy-stray: YF032 kv/release/registry.example/acme/dns/3.0.0/[1]: is a copy of what is not served
    problem copy-stray: YF032 kv/token/x: is no document's name
    problem copy-stray: YF032 kv/x: is no document's name
    problem mark: YF033 r2/copying/index/[2]: is there since 1970-01-01T00:00:00Z
    note release-unlisted: YF034 r2/meta/release/registry.example/acme/dns/3.0.0/[1]: is not listed
    note trash: YF036 r2/trash/sha256/[1]: has 5 bytes and is there since 1970-01-01T00:00:00Z
    ");
}

#[tokio::test(start_paused = true)]
async fn what_time_does_to_a_key_is_no_finding() {
    let registry = Registry::with_expiring_key().await;
    registry.publish(&Release::new("1.0.0")).await;
    let late = Request { depth: Depth::Read, now: EXPIRED.parse().unwrap() };
    assert_eq!(show(&fsck(&registry.store, late, &Silent).await.unwrap()), "");
}

#[tokio::test(start_paused = true)]
async fn what_interrupted_commands_leave_is_told_and_no_problem() {
    let registry = registry().await;
    let begun = registry.write(&Release { label: "second", ..Release::new("2.0.0") });
    for stop in ["meta/release/", "meta/index"] {
        let fatal = Faults::new(&registry.store, |_, operation| {
            if operation.key.starts_with(stop) { Fault::Before(killed()) } else { Fault::None }
        });
        registry.try_publish(&fatal, begun.path()).await.unwrap_err();
        let found = examine(&registry.store).await;
        assert!(!found.has_problem());
        match stop {
            "meta/index" => {
                insta::assert_snapshot!(show(&found), @r"
        note release-unlisted: YF034 r2/meta/release/registry.example/acme/dns/2.0.0/[1]: is not listed
        note oci-view-unlisted: YF041 r2/meta/oci/registry.example/acme/dns/[2]: belongs to no listed version
        note oci-view-unlisted: YF041 r2/meta/oci/registry.example/acme/dns/[3]: belongs to no listed version
        note oci-view-unlisted: YF041 r2/meta/oci/registry.example/acme/dns/[4]: belongs to no listed version
        note oci-view-unlisted: YF041 r2/meta/oci/registry.example/acme/dns/[5]: belongs to no listed version
        note oci-view-unlisted: YF041 r2/meta/oci/registry.example/acme/dns/[6]: belongs to no listed version
        ");
            }
            _ => {
                insta::assert_snapshot!(show(&found), @r"
            note archive-unnamed: YF035 r2/blob/sha256/[1]: has 322 bytes and is there since 1970-01-01T00:00:00Z
            note archive-unnamed: YF035 r2/blob/sha256/[2]: has 322 bytes and is there since 1970-01-01T00:00:00Z
            ");
            }
        }
    }
    let later = "2026-04-01T12:00:00Z".parse().unwrap();
    registry.store.set_now(later);
    collect(&registry.store, "1d".parse().unwrap(), later).await.unwrap();
    let found = examine(&registry.store).await;
    assert!(!found.has_problem());
    assert_snapshot!(show(&found), @r"
    note release-unlisted: YF034 r2/meta/release/registry.example/acme/dns/2.0.0/[1]: is not listed
    note trash: YF036 r2/trash/sha256/[2]: has 322 bytes and is there since 2026-04-01T12:00:00Z
    note trash: YF036 r2/trash/sha256/[3]: has 322 bytes and is there since 2026-04-01T12:00:00Z
    note oci-view-unlisted: YF041 r2/meta/oci/registry.example/acme/dns/[4]: belongs to no listed version
    note oci-view-unlisted: YF041 r2/meta/oci/registry.example/acme/dns/[2]: belongs to no listed version
    note oci-view-unlisted: YF041 r2/meta/oci/registry.example/acme/dns/[5]: belongs to no listed version
    note oci-view-unlisted: YF041 r2/meta/oci/registry.example/acme/dns/[3]: belongs to no listed version
    note oci-view-unlisted: YF041 r2/meta/oci/registry.example/acme/dns/[6]: belongs to no listed version
    ");
}

/// All that can be derived is mended, and nothing is deleted.
#[tokio::test(start_paused = true)]
async fn what_is_derivable_is_mended() {
    let registry = registry().await;
    let sound = (registry.store.r2(), registry.store.kv());
    let mut text = String::new();
    let mut mended = 0;
    for (place, key, bytes) in all(&registry.store) {
        for (how, damage) in [("lost", None), ("cut", Some(&bytes[..bytes.len() / 2]))] {
            put(&registry.store, place, &key, damage);
            let before = registry.store.r2();
            let (_, repaired) =
                fsck_and_repair(&registry.store, request(Depth::Read), &Silent, Rng::with_seed(1)).await.unwrap();
            let after = registry.store.r2();
            assert!(before.keys().all(|key| after.contains_key(key)), "nothing is deleted");
            mended += usize::from(!repaired.after.has_problem());
            if name(&key).starts_with("oci/") {
                // All of them follow from the release documents.
                assert!(!repaired.after.has_problem(), "{key} {how}");
                fill(&registry.store, &sound.0, &sound.1);
                continue;
            }
            let outcome = if repaired.after.has_problem() { "left alone" } else { "mended" };
            writeln!(text, "{place:?} {key} {how}: {outcome}").unwrap();
            for repair in repaired.repairs {
                writeln!(text, "  {}: {}", repair.subject, repair.how).unwrap();
            }
            fill(&registry.store, &sound.0, &sound.1);
        }
    }
    println!("{mended} damages mended");
    assert_snapshot!(number_digests(&text), @r"
    R2 blob/sha256/[1] lost: left alone
    R2 blob/sha256/[1] cut: left alone
    R2 blob/sha256/[2] lost: left alone
    R2 blob/sha256/[2] cut: left alone
    R2 blob/sha256/[3] lost: left alone
    R2 blob/sha256/[3] cut: left alone
    R2 blob/sha256/[4] lost: left alone
    R2 blob/sha256/[4] cut: left alone
    R2 meta/index lost: mended
      r2/meta/index: derived from the providers
      kv/index: copied from R2
    R2 meta/index cut: mended
      r2/meta/index: derived from the providers
      kv/index: copied from R2
    R2 meta/namespace/registry.example/acme lost: mended
      r2/meta/namespace/registry.example/acme: restored from its copy in KV
    R2 meta/namespace/registry.example/acme cut: left alone
    R2 meta/provider/registry.example/acme/dns lost: mended
      r2/meta/provider/registry.example/acme/dns: restored from its copy in KV
    R2 meta/provider/registry.example/acme/dns cut: left alone
    R2 meta/release/registry.example/acme/dns/1.0.0/[5] lost: mended
      r2/meta/release/registry.example/acme/dns/1.0.0/[5]: restored from its copy in KV
    R2 meta/release/registry.example/acme/dns/1.0.0/[5] cut: mended
      r2/meta/release/registry.example/acme/dns/1.0.0/[5]: restored from its copy in KV
    R2 meta/release/registry.example/acme/dns/1.1.0/[6] lost: mended
      r2/meta/release/registry.example/acme/dns/1.1.0/[6]: restored from its copy in KV
    R2 meta/release/registry.example/acme/dns/1.1.0/[6] cut: mended
      r2/meta/release/registry.example/acme/dns/1.1.0/[6]: restored from its copy in KV
    Kv index lost: mended
      kv/index: copied from R2
    Kv index cut: mended
      kv/index: copied from R2
    Kv namespace/registry.example/acme lost: mended
      kv/namespace/registry.example/acme: copied from R2
    Kv namespace/registry.example/acme cut: mended
      kv/namespace/registry.example/acme: copied from R2
    Kv provider/registry.example/acme/dns lost: mended
      kv/provider/registry.example/acme/dns: copied from R2
    Kv provider/registry.example/acme/dns cut: mended
      kv/provider/registry.example/acme/dns: copied from R2
    Kv release/registry.example/acme/dns/1.0.0/[5] lost: mended
      kv/release/registry.example/acme/dns/1.0.0/[5]: copied from R2
    Kv release/registry.example/acme/dns/1.0.0/[5] cut: mended
      kv/release/registry.example/acme/dns/1.0.0/[5]: copied from R2
    Kv release/registry.example/acme/dns/1.1.0/[6] lost: mended
      kv/release/registry.example/acme/dns/1.1.0/[6]: copied from R2
    Kv release/registry.example/acme/dns/1.1.0/[6] cut: mended
      kv/release/registry.example/acme/dns/1.1.0/[6]: copied from R2
    ");
}

#[tokio::test(start_paused = true)]
async fn an_archive_in_the_trash_and_a_mark_are_mended() {
    let Registry { store, .. } = registry().await;
    let blob = store.r2().into_keys().find(|key| key.starts_with("blob/")).unwrap();
    store.damage(&blob.replace("blob/", "trash/"), &store.r2()[&blob]);
    store.lose(&blob);
    store.damage("copying/index/00000000000000ff", b"");
    let older = store.kv()["provider/registry.example/acme/dns"].clone();
    let text = String::from_utf8(store.r2()["meta/provider/registry.example/acme/dns"].clone()).unwrap();
    let ObjectKey::Document(_) = "meta/provider/registry.example/acme/dns".parse().unwrap() else {
        panic!("a document")
    };
    store.damage("meta/provider/registry.example/acme/dns", text.replace(",\"versions\"", ", \"versions\"").as_bytes());
    let (before, repaired) = fsck_and_repair(&store, request(Depth::Read), &Silent, Rng::with_seed(1)).await.unwrap();
    assert_ne!(store.kv()["provider/registry.example/acme/dns"], older);
    let repairs: Vec<_> = repaired.repairs.iter().map(|repair| format!("{}: {}", repair.subject, repair.how)).collect();
    assert_snapshot!(format!("{}\n\n{}\n\n{}", show(&before), number_digests(&repairs.join("\n")), show(&repaired.after)), @r"
    problem document-canonical: YF004 r2/meta/provider/registry.example/acme/dns: has other bytes than yuba writes for what it says
    problem archive-missing: YF024 r2/blob/sha256/[1]: is not there, and is `terraform-provider-dns_1.0.0_darwin_arm64.zip` of `release/registry.example/acme/dns/1.0.0/[2]`
    problem copy-contradicts: YF031 kv/provider/registry.example/acme/dns: says something else than R2 under the same revision 2
    problem mark: YF033 r2/copying/index/[3]: is there since 1970-01-01T00:00:00Z
    note trash: YF036 r2/trash/sha256/[1]: has 321 bytes and is there since 1970-01-01T00:00:00Z

    r2/meta/provider/registry.example/acme/dns: written in its own form
    r2/blob/sha256/[1]: restored from the trash
    kv/index: copied from R2
    kv/provider/registry.example/acme/dns: copied from R2

    note trash: YF036 r2/trash/sha256/[1]: has 321 bytes and is there since 1970-01-01T00:00:00Z
    ");
}

/// Nobody can tell which of two contradicting documents is right: that is for `sync`, which says that R2 is.
#[tokio::test(start_paused = true)]
async fn a_contradiction_is_left_to_whoever_knows() {
    let Registry { store, .. } = registry().await;
    let key = "provider/registry.example/acme/dns";
    let text = String::from_utf8(store.kv()[key].clone()).unwrap();
    let other = text.replace("2026-03-01T12:00:00Z", "2026-03-01T12:00:01Z");
    assert_ne!(text, other);
    store.damage(&format!("meta/{key}"), other.as_bytes());
    let (_, repaired) = fsck_and_repair(&store, request(Depth::Read), &Silent, Rng::with_seed(1)).await.unwrap();
    assert_eq!(repaired.repairs, []);
    assert_snapshot!(show(&repaired.after), @r"problem copy-contradicts: YF031 kv/provider/registry.example/acme/dns: says something else than R2 under the same revision 2");
    sync(&store, Rng::with_seed(1)).await.unwrap();
    assert_eq!(show(&examine(&store).await), "");
}

/// A publisher does all of its work between any two operations of a check.
#[tokio::test(flavor = "multi_thread")]
async fn a_publisher_at_work_is_no_finding() {
    let reference = registry().await;
    let recorder = Faults::new(&reference.store, |_, _| Fault::None);
    examine(&recorder).await;
    let operations = recorder.operations().len();
    let before: BTreeMap<_, _> = reference.store.r2();
    for number in 0..operations {
        let store = MemoryStore::default();
        fill(&store, &before, &copies_of(&before));
        let published = reference.write(&Release { label: "meanwhile", ..Release::new("2.0.0") });
        let interrupted = Faults::new(&store, |now, _| {
            if now == number {
                meanwhile(reference.publish_directory(&store, published.path()));
            }
            Fault::None
        });
        let found = examine(&interrupted).await;
        assert!(!found.has_problem(), "{number}: {}", show(&found));
        assert_eq!(show(&examine(&store).await), "");
    }
    println!("{operations} points at which a publisher came in between, nothing invented");
}

/// What cannot be read is no finding: nobody knows.
#[tokio::test]
async fn a_storage_that_fails_is_not_judged() {
    let Registry { store, .. } = registry().await;
    let recorder = Faults::new(&store, |_, _| Fault::None);
    examine(&recorder).await;
    let kinds: BTreeSet<_> = recorder.operations().iter().map(|operation| operation.attempt.to_string()).collect();
    for kind in kinds {
        let failing = Faults::new(&store, |_, operation| {
            if operation.attempt.to_string() == kind { Fault::Before(killed()) } else { Fault::None }
        });
        assert!(fsck(&failing, request(Depth::Read), &Silent).await.is_err(), "{kind}");
    }
    assert!(recorder.operations().iter().all(|operation| operation.attempt != Attempt::Write));
}

#[test]
fn the_document_is_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/fsck.md");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, document::render()).unwrap();
    }
    let hint = "run `UPDATE=1 cargo test --package yuba-tests --test care`";
    assert!(fs::read_to_string(&path).unwrap_or_default() == document::render(), "docs/fsck.md is stale: {hint}");
}
