//! Bad input: one clear error that names the offending value, with what to do about it, and exit status 1.

use std::fs;
use std::process::Stdio;

use insta::assert_snapshot;
use yuba_tests::releases::{Key, Release};

use crate::sandbox::Sandbox;

#[test]
fn nothing_is_reached_by_accident() {
    assert_snapshot!(Sandbox::new().run(&["publish", "dist", "--namespace", "acme"]), @r"
    $ yuba publish dist --namespace acme
    -- stderr
    error: no target is named
    hint: set CLOUDFLARE_API_TOKEN (the registry at Cloudflare), or add `--target local` (what `scripts/dev` serves) or `--target dir:PATH` (plain files); inside `scripts/dev -- COMMAND` it is known
    -- exit 1
    ");
}

#[test]
fn a_half_typed_target_is_named() {
    let sandbox = Sandbox::new();
    assert_snapshot!(sandbox.run(&["key", "list", "--target", "dri:x"]), @r"
    $ yuba key list --target dri:x
    -- stderr
    error: invalid value 'dri:x' for '--target <TARGET>': target `dri:x` is neither `cloudflare` nor `local` nor `dir:PATH`

    For more information, try '--help'.
    -- exit 1
    ");
    assert_snapshot!(sandbox.run(&["key", "list", "--target", "dir:"]), @r"
    $ yuba key list --target dir:
    -- stderr
    error: invalid value 'dir:' for '--target <TARGET>': target `dir:` names no directory

    For more information, try '--help'.
    -- exit 1
    ");
}

#[test]
fn illegal_names_are_named() {
    let sandbox = Sandbox::new();
    assert_snapshot!(sandbox.run(&["publish", "dist", "--namespace", "a_b", "--target", "dir:x"]), @r"
    $ yuba publish dist --namespace a_b --target dir:x
    -- stderr
    error: invalid value 'a_b' for '--namespace <NAME>': name `a_b` must be letters, digits and single dashes, at most 63 bytes in its DNS form

    For more information, try '--help'.
    -- exit 1
    ");
    let hostname = ["publish", "dist", "--namespace", "a", "--hostname", "a/b", "--target", "dir:x"];
    assert_snapshot!(sandbox.run(&hostname), @r"
    $ yuba publish dist --namespace a --hostname a/b --target dir:x
    -- stderr
    error: invalid value 'a/b' for '--hostname <HOST>': `a/b` is not a hostname

    For more information, try '--help'.
    -- exit 1
    ");
}

#[test]
fn a_release_must_be_a_directory() {
    let sandbox = Sandbox::with_registry();
    assert_snapshot!(sandbox.run(&["publish", "dist", "--namespace", "acme", "--target", "dir:registry"]), @r"
    $ yuba publish dist --namespace acme --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: cannot read the directory `dist`
    caused by: No such file or directory (os error 2)
    hint: DIST is the directory with the release's archives and SHA256SUMS: goreleaser's is `dist`
    -- exit 1
    ");
    assert_snapshot!(sandbox.run(&["publish", "KEY.asc", "--namespace", "acme", "--target", "dir:registry"]), @r"
    $ yuba publish KEY.asc --namespace acme --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: cannot read the directory `KEY.asc`
    caused by: Not a directory (os error 20)
    hint: DIST is the directory with the release's archives and SHA256SUMS: goreleaser's is `dist`
    -- exit 1
    ");
}

#[test]
fn a_manifest_that_is_named_must_be_there() {
    let sandbox = Sandbox::with_registry();
    std::fs::create_dir(sandbox.path().join("dist")).unwrap();
    let arguments =
        ["publish", "dist", "--namespace", "acme", "--manifest", "nowhere.json", "--target", "dir:registry"];
    assert_snapshot!(sandbox.run(&arguments), @r"
    $ yuba publish dist --namespace acme --manifest nowhere.json --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: cannot read `nowhere.json`
    caused by: No such file or directory (os error 2)
    hint: `--manifest` is the release's terraform-registry-manifest.json
    -- exit 1
    ");
}

#[test]
fn the_hostname_must_be_known() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path().join("dist")).unwrap();
    assert_snapshot!(sandbox.run(&["publish", "dist", "--namespace", "acme", "--target", "dir:registry"]), @r"
    $ yuba publish dist --namespace acme --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: the registry's hostname is not known
    hint: name it with `--hostname HOST`, or run this where `wrangler.toml` with its `REGISTRY_HOSTNAME` is here or above
    -- exit 1
    ");
    sandbox.write("wrangler.toml", "[vars]\nREGISTRY_HOSTNAME = \"a_b\"\n");
    assert_snapshot!(sandbox.run(&["publish", "dist", "--namespace", "acme", "--target", "dir:registry"]), @r"
    $ yuba publish dist --namespace acme --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: cannot use `REGISTRY_HOSTNAME` in `[DIR]/wrangler.toml`
    caused by: `a_b` is not a hostname
    hint: mend the file, or name the hostname with `--hostname HOST`
    -- exit 1
    ");
}

#[test]
fn local_storage_needs_a_project_that_is_whole() {
    let sandbox = Sandbox::new();
    assert_snapshot!(sandbox.run(&["key", "list", "--target", "local"]), @r"
    $ yuba key list --target local
    -- stderr
    error: target `local` belongs to a project, and no `wrangler.toml` is here or above
    hint: change to the project's directory, or name another target: `--target dir:PATH`
    -- exit 1
    ");
    sandbox.write("wrangler.toml", "");
    assert_snapshot!(sandbox.run(&["key", "list", "--target", "local"]), @r"
    $ yuba key list --target local
    -- stderr
    target: local ([DIR]/.wrangler/state)
    error: `[DIR]/scripts/local/storage.mjs` is missing
    hint: check out the whole project: its `scripts/` serve the local storage
    -- exit 2
    ");
    sandbox.write("scripts/local/storage.mjs", "console.error('error: no such luck'); process.exit(2);");
    assert_snapshot!(sandbox.run(&["key", "list", "--target", "local"]), @r"
    $ yuba key list --target local
    -- stderr
    target: local ([DIR]/.wrangler/state)
    error: `[DIR]/node_modules/miniflare` is missing
    hint: run `scripts/setup` in the project
    -- exit 2
    ");
    sandbox.write("node_modules/miniflare/package.json", "{}");
    let without_node = sandbox.set("PATH", "/nonexistent");
    assert_snapshot!(without_node.run(&["key", "list", "--target", "local"]), @r"
    $ yuba key list --target local
    -- stderr
    target: local ([DIR]/.wrangler/state)
    error: `node` is not on the PATH
    caused by: No such file or directory (os error 2)
    hint: install Node.js 20 or newer, or start `scripts/dev`, which says what it needs
    -- exit 2
    ");
}

#[test]
fn a_url_is_no_hostname() {
    let sandbox = Sandbox::new();
    assert_snapshot!(sandbox.run(&["key", "list", "--hostname", "https://registry.example/", "--target", "dir:x"]), @"
    $ yuba key list --hostname https://registry.example/ --target dir:x
    -- stderr
    error: invalid value 'https://registry.example/' for '--hostname <HOST>': `https://registry.example/` is a URL: name only its host

    For more information, try '--help'.
    -- exit 1
    ");
}

/// That nobody reads the errors is no reason to end otherwise.
#[test]
fn standard_error_may_lead_nowhere() {
    let sandbox = Sandbox::with_registry();
    let refused = ["publish", "dist", "--namespace", "acme", "--target", "dir:registry"];
    let stranger = Release::new("dns", "1.0.0", &Key::new("stranger"));
    let statuses = || {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let (reader, closed) = std::io::pipe().unwrap();
        drop(reader);
        [Stdio::from(full), Stdio::from(closed)].map(|stderr| {
            let command = &mut sandbox.command(&refused);
            command.stderr(stderr).status().unwrap().code()
        })
    };
    assert_eq!(statuses(), [Some(1); 2]);
    sandbox.release("dist", stranger);
    assert_eq!(statuses(), [Some(1); 2]);
}

/// The variable is easily left over from a state that is gone.
#[test]
fn a_state_must_be_there() {
    let sandbox = Sandbox::new().set("YUBA_STATE", "no state");
    sandbox.write("wrangler.toml", "");
    assert_snapshot!(sandbox.run(&["key", "list"]), @"
    $ yuba key list
    -- stderr
    error: YUBA_STATE is `[DIR]/no state`, which is no directory
    hint: unset YUBA_STATE, or make that state: scripts/dev --state '[DIR]/no state'
    -- exit 1
    ");
    assert!(!sandbox.path().join("no state").exists());
}

/// A killed `scripts/dev` leaves its record, and a hostile one would lead elsewhere.
#[test]
fn a_record_that_nobody_answers_for_is_harmless() {
    let sandbox = Sandbox::new().set("YUBA_STATE", "state");
    let mut text = String::new();
    for url in ["http://127.0.0.1:1", "http://203.0.113.1:80"] {
        let record = format!(
            r#"{{"storage_url":"{url}","storage_token":"s3cr3t","hostname":"localhost","url":"https://localhost:8443","pid":1}}"#
        );
        sandbox.write("state/yuba.json", &record);
        let printed = sandbox.run(&["key", "list"]);
        assert!(!printed.contains("s3cr3t"), "{printed}");
        text += &printed;
    }
    assert_snapshot!(text, @r"
    $ yuba key list
    -- stderr
    target: local ([DIR]/state)
    error: nothing serves `[DIR]/state`, and no `wrangler.toml` is here or above to serve it from
    hint: start `scripts/dev` in the project, or run this in the project's directory
    -- exit 1
    $ yuba key list
    -- stderr
    target: local ([DIR]/state)
    error: nothing serves `[DIR]/state`, and no `wrangler.toml` is here or above to serve it from
    hint: start `scripts/dev` in the project, or run this in the project's directory
    -- exit 1
    ");
}
