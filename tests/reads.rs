//! What each answer costs: the reads of KV and R2 are counted, because the design promises how many there are.

#[path = "reads/oci.rs"]
mod oci;
#[path = "reads/removed.rs"]
mod removed;

use std::future::Future as _;
use std::task::{Context, Waker};
use std::time::Duration;

use futures_util::future::join_all;
use yuba::document::{Document, NamespaceDocument, ProviderDocument, RevocationPolicy, Visibility};
use yuba::keys::DocumentKey;
use yuba::serve::{Freshness, Storage as _};
use yuba_tests::content::{Content, Release, revocation};
use yuba_tests::exchange::{Ask, MemoryServer, Reply, Server};
use yuba_tests::memory::MemoryStorage;

/// The status of what a revoked key blocks.
const BLOCKED: u16 = 410;

const VERSIONS: &str = "GET /v1/providers/acme/dns/versions";
const DOWNLOAD: &str = "GET /v1/providers/acme/dns/1.1.0/download/linux/amd64";

/// A registry in a new isolate, and its storage.
fn isolate(content: &Content) -> (MemoryServer, MemoryStorage) {
    let storage = MemoryStorage::new(content);
    (MemoryServer::new(storage.clone(), Freshness::DEPLOYED), storage)
}

fn ask(server: &mut MemoryServer, text: &str) -> Reply {
    server.exchange(&Ask::new(text))
}

/// How often KV and R2 were read since the last call.
fn count(storage: &MemoryStorage) -> (usize, usize) {
    let (kv, r2) = storage.take_reads();
    (kv.len(), r2.len())
}

/// The path of the URL that `field` of a download holds.
fn path_of(download: &Reply, field: &str) -> String {
    let document: serde_json::Value = serde_json::from_slice(&download.body).unwrap();
    let url = document[field].as_str().unwrap();
    url.strip_prefix("https://registry.example").unwrap().to_owned()
}

fn versions_in(reply: &Reply) -> Vec<String> {
    let document: serde_json::Value = serde_json::from_slice(&reply.body).unwrap();
    let versions = document["versions"].as_array().unwrap().iter();
    versions.map(|version| version["version"].as_str().unwrap().to_owned()).collect()
}

fn provider_key() -> DocumentKey {
    DocumentKey::Provider("localhost/acme/dns".parse().unwrap())
}

fn namespace_key() -> DocumentKey {
    let address: yuba::address::ProviderAddress = "localhost/acme/dns".parse().unwrap();
    DocumentKey::Namespace(address.namespace_address().clone())
}

#[test]
fn a_cold_install_costs_three_reads_of_each_and_a_warm_one_the_archive() {
    let (mut server, storage) = isolate(&Content::sample());
    for (kv, r2) in [(3, 3), (0, 1)] {
        assert_eq!(ask(&mut server, "GET /.well-known/terraform.json").status, 200);
        assert_eq!(ask(&mut server, VERSIONS).status, 200);
        let download = ask(&mut server, DOWNLOAD);
        for field in ["shasums_url", "shasums_signature_url"] {
            assert_eq!(ask(&mut server, &format!("GET {}", path_of(&download, field))).status, 200);
        }
        let archive = path_of(&download, "download_url");
        // Terraform 1.11 asks for the head first.
        assert_eq!(ask(&mut server, &format!("HEAD {archive}")).status, 200);
        assert_eq!(ask(&mut server, &format!("GET {archive}")).status, 200);
        assert_eq!(count(&storage), (kv, r2));
    }
}

#[test]
fn the_mirror_costs_three_reads_of_each_when_cold_and_a_blocked_version_less() {
    for (namespace, kv, r2) in [("acme", 3, 2), ("retired", 3, 2), ("blocked", 2, 2), ("certified", 2, 2)] {
        let (mut server, storage) = isolate(&Content::sample());
        let version = ask(&mut server, &format!("GET /mirror/localhost/{namespace}/dns/1.1.0.json"));
        assert_eq!(version.status, 200);
        assert_eq!(count(&storage), (kv, r2), "{namespace}");
        ask(&mut server, &format!("GET /mirror/localhost/{namespace}/dns/1.1.0.json"));
        assert_eq!(count(&storage), (0, 0), "{namespace}");
    }
}

#[test]
fn an_answer_that_is_held_goes_with_the_key_that_it_speaks_of() {
    let (mut server, storage) = isolate(&Content::sample());
    let mirror = "GET /mirror/localhost/acme/dns/1.1.0.json";
    let archive = format!("GET {}", path_of(&ask(&mut server, DOWNLOAD), "download_url"));
    for path in [VERSIONS, mirror, &archive] {
        assert_eq!(ask(&mut server, path).status, 200, "{path}");
    }
    let blocked = revocation(RevocationPolicy::Block, false);
    let content = Content::sample().change_key("localhost/acme", |key| key.revoked = Some(blocked.clone()));
    storage.put(&namespace_key(), &content.documents[&namespace_key().to_string()].1);
    storage.pass(Duration::from_secs(6));
    let versions = ask(&mut server, VERSIONS);
    assert_eq!(versions_in(&versions).len(), 3, "nothing is unlisted");
    assert!(String::from_utf8(versions.body).unwrap().contains("laptop stolen"));
    assert_eq!(ask(&mut server, DOWNLOAD).status, BLOCKED);
    assert_eq!(ask(&mut server, &archive).status, BLOCKED);
    assert_eq!(ask(&mut server, mirror).body, br#"{"archives":{}}"#);
}

#[test]
fn a_revoked_key_that_the_copy_at_hand_lacks_is_asked_of_r2() {
    let (mut server, storage) = isolate(&Content::sample());
    let address: yuba::address::ProviderAddress = "localhost/acme/dns".parse().unwrap();
    let keyless = NamespaceDocument::new(address.namespace_address(), Visibility::Public);
    storage.put(&namespace_key(), &keyless.to_json().unwrap());
    assert_eq!(ask(&mut server, VERSIONS).status, 200);
    let blocked = revocation(RevocationPolicy::Block, false);
    let content = Content::sample().change_key("localhost/acme", |key| key.revoked = Some(blocked.clone()));
    storage.put_truth(&namespace_key(), &content.documents[&namespace_key().to_string()].1);
    storage.pass(Duration::from_millis(1_001));
    assert_eq!(ask(&mut server, DOWNLOAD).status, BLOCKED);
}

#[test]
fn discovery_announces_the_repositories_that_are_configured() {
    let (server, storage) = isolate(&Content::sample());
    let mut server = server.announcing("ghcr.io/acme/{namespace}-{type}");
    let discovery: serde_json::Value =
        serde_json::from_slice(&ask(&mut server, "GET /.well-known/terraform.json").body).unwrap();
    assert_eq!(discovery["oci-providers.v1"], "ghcr.io/acme/{namespace}-{type}");
    assert_eq!(count(&storage), (0, 0));
}

#[test]
fn what_the_grammar_refuses_costs_nothing() {
    let (mut server, storage) = isolate(&Content::sample());
    for path in [
        "/",
        "/v1/providers/Acme/dns/versions",
        "/v1/providers/a_b/dns/versions",
        "/mirror/localhost/Acme/dns/1.0.0.json",
    ] {
        assert_eq!(ask(&mut server, &format!("GET {path}")).status, 404, "{path}");
    }
    assert_eq!(ask(&mut server, "POST /v1/providers/acme/dns/versions").status, 405);
    assert_eq!(count(&storage), (0, 0));
}

#[test]
fn invented_names_cost_one_read_of_the_index_now_and_then() {
    let (mut server, storage) = isolate(&Content::sample());
    assert_eq!(ask(&mut server, "GET /v1/providers/acme/invented/versions").status, 404);
    let _ = storage.take_reads();
    for number in 0..1_000 {
        assert_eq!(ask(&mut server, &format!("GET /v1/providers/acme/invented-{number}/versions")).status, 404);
        assert_eq!(ask(&mut server, &format!("GET /mirror/host-{number}.example/acme/dns/index.json")).status, 404);
    }
    assert_eq!(count(&storage), (0, 0));
    storage.pass(Duration::from_secs(10));
    storage.pass(Duration::from_millis(1));
    assert_eq!(ask(&mut server, "GET /v1/providers/acme/invented-again/versions").status, 404);
    assert_eq!(storage.take_reads(), (vec![], vec!["index".to_owned()]));
}

#[test]
fn invented_names_at_once_are_judged_by_one_read() {
    let (server, storage) = isolate(&Content::sample());
    storage.run(server.answer(&Ask::new("GET /v1/providers/acme/invented/versions")));
    storage.pass(Duration::from_secs(11));
    storage.r2().latency.set(Duration::from_millis(50));
    let _ = storage.take_reads();
    let asks: Vec<Ask> =
        (0..100).map(|number| Ask::new(&format!("GET /v1/providers/acme/invented-{number}/versions"))).collect();
    let replies = storage.run(join_all(asks.iter().map(|ask| server.answer(ask))));
    assert!(replies.iter().all(|reply| reply.status == 404));
    assert_eq!(storage.take_reads(), (vec![], vec!["index".to_owned()]));
}

#[test]
fn a_new_provider_shows_once_the_index_names_it() {
    let (mut server, storage) = isolate(&Content::sample());
    assert_eq!(ask(&mut server, "GET /v1/providers/acme/tls/versions").status, 404);
    let published = Content::sample().release(&Release::new("localhost/acme/tls", "1.0.0"));
    for (key, bytes) in published.documents.values() {
        storage.put_truth(key, bytes);
    }
    storage.pass(Duration::from_secs(11));
    assert_eq!(ask(&mut server, "GET /v1/providers/acme/tls/versions").status, 200);
}

#[test]
fn without_an_index_documents_answer_for_themselves() {
    let (mut server, storage) = isolate(&Content::sample());
    storage.remove_truth(&DocumentKey::Index);
    assert_eq!(ask(&mut server, "GET /v1/providers/acme/invented/versions").status, 404);
    assert_eq!(ask(&mut server, VERSIONS).status, 200);
}

#[test]
fn r2_s_word_wins_over_kv_s() {
    let (mut server, storage) = isolate(&Content::sample());
    let newer = Content::sample().release(&Release::new("localhost/acme/dns", "3.0.0"));
    let newer: ProviderDocument = newer.get(&provider_key()).unwrap();
    storage.put_truth(&provider_key(), &newer.to_json().unwrap());
    assert_eq!(versions_in(&ask(&mut server, VERSIONS)).last().unwrap(), "3.0.0");

    let (mut server, storage) = isolate(&Content::sample());
    storage.remove_truth(&provider_key());
    assert_eq!(ask(&mut server, VERSIONS).status, 404, "absence is R2's word too");
}

#[test]
fn a_slow_r2_is_not_waited_for_and_replaces_kv_s_answer_behind() {
    let (mut server, storage) = isolate(&Content::sample());
    let newer = Content::sample().release(&Release::new("localhost/acme/dns", "3.0.0"));
    let newer: ProviderDocument = newer.get(&provider_key()).unwrap();
    storage.put_truth(&provider_key(), &newer.to_json().unwrap());
    storage.r2().latency.set(Duration::from_secs(1));
    assert_eq!(versions_in(&ask(&mut server, VERSIONS)).last().unwrap(), "2.0.0-rc.1+build.7", "KV's");
    let _ = storage.take_reads();
    assert_eq!(versions_in(&ask(&mut server, VERSIONS)).last().unwrap(), "3.0.0", "R2's, behind the first answer");
    assert_eq!(count(&storage), (0, 0));
}

#[test]
fn a_slow_r2_is_waited_for_where_kv_knows_nothing() {
    let (mut server, storage) = isolate(&Content::sample());
    storage.r2().latency.set(Duration::from_secs(1));
    storage.remove_copy(&provider_key());
    assert_eq!(ask(&mut server, VERSIONS).status, 200);
}

#[test]
fn a_kv_that_fails_or_lies_changes_nothing() {
    let expected = ask(&mut isolate(&Content::sample()).0, DOWNLOAD);
    assert_eq!(expected.status, 200);

    let (mut server, storage) = isolate(&Content::sample());
    storage.kv().fails.set(true);
    assert_eq!(ask(&mut server, DOWNLOAD), expected);

    for (key, _) in Content::sample().documents.values() {
        let (mut server, storage) = isolate(&Content::sample());
        storage.remove_copy(key);
        assert_eq!(ask(&mut server, DOWNLOAD), expected, "without {key}");
        for lie in [&b"{"[..], b"", br#"{"format":99}"#] {
            let (mut server, storage) = isolate(&Content::sample());
            storage.put_copy(key, lie);
            assert_eq!(ask(&mut server, DOWNLOAD), expected, "with another {key}");
        }
    }
}

#[test]
fn a_release_in_kv_that_is_not_the_listed_one_is_a_miss() {
    let (mut server, storage) = isolate(&Content::sample());
    let content = Content::sample();
    let releases = || content.documents.values().filter(|(key, _)| matches!(key, DocumentKey::Release(..)));
    let (_, other) = releases().next_back().unwrap();
    for (key, _) in releases() {
        storage.put_copy(key, other);
    }
    assert_eq!(ask(&mut server, DOWNLOAD), ask(&mut isolate(&content).0, DOWNLOAD));
}

#[test]
fn an_r2_that_fails_is_unavailable_not_absent() {
    let (mut server, storage) = isolate(&Content::sample());
    storage.r2().fails.set(true);
    assert_eq!(ask(&mut server, VERSIONS).status, 200, "KV has it");
    for path in ["/v1/providers/acme/invented/versions", "/v1/providers/acme/dns/9.9.9/download/linux/amd64"] {
        let reply = ask(&mut server, &format!("GET {path}"));
        assert_eq!(reply.status, 503, "{path}");
        assert_eq!(reply.header("retry-after"), Some("2"));
        let body = String::from_utf8(reply.body).unwrap();
        assert_eq!(body, r#"{"errors":["the registry's storage does not answer; try again shortly"]}"#);
    }
    let version = ask(&mut server, "GET /mirror/localhost/acme/dns/9.9.9.json");
    assert_eq!(version.status, 503, "no archives is what R2 says, not what its failure says");
    assert_eq!(ask(&mut server, "GET /healthz").status, 503);

    storage.r2().fails.set(false);
    storage.pass(Duration::from_millis(1_001));
    assert_eq!(ask(&mut server, "GET /v1/providers/acme/dns/9.9.9/download/linux/amd64").status, 404);
    assert_eq!(ask(&mut server, "GET /healthz").status, 200);
}

#[test]
fn a_kv_that_fails_is_not_healthy() {
    let (mut server, storage) = isolate(&Content::sample());
    storage.kv().fails.set(true);
    assert_eq!(ask(&mut server, "GET /healthz").status, 503);
}

#[test]
fn storage_that_fails_altogether_recovers() {
    let (mut server, storage) = isolate(&Content::sample());
    storage.r2().fails.set(true);
    storage.kv().fails.set(true);
    assert_eq!(ask(&mut server, VERSIONS).status, 503);
    assert_eq!(ask(&mut server, DOWNLOAD).status, 503);
    assert_eq!(ask(&mut server, "GET /.well-known/terraform.json").status, 200);
    storage.r2().fails.set(false);
    storage.kv().fails.set(false);
    storage.pass(Duration::from_millis(1_001));
    assert_eq!(ask(&mut server, DOWNLOAD).status, 200);
}

#[test]
fn what_the_copy_at_hand_lacks_is_asked_of_r2_before_it_is_refused() {
    let (mut server, storage) = isolate(&Content::sample());
    assert_eq!(ask(&mut server, VERSIONS).status, 200);
    let published = Content::sample().release(&Release::new("localhost/acme/dns", "3.0.0"));
    for (key, bytes) in published.documents.values() {
        storage.put_truth(key, bytes);
    }
    storage.pass(Duration::from_millis(1_001));
    let _ = storage.take_reads();
    assert_eq!(ask(&mut server, "GET /v1/providers/acme/dns/3.0.0/download/linux/amd64").status, 200);
    let (_, r2) = storage.take_reads();
    assert_eq!(r2[0], "provider/localhost/acme/dns");
}

#[test]
fn a_key_that_the_copy_at_hand_lacks_is_asked_of_r2() {
    let content = Content::sample();
    let (mut server, storage) = isolate(&content);
    let complete: NamespaceDocument = content.get(&namespace_key()).unwrap();
    let keyless = NamespaceDocument::new(
        "localhost/acme/dns".parse::<yuba::address::ProviderAddress>().unwrap().namespace_address(),
        Visibility::Public,
    );
    storage.put(&namespace_key(), &keyless.to_json().unwrap());
    assert_eq!(ask(&mut server, VERSIONS).status, 200);
    assert_eq!(ask(&mut server, DOWNLOAD).status, 404, "a release that nobody can verify");
    storage.put_truth(&namespace_key(), &complete.to_json().unwrap());
    storage.pass(Duration::from_millis(1_001));
    assert_eq!(ask(&mut server, DOWNLOAD).status, 200);
}

#[test]
fn missing_versions_are_asked_of_r2_once_for_all_who_ask_and_not_too_often() {
    let (server, storage) = isolate(&Content::sample());
    storage.run(server.answer(&Ask::new(VERSIONS)));
    storage.pass(Duration::from_millis(1_001));
    storage.r2().latency.set(Duration::from_millis(50));
    let _ = storage.take_reads();
    let missing = Ask::new("GET /v1/providers/acme/dns/9.9.9/download/linux/amd64");
    let replies = storage.run(join_all((0..100).map(|_| server.answer(&missing))));
    assert!(replies.iter().all(|reply| reply.status == 404));
    storage.run(server.answer(&missing));
    assert_eq!(storage.take_reads(), (vec![], vec!["provider/localhost/acme/dns".to_owned()]));
}

#[test]
fn documents_are_held_for_as_long_as_is_stated() {
    let (mut server, storage) = isolate(&Content::sample());
    assert_eq!(ask(&mut server, VERSIONS).status, 200);
    let _ = storage.take_reads();
    // R2 was asked 20 ms before its answer.
    storage.pass(Duration::from_millis(4_979));
    assert_eq!(ask(&mut server, VERSIONS).status, 200);
    assert_eq!(count(&storage), (0, 0));
    storage.pass(Duration::from_millis(1));
    assert_eq!(ask(&mut server, VERSIONS).status, 200);
    assert_eq!(count(&storage), (2, 2), "namespace and provider");
}

#[test]
fn an_archive_of_another_size_is_not_sent() {
    let (mut server, storage) = isolate(&Content::sample());
    let archive = path_of(&ask(&mut server, DOWNLOAD), "download_url");
    for key in Content::sample().archives.keys() {
        storage.alter_archive(*key, Some(b"short"));
    }
    assert_eq!(ask(&mut server, &format!("GET {archive}")).status, 503);
    for key in Content::sample().archives.keys() {
        storage.alter_archive(*key, None);
    }
    assert_eq!(ask(&mut server, &format!("GET {archive}")).status, 404, "R2's word");
}

#[test]
fn a_document_of_a_newer_format_is_not_misread() {
    let (mut server, storage) = isolate(&Content::sample());
    storage.put_truth(&provider_key(), br#"{"format":2,"versions":{}}"#);
    assert_eq!(ask(&mut server, VERSIONS).status, 503, "KV's older copy is not R2's word");
}

#[test]
fn a_failing_r2_is_asked_once_for_all_who_wait() {
    let missing = Ask::new("GET /v1/providers/acme/dns/9.9.9/download/linux/amd64");
    let (server, storage) = isolate(&Content::sample());
    storage.run(server.answer(&Ask::new(VERSIONS)));
    storage.pass(Duration::from_millis(1_001));
    let _ = storage.take_reads();
    storage.r2().latency.set(Duration::from_millis(200));
    storage.r2().fails.set(true);
    let before = storage.now();
    let replies = storage.run(join_all((0..100).map(|_| server.answer(&missing))));
    assert!(replies.iter().all(|reply| reply.status == 503));
    assert_eq!(storage.take_reads(), (vec![], vec!["provider/localhost/acme/dns".to_owned()]));
    assert!(storage.now() < before + Duration::from_millis(300), "nobody waited for a read of their own");
}

#[test]
fn a_cold_isolate_asks_r2_once_for_all() {
    let (server, storage) = isolate(&Content::sample());
    let ask = Ask::new(DOWNLOAD);
    let replies = storage.run(join_all((0..100).map(|_| server.answer(&ask))));
    assert!(replies.iter().all(|reply| reply.status == 200));
    assert_eq!(storage.take_reads().1.len(), 2, "namespace and provider");
}

#[test]
fn an_answer_that_was_overtaken_does_not_undo_a_later_one() {
    let (server, storage) = isolate(&Content::sample());
    storage.run(server.answer(&Ask::new(VERSIONS)));
    storage.pass(Duration::from_secs(6));
    storage.r2().latency.set(Duration::from_secs(3));
    assert_eq!(storage.run(server.answer(&Ask::new(VERSIONS))).status, 200, "KV's, while R2's is under way");

    let published = Content::sample().release(&Release::new("localhost/acme/dns", "3.0.0"));
    for (key, bytes) in published.documents.values() {
        storage.put_truth(key, bytes);
    }
    storage.r2().latency.set(Duration::from_millis(20));
    storage.pass(Duration::from_millis(2_001));
    let download = Ask::new("GET /v1/providers/acme/dns/3.0.0/download/linux/amd64");
    assert_eq!(storage.run(server.answer(&download)).status, 200);
    storage.run_deferred();
    assert_eq!(versions_in(&storage.run(server.answer(&Ask::new(VERSIONS)))).last().unwrap(), "3.0.0");
    assert_eq!(storage.run(server.answer(&download)).status, 200);
}

#[test]
fn a_client_that_leaves_takes_nobody_s_answer_with_it() {
    let (server, storage) = isolate(&Content::sample());
    let ask = Ask::new(VERSIONS);
    let mut left = Box::pin(server.answer(&ask));
    assert!(left.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    std::mem::forget(left);
    let before = storage.now();
    storage.run_deferred();
    assert_eq!(storage.run(server.answer(&ask)).status, 200);
    assert!(storage.now() < before + Duration::from_millis(100), "its read went on without it");
}

#[test]
fn what_r2_said_is_absent_kv_does_not_bring_back() {
    let (mut server, storage) = isolate(&Content::sample());
    storage.remove_truth(&provider_key());
    assert_eq!(ask(&mut server, VERSIONS).status, 404);
    storage.pass(Duration::from_millis(1_001));
    storage.remove_truth(&DocumentKey::Index);
    storage.r2().latency.set(Duration::from_millis(300));
    assert_eq!(ask(&mut server, VERSIONS).status, 404);
    storage.pass(Duration::from_millis(1_001));
    storage.r2().fails.set(true);
    assert_eq!(ask(&mut server, VERSIONS).status, 503);
}

#[test]
fn that_a_namespace_is_private_is_r2_s_to_say() {
    let private = Content::default().namespace("localhost/acme", Visibility::Private);
    let private = &private.documents[&namespace_key().to_string()].1;
    let (mut server, storage) = isolate(&Content::sample());
    storage.put_copy(&namespace_key(), private);
    storage.r2().fails.set(true);
    assert_eq!(ask(&mut server, VERSIONS).status, 503, "KV alone does not refuse");
    storage.r2().fails.set(false);
    storage.pass(Duration::from_millis(1_001));
    assert_eq!(ask(&mut server, VERSIONS).status, 200);
}

#[test]
fn a_namespace_that_became_private_shows_nothing_when_a_key_is_looked_for() {
    let (mut server, storage) = isolate(&Content::sample());
    let address: yuba::address::ProviderAddress = "localhost/acme/dns".parse().unwrap();
    let keyless = NamespaceDocument::new(address.namespace_address(), Visibility::Public);
    storage.put(&namespace_key(), &keyless.to_json().unwrap());
    assert_eq!(ask(&mut server, VERSIONS).status, 200);
    let private = Content::default().namespace("localhost/acme", Visibility::Private);
    storage.put_truth(&namespace_key(), &private.documents[&namespace_key().to_string()].1);
    storage.pass(Duration::from_millis(1_001));
    assert_eq!(ask(&mut server, DOWNLOAD).status, 404);
}

#[test]
fn an_old_index_that_names_a_provider_is_not_asked_again() {
    let (mut server, storage) = isolate(&Content::sample());
    assert_eq!(ask(&mut server, "GET /v1/providers/acme/invented/versions").status, 404);
    storage.pass(Duration::from_mins(1));
    let _ = storage.take_reads();
    assert_eq!(ask(&mut server, VERSIONS).status, 200);
    assert!(!storage.take_reads().1.contains(&"index".to_owned()));
}
