//! `yuba sign`.

use std::fs;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use insta::assert_snapshot;
use jiff::{SignedDuration, Timestamp};
use yuba_tests::releases::keys::{Kind, SubkeySpec, Use};
use yuba_tests::releases::{Key, KeySpec, Release};

use crate::sandbox::Sandbox;

const SIGN: [&str; 4] = ["sign", "dist", "--key", "SECRET.asc"];
const SUMS: &str = "dist/terraform-provider-dns_1.0.0_SHA256SUMS";

fn key() -> Key {
    KeySpec { kind: Kind::Rsa2048, ..KeySpec::new("acme") }.build()
}

/// A sandbox with a release that is not signed, and a secret key.
fn unsigned() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.release("dist", Release::new("dns", "1.0.0", &key()));
    for name in [SUMS.to_owned(), format!("{SUMS}.sig")] {
        fs::remove_file(sandbox.path().join(name)).unwrap();
    }
    sandbox.write("SECRET.asc", &key().secret_armor());
    sandbox
}

/// The names in the release's directory.
fn names(sandbox: &Sandbox) -> Vec<String> {
    let entries = fs::read_dir(sandbox.path().join("dist")).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_release_is_rehearsed_signed_and_signed_again() {
    let sandbox = unsigned();
    let before = names(&sandbox);
    assert_snapshot!(sandbox.run(&[&SIGN[..], &["--dry-run"]].concat()), @"
    $ yuba sign dist --key SECRET.asc --dry-run
    -- stdout
    exists   terraform-provider-dns_1.0.0_manifest.json
    create   terraform-provider-dns_1.0.0_SHA256SUMS
    create   terraform-provider-dns_1.0.0_SHA256SUMS.sig

    dry run: dns 1.0.0 (darwin_arm64, linux_amd64) can be signed by B3E520456178B9AF3D4D25F2039D224442462BF4; nothing was written
    -- exit 0
    ");
    assert_eq!(names(&sandbox), before);
    assert_snapshot!(sandbox.run(&SIGN), @"
    $ yuba sign dist --key SECRET.asc
    -- stdout
    exists   terraform-provider-dns_1.0.0_manifest.json
    create   terraform-provider-dns_1.0.0_SHA256SUMS
    create   terraform-provider-dns_1.0.0_SHA256SUMS.sig

    signed: dns 1.0.0 (darwin_arm64, linux_amd64) by B3E520456178B9AF3D4D25F2039D224442462BF4
    -- exit 0
    ");
    assert_snapshot!(sandbox.read(SUMS), @"
    1422f21791b1bc9eec3cfa5ce4ae609a7a57e97885f5cc550a4d8f6a1b70aecb  terraform-provider-dns_1.0.0_darwin_arm64.zip
    7c8184054d31079d814a4f187461e7d0f02370d2d87ce2461ba0c1da9a1151b8  terraform-provider-dns_1.0.0_linux_amd64.zip
    07d80ff2e1e73ffb650c79f318d8212ca6c1340b53d54f4286a485db38db1873  terraform-provider-dns_1.0.0_manifest.json
    ");
    let signature = fs::read(sandbox.path().join(format!("{SUMS}.sig"))).unwrap();
    assert_snapshot!(sandbox.run(&SIGN), @"
    $ yuba sign dist --key SECRET.asc
    -- stdout
    exists   terraform-provider-dns_1.0.0_manifest.json
    exists   terraform-provider-dns_1.0.0_SHA256SUMS
    exists   terraform-provider-dns_1.0.0_SHA256SUMS.sig

    unchanged: dns 1.0.0 (darwin_arm64, linux_amd64) is signed by B3E520456178B9AF3D4D25F2039D224442462BF4 already
    -- exit 0
    ");
    assert_eq!(fs::read(sandbox.path().join(format!("{SUMS}.sig"))).unwrap(), signature);
    assert_snapshot!(sandbox.run(&[&SIGN[..], &["--format", "json"]].concat()), @r#"
    $ yuba sign dist --key SECRET.asc --format json
    -- stdout
    {
      "status": "unchanged",
      "type": "dns",
      "version": "1.0.0",
      "platforms": [
        "darwin_arm64",
        "linux_amd64"
      ],
      "key": "B3E520456178B9AF3D4D25F2039D224442462BF4",
      "signer": "B3E520456178B9AF3D4D25F2039D224442462BF4",
      "files": [
        {
          "name": "terraform-provider-dns_1.0.0_manifest.json",
          "action": "exists"
        },
        {
          "name": "terraform-provider-dns_1.0.0_SHA256SUMS",
          "action": "exists"
        },
        {
          "name": "terraform-provider-dns_1.0.0_SHA256SUMS.sig",
          "action": "exists"
        }
      ],
      "findings": [],
      "warnings": []
    }
    -- exit 0
    "#);
}

/// This is what goreleaser leaves: the manifest stands beside the directory, under the name that repositories use.
#[test]
fn the_manifest_is_put_into_the_release() {
    let sandbox = unsigned();
    let manifest = "dist/terraform-provider-dns_1.0.0_manifest.json";
    let text = sandbox.read(manifest);
    fs::rename(sandbox.path().join(manifest), sandbox.path().join("terraform-registry-manifest.json")).unwrap();
    assert!(sandbox.run(&SIGN).contains("create   terraform-provider-dns_1.0.0_manifest.json"));
    assert_eq!(sandbox.read(manifest), text);
    assert!(sandbox.read(SUMS).contains("  terraform-provider-dns_1.0.0_manifest.json\n"));
    sandbox.write("other.json", r#"{"version":1,"metadata":{"protocol_versions":["5.0"]}}"#);
    assert_snapshot!(sandbox.run(&[&SIGN[..], &["--manifest", "other.json"]].concat()), @r#"
    $ yuba sign dist --key SECRET.asc --manifest other.json
    -- stderr
    refused: YB082 other.json: is not the release's own `terraform-provider-dns_1.0.0_manifest.json`
      hint: Have one manifest, the one that SHA256SUMS was made with: `terraform-registry-manifest.json` in the release's directory or above it, or what `--manifest` names; it says `{"version":1,"metadata":{"protocol_versions":["6.0"]}}`.
    error: the release is not signed for 1 finding
    hint: nothing was written: mend what is listed above, or remove SHA256SUMS and its signature if nobody has them yet, and sign again
    -- exit 1
    "#);
}

#[test]
fn a_key_comes_from_the_environment_in_every_form() {
    let armor = key().secret_armor();
    let forms = [
        armor.clone(),
        format!("\n{armor}"),
        BASE64.encode(&armor),
        BASE64
            .encode(key().secret_bytes())
            .as_bytes()
            .chunks(76)
            .map(|line| [line, b"\n"].concat())
            .map(|line| String::from_utf8(line).unwrap())
            .collect(),
    ];
    for form in forms {
        let sandbox = unsigned().set("YUBA_SIGNING_KEY", &form);
        let text = sandbox.run(&["sign", "dist"]);
        assert!(text.contains("\nsigned: dns 1.0.0"), "{text}");
    }
}

#[test]
fn a_passphrase_comes_from_the_environment_or_a_terminal_alone() {
    let sandbox = unsigned();
    sandbox.write("SECRET.asc", &key().locked_armor("s3cret"));
    assert_snapshot!(sandbox.run(&SIGN), @"
    $ yuba sign dist --key SECRET.asc
    -- stderr
    error: key `B3E520456178B9AF3D4D25F2039D224442462BF4` is protected by a passphrase, and nobody is there to type it
    hint: set YUBA_SIGNING_PASSPHRASE, or run this in a terminal
    -- exit 1
    ");
    let wrong = sandbox.set("YUBA_SIGNING_PASSPHRASE", "wrong");
    assert_snapshot!(wrong.run(&SIGN), @"
    $ yuba sign dist --key SECRET.asc
    -- stderr
    error: the passphrase of key `B3E520456178B9AF3D4D25F2039D224442462BF4` is wrong
    hint: check YUBA_SIGNING_PASSPHRASE, or unset it to type the passphrase
    -- exit 1
    ");
    let right = wrong.set("YUBA_SIGNING_PASSPHRASE", "s3cret");
    assert!(right.run(&SIGN).contains("\nsigned: dns 1.0.0"));
    let help = String::from_utf8(right.output(&["sign", "--help"]).stdout).unwrap();
    assert!(!help.contains("s3cret") && !help.contains("--passphrase"), "{help}");
}

#[test]
fn what_is_no_secret_key_is_refused_and_not_repeated() {
    let sandbox = unsigned();
    let mut text = sandbox.run(&["sign", "dist"]);
    for content in [key().ascii_armor(), "hunter2".to_owned(), String::new()] {
        sandbox.write("SECRET.asc", &content);
        text += &sandbox.run(&SIGN);
    }
    fs::remove_file(sandbox.path().join("SECRET.asc")).unwrap();
    text += &sandbox.run(&SIGN);
    for value in ["hunter2", "SECRET.asc", ""] {
        text += &unsigned().set("YUBA_SIGNING_KEY", value).run(&["sign", "dist"]);
    }
    assert_snapshot!(text, @"
    $ yuba sign dist
    -- stderr
    error: no key to sign with is named
    hint: name a file with `--key FILE`, or set YUBA_SIGNING_KEY to the armored secret key
    -- exit 1
    $ yuba sign dist --key SECRET.asc
    -- stderr
    error: cannot use the key in `SECRET.asc`
    caused by: it holds a public key only
    hint: export the secret key: gpg --armor --export-secret-keys you@example.org
    -- exit 1
    $ yuba sign dist --key SECRET.asc
    -- stderr
    error: cannot use the key in `SECRET.asc`
    caused by: it is no OpenPGP secret key, armored or binary, or it is damaged
    hint: export the secret key: gpg --armor --export-secret-keys you@example.org
    -- exit 1
    $ yuba sign dist --key SECRET.asc
    -- stderr
    error: cannot use the key in `SECRET.asc`
    caused by: it is empty
    hint: export the secret key: gpg --armor --export-secret-keys you@example.org
    -- exit 1
    $ yuba sign dist --key SECRET.asc
    -- stderr
    error: cannot read `SECRET.asc`
    caused by: No such file or directory (os error 2)
    hint: export the secret key: gpg --armor --export-secret-keys you@example.org
    -- exit 1
    $ yuba sign dist
    -- stderr
    error: cannot use the key in the environment variable YUBA_SIGNING_KEY
    caused by: it is no OpenPGP secret key, armored or binary, or it is damaged
    hint: export the secret key: gpg --armor --export-secret-keys you@example.org
    -- exit 1
    $ yuba sign dist
    -- stderr
    error: cannot use the key in the environment variable YUBA_SIGNING_KEY
    caused by: it is no OpenPGP secret key, armored or binary, or it is damaged
    hint: export the secret key: gpg --armor --export-secret-keys you@example.org
    -- exit 1
    $ yuba sign dist
    -- stderr
    error: no key to sign with is named
    hint: name a file with `--key FILE`, or set YUBA_SIGNING_KEY to the armored secret key
    -- exit 1
    ");
    assert!(!text.contains("hunter2"));
}

#[test]
fn keys_that_cannot_sign_are_refused() {
    let sandbox = unsigned();
    let expired = KeySpec { lifetime: Some(SignedDuration::from_hours(24)), ..KeySpec::new("old") };
    let certifying = KeySpec { r#use: Use::Certify, ..KeySpec::new("certifier") };
    let short = KeySpec { kind: Kind::Rsa1024, ..KeySpec::new("short") };
    let mut text = String::new();
    for key in [expired, certifying, short] {
        sandbox.write("SECRET.asc", &key.build().secret_armor());
        text += &sandbox.run(&SIGN);
    }
    sandbox.write_bytes("SECRET.asc", &key().secret_subkeys_bytes());
    text += &sandbox.run(&SIGN);
    sandbox.write("SECRET.asc", &[Key::new("one"), Key::new("two")].map(|key| key.secret_armor()).concat());
    text += &sandbox.run(&SIGN);
    text += &sandbox.run(&[&SIGN[..], &["--fingerprint", &Key::new("three").fingerprint()]].concat());
    text += &sandbox.run(&[&SIGN[..], &["--fingerprint", "two"]].concat());
    assert_snapshot!(text, @"
    $ yuba sign dist --key SECRET.asc
    -- stderr
    error: key `29F2F99551334940B6EF408268B4840F6B59863A` expired on 2024-01-02T00:00:00Z
    hint: extend it with `gpg --quick-set-expire 29F2F99551334940B6EF408268B4840F6B59863A 2y` (a subkey: `gpg --quick-set-expire PRIMARY 2y 29F2F99551334940B6EF408268B4840F6B59863A`), export it, and register the public key again
    -- exit 1
    $ yuba sign dist --key SECRET.asc
    -- stderr
    error: key `070CE2539AF9564CB8794A898FBE0FA62E961DD8` may not sign: neither it nor a subkey has the signing flag
    hint: sign with a key or subkey that `gpg --list-keys` marks with `[S]`
    -- exit 1
    $ yuba sign dist --key SECRET.asc
    -- stderr
    error: key `1B5E514DC544D7CC4F6720D98B37077E28676CF4` has 1024 bits, fewer than 2048
    hint: sign with a key that every client reads: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign
    -- exit 1
    $ yuba sign dist --key SECRET.asc
    -- stderr
    error: the secret part of key `B3E520456178B9AF3D4D25F2039D224442462BF4` is not there, only its public part
    hint: export it with its secret part: gpg --armor --export-secret-keys B3E520456178B9AF3D4D25F2039D224442462BF4 (a subkey alone: --export-secret-subkeys B3E520456178B9AF3D4D25F2039D224442462BF4!)
    -- exit 1
    $ yuba sign dist --key SECRET.asc
    -- stderr
    error: there are several keys: `1A95E0AE0A051732F0C2DE574B0FB66BF8199C3E`, `E114ED56661F5EE7D50438ECA107B2D60A570A39`
    hint: name the one to sign with: --fingerprint FINGERPRINT
    -- exit 1
    $ yuba sign dist --key SECRET.asc --fingerprint CB919B785A6B832123B16FC3BF0276DB73FFA669
    -- stderr
    error: there is no key `CB919B785A6B832123B16FC3BF0276DB73FFA669`, only `1A95E0AE0A051732F0C2DE574B0FB66BF8199C3E`, `E114ED56661F5EE7D50438ECA107B2D60A570A39`
    hint: name one of those that are there, or another file
    -- exit 1
    $ yuba sign dist --key SECRET.asc --fingerprint two
    -- stderr
    error: invalid value 'two' for '--fingerprint <FINGERPRINT>': `two` is not an OpenPGP v4 fingerprint in 40 hexadecimal digits

    For more information, try '--help'.
    -- exit 1
    ");
    assert!(!sandbox.path().join(SUMS).exists());
    let two = sandbox.run(&[&SIGN[..], &["--fingerprint", &Key::new("two").fingerprint()]].concat());
    assert!(two.contains(&format!("by {}", Key::new("two").fingerprint())), "{two}");
}

#[test]
fn a_key_is_warned_of_where_it_signs() {
    let sandbox = unsigned();
    let created: Timestamp = "2024-01-01T00:00:00Z".parse().unwrap();
    let lifetime = Some(Timestamp::now().duration_since(created) + SignedDuration::from_hours(24 * 30));
    let subkey = Some(SubkeySpec { lifetime, ..SubkeySpec::default() });
    sandbox.write("SECRET.asc", &KeySpec { subkey, ..KeySpec::new("acme") }.build().secret_armor());
    let text = sandbox.run(&SIGN);
    assert!(
        text.contains("warning: key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` is Ed25519, which Terraform 1.5"),
        "{text}"
    );
    assert!(text.contains("warning: subkey `415F11A8590C6729F0FC51499E1F2962FA53CD70` of key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` expires on "), "{text}");
    assert!(text.contains("\nsigned: dns 1.0.0"), "{text}");
}

#[test]
fn sums_that_do_not_fit_are_told_and_kept() {
    let sandbox = unsigned();
    sandbox.run(&SIGN);
    let sums = sandbox.read(SUMS);
    let first = sums.lines().next().unwrap();
    let changed = [
        sums.replacen(first, &format!("{}{}", "0".repeat(64), &first[64..]), 1),
        sums.replacen(&format!("{first}\n"), "", 1),
        format!("{sums}{}  terraform-provider-dns_1.0.0_linux_arm64.zip\n", "0".repeat(64)),
        format!("{sums}\n"),
        sums.replace("  ", " *"),
    ];
    let mut text = String::new();
    for changed in changed {
        sandbox.write(SUMS, &changed);
        text += &sandbox.run(&SIGN);
        assert_eq!(sandbox.read(SUMS), changed);
    }
    assert_snapshot!(text, @"
    $ yuba sign dist --key SECRET.asc
    -- stderr
    refused: YB033 terraform-provider-dns_1.0.0_darwin_arm64.zip: has digest `[1]`, where its line says `[2]`
      hint: The file changed after SHA256SUMS was made: build the release again, or make SHA256SUMS anew and sign it.
    error: the release is not signed for 1 finding
    hint: nothing was written: mend what is listed above, or remove SHA256SUMS and its signature if nobody has them yet, and sign again
    -- exit 1
    $ yuba sign dist --key SECRET.asc
    -- stderr
    refused: YB031 terraform-provider-dns_1.0.0_darwin_arm64.zip: has no line in `terraform-provider-dns_1.0.0_SHA256SUMS`
      hint: Make it again over all archives: `sha256sum *.zip > FILE_SHA256SUMS`, then sign it again.
    error: the release is not signed for 1 finding
    hint: nothing was written: mend what is listed above, or remove SHA256SUMS and its signature if nobody has them yet, and sign again
    -- exit 1
    $ yuba sign dist --key SECRET.asc
    -- stderr
    refused: YB032 terraform-provider-dns_1.0.0_linux_arm64.zip: is listed in `terraform-provider-dns_1.0.0_SHA256SUMS`, but not there
      hint: Add the missing file, or remove its line and sign again.
    error: the release is not signed for 1 finding
    hint: nothing was written: mend what is listed above, or remove SHA256SUMS and its signature if nobody has them yet, and sign again
    -- exit 1
    $ yuba sign dist --key SECRET.asc
    -- stderr
    refused: YB020 terraform-provider-dns_1.0.0_SHA256SUMS: line 4 is blank
      hint: Remove it with `sed -i '/^[[:space:]]*$/d' FILE_SHA256SUMS`, and sign it again.
    error: the release is not signed for 1 finding
    hint: nothing was written: mend what is listed above, or remove SHA256SUMS and its signature if nobody has them yet, and sign again
    -- exit 1
    $ yuba sign dist --key SECRET.asc
    -- stderr
    refused: YB023 terraform-provider-dns_1.0.0_SHA256SUMS: line 1 marks its file name with `*`: `[1] *terraform-provider-dns_1.0.0_darwin_arm64.zip`
      hint: Make it with `sha256sum` without `-b`, and sign it again.
    refused: YB023 terraform-provider-dns_1.0.0_SHA256SUMS: line 2 marks its file name with `*`: `[2] *terraform-provider-dns_1.0.0_linux_amd64.zip`
      hint: Make it with `sha256sum` without `-b`, and sign it again.
    refused: YB023 terraform-provider-dns_1.0.0_SHA256SUMS: line 3 marks its file name with `*`: `[3] *terraform-provider-dns_1.0.0_manifest.json`
      hint: Make it with `sha256sum` without `-b`, and sign it again.
    error: the release is not signed for 3 findings
    hint: nothing was written: mend what is listed above, or remove SHA256SUMS and its signature if nobody has them yet, and sign again
    -- exit 1
    ");
}

#[test]
fn what_is_no_release_is_refused() {
    let sandbox = unsigned();
    let mut text = sandbox.run(&["sign", "nowhere", "--key", "SECRET.asc"]);
    fs::create_dir(sandbox.path().join("empty")).unwrap();
    text += &sandbox.run(&["sign", "empty", "--key", "SECRET.asc"]);
    text += &sandbox.run(&[&SIGN[..], &["--manifest", "nowhere.json"]].concat());
    let archive = |version: &str| format!("dist/terraform-provider-dns_{version}_darwin_arm64.zip");
    fs::rename(sandbox.path().join(archive("1.0.0")), sandbox.path().join(archive("0.9.0"))).unwrap();
    text += &sandbox.run(&SIGN);
    fs::rename(sandbox.path().join(archive("0.9.0")), sandbox.path().join("dist/source.zip")).unwrap();
    text += &sandbox.run(&SIGN);
    fs::remove_file(sandbox.path().join("dist/source.zip")).unwrap();
    sandbox.write("dist/terraform-provider-dns_0.9.0_SHA256SUMS", "");
    text += &sandbox.run(&SIGN);
    fs::remove_file(sandbox.path().join("dist/terraform-provider-dns_0.9.0_SHA256SUMS")).unwrap();
    let manifest = |version: &str| sandbox.path().join(format!("dist/terraform-provider-dns_{version}_manifest.json"));
    fs::rename(manifest("1.0.0"), manifest("0.9.0")).unwrap();
    text += &sandbox.run(&SIGN);
    fs::remove_file(manifest("0.9.0")).unwrap();
    text += &sandbox.run(&SIGN);
    assert_snapshot!(text, @r#"
    $ yuba sign nowhere --key SECRET.asc
    -- stderr
    error: cannot read the directory `nowhere`
    caused by: No such file or directory (os error 2)
    hint: DIST is the directory with the release's archives: `yuba pack` makes one
    -- exit 1
    $ yuba sign empty --key SECRET.asc
    -- stderr
    refused: YB005 empty: has no file `….zip`
      hint: Point at the directory that the release tool wrote; for goreleaser that is `dist`.
    refused: YB082 empty: the release has no manifest
      hint: Have one manifest, the one that SHA256SUMS was made with: `terraform-registry-manifest.json` in the release's directory or above it, or what `--manifest` names; it says `{"version":1,"metadata":{"protocol_versions":["6.0"]}}`.
    error: the release is not signed for 2 findings
    hint: nothing was written: mend what is listed above, and sign again
    -- exit 1
    $ yuba sign dist --key SECRET.asc --manifest nowhere.json
    -- stderr
    error: cannot read `nowhere.json`
    caused by: No such file or directory (os error 2)
    hint: `--manifest` is the release's terraform-registry-manifest.json
    -- exit 1
    $ yuba sign dist --key SECRET.asc
    -- stderr
    refused: YB014 terraform-provider-dns_0.9.0_darwin_arm64.zip: is of version `0.9.0`, others of `1.0.0`
      hint: Clean the directory before building; goreleaser does with `--clean`.
    error: the release is not signed for 1 finding
    hint: nothing was written: mend what is listed above, and sign again
    -- exit 1
    $ yuba sign dist --key SECRET.asc
    -- stderr
    refused: YB007 source.zip: is not named `terraform-provider-TYPE_VERSION_OS_ARCH.zip`
      hint: Rename it and make SHA256SUMS anew; in goreleaser, set `archives.name_template` so.
    error: the release is not signed for 1 finding
    hint: nothing was written: mend what is listed above, and sign again
    -- exit 1
    $ yuba sign dist --key SECRET.asc
    -- stderr
    refused: YB003 terraform-provider-dns_0.9.0_SHA256SUMS: is not named as the archives are, such as `terraform-provider-dns_1.0.0_SHA256SUMS`
      hint: Name it `terraform-provider-TYPE_VERSION_SHA256SUMS`; in goreleaser, set `checksum.name_template` so.
    refused: YB017 terraform-provider-dns_0.9.0_SHA256SUMS: has no line
      hint: Make it again in the archives' directory: `sha256sum *.zip > FILE_SHA256SUMS`, then sign it again.
    error: the release is not signed for 2 findings
    hint: nothing was written: mend what is listed above, or remove SHA256SUMS and its signature if nobody has them yet, and sign again
    -- exit 1
    $ yuba sign dist --key SECRET.asc
    -- stderr
    refused: YB082 terraform-provider-dns_0.9.0_manifest.json: is not named for this release: `terraform-provider-dns_1.0.0_manifest.json`
      hint: Have one manifest, the one that SHA256SUMS was made with: `terraform-registry-manifest.json` in the release's directory or above it, or what `--manifest` names; it says `{"version":1,"metadata":{"protocol_versions":["6.0"]}}`.
    error: the release is not signed for 1 finding
    hint: nothing was written: mend what is listed above, and sign again
    -- exit 1
    $ yuba sign dist --key SECRET.asc
    -- stderr
    refused: YB082 dist: the release has no manifest
      hint: Have one manifest, the one that SHA256SUMS was made with: `terraform-registry-manifest.json` in the release's directory or above it, or what `--manifest` names; it says `{"version":1,"metadata":{"protocol_versions":["6.0"]}}`.
    error: the release is not signed for 1 finding
    hint: nothing was written: mend what is listed above, and sign again
    -- exit 1
    "#);
    assert!(!names(&sandbox).iter().any(|name| name.contains("1.0.0_SHA256SUMS")));
}
