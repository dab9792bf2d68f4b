//! What decides a verdict beside the defects: the origin, the age of what was published already, where the manifest is.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Mutex;

use jiff::SignedDuration;
use pgp::packet::RevocationCode;
use yuba::document::RevocationPolicy;
use yuba_companion::verify::{KeyAge, Origin, Progress, Severity, Silent, Terms, verify};
use yuba_tests::releases::defects::{self, GivenUp, PLATFORMS, Scene};
use yuba_tests::releases::{KeySpec, ManifestPlace, Release, manifest};

use super::{judge, show};

/// The slugs of the rows that a scene is found wrong by.
fn rows(scene: &Scene, origin: Origin, key_age: KeyAge) -> Vec<&'static str> {
    let directory = tempfile::tempdir().unwrap();
    let verdict = judge(scene, &directory.path().join("dist"), origin, key_age);
    verdict.findings.iter().map(|finding| finding.check.slug).collect()
}

#[test]
fn all_that_is_wrong_is_reported_at_once() {
    let mut scene = Scene::new();
    scene.namespace = "acme_labs".to_owned();
    scene.keys.clear();
    scene.release.manifest = manifest(&["4.0"]);
    scene.release.change_sums = Box::new(|sums| [sums, b"\n"].concat());
    scene.release.zips.values_mut().for_each(|zip| zip.comment = b"hello".to_vec());
    let found = rows(&scene, Origin::Own, KeyAge::Judge);
    let expected =
        ["namespace", "sums-blank-line", "signature-key", "zip-end", "zip-end", "zip-end", "protocol-accepted"];
    assert_eq!(found, expected);
}

#[test]
fn another_origin_is_judged_by_its_own_column() {
    let directory = tempfile::tempdir().unwrap();
    for (number, defect) in defects::all().iter().enumerate() {
        let dist = directory.path().join(number.to_string()).join("dist");
        let verdict = judge(&defect.scene(), &dist, Origin::Other, KeyAge::Judge);
        let text = show(&verdict.findings, &dist);
        assert!(!verdict.findings.is_empty(), "{} ({})", defect.row, defect.name);
        assert!(verdict.findings.iter().all(|finding| finding.severity == finding.check.other), "{text}");
        let refused = verdict.findings.iter().any(|finding| finding.severity == Severity::Refuse);
        assert_eq!(verdict.release.is_none(), refused, "{} ({}): {text}", defect.row, defect.name);
    }
}

#[test]
fn another_origins_release_without_a_manifest_is_taken_to_speak_5() {
    let directory = tempfile::tempdir().unwrap();
    let mut scene = Scene::new();
    scene.release.manifest_place = ManifestPlace::Nowhere;
    let verdict = judge(&scene, &directory.path().join("dist"), Origin::Other, KeyAge::Judge);
    assert_eq!(verdict.release.unwrap().protocols, ["5.0".parse().unwrap()]);
}

#[test]
fn the_age_of_what_was_published_already_is_not_judged_again() {
    let mut scene = Scene::new();
    let lifetime = Some(SignedDuration::from_hours(24 * 40));
    let key = KeySpec { lifetime, ..KeySpec::new("acme") }.build();
    scene.release.key = key.clone();
    scene.release.signature.lifetime = Some(SignedDuration::from_hours(1));
    scene.keys = vec![(key, None)];
    assert_eq!(rows(&scene, Origin::Own, KeyAge::Judge), ["signature-expired", "key-expired"]);
    assert_eq!(rows(&scene, Origin::Own, KeyAge::AlreadyPublished), [""; 0]);

    let key = KeySpec { lifetime, revoked: Some(RevocationCode::KeyRetired), ..KeySpec::new("acme") }.build();
    scene.release.key = key.clone();
    scene.keys = vec![(key, None)];
    assert_eq!(rows(&scene, Origin::Own, KeyAge::AlreadyPublished), ["key-revoked"]);
}

#[test]
fn what_was_published_before_its_key_was_given_up_is_judged_again_only_if_it_is_blocked() {
    let given_up = [
        (GivenUp::Retired("2024-02-15T00:00:00Z"), "key-retired", &[][..]),
        (GivenUp::revoked(RevocationPolicy::Warn, "lost"), "key-revoked", &[]),
        (GivenUp::revoked(RevocationPolicy::Block, "stolen"), "key-revoked", &["key-revoked"]),
    ];
    for (given_up, before, after) in given_up {
        let mut scene = Scene::new();
        scene.keys[0].1 = Some(given_up);
        assert_eq!(rows(&scene, Origin::Own, KeyAge::Judge), [before]);
        assert_eq!(rows(&scene, Origin::Own, KeyAge::AlreadyPublished), after);
    }
}

#[test]
fn a_key_and_a_signature_are_good_to_the_last_second() {
    let mut scene = Scene::new();
    let lifetime = SignedDuration::from_hours(24 * 60);
    let spec = KeySpec { lifetime: Some(lifetime), ..KeySpec::new("acme") };
    let key = spec.build();
    scene.release.key = key.clone();
    scene.keys = vec![(key, None)];
    scene.now = spec.created + lifetime;
    assert_eq!(rows(&scene, Origin::Own, KeyAge::Judge), [""; 0]);
    scene.now += SignedDuration::from_secs(1);
    assert_eq!(rows(&scene, Origin::Own, KeyAge::Judge), ["key-expired"]);
}

#[test]
fn the_first_registered_key_that_signed_counts() {
    let directory = tempfile::tempdir().unwrap();
    let mut scene = Scene::new();
    let signer = scene.keys[0].0.clone();
    let revoked = KeySpec { revoked: Some(RevocationCode::KeyCompromised), ..KeySpec::new("old") }.build();
    scene.keys.insert(0, (revoked, Some(GivenUp::revoked(RevocationPolicy::Block, "lost"))));
    let verdict = judge(&scene, &directory.path().join("dist"), Origin::Own, KeyAge::Judge);
    assert!(verdict.findings.is_empty());
    assert_eq!(verdict.release.unwrap().fingerprint.to_string(), signer.fingerprint());
}

#[test]
fn the_manifest_is_found_where_release_tools_leave_it() {
    let directory = tempfile::tempdir().unwrap();
    let mut scene = Scene::new();
    scene.release = Release::new("dns", "1.0.0", &scene.release.key).platforms(&PLATFORMS).protocols(&["5.1"]);
    scene.release.manifest_place = ManifestPlace::Parent;
    let verdict = judge(&scene, &directory.path().join("dist"), Origin::Own, KeyAge::Judge);
    assert_eq!(verdict.release.unwrap().protocols, ["5.1".parse().unwrap()]);

    let elsewhere = directory.path().join("elsewhere.json");
    fs::rename(directory.path().join("terraform-registry-manifest.json"), &elsewhere).unwrap();
    let (keys, namespace, now) = ([], "acme", scene.now);
    let terms =
        Terms { namespace, origin: Origin::Own, keys: &keys, key_age: KeyAge::Judge, now, manifest: Some(&elsewhere) };
    let verdict = verify(&directory.path().join("dist"), &terms, &Silent).unwrap();
    assert_eq!(verdict.findings.iter().map(|finding| finding.check.slug).collect::<Vec<_>>(), ["signature-key"]);
}

#[test]
fn a_finding_is_an_object_in_json() {
    let directory = tempfile::tempdir().unwrap();
    let mut scene = Scene::new();
    scene.release.change_sums = Box::new(|sums| [sums, b"\n"].concat());
    let verdict = judge(&scene, &directory.path().join("dist"), Origin::Own, KeyAge::Judge);
    insta::assert_snapshot!(serde_json::to_string_pretty(&verdict.findings).unwrap(), @r#"
    [
      {
        "code": "YB020",
        "severity": "refuse",
        "subject": "terraform-provider-dns_1.0.0_SHA256SUMS",
        "message": "line 5 is blank",
        "hint": "Remove it with `sed -i '/^[[:space:]]*$/d' FILE_SHA256SUMS`, and sign it again."
      }
    ]
    "#);
}

#[test]
fn what_cannot_be_read_is_an_error_and_not_a_verdict() {
    let directory = tempfile::tempdir().unwrap();
    let terms = Terms {
        namespace: "acme",
        origin: Origin::Own,
        keys: &[],
        key_age: KeyAge::Judge,
        now: Scene::new().now,
        manifest: None,
    };
    let error = verify(&directory.path().join("none"), &terms, &Silent).unwrap_err();
    assert!(error.to_string().starts_with("cannot read the directory `"), "{error}");
}

/// Counts what it is told.
#[derive(Default)]
struct Counter(Mutex<BTreeMap<String, (u64, u64, u32)>>);

impl Progress for Counter {
    fn start(&self, archive: &str, bytes: u64) {
        assert!(self.0.lock().unwrap().insert(archive.to_owned(), (bytes, 0, 0)).is_none());
    }

    fn advance(&self, archive: &str, bytes: u64) {
        self.0.lock().unwrap().get_mut(archive).unwrap().1 += bytes;
    }

    fn finish(&self, archive: &str) {
        self.0.lock().unwrap().get_mut(archive).unwrap().2 += 1;
    }
}

#[test]
fn progress_is_told_once_per_archive() {
    let directory = tempfile::tempdir().unwrap();
    let scene = Scene::new();
    scene.write(directory.path()).unwrap();
    let counter = Counter::default();
    let (keys, namespace, now) = ([], "acme", scene.now);
    let terms = Terms { namespace, origin: Origin::Own, keys: &keys, key_age: KeyAge::Judge, now, manifest: None };
    verify(directory.path(), &terms, &counter).unwrap();
    let told = counter.0.into_inner().unwrap();
    assert_eq!(told.len(), PLATFORMS.len());
    assert!(told.values().all(|(bytes, done, finished)| (1..=*bytes).contains(done) && *finished == 1), "{told:?}");
}
