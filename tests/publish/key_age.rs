//! A key that expires between two tries: what was judged once is not judged again.

use std::io;

use yuba_companion::publish::Ending;
use yuba_companion::store::faults::{Fault, Faults};
use yuba_companion::store::{Attempt, Cause};

use crate::scene::{EXPIRED, Registry, Release};

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
    let fatal = Faults::new(&registry.store, |_, operation| match operation.attempt {
        Attempt::Write if operation.key == "meta/index" => Fault::Before(Cause::File(io::Error::other("killed"))),
        _ => Fault::None,
    });
    registry.try_publish(&fatal, directory.path()).await.unwrap_err();
    assert_eq!(registry.versions(), [""; 0]);
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
