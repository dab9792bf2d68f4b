//! The Worker in workerd as `yuba verify` finds it from the outside, over TLS.
//!
//! Runs inside `scripts/dev --empty -- …`. What the transcripts seed beside it is no real release, so only providers that
//! are published here are named.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use yuba_tests::publisher::{Publisher, Release};

/// What `yuba verify` reports of `address`, and its exit status.
fn verify(registry: &Publisher, address: &str, state: &Path) -> (Value, Option<i32>) {
    let mut command = Command::new("yuba");
    command.args(["verify", registry.url(), address, "--format", "json", "--state"]).arg(state);
    let output = command.output().unwrap();
    let report = serde_json::from_slice(&output.stdout);
    let said = String::from_utf8_lossy(&output.stderr);
    (report.unwrap_or_else(|error| panic!("{error}: {said}")), output.status.code())
}

fn codes(report: &Value) -> Vec<&str> {
    report["findings"].as_array().unwrap().iter().map(|finding| finding["code"].as_str().unwrap()).collect()
}

#[test]
fn the_worker_is_sound_and_what_storage_lost_is_found() {
    let registry = match Publisher::find() {
        Ok(registry) => registry,
        Err(reason) => return eprintln!("skipped: {reason}"),
    };
    let directory = tempfile::tempdir().unwrap();
    let state = directory.path().join("state.jsonl");
    let first = registry.publish(&Release::new("outside", "1.0.0"));
    registry.publish(&Release::new("outside", "1.1.0-rc.1+build.7"));
    registry.publish(&Release::new("outside", "2.0.0").hostname("outside.example"));

    let host = registry.source("outside");
    for address in ["acme/outside", &host] {
        let (report, exit) = verify(&registry, address, &state);
        assert_eq!((report["status"].as_str(), exit), (Some("sound"), Some(0)), "{report:#}");
        assert_eq!(
            report["archives"]["verified"].as_u64().unwrap() + report["archives"]["verified_before"].as_u64().unwrap(),
            6
        );
        assert_eq!((&report["providers"][0]["mirrored"], &report["providers"][0]["oci"]), (&true.into(), &true.into()));
    }
    let (report, exit) = verify(&registry, "outside.example/acme/outside", &state);
    assert_eq!((report["status"].as_str(), exit), (Some("sound"), Some(0)), "{report:#}");
    assert_eq!((&report["archives"]["verified"], &report["providers"][0]["oci"]), (&3.into(), &true.into()));

    let mut damaged = first.archive("windows_386");
    damaged[100] ^= 1;
    registry.alter(first.digest("windows_386"), &damaged);
    let (report, exit) = verify(&registry, "acme/outside", &state);
    assert_eq!((report["archives"]["verified_before"].as_u64(), exit), (Some(6), Some(0)), "its head is as it was");
    let (report, exit) = verify(&registry, "acme/outside", &directory.path().join("another.jsonl"));
    assert_eq!((codes(&report), exit), (vec!["YR030"], Some(1)), "{report:#}");
    assert_eq!(report["archives"]["verified"], 5);
}
