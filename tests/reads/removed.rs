//! A version that was removed while a Worker and KV still know it as listed.

use std::time::Duration;

use yuba::document::{Document as _, ProviderDocument, Status, VersionEntry};
use yuba::keys::DocumentKey;
use yuba_tests::content::{Content, Release};
use yuba_tests::exchange::{MemoryServer, Reply};
use yuba_tests::memory::MemoryStorage;

use crate::{DOWNLOAD, VERSIONS, ask, isolate, path_of, provider_key, versions_in};

const VERSION: &str = "1.1.0";

/// The provider document in which these versions are removed.
fn without(versions: &[&str]) -> Vec<u8> {
    let listed: ProviderDocument = Content::sample().get(&provider_key()).unwrap();
    let removed = Status::Removed { reason: "court order 7".to_owned(), at: "2026-01-02T03:04:05Z".to_owned() };
    let remove = |document: ProviderDocument, version: &&str| {
        let entry = document.find(&version.parse().unwrap()).unwrap().clone();
        document.with(VersionEntry { status: removed.clone(), ..entry })
    };
    versions.iter().fold(listed, remove).to_json().unwrap()
}

/// What a client that knows all URLs of the version asks for.
fn routes(server: &mut MemoryServer) -> Vec<String> {
    let download = ask(server, DOWNLOAD);
    let urls = ["download_url", "shasums_url", "shasums_signature_url"];
    let get = |url| format!("GET {}", path_of(&download, url));
    urls.map(get).into_iter().chain([DOWNLOAD.to_owned()]).collect()
}

fn statuses(server: &mut MemoryServer, routes: &[String]) -> Vec<u16> {
    routes.iter().map(|route| ask(server, route).status).collect()
}

fn is_listed(versions: &Reply) -> bool {
    versions_in(versions).contains(&VERSION.to_owned())
}

/// Takes the version out of R2 as a removal does, while KV keeps all that it had.
fn remove(storage: &MemoryStorage) {
    storage.put_truth(&provider_key(), &without(&[VERSION]));
}

#[test]
fn a_removed_version_is_served_no_longer_than_a_document_is_held() {
    let (mut server, storage) = isolate(&Content::sample());
    assert!(is_listed(&ask(&mut server, VERSIONS)));
    let routes = routes(&mut server);
    remove(&storage);
    storage.pass(Duration::from_secs(4));
    assert_eq!(statuses(&mut server, &routes), [200; 4], "as stated: what is held for five seconds is not asked for");
    storage.pass(Duration::from_secs(1));
    assert_eq!(statuses(&mut server, &routes), [404; 4]);
    assert!(!is_listed(&ask(&mut server, VERSIONS)));
    assert_eq!(ask(&mut server, "GET /mirror/localhost/acme/dns/1.1.0.json").body, b"{\"archives\":{}}");
    assert_eq!(ask(&mut server, "GET /v1/providers/acme/dns/1.0.0/download/linux/amd64").status, 200, "others stay");
}

#[test]
fn a_new_isolate_takes_r2_s_word_for_a_removed_version() {
    let (mut server, _) = isolate(&Content::sample());
    let routes = routes(&mut server);
    for route in &routes {
        let (mut server, storage) = isolate(&Content::sample());
        remove(&storage);
        assert_eq!(ask(&mut server, route).status, 404, "{route}");
    }
}

/// KV may list it for a minute or more, and R2 may be slow: one request is told so, and R2's word replaces it behind.
#[test]
fn a_slow_r2_lets_a_removed_version_pass_once() {
    let (mut server, storage) = isolate(&Content::sample());
    let routes = routes(&mut server);
    remove(&storage);
    storage.pass(Duration::from_secs(5));
    storage.r2().latency.set(Duration::from_secs(1));
    assert!(is_listed(&ask(&mut server, VERSIONS)));
    assert!(!is_listed(&ask(&mut server, VERSIONS)));
    assert_eq!(statuses(&mut server, &routes), [404; 4]);
    storage.pass(Duration::from_mins(1));
    assert!(!is_listed(&ask(&mut server, VERSIONS)), "what R2 said is newer than KV's copy, however slow it is");
}

/// A removal deletes documents last, and some isolates have not read them: they ask R2 again before they say 503.
#[test]
fn a_document_that_was_deleted_is_not_there_rather_than_unavailable() {
    let (mut server, storage) = isolate(&Content::sample());
    assert!(is_listed(&ask(&mut server, VERSIONS)));
    remove(&storage);
    for (key, _) in Content::sample().documents.values() {
        if matches!(key, DocumentKey::Release(release, _) if release.version.to_string() == VERSION) {
            storage.remove_truth(key);
            storage.remove_copy(key);
        }
    }
    storage.pass(Duration::from_secs(2));
    assert_eq!(ask(&mut server, DOWNLOAD).status, 404);
}

#[test]
fn a_listed_document_that_is_lost_is_unavailable() {
    let (mut server, storage) = isolate(&Content::sample());
    for (key, _) in Content::sample().documents.values() {
        if matches!(key, DocumentKey::Release(..)) {
            storage.remove_truth(key);
            storage.remove_copy(key);
        }
    }
    assert_eq!(ask(&mut server, DOWNLOAD).status, 503);
}

#[test]
fn a_provider_whose_versions_were_all_removed_shows_a_new_one() {
    let all = without(&["1.0.0", "1.1.0", "2.0.0-rc.1+build.7"]);
    let (mut server, storage) = isolate(&Content::sample());
    storage.put(&provider_key(), &all);
    assert_eq!(ask(&mut server, VERSIONS).status, 404);
    let newer = Content::sample().release(&Release::new("localhost/acme/dns", "3.0.0"));
    let newer: ProviderDocument = newer.get(&provider_key()).unwrap();
    storage.put_truth(&provider_key(), &newer.to_json().unwrap());
    storage.pass(Duration::from_secs(2));
    assert_eq!(versions_in(&ask(&mut server, VERSIONS)).last().unwrap(), "3.0.0", "R2 is asked before it is refused");
}
