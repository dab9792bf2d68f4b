//! `yuba key add` and `yuba key list`.

use std::fs;

use insta::assert_snapshot;
use jiff::SignedDuration;
use yuba_tests::releases::keys::{SubkeySpec, Use};
use yuba_tests::releases::{Key, KeySpec};

use crate::sandbox::Sandbox;

/// The time of registration is the machine's.
fn without_time(text: &str) -> String {
    let is_added = |line: &&str| !line.trim_start().starts_with("\"added\"");
    text.lines().filter(is_added).collect::<Vec<_>>().join("\n")
}

const ADD: [&str; 7] = ["key", "add", "--namespace", "acme", "--target", "dir:registry", "NEW.asc"];

#[test]
fn several_keys_of_a_file_are_registered_and_listed() {
    let sandbox = Sandbox::with_registry();
    sandbox.write("NEW.asc", &format!("{}{}", Key::new("one").ascii_armor(), Key::new("two").ascii_armor()));
    assert_snapshot!(sandbox.run(&ADD), @"
    $ yuba key add --namespace acme --target dir:registry NEW.asc
    -- stdout
    added: 1A95E0AE0A051732F0C2DE574B0FB66BF8199C3E  Ed25519  never expires  one in registry.example/acme
    added: E114ED56661F5EE7D50438ECA107B2D60A570A39  Ed25519  never expires  two in registry.example/acme
    -- stderr
    target: dir:[DIR]/registry
    warning: key `1A95E0AE0A051732F0C2DE574B0FB66BF8199C3E` is Ed25519, which Terraform 1.5 and older cannot read
      hint: OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign
    warning: key `E114ED56661F5EE7D50438ECA107B2D60A570A39` is Ed25519, which Terraform 1.5 and older cannot read
      hint: OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign
    -- exit 0
    ");
    assert_snapshot!(sandbox.run(&["key", "list", "--target", "dir:registry"]), @"
    $ yuba key list --target dir:registry
    -- stdout
    registry.example/acme
      FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9  Ed25519  never expires  acme
      1A95E0AE0A051732F0C2DE574B0FB66BF8199C3E  Ed25519  never expires  one
      E114ED56661F5EE7D50438ECA107B2D60A570A39  Ed25519  never expires  two
    -- stderr
    target: dir:[DIR]/registry
    warning: key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` is Ed25519, which Terraform 1.5 and older cannot read
      hint: OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign
    warning: key `1A95E0AE0A051732F0C2DE574B0FB66BF8199C3E` is Ed25519, which Terraform 1.5 and older cannot read
      hint: OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign
    warning: key `E114ED56661F5EE7D50438ECA107B2D60A570A39` is Ed25519, which Terraform 1.5 and older cannot read
      hint: OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign
    -- exit 0
    ");
    assert_snapshot!(sandbox.run(&["key", "list", "--target", "dir:registry", "--hostname", "other.example"]), @"
    $ yuba key list --target dir:registry --hostname other.example
    -- stderr
    target: dir:[DIR]/registry
    no keys are registered for `other.example`
    -- exit 0
    ");
    let unknown = ["key", "list", "--target", "dir:registry", "--namespace", "nobody"];
    assert_snapshot!(sandbox.run(&unknown), @r"
    $ yuba key list --target dir:registry --namespace nobody
    -- stderr
    target: dir:[DIR]/registry
    error: namespace `registry.example/nobody` is not registered
    hint: see which are: yuba key list --target dir:[DIR]/registry
    -- exit 1
    ");
}

#[test]
fn what_is_new_about_a_known_key_is_merged() {
    let sandbox = Sandbox::with_registry();
    let with_subkey = KeySpec { subkey: Some(SubkeySpec::default()), ..KeySpec::new("acme") };
    let cases = [(KeySpec::new("acme"), "unchanged"), (with_subkey, "updated"), (KeySpec::new("acme"), "unchanged")];
    for (spec, outcome) in cases {
        sandbox.write("NEW.asc", &spec.build().ascii_armor());
        let before = sandbox.files();
        let printed = sandbox.run(&ADD);
        assert!(printed.contains(&format!("{outcome}: FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9")), "{printed}");
        assert_eq!(outcome == "unchanged", sandbox.files() == before, "{printed}");
    }
}

#[test]
fn who_vouches_for_a_key_is_kept() {
    let sandbox = Sandbox::with_registry();
    sandbox.write("NEW.asc", &Key::new("one").ascii_armor());
    let arguments =
        [&ADD[..], &["--source", "Acme", "--source-url", "https://acme.example/", "--format", "json"]].concat();
    assert_snapshot!(without_time(&sandbox.run(&arguments)), @r#"
    $ yuba key add --namespace acme --target dir:registry NEW.asc --source Acme --source-url https://acme.example/ --format json
    -- stdout
    {
      "target": "dir:[DIR]/registry",
      "namespace": "registry.example/acme",
      "keys": [
        {
          "outcome": "added",
          "fingerprint": "1A95E0AE0A051732F0C2DE574B0FB66BF8199C3E",
          "user_ids": [
            "one"
          ],
          "algorithm": "Ed25519",
          "created": "2024-01-01T00:00:00Z",
          "expires": null,
          "retired": null,
          "revoked": null,
          "source": "Acme",
          "source_url": "https://acme.example/",
          "warnings": [
            {
              "message": "key `1A95E0AE0A051732F0C2DE574B0FB66BF8199C3E` is Ed25519, which Terraform 1.5 and older cannot read",
              "hint": "OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign"
            }
          ]
        }
      ],
      "writes": [
        {
          "storage": "r2",
          "key": "meta/namespace/registry.example/acme",
          "action": "swap"
        },
        {
          "storage": "kv",
          "key": "namespace/registry.example/acme",
          "action": "swap"
        }
      ]
    }
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    "#);
    let list = ["key", "list", "--target", "dir:registry", "--namespace", "acme", "--format", "json"];
    assert_snapshot!(without_time(&sandbox.run(&list)), @r#"
    $ yuba key list --target dir:registry --namespace acme --format json
    -- stdout
    {
      "target": "dir:[DIR]/registry",
      "namespaces": [
        {
          "namespace": "registry.example/acme",
          "keys": [
            {
              "fingerprint": "FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9",
              "user_ids": [
                "acme"
              ],
              "algorithm": "Ed25519",
              "created": "2024-01-01T00:00:00Z",
              "expires": null,
              "retired": null,
              "revoked": null,
              "source": "",
              "source_url": "",
              "warnings": [
                {
                  "message": "key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` is Ed25519, which Terraform 1.5 and older cannot read",
                  "hint": "OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign"
                }
              ]
            },
            {
              "fingerprint": "1A95E0AE0A051732F0C2DE574B0FB66BF8199C3E",
              "user_ids": [
                "one"
              ],
              "algorithm": "Ed25519",
              "created": "2024-01-01T00:00:00Z",
              "expires": null,
              "retired": null,
              "revoked": null,
              "source": "Acme",
              "source_url": "https://acme.example/",
              "warnings": [
                {
                  "message": "key `1A95E0AE0A051732F0C2DE574B0FB66BF8199C3E` is Ed25519, which Terraform 1.5 and older cannot read",
                  "hint": "OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign"
                }
              ]
            }
          ]
        }
      ]
    }
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    "#);
}

#[test]
fn an_expired_key_is_told() {
    let sandbox = Sandbox::with_registry();
    let key = |name, days: i64| KeySpec { lifetime: Some(SignedDuration::from_hours(days * 24)), ..KeySpec::new(name) };
    let keys = [key("old", 60), key("new", 36500)].map(|key| key.build().ascii_armor());
    sandbox.write("NEW.asc", &keys.concat());
    assert_snapshot!(sandbox.run(&ADD), @"
    $ yuba key add --namespace acme --target dir:registry NEW.asc
    -- stdout
    added: 29F2F99551334940B6EF408268B4840F6B59863A  Ed25519  expired 2024-03-01T00:00:00Z  old in registry.example/acme
    added: 4B1AE7BB6E4B0A5202D22DDF3C8404A451760F61  Ed25519  expires 2123-12-08T00:00:00Z  new in registry.example/acme
    -- stderr
    target: dir:[DIR]/registry
    warning: key `29F2F99551334940B6EF408268B4840F6B59863A` is Ed25519, which Terraform 1.5 and older cannot read
      hint: OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign
    warning: key `29F2F99551334940B6EF408268B4840F6B59863A` expired on 2024-03-01T00:00:00Z
      hint: extend it with `gpg --quick-set-expire 29F2F99551334940B6EF408268B4840F6B59863A 2y`, export it and register it again
    warning: key `4B1AE7BB6E4B0A5202D22DDF3C8404A451760F61` is Ed25519, which Terraform 1.5 and older cannot read
      hint: OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign
    -- exit 0
    ");
    assert_snapshot!(sandbox.run(&["key", "list", "--target", "dir:registry"]), @"
    $ yuba key list --target dir:registry
    -- stdout
    registry.example/acme
      FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9  Ed25519  never expires  acme
      29F2F99551334940B6EF408268B4840F6B59863A  Ed25519  expired 2024-03-01T00:00:00Z  old
      4B1AE7BB6E4B0A5202D22DDF3C8404A451760F61  Ed25519  expires 2123-12-08T00:00:00Z  new
    -- stderr
    target: dir:[DIR]/registry
    warning: key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` is Ed25519, which Terraform 1.5 and older cannot read
      hint: OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign
    warning: key `29F2F99551334940B6EF408268B4840F6B59863A` is Ed25519, which Terraform 1.5 and older cannot read
      hint: OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign
    warning: key `29F2F99551334940B6EF408268B4840F6B59863A` expired on 2024-03-01T00:00:00Z
      hint: extend it with `gpg --quick-set-expire 29F2F99551334940B6EF408268B4840F6B59863A 2y`, export it and register it again
    warning: key `4B1AE7BB6E4B0A5202D22DDF3C8404A451760F61` is Ed25519, which Terraform 1.5 and older cannot read
      hint: OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign
    -- exit 0
    ");
}

#[test]
fn a_registry_without_keys_is_told_from_none() {
    let sandbox = Sandbox::new();
    let list = ["key", "list", "--target", "dir:registry"];
    assert_snapshot!(sandbox.run(&list), @"
    $ yuba key list --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: `[DIR]/registry` is no directory
    hint: `--target dir:PATH` names the registry's files: the first `yuba key add` makes them
    -- exit 1
    ");
    fs::create_dir(sandbox.path().join("registry")).unwrap();
    assert_snapshot!(sandbox.run(&list), @"
    $ yuba key list --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    no keys are registered
    -- exit 0
    ");
}

#[test]
fn what_cannot_sign_is_refused() {
    let sandbox = Sandbox::with_registry();
    let before = sandbox.files();
    let secret = Key::new("acme").secret_armor();
    let certifying = KeySpec { r#use: Use::Certify, ..KeySpec::new("certifier") }.build();
    let mut text = String::new();
    for content in [secret, "hello".to_owned(), String::new(), certifying.ascii_armor()] {
        sandbox.write("NEW.asc", &content);
        text += &sandbox.run(&ADD);
    }
    fs::remove_file(sandbox.path().join("NEW.asc")).unwrap();
    text += &sandbox.run(&ADD);
    assert_snapshot!(text, @r"
    $ yuba key add --namespace acme --target dir:registry NEW.asc
    -- stderr
    target: dir:[DIR]/registry
    error: cannot use `NEW.asc`
    caused by: the file holds a secret key; export the public one with `gpg --armor --export KEY`
    hint: export the public key: gpg --armor --export you@example.org > KEY.asc
    -- exit 1
    $ yuba key add --namespace acme --target dir:registry NEW.asc
    -- stderr
    target: dir:[DIR]/registry
    error: cannot use `NEW.asc`
    caused by: the file is no OpenPGP public key, armored or binary, or it is damaged
    hint: export the public key: gpg --armor --export you@example.org > KEY.asc
    -- exit 1
    $ yuba key add --namespace acme --target dir:registry NEW.asc
    -- stderr
    target: dir:[DIR]/registry
    error: cannot use `NEW.asc`
    caused by: the file is empty
    hint: export the public key: gpg --armor --export you@example.org > KEY.asc
    -- exit 1
    $ yuba key add --namespace acme --target dir:registry NEW.asc
    -- stderr
    target: dir:[DIR]/registry
    error: key `070CE2539AF9564CB8794A898FBE0FA62E961DD8` may not sign: neither it nor a usable subkey has the signing flag
    hint: register a key that `gpg --list-keys` marks with `[S]` and that is not revoked
    -- exit 1
    $ yuba key add --namespace acme --target dir:registry NEW.asc
    -- stderr
    target: dir:[DIR]/registry
    error: cannot read `NEW.asc`
    caused by: No such file or directory (os error 2)
    hint: export the public key: gpg --armor --export you@example.org > KEY.asc
    -- exit 1
    ");
    assert_eq!(sandbox.files(), before);
}
