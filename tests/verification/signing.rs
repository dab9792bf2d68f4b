//! Signing: what `yuba sign` makes is what verification takes, and what it must not make it refuses to.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use pgp::packet::RevocationCode;
use yuba::document::Standing;
use yuba_companion::openpgp::{
    ChoiceError, KeyWarning, Passphrase, SecretKeyError, Signer, UnlockError, parse_key_file, parse_secret_keys,
};
use yuba_companion::signing::{FileAction, Prepared, Signing, prepare};
use yuba_companion::verify::{KeyAge, Origin, RegisteredKey, Silent, Terms, verify};
use yuba_tests::releases::defects::PLATFORMS;
use yuba_tests::releases::keys::{Binding, Kind, SubkeySpec, Use, UserIdState};
use yuba_tests::releases::{Key, KeySpec, Release};

const NOW: &str = "2024-03-01T00:00:00Z";

fn now() -> Timestamp {
    NOW.parse().unwrap()
}

fn days(days: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * days)
}

/// Writes a release without SHA256SUMS and its signature.
fn write_unsigned(dist: &Path) {
    let release = Release::new("dns", "1.0.0", &Key::new("nobody")).platforms(&PLATFORMS);
    release.write(dist).unwrap();
    let sums = release.sums_path(dist);
    fs::remove_file(sums.with_added_extension("sig")).unwrap();
    fs::remove_file(sums).unwrap();
}

fn signer(secret: &[u8]) -> Signer {
    Signer::choose(parse_secret_keys(secret).unwrap(), None, now()).unwrap()
}

fn ready(dist: &Path, signer: &Signer) -> Signing {
    match prepare(dist, None, signer, now(), &Silent).unwrap() {
        Prepared::Ready(signing) => signing,
        Prepared::Refused { findings, .. } => panic!("{findings:?}"),
    }
}

/// Signs a release and verifies it by the public key: the rows that find fault with it.
fn rows(signer: &Signer, public: &str) -> Vec<&'static str> {
    let directory = tempfile::tempdir().unwrap();
    let dist = directory.path();
    write_unsigned(dist);
    ready(dist, signer).write().unwrap();
    let keys = [RegisteredKey { ascii_armor: public, standing: Standing::Active }];
    let terms = Terms {
        namespace: "acme",
        origin: Origin::Own,
        keys: &keys,
        key_age: KeyAge::Judge,
        now: now(),
        manifest: None,
    };
    let verdict = verify(dist, &terms, &Silent).unwrap();
    verdict.findings.iter().map(|finding| finding.check.slug).collect()
}

/// A primary key that only certifies, and a subkey that signs for it.
fn with_subkey() -> KeySpec {
    KeySpec { r#use: Use::Certify, subkey: Some(SubkeySpec::default()), ..KeySpec::new("acme") }
}

#[test]
fn what_is_signed_is_verified() {
    let rsa = KeySpec { kind: Kind::Rsa2048, ..KeySpec::new("acme") };
    for spec in [KeySpec::new("acme"), rsa, with_subkey()] {
        let key = spec.build();
        for secret in [key.secret_armor().into_bytes(), key.secret_bytes()] {
            assert_eq!(rows(&signer(&secret), &key.ascii_armor()), [""; 0], "{spec:?}");
        }
    }
}

#[test]
fn a_subkey_signs_without_the_primary_keys_secret() {
    let key = with_subkey().build();
    let signer = signer(&key.secret_subkeys_bytes());
    assert_ne!(signer.fingerprint(), signer.key().fingerprint());
    assert_eq!(signer.key().fingerprint().to_string(), key.fingerprint());
    assert_eq!(rows(&signer, &key.ascii_armor()), [""; 0]);
}

#[test]
fn a_protected_key_signs_once_it_is_unlocked() {
    for spec in [KeySpec::new("acme"), with_subkey()] {
        let key = spec.build();
        let mut signer = signer(key.locked_armor("s3cret").as_bytes());
        assert!(signer.is_locked());
        for wrong in ["", "S3cret", "s3cret "] {
            let refused = signer.unlock(&Passphrase::new(wrong.to_owned()));
            assert!(matches!(refused, Err(UnlockError::Passphrase(_))), "{wrong}");
            assert!(signer.sign(b"document", now()).is_err(), "it is still locked");
        }
        signer.unlock(&Passphrase::new("s3cret".to_owned())).unwrap();
        assert!(!signer.is_locked());
        assert_eq!(rows(&signer, &key.ascii_armor()), [""; 0]);
    }
}

#[test]
fn signing_again_writes_nothing_and_another_key_replaces_the_signature() {
    let directory = tempfile::tempdir().unwrap();
    let dist = directory.path();
    write_unsigned(dist);
    let actions = |signing: &Signing| signing.files.iter().map(|file| file.action).collect::<Vec<_>>();
    let [first, second] = ["acme", "other"].map(|name| signer(&Key::new(name).secret_bytes()));
    let signing = ready(dist, &first);
    assert_eq!(actions(&signing), [FileAction::Exists, FileAction::Create, FileAction::Create]);
    assert!(
        !dist.join("terraform-provider-dns_1.0.0_SHA256SUMS").exists(),
        "nothing is written before it is asked for"
    );
    signing.write().unwrap();
    let signed = fs::read(dist.join("terraform-provider-dns_1.0.0_SHA256SUMS.sig")).unwrap();
    let again = ready(dist, &first);
    assert!(again.is_done());
    again.write().unwrap();
    assert_eq!(fs::read(dist.join("terraform-provider-dns_1.0.0_SHA256SUMS.sig")).unwrap(), signed);
    let other = ready(dist, &second);
    assert_eq!(actions(&other), [FileAction::Exists, FileAction::Exists, FileAction::Replace]);
    // What another process made since then is not written over.
    let signature = dist.join("terraform-provider-dns_1.0.0_SHA256SUMS.sig");
    fs::write(&signature, "half a signat").unwrap();
    assert_eq!(actions(&ready(dist, &first)), [FileAction::Exists, FileAction::Exists, FileAction::Replace]);
    assert!(signing.write().unwrap_err().to_string().starts_with("cannot write `"));
}

/// SHA256SUMS as other tools make it is signed byte for byte.
#[test]
fn sums_of_another_tool_are_signed_as_they_are() {
    let directory = tempfile::tempdir().unwrap();
    let dist = directory.path();
    write_unsigned(dist);
    let signer = signer(&Key::new("acme").secret_bytes());
    ready(dist, &signer).write().unwrap();
    let sums = dist.join("terraform-provider-dns_1.0.0_SHA256SUMS");
    let text = fs::read_to_string(&sums).unwrap();
    let names: Vec<_> = text.lines().map(|line| line.split_once("  ").unwrap().1).collect();
    assert_eq!(names.len(), PLATFORMS.len() + 1);
    assert!(names.is_sorted() && names.contains(&"terraform-provider-dns_1.0.0_manifest.json"));
    let reversed = text.lines().rev().flat_map(|line| [line, "\n"]).collect::<String>();
    fs::write(&sums, &reversed).unwrap();
    let signing = ready(dist, &signer);
    assert_eq!(signing.files[1].action, FileAction::Exists);
    assert_eq!(signing.files[2].action, FileAction::Replace);
    signing.write().unwrap();
    assert_eq!(fs::read_to_string(&sums).unwrap(), reversed);
}

#[test]
fn keys_that_cannot_sign_are_refused() {
    let subkey = |subkey: SubkeySpec| KeySpec { subkey: Some(subkey), ..with_subkey() };
    let spec = || KeySpec::new("acme");
    let keys = [
        KeySpec { r#use: Use::Certify, ..spec() },
        KeySpec { r#use: Use::Unsaid, ..spec() },
        KeySpec { lifetime: Some(days(30)), ..spec() },
        KeySpec { lifetime: Some(days(30)), ..with_subkey() },
        KeySpec { created: now() + days(1), ..spec() },
        KeySpec { revoked: Some(RevocationCode::KeyRetired), ..spec() },
        KeySpec { user_id: UserIdState::Revoked, ..spec() },
        KeySpec { user_id: UserIdState::SignedByOther, ..spec() },
        KeySpec { kind: Kind::Rsa1024, ..spec() },
        KeySpec { kind: Kind::NewEd25519, ..spec() },
        subkey(SubkeySpec { lifetime: Some(days(30)), ..SubkeySpec::default() }),
        subkey(SubkeySpec { revoked: Some(RevocationCode::KeyCompromised), ..SubkeySpec::default() }),
        subkey(SubkeySpec { r#use: Use::Certify, ..SubkeySpec::default() }),
        subkey(SubkeySpec { binding: Binding::OneWay, ..SubkeySpec::default() }),
        subkey(SubkeySpec { binding: Binding::Forged, ..SubkeySpec::default() }),
    ];
    let refused = |key: KeySpec| {
        let keys = parse_secret_keys(&key.build().secret_bytes()).unwrap();
        Signer::choose(keys, None, now()).err().unwrap().to_string()
    };
    insta::assert_snapshot!(keys.map(refused).join("\n"), @"
    key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` may not sign: neither it nor a subkey has the signing flag
    key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` may not sign: neither it nor a subkey has the signing flag
    key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` expired on 2024-01-31T00:00:00Z
    key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` expired on 2024-01-31T00:00:00Z
    key `872B746C0C93A0E7065F9B573E664B31E7418A5C` was made on 2024-03-02T00:00:00Z, in the future
    key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` is revoked (retired: for a test, soft, on 2024-01-01T00:00:00Z)
    key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` is revoked (no reason given, hard, on 2024-01-01T00:00:00Z)
    key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` has no user id that it signed itself
    key `1B5E514DC544D7CC4F6720D98B37077E28676CF4` has 1024 bits, fewer than 2048
    key `CC823AF02CDEAE7AE0150DD667FDB07BA125DCB2` is of algorithm 27 (Ed25519), which clients in use cannot read
    key `415F11A8590C6729F0FC51499E1F2962FA53CD70` expired on 2024-01-31T00:00:00Z
    key `415F11A8590C6729F0FC51499E1F2962FA53CD70` is revoked (compromised: for a test, hard, on 2024-01-01T00:00:00Z)
    key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` may not sign: neither it nor a subkey has the signing flag
    key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` has signing subkey `415F11A8590C6729F0FC51499E1F2962FA53CD70` without a valid cross-certification of the primary key
    key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` has subkey `415F11A8590C6729F0FC51499E1F2962FA53CD70` with an invalid binding or revocation signature
    ");
}

#[test]
fn a_secret_that_is_elsewhere_is_missed() {
    let key = KeySpec { r#use: Use::Sign, subkey: None, ..with_subkey() }.build();
    let keys = parse_secret_keys(&key.secret_subkeys_bytes()).unwrap();
    let error = Signer::choose(keys, None, now()).err().unwrap();
    assert_eq!(
        error.to_string(),
        format!("the secret part of key `{}` is not there, only its public part", key.fingerprint())
    );
}

#[test]
fn of_several_keys_one_must_be_named() {
    let keys = || {
        let armor = [Key::new("one"), with_subkey().build()].map(|key| key.secret_armor()).concat();
        parse_secret_keys(armor.as_bytes()).unwrap()
    };
    let choose = |named: Option<&str>| {
        let named = named.map(|named| named.parse().unwrap());
        Signer::choose(keys(), named.as_ref(), now()).map(|signer| signer.fingerprint().to_string())
    };
    assert!(matches!(choose(None), Err(ChoiceError::Several(all)) if all.len() == 2));
    assert!(matches!(choose(Some(&"0".repeat(40))), Err(ChoiceError::Unknown { all, .. }) if all.len() == 2));
    assert_eq!(choose(Some(&Key::new("one").fingerprint())), Ok(Key::new("one").fingerprint()));
    let subkey = choose(Some(&with_subkey().build().fingerprint())).unwrap();
    assert_ne!(subkey, with_subkey().build().fingerprint(), "the subkey signs for the primary key");
    assert_eq!(choose(Some(&subkey)), Ok(subkey), "a subkey may be named too");
}

#[test]
fn what_is_no_secret_key_is_refused() {
    let key = Key::new("acme");
    let (secret, armor, secret_armor) = (key.secret_bytes(), key.ascii_armor(), key.secret_armor());
    let cases: [(&[u8], SecretKeyError); 9] = [
        (b"", SecretKeyError::Empty),
        (b" \n", SecretKeyError::Empty),
        (b"hello", SecretKeyError::NotAKey),
        (armor.as_bytes(), SecretKeyError::PublicKey),
        (&key.to_bytes(), SecretKeyError::PublicKey),
        (&secret[..secret.len() - 1], SecretKeyError::NotAKey),
        (&secret[..20], SecretKeyError::NotAKey),
        (&[&secret[..2], &[6], &secret[3..]].concat(), SecretKeyError::Version(6)),
        (&secret_armor.as_bytes()[..200], SecretKeyError::NotAKey),
    ];
    for (bytes, error) in cases {
        assert_eq!(parse_secret_keys(bytes).err(), Some(error), "{}", String::from_utf8_lossy(bytes));
    }
}

/// A secret of another key, under this one's name, makes signatures of nobody.
#[test]
fn a_flipped_byte_never_makes_a_signature() {
    let key = Key::new("acme");
    let secret = key.secret_bytes();
    for position in 0..secret.len() {
        let mut bytes = secret.clone();
        bytes[position] ^= 0x55;
        let Ok(keys) = parse_secret_keys(&bytes) else { continue };
        let Ok(signer) = Signer::choose(keys, None, now()) else { continue };
        let Ok(signature) = signer.sign(b"document", now()) else { continue };
        let file = yuba_companion::openpgp::SignatureFile::parse(&signature).unwrap();
        assert_eq!(signer.judge(&file, b"document", now()).defects, [], "byte {position}");
        assert_eq!(signer.key().fingerprint().to_string(), key.fingerprint(), "byte {position}");
    }
}

#[test]
fn keys_are_warned_of() {
    let spec = || KeySpec { kind: Kind::Rsa2048, ..KeySpec::new("acme") };
    let at = |lifetime: SignedDuration| Some(now().duration_since(spec().created) + lifetime);
    let subkey = |lifetime| KeySpec {
        kind: Kind::Rsa2048,
        subkey: Some(SubkeySpec { lifetime, ..SubkeySpec::default() }),
        ..with_subkey()
    };
    let cases = [
        ("RSA", spec()),
        ("90 days", KeySpec { lifetime: at(days(90)), ..spec() }),
        ("a second less", KeySpec { lifetime: at(days(90) - SignedDuration::from_secs(1)), ..spec() }),
        ("to the last second", KeySpec { lifetime: at(SignedDuration::ZERO), ..spec() }),
        ("expired", KeySpec { lifetime: at(-days(1)), ..spec() }),
        ("short", KeySpec { kind: Kind::Rsa1024, ..spec() }),
        ("Ed25519", KeySpec::new("acme")),
        ("subkey", subkey(None)),
        ("subkey ends soon", subkey(at(days(10)))),
        ("subkey expired", subkey(at(-days(1)))),
        ("both Ed25519", with_subkey()),
        ("cannot sign", KeySpec { r#use: Use::Certify, ..spec() }),
    ];
    let mut told = String::new();
    for (case, spec) in cases {
        let key = spec.build();
        let warnings = parse_key_file(key.ascii_armor().as_bytes()).unwrap()[0].warnings(now());
        assert_eq!(KeyWarning::list(&key.ascii_armor(), now()), warnings);
        writeln!(told, "{case}").unwrap();
        for warning in warnings {
            writeln!(told, "  {warning}\n    {}", warning.hint()).unwrap();
        }
    }
    insta::assert_snapshot!(told, @"
    RSA
    90 days
    a second less
      key `B3E520456178B9AF3D4D25F2039D224442462BF4` expires on 2024-05-29T23:59:59Z, in less than 90 days
        extend it with `gpg --quick-set-expire B3E520456178B9AF3D4D25F2039D224442462BF4 2y`, export it and register it again
    to the last second
      key `B3E520456178B9AF3D4D25F2039D224442462BF4` expires on 2024-03-01T00:00:00Z, in less than 90 days
        extend it with `gpg --quick-set-expire B3E520456178B9AF3D4D25F2039D224442462BF4 2y`, export it and register it again
    expired
      key `B3E520456178B9AF3D4D25F2039D224442462BF4` expired on 2024-02-29T00:00:00Z
        extend it with `gpg --quick-set-expire B3E520456178B9AF3D4D25F2039D224442462BF4 2y`, export it and register it again
    short
      key `1B5E514DC544D7CC4F6720D98B37077E28676CF4` has 1024 bits, fewer than 2048
        sign with a new key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign
    Ed25519
      key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` is Ed25519, which Terraform 1.5 and older cannot read
        OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign
    subkey
      subkey `415F11A8590C6729F0FC51499E1F2962FA53CD70` of key `B3E520456178B9AF3D4D25F2039D224442462BF4` is Ed25519, which Terraform 1.5 and older cannot read
        OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign
    subkey ends soon
      subkey `415F11A8590C6729F0FC51499E1F2962FA53CD70` of key `B3E520456178B9AF3D4D25F2039D224442462BF4` is Ed25519, which Terraform 1.5 and older cannot read
        OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign
      subkey `415F11A8590C6729F0FC51499E1F2962FA53CD70` of key `B3E520456178B9AF3D4D25F2039D224442462BF4` expires on 2024-03-11T00:00:00Z, in less than 90 days
        extend it with `gpg --quick-set-expire B3E520456178B9AF3D4D25F2039D224442462BF4 2y 415F11A8590C6729F0FC51499E1F2962FA53CD70`, export it and register it again
    subkey expired
      subkey `415F11A8590C6729F0FC51499E1F2962FA53CD70` of key `B3E520456178B9AF3D4D25F2039D224442462BF4` is Ed25519, which Terraform 1.5 and older cannot read
        OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign
      subkey `415F11A8590C6729F0FC51499E1F2962FA53CD70` of key `B3E520456178B9AF3D4D25F2039D224442462BF4` expired on 2024-02-29T00:00:00Z
        extend it with `gpg --quick-set-expire B3E520456178B9AF3D4D25F2039D224442462BF4 2y 415F11A8590C6729F0FC51499E1F2962FA53CD70`, export it and register it again
    both Ed25519
      key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` is Ed25519, which Terraform 1.5 and older cannot read
        OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign
    cannot sign
    ");
    assert_eq!(KeyWarning::list("no key", now()), []);
}
