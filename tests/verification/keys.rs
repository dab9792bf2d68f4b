//! Key files: what is taken, what is refused, and what a newer copy of a key adds to it.

use jiff::{SignedDuration, Timestamp};
use pgp::packet::RevocationCode;
use yuba_companion::openpgp::{KeyFacts, KeyFileError, PublicKey, parse_key_file};
use yuba_tests::releases::keys::{Binding, Key, KeySpec, Kind, SubkeySpec, Use, UserIdState};

fn now() -> Timestamp {
    "2024-03-01T00:00:00Z".parse().unwrap()
}

fn read(key: &Key) -> PublicKey {
    parse_key_file(key.ascii_armor().as_bytes()).unwrap().remove(0)
}

fn facts(spec: &KeySpec) -> KeyFacts {
    read(&spec.build()).facts(now())
}

#[test]
fn facts_of_a_key() {
    let facts =
        facts(&KeySpec { lifetime: Some(SignedDuration::from_hours(24)), ..KeySpec::new("Acme <a@example.invalid>") });
    assert_eq!(facts.fingerprint.to_string().len(), 40);
    assert_eq!(facts.user_ids, ["Acme <a@example.invalid>"]);
    assert_eq!(facts.algorithm.to_string(), "Ed25519");
    assert_eq!(facts.created.to_string(), "2024-01-01T00:00:00Z");
    assert_eq!(facts.expires.unwrap().to_string(), "2024-01-02T00:00:00Z");
    assert!(facts.can_sign);
    assert_eq!(facts.revoked, None);
    assert!(facts.ascii_armor.starts_with("-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n"));
}

#[test]
fn a_key_can_sign_by_its_flags_or_a_usable_subkeys() {
    let base = || KeySpec { r#use: Use::Certify, ..KeySpec::new("acme") };
    let with = |subkey| facts(&KeySpec { subkey: Some(subkey), ..base() }).can_sign;
    assert!(!facts(&base()).can_sign);
    assert!(with(SubkeySpec::default()));
    assert!(!with(SubkeySpec { r#use: Use::Certify, ..SubkeySpec::default() }));
    assert!(!with(SubkeySpec { revoked: Some(RevocationCode::KeyRetired), ..SubkeySpec::default() }));
    assert!(!with(SubkeySpec { lifetime: Some(SignedDuration::from_hours(1)), ..SubkeySpec::default() }));
    assert!(with(SubkeySpec { lifetime: Some(SignedDuration::from_hours(24 * 365)), ..SubkeySpec::default() }));
}

#[test]
fn sizes_and_revocations_are_told() {
    let rsa = facts(&KeySpec { kind: Kind::Rsa2048, ..KeySpec::new("rsa") });
    assert_eq!(rsa.algorithm.to_string(), "RSA 2048");
    let hard =
        facts(&KeySpec { revoked: Some(RevocationCode::KeyCompromised), ..KeySpec::new("acme") }).revoked.unwrap();
    assert_eq!((hard.is_hard, hard.reason.as_str()), (true, "compromised: for a test"));
    let soft =
        facts(&KeySpec { revoked: Some(RevocationCode::KeySuperseded), ..KeySpec::new("acme") }).revoked.unwrap();
    assert_eq!((soft.is_hard, soft.reason.as_str()), (false, "superseded: for a test"));
}

#[test]
fn files_are_read_in_every_form() {
    let (acme, other) = (Key::new("acme"), Key::new("other"));
    let fingerprints = |bytes: &[u8]| -> Vec<_> {
        parse_key_file(bytes).unwrap().iter().map(|key| key.fingerprint().to_string()).collect()
    };
    let both = [acme.fingerprint(), other.fingerprint()];
    assert_eq!(fingerprints(acme.ascii_armor().as_bytes()), both[..1]);
    assert_eq!(fingerprints(&acme.to_bytes()), both[..1]);
    assert_eq!(fingerprints(&[acme.to_bytes(), other.to_bytes()].concat()), both);
    assert_eq!(fingerprints((acme.ascii_armor() + &other.ascii_armor()).as_bytes()), both);
    let windows = format!("Our key:\r\n\r\n{}", acme.ascii_armor().replace('\n', "\r\n"));
    assert_eq!(fingerprints(windows.as_bytes()), both[..1]);
    // What is served is read back as the same.
    let served = read(&acme).ascii_armor();
    assert_eq!(parse_key_file(served.as_bytes()).unwrap(), [read(&acme)]);
}

#[test]
fn a_secret_key_is_refused_without_repeating_any_of_it() {
    let key = Key::new("acme");
    let armored = key.secret_armor();
    let binary = key.secret_bytes();
    let beside = format!("{}{armored}", key.ascii_armor());
    let behind = [key.to_bytes(), binary.clone()].concat();
    let broken = armored.replace("-----END", "----END");
    for bytes in [armored.as_bytes(), &binary, beside.as_bytes(), &behind, broken.as_bytes()] {
        let error = parse_key_file(bytes).unwrap_err();
        assert_eq!(error, KeyFileError::SecretKey);
        assert!(!format!("{error} {error:?}").contains("lQ"), "no base64 of a secret key");
    }
}

#[test]
fn what_is_no_usable_key_is_refused() {
    let good = Key::new("acme");
    let armor = good.ascii_armor();
    let damaged = armor.replacen(armor.lines().nth(3).unwrap(), "", 1);
    let signature = good.sign(b"text", &yuba_tests::releases::SignatureSpec::at(now()));
    let cases: [(&[u8], &str); 10] = [
        (b"", "the file is empty"),
        (b" \n", "the file is empty"),
        (
            b"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI",
            "the file is no OpenPGP public key, armored or binary, or it is damaged",
        ),
        (b"\xff\xfe\x00", "the file is no OpenPGP public key, armored or binary, or it is damaged"),
        (damaged.as_bytes(), "the file is no OpenPGP public key, armored or binary, or it is damaged"),
        (&armor.as_bytes()[..200], "the file is no OpenPGP public key, armored or binary, or it is damaged"),
        (&signature, "the file is no OpenPGP public key, armored or binary, or it is damaged"),
        (&key_of_version(3), "the file holds a key of version 3, and clients know version 4 only"),
        (&key_of_version(5), "the file holds a key of version 5, and clients know version 4 only"),
        (&key_of_version(6), "the file holds a key of version 6, and clients know version 4 only"),
    ];
    for (bytes, expected) in cases {
        let error = parse_key_file(bytes).unwrap_err().to_string();
        assert_eq!(error, expected, "{:?}", String::from_utf8_lossy(bytes));
    }
}

/// The packet of a primary key of `version`, with an algorithm and some numbers behind it.
fn key_of_version(version: u8) -> [u8; 42] {
    let mut packet = [1; 42];
    packet[..3].copy_from_slice(&[0xc6, 40, version]);
    packet
}

#[test]
fn a_key_that_clients_would_drop_is_refused() {
    let subkey = |binding| Some(SubkeySpec { binding, ..SubkeySpec::default() });
    let cases = [
        (
            KeySpec { user_id: UserIdState::Forged, ..KeySpec::new("acme") },
            "has an invalid self-signature over user id `acme`",
        ),
        (
            KeySpec { user_id: UserIdState::SignedByOther, ..KeySpec::new("acme") },
            "has no user id that it signed itself",
        ),
        (KeySpec { subkey: subkey(Binding::OneWay), ..KeySpec::new("acme") }, "without a valid cross-certification"),
        (
            KeySpec { subkey: subkey(Binding::Forged), ..KeySpec::new("acme") },
            "with an invalid binding or revocation signature",
        ),
        (KeySpec { kind: Kind::NewEd25519, ..KeySpec::new("acme") }, "is of algorithm 27"),
    ];
    for (spec, expected) in cases {
        let error = parse_key_file(&spec.build().to_bytes()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_newer_copy_adds_what_is_new_and_nothing_is_lost() {
    let old = KeySpec { lifetime: Some(SignedDuration::from_hours(24)), ..KeySpec::new("acme") };
    let extended = KeySpec {
        renewed: Some((SignedDuration::from_hours(48), SignedDuration::from_hours(24 * 365))),
        subkey: Some(SubkeySpec::default()),
        ..old.clone()
    };
    let revoked = KeySpec { revoked: Some(RevocationCode::KeyRetired), ..old.clone() };
    let copies = [&old, &extended, &revoked].map(|spec| read(&spec.build()));
    let orders = [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]];
    for order in orders {
        let mut merged = copies[order[0]].clone();
        merged.merge(&copies[order[1]]).unwrap();
        merged.merge(&copies[order[2]]).unwrap();
        let facts = merged.facts(now());
        assert_eq!(facts.expires.unwrap().to_string(), "2024-12-31T00:00:00Z");
        assert!(facts.revoked.is_some() && facts.can_sign);
        assert_eq!(parse_key_file(facts.ascii_armor.as_bytes()).unwrap(), [merged.clone()]);
        let again = merged.clone();
        for copy in &copies {
            merged.merge(copy).unwrap();
        }
        assert_eq!(merged, again, "merging what is known changes nothing");
    }
}

#[test]
fn another_key_is_not_merged() {
    let mut acme = read(&Key::new("acme"));
    let error = acme.merge(&read(&Key::new("other"))).unwrap_err();
    assert!(matches!(error, KeyFileError::OtherKey(..)), "{error}");
}
