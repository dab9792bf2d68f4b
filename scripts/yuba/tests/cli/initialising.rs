//! `yuba init`, with a stand-in for wrangler: a script that keeps an account in files, and says what wrangler 4.86 was
//! heard to say. The wrangler stage of `scripts/test` runs the real one against a double of Cloudflare's API.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use insta::assert_snapshot;

use crate::sandbox::Sandbox;

const COMMITTED: &str = include_str!("../wrangler.toml");

/// `FAIL` holds what it fails with, `KILL` the command after which it kills who called it, `CALLS` what it was called with.
const STAND_IN: &str = r#"#!/bin/sh
cd account || exit 9
echo "$*" >>CALLS
banner() { printf '\n ⛅️ wrangler 4.86.0\n───────────────────\n'; }
fail() {
    printf '\033[31m✘ \033[41;31m[\033[41;97mERROR\033[41;31m]\033[0m \033[1m%s\033[0m\n\n\n🪵  Logs were written to "/x"\n' "$1" >&2
    exit 1
}
if [ -f FAIL ] && [ "$(sed -n 1p FAIL)" = "$1 $2 $3" ]; then fail "$(sed 1d FAIL)"; fi
case "$1 $2 $3" in
    "r2 bucket list")
        banner; echo "Listing buckets..."
        sed 's/^\(.*\)$/name:           \1\ncreation_date:  2026-01-02T03:04:05Z\n/' buckets ;;
    "r2 bucket create")
        if grep -qx "$4" buckets unlisted; then
            fail "A request to the Cloudflare API (/accounts/acc/r2/buckets) failed.

  The bucket you tried to create already exists, and you own it. [code: 10004]"
        fi
        banner; echo "Creating bucket '$4'..."; echo "$4" >>buckets
        printf '✅ Created bucket %s with default storage class of Standard.\n' "'$4'" ;;
    "kv namespace list") cat namespaces ;;
    "kv namespace create")
        banner; printf 'Resource location: remote \n\n🌀 Creating namespace with title "%s"\n✨ Success!\n' "$4"
        printf '[[kv_namespaces]]\nbinding = "METADATA"\nid = "0f2ac74b498b48028cb68387c421e279"\n'
        printf '[\n  {\n    "id": "0f2ac74b498b48028cb68387c421e279",\n    "title": "%s",\n    "supports_url_encoding": true\n  }\n]\n' "$4" >namespaces ;;
    *) fail "Unknown arguments: $*" ;;
esac
if [ -f KILL ] && [ "$(cat KILL)" = "$1 $2 $3" ]; then rm KILL; kill -9 $PPID; fi
"#;

const INIT: [&str; 4] = ["init", "--hostname", "registry.example", "--yes"];

/// A project as it is checked out, with an empty account.
fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("wrangler.toml", COMMITTED);
    sandbox.write("node_modules/.bin/wrangler", STAND_IN);
    let program = sandbox.path().join("node_modules/.bin/wrangler");
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    for (file, content) in [("buckets", ""), ("unlisted", ""), ("namespaces", "[]\n")] {
        sandbox.write(&format!("account/{file}"), content);
    }
    sandbox
}

fn read(sandbox: &Sandbox, file: &str) -> String {
    fs::read_to_string(sandbox.path().join(file)).unwrap_or_default()
}

/// What was created so far.
fn creations(sandbox: &Sandbox) -> Vec<String> {
    let calls = read(sandbox, "account/CALLS");
    calls.lines().filter(|call| call.contains(" create ")).map(str::to_owned).collect()
}

#[test]
fn a_deployment_is_rehearsed_prepared_and_prepared_again() {
    let sandbox = project();
    assert_snapshot!(sandbox.run(&["init", "--hostname", "registry.example", "--dry-run"]), @r"
    $ yuba init --hostname registry.example --dry-run
    -- stdout
    create   R2 bucket yuba-archives
    create   KV namespace yuba-metadata
    write    custom domain: (none) -> registry.example
    write    REGISTRY_HOSTNAME: localhost -> registry.example
    write    KV namespace of METADATA: its new id

    dry run: nothing was created or written
    -- exit 0
    ");
    assert_eq!((read(&sandbox, "wrangler.toml").as_str(), creations(&sandbox)), (COMMITTED, Vec::new()));
    assert_snapshot!(sandbox.run(&INIT), @r"
    $ yuba init --hostname registry.example --yes
    -- stdout
    created  R2 bucket yuba-archives
    created  KV namespace yuba-metadata  0f2ac74b498b48028cb68387c421e279
    wrote    custom domain: (none) -> registry.example
    wrote    REGISTRY_HOSTNAME: localhost -> registry.example
    wrote    KV namespace of METADATA: metadata -> 0f2ac74b498b48028cb68387c421e279

    prepared: registry.example can be deployed

    Next:

      npx wrangler deploy
      yuba doctor
      yuba key add --namespace NAME KEY.asc
    -- exit 0
    ");
    let written = read(&sandbox, "wrangler.toml");
    assert_snapshot!(written, @r#"
    name = "yuba"
    main = "build/index.js"
    compatibility_date = "2026-04-01"
    send_metrics = false
    routes = [{ pattern = "registry.example", custom_domain = true }]

    [build]
    command = "scripts/build-worker"
    watch_dir = "src"

    # As they stand, hostname and id serve this machine alone. `yuba init` sets those of a deployment: see docs/deploy.md.

    [vars]
    # The hostname in the source address of this registry's own providers.
    REGISTRY_HOSTNAME = "registry.example"
    # Where the OCI repositories of its own providers are, if not in this registry: see docs/oci.md.
    # OCI_PROVIDERS = "oci.example/acme/{namespace}-{type}"

    # Copies of the documents, near to every client.
    [[kv_namespaces]]
    binding = "METADATA"
    id = "0f2ac74b498b48028cb68387c421e279"

    # The documents themselves, and the archives.
    [[r2_buckets]]
    binding = "ARCHIVES"
    bucket_name = "yuba-archives"
    "#);
    assert_snapshot!(sandbox.run(&INIT), @r"
    $ yuba init --hostname registry.example --yes
    -- stdout
    kept     R2 bucket yuba-archives
    kept     KV namespace yuba-metadata  0f2ac74b498b48028cb68387c421e279

    unchanged: registry.example is configured already

    Next:

      npx wrangler deploy
      yuba doctor
      yuba key add --namespace NAME KEY.asc
    -- exit 0
    ");
    assert_snapshot!(sandbox.run(&["init"]), @r"
    $ yuba init
    -- stdout
    kept     R2 bucket yuba-archives
    kept     KV namespace yuba-metadata  0f2ac74b498b48028cb68387c421e279

    unchanged: registry.example is configured already

    Next:

      npx wrangler deploy
      yuba doctor
      yuba key add --namespace NAME KEY.asc
    -- exit 0
    ");
    assert_eq!(read(&sandbox, "wrangler.toml"), written);
    assert_eq!(creations(&sandbox).len(), 2);
}

#[test]
fn programs_get_one_document() {
    let sandbox = project();
    let json = [
        &INIT[..],
        &["--bucket", "acme", "--kv-namespace", "acme", "--location", "weur", "--format", "json"],
        &["--jurisdiction", "eu"],
    ];
    assert_snapshot!(sandbox.run(&json.concat()), @r#"
    $ yuba init --hostname registry.example --yes --bucket acme --kv-namespace acme --location weur --format json --jurisdiction eu
    -- stdout
    {
      "status": "prepared",
      "configuration": "[DIR]/wrangler.toml",
      "hostname": "registry.example",
      "bucket": {
        "name": "acme",
        "action": "create"
      },
      "kv_namespace": {
        "name": "acme",
        "id": "0f2ac74b498b48028cb68387c421e279",
        "action": "create"
      },
      "changes": [
        {
          "setting": "custom domain",
          "from": null,
          "to": "registry.example"
        },
        {
          "setting": "REGISTRY_HOSTNAME",
          "from": "localhost",
          "to": "registry.example"
        },
        {
          "setting": "KV namespace of METADATA",
          "from": "metadata",
          "to": "0f2ac74b498b48028cb68387c421e279"
        },
        {
          "setting": "R2 bucket of ARCHIVES",
          "from": "yuba-archives",
          "to": "acme"
        },
        {
          "setting": "jurisdiction of ARCHIVES",
          "from": null,
          "to": "eu"
        }
      ],
      "next": [
        "npx wrangler deploy",
        "yuba doctor",
        "yuba key add --namespace NAME KEY.asc"
      ]
    }
    -- exit 0
    "#);
    assert_eq!(
        creations(&sandbox),
        ["r2 bucket create acme --jurisdiction eu --location weur", "kv namespace create acme"]
    );
}

/// A real process, killed as soon as something was created that nothing names yet.
#[test]
fn a_killed_run_is_completed_by_the_next() {
    for step in ["r2 bucket list", "r2 bucket create", "kv namespace list", "kv namespace create"] {
        let sandbox = project();
        sandbox.write("account/KILL", step);
        assert_eq!(sandbox.output(&INIT).status.code(), None, "{step}");
        assert_eq!(read(&sandbox, "wrangler.toml"), COMMITTED, "{step}");
        let completed = sandbox.run(&INIT);
        assert!(completed.contains("prepared: registry.example can be deployed"), "{completed}");
        assert_eq!(creations(&sandbox), ["r2 bucket create yuba-archives", "kv namespace create yuba-metadata"]);
        assert_eq!(fs::read_dir(sandbox.path()).unwrap().count(), 3, "{step}: nothing is left behind");
    }
}

/// Cloudflare lists the first buckets only.
#[test]
fn a_bucket_that_is_not_listed_is_used_all_the_same() {
    let sandbox = project();
    sandbox.write("account/unlisted", "yuba-archives\n");
    let printed = sandbox.run(&INIT);
    assert!(printed.contains("kept     R2 bucket yuba-archives\n"), "{printed}");
}

#[test]
fn what_is_configured_for_others_is_left_alone() {
    let sandbox = project();
    sandbox.run(&INIT);
    let written = read(&sandbox, "wrangler.toml");
    let mut text = String::new();
    for wish in [["--hostname", "other.example"], ["--bucket", "other"], ["--kv-namespace", "other"]] {
        text += &sandbox.run(&[&["init", "--yes"][..], &wish].concat());
    }
    sandbox.write("account/namespaces", "[]\n");
    text += &sandbox.run(&INIT);
    assert_snapshot!(text, @r"
    $ yuba init --yes --hostname other.example
    -- stderr
    error: `wrangler.toml` is configured for `registry.example`, not for `other.example`
    hint: nothing was changed: for another registry use another checkout; to change this one, edit wrangler.toml by hand
    -- exit 1
    $ yuba init --yes --bucket other
    -- stderr
    error: `wrangler.toml` is configured with the bucket `yuba-archives`, not `other`
    hint: nothing was changed: for another registry use another checkout; to change this one, edit wrangler.toml by hand
    -- exit 1
    $ yuba init --yes --kv-namespace other
    -- stderr
    error: `wrangler.toml` is configured with the KV namespace `yuba-metadata` (`0f2ac74b498b48028cb68387c421e279`), not `other`
    hint: nothing was changed: for another registry use another checkout; to change this one, edit wrangler.toml by hand
    -- exit 1
    $ yuba init --hostname registry.example --yes
    -- stderr
    error: `wrangler.toml` is configured with the KV namespace `0f2ac74b498b48028cb68387c421e279`, which this account does not have
    hint: nothing was changed: for another registry use another checkout; to change this one, edit wrangler.toml by hand
    -- exit 1
    ");
    assert_eq!((read(&sandbox, "wrangler.toml"), creations(&sandbox).len()), (written, 2));
}

#[test]
fn wranglers_trouble_is_told_in_its_words() {
    let cases = [
        (
            "r2 bucket list",
            "In a non-interactive environment, it's necessary to set a CLOUDFLARE_API_TOKEN environment variable for wrangler to work.",
        ),
        (
            "r2 bucket list",
            "A request to the Cloudflare API (/accounts/acc/r2/buckets) failed.\n\n  Please enable R2 through the Cloudflare Dashboard. [code: 10042]",
        ),
        ("kv namespace list", "More than one account available but unable to select one in non-interactive mode."),
        ("kv namespace list", "fetch failed"),
        (
            "kv namespace create",
            "A request to the Cloudflare API (/accounts/acc/storage/kv/namespaces) failed.\n\n  Authentication error [code: 10000]",
        ),
        ("kv namespace create", "Something else."),
    ];
    let mut text = String::new();
    for (command, words) in cases {
        let sandbox = project();
        sandbox.write("account/FAIL", &format!("{command}\n{words}\n"));
        text += &sandbox.run(&INIT);
        assert_eq!(read(&sandbox, "wrangler.toml"), COMMITTED);
    }
    assert_snapshot!(text, @r"
    $ yuba init --hostname registry.example --yes
    -- stderr
    error: `wrangler r2 bucket list` failed
    caused by: In a non-interactive environment, it's necessary to set a CLOUDFLARE_API_TOKEN environment variable for wrangler to work.
    hint: log in with `npx wrangler login`, or set CLOUDFLARE_API_TOKEN (docs/deploy.md says with which permissions); then run the same command again
    -- exit 2
    $ yuba init --hostname registry.example --yes
    -- stderr
    error: `wrangler r2 bucket list` failed
    caused by: A request to the Cloudflare API (/accounts/acc/r2/buckets) failed.
    Please enable R2 through the Cloudflare Dashboard. [code: 10042]
    hint: take up R2 once in Cloudflare's dashboard (R2 Object Storage; it has a free tier); then run the same command again
    -- exit 2
    $ yuba init --hostname registry.example --yes
    -- stderr
    error: `wrangler kv namespace list` failed
    caused by: More than one account available but unable to select one in non-interactive mode.
    hint: set CLOUDFLARE_ACCOUNT_ID to the account that the registry belongs to; then run the same command again
    -- exit 2
    $ yuba init --hostname registry.example --yes
    -- stderr
    error: `wrangler kv namespace list` failed
    caused by: fetch failed
    hint: check this machine's way to api.cloudflare.com; then run the same command again
    -- exit 2
    $ yuba init --hostname registry.example --yes
    -- stderr
    error: `wrangler kv namespace create yuba-metadata` failed
    caused by: A request to the Cloudflare API (/accounts/acc/storage/kv/namespaces) failed.
    Authentication error [code: 10000]
    hint: log in again with `npx wrangler login`, or give CLOUDFLARE_API_TOKEN the permissions Workers KV Storage: Edit and Workers R2 Storage: Edit, and check CLOUDFLARE_ACCOUNT_ID; then run the same command again
    -- exit 2
    $ yuba init --hostname registry.example --yes
    -- stderr
    error: `wrangler kv namespace create yuba-metadata` failed
    caused by: Something else.
    hint: do what wrangler says; then run the same command again
    -- exit 2
    ");
}

#[test]
fn what_cannot_be_prepared_is_refused_before_anything_is_created() {
    let sandbox = project();
    let mut text = sandbox.run(&["init", "--yes"]);
    text += &sandbox.run(&["init", "--hostname", "localhost", "--yes"]);
    text += &sandbox.run(&["init", "--hostname", "https://registry.example", "--yes"]);
    text += &sandbox.run(&["init", "--hostname", "registry.example", "--bucket", "Acme_1", "--yes"]);
    text += &sandbox.run(&["init", "--hostname", "registry.example"]);
    sandbox.write("wrangler.toml", &COMMITTED.replace("METADATA", "OTHER"));
    text += &sandbox.run(&INIT);
    sandbox.write("wrangler.toml", "name = ");
    text += &sandbox.run(&INIT);
    sandbox.write("wrangler.toml", COMMITTED);
    assert_eq!(creations(&sandbox), [""; 0]);
    fs::remove_file(sandbox.path().join("node_modules/.bin/wrangler")).unwrap();
    text += &sandbox.run(&INIT);
    text += &Sandbox::new().run(&INIT);
    assert_snapshot!(text, @r"
    $ yuba init --yes
    -- stderr
    error: the registry's hostname is not known
    hint: name it: `--hostname registry.example`
    -- exit 1
    $ yuba init --hostname localhost --yes
    -- stderr
    error: invalid value 'localhost' for '--hostname <HOST>': `localhost` is no domain that clients elsewhere can reach

    For more information, try '--help'.
    -- exit 1
    $ yuba init --hostname https://registry.example --yes
    -- stderr
    error: invalid value 'https://registry.example' for '--hostname <HOST>': `https://registry.example` is a URL: name only its host

    For more information, try '--help'.
    -- exit 1
    $ yuba init --hostname registry.example --bucket Acme_1 --yes
    -- stderr
    error: invalid value 'Acme_1' for '--bucket <NAME>': `Acme_1` is no bucket name: 3 to 63 lower-case letters, digits and inner dashes

    For more information, try '--help'.
    -- exit 1
    $ yuba init --hostname registry.example
    -- stderr
    error: nobody can be asked whether that is right
    hint: see what would be done with `--dry-run`, then add `--yes`
    -- exit 1
    $ yuba init --hostname registry.example --yes
    -- stderr
    error: `[DIR]/wrangler.toml` has no `kv_namespaces` entry with the binding `METADATA`
    hint: mend the file, or start from the project's own: git checkout wrangler.toml
    -- exit 1
    $ yuba init --hostname registry.example --yes
    -- stderr
    error: cannot understand `[DIR]/wrangler.toml`: TOML parse error at line 1, column 8
      |
    1 | name = 
      |        ^
    string values must be quoted, expected literal string
    hint: mend the file, or start from the project's own: git checkout wrangler.toml
    -- exit 1
    $ yuba init --hostname registry.example --yes
    -- stderr
    error: the project has no wrangler: `[DIR]/node_modules/.bin/wrangler` is missing
    hint: run `scripts/setup` in the project: it installs what package-lock.json names; then run the same command again
    -- exit 2
    $ yuba init --hostname registry.example --yes
    -- stderr
    error: no `wrangler.toml` is here or above
    hint: run this in a checkout of the registry, whose `wrangler.toml` the deployment is written into
    -- exit 1
    ");
}
