//! `yuba key show`, `retire` and `revoke`: a key from its first release to its end.

use std::fs;

use insta::assert_snapshot;
use pgp::packet::RevocationCode;
use yuba_tests::releases::keys::{SubkeySpec, Use};
use yuba_tests::releases::{Key, KeySpec, Release};

use crate::sandbox::Sandbox;

const FINGERPRINT: &str = "FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9";

/// Arguments with where the sandbox's key is.
fn in_acme<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [arguments, &["--namespace", "acme", "--target", "dir:registry"]].concat()
}

/// The machine's time, under a name of its own.
fn without_time(text: &str) -> String {
    let today = jiff::Timestamp::now().to_string();
    let day = &today[..10];
    let mut shown = text.to_owned();
    while let Some(at) = shown.find(&format!("{day}T")) {
        shown.replace_range(at..at + "2026-01-02T03:04:05Z".len(), "[NOW]");
    }
    shown
}

fn run(sandbox: &Sandbox, arguments: &[&str]) -> String {
    without_time(&sandbox.run(&in_acme(arguments)))
}

/// A registry in which the key signed two versions of one provider and one of another.
fn with_releases() -> Sandbox {
    let sandbox = Sandbox::with_registry();
    let key = Key::new("acme");
    for (number, (r#type, version)) in [("dns", "1.0.0"), ("dns", "1.1.0"), ("tls", "0.1.0")].into_iter().enumerate() {
        let dist = format!("dist{number}");
        sandbox.release(&dist, Release::new(r#type, version, &key));
        assert!(run(&sandbox, &["publish", &dist]).contains("-- exit 0"));
    }
    sandbox
}

fn revoked() -> KeySpec {
    KeySpec { revoked: Some(RevocationCode::KeyCompromised), ..KeySpec::new("acme") }
}

#[test]
fn a_key_is_shown_whole() {
    let sandbox = with_releases();
    assert_snapshot!(run(&sandbox, &["key", "show", FINGERPRINT]), @"");
    let json = run(&sandbox, &["key", "show", "a7c23e6f9628e0d9", "--format", "json"]);
    let armor = json.find("\"ascii_armor\"").unwrap();
    assert!(json[armor..].contains("BEGIN PGP PUBLIC KEY BLOCK"));
    assert_snapshot!(&json[..armor], @"");
}

#[test]
fn the_parts_that_may_sign_are_shown() {
    let sandbox = Sandbox::with_registry();
    let subkey = SubkeySpec { revoked: Some(RevocationCode::KeySuperseded), ..SubkeySpec::default() };
    let key = KeySpec { subkey: Some(subkey), ..KeySpec::new("two") }.build();
    let only_subkey = KeySpec { r#use: Use::Certify, subkey: Some(SubkeySpec::default()), ..KeySpec::new("one") };
    sandbox.write("NEW.asc", &format!("{}{}", key.ascii_armor(), only_subkey.build().ascii_armor()));
    assert!(run(&sandbox, &["key", "add", "NEW.asc"]).contains("-- exit 0"));
    let mut text = String::new();
    for key in [key, only_subkey.build()] {
        text += &run(&sandbox, &["key", "show", &key.fingerprint()]);
    }
    assert_snapshot!(text, @"");
}

#[test]
fn a_name_that_means_no_key_is_refused_by_what_it_could_mean() {
    let sandbox = Sandbox::with_registry();
    let key = KeySpec { subkey: Some(SubkeySpec::default()), ..KeySpec::new("acme") }.build();
    sandbox.write("NEW.asc", &key.ascii_armor());
    assert!(run(&sandbox, &["key", "add", "NEW.asc"]).contains("-- exit 0"));
    let before = sandbox.files();
    let mut text = String::new();
    for name in ["FD16135B", "0123456789ABCDEF", "415F11A8590C6729F0FC51499E1F2962FA53CD70", "acme"] {
        text += &run(&sandbox, &["key", "retire", name]);
    }
    text += &sandbox.run(&["key", "show", FINGERPRINT, "--namespace", "nobody", "--target", "dir:registry"]);
    assert_snapshot!(text, @"");
    assert_eq!(sandbox.files(), before);
}

#[test]
fn a_retired_key_signs_nothing_new_until_that_is_undone() {
    let sandbox = with_releases();
    let before = sandbox.files();
    assert_snapshot!(run(&sandbox, &["key", "retire", FINGERPRINT, "--dry-run"]), @"");
    assert_eq!(sandbox.files(), before);
    let mut text = run(&sandbox, &["key", "retire", FINGERPRINT]);
    text += &run(&sandbox, &["key", "retire", FINGERPRINT]);
    text += &run(&sandbox, &["key", "add", "KEY.asc"]);
    sandbox.release("new", Release::new("dns", "2.0.0", &Key::new("acme")));
    text += &run(&sandbox, &["publish", "new"]);
    text += &run(&sandbox, &["publish", "dist0"]);
    text += &run(&sandbox, &["key", "retire", FINGERPRINT, "--undo"]);
    text += &run(&sandbox, &["publish", "new", "--format", "json"]).lines().nth(2).unwrap_or_default().to_owned();
    assert_snapshot!(text, @"");
}

#[test]
fn nothing_is_blocked_before_it_is_named_and_agreed_to() {
    let sandbox = with_releases();
    let before = sandbox.files();
    let revoke = ["key", "revoke", FINGERPRINT, "--reason", "laptop stolen", "--policy", "block"];
    let mut text = run(&sandbox, &[&revoke[..], &["--dry-run"]].concat());
    text += &run(&sandbox, &revoke);
    assert_snapshot!(text, @"");
    assert_eq!(sandbox.files(), before);
    assert_snapshot!(run(&sandbox, &[&revoke[..], &["--yes", "--format", "json"]].concat()), @"");
}

#[test]
fn a_revocation_stays_and_what_it_means_is_changed_aloud() {
    let sandbox = with_releases();
    let revoke = |policy, reason, more: &[&str]| {
        run(&sandbox, &[&["key", "revoke", FINGERPRINT, "--policy", policy, "--reason", reason][..], more].concat())
    };
    let mut text = revoke("warn", "lost", &[]);
    text += &revoke("warn", "lost", &[]);
    text += &revoke("block", "stolen", &["--yes"]);
    text += &revoke("warn", "lost after all", &[]);
    text += &revoke("warn", "lost after all", &["--yes"]);
    text += &run(&sandbox, &["key", "retire", FINGERPRINT]);
    text += &run(&sandbox, &["key", "retire", FINGERPRINT, "--undo"]);
    text += &run(&sandbox, &["key", "add", "KEY.asc"]);
    text += &run(&sandbox, &["key", "list"]);
    text += &run(&sandbox, &["publish", "dist0"]);
    text += &revoke("block", "stolen", &["--yes"]);
    text += &run(&sandbox, &["publish", "dist0"]);
    assert_snapshot!(text, @"");
}

#[test]
fn the_owners_revocation_comes_to_one_record_whichever_way_it_comes() {
    let mut records = Vec::new();
    let mut text = String::new();
    for add in [false, true] {
        let sandbox = with_releases();
        sandbox.write("REVOKED.asc", &revoked().build().ascii_armor());
        text += &if add {
            run(&sandbox, &["key", "add", "REVOKED.asc"])
        } else {
            let reason = ["--reason", "compromised: for a test", "--policy", "block"];
            let certificate = ["--certificate", "REVOKED.asc", "--yes"];
            run(&sandbox, &[&["key", "revoke", FINGERPRINT][..], &reason, &certificate].concat())
        };
        records.push(run(&sandbox, &["key", "show", FINGERPRINT, "--format", "json"]));
        text += &run(&sandbox, &["key", "add", "REVOKED.asc"]);
    }
    assert_eq!(records[0], records[1]);
    assert!(records[0].contains("\"certified\": true"));
    assert_snapshot!(text, @"");
}

#[test]
fn a_warning_that_turns_out_to_be_the_owners_revocation_blocks() {
    let sandbox = with_releases();
    let mut text = run(&sandbox, &["key", "revoke", FINGERPRINT, "--policy", "warn", "--reason", "lost"]);
    sandbox.write("REVOKED.asc", &revoked().build().ascii_armor());
    text += &run(&sandbox, &["key", "add", "REVOKED.asc"]);
    text += &run(&sandbox, &["key", "revoke", FINGERPRINT, "--policy", "warn", "--reason", "lost", "--yes"]);
    assert_snapshot!(text, @"");
}

#[test]
fn what_revokes_nothing_is_refused() {
    let sandbox = with_releases();
    let before = sandbox.files();
    let mut text = String::new();
    let soft = KeySpec { revoked: Some(RevocationCode::KeyRetired), ..KeySpec::new("acme") };
    let tomorrow = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(24);
    let later = KeySpec { revoked_at: Some(tomorrow), ..soft.clone() };
    let other = KeySpec { revoked: Some(RevocationCode::KeyRetired), ..KeySpec::new("other") }.build();
    let files = [
        ("signature.txt", b"hello".to_vec()),
        ("other.rev", other.revocation_certificate()),
        ("other.asc", other.ascii_armor().into_bytes()),
        ("unrevoked.asc", Key::new("acme").ascii_armor().into_bytes()),
        ("secret.asc", Key::new("acme").secret_armor().into_bytes()),
        ("later.rev", later.build().revocation_certificate()),
    ];
    let revoke = ["key", "revoke", FINGERPRINT, "--reason", "stolen", "--policy", "block", "--yes"];
    for (name, bytes) in files {
        fs::write(sandbox.path().join(name), bytes).unwrap();
        text += &run(&sandbox, &[&revoke[..], &["--certificate", name]].concat());
    }
    text += &run(&sandbox, &[&revoke[..], &["--certificate", "missing.rev"]].concat());
    fs::write(sandbox.path().join("acme.rev"), soft.build().revocation_certificate()).unwrap();
    let warn = ["key", "revoke", FINGERPRINT, "--reason", "lost", "--policy", "warn", "--certificate", "acme.rev"];
    text += &run(&sandbox, &warn);
    for reason in ["", " ", "two\nlines", &"x".repeat(201)] {
        text += &run(&sandbox, &["key", "revoke", FINGERPRINT, "--policy", "warn", "--reason", reason]);
    }
    text += &run(&sandbox, &["key", "revoke", FINGERPRINT, "--reason", "lost"]);
    text += &run(&sandbox, &["key", "revoke", FINGERPRINT, "--policy", "warn"]);
    assert_snapshot!(text, @"");
    assert_eq!(sandbox.files(), before);
}
