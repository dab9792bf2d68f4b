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
    assert_snapshot!(run(&sandbox, &["key", "show", FINGERPRINT]), @r"
    $ yuba key show FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --namespace acme --target dir:registry
    -- stdout
    FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 in registry.example/acme
      state      in use
      user ID    acme
      algorithm  Ed25519
      created    2024-01-01T00:00:00Z
      expires    never
      added      [NOW]
      signs by   primary key FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 (Ed25519)
      signed
        registry.example/acme/dns  1.0.0, 1.1.0
        registry.example/acme/tls  0.1.0
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    ");
    let json = run(&sandbox, &["key", "show", "a7c23e6f9628e0d9", "--format", "json"]);
    let armor = json.find("\"ascii_armor\"").unwrap();
    assert!(json[armor..].contains("BEGIN PGP PUBLIC KEY BLOCK"));
    assert_snapshot!(&json[..armor], @r#"
    $ yuba key show [1] --format json --namespace acme --target dir:registry
    -- stdout
    {
      "target": "dir:[DIR]/registry",
      "namespace": "registry.example/acme",
      "fingerprint": "FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9",
      "user_ids": [
        "acme"
      ],
      "algorithm": "Ed25519",
      "created": "2024-01-01T00:00:00Z",
      "expires": null,
      "added": "[NOW]",
      "retired": null,
      "revoked": null,
      "source": "",
      "source_url": "",
      "warnings": [
        {
          "message": "key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` is Ed25519, which Terraform 1.5 and older cannot read",
          "hint": "OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign"
        }
      ],
      "signers": [
        {
          "fingerprint": "FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9",
          "part": "primary key",
          "algorithm": "Ed25519",
          "created": "2024-01-01T00:00:00Z",
          "expires": null,
          "revoked": null
        }
      ],
      "signed": [
        {
          "provider": "registry.example/acme/dns",
          "versions": [
            "1.0.0",
            "1.1.0"
          ]
        },
        {
          "provider": "registry.example/acme/tls",
          "versions": [
            "0.1.0"
          ]
        }
      ],
    "#);
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
    assert_snapshot!(text, @r"
    $ yuba key show E114ED56661F5EE7D50438ECA107B2D60A570A39 --namespace acme --target dir:registry
    -- stdout
    E114ED56661F5EE7D50438ECA107B2D60A570A39 in registry.example/acme
      state      in use
      user ID    two
      algorithm  Ed25519
      created    2024-01-01T00:00:00Z
      expires    never
      added      [NOW]
      signs by   primary key E114ED56661F5EE7D50438ECA107B2D60A570A39 (Ed25519)
      signs by   subkey BC2B900AA629B3B4DB3B0ECAF2EA836F8E06B38B (Ed25519, revoked (superseded: for a test))
      signed     nothing that is listed
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    $ yuba key show 1A95E0AE0A051732F0C2DE574B0FB66BF8199C3E --namespace acme --target dir:registry
    -- stdout
    1A95E0AE0A051732F0C2DE574B0FB66BF8199C3E in registry.example/acme
      state      in use
      user ID    one
      algorithm  Ed25519
      created    2024-01-01T00:00:00Z
      expires    never
      added      [NOW]
      signs by   subkey 402D732CB23C7EDA721B2A1D9700938D726C9FF9 (Ed25519)
      signed     nothing that is listed
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    ");
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
    assert_snapshot!(text, @r"
    $ yuba key retire FD16135B --namespace acme --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: `FD16135B` is only a part of `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9`
    hint: name one key by its whole fingerprint
    -- exit 1
    $ yuba key retire [1] --namespace acme --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: no key `[1]` is registered
    hint: see which keys are registered: yuba key list --target dir:[DIR]/registry
    -- exit 1
    $ yuba key retire 415F11A8590C6729F0FC51499E1F2962FA53CD70 --namespace acme --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: `415F11A8590C6729F0FC51499E1F2962FA53CD70` is a subkey of key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9`
    hint: a subkey has no record of its own: name the key that it belongs to
    -- exit 1
    $ yuba key retire acme --namespace acme --target dir:registry
    -- stderr
    error: invalid value 'acme' for '<FINGERPRINT>': `acme` is neither a fingerprint nor a key ID, in 40 or 16 hexadecimal digits

    For more information, try '--help'.
    -- exit 1
    $ yuba key show FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --namespace nobody --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: namespace `registry.example/nobody` is not registered
    hint: see which keys are registered: yuba key list --target dir:[DIR]/registry
    -- exit 1
    ");
    assert_eq!(sandbox.files(), before);
}

#[test]
fn a_retired_key_signs_nothing_new_until_that_is_undone() {
    let sandbox = with_releases();
    let before = sandbox.files();
    assert_snapshot!(run(&sandbox, &["key", "retire", FINGERPRINT, "--dry-run"]), @r"
    $ yuba key retire FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --dry-run --namespace acme --target dir:registry
    -- stdout
    swap    r2/meta/namespace/registry.example/acme
    swap    kv/namespace/registry.example/acme

    dry run: FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 in registry.example/acme would be retired, retired [NOW]; nothing was written
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    ");
    assert_eq!(sandbox.files(), before);
    let mut text = run(&sandbox, &["key", "retire", FINGERPRINT]);
    text += &run(&sandbox, &["key", "retire", FINGERPRINT]);
    text += &run(&sandbox, &["key", "add", "KEY.asc"]);
    sandbox.release("new", Release::new("dns", "2.0.0", &Key::new("acme")));
    text += &run(&sandbox, &["publish", "new"]);
    text += &run(&sandbox, &["publish", "dist0"]);
    text += &run(&sandbox, &["key", "retire", FINGERPRINT, "--undo"]);
    text += run(&sandbox, &["publish", "new", "--format", "json"]).lines().nth(2).unwrap_or_default();
    assert_snapshot!(text, @r"
    $ yuba key retire FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --namespace acme --target dir:registry
    -- stdout
    retired: FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 in registry.example/acme, retired [NOW]
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    $ yuba key retire FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --namespace acme --target dir:registry
    -- stdout
    unchanged: FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 in registry.example/acme, retired [NOW]
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    $ yuba key add KEY.asc --namespace acme --target dir:registry
    -- stdout
    unchanged: FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9  Ed25519  never expires  retired [NOW]  acme in registry.example/acme
    -- stderr
    target: dir:[DIR]/registry
    warning: key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` is Ed25519, which Terraform 1.5 and older cannot read
      hint: OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign
    -- exit 0
    $ yuba publish new --namespace acme --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    refused: YB086 terraform-provider-dns_2.0.0_SHA256SUMS.sig: was made by key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9`, which was retired on [NOW]
      hint: Sign with a key that is in use, or take the retirement back: `yuba key retire FINGERPRINT --namespace NAME --undo`.
    error: the release is refused for 1 finding
    hint: nothing was published: mend what is listed above, and publish again
    -- exit 1
    $ yuba publish dist0 --namespace acme --target dir:registry
    -- stdout
    unchanged: registry.example/acme/dns 1.0.0 is published already
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    $ yuba key retire FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --undo --namespace acme --target dir:registry
    -- stdout
    back in use: FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 in registry.example/acme, in use
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    {
    ");
}

#[test]
fn nothing_is_blocked_before_it_is_named_and_agreed_to() {
    let sandbox = with_releases();
    let before = sandbox.files();
    let revoke = ["key", "revoke", FINGERPRINT, "--reason", "laptop stolen", "--policy", "block"];
    let mut text = run(&sandbox, &[&revoke[..], &["--dry-run"]].concat());
    text += &run(&sandbox, &revoke);
    assert_snapshot!(text, @r"
    $ yuba key revoke FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --reason laptop stolen --policy block --dry-run --namespace acme --target dir:registry
    -- stdout
    swap    r2/meta/namespace/registry.example/acme
    swap    kv/namespace/registry.example/acme

    dry run: FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 in registry.example/acme would be revoked, revoked [NOW] (block): laptop stolen; nothing was written
    -- stderr
    target: dir:[DIR]/registry
    key FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 (acme) signed 3 versions, which nobody can install any more, not even who has locked them:
        registry.example/acme/dns  1.0.0, 1.1.0
        registry.example/acme/tls  0.1.0
    -- exit 0
    $ yuba key revoke FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --reason laptop stolen --policy block --namespace acme --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    key FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 (acme) signed 3 versions, which nobody can install any more, not even who has locked them:
        registry.example/acme/dns  1.0.0, 1.1.0
        registry.example/acme/tls  0.1.0
    error: nobody can be asked here whether to revoke the key
    hint: nothing was written: add `--yes` if you are sure, or `--dry-run` to see what would be written
    -- exit 1
    ");
    assert_eq!(sandbox.files(), before);
    assert_snapshot!(run(&sandbox, &[&revoke[..], &["--yes", "--format", "json"]].concat()), @r#"
    $ yuba key revoke FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --reason laptop stolen --policy block --yes --format json --namespace acme --target dir:registry
    -- stdout
    {
      "status": "revoked",
      "target": "dir:[DIR]/registry",
      "namespace": "registry.example/acme",
      "key": {
        "fingerprint": "FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9",
        "user_ids": [
          "acme"
        ],
        "algorithm": "Ed25519",
        "created": "2024-01-01T00:00:00Z",
        "expires": null,
        "added": "[NOW]",
        "retired": null,
        "revoked": {
          "reason": "laptop stolen",
          "policy": "block",
          "at": "[NOW]",
          "certified": false
        },
        "source": "",
        "source_url": "",
        "warnings": [
          {
            "message": "key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` is Ed25519, which Terraform 1.5 and older cannot read",
            "hint": "OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign"
          }
        ]
      },
      "signed": [
        {
          "provider": "registry.example/acme/dns",
          "versions": [
            "1.0.0",
            "1.1.0"
          ]
        },
        {
          "provider": "registry.example/acme/tls",
          "versions": [
            "0.1.0"
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
    key FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 (acme) signed 3 versions, which nobody can install any more, not even who has locked them:
        registry.example/acme/dns  1.0.0, 1.1.0
        registry.example/acme/tls  0.1.0
    -- exit 0
    "#);
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
    assert_snapshot!(text, @r"
    $ yuba key revoke FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --policy warn --reason lost --namespace acme --target dir:registry
    -- stdout
    revoked: FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 in registry.example/acme, revoked [NOW] (warn): lost
    -- stderr
    target: dir:[DIR]/registry
    key FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 (acme) signed 3 versions, which clients install with a warning:
        registry.example/acme/dns  1.0.0, 1.1.0
        registry.example/acme/tls  0.1.0
    -- exit 0
    $ yuba key revoke FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --policy warn --reason lost --namespace acme --target dir:registry
    -- stdout
    unchanged: FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 in registry.example/acme, revoked [NOW] (warn): lost
    -- stderr
    target: dir:[DIR]/registry
    key FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 (acme) signed 3 versions, which clients install with a warning:
        registry.example/acme/dns  1.0.0, 1.1.0
        registry.example/acme/tls  0.1.0
    -- exit 0
    $ yuba key revoke FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --policy block --reason stolen --yes --namespace acme --target dir:registry
    -- stdout
    revoked: FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 in registry.example/acme, revoked [NOW] (block): stolen
    -- stderr
    target: dir:[DIR]/registry
    key FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 (acme) signed 3 versions, which nobody can install any more, not even who has locked them:
        registry.example/acme/dns  1.0.0, 1.1.0
        registry.example/acme/tls  0.1.0
    -- exit 0
    $ yuba key revoke FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --policy warn --reason lost after all --namespace acme --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    key FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 (acme) signed 3 versions, which can be installed again, with a warning:
        registry.example/acme/dns  1.0.0, 1.1.0
        registry.example/acme/tls  0.1.0
    error: nobody can be asked here whether to revoke the key
    hint: nothing was written: add `--yes` if you are sure, or `--dry-run` to see what would be written
    -- exit 1
    $ yuba key revoke FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --policy warn --reason lost after all --yes --namespace acme --target dir:registry
    -- stdout
    revoked: FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 in registry.example/acme, revoked [NOW] (warn): lost after all
    -- stderr
    target: dir:[DIR]/registry
    key FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 (acme) signed 3 versions, which can be installed again, with a warning:
        registry.example/acme/dns  1.0.0, 1.1.0
        registry.example/acme/tls  0.1.0
    -- exit 0
    $ yuba key retire FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --namespace acme --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` is revoked, and signs nothing new already
    hint: a revocation is for good; publish with another key
    -- exit 1
    $ yuba key retire FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --undo --namespace acme --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` is revoked, and signs nothing new already
    hint: a revocation is for good; publish with another key
    -- exit 1
    $ yuba key add KEY.asc --namespace acme --target dir:registry
    -- stdout
    unchanged: FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9  Ed25519  never expires  revoked [NOW] (warn)  acme in registry.example/acme
    -- stderr
    target: dir:[DIR]/registry
    warning: key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` is Ed25519, which Terraform 1.5 and older cannot read
      hint: OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign
    -- exit 0
    $ yuba key list --namespace acme --target dir:registry
    -- stdout
    registry.example/acme
      FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9  Ed25519  never expires  revoked [NOW] (warn)  acme
    -- stderr
    target: dir:[DIR]/registry
    warning: key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` is Ed25519, which Terraform 1.5 and older cannot read
      hint: OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign
    -- exit 0
    $ yuba publish dist0 --namespace acme --target dir:registry
    -- stdout
    unchanged: registry.example/acme/dns 1.0.0 is published already
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    $ yuba key revoke FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --policy block --reason stolen --yes --namespace acme --target dir:registry
    -- stdout
    revoked: FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 in registry.example/acme, revoked [NOW] (block): stolen
    -- stderr
    target: dir:[DIR]/registry
    key FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 (acme) signed 3 versions, which nobody can install any more, not even who has locked them:
        registry.example/acme/dns  1.0.0, 1.1.0
        registry.example/acme/tls  0.1.0
    -- exit 0
    $ yuba publish dist0 --namespace acme --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    refused: YB049 terraform-provider-dns_1.0.0_SHA256SUMS.sig: was made by key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9`, which is revoked (stolen)
      hint: Sign with another key and register that one.
    error: the release is refused for 1 finding
    hint: nothing was published: mend what is listed above, and publish again
    -- exit 1
    ");
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
    assert_snapshot!(text, @r"
    $ yuba key revoke FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --reason compromised: for a test --policy block --certificate REVOKED.asc --yes --namespace acme --target dir:registry
    -- stdout
    revoked: FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 in registry.example/acme, revoked [NOW] (block), by its owner's certificate: compromised: for a test
    -- stderr
    target: dir:[DIR]/registry
    key FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 (acme) signed 3 versions, which nobody can install any more, not even who has locked them:
        registry.example/acme/dns  1.0.0, 1.1.0
        registry.example/acme/tls  0.1.0
    -- exit 0
    $ yuba key add REVOKED.asc --namespace acme --target dir:registry
    -- stdout
    unchanged: FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9  Ed25519  never expires  revoked [NOW] (block)  acme in registry.example/acme
    -- stderr
    target: dir:[DIR]/registry
    warning: key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` is Ed25519, which Terraform 1.5 and older cannot read
      hint: OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign
    -- exit 0
    $ yuba key add REVOKED.asc --namespace acme --target dir:registry
    -- stdout
    revoked: FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9  Ed25519  never expires  revoked [NOW] (block)  acme in registry.example/acme
    -- stderr
    target: dir:[DIR]/registry
    warning: key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` is revoked [NOW] (block), by its owner's certificate: compromised: for a test
      it signed 3 versions that nobody can install any more
        registry.example/acme/dns  1.0.0, 1.1.0
        registry.example/acme/tls  0.1.0
      hint: publish new versions, signed with another key
    warning: key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` is Ed25519, which Terraform 1.5 and older cannot read
      hint: OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign
    -- exit 0
    $ yuba key add REVOKED.asc --namespace acme --target dir:registry
    -- stdout
    unchanged: FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9  Ed25519  never expires  revoked [NOW] (block)  acme in registry.example/acme
    -- stderr
    target: dir:[DIR]/registry
    warning: key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` is Ed25519, which Terraform 1.5 and older cannot read
      hint: OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign
    -- exit 0
    ");
}

#[test]
fn a_warning_that_turns_out_to_be_the_owners_revocation_blocks() {
    let sandbox = with_releases();
    let mut text = run(&sandbox, &["key", "revoke", FINGERPRINT, "--policy", "warn", "--reason", "lost"]);
    sandbox.write("REVOKED.asc", &revoked().build().ascii_armor());
    text += &run(&sandbox, &["key", "add", "REVOKED.asc"]);
    text += &run(&sandbox, &["key", "revoke", FINGERPRINT, "--policy", "warn", "--reason", "lost", "--yes"]);
    assert_snapshot!(text, @r"
    $ yuba key revoke FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --policy warn --reason lost --namespace acme --target dir:registry
    -- stdout
    revoked: FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 in registry.example/acme, revoked [NOW] (warn): lost
    -- stderr
    target: dir:[DIR]/registry
    key FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 (acme) signed 3 versions, which clients install with a warning:
        registry.example/acme/dns  1.0.0, 1.1.0
        registry.example/acme/tls  0.1.0
    -- exit 0
    $ yuba key add REVOKED.asc --namespace acme --target dir:registry
    -- stdout
    revoked: FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9  Ed25519  never expires  revoked [NOW] (block)  acme in registry.example/acme
    -- stderr
    target: dir:[DIR]/registry
    warning: key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` is revoked [NOW] (block), by its owner's certificate: lost
      it signed 3 versions that nobody can install any more
        registry.example/acme/dns  1.0.0, 1.1.0
        registry.example/acme/tls  0.1.0
      hint: publish new versions, signed with another key
    warning: key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` is Ed25519, which Terraform 1.5 and older cannot read
      hint: OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign
    -- exit 0
    $ yuba key revoke FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --policy warn --reason lost --yes --namespace acme --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` carries its owner's revocation: clients refuse it by themselves, and policy `warn` would be untrue
    hint: say what clients do: `--policy block`
    -- exit 1
    ");
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
    assert_snapshot!(text, @r"
    $ yuba key revoke FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --reason stolen --policy block --yes --certificate signature.txt --namespace acme --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: the certificate cannot be used
    caused by: the file holds neither a revocation certificate nor a public key, armored or binary
    hint: GnuPG keeps one beside every key it makes, as `openpgp-revocs.d/FINGERPRINT.rev` in its home; `gpg --gen-revoke KEY` makes another
    -- exit 1
    $ yuba key revoke FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --reason stolen --policy block --yes --certificate other.rev --namespace acme --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: the certificate cannot be used
    caused by: the file holds no revocation of key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9`: its certificate is that of another key
    hint: GnuPG keeps one beside every key it makes, as `openpgp-revocs.d/FINGERPRINT.rev` in its home; `gpg --gen-revoke KEY` makes another
    -- exit 1
    $ yuba key revoke FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --reason stolen --policy block --yes --certificate other.asc --namespace acme --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: the certificate cannot be used
    caused by: the file holds no copy of key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9`, but of `4212C96FE276BB6EAF01B8114A75030C05C6BA0A`
    hint: GnuPG keeps one beside every key it makes, as `openpgp-revocs.d/FINGERPRINT.rev` in its home; `gpg --gen-revoke KEY` makes another
    -- exit 1
    $ yuba key revoke FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --reason stolen --policy block --yes --certificate unrevoked.asc --namespace acme --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: the certificate cannot be used
    caused by: the file's copy of key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` carries no revocation
    hint: GnuPG keeps one beside every key it makes, as `openpgp-revocs.d/FINGERPRINT.rev` in its home; `gpg --gen-revoke KEY` makes another
    -- exit 1
    $ yuba key revoke FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --reason stolen --policy block --yes --certificate secret.asc --namespace acme --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: the certificate cannot be used
    caused by: the file holds a secret key; export the public one with `gpg --armor --export KEY`
    hint: GnuPG keeps one beside every key it makes, as `openpgp-revocs.d/FINGERPRINT.rev` in its home; `gpg --gen-revoke KEY` makes another
    -- exit 1
    $ yuba key revoke FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --reason stolen --policy block --yes --certificate later.rev --namespace acme --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: the certificate cannot be used
    caused by: the revocation of key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` is not in force: it is dated in the future, or has expired
    hint: GnuPG keeps one beside every key it makes, as `openpgp-revocs.d/FINGERPRINT.rev` in its home; `gpg --gen-revoke KEY` makes another
    -- exit 1
    $ yuba key revoke FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --reason stolen --policy block --yes --certificate missing.rev --namespace acme --target dir:registry
    -- stderr
    error: cannot read `missing.rev`
    caused by: No such file or directory (os error 2)
    hint: `--certificate` is a file: the owner's revocation certificate, or a public key
    -- exit 1
    $ yuba key revoke FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --reason lost --policy warn --certificate acme.rev --namespace acme --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` carries its owner's revocation: clients refuse it by themselves, and policy `warn` would be untrue
    hint: say what clients do: `--policy block`
    -- exit 1
    $ yuba key revoke FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --policy warn --reason  --namespace acme --target dir:registry
    -- stderr
    error: a reason cannot be empty: say what is wrong and what to do
    hint: say in one plain line what is wrong, and what to do: `it loses records; use 1.1.0`
    -- exit 1
    $ yuba key revoke FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --policy warn --reason   --namespace acme --target dir:registry
    -- stderr
    error: a reason cannot be empty: say what is wrong and what to do
    hint: say in one plain line what is wrong, and what to do: `it loses records; use 1.1.0`
    -- exit 1
    $ yuba key revoke FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --policy warn --reason two\nlines --namespace acme --target dir:registry
    -- stderr
    error: a reason is one line: `two\nlines`
    hint: say in one plain line what is wrong, and what to do: `it loses records; use 1.1.0`
    -- exit 1
    $ yuba key revoke FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --policy warn --reason xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx --namespace acme --target dir:registry
    -- stderr
    error: a reason has at most 200 characters, and this has 201
    hint: say in one plain line what is wrong, and what to do: `it loses records; use 1.1.0`
    -- exit 1
    $ yuba key revoke FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --reason lost --namespace acme --target dir:registry
    -- stderr
    error: the following required arguments were not provided:
      --policy <POLICY>

    Usage: yuba key revoke --namespace <NAME> --reason <TEXT> --policy <POLICY> --target <TARGET> <FINGERPRINT>

    For more information, try '--help'.
    -- exit 1
    $ yuba key revoke FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9 --policy warn --namespace acme --target dir:registry
    -- stderr
    error: the following required arguments were not provided:
      --reason <TEXT>

    Usage: yuba key revoke --namespace <NAME> --reason <TEXT> --policy <POLICY> --target <TARGET> <FINGERPRINT>

    For more information, try '--help'.
    -- exit 1
    ");
    assert_eq!(sandbox.files(), before);
}
