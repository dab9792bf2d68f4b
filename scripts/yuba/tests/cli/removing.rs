//! `yuba remove`.

use insta::assert_snapshot;

use crate::sandbox::Sandbox;

const REMOVE: [&str; 7] = ["remove", "acme/dns", "1.0.0", "--reason", "court order 7", "--target", "dir:registry"];
const CONFIRMED: &str = "--yes-break-locked-users";

fn run(sandbox: &Sandbox, arguments: &[&str]) -> String {
    sandbox.run_today(&[arguments, &["--target", "dir:registry"]].concat())
}

#[test]
fn nobody_is_broken_by_accident() {
    let sandbox = Sandbox::with_versions(&["1.0.0", "1.1.0"]);
    let before = sandbox.files();
    assert_snapshot!(sandbox.run(&REMOVE), @r"
    $ yuba remove acme/dns 1.0.0 --reason court order 7 --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: removing registry.example/acme/dns 1.0.0 breaks the next `init` of everybody who has it in a lock file
    hint: to warn of it and break nobody: yuba yank registry.example/acme/dns 1.0.0 --reason TEXT --target dir:[DIR]/registry; to see what would be deleted, add `--dry-run`; if it must not be served, add `--yes-break-locked-users`
    -- exit 1
    ");
    assert_snapshot!(sandbox.run_today(&[&REMOVE[..], &["--dry-run"]].concat()), @r"
    $ yuba remove acme/dns 1.0.0 --reason court order 7 --target dir:registry --dry-run
    -- stdout
    swap    r2/meta/provider/registry.example/acme/dns
    swap    kv/provider/registry.example/acme/dns
    delete  kv/release/registry.example/acme/dns/1.0.0/[1]
    delete  kv/oci/registry.example/acme/dns/ (5 OCI views)
    delete  r2/meta/oci/registry.example/acme/dns/ (5 OCI views)
    delete  r2/blob/sha256/[2]
    delete  r2/blob/sha256/[3]
    delete  r2/meta/release/registry.example/acme/dns/1.0.0/[1]

    dry run: registry.example/acme/dns 1.0.0 would be removed; nothing was written

    If there is a cache in front of the registry, purge there what starts with /releases/registry.example/acme/dns/1.0.0/
    and what is below /v2/ and ends in one of 5 digests, which `--format json` lists
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    ");
    assert_eq!(sandbox.files(), before);
}

#[test]
fn a_version_is_removed_for_good() {
    let sandbox = Sandbox::with_versions(&["1.0.0", "1.1.0"]);
    let confirmed = [&REMOVE[..], &[CONFIRMED]].concat();
    let mut text = sandbox.run_today(&confirmed);
    let removed = sandbox.files();
    text += &sandbox.run_today(&confirmed);
    text += &sandbox.run_today(&["publish", "1.0.0", "--namespace", "acme", "--target", "dir:registry"]);
    text += &run(&sandbox, &["restore", "acme/dns", "1.0.0"]);
    text += &run(&sandbox, &["yank", "acme/dns", "1.0.0", "--reason", "gone"]);
    assert_snapshot!(text, @r"
    $ yuba remove acme/dns 1.0.0 --reason court order 7 --target dir:registry --yes-break-locked-users
    -- stdout
    removed: registry.example/acme/dns 1.0.0

    If there is a cache in front of the registry, purge there what starts with /releases/registry.example/acme/dns/1.0.0/
    and what is below /v2/ and ends in one of 5 digests, which `--format json` lists
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    $ yuba remove acme/dns 1.0.0 --reason court order 7 --target dir:registry --yes-break-locked-users
    -- stdout
    unchanged: registry.example/acme/dns 1.0.0 was removed on [TIME] (court order 7), and nothing of it is left
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    $ yuba publish 1.0.0 --namespace acme --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: version 1.0.0 of `registry.example/acme/dns` was removed, and its number is not given out again
    hint: publish under a new version
    -- exit 1
    $ yuba restore acme/dns 1.0.0 --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: version `1.0.0` of provider `registry.example/acme/dns` was removed on [TIME] (court order 7), which is for good
    hint: its number is not given out again: publish under a new version
    -- exit 1
    $ yuba yank acme/dns 1.0.0 --reason gone --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: version `1.0.0` of provider `registry.example/acme/dns` was removed on [TIME] (court order 7), which is for good
    hint: its number is not given out again: publish under a new version
    -- exit 1
    ");
    assert_eq!(sandbox.files(), removed);
    let left: Vec<_> = removed.keys().filter(|path| path.contains("1.0.0") || path.contains("trash")).collect();
    assert_eq!(left, [""; 0]);
}

#[test]
fn programs_are_told_what_was_deleted_and_what_to_purge() {
    let sandbox = Sandbox::with_versions(&["1.0.0"]);
    assert_snapshot!(sandbox.run_today(&[&REMOVE[..], &[CONFIRMED, "--format", "json"]].concat()), @r#"
    $ yuba remove acme/dns 1.0.0 --reason court order 7 --target dir:registry --yes-break-locked-users --format json
    -- stdout
    {
      "status": "removed",
      "target": "dir:[DIR]/registry",
      "address": "registry.example/acme/dns",
      "version": "1.0.0",
      "reason": "court order 7",
      "removed": "[TIME]",
      "purge": "/releases/registry.example/acme/dns/1.0.0/",
      "purge_digests": [
        "sha256:[1]",
        "sha256:[2]",
        "sha256:[3]",
        "sha256:[4]",
        "sha256:[5]"
      ],
      "kept": [],
      "writes": [
        {
          "storage": "r2",
          "key": "meta/provider/registry.example/acme/dns",
          "action": "swap"
        },
        {
          "storage": "kv",
          "key": "provider/registry.example/acme/dns",
          "action": "swap"
        },
        {
          "storage": "kv",
          "key": "release/registry.example/acme/dns/1.0.0/[6]",
          "action": "delete"
        },
        {
          "storage": "kv",
          "key": "oci/registry.example/acme/dns/[1]",
          "action": "delete"
        },
        {
          "storage": "r2",
          "key": "meta/oci/registry.example/acme/dns/[1]",
          "action": "delete"
        },
        {
          "storage": "kv",
          "key": "oci/registry.example/acme/dns/[2]",
          "action": "delete"
        },
        {
          "storage": "r2",
          "key": "meta/oci/registry.example/acme/dns/[2]",
          "action": "delete"
        },
        {
          "storage": "kv",
          "key": "oci/registry.example/acme/dns/[3]",
          "action": "delete"
        },
        {
          "storage": "r2",
          "key": "meta/oci/registry.example/acme/dns/[3]",
          "action": "delete"
        },
        {
          "storage": "kv",
          "key": "oci/registry.example/acme/dns/[4]",
          "action": "delete"
        },
        {
          "storage": "r2",
          "key": "meta/oci/registry.example/acme/dns/[4]",
          "action": "delete"
        },
        {
          "storage": "kv",
          "key": "oci/registry.example/acme/dns/[5]",
          "action": "delete"
        },
        {
          "storage": "r2",
          "key": "meta/oci/registry.example/acme/dns/[5]",
          "action": "delete"
        },
        {
          "storage": "r2",
          "key": "blob/sha256/[1]",
          "action": "delete"
        },
        {
          "storage": "r2",
          "key": "blob/sha256/[4]",
          "action": "delete"
        },
        {
          "storage": "r2",
          "key": "meta/release/registry.example/acme/dns/1.0.0/[6]",
          "action": "delete"
        }
      ]
    }
    -- stderr
    target: dir:[DIR]/registry
    note: registry.example/acme/dns has no version left, and is answered for like one that never was
    -- exit 0
    "#);
}

#[test]
fn an_archive_that_is_another_release_s_too_is_kept() {
    let sandbox = Sandbox::with_versions(&["1.0.0"]);
    let place = ["--namespace", "acme", "--hostname", "mirrored.example", "--target", "dir:registry"];
    sandbox.run(&[&["key", "add", "KEY.asc"], &place[..]].concat());
    sandbox.run(&[&["publish", "1.0.0"], &place[..]].concat());
    assert_snapshot!(sandbox.run_today(&[&REMOVE[..], &[CONFIRMED]].concat()), @r"
    $ yuba remove acme/dns 1.0.0 --reason court order 7 --target dir:registry --yes-break-locked-users
    -- stdout
    removed: registry.example/acme/dns 1.0.0
    kept: r2/blob/sha256/[1] is also an archive of mirrored.example/acme/dns 1.0.0
    kept: r2/blob/sha256/[2] is also an archive of mirrored.example/acme/dns 1.0.0

    If there is a cache in front of the registry, purge there what starts with /releases/registry.example/acme/dns/1.0.0/
    and what is below /v2/ and ends in one of 5 digests, which `--format json` lists
    -- stderr
    target: dir:[DIR]/registry
    note: registry.example/acme/dns has no version left, and is answered for like one that never was
    -- exit 0
    ");
}

#[test]
fn what_was_never_published_cannot_be_removed() {
    let sandbox = Sandbox::with_versions(&["1.0.0"]);
    let before = sandbox.files();
    let mut text = run(&sandbox, &["remove", "acme/dns", "1.0.1", "--reason", "x"]);
    text += &run(&sandbox, &["remove", "acme/dns", "1.0.1", "--reason", "x", CONFIRMED]);
    text += &run(&sandbox, &["remove", "acme/dnss", "1.0.0", "--reason", "x", "--dry-run"]);
    text += &run(&sandbox, &["remove", "acme/dns", "1.0.0", CONFIRMED]);
    assert_snapshot!(text, @r"
    $ yuba remove acme/dns 1.0.1 --reason x --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: provider `registry.example/acme/dns` has no version `1.0.1`
    hint: the nearest is `1.0.0`; see all: yuba show registry.example/acme/dns --target dir:[DIR]/registry
    -- exit 1
    $ yuba remove acme/dns 1.0.1 --reason x --yes-break-locked-users --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: provider `registry.example/acme/dns` has no version `1.0.1`
    hint: the nearest is `1.0.0`; see all: yuba show registry.example/acme/dns --target dir:[DIR]/registry
    -- exit 1
    $ yuba remove acme/dnss 1.0.0 --reason x --dry-run --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: provider `registry.example/acme/dnss` is not in this registry
    hint: did you mean `registry.example/acme/dns`? See which there are: yuba list --target dir:[DIR]/registry
    -- exit 1
    $ yuba remove acme/dns 1.0.0 --yes-break-locked-users --target dir:registry
    -- stderr
    error: the following required arguments were not provided:
      --reason <TEXT>

    Usage: yuba remove --reason <TEXT> --yes-break-locked-users --target <TARGET> <ADDRESS> <VERSION>

    For more information, try '--help'.
    -- exit 1
    ");
    assert_eq!(sandbox.files(), before);
}
