//! `yuba list` and `yuba show`.

use insta::assert_snapshot;
use yuba_tests::releases::{Key, Release};

use crate::sandbox::Sandbox;

fn run(sandbox: &Sandbox, arguments: &[&str]) -> String {
    sandbox.run_today(&[arguments, &["--target", "dir:registry"]].concat())
}

/// A registry in which something of everything was done.
fn busy() -> Sandbox {
    let sandbox = Sandbox::with_versions(&["1.0.0", "1.1.0", "1.2.0", "2.0.0-rc.1"]);
    let publish = |r#type: &str, place: &[&str]| {
        sandbox.release(r#type, Release::new(r#type, "0.1.0", &Key::new("acme")));
        run(&sandbox, &[&["publish", r#type, "--namespace", "acme"], place].concat());
    };
    publish("ほげ", &[]);
    run(&sandbox, &["key", "add", "KEY.asc", "--namespace", "acme", "--hostname", "mirrored.example"]);
    publish("tls", &["--hostname", "mirrored.example"]);
    run(&sandbox, &["yank", "acme/dns", "1.1.0", "--reason", "it loses records"]);
    run(&sandbox, &["remove", "acme/dns", "1.0.0", "--reason", "court order 7", "--yes-break-locked-users"]);
    run(&sandbox, &["deprecate", "acme/dns", "--reason", "it moved", "--successor", "acme/names"]);
    sandbox
}

#[test]
fn providers_are_listed() {
    let sandbox = busy();
    let mut text = run(&sandbox, &["list"]);
    text += &run(&sandbox, &["list", "--hostname", "mirrored.example"]);
    text += &run(&sandbox, &["list", "--namespace", "nobody"]);
    text += &run(&sandbox, &["list", "--format", "json", "--hostname", "registry.example"]);
    text += &sandbox.run(&["list", "--target", "dir:nowhere"]);
    assert_snapshot!(text, @r#"
    $ yuba list --target dir:registry
    -- stdout
    PROVIDER                    NEWEST  VERSIONS  STATUS
    mirrored.example/acme/tls   0.1.0   1
    registry.example/acme/dns   1.2.0   3         deprecated, 1 yanked, 1 removed
    registry.example/acme/ほげ  0.1.0   1
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    $ yuba list --hostname mirrored.example --target dir:registry
    -- stdout
    PROVIDER                   NEWEST  VERSIONS  STATUS
    mirrored.example/acme/tls  0.1.0   1
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    $ yuba list --namespace nobody --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    no such provider was published yet
    -- exit 0
    $ yuba list --format json --hostname registry.example --target dir:registry
    -- stdout
    {
      "target": "dir:[DIR]/registry",
      "providers": [
        {
          "address": "registry.example/acme/dns",
          "newest": "1.2.0",
          "versions": 3,
          "yanked": 1,
          "removed": 1,
          "deprecation": {
            "reason": "it moved",
            "successor": "registry.example/acme/names",
            "at": "[TIME]"
          }
        },
        {
          "address": "registry.example/acme/ほげ",
          "newest": "0.1.0",
          "versions": 1,
          "yanked": 0,
          "removed": 0,
          "deprecation": null
        }
      ]
    }
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    $ yuba list --target dir:nowhere
    -- stderr
    target: dir:[DIR]/nowhere
    error: `[DIR]/nowhere` is no directory
    hint: `--target dir:PATH` names the registry's files: the first `yuba key add` makes them
    -- exit 1
    "#);
}

#[test]
fn a_provider_is_shown_newest_version_first() {
    let sandbox = busy();
    let mut text = run(&sandbox, &["show", "acme/dns"]);
    text += &run(&sandbox, &["show", "acme/dns", "--limit", "2"]);
    text += &run(&sandbox, &["show", "acme/dns", "--limit", "1", "--format", "json"]);
    text += &run(&sandbox, &["show", "acme/nds"]);
    assert_snapshot!(text, @r#"
    $ yuba show acme/dns --target dir:registry
    -- stdout
    registry.example/acme/dns
    deprecated since [TIME], use registry.example/acme/names instead: it moved
    key FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9  Ed25519  never expires  acme

    VERSION     PUBLISHED   KEY               PLATFORMS                  STATUS
    2.0.0-rc.1  [DATE]  [1]  darwin_arm64, linux_amd64  listed
    1.2.0       [DATE]  [1]  darwin_arm64, linux_amd64  listed
    1.1.0       [DATE]  [1]  darwin_arm64, linux_amd64  yanked: it loses records
    1.0.0       [DATE]  [1]  darwin_arm64, linux_amd64  removed: court order 7
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    $ yuba show acme/dns --limit 2 --target dir:registry
    -- stdout
    registry.example/acme/dns
    deprecated since [TIME], use registry.example/acme/names instead: it moved
    key FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9  Ed25519  never expires  acme

    VERSION     PUBLISHED   KEY               PLATFORMS                  STATUS
    2.0.0-rc.1  [DATE]  [1]  darwin_arm64, linux_amd64  listed
    1.2.0       [DATE]  [1]  darwin_arm64, linux_amd64  listed

    2 older: add `--limit 4` to see all
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    $ yuba show acme/dns --limit 1 --format json --target dir:registry
    -- stdout
    {
      "target": "dir:[DIR]/registry",
      "address": "registry.example/acme/dns",
      "newest": "1.2.0",
      "deprecation": {
        "reason": "it moved",
        "successor": "registry.example/acme/names",
        "at": "[TIME]"
      },
      "signing_keys": [
        {
          "fingerprint": "FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9",
          "user_ids": [
            "acme"
          ],
          "algorithm": "Ed25519",
          "created": "[TIME]",
          "expires": null,
          "added": "[TIME]",
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
        }
      ],
      "versions": [
        {
          "version": "2.0.0-rc.1",
          "status": {
            "state": "listed"
          },
          "published": "[TIME]",
          "protocols": [
            "6.0"
          ],
          "platforms": [
            "darwin_arm64",
            "linux_amd64"
          ],
          "signing_key": "FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9"
        }
      ]
    }
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    $ yuba show acme/nds --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: provider `registry.example/acme/nds` is not in this registry
    hint: did you mean `registry.example/acme/dns`? See which there are: yuba list --target dir:[DIR]/registry
    -- exit 1
    "#);
}

#[test]
fn a_version_is_shown_with_all_that_is_known_of_it() {
    let sandbox = busy();
    let mut text = run(&sandbox, &["show", "acme/dns", "1.1.0"]);
    text += &run(&sandbox, &["show", "acme/dns", "1.0.0"]);
    text += &run(&sandbox, &["show", "acme/dns", "1.3.0"]);
    assert_snapshot!(text, @r"
    $ yuba show acme/dns 1.1.0 --target dir:registry
    -- stdout
    registry.example/acme/dns 1.1.0
    status     yanked since [TIME]: it loses records
    published  [TIME]
    signed     [TIME]
    protocols  6.0
    key        FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9  Ed25519  never expires  acme

    darwin_arm64  325 bytes  terraform-provider-dns_1.1.0_darwin_arm64.zip
      zh:[1]
      h1:Tz7ASgfAA9wn1CJhX9dn5RCii+Xi09swpRlJNKGAEVg=
      r2/blob/sha256/[1]
      https://registry.example/releases/registry.example/acme/dns/1.1.0/[1]/terraform-provider-dns_1.1.0_darwin_arm64.zip

    linux_amd64  325 bytes  terraform-provider-dns_1.1.0_linux_amd64.zip
      zh:[2]
      h1:k5Q//GhMZ3gx+H0Vmy8ngieDxxBxuHvkBZCmux8xP2Q=
      r2/blob/sha256/[2]
      https://registry.example/releases/registry.example/acme/dns/1.1.0/[2]/terraform-provider-dns_1.1.0_linux_amd64.zip

    stored
      r2/meta/provider/registry.example/acme/dns
      kv/provider/registry.example/acme/dns
      r2/meta/release/registry.example/acme/dns/1.1.0/[3]
      kv/release/registry.example/acme/dns/1.1.0/[3]

    served
      https://registry.example/v1/providers/acme/dns/versions
      https://registry.example/mirror/registry.example/acme/dns/1.1.0.json
      https://registry.example/releases/registry.example/acme/dns/1.1.0/terraform-provider-dns_1.1.0_SHA256SUMS
      https://registry.example/releases/registry.example/acme/dns/1.1.0/terraform-provider-dns_1.1.0_SHA256SUMS.sig
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    $ yuba show acme/dns 1.0.0 --target dir:registry
    -- stdout
    registry.example/acme/dns 1.0.0
    status     removed on [TIME]: court order 7; nothing of it is served
    published  [TIME]
    protocols  6.0
    key        FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9  Ed25519  never expires  acme

    stored
      r2/meta/provider/registry.example/acme/dns
      kv/provider/registry.example/acme/dns
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    $ yuba show acme/dns 1.3.0 --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: provider `registry.example/acme/dns` has no version `1.3.0`
    hint: the nearest are `1.2.0` and `2.0.0-rc.1`; see all: yuba show registry.example/acme/dns --target dir:[DIR]/registry
    -- exit 1
    ");
}

#[test]
fn a_mirrored_version_is_shown_to_programs() {
    let show = ["show", "mirrored.example/acme/tls", "0.1.0", "--format", "json"];
    assert_snapshot!(run(&busy(), &show), @r#"
    $ yuba show mirrored.example/acme/tls 0.1.0 --format json --target dir:registry
    -- stdout
    {
      "target": "dir:[DIR]/registry",
      "address": "mirrored.example/acme/tls",
      "version": "0.1.0",
      "status": {
        "state": "listed"
      },
      "published": "[TIME]",
      "protocols": [
        "6.0"
      ],
      "fingerprint": "FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9",
      "signing_key": {
        "fingerprint": "FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9",
        "user_ids": [
          "acme"
        ],
        "algorithm": "Ed25519",
        "created": "[TIME]",
        "expires": null,
        "added": "[TIME]",
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
      "signed": "[TIME]",
      "source": null,
      "licence": null,
      "packages": [
        {
          "platform": "darwin_arm64",
          "filename": "terraform-provider-tls_0.1.0_darwin_arm64.zip",
          "size": 325,
          "zh": "[1]",
          "h1": "h1:8YK6e0PArGPMZKYbw7htrr0MCBXTN5SsVuZe+K352Lc=",
          "storage": "blob/sha256/[1]",
          "url": "https://registry.example/releases/mirrored.example/acme/tls/0.1.0/[1]/terraform-provider-tls_0.1.0_darwin_arm64.zip"
        },
        {
          "platform": "linux_amd64",
          "filename": "terraform-provider-tls_0.1.0_linux_amd64.zip",
          "size": 325,
          "zh": "[2]",
          "h1": "h1:WYoR6qo8Cb3Zke6pTojz75eZE3dkdyE0eAXObsle/NA=",
          "storage": "blob/sha256/[2]",
          "url": "https://registry.example/releases/mirrored.example/acme/tls/0.1.0/[2]/terraform-provider-tls_0.1.0_linux_amd64.zip"
        }
      ],
      "storage": [
        "r2/meta/provider/mirrored.example/acme/tls",
        "kv/provider/mirrored.example/acme/tls",
        "r2/meta/release/mirrored.example/acme/tls/0.1.0/[3]",
        "kv/release/mirrored.example/acme/tls/0.1.0/[3]"
      ],
      "urls": [
        "https://registry.example/mirror/mirrored.example/acme/tls/0.1.0.json",
        "https://registry.example/releases/mirrored.example/acme/tls/0.1.0/terraform-provider-tls_0.1.0_SHA256SUMS",
        "https://registry.example/releases/mirrored.example/acme/tls/0.1.0/terraform-provider-tls_0.1.0_SHA256SUMS.sig"
      ]
    }
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    "#);
}
