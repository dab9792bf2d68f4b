//! Registries that answer late, badly or not at all, and runs that are stopped.

use std::collections::HashMap;

use yuba_companion::inspection::Ledger;
use yuba_companion::inspection::outcome::Standing;
use yuba_tests::double::{Act, Double};
use yuba_tests::exchange::Reply;

use crate::{MIRRORED, OWN, content, inspect_with, show, standings};

/// Every request fails the first time, each in one of four ways; nothing of it is wrong with the registry.
#[tokio::test(flavor = "multi_thread")]
async fn a_registry_that_is_unwell_for_a_moment_is_sound() {
    let double = Double::start(content(), |_| {
        let mut seen: HashMap<String, usize> = HashMap::new();
        Box::new(move |ask, reply| {
            let kinds = seen.len();
            let count = seen.entry(format!("{} {} {:?}", ask.method, ask.path, ask.header("range"))).or_insert(kinds);
            let kind = std::mem::replace(count, usize::MAX);
            match (kind, kind % 4) {
                (usize::MAX, _) => Act::Answer(reply),
                (_, 0) => Act::Answer(reply.with_status(503).with_header("retry-after", "0")),
                (_, 1) => Act::Answer(reply.with_status(429)),
                (_, 2) => Act::Cut(reply, 20),
                _ => Act::Answer(Reply { headers: Vec::new(), ..reply.with_status(500) }),
            }
        })
    });
    let inspection = inspect_with(&double, &[OWN], None).await;
    assert_eq!(show(&inspection), [""; 0]);
    assert!(standings(&inspection).iter().all(|standing| matches!(standing, Standing::Verified(_))));
}

/// Every answer is somewhere else, as behind a gateway; relative URLs are meant from there.
#[tokio::test(flavor = "multi_thread")]
async fn redirects_are_followed() {
    let double = Double::start(content(), |_| {
        Box::new(|ask, reply| {
            if ask.path.contains('?') {
                return Act::Answer(reply);
            }
            Act::Answer(reply.with_status(307).with_header("location", &format!("{}?moved", ask.path)))
        })
    });
    let inspection = inspect_with(&double, &[OWN, MIRRORED], None).await;
    assert_eq!(show(&inspection), [""; 0]);
    assert!(standings(&inspection).iter().all(|standing| matches!(standing, Standing::Verified(_))));
}

/// What stays unwell is not called wrong: nobody knows.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_answered_is_unchecked() {
    let double = Double::start(content(), |_| {
        Box::new(|ask, reply| {
            let unwell = ask.path.ends_with("1.0.0_linux_amd64.zip") || ask.path.ends_with("7_SHA256SUMS");
            Act::Answer(if unwell { reply.with_status(503).with_header("retry-after", "0") } else { reply })
        })
    });
    let inspection = inspect_with(&double, &[OWN], None).await;
    let shown = show(&inspection).join("\n").replace(double.url(), "[URL]");
    insta::assert_snapshot!(yuba_tests::digests::number_digests(&shown), @"
    unchecked 127.0.0.1/acme/dns 1.0.0 linux_amd64: `[URL]/releases/127.0.0.1/acme/dns/1.0.0/[1]/terraform-provider-dns_1.0.0_linux_amd64.zip` is answered with 503, 5 times in a row
    unchecked 127.0.0.1/acme/dns 2.0.0-rc.1+build.7: `[URL]/releases/127.0.0.1/acme/dns/2.0.0-rc.1+build.7/terraform-provider-dns_2.0.0-rc.1+build.7_SHA256SUMS` is answered with 503, 5 times in a row
    ");
    let asked = double.take_requests().iter().filter(|line| line.ends_with("7_SHA256SUMS")).count();
    assert_eq!(asked, 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_verified_is_not_downloaded_again() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("state.jsonl");
    let open = || Some(Ledger::open(&path).unwrap());
    let double = Double::sound(content());
    inspect_with(&double, &[OWN], open()).await;
    let _ = double.take_requests();

    let again = inspect_with(&double, &[OWN], open()).await;
    assert_eq!(show(&again), [""; 0]);
    assert!(standings(&again).iter().all(|standing| matches!(standing, Standing::VerifiedBefore(..))));
    let requests = double.take_requests();
    let archives: Vec<_> = requests.iter().filter(|line| line.contains(".zip")).collect();
    assert_eq!(archives.len(), 4);
    assert!(archives.iter().all(|line| line.starts_with("HEAD ")), "{archives:?}");
    assert!(requests.iter().any(|line| line.ends_with("SHA256SUMS.sig")), "documents are read again");

    let mut fresh = Ledger::open(&path).unwrap();
    fresh.clear().unwrap();
    let anew = inspect_with(&double, &[OWN], Some(fresh)).await;
    assert!(standings(&anew).iter().all(|standing| matches!(standing, Standing::Verified(_))));
}

/// What an earlier run found counts only while the registry says the same and still has the archive.
#[tokio::test(flavor = "multi_thread")]
async fn an_archive_that_is_gone_since_is_missed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("state.jsonl");
    let open = || Some(Ledger::open(&path).unwrap());
    let inside = Double::start(content(), |_| {
        let mut heads = 0;
        Box::new(move |ask, reply| {
            let archive = ask.path.ends_with("1.0.0_linux_amd64.zip");
            heads += usize::from(archive && ask.method == "HEAD");
            // The first HEAD belongs to the first run.
            Act::Answer(if archive && heads > 1 { reply.with_status(404) } else { reply })
        })
    });
    inspect_with(&inside, &[OWN], open()).await;
    let again = inspect_with(&inside, &[OWN], open()).await;
    let codes: Vec<_> = again.findings.iter().map(|finding| finding.check.slug).collect();
    assert_eq!(codes, ["archive-status"]);
}
