//! `yuba verify` against a registry on this machine: reports, refusals, and a run that is killed.

use std::fs;
use std::process::Stdio;
use std::sync::LazyLock;
use std::time::Duration;

use insta::assert_snapshot;
use serde_json::Value;
use yuba_tests::content::Content;
use yuba_tests::double::{Act, Double, HOSTNAME, publish_all};
use yuba_tests::releases::{Key, Release};

use crate::sandbox::Sandbox;

static CONTENT: LazyLock<Content> = LazyLock::new(|| {
    publish_all(
        &Key::new("acme"),
        vec![
            (HOSTNAME, |key| release("1.0.0", key)),
            (HOSTNAME, |key| release("1.1.0", key)),
            ("mirrored.example", |key| release("3.0.0", key)),
        ],
    )
});

fn release(version: &str, key: &Key) -> Release {
    Release::new("dns", version, key).platforms(&["darwin_arm64", "linux_amd64"])
}

/// A sandbox with a cache directory of its own.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let cache = sandbox.path().join("cache").to_str().unwrap().to_owned();
    sandbox.set("XDG_CACHE_HOME", &cache)
}

/// What `yuba verify` prints, without the port and the date.
fn verify(sandbox: &Sandbox, double: &Double, arguments: &[&str]) -> String {
    let printed = sandbox.run(&[&["verify", double.url()], arguments].concat());
    let text = printed.replace(double.url(), "[URL]");
    let undated = text.split_inclusive('\n').map(|line| match line.split_once("before, on ") {
        Some((head, tail)) => [head, "before, on [DATE]", tail.trim_start_matches(|letter| letter != ' ')].concat(),
        None => line.to_owned(),
    });
    undated.collect()
}

#[test]
fn a_sound_registry_is_verified_and_then_known() {
    let double = Double::sound(CONTENT.clone());
    let sandbox = sandbox();
    assert_snapshot!(verify(&sandbox, &double, &["acme/dns"]), @"
    $ yuba verify [URL] acme/dns
    -- stdout
    127.0.0.1/acme/dns
      1.0.0  darwin_arm64     verified (325 bytes)
             linux_amd64      verified (325 bytes)
      1.1.0  darwin_arm64     verified (325 bytes)
             linux_amd64      verified (325 bytes)

    sound: [URL]/ (archives: 4 verified)
    -- exit 0
    ");
    assert_snapshot!(verify(&sandbox, &double, &["Acme/dns"]), @"
    $ yuba verify [URL] Acme/dns
    -- stdout
    127.0.0.1/acme/dns
      1.0.0  darwin_arm64     verified before, on [DATE] (325 bytes)
             linux_amd64      verified before, on [DATE] (325 bytes)
      1.1.0  darwin_arm64     verified before, on [DATE] (325 bytes)
             linux_amd64      verified before, on [DATE] (325 bytes)

    sound: [URL]/ (archives: 4 verified before)
    Those verified before were not downloaded again; `--fresh` starts over.
    -- exit 0
    ");
    assert_snapshot!(verify(&sandbox, &double, &["acme/dns", "--fresh", "--jobs", "1"]), @"
    $ yuba verify [URL] acme/dns --fresh --jobs 1
    -- stdout
    127.0.0.1/acme/dns
      1.0.0  darwin_arm64     verified (325 bytes)
             linux_amd64      verified (325 bytes)
      1.1.0  darwin_arm64     verified (325 bytes)
             linux_amd64      verified (325 bytes)

    sound: [URL]/ (archives: 4 verified)
    -- exit 0
    ");
    assert_snapshot!(verify(&sandbox, &double, &["mirrored.example/acme/dns", "--without-archives"]), @"
    $ yuba verify [URL] mirrored.example/acme/dns --without-archives
    -- stdout
    mirrored.example/acme/dns
      3.0.0  darwin_arm64     not downloaded
             linux_amd64      not downloaded

    sound: [URL]/ (archives: 2 not downloaded)
    -- exit 0
    ");
}

#[test]
fn what_is_wrong_is_told_with_its_remedy() {
    let double = Double::start(CONTENT.clone(), |_| {
        Box::new(|ask, mut reply| {
            if ask.path.ends_with("1.0.0_linux_amd64.zip")
                && let Some(byte) = reply.body.get_mut(100)
            {
                *byte ^= 1;
            }
            let gone = ask.path.ends_with("/1.1.0/download/darwin/arm64");
            let unwell = ask.path.ends_with("1.1.0_SHA256SUMS");
            Act::Answer(match (gone, unwell) {
                (true, _) => reply.with_status(404),
                (_, true) => reply.with_status(503),
                _ => reply,
            })
        })
    });
    let sandbox = sandbox();
    assert_snapshot!(verify(&sandbox, &double, &["acme/dns"]), @"
    $ yuba verify [URL] acme/dns
    -- stdout
    127.0.0.1/acme/dns
      1.0.0  darwin_arm64     verified (325 bytes)
             linux_amd64      faulty
      1.1.0  darwin_arm64     faulty
             linux_amd64      verified (325 bytes)

    wrong: YR014 127.0.0.1/acme/dns 1.1.0 darwin_arm64: `[URL]/v1/providers/acme/dns/1.1.0/download/darwin/arm64` is answered with 404
      hint: Publish the version again: what is listed is completed, and nothing else changes.
    wrong: YR030 127.0.0.1/acme/dns 1.0.0 linux_amd64: the archive has 325 bytes and SHA-256 `[1]`, not `[2]`
      hint: Restore the archive in storage from the release, and find out who or what changed it.
    unchecked: 127.0.0.1/acme/dns 1.1.0: `[URL]/releases/127.0.0.1/acme/dns/1.1.0/terraform-provider-dns_1.1.0_SHA256SUMS` is answered with 503, 5 times in a row

    faulty: [URL]/ (archives: 2 verified, 2 faulty)
    Run the same command again to check what could not be checked.
    -- exit 1
    ");

    let output = sandbox.output(&["verify", double.url(), "acme/dns", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["status"], "faulty");
    assert_eq!(report["archives"]["verified_before"], 2);
    assert_eq!(report["findings"][0]["code"], "YR014");
    assert_eq!(report["providers"][0]["versions"][0]["platforms"]["linux_amd64"]["status"], "faulty");
}

#[test]
fn what_could_not_be_checked_is_neither_good_nor_bad() {
    let double = Double::start(CONTENT.clone(), |_| {
        Box::new(|ask, reply| {
            let unwell = ask.path.ends_with("1.0.0_linux_amd64.zip");
            Act::Answer(if unwell { reply.with_status(500) } else { reply })
        })
    });
    assert_snapshot!(verify(&sandbox(), &double, &["acme/dns"]), @"
    $ yuba verify [URL] acme/dns
    -- stdout
    127.0.0.1/acme/dns
      1.0.0  darwin_arm64     verified (325 bytes)
             linux_amd64      unchecked
      1.1.0  darwin_arm64     verified (325 bytes)
             linux_amd64      verified (325 bytes)

    unchecked: 127.0.0.1/acme/dns 1.0.0 linux_amd64: `[URL]/releases/127.0.0.1/acme/dns/1.0.0/[1]/terraform-provider-dns_1.0.0_linux_amd64.zip` is answered with 500, 5 times in a row

    not all checked: [URL]/ (archives: 3 verified, 1 unchecked)
    Run the same command again to check what could not be checked.
    -- exit 2
    ");
}

#[test]
fn half_typed_registries_are_refused() {
    let sandbox = sandbox();
    let mut text = String::new();
    for url in ["registry.example", "http://registry.example", "https://registry.example/v1/providers/", "https://a_b"]
    {
        text += &sandbox.run(&["verify", url, "acme/dns"]);
    }
    text += &sandbox.run(&["verify", "https://registry.example", "dns"]);
    text += &sandbox.run(&["verify", "https://registry.example", "acme/dns", "--jobs", "0"]);
    text += &sandbox.run(&["verify", "https://registry.example", "acme/dns", "--mirror", "https://a.example/mirror"]);
    text += &sandbox.run(&["verify", "https://registry.example", "acme/dns", "--mirror", "http://a.example/"]);
    assert_snapshot!(text, @"
    $ yuba verify registry.example acme/dns
    -- stderr
    error: invalid value 'registry.example' for '<URL>': `registry.example` is no URL: write `https://HOST`

    For more information, try '--help'.
    -- exit 1
    $ yuba verify http://registry.example acme/dns
    -- stderr
    error: invalid value 'http://registry.example' for '<URL>': `http://registry.example` is not https://, and clients find registries in no other way

    For more information, try '--help'.
    -- exit 1
    $ yuba verify https://registry.example/v1/providers/ acme/dns
    -- stderr
    error: invalid value 'https://registry.example/v1/providers/' for '<URL>': `https://registry.example/v1/providers/` has more in it than a host and a port: clients start from `/` there

    For more information, try '--help'.
    -- exit 1
    $ yuba verify https://a_b acme/dns
    -- stderr
    error: invalid value 'https://a_b' for '<URL>': `https://a_b`: `a_b` is not a hostname

    For more information, try '--help'.
    -- exit 1
    $ yuba verify https://registry.example dns
    -- stderr
    error: invalid value 'dns' for '[ADDRESS]': `dns` is neither NAMESPACE/TYPE nor HOSTNAME/NAMESPACE/TYPE

    For more information, try '--help'.
    -- exit 1
    $ yuba verify https://registry.example acme/dns --jobs 0
    -- stderr
    error: invalid value '0' for '--jobs <N>': 0 is not in 1..=64

    For more information, try '--help'.
    -- exit 1
    $ yuba verify https://registry.example acme/dns --mirror https://a.example/mirror
    -- stderr
    error: invalid value 'https://a.example/mirror' for '--mirror <URL>': `https://a.example/mirror` does not end in `/`: clients would drop its last part

    For more information, try '--help'.
    -- exit 1
    $ yuba verify https://registry.example acme/dns --mirror http://a.example/
    -- stderr
    error: invalid value 'http://a.example/' for '--mirror <URL>': `http://a.example/` is not https://, and clients use no other mirror

    For more information, try '--help'.
    -- exit 1
    ");
}

#[test]
fn what_is_missing_is_said() {
    let sandbox = sandbox();
    let mut text = sandbox.run(&["verify", "https://registry.example"]);
    text += &sandbox.run(&["verify", "https://registry.example", "acme/dns", "--ca-certificate", "nowhere.pem"]);
    sandbox.write("empty.pem", "");
    text += &sandbox.run(&["verify", "https://registry.example", "acme/dns", "--ca-certificate", "empty.pem"]);
    text += &sandbox.run(&["verify", "https://registry.example", "acme/dns", "--state", "."]);
    assert_snapshot!(text, @"
    $ yuba verify https://registry.example
    -- stderr
    error: no provider is named, and the registry protocol has no list of them
    hint: name one (`yuba verify https://registry.example NAMESPACE/TYPE`), or the storage that lists them (`--target TARGET`)
    -- exit 1
    $ yuba verify https://registry.example acme/dns --ca-certificate nowhere.pem
    -- stderr
    error: cannot read the certificates in `nowhere.pem`
    caused by: No such file or directory (os error 2)
    hint: `--ca-certificate` and SSL_CERT_FILE name a PEM file of certificates to trust
    -- exit 1
    $ yuba verify https://registry.example acme/dns --ca-certificate empty.pem
    -- stderr
    error: `empty.pem` holds no certificate in PEM form
    hint: `--ca-certificate` and SSL_CERT_FILE name a PEM file of certificates to trust
    -- exit 1
    $ yuba verify https://registry.example acme/dns --state .
    -- stderr
    error: cannot use the state file `.`
    caused by: Is a directory (os error 21)
    hint: `--state` names a file that can be written
    -- exit 1
    ");
}

#[test]
fn a_provider_that_is_not_there_is_refused() {
    let double = Double::sound(CONTENT.clone());
    let sandbox = sandbox();
    let text = verify(&sandbox, &double, &["acme/nds"]) + &verify(&sandbox, &double, &["other.example/acme/dns"]);
    assert_snapshot!(text, @"
    $ yuba verify [URL] acme/nds
    -- stderr
    error: [URL]/ has no provider `127.0.0.1/acme/nds`
    hint: check the spelling: NAMESPACE/TYPE is the registry's own, HOSTNAME/NAMESPACE/TYPE a mirrored one
    -- exit 1
    $ yuba verify [URL] other.example/acme/dns
    -- stderr
    error: [URL]/ has no provider `other.example/acme/dns`
    hint: check the spelling: NAMESPACE/TYPE is the registry's own, HOSTNAME/NAMESPACE/TYPE a mirrored one
    -- exit 1
    ");
}

#[test]
fn what_is_no_registry_is_told() {
    let double = Double::start(CONTENT.clone(), |_| {
        Box::new(|_, reply| Act::Answer(reply.with_body("<html>").with_header("content-type", "text/html")))
    });
    assert_snapshot!(verify(&sandbox(), &double, &["acme/dns"]), @"
    $ yuba verify [URL] acme/dns
    -- stdout
    wrong: YR002 [URL]/.well-known/terraform.json: has content type `text/html`, not `application/json`
      hint: Find what sits before the registry and changes `Content-Type`: yuba sends the right one.

    faulty: [URL]/ (archives: none)
    -- exit 1
    ");
    // Nobody listens on the port of a server that is gone.
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("http://{free}");
    let printed = sandbox().run(&["verify", &url, "acme/dns"]).replace(&free.to_string(), "[HOST]");
    assert!(printed.contains("error: `http://[HOST]/.well-known/terraform.json` does not answer\n"), "{printed}");
    assert!(printed.ends_with("-- exit 2\n"), "{printed}");
}

/// The storage knows which providers there are; what nobody may see or can install is none of them.
#[test]
fn the_storage_lists_the_providers() {
    let sandbox = Sandbox::with_registry();
    assert_snapshot!(sandbox.run(&["verify", "https://registry.example", "--target", "dir:registry"]), @"
    $ yuba verify https://registry.example --target dir:registry
    -- stderr
    target: dir:[DIR]/registry
    error: the storage lists no public provider with a version
    hint: publish one first, or name another storage with `--target`
    -- exit 1
    ");
    sandbox.release("dist", Release::new("dns", "1.0.0", &Key::new("acme")));
    sandbox.write("KEY.asc", &Key::new("acme").ascii_armor());
    sandbox.run(&["key", "add", "--namespace", "acme", "--target", "dir:registry", "KEY.asc", "--hostname", HOSTNAME]);
    sandbox.run(&["publish", "dist", "--namespace", "acme", "--target", "dir:registry", "--hostname", HOSTNAME]);
    let double = Double::sound(CONTENT.clone());
    let state = sandbox.path().join("state.jsonl").to_str().unwrap().to_owned();
    let arguments = ["--target", "dir:registry", "--hostname", HOSTNAME, "--state", &state];
    assert_snapshot!(verify(&sandbox, &double, &arguments), @"
    $ yuba verify [URL] --target dir:registry --hostname 127.0.0.1 --state [DIR]/state.jsonl
    -- stdout
    127.0.0.1/acme/dns
      1.0.0  darwin_arm64     verified (325 bytes)
             linux_amd64      verified (325 bytes)
      1.1.0  darwin_arm64     verified (325 bytes)
             linux_amd64      verified (325 bytes)

    sound: [URL]/ (archives: 4 verified)
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    ");

    let files = sandbox.files();
    let (path, document) = files.iter().find(|(path, _)| path.contains("r2/meta/namespace/127.0.0.1")).unwrap();
    let private = String::from_utf8(document.clone()).unwrap().replace("public", "private");
    fs::write(path, private).unwrap();
    assert_snapshot!(verify(&sandbox, &double, &arguments), @"
    $ yuba verify [URL] --target dir:registry --hostname 127.0.0.1 --state [DIR]/state.jsonl
    -- stderr
    target: dir:[DIR]/registry
    left out: 127.0.0.1/acme/dns is private, and nobody gets an answer
    error: the storage lists no public provider with a version
    hint: publish one first, or name another storage with `--target`
    -- exit 1
    ");
}

/// The second archive hangs, and the process is killed there: what was verified before is not downloaded again.
#[test]
fn a_killed_run_loses_nothing() {
    let (reached, waits) = std::sync::mpsc::channel();
    let double = Double::start(CONTENT.clone(), move |_| {
        let mut hangs = 1;
        Box::new(move |ask, reply| {
            if ask.method == "GET" && ask.path.ends_with("1.0.0_linux_amd64.zip") && hangs > 0 {
                hangs -= 1;
                let _ = reached.send(());
                return Act::Hang;
            }
            Act::Answer(reply)
        })
    });
    let sandbox = sandbox();
    let arguments = ["verify", double.url(), "acme/dns", "--jobs", "1", "--state", "state.jsonl"];
    let mut child = sandbox.command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    waits.recv_timeout(Duration::from_mins(1)).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let state = fs::read_to_string(sandbox.path().join("state.jsonl")).unwrap();
    assert_eq!(state.lines().count(), 1, "{state}");
    assert!(state.contains("darwin_arm64"), "{state}");
    let _ = double.take_requests();

    let printed = sandbox.run(&arguments);
    assert!(printed.contains("(archives: 3 verified, 1 verified before)\n"), "{printed}");
    assert!(printed.ends_with("-- exit 0\n"), "{printed}");
    let requests = double.take_requests();
    let of_first = requests.iter().filter(|line| line.ends_with("1.0.0_darwin_arm64.zip")).collect::<Vec<_>>();
    assert!(matches!(of_first.as_slice(), [only] if only.starts_with("HEAD ")), "{of_first:?}");
}
