//! What OCI distribution costs, and what it does where KV is behind R2.

use std::time::Duration;

use yuba::digest::Sha256Digest;
use yuba::document::{Document as _, OciContent, OciView, ProviderDocument, ReleaseDocument, Status, VersionEntry};
use yuba::keys::{BlobKey, DocumentKey};
use yuba::serve::Freshness;
use yuba_companion::oci_views::{Derived, derive};
use yuba_tests::content::Content;
use yuba_tests::exchange::MemoryServer;

use crate::{ask, count, isolate, provider_key};

const TAGS: &str = "GET /v2/acme/dns/tags/list";
const TAGGED: &str = "GET /v2/acme/dns/manifests/1.1.0";

/// The release that is pulled.
fn release(content: &Content) -> ReleaseDocument {
    let mut documents = content.documents.values();
    let (_, bytes) =
        documents.find(|(key, _)| key.to_string().starts_with("release/localhost/acme/dns/1.1.0/")).unwrap();
    ReleaseDocument::from_json(bytes).unwrap()
}

/// What OpenTofu asks for, one after another.
fn sequence(content: &Content) -> Vec<String> {
    let release = release(content);
    let package = &release.packages[&"linux_amd64".parse().unwrap()];
    let Derived { index, views } = derive(&release).unwrap();
    let zh = package.zh.to_string();
    let manifest = views.iter().find_map(|(key, view)| match (&view.content, key) {
        (OciContent::Manifest(text), DocumentKey::OciView(_, digest)) if text.contains(&zh) => Some(*digest),
        _ => None,
    });
    let path = |kind: &str, digest: Sha256Digest| format!("/v2/acme/dns/{kind}/sha256:{digest}");
    vec![
        "GET /v2/".to_owned(),
        TAGS.to_owned(),
        TAGGED.replace("GET", "HEAD"),
        format!("GET {}", path("manifests", index)),
        format!("GET {}", path("manifests", manifest.unwrap())),
        format!("GET {}", path("blobs", package.zh)),
    ]
}

fn install(server: &mut MemoryServer, sequence: &[String]) {
    for request in sequence {
        assert_eq!(ask(server, request).status, 200, "{request}");
    }
}

#[test]
fn a_cold_install_costs_the_policy_and_a_view_for_each_digest_and_a_warm_one_the_archive() {
    let content = Content::sample();
    let (mut server, storage) = isolate(&content);
    // Namespace and provider from both, three views from KV, the archive from R2.
    for (kv, r2) in [(5, 3), (0, 1)] {
        install(&mut server, &sequence(&content));
        assert_eq!(count(&storage), (kv, r2));
    }
}

#[test]
fn a_digest_costs_one_read_beyond_the_policy() {
    let content = Content::sample();
    let [_, _, _, index, manifest, blob] = sequence(&content).try_into().unwrap();
    for (request, kv, r2) in [(index, 3, 2), (manifest, 3, 2), (blob.replace("GET", "HEAD"), 3, 2)] {
        let (mut server, storage) = isolate(&content);
        assert_eq!(ask(&mut server, &request).status, 200, "{request}");
        assert_eq!(count(&storage), (kv, r2), "{request}");
    }
}

#[test]
fn a_digest_that_nobody_stored_is_asked_for_once_a_second_and_never_searched_for() {
    let (mut server, storage) = isolate(&Content::sample());
    ask(&mut server, TAGS);
    count(&storage);
    let invented = format!("GET /v2/acme/dns/blobs/sha256:{}", Sha256Digest::of(b"invented"));
    for reads in [(1, 1), (0, 0), (0, 0)] {
        assert_eq!(ask(&mut server, &invented).status, 404);
        assert_eq!(count(&storage), reads);
    }
}

#[test]
fn what_names_no_provider_costs_nothing() {
    let (mut server, storage) = isolate(&Content::sample());
    for path in [
        "/v2/",
        "/v2/_catalog",
        "/v2/dns/tags/list",
        "/v2/Acme/dns/tags/list",
        "/v2/acme/dns/manifests/latest",
        "/v2/acme/dns/blobs/sha256:abc",
        "/v2/acme/dns/tags/list?n=x",
    ] {
        assert_ne!(ask(&mut server, &format!("GET {path}")).status, 503, "{path}");
    }
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
        assert_eq!(ask(&mut server, &format!("{method} /v2/acme/dns/blobs/uploads/")).status, 405);
    }
    assert_eq!(count(&storage), (0, 0));
}

#[test]
fn views_that_kv_lost_come_from_r2() {
    let content = Content::sample();
    let (mut server, storage) = isolate(&content);
    for (key, _) in content.documents.values().filter(|(key, _)| matches!(key, DocumentKey::OciView(..))) {
        storage.remove_copy(key);
    }
    install(&mut server, &sequence(&content));
}

#[test]
fn a_copy_that_is_not_what_its_digest_names_is_not_served() {
    let content = Content::sample();
    let (mut server, storage) = isolate(&content);
    let index = derive(&release(&content)).unwrap().index;
    let key = DocumentKey::OciView("localhost/acme/dns".parse().unwrap(), index);
    let text = String::from_utf8(content.documents[&key.to_string()].1.clone()).unwrap();
    storage.put_copy(&key, text.replace("linux", "plan9").as_bytes());
    let reply = ask(&mut server, TAGGED);
    assert_eq!((reply.status, Sha256Digest::of(&reply.body)), (200, index));
}

/// The provider's copy is from before the version had an index, and R2 knows better.
#[test]
fn an_index_that_the_copy_at_hand_lacks_is_asked_of_r2() {
    let content = Content::sample();
    let (mut server, storage) = isolate(&content);
    let sound = content.get::<ProviderDocument>(&provider_key()).unwrap();
    let entry = sound.find(&"1.1.0".parse().unwrap()).unwrap();
    let without = sound.with(VersionEntry { oci_index: None, ..entry.clone() });
    storage.put(&provider_key(), &without.to_json().unwrap());
    let reply = ask(&mut server, TAGGED);
    assert_eq!(reply.status, 404);
    assert!(String::from_utf8(reply.body).unwrap().contains("has no OCI index yet"));
    storage.put_truth(&provider_key(), &without.with(entry.clone()).to_json().unwrap());
    storage.pass(Duration::from_millis(1_001));
    assert_eq!(ask(&mut server, TAGGED).status, 200);
}

/// Another release has the same archive, and KV's copy of the view is from before it was listed.
#[test]
fn a_release_that_the_copy_of_a_view_lacks_is_asked_of_r2() {
    let content = Content::sample();
    let (mut server, storage) = isolate(&content);
    let zh = release(&content).packages[&"linux_amd64".parse().unwrap()].zh;
    let key = DocumentKey::OciView("localhost/acme/dns".parse().unwrap(), zh);
    let unlisted = ("9.9.9".parse().unwrap(), Sha256Digest::of(b"unlisted"));
    let older = OciView::new(unlisted, OciContent::Layer { size: content.archives[&BlobKey(zh)].len() as u64 });
    storage.put_copy(&key, &older.to_json().unwrap());
    let blob = format!("GET /v2/acme/dns/blobs/sha256:{zh}");
    assert_eq!(ask(&mut server, &blob).status, 200);
    // By R2's word too, what belongs to no listed release is not there.
    storage.put_truth(&key, &older.to_json().unwrap());
    let mut later = MemoryServer::new(storage, Freshness::DEPLOYED);
    assert_eq!(ask(&mut later, &blob).status, 404);
}

/// The provider is at hand from before the version was removed, and its index is gone.
#[test]
fn a_tag_of_a_version_that_was_removed_a_moment_ago_is_not_there() {
    let content = Content::sample();
    let (mut server, storage) = isolate(&content);
    assert_eq!(ask(&mut server, TAGS).status, 200);
    let listed = content.get::<ProviderDocument>(&provider_key()).unwrap();
    let entry = listed.find(&"1.1.0".parse().unwrap()).unwrap();
    let status = Status::Removed { reason: "court order 7".to_owned(), at: "2026-01-02T03:04:05Z".to_owned() };
    let tombstone = listed.with(VersionEntry { status, ..entry.clone() });
    storage.put(&provider_key(), &tombstone.to_json().unwrap());
    for (key, _) in content.documents.values().filter(|(key, _)| matches!(key, DocumentKey::OciView(..))) {
        storage.remove_copy(key);
        storage.remove_truth(key);
    }
    storage.pass(Duration::from_millis(1_001));
    assert_eq!(ask(&mut server, TAGGED).status, 404);
}

/// Somebody asked for the index before it was stored: that there was none is no answer once the version is listed.
#[test]
fn an_index_that_was_asked_for_too_early_is_served_once_its_version_is_listed() {
    let content = Content::sample();
    let (mut server, storage) = isolate(&content);
    let index = derive(&release(&content)).unwrap().index;
    let key = DocumentKey::OciView("localhost/acme/dns".parse().unwrap(), index);
    storage.remove_copy(&key);
    storage.remove_truth(&key);
    let by_digest = format!("GET /v2/acme/dns/manifests/sha256:{index}");
    assert_eq!(ask(&mut server, &by_digest).status, 404);
    storage.put_truth(&key, &content.documents[&key.to_string()].1);
    storage.pass(Duration::from_millis(10));
    assert_eq!(ask(&mut server, TAGGED).status, 200);
}
