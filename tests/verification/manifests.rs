//! Where the manifest may be, and that none of two is ignored.

use std::fs;
use std::path::Path;

use tempfile::TempDir;
use yuba::document::Standing;
use yuba_companion::verify::{KeyAge, Origin, RegisteredKey, Silent, Terms, Verdict, verify};
use yuba_tests::releases::{Key, ManifestPlace, Release, manifest};

/// A sound release that has its manifest at `place`, in `dist` of a directory of its own.
fn release(place: ManifestPlace) -> (TempDir, Key) {
    let directory = tempfile::tempdir().unwrap();
    let key = Key::new("acme");
    let release = Release::new("dns", "1.0.0", &key).platforms(&["linux_amd64"]).manifest_place(place);
    release.write(&directory.path().join("dist")).unwrap();
    (directory, key)
}

fn judge(directory: &Path, key: &Key, manifest: Option<&Path>) -> Verdict {
    let armor = key.ascii_armor();
    let keys = [RegisteredKey { ascii_armor: &armor, standing: Standing::Active }];
    let now = "2024-03-01T00:00:00Z".parse().unwrap();
    let terms = Terms { namespace: "acme", origin: Origin::Own, keys: &keys, key_age: KeyAge::Judge, now, manifest };
    verify(&directory.join("dist"), &terms, &Silent).unwrap()
}

fn protocols(verdict: &Verdict) -> Vec<String> {
    let release = verdict.release.as_ref().unwrap_or_else(|| panic!("{:?}", verdict.findings));
    release.protocols.iter().map(ToString::to_string).collect()
}

#[test]
fn a_manifest_under_its_repository_name_is_found_in_the_release_and_above_it() {
    for place in ["dist", "."] {
        let (directory, key) = release(ManifestPlace::Nowhere);
        let path = directory.path().join(place).join("terraform-registry-manifest.json");
        fs::write(path, manifest(&["5.1"])).unwrap();
        assert_eq!(protocols(&judge(directory.path(), &key, None)), ["5.1"]);
    }
}

#[test]
fn a_named_manifest_must_be_the_release_s_own() {
    let (directory, key) = release(ManifestPlace::Dist);
    let named = directory.path().join("named.json");
    fs::write(&named, manifest(&["6.0"])).unwrap();
    assert_eq!(protocols(&judge(directory.path(), &key, Some(&named))), ["6.0"]);

    fs::write(&named, manifest(&["5.0"])).unwrap();
    let verdict = judge(directory.path(), &key, Some(&named));
    assert!(verdict.release.is_none());
    let findings: Vec<_> = verdict.findings.iter().map(ToString::to_string).collect();
    let findings = findings.join("\n").replace(&directory.path().display().to_string(), "…");
    insta::assert_snapshot!(findings, @"YB082 …/named.json: is not the release's own `terraform-provider-dns_1.0.0_manifest.json`");
}
