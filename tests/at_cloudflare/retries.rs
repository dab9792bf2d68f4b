//! What may pass is tried again, at one place and no other, and what an earlier try did is found out.

use std::sync::atomic::{AtomicUsize, Ordering};

use fastrand::Rng;
use insta::assert_snapshot;
use yuba::keys::DocumentKey;
use yuba_companion::store::cloudflare::CloudflareStore;
use yuba_companion::store::{Cause, Creation, ETag, Store, Swap};
use yuba_tests::cloudflare::{Cloudflare, Fault, KV_NAMESPACE};

use crate::{connect, started};

const KEY: DocumentKey = DocumentKey::Index;

/// What passes, however it comes.
const PASSING: [Fault; 8] = [
    Fault::Status(500),
    Fault::Status(502),
    Fault::Status(503),
    Fault::Status(429),
    Fault::Busy(1),
    Fault::CutBefore,
    Fault::CutAfter,
    Fault::StatusAfter(500),
];

/// The first `count` requests fail.
fn first(count: usize, fault: Fault) -> impl Fn(usize, &str) -> Fault + Send + Sync + 'static {
    move |number, _| if number < count { fault } else { Fault::None }
}

async fn swapped(store: &CloudflareStore, expected: Option<&ETag>, bytes: &[u8]) -> ETag {
    match store.swap(&KEY, expected, bytes).await.unwrap() {
        Swap::Swapped(etag) => etag,
        Swap::Conflict => panic!("{expected:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_passes_leaves_no_trace() {
    let Some(cloudflare) = started() else { return };
    let store = connect(cloudflare.access()).await;
    let mut held = None;
    for (number, fault) in PASSING.into_iter().enumerate() {
        let content = format!("{number}").into_bytes();
        cloudflare.r2.faults.set(first(2, fault));
        let etag = swapped(&store, held.as_ref(), &content).await;
        cloudflare.r2.faults.set(first(2, fault));
        let stored = store.read(&KEY).await.unwrap().unwrap();
        assert_eq!((&stored.bytes, &stored.etag), (&content, &etag), "{fault:?}");
        held = Some(etag);

        cloudflare.api.faults.set(first(2, fault));
        store.write_copy(&KEY, &content).await.unwrap();
        assert_eq!(cloudflare.api.namespace(KV_NAMESPACE)["index"], content);
        cloudflare.api.faults.set(first(2, fault));
        assert_eq!(store.read_copy(&KEY).await.unwrap().unwrap(), content);
        assert_eq!(cloudflare.api.faults.requests().len(), 3, "{fault:?}");
    }
}

/// A creation whose answer was lost is refused when it is tried again: by its own first try.
#[tokio::test(flavor = "multi_thread")]
async fn a_lost_answer_is_not_taken_for_another_publisher() {
    let Some(cloudflare) = started() else { return };
    let store = connect(cloudflare.access()).await;
    cloudflare.r2.faults.set(first(1, Fault::CutAfter));
    assert_eq!(store.create(&KEY, b"mine").await.unwrap(), Creation::Created);
    assert_snapshot!(cloudflare.r2.faults.requests().join("\n"), @r"
    PUT /yuba-archives/meta/index
    PUT /yuba-archives/meta/index
    GET /yuba-archives/meta/index
    ");
    // Told to come again later, nothing was done, and a conflict is one.
    cloudflare.r2.faults.set(first(1, Fault::Busy(0)));
    assert_eq!(store.create(&KEY, b"mine").await.unwrap(), Creation::Exists);
}

/// Between the lost answer and the next try that counts, somebody else swaps.
#[tokio::test(flavor = "multi_thread")]
async fn a_lost_answer_that_was_overtaken_is_a_conflict() {
    let Some(cloudflare) = started() else { return };
    let (store, other) = (connect(cloudflare.access()).await, connect(cloudflare.access()).await);
    let etag = swapped(&store, None, b"0").await;
    cloudflare.r2.faults.set(|number, _| match number {
        0 => Fault::StatusAfter(502),
        1 => Fault::Busy(3),
        _ => Fault::None,
    });
    let overtake = async {
        while cloudflare.r2.faults.requests().len() < 2 {
            tokio::task::yield_now().await;
        }
        let held = other.read(&KEY).await.unwrap().unwrap();
        assert_eq!(held.bytes, b"1");
        swapped(&other, Some(&held.etag), b"1 and 2").await
    };
    let (swap, newest) = tokio::join!(store.swap(&KEY, Some(&etag), b"1"), overtake);
    assert_eq!(swap.unwrap(), Swap::Conflict);
    assert_eq!(store.read(&KEY).await.unwrap().unwrap().etag, newest);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_asked_for_is_waited() {
    let Some(cloudflare) = started() else { return };
    let store = connect(cloudflare.access()).await;
    cloudflare.r2.faults.set(first(3, Fault::Busy(121)));
    // More than a request may wait in all is not even begun to be waited for.
    let error = store.read(&KEY).await.unwrap_err();
    assert!(!error.is_ambiguous(), "whoever asked must not begin again");
    let Cause::GaveUp { tries, .. } = &error.cause else { panic!("{error:?}") };
    assert_eq!(*tries, 1);
    assert_snapshot!(error.cause, @"gave up: this is tried for 120 seconds at most, and was 1 times");
    assert_snapshot!(std::error::Error::source(&error.cause).unwrap(), @"storage answered 429: TooManyRequests: Please reduce your request rate., and to come again in 121 seconds");
    assert_eq!(cloudflare.r2.faults.requests().len(), 1);
}

/// The verification of the token is a request like any other.
#[tokio::test(flavor = "multi_thread")]
async fn connecting_is_tried_again() {
    let Some(cloudflare) = started() else { return };
    for fault in [Fault::Status(503), Fault::CutBefore, Fault::Busy(0)] {
        cloudflare.api.faults.set(first(2, fault));
        CloudflareStore::connect(cloudflare.access(), Rng::new()).await.unwrap();
        assert_eq!(cloudflare.api.faults.requests().len(), 3);
    }
}

/// What a proxy's refusal leaves undone is not tried again: it would be refused again.
#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_pass_is_asked_once() {
    let Some(cloudflare) = started() else { return };
    let store = connect(cloudflare.access()).await;
    for status in [400, 401, 403, 405, 413] {
        let asked = AtomicUsize::new(0);
        cloudflare.r2.faults.set(move |_, _| {
            asked.fetch_add(1, Ordering::Relaxed);
            Fault::Status(status)
        });
        store.read(&KEY).await.unwrap_err();
        assert_eq!(cloudflare.r2.faults.requests().len(), 1, "{status}");
    }
}

fn bulk_requests(cloudflare: &Cloudflare) -> Vec<String> {
    cloudflare.api.faults.requests().iter().map(|request| request.replace(KV_NAMESPACE, "[KV]")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn many_copies_are_one_request_and_a_long_listing_is_whole() {
    let Some(cloudflare) = started() else { return };
    let store = connect(cloudflare.access()).await;
    let key = |number: usize| DocumentKey::Provider(format!("bulk.example/acme/p{number}").parse().unwrap());
    let copies: Vec<_> = (0..2500).map(|number| (key(number), number.to_string().into_bytes())).collect();
    cloudflare.api.faults.set(first(1, Fault::CutAfter));
    store.write_copies(&copies).await.unwrap();
    assert_eq!(bulk_requests(&cloudflare), vec![bulk_requests(&cloudflare)[0].clone(); 2]);
    cloudflare.api.faults.set(first(1, Fault::Status(500)));
    let mut names: Vec<_> = copies.iter().map(|(key, _)| key.to_string()).collect();
    names.sort();
    assert_eq!(store.copies().await.unwrap(), names);
    assert_eq!(cloudflare.api.faults.requests().len(), 1 + 3);
    assert_eq!(cloudflare.api.namespace(KV_NAMESPACE).len(), copies.len());
}
