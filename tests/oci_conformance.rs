//! `OpenTofu`'s exact requests of OCI distribution, made of the Worker in workerd, over what `yuba` published: this holds
//! the sequence where no `OpenTofu` can be built.
//!
//! Runs inside `scripts/dev --empty --log FILE -- …`, with FILE in `YUBA_REQUEST_LOG`. Every case has a provider of its
//! own, so that the log tells which requests it caused.

use yuba_tests::exchange::Ask;
use yuba_tests::oci_installation::{Installed, OciClient, Stopped};
use yuba_tests::publisher::{Publisher, Release};
use yuba_tests::releases::KeySpec;
use yuba_tests::workerd::Workerd;

const PLATFORMS: [&str; 3] = ["linux_amd64", "windows_386", "freebsd_arm"];

/// The registry, to be published to and to be asked; nothing, where there is none.
fn registry() -> Option<(Publisher, Workerd)> {
    let found = Publisher::find().and_then(|publisher| Ok((publisher, Workerd::find()?)));
    found.inspect_err(|reason| eprintln!("skipped: {reason}")).ok()
}

/// The repositories of the registry's own provider `type`, by every mapping.
fn repositories(r#type: &str) -> [String; 3] {
    [format!("localhost/acme/{type}"), format!("acme/{type}"), format!("acme/opentofu-provider-{type}")]
}

fn assert_fatal(result: &Result<Installed, Stopped>, words: &str) {
    assert!(matches!(result, Err(Stopped::Fatal(reason)) if reason.contains(words)), "no {words}: {result:?}");
}

#[test]
fn the_sequence_installs_every_platform_in_every_mapping() {
    let Some((publisher, mut workerd)) = registry() else { return };
    let versions = ["1.0.0", "1.1.0-rc.1+build.7"];
    let published = versions.map(|version| publisher.publish(&Release::new("sequence", version).platforms(&PLATFORMS)));
    for repository in repositories("sequence") {
        for (version, published) in versions.iter().zip(&published) {
            for platform in PLATFORMS {
                let mut client = OciClient::new(&mut workerd, &repository);
                let installed = client.install(version, &platform.parse().unwrap(), &[]).unwrap();
                assert_eq!(installed.archive, published.archive(platform), "{repository} {version} {platform}");
                assert_eq!(installed.zh, format!("zh:{}", published.digest(platform)), "as SHA256SUMS has it");
                let tag = version.replace('+', "_");
                let [ping, tags, head, index, manifest, blob] = &client.asked[..] else { panic!("{:?}", client.asked) };
                assert_eq!(ping, "GET /v2/");
                assert_eq!(*tags, format!("GET /v2/{repository}/tags/list"));
                assert_eq!(*head, format!("HEAD /v2/{repository}/manifests/{tag}"));
                assert_eq!(*index, format!("GET /v2/{repository}/manifests/sha256:{}", installed.index));
                assert!(manifest.starts_with(&format!("GET /v2/{repository}/manifests/sha256:")), "{manifest}");
                assert_eq!(*blob, format!("GET /v2/{repository}/blobs/sha256:{}", published.digest(platform)));
            }
        }
        let mut listed = OciClient::new(&mut workerd, &repository).versions().unwrap();
        listed.sort_unstable();
        assert_eq!(listed, versions);
    }
}

#[test]
fn a_mirrored_provider_has_the_repository_of_its_own_host() {
    let Some((publisher, mut workerd)) = registry() else { return };
    let release = Release::new("mirrored", "1.0.0").hostname("mirrored.example").platforms(&PLATFORMS);
    let published = publisher.publish(&release);
    let linux = "linux_amd64".parse().unwrap();
    let installed = OciClient::new(&mut workerd, "mirrored.example/acme/mirrored").install("1.0.0", &linux, &[]);
    assert_eq!(installed.unwrap().archive, published.archive("linux_amd64"));
    for repository in repositories("mirrored") {
        let result = OciClient::new(&mut workerd, &repository).install("1.0.0", &linux, &[]);
        assert_eq!(result, Err(Stopped::NoProvider), "{repository}");
    }
}

#[test]
fn what_is_missing_is_told_so_that_the_client_can_go_on() {
    let Some((publisher, mut workerd)) = registry() else { return };
    let linux = "linux_amd64".parse().unwrap();
    for repository in repositories("lacking") {
        let mut client = OciClient::new(&mut workerd, &repository);
        assert_eq!(client.install("1.0.0", &linux, &[]), Err(Stopped::NoProvider), "{repository}");
        assert_eq!(client.asked.len(), 2);
    }
    publisher.publish(&Release::new("lacking", "1.0.0").platforms(&["windows_386"]));
    for repository in repositories("lacking") {
        let mut client = OciClient::new(&mut workerd, &repository);
        let others = Stopped::NoVersion(vec!["1.0.0".to_owned()]);
        assert_eq!(client.install("1.0.1", &linux, &[]), Err(others), "{repository}");
        assert_eq!(client.install("1.0.0", &linux, &[]), Err(Stopped::NoPlatform), "{repository}");
    }
    let result = OciClient::new(&mut workerd, "nobody.example/acme/lacking").install("1.0.0", &linux, &[]);
    assert_eq!(result, Err(Stopped::NoProvider));
}

#[test]
fn a_lock_file_decides_before_the_archive_is_asked_for() {
    let Some((publisher, mut workerd)) = registry() else { return };
    let published = publisher.publish(&Release::new("locked", "1.0.0").platforms(&PLATFORMS));
    let linux = "linux_amd64".parse().unwrap();
    let signed: Vec<String> = published.digests().iter().map(|digest| format!("zh:{digest}")).collect();
    let signed: Vec<&str> = signed.iter().map(String::as_str).collect();
    let mut client = OciClient::new(&mut workerd, "acme/locked");
    assert!(client.install("1.0.0", &linux, &signed).is_ok(), "as the registry protocol has it locked");
    let asked = client.asked.len();
    assert_fatal(&client.install("1.0.0", &linux, &[&published.h1("linux_amd64")]), "checksums in the lock file");
    assert_eq!(client.asked.len() - asked, 5, "no archive");
}

#[test]
fn a_withdrawn_version_installs_and_a_removed_one_is_gone() {
    let Some((publisher, mut workerd)) = registry() else { return };
    for version in ["1.0.0", "1.1.0"] {
        publisher.publish(&Release::new("leaving", version).platforms(&PLATFORMS));
    }
    let linux = "linux_amd64".parse().unwrap();
    publisher.yuba(&["yank", "acme/leaving", "1.0.0", "--reason", "it loses records"]);
    let before = OciClient::new(&mut workerd, "acme/leaving").install("1.0.0", &linux, &[]).unwrap();
    let remove = ["remove", "acme/leaving", "1.0.0", "--reason", "court order 7", "--yes-break-locked-users"];
    publisher.yuba(&remove);
    let mut client = OciClient::new(&mut workerd, "acme/leaving");
    assert_eq!(client.install("1.0.0", &linux, &[]), Err(Stopped::NoVersion(vec!["1.1.0".to_owned()])));
    assert!(client.install("1.1.0", &linux, &[]).is_ok());
    // Whoever kept the digests gets nothing either.
    for path in [
        "manifests/1.0.0".to_owned(),
        format!("manifests/sha256:{}", before.index),
        format!("blobs/{}", before.zh.replace("zh", "sha256")),
    ] {
        let reply = workerd.ask(&Ask::new(&format!("GET /v2/acme/leaving/{path}")));
        assert_eq!(reply.status, 404, "{path}");
    }
}

#[test]
fn what_a_revoked_key_signed_is_denied_with_the_reason() {
    let Some((publisher, mut workerd)) = registry() else { return };
    let (key, release) = (KeySpec::new("denied"), Release::new("denied", "1.0.0").namespace("denied"));
    publisher.publish_signed_by(&key.build(), &release);
    let linux = "linux_amd64".parse().unwrap();
    assert!(OciClient::new(&mut workerd, "denied/denied").install("1.0.0", &linux, &[]).is_ok());
    publisher.give_up(&key, "revoke", &release, &["--policy", "block", "--reason", "laptop stolen", "--yes"]);
    let mut client = OciClient::new(&mut workerd, "denied/denied");
    assert_fatal(&client.install("1.0.0", &linux, &[]), "403");
    assert_eq!(client.asked.len(), 3, "{:?}", client.asked);
}

#[test]
fn an_archive_altered_in_storage_is_refused() {
    let Some((publisher, mut workerd)) = registry() else { return };
    let published = publisher.publish(&Release::new("damaged", "1.0.0").platforms(&PLATFORMS));
    let mut archive = published.archive("linux_amd64");
    archive[100] ^= 1;
    publisher.alter(published.digest("linux_amd64"), &archive);
    let linux = "linux_amd64".parse().unwrap();
    assert_fatal(
        &OciClient::new(&mut workerd, "acme/damaged").install("1.0.0", &linux, &[]),
        "content has the SHA-256",
    );
    archive.pop();
    publisher.alter(published.digest("linux_amd64"), &archive);
    assert_fatal(&OciClient::new(&mut workerd, "acme/damaged").install("1.0.0", &linux, &[]), "blobs/sha256:");
}
