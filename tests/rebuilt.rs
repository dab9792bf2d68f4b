//! A KV that was lost is rebuilt from R2 alone, and clients get the same answers, to the byte.

use std::path::PathBuf;
use std::time::Duration;

use yuba_companion::state::State;
use yuba_companion::store::memory::MemoryStore;
use yuba_companion::sync::sync;
use yuba_companion::target::Opened;
use yuba_tests::content::{Content, Release};
use yuba_tests::exchange::{Ask, MemoryServer, Reply, Server};
use yuba_tests::memory::MemoryStorage;
use yuba_tests::workerd::Workerd;

use yuba::document::Visibility;
use yuba::serve::Freshness;

/// What clients ask for; no other test asks for anything in this namespace, so no server remembers an answer.
const ASKS: [&str; 11] = [
    "GET /v1/providers/rebuilt/dns/versions",
    "GET /v1/providers/rebuilt/dns/1.0.0/download/linux/amd64",
    "GET /v1/providers/rebuilt/dns/1.1.0/download/darwin/arm64",
    "GET /v1/providers/rebuilt/dns/9.9.9/download/linux/amd64",
    "GET /v1/providers/rebuilt/nothing/versions",
    "GET /v1/providers/hidden/dns/versions",
    "GET /mirror/localhost/rebuilt/dns/index.json",
    "GET /mirror/localhost/rebuilt/dns/1.1.0.json",
    "GET /mirror/rebuilt.example/acme/dns/3.0.0.json",
    "GET /releases/localhost/rebuilt/dns/1.0.0/terraform-provider-dns_1.0.0_SHA256SUMS",
    "GET /releases/localhost/rebuilt/dns/1.0.0/terraform-provider-dns_1.0.0_SHA256SUMS.sig",
];

fn content() -> Content {
    let dns = "localhost/rebuilt/dns";
    Content::default()
        .namespace("localhost/rebuilt", Visibility::Public)
        .namespace("localhost/hidden", Visibility::Private)
        .namespace("rebuilt.example/acme", Visibility::Public)
        .release(&Release::new(dns, "1.0.0"))
        .release(&Release::new(dns, "1.1.0").platforms(&["darwin_arm64", "linux_amd64"]))
        .release(&Release::new("localhost/hidden/dns", "1.0.0"))
        .release(&Release::new("rebuilt.example/acme/dns", "3.0.0"))
}

fn replies(server: &mut dyn Server) -> Vec<Reply> {
    ASKS.iter().map(|ask| server.exchange(&Ask::new(ask))).collect()
}

/// The part of a reply that is the registry's own.
fn own(replies: Vec<Reply>) -> Vec<(u16, Option<String>, Vec<u8>)> {
    replies.into_iter().map(|reply| (reply.status, reply.header("etag").map(str::to_owned), reply.body)).collect()
}

fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(work)
}

/// What a registry answers whose KV was filled by publishing.
fn before() -> Vec<(u16, Option<String>, Vec<u8>)> {
    let storage = MemoryStorage::new(&content());
    own(replies(&mut MemoryServer::new(storage, Freshness::DEPLOYED)))
}

/// A server over what a sync made of KV. R2 is too slow for it, so that it takes KV's word wherever it may.
#[test]
fn a_registry_in_memory_answers_as_before() {
    let content = content();
    let store = MemoryStore::default();
    for (key, bytes) in content.documents.values() {
        store.damage(&key.object(), bytes);
    }
    let synced = run(sync(&store, fastrand::Rng::with_seed(7))).unwrap();
    assert_eq!(synced.served, content.documents.len());
    let kv = store.kv();
    let storage = MemoryStorage::new(&content);
    for (name, (key, bytes)) in &content.documents {
        assert_eq!(kv.get(name), Some(bytes));
        storage.remove_copy(key);
        storage.put_copy(key, &kv[name]);
    }
    storage.r2().latency.set(Duration::from_secs(10));
    let answers = own(replies(&mut MemoryServer::new(storage.clone(), Freshness::DEPLOYED)));
    assert_eq!(answers, before());
    assert_eq!(answers.iter().filter(|(status, ..)| *status == 200).count(), 8);
}

/// The Worker over a KV that had none of these documents, and a KV that was damaged on purpose.
#[test]
fn the_worker_answers_as_before() {
    let mut workerd = match Workerd::find() {
        Ok(workerd) => workerd,
        Err(reason) => {
            println!("skipped: workerd: {reason}");
            return;
        }
    };
    let content = content();
    for (key, bytes) in content.documents.values().filter(|(key, _)| key.to_string() != "index") {
        workerd.put(&format!("r2/{}", key.object()), bytes);
    }
    workerd.put("kv/provider/localhost/rebuilt/dns", b"damaged");
    workerd.put("kv/stray", b"stray");
    let state = State::new(PathBuf::from(std::env::var_os("YUBA_STATE").unwrap()));
    run(async {
        let opened = Opened::local(&state, None).await.unwrap();
        let synced = sync(&*opened.store, fastrand::Rng::with_seed(7)).await.unwrap();
        assert!(synced.differences.contains_key("stray"));
        for (key, bytes) in content.documents.values().filter(|(key, _)| key.to_string() != "index") {
            assert_eq!(opened.store.read_copy(key).await.unwrap().as_ref(), Some(bytes), "{key}");
        }
        assert!(!opened.store.copies().await.unwrap().contains(&"stray".to_owned()));
        opened.close().await;
    });
    assert_eq!(own(replies(&mut workerd)), before());
}
