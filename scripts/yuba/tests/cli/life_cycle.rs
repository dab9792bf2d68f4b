//! `yuba deprecate`, `yuba yank` and `yuba restore`.

use insta::assert_snapshot;

use crate::sandbox::Sandbox;

const TARGET: [&str; 2] = ["--target", "dir:registry"];

fn run(sandbox: &Sandbox, arguments: &[&str]) -> String {
    sandbox.run_today(&[arguments, &TARGET].concat())
}

#[test]
fn a_version_is_yanked_and_restored() {
    let sandbox = Sandbox::with_versions(&["1.0.0", "1.1.0"]);
    let yank = ["yank", "acme/dns", "1.0.0", "--reason", "it loses records; use 1.1.0"];
    let before = sandbox.files();
    assert_snapshot!(run(&sandbox, &[&yank[..], &["--dry-run"]].concat()), @r"
    $ yuba yank acme/dns 1.0.0 --reason it loses records; use 1.1.0 --dry-run --target dir:registry
    -- stdout
    swap    r2/meta/provider/registry.example/acme/dns
    swap    kv/provider/registry.example/acme/dns

    dry run: registry.example/acme/dns 1.0.0 would be yanked; nothing was written

    Every `init` would show:

    - version 1.0.0 is withdrawn: it loses records; use 1.1.0
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    ");
    assert_eq!(sandbox.files(), before);
    let mut text = run(&sandbox, &yank);
    let yanked = sandbox.files();
    text += &run(&sandbox, &yank);
    assert_eq!(sandbox.files(), yanked);
    text += &run(&sandbox, &["yank", "acme/dns", "1.0.0", "--reason", "it loses records"]);
    text += &run(&sandbox, &["restore", "acme/dns", "1.0.0"]);
    text += &run(&sandbox, &["restore", "acme/dns", "1.0.0"]);
    assert_snapshot!(text, @r"
    $ yuba yank acme/dns 1.0.0 --reason it loses records; use 1.1.0 --target dir:registry
    -- stdout
    yanked: registry.example/acme/dns 1.0.0

    Every `init` shows from now on:

    - version 1.0.0 is withdrawn: it loses records; use 1.1.0
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    $ yuba yank acme/dns 1.0.0 --reason it loses records; use 1.1.0 --target dir:registry
    -- stdout
    unchanged: registry.example/acme/dns 1.0.0 is yanked just so

    Every `init` shows:

    - version 1.0.0 is withdrawn: it loses records; use 1.1.0
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    $ yuba yank acme/dns 1.0.0 --reason it loses records --target dir:registry
    -- stdout
    yanked: registry.example/acme/dns 1.0.0

    Every `init` shows from now on:

    - version 1.0.0 is withdrawn: it loses records
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    $ yuba restore acme/dns 1.0.0 --target dir:registry
    -- stdout
    restored: registry.example/acme/dns 1.0.0
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    $ yuba restore acme/dns 1.0.0 --target dir:registry
    -- stdout
    unchanged: registry.example/acme/dns 1.0.0 is not yanked
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    ");
}

#[test]
fn the_newest_version_is_yanked_with_a_word_of_warning() {
    let sandbox = Sandbox::with_versions(&["1.0.0"]);
    let yank = ["yank", "registry.example/acme/dns", "1.0.0", "--reason", "it loses records", "--format", "json"];
    assert_snapshot!(run(&sandbox, &yank), @r#"
    $ yuba yank registry.example/acme/dns 1.0.0 --reason it loses records --format json --target dir:registry
    -- stdout
    {
      "status": "yanked",
      "target": "dir:[DIR]/registry",
      "address": "registry.example/acme/dns",
      "version": "1.0.0",
      "warnings": [
        "version 1.0.0 is withdrawn: it loses records"
      ],
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
        }
      ]
    }
    -- stderr
    target: dir:[DIR]/registry
    note: 1.0.0 is the newest version, and clients go on selecting it: publish a newer one
    -- exit 0
    "#);
}

#[test]
fn a_provider_is_deprecated_and_restored() {
    let sandbox = Sandbox::with_versions(&["1.0.0"]);
    let deprecate = ["deprecate", "acme/dns", "--reason", "it moved"];
    let mut text = run(&sandbox, &[&deprecate[..], &["--successor", "acme/names", "--dry-run"]].concat());
    text += &run(&sandbox, &[&deprecate[..], &["--successor", "acme/names"]].concat());
    text += &run(&sandbox, &[&deprecate[..], &["--successor", "registry.example/acme/names"]].concat());
    text += &run(&sandbox, &[&deprecate[..], &["--successor", "other.example/acme/names"]].concat());
    text += &run(&sandbox, &deprecate);
    text += &run(&sandbox, &["restore", "acme/dns"]);
    text += &run(&sandbox, &["restore", "acme/dns", "--dry-run"]);
    assert_snapshot!(text, @r"
    $ yuba deprecate acme/dns --reason it moved --successor acme/names --dry-run --target dir:registry
    -- stdout
    swap    r2/meta/provider/registry.example/acme/dns
    swap    kv/provider/registry.example/acme/dns

    dry run: registry.example/acme/dns would be deprecated; nothing was written

    Every `init` would show:

    - registry.example/acme/dns is deprecated, use registry.example/acme/names instead: it moved
    -- stderr
    target: dir:[DIR]/registry
    note: the successor registry.example/acme/names is not in this registry yet
    -- exit 0
    $ yuba deprecate acme/dns --reason it moved --successor acme/names --target dir:registry
    -- stdout
    deprecated: registry.example/acme/dns

    Every `init` shows from now on:

    - registry.example/acme/dns is deprecated, use registry.example/acme/names instead: it moved
    -- stderr
    target: dir:[DIR]/registry
    note: the successor registry.example/acme/names is not in this registry yet
    -- exit 0
    $ yuba deprecate acme/dns --reason it moved --successor registry.example/acme/names --target dir:registry
    -- stdout
    unchanged: registry.example/acme/dns is deprecated just so

    Every `init` shows:

    - registry.example/acme/dns is deprecated, use registry.example/acme/names instead: it moved
    -- stderr
    target: dir:[DIR]/registry
    note: the successor registry.example/acme/names is not in this registry yet
    -- exit 0
    $ yuba deprecate acme/dns --reason it moved --successor other.example/acme/names --target dir:registry
    -- stdout
    deprecated: registry.example/acme/dns

    Every `init` shows from now on:

    - registry.example/acme/dns is deprecated, use other.example/acme/names instead: it moved
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    $ yuba deprecate acme/dns --reason it moved --target dir:registry
    -- stdout
    deprecated: registry.example/acme/dns

    Every `init` shows from now on:

    - registry.example/acme/dns is deprecated: it moved
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    $ yuba restore acme/dns --target dir:registry
    -- stdout
    restored: registry.example/acme/dns
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    $ yuba restore acme/dns --dry-run --target dir:registry
    -- stdout
    dry run: registry.example/acme/dns is not deprecated; nothing would change
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    ");
}

#[test]
fn what_is_not_there_is_named_with_what_is_near() {
    let sandbox = Sandbox::with_versions(&["1.0.0", "1.1.0", "2.0.0"]);
    let reason = ["--reason", "why not"];
    let mut text = run(&sandbox, &[&["yank", "acme/dsn", "1.0.0"], &reason[..]].concat());
    text += &run(&sandbox, &[&["yank", "other.example/acme/dns", "1.0.0"], &reason[..]].concat());
    text += &run(&sandbox, &[&["deprecate", "nobody/nothing"], &reason[..]].concat());
    text += &run(&sandbox, &[&["yank", "acme/dns", "1.0.1"], &reason[..]].concat());
    text += &run(&sandbox, &["restore", "acme/dns", "3.0.0"]);
    text += &sandbox.run(&["restore", "acme/dns", "--target", "dir:registri"]);
    assert_snapshot!(text, @r"
    $ yuba yank acme/dsn 1.0.0 --reason why not --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: provider `registry.example/acme/dsn` is not in this registry
    hint: did you mean `registry.example/acme/dns`? See which there are: yuba list --target dir:[DIR]/registry
    -- exit 1
    $ yuba yank other.example/acme/dns 1.0.0 --reason why not --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: provider `other.example/acme/dns` is not in this registry
    hint: did you mean `registry.example/acme/dns`? See which there are: yuba list --target dir:[DIR]/registry
    -- exit 1
    $ yuba deprecate nobody/nothing --reason why not --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: provider `registry.example/nobody/nothing` is not in this registry
    hint: see which there are: yuba list --target dir:[DIR]/registry
    -- exit 1
    $ yuba yank acme/dns 1.0.1 --reason why not --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: provider `registry.example/acme/dns` has no version `1.0.1`
    hint: the nearest are `1.0.0` and `1.1.0`; see all: yuba show registry.example/acme/dns --target dir:[DIR]/registry
    -- exit 1
    $ yuba restore acme/dns 3.0.0 --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: provider `registry.example/acme/dns` has no version `3.0.0`
    hint: the nearest is `2.0.0`; see all: yuba show registry.example/acme/dns --target dir:[DIR]/registry
    -- exit 1
    $ yuba restore acme/dns --target dir:registri
    -- stderr
    target: dir:[DIR]/registri
    error: `[DIR]/registri` is no directory
    hint: `--target dir:PATH` names the registry's files: the first `yuba key add` makes them
    -- exit 1
    ");
}

#[test]
fn half_typed_addresses_and_versions_are_refused() {
    let sandbox = Sandbox::with_versions(&["1.0.0"]);
    let before = sandbox.files();
    let mut text = String::new();
    for address in ["acme", "acme/", "https://registry.example/acme/dns", "acme/dns/1.0.0"] {
        text += &run(&sandbox, &["yank", address, "1.0.0", "--reason", "x"]);
    }
    for version in ["1.0", "v1.0.0", "latest"] {
        text += &run(&sandbox, &["yank", "acme/dns", version, "--reason", "x"]);
    }
    text += &run(&sandbox, &["restore", "a.example/acme/dns", "--hostname", "b.example"]);
    text += &run(&sandbox, &["deprecate", "acme/dns", "--reason", "x", "--successor", "acme/dns"]);
    assert_snapshot!(text, @r"
    $ yuba yank acme 1.0.0 --reason x --target dir:registry
    -- stderr
    error: invalid value 'acme' for '<ADDRESS>': `acme` is neither NAMESPACE/TYPE nor HOSTNAME/NAMESPACE/TYPE

    For more information, try '--help'.
    -- exit 1
    $ yuba yank acme/ 1.0.0 --reason x --target dir:registry
    -- stderr
    error: invalid value 'acme/' for '<ADDRESS>': `acme/`: a name cannot be empty

    For more information, try '--help'.
    -- exit 1
    $ yuba yank https://registry.example/acme/dns 1.0.0 --reason x --target dir:registry
    -- stderr
    error: invalid value 'https://registry.example/acme/dns' for '<ADDRESS>': `https://registry.example/acme/dns` is a URL: write NAMESPACE/TYPE or HOSTNAME/NAMESPACE/TYPE

    For more information, try '--help'.
    -- exit 1
    $ yuba yank acme/dns/1.0.0 1.0.0 --reason x --target dir:registry
    -- stderr
    error: invalid value 'acme/dns/1.0.0' for '<ADDRESS>': provider address `acme/dns/1.0.0`: name `1.0.0` has a dot, but it must be a single label

    For more information, try '--help'.
    -- exit 1
    $ yuba yank acme/dns 1.0 --reason x --target dir:registry
    -- stderr
    error: invalid value '1.0' for '<VERSION>': version `1.0` is not canonical SemVer such as `1.2.3` or `1.2.3-rc.1`

    For more information, try '--help'.
    -- exit 1
    $ yuba yank acme/dns v1.0.0 --reason x --target dir:registry
    -- stderr
    error: invalid value 'v1.0.0' for '<VERSION>': version `v1.0.0` is not canonical SemVer such as `1.2.3` or `1.2.3-rc.1`

    For more information, try '--help'.
    -- exit 1
    $ yuba yank acme/dns latest --reason x --target dir:registry
    -- stderr
    error: invalid value 'latest' for '<VERSION>': version `latest` is not canonical SemVer such as `1.2.3` or `1.2.3-rc.1`

    For more information, try '--help'.
    -- exit 1
    $ yuba restore a.example/acme/dns --hostname b.example --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: `a.example/acme/dns` and `--hostname b.example` name two hostnames
    hint: name the hostname once: in the address, or with `--hostname`
    -- exit 1
    $ yuba deprecate acme/dns --reason x --successor acme/dns --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: `registry.example/acme/dns` cannot be its own successor
    hint: name the provider that replaces it with `--successor`, or leave that out
    -- exit 1
    ");
    assert_eq!(sandbox.files(), before);
}

#[test]
fn a_reason_is_one_line_that_no_terminal_obeys() {
    let sandbox = Sandbox::with_versions(&["1.0.0"]);
    let before = sandbox.files();
    let mut text = run(&sandbox, &["yank", "acme/dns", "1.0.0"]);
    for reason in ["", "  ", "two\nlines", "\u{1b}[2Jgone", "left \u{202e}to right", &"x".repeat(201)] {
        text += &run(&sandbox, &["yank", "acme/dns", "1.0.0", "--reason", reason]);
    }
    assert_snapshot!(text, @r"
    $ yuba yank acme/dns 1.0.0 --target dir:registry
    -- stderr
    error: the following required arguments were not provided:
      --reason <TEXT>

    Usage: yuba yank --reason <TEXT> --target <TARGET> <ADDRESS> <VERSION>

    For more information, try '--help'.
    -- exit 1
    $ yuba yank acme/dns 1.0.0 --reason  --target dir:registry
    -- stderr
    error: a reason cannot be empty: say what is wrong and what to do
    hint: say in one plain line what is wrong, and what to do: `it loses records; use 1.1.0`
    -- exit 1
    $ yuba yank acme/dns 1.0.0 --reason    --target dir:registry
    -- stderr
    error: a reason cannot be empty: say what is wrong and what to do
    hint: say in one plain line what is wrong, and what to do: `it loses records; use 1.1.0`
    -- exit 1
    $ yuba yank acme/dns 1.0.0 --reason two\nlines --target dir:registry
    -- stderr
    error: a reason is one line: `two\nlines`
    hint: say in one plain line what is wrong, and what to do: `it loses records; use 1.1.0`
    -- exit 1
    $ yuba yank acme/dns 1.0.0 --reason \u{1b}[2Jgone --target dir:registry
    -- stderr
    error: a reason cannot hold the invisible character '\u{1b}': `\u{1b}[2Jgone`
    hint: say in one plain line what is wrong, and what to do: `it loses records; use 1.1.0`
    -- exit 1
    $ yuba yank acme/dns 1.0.0 --reason left \u{202e}to right --target dir:registry
    -- stderr
    error: a reason cannot hold the invisible character '\u{202e}': `left \u{202e}to right`
    hint: say in one plain line what is wrong, and what to do: `it loses records; use 1.1.0`
    -- exit 1
    $ yuba yank acme/dns 1.0.0 --reason xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx --target dir:registry
    -- stderr
    error: a reason has at most 200 characters, and this has 201
    hint: say in one plain line what is wrong, and what to do: `it loses records; use 1.1.0`
    -- exit 1
    ");
    assert_eq!(sandbox.files(), before);
}

#[test]
fn a_mirrored_provider_is_shown_with_no_warnings() {
    let sandbox = Sandbox::with_versions(&[]);
    let place = ["--namespace", "acme", "--hostname", "mirrored.example", "--target", "dir:registry"];
    sandbox.run(&[&["key", "add", "KEY.asc"], &place[..]].concat());
    let release = yuba_tests::releases::Release::new("dns", "1.0.0", &yuba_tests::releases::Key::new("acme"));
    sandbox.release("dist", release);
    sandbox.run(&[&["publish", "dist"], &place[..]].concat());
    assert_snapshot!(run(&sandbox, &["deprecate", "mirrored.example/acme/dns", "--reason", "it moved"]), @r"
    $ yuba deprecate mirrored.example/acme/dns --reason it moved --target dir:registry
    -- stdout
    deprecated: mirrored.example/acme/dns
    -- stderr
    target: dir:[DIR]/registry
    note: clients are not shown this: they get the providers of other hostnames from the mirror, whose protocol has no warnings
    -- exit 0
    ");
}
