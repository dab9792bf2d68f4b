//! `yuba sync`, `yuba fsck` and `yuba gc`.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use insta::assert_snapshot;
use yuba_tests::releases::{Key, Release};

use crate::sandbox::Sandbox;

const SYNC: [&str; 3] = ["sync", "--target", "dir:registry"];
const FSCK: [&str; 3] = ["fsck", "--target", "dir:registry"];
const GC: [&str; 3] = ["gc", "--target", "dir:registry"];

/// A sandbox with one published release.
fn published() -> Sandbox {
    let sandbox = Sandbox::with_registry();
    sandbox.release("dist", Release::new("dns", "1.0.0", &Key::new("acme")));
    sandbox.run(&["publish", "dist", "--namespace", "acme", "--target", "dir:registry"]);
    sandbox
}

/// The one file in the registry whose path contains `part`.
fn file(sandbox: &Sandbox, part: &str) -> PathBuf {
    sandbox.files().into_keys().find(|path| path.contains(part)).unwrap().into()
}

/// Writes an archive that nobody names, `days` ago.
fn leave(sandbox: &Sandbox, content: &str, days: u64) -> PathBuf {
    let digest = yuba::digest::Sha256Digest::of(content.as_bytes());
    let name = format!("registry/r2/blob/sha256/{digest}");
    sandbox.write(&name, content);
    let path = sandbox.path().join(name);
    let then = SystemTime::now() - Duration::from_secs(days * 24 * 60 * 60);
    fs::File::options().write(true).open(&path).unwrap().set_modified(then).unwrap();
    path
}

/// The times of files are the machine's.
fn without_times(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("since ").or_else(|| rest.find("\"since\": \"")) {
        let start = at + rest[at..].find(|letter: char| letter.is_ascii_digit()).unwrap();
        let end = start + rest[start..].find('Z').unwrap() + 1;
        out.push_str(&rest[..start]);
        out.push_str("[TIME]");
        rest = &rest[end..];
    }
    out + rest
}

#[test]
fn an_empty_kv_is_rebuilt() {
    let sandbox = published();
    let before = sandbox.files();
    fs::remove_dir_all(sandbox.path().join("registry/kv")).unwrap();
    sandbox.write("registry/kv/stray", "stray");
    assert_snapshot!(sandbox.run(&[&SYNC[..], &["--dry-run"]].concat()), @"
    $ yuba sync --target dir:registry --dry-run
    -- stdout
    create  kv/index
    create  kv/namespace/registry.example/acme
    create  kv/oci/registry.example/acme/dns/ (5 OCI views)
    create  kv/provider/registry.example/acme/dns
    create  kv/release/registry.example/acme/dns/1.0.0/[1]
    delete  kv/stray

    dry run: 9 documents are served; 9 missing, 0 different, 1 stray; nothing was written
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    ");
    assert!(!sandbox.path().join("registry/kv/index").exists());
    assert_snapshot!(sandbox.run(&SYNC), @"
    $ yuba sync --target dir:registry
    -- stdout
    synced: 9 documents are served; 9 missing, 0 different, 1 stray
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    ");
    assert_eq!(sandbox.files(), before);
    assert_snapshot!(sandbox.run(&SYNC), @"
    $ yuba sync --target dir:registry
    -- stdout
    unchanged: 9 documents are served, and KV holds them
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    ");
    fs::write(file(&sandbox, "kv/index"), "{}").unwrap();
    assert_snapshot!(sandbox.run(&[&SYNC[..], &["--format", "json"]].concat()), @r#"
    $ yuba sync --target dir:registry --format json
    -- stdout
    {
      "status": "synced",
      "target": "dir:[DIR]/registry",
      "documents": 9,
      "index": "exists",
      "derived": [],
      "differences": [
        {
          "key": "index",
          "difference": "different"
        }
      ],
      "unusable": []
    }
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    "#);
    assert_eq!(sandbox.files(), before);
}

#[test]
fn oci_views_are_derived_for_versions_that_lack_them() {
    let sandbox = Sandbox::with_versions(&["1.0.0", "1.1.0"]);
    let before = sandbox.files();
    sandbox.forget_oci();
    let forgotten = sandbox.files();
    assert_snapshot!(sandbox.run(&[&SYNC[..], &["--dry-run"]].concat()), @"
    $ yuba sync --target dir:registry --dry-run
    -- stdout
    derive  OCI views of registry.example/acme/dns 1.0.0, 1.1.0
    create  kv/oci/registry.example/acme/dns/ (10 OCI views)
    swap    kv/provider/registry.example/acme/dns

    dry run: 15 documents are served; 10 missing, 1 different, 0 stray; OCI views derived for 2 versions; nothing was written
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    ");
    assert_snapshot!(sandbox.run(&[&SYNC[..], &["--dry-run", "--format", "json"]].concat()), @r#"
    $ yuba sync --target dir:registry --dry-run --format json
    -- stdout
    {
      "status": "dry-run",
      "target": "dir:[DIR]/registry",
      "documents": 15,
      "index": "exists",
      "derived": [
        {
          "address": "registry.example/acme/dns",
          "version": "1.0.0"
        },
        {
          "address": "registry.example/acme/dns",
          "version": "1.1.0"
        }
      ],
      "differences": [
        {
          "key": "oci/registry.example/acme/dns/[1]",
          "difference": "missing"
        },
        {
          "key": "oci/registry.example/acme/dns/[2]",
          "difference": "missing"
        },
        {
          "key": "oci/registry.example/acme/dns/[3]",
          "difference": "missing"
        },
        {
          "key": "oci/registry.example/acme/dns/[4]",
          "difference": "missing"
        },
        {
          "key": "oci/registry.example/acme/dns/[5]",
          "difference": "missing"
        },
        {
          "key": "oci/registry.example/acme/dns/[6]",
          "difference": "missing"
        },
        {
          "key": "oci/registry.example/acme/dns/[7]",
          "difference": "missing"
        },
        {
          "key": "oci/registry.example/acme/dns/[8]",
          "difference": "missing"
        },
        {
          "key": "oci/registry.example/acme/dns/[9]",
          "difference": "missing"
        },
        {
          "key": "oci/registry.example/acme/dns/[10]",
          "difference": "missing"
        },
        {
          "key": "provider/registry.example/acme/dns",
          "difference": "different"
        }
      ],
      "unusable": []
    }
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    "#);
    assert_eq!(sandbox.files(), forgotten);
    assert_snapshot!(sandbox.run(&SYNC), @"
    $ yuba sync --target dir:registry
    -- stdout
    derived: OCI views of registry.example/acme/dns 1.0.0, 1.1.0

    synced: 15 documents are served; 10 missing, 1 different, 0 stray; OCI views derived for 2 versions
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    ");
    assert!(sandbox.files().keys().eq(before.keys()));
    // What R2 alone lacks is derived too, though KV needs nothing.
    for path in sandbox.files().into_keys().filter(|path| path.contains("r2/meta/oci/")) {
        fs::remove_file(path).unwrap();
    }
    assert_snapshot!(sandbox.run(&SYNC), @"
    $ yuba sync --target dir:registry
    -- stdout
    derived: OCI views of registry.example/acme/dns 1.0.0, 1.1.0

    synced: 15 documents are served; 0 missing, 0 different, 0 stray; OCI views derived for 2 versions
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    ");
    assert_snapshot!(sandbox.run(&SYNC), @"
    $ yuba sync --target dir:registry
    -- stdout
    unchanged: 15 documents are served, and KV holds them
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    ");
}

#[test]
fn what_cannot_be_synced_is_told() {
    let sandbox = published();
    let kv = sandbox.path().join("registry/kv");
    fs::write(file(&sandbox, "r2/meta/provider"), "{}").unwrap();
    fs::write(file(&sandbox, "kv/index"), "{}").unwrap();
    assert_snapshot!(sandbox.run(&SYNC), @r"
    $ yuba sync --target dir:registry
    -- stdout
    synced: 2 documents are served; 0 missing, 1 different, 0 stray
    -- stderr
    target: dir:[DIR]/registry
    warning: cannot use `meta/provider/registry.example/acme/dns`: document cannot be read: missing field `format` at line 1 column 2
    error: 1 document cannot be used
    hint: what KV has of that was left alone, and all else is as it should be: `yuba fsck --target dir:[DIR]/registry` says more
    -- exit 2
    ");
    assert_eq!(sandbox.run(&SYNC), sandbox.run(&SYNC));
    fs::remove_dir_all(sandbox.path().join("registry/r2")).unwrap();
    assert_snapshot!(sandbox.run(&SYNC), @"
    $ yuba sync --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: R2 holds no document, and KV holds 9
    hint: this would empty KV: check that the target is the right one, with its R2 bucket and its KV namespace
    -- exit 1
    ");
    assert!(kv.join("index").exists());
    sandbox.write("registry/r2/meta", "no directory");
    assert_snapshot!(sandbox.run(&SYNC), @r"
    $ yuba sync --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: cannot list `meta/`
    caused by: Not a directory (os error 20)
    hint: nothing is half done: run the same command again to complete it
    -- exit 2
    ");
}

#[test]
fn a_sound_storage_is_told_so() {
    let sandbox = published();
    let before = sandbox.files();
    assert_snapshot!(sandbox.run(&FSCK), @"
    $ yuba fsck --target dir:registry
    -- stdout
    checked: 9 documents, 9 copies in KV, 2 archives (650 bytes): 0 problems, 0 notes
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    ");
    assert_snapshot!(sandbox.run(&[&FSCK[..], &["--without-archives", "--format", "json"]].concat()), @r#"
    $ yuba fsck --target dir:registry --without-archives --format json
    -- stdout
    {
      "status": "sound",
      "target": "dir:[DIR]/registry",
      "documents": 9,
      "copies": 9,
      "archives": 2,
      "bytes": 650,
      "findings": [],
      "repairs": []
    }
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    "#);
    assert_eq!(sandbox.files(), before);
}

#[test]
fn problems_are_told_with_their_remedies_and_mended() {
    let sandbox = published();
    let provider = fs::read(file(&sandbox, "kv/provider")).unwrap();
    fs::remove_file(file(&sandbox, "kv/provider")).unwrap();
    fs::remove_file(file(&sandbox, "kv/namespace")).unwrap();
    sandbox.write("registry/kv/stray\u{1b}[31m", "stray");
    fs::write(file(&sandbox, "r2/meta/index"), "{\"format\":1,").unwrap();
    let archive = file(&sandbox, "r2/blob");
    let bytes = fs::read(&archive).unwrap();
    fs::write(&archive, [&bytes[..9], b"!", &bytes[10..]].concat()).unwrap();
    leave(&sandbox, "left behind", 1);
    assert_snapshot!(without_times(&sandbox.run(&FSCK)), @r"
    $ yuba fsck --target dir:registry
    -- stdout
    problem: YF002 r2/meta/index: document cannot be read: EOF while parsing a value at line 1 column 12
      hint: `yuba fsck --repair --target dir:[DIR]/registry` mends the index, and a release that KV still has to the byte. A namespace or a provider: restore the object from a backup, or from its copy in KV if no later change was made.
    problem: YF026 r2/blob/sha256/[1]: has the SHA-256 [2]
      hint: Delete the object (`wrangler r2 object delete BUCKET/KEY`, or the file) and publish the same release again, which stores what is missing.
    problem: YF028 kv/namespace/registry.example/acme: is not there
    problem: YF028 kv/provider/registry.example/acme/dns: is not there
      hint: `yuba fsck --repair --target dir:[DIR]/registry` or `yuba sync --target dir:[DIR]/registry` writes it.
    problem: YF032 kv/stray\u{1b}[31m: is no document's name
      hint: `yuba sync --target dir:[DIR]/registry` deletes it.
    note: YF035 r2/blob/sha256/[3]: has 11 bytes and is there since [TIME]
      hint: `yuba gc --target dir:[DIR]/registry` collects it once it is old.

    checked: 9 documents, 8 copies in KV, 3 archives (661 bytes): 5 problems, 1 note
    -- stderr
    target: dir:[DIR]/registry
    -- exit 1
    ");
    assert_snapshot!(without_times(&sandbox.run(&[&FSCK[..], &["--repair"]].concat())), @r"
    $ yuba fsck --target dir:registry --repair
    -- stdout
    mended: r2/meta/index: derived from the providers
    mended: kv/namespace/registry.example/acme: copied from R2
    mended: kv/provider/registry.example/acme/dns: copied from R2
    mended: kv/index: copied from R2
    problem: YF026 r2/blob/sha256/[1]: has the SHA-256 [2]
      hint: Delete the object (`wrangler r2 object delete BUCKET/KEY`, or the file) and publish the same release again, which stores what is missing.
    problem: YF032 kv/stray\u{1b}[31m: is no document's name
      hint: `yuba sync --target dir:[DIR]/registry` deletes it.
    note: YF035 r2/blob/sha256/[3]: has 11 bytes and is there since [TIME]
      hint: `yuba gc --target dir:[DIR]/registry` collects it once it is old.

    checked: 9 documents, 10 copies in KV, 3 archives (661 bytes): 2 problems, 1 note
    -- stderr
    target: dir:[DIR]/registry
    -- exit 1
    ");
    assert_eq!(fs::read(file(&sandbox, "kv/provider")).unwrap(), provider);
    fs::write(&archive, &bytes).unwrap();
    assert_snapshot!(without_times(&sandbox.run(&[&FSCK[..], &["--repair", "--format", "json"]].concat())), @r#"
    $ yuba fsck --target dir:registry --repair --format json
    -- stdout
    {
      "status": "problems",
      "target": "dir:[DIR]/registry",
      "documents": 9,
      "copies": 10,
      "archives": 3,
      "bytes": 661,
      "findings": [
        {
          "code": "YF032",
          "weight": "problem",
          "storage": "kv",
          "key": "stray\u001b[31m",
          "message": "is no document's name",
          "hint": "`yuba sync --target dir:[DIR]/registry` deletes it."
        },
        {
          "code": "YF035",
          "weight": "note",
          "storage": "r2",
          "key": "blob/sha256/[1]",
          "message": "has 11 bytes and is there since [TIME]",
          "hint": "`yuba gc --target dir:[DIR]/registry` collects it once it is old."
        }
      ],
      "repairs": []
    }
    -- stderr
    target: dir:[DIR]/registry
    -- exit 1
    "#);
    sandbox.run(&SYNC);
    assert_snapshot!(without_times(&sandbox.run(&FSCK)), @"
    $ yuba fsck --target dir:registry
    -- stdout
    note: YF035 r2/blob/sha256/[1]: has 11 bytes and is there since [TIME]
      hint: `yuba gc --target dir:[DIR]/registry` collects it once it is old.

    checked: 9 documents, 9 copies in KV, 3 archives (661 bytes): 0 problems, 1 note
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    ");
}

#[test]
fn what_cannot_be_read_is_not_judged() {
    let sandbox = published();
    let namespace = file(&sandbox, "kv/namespace");
    fs::remove_file(&namespace).unwrap();
    fs::create_dir(&namespace).unwrap();
    assert_snapshot!(sandbox.run(&FSCK), @r"
    $ yuba fsck --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: cannot read the KV copy `namespace/registry.example/acme`
    caused by: Is a directory (os error 21)
    hint: what could not be read was not judged: run the same command again
    -- exit 2
    ");
    let nowhere = published().set("TMPDIR", "/nonexistent");
    let printed = nowhere.run(&FSCK);
    for line in [
        "error: cannot put an archive beside, at `/nonexistent`\n",
        "hint: make room where temporary files go, or name another directory with TMPDIR\n-- exit 2\n",
    ] {
        assert!(printed.contains(line), "{printed}");
    }
}

#[test]
fn garbage_is_shown_before_it_is_collected() {
    let sandbox = published();
    let before = sandbox.files();
    let (old, young) = (leave(&sandbox, "left behind long ago", 10), leave(&sandbox, "left behind", 2));
    assert_snapshot!(without_times(&sandbox.run(&GC)), @r"
    $ yuba gc --target dir:registry
    -- stdout
    collect  r2/blob/sha256/[1]  20 bytes  since [TIME]

    dry run: 1 archive (20 bytes) to the trash, 1 archive younger than 7d left alone; nothing was written
    -- stderr
    target: dir:[DIR]/registry
    hint: to do it: yuba gc --collect --target dir:[DIR]/registry
    -- exit 0
    ");
    assert!(old.exists());
    assert_snapshot!(without_times(&sandbox.run(&[&GC[..], &["--grace", "30d"]].concat())), @r"
    $ yuba gc --target dir:registry --grace 30d
    -- stdout
    nothing to collect: 2 archives younger than 30d left alone
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    ");
    assert_snapshot!(without_times(&sandbox.run(&[&GC[..], &["--grace", "36h"]].concat())), @r"
    $ yuba gc --target dir:registry --grace 36h
    -- stdout
    collect  r2/blob/sha256/[1]  20 bytes  since [TIME]
    collect  r2/blob/sha256/[2]  11 bytes  since [TIME]

    dry run: 2 archives (31 bytes) to the trash; nothing was written
    -- stderr
    target: dir:[DIR]/registry
    hint: to do it: yuba gc --collect --grace 36h --target dir:[DIR]/registry
    -- exit 0
    ");
    assert_snapshot!(without_times(&sandbox.run(&[&GC[..], &["--collect"]].concat())), @r"
    $ yuba gc --target dir:registry --collect
    -- stdout
    collected: 1 archive (20 bytes) to the trash, 1 archive younger than 7d left alone
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    ");
    assert!(!old.exists() && young.exists());
    assert_snapshot!(without_times(&sandbox.run(&[&GC[..], &["--grace", "1d", "--format", "json"]].concat())), @r#"
    $ yuba gc --target dir:registry --grace 1d --format json
    -- stdout
    {
      "status": "dry-run",
      "target": "dir:[DIR]/registry",
      "grace": "1d",
      "named": 2,
      "garbage": [
        {
          "key": "blob/sha256/[1]",
          "size": 11,
          "since": "[TIME]"
        }
      ],
      "young": [],
      "restored": [],
      "emptied": [],
      "trash": [
        {
          "key": "trash/sha256/[2]",
          "size": 20,
          "since": "[TIME]"
        },
        {
          "key": "trash/sha256/[1]",
          "size": 11,
          "since": "[TIME]"
        }
      ]
    }
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    "#);
    fs::remove_file(&young).unwrap();
    fs::remove_dir_all(sandbox.path().join("registry/r2/trash")).unwrap();
    assert_eq!(sandbox.files(), before);
    assert_snapshot!(sandbox.run(&[&GC[..], &["--collect"]].concat()), @r"
    $ yuba gc --target dir:registry --collect
    -- stdout
    nothing to collect
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    ");
}

#[test]
fn nothing_is_collected_where_nobody_can_tell() {
    let sandbox = published();
    leave(&sandbox, "left behind long ago", 10);
    sandbox.write("registry/r2/meta/oci/registry.example/x", "{}");
    assert_snapshot!(sandbox.run(&[&GC[..], &["--collect"]].concat()), @r"
    $ yuba gc --target dir:registry --collect
    -- stderr
    target: dir:[DIR]/registry
    error: `meta/oci/registry.example/x` is none of the documents that this yuba knows, and may name archives
    hint: nothing was deleted: update yuba, or delete the object if nobody needs it
    -- exit 2
    ");
    fs::remove_dir_all(sandbox.path().join("registry/r2/meta/oci")).unwrap();
    fs::remove_file(file(&sandbox, "r2/meta/release")).unwrap();
    let before = sandbox.files();
    assert_snapshot!(sandbox.run(&[&GC[..], &["--collect"]].concat()), @r"
    $ yuba gc --target dir:registry --collect
    -- stderr
    target: dir:[DIR]/registry
    error: `meta/release/registry.example/acme/dns/1.0.0/[1]` is missing: it is listed, but not there
    hint: nobody can tell what it names, so nothing more was deleted: `yuba fsck --target dir:[DIR]/registry` says what is wrong
    -- exit 2
    ");
    assert_eq!(sandbox.files(), before);
}

#[test]
fn wrong_periods_are_named() {
    let sandbox = published();
    let before = sandbox.files();
    let mut text = String::new();
    for grace in ["", "7", "7days", "1.5d", "-7d", "23h", "0d", "99999d"] {
        text += &sandbox.run(&[&GC[..], &["--collect", &format!("--grace={grace}")]].concat());
    }
    assert_snapshot!(text, @r"
    $ yuba gc --target dir:registry --collect --grace=
    -- stderr
    error: invalid value '' for '--grace <DURATION>': `` is not a number of days or hours such as `7d` or `36h`

    For more information, try '--help'.
    -- exit 1
    $ yuba gc --target dir:registry --collect --grace=7
    -- stderr
    error: invalid value '7' for '--grace <DURATION>': `7` is not a number of days or hours such as `7d` or `36h`

    For more information, try '--help'.
    -- exit 1
    $ yuba gc --target dir:registry --collect --grace=7days
    -- stderr
    error: invalid value '7days' for '--grace <DURATION>': `7days` is not a number of days or hours such as `7d` or `36h`

    For more information, try '--help'.
    -- exit 1
    $ yuba gc --target dir:registry --collect --grace=1.5d
    -- stderr
    error: invalid value '1.5d' for '--grace <DURATION>': `1.5d` is not a number of days or hours such as `7d` or `36h`

    For more information, try '--help'.
    -- exit 1
    $ yuba gc --target dir:registry --collect --grace=-7d
    -- stderr
    error: invalid value '-7d' for '--grace <DURATION>': `-7d` is not a number of days or hours such as `7d` or `36h`

    For more information, try '--help'.
    -- exit 1
    $ yuba gc --target dir:registry --collect --grace=23h
    -- stderr
    error: invalid value '23h' for '--grace <DURATION>': `23h` is shorter than 24 hours, which a running publish may take

    For more information, try '--help'.
    -- exit 1
    $ yuba gc --target dir:registry --collect --grace=0d
    -- stderr
    error: invalid value '0d' for '--grace <DURATION>': `0d` is shorter than 24 hours, which a running publish may take

    For more information, try '--help'.
    -- exit 1
    $ yuba gc --target dir:registry --collect --grace=99999d
    -- stderr
    error: invalid value '99999d' for '--grace <DURATION>': `99999d` is longer than 3650 days

    For more information, try '--help'.
    -- exit 1
    ");
    assert_eq!(sandbox.files(), before);
}

#[test]
fn half_typed_flags_are_named() {
    let sandbox = published();
    let before = sandbox.files();
    let mut text = String::new();
    for arguments in [
        &[&GC[..], &["--colect"]].concat()[..],
        &[&GC[..], &["--collect=yes"]].concat(),
        &[&GC[..], &["--grace"]].concat(),
        &[&SYNC[..], &["--dry"]].concat(),
        &[&SYNC[..], &["--hostname", "registry.example"]].concat(),
        &[&SYNC[..], &["registry.example/acme/dns"]].concat(),
        &[&FSCK[..], &["--fix"]].concat(),
        &[&FSCK[..], &["--format", "yaml"]].concat(),
    ] {
        text += &sandbox.run(arguments);
    }
    assert_snapshot!(text, @r"
    $ yuba gc --target dir:registry --colect
    -- stderr
    error: unexpected argument '--colect' found

      tip: a similar argument exists: '--collect'

    Usage: yuba gc --target <TARGET> --collect

    For more information, try '--help'.
    -- exit 1
    $ yuba gc --target dir:registry --collect=yes
    -- stderr
    error: unexpected value 'yes' for '--collect' found; no more were expected

    Usage: yuba gc --collect

    For more information, try '--help'.
    -- exit 1
    $ yuba gc --target dir:registry --grace
    -- stderr
    error: a value is required for '--grace <DURATION>' but none was supplied

    For more information, try '--help'.
    -- exit 1
    $ yuba sync --target dir:registry --dry
    -- stderr
    error: unexpected argument '--dry' found

      tip: a similar argument exists: '--dry-run'

    Usage: yuba sync --target <TARGET> --dry-run

    For more information, try '--help'.
    -- exit 1
    $ yuba sync --target dir:registry --hostname registry.example
    -- stderr
    error: unexpected argument '--hostname' found

    Usage: yuba sync --target <TARGET>

    For more information, try '--help'.
    -- exit 1
    $ yuba sync --target dir:registry registry.example/acme/dns
    -- stderr
    error: unexpected argument 'registry.example/acme/dns' found

    Usage: yuba sync [OPTIONS]

    For more information, try '--help'.
    -- exit 1
    $ yuba fsck --target dir:registry --fix
    -- stderr
    error: unexpected argument '--fix' found

    Usage: yuba fsck --target <TARGET>

    For more information, try '--help'.
    -- exit 1
    $ yuba fsck --target dir:registry --format yaml
    -- stderr
    error: invalid value 'yaml' for '--format <FORMAT>'
      [possible values: text, json]

    For more information, try '--help'.
    -- exit 1
    ");
    assert_eq!(sandbox.files(), before);
}

#[test]
fn a_storage_has_to_be_there() {
    let sandbox = Sandbox::new();
    let mut text = String::new();
    for command in ["sync", "fsck", "gc"] {
        text += &sandbox.run(&[command]);
        text += &sandbox.run(&[command, "--target", "dir:nowhere"]);
        text += &sandbox.run(&[command, "--target", "r2:bucket"]);
    }
    assert_snapshot!(text, @r"
    $ yuba sync
    -- stderr
    error: no target is named
    hint: set CLOUDFLARE_API_TOKEN (the registry at Cloudflare), or add `--target local` (what `scripts/dev` serves) or `--target dir:PATH` (plain files); inside `scripts/dev -- COMMAND` it is known
    -- exit 1
    $ yuba sync --target dir:nowhere
    -- stderr
    target: dir:[DIR]/nowhere
    error: `[DIR]/nowhere` is no directory
    hint: `--target dir:PATH` names the registry's files: the first `yuba key add` makes them
    -- exit 1
    $ yuba sync --target r2:bucket
    -- stderr
    error: invalid value 'r2:bucket' for '--target <TARGET>': target `r2:bucket` is neither `cloudflare` nor `local` nor `dir:PATH`

    For more information, try '--help'.
    -- exit 1
    $ yuba fsck
    -- stderr
    error: no target is named
    hint: set CLOUDFLARE_API_TOKEN (the registry at Cloudflare), or add `--target local` (what `scripts/dev` serves) or `--target dir:PATH` (plain files); inside `scripts/dev -- COMMAND` it is known
    -- exit 1
    $ yuba fsck --target dir:nowhere
    -- stderr
    target: dir:[DIR]/nowhere
    error: `[DIR]/nowhere` is no directory
    hint: `--target dir:PATH` names the registry's files: the first `yuba key add` makes them
    -- exit 1
    $ yuba fsck --target r2:bucket
    -- stderr
    error: invalid value 'r2:bucket' for '--target <TARGET>': target `r2:bucket` is neither `cloudflare` nor `local` nor `dir:PATH`

    For more information, try '--help'.
    -- exit 1
    $ yuba gc
    -- stderr
    error: no target is named
    hint: set CLOUDFLARE_API_TOKEN (the registry at Cloudflare), or add `--target local` (what `scripts/dev` serves) or `--target dir:PATH` (plain files); inside `scripts/dev -- COMMAND` it is known
    -- exit 1
    $ yuba gc --target dir:nowhere
    -- stderr
    target: dir:[DIR]/nowhere
    error: `[DIR]/nowhere` is no directory
    hint: `--target dir:PATH` names the registry's files: the first `yuba key add` makes them
    -- exit 1
    $ yuba gc --target r2:bucket
    -- stderr
    error: invalid value 'r2:bucket' for '--target <TARGET>': target `r2:bucket` is neither `cloudflare` nor `local` nor `dir:PATH`

    For more information, try '--help'.
    -- exit 1
    ");
    fs::create_dir(sandbox.path().join("registry")).unwrap();
    let empty = [&SYNC, &FSCK, &GC].map(|arguments| sandbox.run(arguments)).concat();
    assert_snapshot!(empty, @r"
    $ yuba sync --target dir:registry
    -- stdout
    unchanged: 0 documents are served, and KV holds them
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    $ yuba fsck --target dir:registry
    -- stdout
    checked: 0 documents, 0 copies in KV, 0 archives (0 bytes): 0 problems, 0 notes
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    $ yuba gc --target dir:registry
    -- stdout
    nothing to collect
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    ");
    assert!(sandbox.files().is_empty());
}
