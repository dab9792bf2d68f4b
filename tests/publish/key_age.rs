//! A key that expires, or is given up, between two tries: what was judged once is not judged again.

use std::io;
use std::path::Path;

use yuba::document::RevocationPolicy;
use yuba_companion::publish::Ending;
use yuba_companion::store::faults::{Fault, Faults};
use yuba_companion::store::{Attempt, Cause};

use crate::scene::{EXPIRED, GivenUp, Registry, Release};

fn slugs(ending: &Ending) -> Vec<&'static str> {
    match ending {
        Ending::Refused(refusal) => refusal.findings.iter().map(|finding| finding.check.slug).collect(),
        Ending::Published(_) => Vec::new(),
    }
}

#[tokio::test]
async fn a_release_that_was_never_stored_is_refused() {
    let registry = Registry::with_expiring_key().await;
    let late = Registry { now: EXPIRED, ..registry };
    assert_eq!(slugs(&late.publish(&Release::new("1.0.0")).await), ["key-expired"]);
}

#[tokio::test]
async fn a_release_that_was_stored_but_not_listed_is_completed() {
    let registry = Registry::with_expiring_key().await;
    let directory = registry.write(&Release::new("1.0.0"));
    killed_before_listing(&registry, directory.path()).await;
    let late = Registry { now: EXPIRED, ..registry };
    assert!(matches!(late.publish_directory(&late.store, directory.path()).await, Ending::Published(_)));
    assert_eq!(late.versions(), ["1.0.0"]);
}

#[tokio::test]
async fn a_listed_release_is_unchanged_and_a_new_one_refused() {
    let registry = Registry::with_expiring_key().await;
    registry.publish(&Release::new("1.0.0")).await;
    let late = Registry { now: EXPIRED, ..registry };
    let ending = late.publish(&Release::new("1.0.0")).await;
    assert!(matches!(ending, Ending::Published(publication) if publication.listed_before));
    assert_eq!(slugs(&late.publish(&Release::new("1.1.0")).await), ["key-expired"]);
    assert_eq!(slugs(&late.publish(&Release { label: "other", ..Release::new("1.0.0") }).await), ["key-expired"]);
}

/// A store in which nothing is listed: the publish is killed between its archives and the index.
async fn killed_before_listing(registry: &Registry, directory: &Path) {
    let fatal = Faults::new(&registry.store, |_, operation| match operation.attempt {
        Attempt::Write if operation.key == "meta/index" => Fault::Before(Cause::File(io::Error::other("killed"))),
        _ => Fault::None,
    });
    registry.try_publish(&fatal, directory).await.unwrap_err();
    assert_eq!(registry.versions(), [""; 0]);
}

#[tokio::test]
async fn what_a_key_signed_before_it_was_given_up_is_completed_unless_it_is_blocked() {
    let given_up = [
        (GivenUp::Retired, "key-retired", true),
        (GivenUp::Revoked(RevocationPolicy::Warn), "key-revoked", true),
        (GivenUp::Revoked(RevocationPolicy::Block), "key-revoked", false),
    ];
    for (given_up, row, completes) in given_up {
        let registry = Registry::new().await;
        registry.publish(&Release::new("0.9.0")).await;
        let directory = registry.write(&Release::new("1.0.0"));
        let unlisted = Registry::new().await;
        killed_before_listing(&unlisted, directory.path()).await;
        for registry in [&registry, &unlisted] {
            registry.give_up(given_up).await;
            assert_eq!(slugs(&registry.publish(&Release::new("2.0.0")).await), [row], "{given_up:?}");
        }
        let listed = registry.publish(&Release::new("0.9.0")).await;
        let completed = unlisted.publish_directory(&unlisted.store, directory.path()).await;
        for ending in [&listed, &completed] {
            assert_eq!(matches!(ending, Ending::Published(_)), completes, "{given_up:?}");
            assert_eq!(slugs(ending), if completes { &[][..] } else { &["key-revoked"] });
        }
        assert_eq!(unlisted.versions(), if completes { &["1.0.0"][..] } else { &[] });
    }
}

#[tokio::test]
async fn a_key_that_is_back_in_use_signs_again() {
    let registry = Registry::new().await;
    registry.give_up(GivenUp::Retired).await;
    assert_eq!(slugs(&registry.publish(&Release::new("1.0.0")).await), ["key-retired"]);
    registry.register(&registry.store).await;
    assert_eq!(slugs(&registry.publish(&Release::new("1.0.0")).await), ["key-retired"], "registering undoes nothing");
    registry.give_up(GivenUp::Undone).await;
    assert!(matches!(registry.publish(&Release::new("1.0.0")).await, Ending::Published(_)));
}

#[tokio::test]
async fn a_revocation_that_was_killed_anywhere_is_completed_by_the_same_command() {
    let block = GivenUp::Revoked(RevocationPolicy::Block);
    let whole = Registry::new().await;
    let recorder = Faults::new(&whole.store, |_, _| Fault::None);
    whole.try_give_up(&recorder, block).await.unwrap();
    let count = recorder.operations().len();
    assert!(count > 3, "{count}");
    for number in 0..count {
        for done in [false, true] {
            let registry = Registry::new().await;
            let fatal = Faults::new(&registry.store, |now, _| match (now == number, done) {
                (false, _) => Fault::None,
                (true, false) => Fault::Before(Cause::File(io::Error::other("killed"))),
                (true, true) => Fault::After(Cause::File(io::Error::other("killed"))),
            });
            let _ = registry.try_give_up(&fatal, block).await;
            registry.give_up(block).await;
            assert_eq!(registry.store.r2(), whole.store.r2(), "{number} {done}");
            assert_eq!(registry.store.kv(), whole.store.kv(), "{number} {done}");
        }
    }
}
