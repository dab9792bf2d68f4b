//! `--target cloudflare`: chosen by the credentials, configured by `wrangler.toml`, and told apart from everything else.

use insta::assert_snapshot;
use yuba_tests::cloudflare::{ACCOUNT, BUCKET, Cloudflare, Fault, KV_NAMESPACE, Permission};
use yuba_tests::releases::{Key, Release};

use crate::sandbox::Sandbox;

const PUBLISH: [&str; 4] = ["publish", "dist", "--namespace", "acme"];

const KEY_ADD: [&str; 5] = ["key", "add", "--namespace", "acme", "KEY.asc"];

/// A fresh account, unless there is no S3 server here.
fn started() -> Option<Cloudflare> {
    Cloudflare::start().map_err(|reason| println!("skipped: {reason}")).ok()
}

fn configuration(namespace: &str) -> String {
    format!(
        "account_id = \"{ACCOUNT}\"\n[vars]\nREGISTRY_HOSTNAME = \"registry.example\"\n\
         [[kv_namespaces]]\nbinding = \"METADATA\"\nid = \"{namespace}\"\n\
         [[r2_buckets]]\nbinding = \"ARCHIVES\"\nbucket_name = \"{BUCKET}\"\n"
    )
}

/// A project with a registry at `cloudflare`, and a release.
fn project(cloudflare: &Cloudflare) -> Sandbox {
    let sandbox = bare().at(cloudflare);
    sandbox.write("wrangler.toml", &configuration(KV_NAMESPACE));
    sandbox
}

/// A key and a release, and nothing that says where they go.
fn bare() -> Sandbox {
    let sandbox = Sandbox::new();
    let key = Key::new("acme");
    sandbox.write("KEY.asc", &key.ascii_armor());
    sandbox.release("dist", Release::new("dns", "1.0.0", &key));
    sandbox
}

#[test]
fn credentials_are_enough_to_publish() {
    let Some(cloudflare) = started() else { return };
    let sandbox = project(&cloudflare);
    let added = sandbox.run(&KEY_ADD);
    assert!(added.ends_with("-- exit 0\n"), "{added}");
    assert_snapshot!(sandbox.run(&[&PUBLISH[..], &["--dry-run"]].concat()), @r"
    $ yuba publish dist --namespace acme --dry-run
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
    target: cloudflare (bucket yuba-archives, KV namespace 0f2ac74b498b48028cb68387c421e279)
    -- exit 0
    ");
    assert_snapshot!(sandbox.run(&PUBLISH), @r#"
    $ yuba publish dist --namespace acme
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
    target: cloudflare (bucket yuba-archives, KV namespace 0f2ac74b498b48028cb68387c421e279)
    -- exit 0
    "#);
    assert_snapshot!(sandbox.run(&PUBLISH), @r"
    $ yuba publish dist --namespace acme
    -- stdout
    unchanged: registry.example/acme/dns 1.0.0 is published already
    -- stderr
    target: cloudflare (bucket yuba-archives, KV namespace 0f2ac74b498b48028cb68387c421e279)
    -- exit 0
    ");
    assert!(cloudflare.object(BUCKET, "meta/provider/registry.example/acme/dns").exists());
    let copies: Vec<_> = cloudflare.api.namespace(KV_NAMESPACE).into_keys().collect();
    // The index, the namespace, the provider, the release, and its five OCI views.
    assert_eq!(copies.len(), 4 + 5, "{copies:?}");
    let listed = sandbox.run(&["key", "list"]);
    assert!(listed.contains("registry.example/acme") && listed.ends_with("-- exit 0\n"), "{listed}");
}

/// A provider's own repository has no `wrangler.toml`.
#[test]
fn a_registry_is_named_by_a_file_elsewhere_or_by_variables() {
    let Some(cloudflare) = started() else { return };
    let sandbox = bare().at(&cloudflare);
    sandbox.write("elsewhere/registry.toml", &configuration(KV_NAMESPACE));
    let elsewhere = ["--config", "elsewhere/registry.toml"];
    assert_snapshot!(sandbox.run(&[&KEY_ADD[..], &elsewhere].concat()).replace(ACCOUNT, "[ACCOUNT]"), @r"
    $ yuba key add --namespace acme KEY.asc --config elsewhere/registry.toml
    -- stdout
    added: FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9  Ed25519  never expires  acme in registry.example/acme
    -- stderr
    target: cloudflare (bucket yuba-archives, KV namespace 0f2ac74b498b48028cb68387c421e279)
    warning: key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` is Ed25519, which Terraform 1.5 and older cannot read
      hint: OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign
    -- exit 0
    ");
    let named = sandbox
        .set("CLOUDFLARE_ACCOUNT_ID", ACCOUNT)
        .set("YUBA_R2_BUCKET", BUCKET)
        .set("YUBA_KV_NAMESPACE_ID", KV_NAMESPACE);
    assert_snapshot!(named.run(&[&PUBLISH[..], &["--hostname", "registry.example"]].concat()), @r#"
    $ yuba publish dist --namespace acme --hostname registry.example
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
    target: cloudflare (bucket yuba-archives, KV namespace 0f2ac74b498b48028cb68387c421e279)
    -- exit 0
    "#);
}

/// Beside credentials, what was typed and `scripts/dev` come first.
#[test]
fn credentials_alone_decide_only_where_nothing_else_does() {
    let Some(cloudflare) = started() else { return };
    let sandbox = project(&cloudflare);
    let typed = sandbox.run(&["key", "list", "--target", "dir:nowhere"]);
    assert!(typed.contains("target: dir:[DIR]/nowhere\n"), "{typed}");
    let inside = sandbox.set("YUBA_STATE", "state");
    inside.write("state/yuba.json", "{}");
    let inside = inside.run(&["key", "list"]);
    assert!(inside.contains("target: local ([DIR]/state)\n"), "{inside}");
    assert_eq!(cloudflare.r2.faults.requests(), [""; 0]);
}

#[test]
fn what_is_not_configured_is_named() {
    let sandbox = bare();
    let mut text = sandbox.run(&["key", "list", "--target", "cloudflare"]);
    let sandbox = sandbox.set("CLOUDFLARE_API_TOKEN", "two words");
    text += &sandbox.run(&["key", "list"]);
    let sandbox = sandbox.set("CLOUDFLARE_API_TOKEN", "s3cr3t");
    text += &sandbox.run(&["key", "list"]);
    text += &sandbox.run(&["key", "list", "--config", "nowhere.toml"]);
    sandbox.write("wrangler.toml", "");
    text += &sandbox.run(&["key", "list"]);
    let sandbox = sandbox.set("CLOUDFLARE_ACCOUNT_ID", ACCOUNT);
    text += &sandbox.run(&["key", "list"]);
    sandbox.write("wrangler.toml", &configuration(KV_NAMESPACE).replace("METADATA", "OTHER"));
    text += &sandbox.run(&["key", "list"]);
    sandbox.write("wrangler.toml", &configuration("metadata"));
    text += &sandbox.run(&["key", "list"]);
    sandbox.write("wrangler.toml", &configuration(KV_NAMESPACE).replace(BUCKET, "A_Bucket"));
    text += &sandbox.run(&["key", "list"]);
    sandbox.write("wrangler.toml", &configuration(KV_NAMESPACE));
    let sandbox = sandbox.set("R2_ACCESS_KEY_ID", "id");
    text += &sandbox.run(&["key", "list"]);
    let sandbox = sandbox.set("R2_ACCESS_KEY_ID", "").set("YUBA_R2_URL", "https://r2.example");
    text += &sandbox.run(&["key", "list"]);
    assert!(!text.contains("s3cr3t") && !text.contains("two words"), "{text}");
    assert_snapshot!(text, @r"
    $ yuba key list --target cloudflare
    -- stderr
    error: CLOUDFLARE_API_TOKEN is not set
    hint: make a token with the permissions `Workers R2 Storage: Edit` and `Workers KV Storage: Edit` under My Profile > API Tokens, and set CLOUDFLARE_API_TOKEN to it
    -- exit 1
    $ yuba key list
    -- stderr
    error: CLOUDFLARE_API_TOKEN is not one word of ASCII
    hint: set it to the token alone, without quotes or a line break
    -- exit 1
    $ yuba key list
    -- stderr
    error: the bucket is not known: no `wrangler.toml` is here or above, and YUBA_R2_BUCKET is not set
    hint: name the registry's `wrangler.toml` with `--config FILE`, or set YUBA_R2_BUCKET and YUBA_KV_NAMESPACE_ID
    -- exit 1
    $ yuba key list --config nowhere.toml
    -- stderr
    error: cannot read `[DIR]/nowhere.toml`
    caused by: No such file or directory (os error 2)
    hint: mend the file, or name another with `--config FILE`
    -- exit 1
    $ yuba key list
    -- stderr
    error: the account is not known: CLOUDFLARE_ACCOUNT_ID is not set
    hint: set CLOUDFLARE_ACCOUNT_ID, or `account_id` in `wrangler.toml`; the dashboard shows it, and so does `npx wrangler whoami`
    -- exit 1
    $ yuba key list
    -- stderr
    error: `[DIR]/wrangler.toml` has no binding `ARCHIVES` of a bucket
    hint: bind the bucket as ARCHIVES and the KV namespace as METADATA, as the registry's own `wrangler.toml` does
    -- exit 1
    $ yuba key list
    -- stderr
    error: `[DIR]/wrangler.toml` has no binding `METADATA` of a KV namespace
    hint: bind the bucket as ARCHIVES and the KV namespace as METADATA, as the registry's own `wrangler.toml` does
    -- exit 1
    $ yuba key list
    -- stderr
    error: cannot use `[DIR]/wrangler.toml`
    caused by: `metadata` is no KV namespace id: 32 hexadecimal digits
    hint: `npx wrangler kv namespace list` shows the ids there are, `npx wrangler kv namespace create METADATA` makes one
    -- exit 1
    $ yuba key list
    -- stderr
    error: cannot use `[DIR]/wrangler.toml`
    caused by: `A_Bucket` is no bucket name: 3 to 63 lower-case letters, digits and inner dashes
    hint: `npx wrangler r2 bucket list` shows the buckets there are
    -- exit 1
    $ yuba key list
    -- stderr
    error: R2_ACCESS_KEY_ID is set, but R2_SECRET_ACCESS_KEY is not
    hint: set both, or neither: the token's own pair is used where there is none
    -- exit 1
    $ yuba key list
    -- stderr
    error: `https://r2.example` is not http:// on this machine: credentials are sent to Cloudflare or to nobody
    hint: unset YUBA_R2_URL, which is for tests
    -- exit 1
    ");
}

/// What Cloudflare refuses is told with what would help, whatever the command was.
#[test]
fn a_missing_permission_is_told() {
    let Some(cloudflare) = started() else { return };
    let sandbox = project(&cloudflare);
    cloudflare.r2.permit(Permission::Read);
    assert_snapshot!(sandbox.run(&KEY_ADD), @r"
    $ yuba key add --namespace acme KEY.asc
    -- stderr
    target: cloudflare (bucket yuba-archives, KV namespace 0f2ac74b498b48028cb68387c421e279)
    error: cannot write `meta/namespace/registry.example/acme`
    caused by: R2 refuses this to the token: it lacks the permission `Workers R2 Storage: Edit` for bucket `yuba-archives` (AccessDenied: Access Denied)
    hint: add `Workers R2 Storage: Edit` to the token (the dashboard: My Profile > API Tokens), or `Object Read & Write` for this bucket to the R2 token; check that the account id is the bucket's
    -- exit 2
    ");
    cloudflare.r2.permit(Permission::None);
    assert_snapshot!(sandbox.run(&PUBLISH), @r"
    $ yuba publish dist --namespace acme
    -- stderr
    target: cloudflare (bucket yuba-archives, KV namespace 0f2ac74b498b48028cb68387c421e279)
    error: cannot verify the release
    caused by: cannot read `meta/namespace/registry.example/acme`
    caused by: R2 refuses this to the token: it lacks the permission `Workers R2 Storage: Edit` for bucket `yuba-archives` (AccessDenied: Access Denied)
    hint: add `Workers R2 Storage: Edit` to the token (the dashboard: My Profile > API Tokens), or `Object Read & Write` for this bucket to the R2 token; check that the account id is the bucket's
    -- exit 2
    ");
}

/// A storm in the middle of a publish is ridden out without a word.
#[test]
fn a_publish_survives_a_storm() {
    let Some(cloudflare) = started() else { return };
    let sandbox = project(&cloudflare);
    sandbox.run(&KEY_ADD);
    let storm = |number: usize, _: &str| match number % 3 {
        0 => Fault::CutAfter,
        1 => Fault::Status(503),
        _ => Fault::None,
    };
    cloudflare.r2.faults.set(storm);
    cloudflare.api.faults.set(storm);
    let published = sandbox.run(&PUBLISH);
    assert!(published.contains("published: registry.example/acme/dns 1.0.0"), "{published}");
}
