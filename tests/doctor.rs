//! `yuba doctor` beside the real Worker, as `scripts/dev` serves it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::process::Command;

use yuba_tests::publisher::{Publisher, Release};

/// What the `yuba` on the PATH finds, with the port as `PORT`.
fn examined(publisher: &Publisher) -> (Option<i32>, String) {
    let output = Command::new("yuba").arg("doctor").output().unwrap();
    let port = publisher.url().rsplit(':').next().unwrap();
    let said = String::from_utf8(output.stdout).unwrap().replace(port, "PORT");
    (output.status.code(), said)
}

/// Which namespaces there are depends on the tests that ran before.
fn without_namespaces(said: &str) -> String {
    let varies = |line: &&str| line.contains(" keys  ") || line.contains("hint: ") || line.ends_with("is listed");
    said.lines().filter(|line| !varies(line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_workers_own_registry_is_well() {
    let publisher = match Publisher::find() {
        Ok(publisher) => publisher,
        Err(reason) => {
            eprintln!("skipped: {reason}");
            return;
        }
    };
    publisher.publish(&Release::new("doctor", "1.0.0").namespace("doctor"));
    let (status, said) = examined(&publisher);
    assert_eq!(status, Some(0), "{said}");
    insta::assert_snapshot!(without_namespaces(&said), @r"
    ok       r2             can be read and written
    ok       kv             can be read and written
    ok       https          localhost:PORT answers with a valid certificate
    ok       discovery      clients find the provider registry at https://localhost:PORT/v1/providers/
    ok       discovery      announces OCI repositories as localhost:PORT/{namespace}/{type}
    ok       health         the Worker reaches KV and R2
    ok       providers      the Worker answers for localhost
    skipped  clock          no server told its time

    no problems, no warnings
    ");
    assert!(said.contains("ok       providers      localhost/"), "{said}");
    assert!(said.contains("ok       keys           namespace `doctor` has 1 key, good for ever"), "{said}");
}
