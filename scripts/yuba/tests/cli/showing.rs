//! `yuba list` and `yuba show`.

use insta::assert_snapshot;
use yuba_tests::releases::{Key, Release};

use crate::sandbox::Sandbox;

fn run(sandbox: &Sandbox, arguments: &[&str]) -> String {
    sandbox.run_today(&[arguments, &["--target", "dir:registry"]].concat())
}

/// What is said of OCI distribution, and whatever comes after it.
fn oci(text: &str) -> &str {
    &text[text.find("OCI distribution\n").unwrap()..]
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
    assert_snapshot!(text, @r#"
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
      ch:sha256:[2]
      r2/blob/sha256/[1]
      https://registry.example/releases/registry.example/acme/dns/1.1.0/[1]/terraform-provider-dns_1.1.0_darwin_arm64.zip

    linux_amd64  325 bytes  terraform-provider-dns_1.1.0_linux_amd64.zip
      zh:[3]
      h1:k5Q//GhMZ3gx+H0Vmy8ngieDxxBxuHvkBZCmux8xP2Q=
      ch:sha256:[4]
      r2/blob/sha256/[3]
      https://registry.example/releases/registry.example/acme/dns/1.1.0/[3]/terraform-provider-dns_1.1.0_linux_amd64.zip

    stored
      r2/meta/provider/registry.example/acme/dns
      kv/provider/registry.example/acme/dns
      r2/meta/release/registry.example/acme/dns/1.1.0/[5]
      kv/release/registry.example/acme/dns/1.1.0/[5]

    served
      https://registry.example/v1/providers/acme/dns/versions
      https://registry.example/mirror/registry.example/acme/dns/1.1.0.json
      https://registry.example/releases/registry.example/acme/dns/1.1.0/terraform-provider-dns_1.1.0_SHA256SUMS
      https://registry.example/releases/registry.example/acme/dns/1.1.0/terraform-provider-dns_1.1.0_SHA256SUMS.sig

    OCI distribution
      mirror template    registry.example/registry.example/acme/dns:1.1.0
      service discovery  registry.example/acme/dns:1.1.0
      reserved suffix    registry.example/acme/opentofu-provider-dns:1.1.0
      index              sha256:[6]

    OpenTofu 1.10 and newer install it from there by this in the CLI configuration:

    provider_installation {
      oci_mirror {
        repository_template = "registry.example/${hostname}/${namespace}/${type}"
        include             = ["registry.example/acme/dns"]
      }
      direct {
        exclude = ["registry.example/acme/dns"]
      }
    }
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
    "#);
}

#[test]
fn a_version_is_shown_with_what_oci_clients_call_it() {
    let sandbox = Sandbox::with_registry();
    let build = Release::new("dns", "1.0.0-rc.1+build.7", &Key::new("acme"));
    sandbox.release("dist", build);
    run(&sandbox, &["publish", "dist", "--namespace", "acme"]);
    assert_snapshot!(oci(&run(&sandbox, &["show", "acme/dns", "1.0.0-rc.1+build.7"])), @r#"
    OCI distribution
      mirror template    registry.example/registry.example/acme/dns:1.0.0-rc.1_build.7
      service discovery  registry.example/acme/dns:1.0.0-rc.1_build.7
      reserved suffix    registry.example/acme/opentofu-provider-dns:1.0.0-rc.1_build.7
      index              sha256:[6]

    OpenTofu 1.10 and newer install it from there by this in the CLI configuration:

    provider_installation {
      oci_mirror {
        repository_template = "registry.example/${hostname}/${namespace}/${type}"
        include             = ["registry.example/acme/dns"]
      }
      direct {
        exclude = ["registry.example/acme/dns"]
      }
    }
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    "#);
    run(&sandbox, &["key", "add", "KEY.asc", "--namespace", "acme", "--hostname", "bücher.example"]);
    run(&sandbox, &["publish", "dist", "--namespace", "acme", "--hostname", "bücher.example"]);
    assert_snapshot!(oci(&run(&sandbox, &["show", "bücher.example/acme/dns", "1.0.0-rc.1+build.7"])), @r#"
    OCI distribution
      mirror template  registry.example/xn--bcher-kva.example/acme/dns:1.0.0-rc.1_build.7
      index            sha256:[6]

    OpenTofu 1.10 and newer install it from there by this in the CLI configuration:

    provider_installation {
      oci_mirror {
        repository_template = "registry.example/${hostname}/${namespace}/${type}"
        include             = ["xn--bcher-kva.example/acme/dns"]
      }
      direct {
        exclude = ["xn--bcher-kva.example/acme/dns"]
      }
    }
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    "#);
}

#[test]
fn what_oci_clients_cannot_call_is_told() {
    let sandbox = busy();
    let show = ["show", "acme/ほげ", "0.1.0"];
    assert_snapshot!(oci(&run(&sandbox, &show)), @"
    OCI distribution
      mirror template    requested provider address `registry.example/acme/ほげ` contains characters that are not valid in an OCI distribution repository name, so this provider cannot be installed from an OCI repository as `registry.example/acme/ほげ`
      service discovery  requested provider address `acme/ほげ` contains characters that are not valid in an OCI distribution repository name, so this provider cannot be installed from an OCI repository as `acme/ほげ`
      reserved suffix    requested provider address `acme/ほげ` contains characters that are not valid in an OCI distribution repository name, so this provider cannot be installed from an OCI repository as `acme/opentofu-provider-ほげ`
      index              sha256:[6]
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    ");
    let json = run(&sandbox, &[&show[..], &["--format", "json"]].concat());
    assert_snapshot!(&json[json.find("  \"oci\"").unwrap()..], @r#"
      "oci": {
        "index": "sha256:[6]",
        "references": [
          {
            "mapping": "mirror-template",
            "reference": null,
            "refusal": "requested provider address `registry.example/acme/ほげ` contains characters that are not valid in an OCI distribution repository name, so this provider cannot be installed from an OCI repository as `registry.example/acme/ほげ`"
          },
          {
            "mapping": "service-discovery",
            "reference": null,
            "refusal": "requested provider address `acme/ほげ` contains characters that are not valid in an OCI distribution repository name, so this provider cannot be installed from an OCI repository as `acme/ほげ`"
          },
          {
            "mapping": "reserved-suffix",
            "reference": null,
            "refusal": "requested provider address `acme/ほげ` contains characters that are not valid in an OCI distribution repository name, so this provider cannot be installed from an OCI repository as `acme/opentofu-provider-ほげ`"
          }
        ],
        "cli_configuration": null,
        "hint": null
      }
    }
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    "#);
    run(&sandbox, &["key", "add", "KEY.asc", "--namespace", "acme", "--hostname", "mirrored.example:8443"]);
    run(&sandbox, &["publish", "tls", "--namespace", "acme", "--hostname", "mirrored.example:8443"]);
    assert_snapshot!(oci(&run(&sandbox, &["show", "mirrored.example:8443/acme/tls", "0.1.0"])), @"
    OCI distribution
      mirror template  requested provider address `mirrored.example:8443/acme/tls` contains characters that are not valid in an OCI distribution repository name, so this provider cannot be installed from an OCI repository as `mirrored.example:8443/acme/tls`
      index            sha256:[6]
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    ");
}

#[test]
fn a_version_without_an_oci_index_is_told_so() {
    let sandbox = busy();
    sandbox.forget_oci();
    let show = ["show", "acme/dns", "1.2.0"];
    let text = run(&sandbox, &show);
    assert!(!text.contains("ch:sha256:"), "{text}");
    assert_snapshot!(oci(&text), @"
    OCI distribution
      the version is listed without its OCI index, so it has no tag; to derive it: yuba sync --target dir:[DIR]/registry
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    ");
    let json = run(&sandbox, &[&show[..], &["--format", "json"]].concat());
    assert_eq!(json.matches(r#""ch": null"#).count(), 2, "{json}");
    assert_snapshot!(&json[json.find("  \"oci\"").unwrap()..], @r#"
      "oci": {
        "index": null,
        "references": [],
        "cli_configuration": null,
        "hint": "the version is listed without its OCI index, so it has no tag; to derive it: yuba sync --target dir:[DIR]/registry"
      }
    }
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    "#);
    // A digest that is not the version's is as good as none.
    for (path, bytes) in sandbox.files() {
        if path.contains("r2/meta/provider/registry.example/acme/dns") {
            let other = format!(r#""oci_index":"{}""#, "0".repeat(64));
            let provider = String::from_utf8(bytes).unwrap().replace(r#""oci_index":null"#, &other);
            std::fs::write(path, provider).unwrap();
        }
    }
    assert_eq!(run(&sandbox, &show), text);
    sandbox.run(&["sync", "--target", "dir:registry"]);
    assert_eq!(run(&sandbox, &show).matches("ch:sha256:").count(), 2);
    let removed = run(&sandbox, &["show", "acme/dns", "1.0.0", "--format", "json"]);
    assert!(removed.contains("\"oci\": null"), "{removed}");
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
          "ch": "ch:sha256:[2]",
          "storage": "blob/sha256/[1]",
          "url": "https://registry.example/releases/mirrored.example/acme/tls/0.1.0/[1]/terraform-provider-tls_0.1.0_darwin_arm64.zip"
        },
        {
          "platform": "linux_amd64",
          "filename": "terraform-provider-tls_0.1.0_linux_amd64.zip",
          "size": 325,
          "zh": "[3]",
          "h1": "h1:WYoR6qo8Cb3Zke6pTojz75eZE3dkdyE0eAXObsle/NA=",
          "ch": "ch:sha256:[4]",
          "storage": "blob/sha256/[3]",
          "url": "https://registry.example/releases/mirrored.example/acme/tls/0.1.0/[3]/terraform-provider-tls_0.1.0_linux_amd64.zip"
        }
      ],
      "storage": [
        "r2/meta/provider/mirrored.example/acme/tls",
        "kv/provider/mirrored.example/acme/tls",
        "r2/meta/release/mirrored.example/acme/tls/0.1.0/[5]",
        "kv/release/mirrored.example/acme/tls/0.1.0/[5]"
      ],
      "urls": [
        "https://registry.example/mirror/mirrored.example/acme/tls/0.1.0.json",
        "https://registry.example/releases/mirrored.example/acme/tls/0.1.0/terraform-provider-tls_0.1.0_SHA256SUMS",
        "https://registry.example/releases/mirrored.example/acme/tls/0.1.0/terraform-provider-tls_0.1.0_SHA256SUMS.sig"
      ],
      "oci": {
        "index": "sha256:[6]",
        "references": [
          {
            "mapping": "mirror-template",
            "reference": "registry.example/mirrored.example/acme/tls:0.1.0",
            "refusal": null
          }
        ],
        "cli_configuration": "provider_installation {\n  oci_mirror {\n    repository_template = \"registry.example/${hostname}/${namespace}/${type}\"\n    include             = [\"mirrored.example/acme/tls\"]\n  }\n  direct {\n    exclude = [\"mirrored.example/acme/tls\"]\n  }\n}\n",
        "hint": null
      }
    }
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    "#);
}
