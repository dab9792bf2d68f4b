//! Sixteen publishers at once, twenty times: on this machine's storage, and on storage that behaves as Cloudflare's does,
//! one write per second and key included. No version is ever lost.

use std::io::Write as _;
use std::path::Path;

use fastrand::Rng;
use futures::future::join_all;
use futures::{StreamExt as _, stream};
use yuba_companion::project::Project;
use yuba_companion::state::State;
use yuba_companion::store::Store;
use yuba_companion::store::cloudflare::CloudflareStore;
use yuba_companion::target::Opened;
use yuba_tests::cloudflare::Cloudflare;

use crate::crowd::{PUBLISHERS, assert_all_listed, publish_at_once, releases};
use crate::scene::Registry;

const ROUNDS: usize = 20;

/// How many local rounds run at once, each with a storage worker of its own.
const LOCAL_ROUNDS_AT_ONCE: usize = 4;

/// Says it also where the test runner keeps what passing tests print to itself.
fn say(where_: &str, listed: &[usize], more: &str) {
    let (rounds, total) = (listed.len(), listed.iter().sum::<usize>());
    assert_eq!((rounds, total), (ROUNDS, ROUNDS * PUBLISHERS));
    let _ = writeln!(
        std::io::stderr(),
        "{where_}: {rounds} rounds of {PUBLISHERS} publishers, {total} versions listed in R2 and in KV, none lost{more}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn local_storage_loses_no_version() {
    let project = Project::find(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    if !project.root().join("node_modules/miniflare").exists() {
        println!("skipped: node_modules is missing: run `scripts/setup`");
        return;
    }
    let registry = Registry::new().await;
    let releases = releases(&registry);
    let round = async || {
        let directory = tempfile::tempdir().unwrap();
        let opened = Opened::local(&State::new(directory.path().to_owned()), Some(&project)).await.unwrap();
        registry.register(&*opened.store).await;
        publish_at_once(&registry, &releases, &[&*opened.store; PUBLISHERS]).await;
        let listed = assert_all_listed(&*opened.store).await;
        opened.close().await;
        listed
    };
    let rounds = stream::iter(0..ROUNDS).map(|_| round()).buffer_unordered(LOCAL_ROUNDS_AT_ONCE);
    say("local", &rounds.collect::<Vec<_>>().await, "");
}

/// Each round has a bucket and a KV namespace of its own, and each publisher connects by itself.
#[tokio::test(flavor = "multi_thread")]
async fn cloudflare_loses_no_version() {
    let cloudflare = match Cloudflare::throttled() {
        Ok(cloudflare) => cloudflare,
        Err(reason) => return println!("skipped: {reason}"),
    };
    let registry = Registry::new().await;
    let releases = releases(&registry);
    let rounds = (0..ROUNDS).map(async |round| {
        let (bucket, namespace) = (format!("round-{round:02}"), format!("{round:032x}"));
        cloudflare.make_bucket(&bucket);
        cloudflare.api.make_namespace(&namespace);
        let access = cloudflare.access_to(&bucket, &namespace);
        let connects = (0..PUBLISHERS).map(|_| CloudflareStore::connect(access.clone(), Rng::new()));
        let stores: Vec<_> = join_all(connects).await.into_iter().map(Result::unwrap).collect();
        registry.register(&stores[0]).await;
        let publishers: Vec<_> = stores.iter().map(|store| store as &dyn Store).collect();
        publish_at_once(&registry, &releases, &publishers).await;
        assert_all_listed(&stores[0]).await
    });
    let listed = join_all(rounds).await;
    let asked = cloudflare.r2.faults.requests().len() + cloudflare.api.faults.requests().len();
    let put_off = cloudflare.put_off();
    assert!(put_off > ROUNDS, "the throttle works");
    say("cloudflare", &listed, &format!(", {asked} requests, of which {put_off} were put off with 429"));
}
