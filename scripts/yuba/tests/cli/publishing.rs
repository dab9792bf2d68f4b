//! `yuba publish`.

use std::fs;
use std::process::Stdio;

use insta::assert_snapshot;
use jiff::SignedDuration;
use yuba_tests::releases::{Key, KeySpec, Release};

use crate::sandbox::Sandbox;

const PUBLISH: [&str; 6] = ["publish", "dist", "--namespace", "acme", "--target", "dir:registry"];

fn release(version: &str) -> Release {
    Release::new("dns", version, &Key::new("acme"))
}

#[test]
fn a_release_is_rehearsed_published_and_published_again() {
    let sandbox = Sandbox::with_registry();
    sandbox.release("dist", release("1.0.0"));
    let before = sandbox.files();
    assert_snapshot!(sandbox.run(&[&PUBLISH[..], &["--dry-run"]].concat()), @"
    $ yuba publish dist --namespace acme --target dir:registry --dry-run
    -- stdout
    create  r2/blob/sha256/[1]
    create  r2/blob/sha256/[2]
    create  r2/meta/release/registry.example/acme/dns/1.0.0/[3]
    create  r2/meta/oci/registry.example/acme/dns/ (5 OCI views)
    create  r2/meta/index
    create  r2/meta/provider/registry.example/acme/dns
    create  kv/oci/registry.example/acme/dns/ (5 OCI views)
    create  kv/release/registry.example/acme/dns/1.0.0/[3]
    exists  kv/namespace/registry.example/acme
    create  kv/index
    create  kv/provider/registry.example/acme/dns

    dry run: registry.example/acme/dns 1.0.0 can be published; nothing was written
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    ");
    assert_eq!(sandbox.files(), before);
    assert_snapshot!(sandbox.run(&PUBLISH), @r#"
    $ yuba publish dist --namespace acme --target dir:registry
    -- stdout
    published: registry.example/acme/dns 1.0.0 (darwin_arm64, linux_amd64)

    Use it with OpenTofu or Terraform:

    terraform {
      required_providers {
        dns = {
          source  = "registry.example/acme/dns"
          version = "1.0.0"
        }
      }
    }
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    "#);
    let published = sandbox.files();
    assert_snapshot!(sandbox.run(&PUBLISH), @r"
    $ yuba publish dist --namespace acme --target dir:registry
    -- stdout
    unchanged: registry.example/acme/dns 1.0.0 is published already
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    ");
    assert_eq!(sandbox.files(), published);
}

#[test]
fn programs_get_one_document() {
    let sandbox = Sandbox::with_registry();
    sandbox.release("dist", release("1.0.0"));
    let json = [&PUBLISH[..], &["--format", "json"]].concat();
    assert_snapshot!(sandbox.run(&json), @r#"
    $ yuba publish dist --namespace acme --target dir:registry --format json
    -- stdout
    {
      "status": "published",
      "target": "dir:[DIR]/registry",
      "address": "registry.example/acme/dns",
      "version": "1.0.0",
      "platforms": [
        "darwin_arm64",
        "linux_amd64"
      ],
      "findings": [],
      "writes": [
        {
          "storage": "r2",
          "key": "blob/sha256/[1]",
          "action": "create"
        },
        {
          "storage": "r2",
          "key": "blob/sha256/[2]",
          "action": "create"
        },
        {
          "storage": "r2",
          "key": "meta/release/registry.example/acme/dns/1.0.0/[3]",
          "action": "create"
        },
        {
          "storage": "r2",
          "key": "meta/oci/registry.example/acme/dns/[1]",
          "action": "create"
        },
        {
          "storage": "r2",
          "key": "meta/oci/registry.example/acme/dns/[4]",
          "action": "create"
        },
        {
          "storage": "r2",
          "key": "meta/oci/registry.example/acme/dns/[5]",
          "action": "create"
        },
        {
          "storage": "r2",
          "key": "meta/oci/registry.example/acme/dns/[2]",
          "action": "create"
        },
        {
          "storage": "r2",
          "key": "meta/oci/registry.example/acme/dns/[6]",
          "action": "create"
        },
        {
          "storage": "r2",
          "key": "meta/index",
          "action": "create"
        },
        {
          "storage": "r2",
          "key": "meta/provider/registry.example/acme/dns",
          "action": "create"
        },
        {
          "storage": "kv",
          "key": "oci/registry.example/acme/dns/[1]",
          "action": "create"
        },
        {
          "storage": "kv",
          "key": "oci/registry.example/acme/dns/[4]",
          "action": "create"
        },
        {
          "storage": "kv",
          "key": "oci/registry.example/acme/dns/[5]",
          "action": "create"
        },
        {
          "storage": "kv",
          "key": "oci/registry.example/acme/dns/[2]",
          "action": "create"
        },
        {
          "storage": "kv",
          "key": "oci/registry.example/acme/dns/[6]",
          "action": "create"
        },
        {
          "storage": "kv",
          "key": "release/registry.example/acme/dns/1.0.0/[3]",
          "action": "create"
        },
        {
          "storage": "kv",
          "key": "namespace/registry.example/acme",
          "action": "exists"
        },
        {
          "storage": "kv",
          "key": "index",
          "action": "create"
        },
        {
          "storage": "kv",
          "key": "provider/registry.example/acme/dns",
          "action": "create"
        }
      ],
      "refusal": null
    }
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    "#);
    for (arguments, status) in [(&json[..], "unchanged"), (&[&json[..], &["--dry-run"]].concat(), "dry-run")] {
        let document: serde_json::Value = serde_json::from_slice(&sandbox.output(arguments).stdout).unwrap();
        assert_eq!(document["status"], status);
    }
}

#[test]
fn a_refused_release_is_told_with_all_its_problems() {
    let sandbox = Sandbox::with_registry();
    let stranger = Release::new("dns", "1.0.0", &Key::new("stranger")).protocols(&["4.0"]);
    sandbox.release("dist", stranger);
    let before = sandbox.files();
    assert_snapshot!(sandbox.run(&PUBLISH), @"
    $ yuba publish dist --namespace acme --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    refused: YB041 terraform-provider-dns_1.0.0_SHA256SUMS.sig: was made by key `B1DDCCAC8FCE4C7A22FCE8A7E4D5CD78E6A7CA89`, which is not registered
      hint: Register the key: `gpg --armor --export KEY > KEY.asc`, then `yuba key add --namespace acme --hostname registry.example KEY.asc --target dir:[DIR]/registry`.
    refused: YB085 terraform-provider-dns_1.0.0_manifest.json: no client speaks `4.0`
      hint: State the version that the provider speaks; one that speaks 4 only has to be rebuilt.
    error: the release is refused for 2 findings
    hint: nothing was published: mend what is listed above, and publish again
    -- exit 1
    ");
    assert_snapshot!(sandbox.run(&[&PUBLISH[..], &["--format", "json"]].concat()), @r#"
    $ yuba publish dist --namespace acme --target dir:registry --format json
    -- stdout
    {
      "status": "refused",
      "target": "dir:[DIR]/registry",
      "address": null,
      "version": null,
      "platforms": [],
      "findings": [
        {
          "code": "YB041",
          "severity": "refuse",
          "subject": "terraform-provider-dns_1.0.0_SHA256SUMS.sig",
          "message": "was made by key `B1DDCCAC8FCE4C7A22FCE8A7E4D5CD78E6A7CA89`, which is not registered",
          "hint": "Register the key: `gpg --armor --export KEY > KEY.asc`, then `yuba key add --namespace acme --hostname registry.example KEY.asc --target dir:[DIR]/registry`."
        },
        {
          "code": "YB085",
          "severity": "refuse",
          "subject": "terraform-provider-dns_1.0.0_manifest.json",
          "message": "no client speaks `4.0`",
          "hint": "State the version that the provider speaks; one that speaks 4 only has to be rebuilt."
        }
      ],
      "writes": [],
      "refusal": {
        "message": "the release is refused for 2 findings",
        "differences": [],
        "hint": "nothing was published: mend what is listed above, and publish again"
      }
    }
    -- stderr
    target: dir:[DIR]/registry
    -- exit 1
    "#);
    assert_eq!(sandbox.files(), before);
}

/// A release may come from anywhere, and so may the names of its files.
#[test]
fn what_a_terminal_would_obey_is_shown() {
    let sandbox = Sandbox::with_registry();
    sandbox.release("dist", release("1.0.0"));
    sandbox.write("dist/terraform-provider-dns_1.0.0_\u{1b}[2J.zip", "");
    assert!(sandbox.run(&PUBLISH).contains("terraform-provider-dns_1.0.0_\\u{1b}[2J.zip: "));
    assert!(
        sandbox
            .run(&["publish", "\u{1b}[2J", "--namespace", "acme", "--target", "dir:registry"])
            .contains("\\u{1b}[2J")
    );
}

#[test]
fn other_content_is_refused_by_what_differs() {
    let sandbox = Sandbox::with_registry();
    sandbox.release("dist", release("1.0.0"));
    sandbox.run(&PUBLISH);
    sandbox.release("dist", release("1.0.0").protocols(&["5.0"]));
    assert_snapshot!(sandbox.run(&PUBLISH), @r"
    $ yuba publish dist --namespace acme --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: version 1.0.0 of `registry.example/acme/dns` is listed with other content
      SHA256SUMS is listed with SHA-256 [1], this release's has [2] for the same archives
      protocols 6.0 are listed, this release has 5.0
    hint: a listed version never changes, since clients have locked it: publish under a new version
    -- exit 1
    ");
}

#[test]
fn a_namespace_must_be_registered_first() {
    let sandbox = Sandbox::with_registry();
    sandbox.release("dist", release("1.0.0"));
    let other = ["publish", "dist", "--namespace", "other", "--target", "dir:registry"];
    assert_snapshot!(sandbox.run(&other), @r"
    $ yuba publish dist --namespace other --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: namespace `registry.example/other` is not registered: no key may sign for it
    hint: register the public key that signs your releases: yuba key add --namespace other --hostname registry.example KEY.asc --target dir:[DIR]/registry
    -- exit 1
    ");
}

/// The release of another registry cannot be made anew: its key may have expired since.
#[test]
fn another_hostname_is_another_origin() {
    let sandbox = Sandbox::with_registry();
    let key = KeySpec { lifetime: Some(SignedDuration::from_hours(60 * 24)), ..KeySpec::new("elsewhere") }.build();
    sandbox.write("KEY.asc", &key.ascii_armor());
    sandbox.release("dist", Release::new("dns", "1.0.0", &key));
    let publish = |hostname: &str| {
        let place = ["--namespace", "other", "--hostname", hostname, "--target", "dir:registry"];
        sandbox.run(&[&["key", "add", "KEY.asc"], &place[..]].concat());
        sandbox.run(&[&["publish", "dist"], &place[..]].concat())
    };
    assert_snapshot!(publish("elsewhere.example"), @r#"
    $ yuba publish dist --namespace other --hostname elsewhere.example --target dir:registry
    -- stdout
    published: elsewhere.example/other/dns 1.0.0 (darwin_arm64, linux_amd64)

    Use it with OpenTofu or Terraform:

    terraform {
      required_providers {
        dns = {
          source  = "elsewhere.example/other/dns"
          version = "1.0.0"
        }
      }
    }
    -- stderr
    target: dir:[DIR]/registry
    warning: YB048 terraform-provider-dns_1.0.0_SHA256SUMS.sig: was made by key `2CF86BC1F8A601E3D4CC66E89E4C3528BDB1B5C2`, which expired on 2024-03-01T00:00:00Z
      hint: Extend it with `gpg --quick-set-expire FINGERPRINT 2y`, export it and register it again with `yuba key add --namespace other --hostname elsewhere.example KEY.asc --target dir:[DIR]/registry`.
    -- exit 0
    "#);
    assert_snapshot!(publish("registry.example"), @"
    $ yuba publish dist --namespace other --hostname registry.example --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    refused: YB048 terraform-provider-dns_1.0.0_SHA256SUMS.sig: was made by key `2CF86BC1F8A601E3D4CC66E89E4C3528BDB1B5C2`, which expired on 2024-03-01T00:00:00Z
      hint: Extend it with `gpg --quick-set-expire FINGERPRINT 2y`, export it and register it again with `yuba key add --namespace other --hostname registry.example KEY.asc --target dir:[DIR]/registry`.
    error: the release is refused for 1 finding
    hint: nothing was published: mend what is listed above, and publish again
    -- exit 1
    ");
}

/// A hint is typed as it stands.
#[test]
fn a_hint_is_of_the_place_that_was_typed() {
    let sandbox = Sandbox::new();
    sandbox.write("KEY.asc", &Key::new("acme").ascii_armor());
    sandbox.release("dist", Release::new("dns", "1.0.0", &Key::new("stranger")));
    let place = ["--namespace", "acme", "--hostname", "other.example", "--target", "dir:it's here"];
    assert_snapshot!(sandbox.run(&[&["publish", "dist"], &place[..]].concat()), @r"
    $ yuba publish dist --namespace acme --hostname other.example --target dir:it\'s here
    -- stderr
    target: dir:[DIR]/it's here
    error: namespace `other.example/acme` is not registered: no key may sign for it
    hint: register the public key that signs your releases: yuba key add --namespace acme --hostname other.example KEY.asc --target 'dir:[DIR]/it'\''s here'
    -- exit 1
    ");
    sandbox.run(&[&["key", "add", "KEY.asc"], &place[..]].concat());
    assert_snapshot!(sandbox.run(&[&["publish", "dist"], &place[..]].concat()), @r"
    $ yuba publish dist --namespace acme --hostname other.example --target dir:it\'s here
    -- stderr
    target: dir:[DIR]/it's here
    refused: YB041 terraform-provider-dns_1.0.0_SHA256SUMS.sig: was made by key `B1DDCCAC8FCE4C7A22FCE8A7E4D5CD78E6A7CA89`, which is not registered
      hint: Register the key: `gpg --armor --export KEY > KEY.asc`, then `yuba key add --namespace acme --hostname other.example KEY.asc --target 'dir:[DIR]/it'\''s here'`.
    error: the release is refused for 1 finding
    hint: nothing was published: mend what is listed above, and publish again
    -- exit 1
    ");
    let unknown = ["key", "list", "--namespace", "nobody", "--hostname", "other.example", "--target", "dir:it's here"];
    assert_snapshot!(sandbox.run(&unknown), @r"
    $ yuba key list --namespace nobody --hostname other.example --target dir:it\'s here
    -- stderr
    target: dir:[DIR]/it's here
    error: namespace `other.example/nobody` is not registered
    hint: see which are: yuba key list --hostname other.example --target 'dir:[DIR]/it'\''s here'
    -- exit 1
    ");
}

/// The release is there, whether anybody can read so or not.
#[test]
fn a_report_that_cannot_be_written_does_not_hide_what_was_done() {
    let sandbox = Sandbox::with_registry();
    sandbox.release("dist", release("1.0.0"));
    let run = |arguments: &[&str]| {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = sandbox.command(arguments).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
        let output = output.wait_with_output().unwrap();
        let printed = String::from_utf8(output.stderr).unwrap();
        let (_target, errors) = printed.split_once('\n').unwrap();
        format!("{errors}-- exit {}\n", output.status.code().unwrap())
    };
    let mut text = run(&[&PUBLISH[..], &["--dry-run"]].concat());
    text += &run(&PUBLISH);
    text += &run(&["key", "add", "--namespace", "acme", "--target", "dir:registry", "KEY.asc"]);
    text += &run(&["key", "list", "--target", "dir:registry"]);
    assert_snapshot!(text, @"
    error: standard output cannot be written
    caused by: No space left on device (os error 28)
    hint: nothing was written: check where standard output goes
    -- exit 2
    error: standard output cannot be written
    caused by: No space left on device (os error 28)
    hint: the release is published all the same: check where standard output goes
    -- exit 2
    warning: key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` is Ed25519, which Terraform 1.5 and older cannot read
      hint: OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign
    error: standard output cannot be written
    caused by: No space left on device (os error 28)
    hint: the keys are registered all the same: check where standard output goes
    -- exit 2
    warning: key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` is Ed25519, which Terraform 1.5 and older cannot read
      hint: OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign
    error: standard output cannot be written
    caused by: No space left on device (os error 28)
    hint: nothing was written: check where standard output goes
    -- exit 2
    ");
    assert!(sandbox.run(&PUBLISH).contains("is published already"));
}

/// A storage that cannot be used is no fault of the input.
#[test]
fn a_failing_storage_is_another_status() {
    let sandbox = Sandbox::with_registry();
    sandbox.release("dist", release("1.0.0"));
    sandbox.write("registry/r2/meta/index", "{\"format\":9}");
    assert_snapshot!(sandbox.run(&PUBLISH), @r"
    $ yuba publish dist --namespace acme --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: cannot announce the release
    caused by: cannot use `meta/index`
    caused by: document has format 9, this yuba reads 1 and older
    hint: a newer yuba wrote this, or storage is damaged: update yuba, and run the same command again
    -- exit 2
    ");
}

#[test]
fn waiting_for_another_publisher_is_told() {
    let sandbox = Sandbox::with_registry();
    sandbox.release("dist", Release::new("dns", "1.0.0", &Key::new("acme")));
    // What a publisher leaves that was killed while it copied.
    sandbox.write("registry/r2/copying/provider/registry.example/acme/dns/00000000000000ff", "");
    let published = sandbox.run(&["publish", "dist", "--namespace", "acme", "--target", "dir:registry"]);
    let note = "note: somebody else is copying `provider/registry.example/acme/dns` to KV, or was killed doing so: \
                waiting for at most 2 seconds";
    assert!(published.contains(note), "{published}");
    assert!(published.ends_with("-- exit 0\n"), "{published}");
}
