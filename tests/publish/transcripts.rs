//! What a publish asks of storage, in the order of time.

use std::fmt::Write as _;

use insta::assert_snapshot;
use yuba::document::{Document as _, ProviderDocument, Status, VersionEntry};
use yuba::keys::DocumentKey;
use yuba_companion::documents;
use yuba_companion::publish::{Ending, Reason};
use yuba_companion::store::memory::MemoryStore;
use yuba_companion::store::rehearsal::Rehearsal;
use yuba_tests::digests::number_digests;

use crate::scene::{Registry, Release, provider};

#[tokio::test]
async fn a_release_is_stored_before_it_is_listed_and_listed_before_it_is_copied() {
    let registry = Registry::new().await;
    assert_snapshot!(registry.transcript(&Release::new("1.0.0")).await, @r"
    read meta/namespace/registry.example/acme
    read meta/provider/registry.example/acme/dns
    look up blob/sha256/[1]
    upload blob/sha256/[1]
    look up blob/sha256/[2]
    upload blob/sha256/[2]
    write meta/release/registry.example/acme/dns/1.0.0/[3]
    list meta/release/registry.example/acme/dns/1.0.0/
    look up blob/sha256/[1]
    look up blob/sha256/[2]
    read meta/oci/registry.example/acme/dns/[1]
    write meta/oci/registry.example/acme/dns/[1]
    read meta/oci/registry.example/acme/dns/[4]
    write meta/oci/registry.example/acme/dns/[4]
    read meta/oci/registry.example/acme/dns/[5]
    write meta/oci/registry.example/acme/dns/[5]
    read meta/oci/registry.example/acme/dns/[2]
    write meta/oci/registry.example/acme/dns/[2]
    read meta/oci/registry.example/acme/dns/[6]
    write meta/oci/registry.example/acme/dns/[6]
    read meta/index
    write meta/index
    read meta/provider/registry.example/acme/dns
    write meta/provider/registry.example/acme/dns
    read the KV copy release/registry.example/acme/dns/1.0.0/[3]
    write the KV copy oci/registry.example/acme/dns/[1]
    write the KV copy oci/registry.example/acme/dns/[4]
    write the KV copy oci/registry.example/acme/dns/[5]
    write the KV copy oci/registry.example/acme/dns/[2]
    write the KV copy oci/registry.example/acme/dns/[6]
    read the KV copy release/registry.example/acme/dns/1.0.0/[3]
    read meta/release/registry.example/acme/dns/1.0.0/[3]
    write the KV copy release/registry.example/acme/dns/1.0.0/[3]
    read the KV copy namespace/registry.example/acme
    read meta/namespace/registry.example/acme
    list copying/namespace/registry.example/acme/
    read the KV copy index
    read meta/index
    mark copying/index/[7]
    read meta/index
    write the KV copy index
    read meta/index
    delete copying/index/[7]
    list copying/index/
    read the KV copy provider/registry.example/acme/dns
    read meta/provider/registry.example/acme/dns
    mark copying/provider/registry.example/acme/dns/[8]
    read meta/provider/registry.example/acme/dns
    write the KV copy provider/registry.example/acme/dns
    read meta/provider/registry.example/acme/dns
    delete copying/provider/registry.example/acme/dns/[8]
    list copying/provider/registry.example/acme/dns/
    ");
}

#[tokio::test]
async fn the_same_release_again_writes_nothing() {
    let registry = Registry::new().await;
    registry.publish(&Release::new("1.0.0")).await;
    let writes = registry.store.writes();
    assert_snapshot!(registry.transcript(&Release::new("1.0.0")).await, @r"
    read meta/namespace/registry.example/acme
    read meta/provider/registry.example/acme/dns
    read meta/release/registry.example/acme/dns/1.0.0/[1]
    look up blob/sha256/[2]
    look up blob/sha256/[3]
    read meta/oci/registry.example/acme/dns/[2]
    read meta/oci/registry.example/acme/dns/[4]
    read meta/oci/registry.example/acme/dns/[5]
    read meta/oci/registry.example/acme/dns/[3]
    read meta/oci/registry.example/acme/dns/[6]
    read meta/index
    read meta/provider/registry.example/acme/dns
    read the KV copy release/registry.example/acme/dns/1.0.0/[1]
    read the KV copy release/registry.example/acme/dns/1.0.0/[1]
    read meta/release/registry.example/acme/dns/1.0.0/[1]
    read the KV copy namespace/registry.example/acme
    read meta/namespace/registry.example/acme
    list copying/namespace/registry.example/acme/
    read the KV copy index
    read meta/index
    list copying/index/
    read the KV copy provider/registry.example/acme/dns
    read meta/provider/registry.example/acme/dns
    list copying/provider/registry.example/acme/dns/
    ");
    assert_eq!(registry.store.writes(), writes);
}

/// A new signature over the same SHA256SUMS is no other content; the listed one stays.
#[tokio::test]
async fn the_same_release_signed_again_writes_nothing() {
    let registry = Registry::new().await;
    registry.publish(&Release::new("1.0.0")).await;
    let before = (registry.store.r2(), registry.store.kv());
    let signed_again = Release { signed_at: "2026-02-03T00:00:00Z", ..Release::new("1.0.0") };
    assert!(
        matches!(registry.publish(&signed_again).await, Ending::Published(publication) if publication.listed_before)
    );
    assert_eq!((registry.store.r2(), registry.store.kv()), before);
}

#[tokio::test]
async fn a_second_version_is_added_to_the_first() {
    let registry = Registry::new().await;
    registry.publish(&Release::new("1.0.0")).await;
    assert_snapshot!(registry.transcript(&Release::new("1.1.0")).await, @r"
    read meta/namespace/registry.example/acme
    read meta/provider/registry.example/acme/dns
    look up blob/sha256/[1]
    upload blob/sha256/[1]
    look up blob/sha256/[2]
    upload blob/sha256/[2]
    write meta/release/registry.example/acme/dns/1.1.0/[3]
    list meta/release/registry.example/acme/dns/1.1.0/
    look up blob/sha256/[1]
    look up blob/sha256/[2]
    read meta/oci/registry.example/acme/dns/[1]
    write meta/oci/registry.example/acme/dns/[1]
    read meta/oci/registry.example/acme/dns/[4]
    write meta/oci/registry.example/acme/dns/[4]
    read meta/oci/registry.example/acme/dns/[5]
    write meta/oci/registry.example/acme/dns/[5]
    read meta/oci/registry.example/acme/dns/[2]
    write meta/oci/registry.example/acme/dns/[2]
    read meta/oci/registry.example/acme/dns/[6]
    write meta/oci/registry.example/acme/dns/[6]
    read meta/index
    read meta/provider/registry.example/acme/dns
    write meta/provider/registry.example/acme/dns
    read the KV copy release/registry.example/acme/dns/1.1.0/[3]
    write the KV copy oci/registry.example/acme/dns/[1]
    write the KV copy oci/registry.example/acme/dns/[4]
    write the KV copy oci/registry.example/acme/dns/[5]
    write the KV copy oci/registry.example/acme/dns/[2]
    write the KV copy oci/registry.example/acme/dns/[6]
    read the KV copy release/registry.example/acme/dns/1.1.0/[3]
    read meta/release/registry.example/acme/dns/1.1.0/[3]
    write the KV copy release/registry.example/acme/dns/1.1.0/[3]
    read the KV copy namespace/registry.example/acme
    read meta/namespace/registry.example/acme
    list copying/namespace/registry.example/acme/
    read the KV copy index
    read meta/index
    list copying/index/
    read the KV copy provider/registry.example/acme/dns
    read meta/provider/registry.example/acme/dns
    mark copying/provider/registry.example/acme/dns/[7]
    read meta/provider/registry.example/acme/dns
    write the KV copy provider/registry.example/acme/dns
    read meta/provider/registry.example/acme/dns
    delete copying/provider/registry.example/acme/dns/[7]
    list copying/provider/registry.example/acme/dns/
    ");
    assert_eq!(registry.versions(), ["1.0.0", "1.1.0"]);
}

/// Build metadata and letters' case are part of a version, whatever a disk makes of them.
#[tokio::test]
async fn versions_that_differ_in_little_are_different() {
    let registry = Registry::new().await;
    let versions = ["1.0.0-RC.1", "1.0.0-rc.1", "1.0.0", "1.0.0+build.1", "1.0.0+build.2"];
    for version in versions {
        let ending = registry.publish(&Release { label: version, ..Release::new(version) }).await;
        assert!(matches!(ending, Ending::Published(publication) if !publication.listed_before), "{version}");
    }
    assert_eq!(registry.versions(), versions);
}

#[tokio::test]
async fn other_content_under_a_listed_version_is_refused() {
    let registry = Registry::new().await;
    let published = Release { platforms: &["linux_amd64", "darwin_arm64"], ..Release::new("1.0.0") };
    registry.publish(&published).await;
    let before = (registry.store.r2(), registry.store.kv());
    let others = [
        Release { label: "rebuilt", ..published },
        Release { protocols: &["6.0"], ..published },
        Release { platforms: &["linux_amd64", "windows_amd64"], ..published },
    ];
    let mut text = String::new();
    for other in others {
        let Ending::Refused(refusal) = registry.publish(&other).await else { panic!("published") };
        let Reason::OtherContent(_, differences) = &refusal.reason else { panic!("{:?}", refusal.reason) };
        writeln!(text, "{}", refusal.reason).unwrap();
        for difference in differences {
            writeln!(text, "  {difference}").unwrap();
        }
    }
    assert_eq!((registry.store.r2(), registry.store.kv()), before);
    assert_snapshot!(number_digests(&text), @r"
    version 1.0.0 of `registry.example/acme/dns` is listed with other content
      darwin_arm64 is listed with SHA-256 [1], this release has [2]
      linux_amd64 is listed with SHA-256 [3], this release has [4]
    version 1.0.0 of `registry.example/acme/dns` is listed with other content
      SHA256SUMS is listed with SHA-256 [5], this release's has [6] for the same archives
      protocols 5.0 are listed, this release has 6.0
    version 1.0.0 of `registry.example/acme/dns` is listed with other content
      darwin_arm64 is listed, but not in this release
      windows_amd64 is in this release, but not listed
    ");
}

/// Whatever the release is, be it the very one that was removed.
#[tokio::test]
async fn a_removed_version_is_not_given_out_again() {
    let registry = Registry::new().await;
    registry.publish(&Release::new("1.0.0")).await;
    let key = DocumentKey::Provider(provider());
    let listed: ProviderDocument = documents::read(&registry.store, &key).await.unwrap().unwrap();
    let (reason, at) = ("court order 7".to_owned(), registry.now.to_owned());
    let tombstone = VersionEntry { status: Status::Removed { reason, at }, ..listed.entries()[0].clone() };
    registry.store.damage(&key.object(), &listed.with(tombstone).to_json().unwrap());
    let before = (registry.store.r2(), registry.store.kv());
    for label in ["built", "another"] {
        let ending = registry.publish(&Release { label, ..Release::new("1.0.0") }).await;
        let Ending::Refused(refusal) = ending else { panic!("published") };
        let expected =
            "version 1.0.0 of `registry.example/acme/dns` was removed, and its number is not given out again";
        assert_eq!(refusal.reason.to_string(), expected);
    }
    assert_eq!((registry.store.r2(), registry.store.kv()), before);
}

#[tokio::test]
async fn a_namespace_that_nobody_registered_is_refused() {
    let registry = Registry { store: MemoryStore::default(), ..Registry::new().await };
    let Ending::Refused(refusal) = registry.publish(&Release::new("1.0.0")).await else { panic!("published") };
    assert_snapshot!(refusal.reason, @"namespace `registry.example/acme` is not registered: no key may sign for it");
    assert_eq!(registry.store.writes(), 0);
}

#[tokio::test]
async fn a_refused_release_writes_nothing_and_every_problem_is_told() {
    let registry = Registry::new().await;
    let writes = registry.store.writes();
    let other = Registry::with_key("another key").await;
    let release = Release { protocols: &["4.0"], ..Release::new("1.0.0") };
    let directory = other.write(&release);
    let Ending::Refused(refusal) = registry.publish_directory(&registry.store, directory.path()).await else {
        panic!("published")
    };
    let codes: Vec<_> = refusal.findings.iter().map(|finding| finding.check.slug).collect();
    assert_eq!(codes, ["signature-key", "protocol-accepted"]);
    assert_eq!(registry.store.writes(), writes);
}

#[tokio::test]
async fn a_dry_run_says_what_would_be_written_and_writes_nothing() {
    let registry = Registry::new().await;
    registry.publish(&Release::new("1.0.0")).await;
    let writes = registry.store.writes();
    let directory = registry.write(&Release { label: "newer", ..Release::new("1.1.0") });
    let rehearsal = Rehearsal::new(&registry.store, registry.now.parse().unwrap());
    let Ending::Published(rehearsed) = registry.publish_directory(&rehearsal, directory.path()).await else {
        panic!("refused")
    };
    assert_eq!(registry.store.writes(), writes);
    let Ending::Published(published) = registry.publish_directory(&registry.store, directory.path()).await else {
        panic!("refused")
    };
    assert_eq!(rehearsed.writes, published.writes);
}

#[tokio::test]
async fn a_blob_that_is_cut_short_is_written_again() {
    let registry = Registry::new().await;
    let directory = tempfile::tempdir().unwrap();
    let opened = registry.open_directory(directory.path()).await;
    let release = registry.write(&Release::new("1.0.0"));
    registry.publish_directory(&*opened.store, release.path()).await;
    let blobs = directory.path().join("r2/blob/sha256");
    let blob = std::fs::read_dir(&blobs).unwrap().next().unwrap().unwrap().path();
    let whole = std::fs::read(&blob).unwrap();
    std::fs::write(&blob, &whole[..10]).unwrap();
    registry.publish_directory(&*opened.store, release.path()).await;
    assert_eq!(std::fs::read(&blob).unwrap(), whole);
}
