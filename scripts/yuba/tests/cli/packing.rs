//! `yuba pack`, and the way from executables to a published release.

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt as _;

use insta::assert_snapshot;
use yuba_tests::releases::executable;
use yuba_tests::releases::executables::universal;
use yuba_tests::releases::keys::{Kind, SubkeySpec, Use};
use yuba_tests::releases::{Key, KeySpec};

use crate::sandbox::Sandbox;

const PACK: [&str; 8] = ["pack", "build", "--provider", "dns", "--version", "1.0.0", "--out", "dist"];

fn with(arguments: &[&'static str]) -> Vec<&'static str> {
    [&PACK[..], arguments].concat()
}

/// The usual arguments with a protocol, and these builds in the place of the directory.
fn pack(builds: &[&'static str]) -> Vec<&'static str> {
    [&["pack"], builds, &PACK[2..], &["--protocol", "6.0"]].concat()
}

/// A sandbox with executables, each platform's in a directory of its own.
fn built() -> Sandbox {
    let sandbox = Sandbox::new();
    for platform in ["darwin_arm64", "linux_amd64"] {
        sandbox.write_bytes(&format!("build/{platform}/terraform-provider-dns"), &executable(platform, "dns"));
    }
    sandbox.write_bytes("build/windows_386/terraform-provider-dns.exe", &executable("windows_386", "dns"));
    sandbox.write("LICENSE", "Public domain.\n");
    sandbox
}

#[test]
fn executables_become_a_published_release() {
    let sandbox = built();
    // What a machine adds of its own accord is no build.
    sandbox.write("build/.DS_Store", "");
    let key = KeySpec { kind: Kind::Rsa2048, ..KeySpec::new("acme") }.build();
    sandbox.write("SECRET.asc", &key.locked_armor("s3cret"));
    sandbox.write("KEY.asc", &key.ascii_armor());
    let sandbox = sandbox.set("YUBA_SIGNING_PASSPHRASE", "s3cret");
    let place = ["--namespace", "acme", "--hostname", "registry.example", "--target", "dir:registry"];
    let mut text = sandbox.run(&with(&["--protocol", "6.0", "--include", "LICENSE"]));
    text += &sandbox.run(&["sign", "dist", "--key", "SECRET.asc"]);
    text += &sandbox.run(&[&["key", "add", "KEY.asc"], &place[..]].concat());
    text += &sandbox.run(&[&["publish", "dist"], &place[..]].concat());
    assert_snapshot!(text, @r#"
    $ yuba pack build --provider dns --version 1.0.0 --out dist --protocol 6.0 --include LICENSE
    -- stdout
    create          366  terraform-provider-dns_1.0.0_darwin_arm64.zip
    create          365  terraform-provider-dns_1.0.0_linux_amd64.zip
    create          380  terraform-provider-dns_1.0.0_windows_386.zip
    create           85  terraform-provider-dns_1.0.0_manifest.json

    packed: dns 1.0.0 into dist
    -- exit 0
    $ yuba sign dist --key SECRET.asc
    -- stdout
    exists   terraform-provider-dns_1.0.0_manifest.json
    create   terraform-provider-dns_1.0.0_SHA256SUMS
    create   terraform-provider-dns_1.0.0_SHA256SUMS.sig

    signed: dns 1.0.0 (darwin_arm64, linux_amd64, windows_386) by B3E520456178B9AF3D4D25F2039D224442462BF4
    -- exit 0
    $ yuba key add KEY.asc --namespace acme --hostname registry.example --target dir:registry
    -- stdout
    added: B3E520456178B9AF3D4D25F2039D224442462BF4  RSA 2048  never expires  acme in registry.example/acme
    -- stderr
    target: dir:[DIR]/registry
    -- exit 0
    $ yuba publish dist --namespace acme --hostname registry.example --target dir:registry
    -- stdout
    published: registry.example/acme/dns 1.0.0 (darwin_arm64, linux_amd64, windows_386)

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
    assert_eq!(
        sandbox.read("dist/terraform-provider-dns_1.0.0_manifest.json"),
        "{\n  \"version\": 1,\n  \"metadata\": {\n    \"protocol_versions\": [\n      \"6.0\"\n    ]\n  }\n}\n"
    );
}

/// A certification-only primary key stays at home; the pipeline has a signing subkey, and no GnuPG.
#[test]
fn a_release_signed_by_a_subkey_is_published() {
    let sandbox = built();
    let key = KeySpec { r#use: Use::Certify, subkey: Some(SubkeySpec::default()), ..KeySpec::new("acme") }.build();
    sandbox.write_bytes("SUBKEYS.gpg", &key.secret_subkeys_bytes());
    sandbox.write("KEY.asc", &key.ascii_armor());
    let place = ["--namespace", "acme", "--hostname", "registry.example", "--target", "dir:registry"];
    for command in [
        &pack(&["build"])[..],
        &["sign", "dist", "--key", "SUBKEYS.gpg"],
        &[&["key", "add", "KEY.asc"], &place[..]].concat(),
        &[&["publish", "dist"], &place[..]].concat(),
    ] {
        assert!(sandbox.output(command).status.success(), "{}", sandbox.run(command));
    }
}

#[test]
fn packing_again_changes_nothing_and_nothing_of_the_machine_gets_in() {
    let sandbox = built();
    let arguments = with(&["--protocol", "5.0", "--protocol", "6.0", "--include", "LICENSE"]);
    assert_snapshot!(sandbox.run(&[&arguments[..], &["--dry-run"]].concat()), @"
    $ yuba pack build --provider dns --version 1.0.0 --out dist --protocol 5.0 --protocol 6.0 --include LICENSE --dry-run
    -- stdout
    create          366  terraform-provider-dns_1.0.0_darwin_arm64.zip
    create          365  terraform-provider-dns_1.0.0_linux_amd64.zip
    create          380  terraform-provider-dns_1.0.0_windows_386.zip
    create           98  terraform-provider-dns_1.0.0_manifest.json

    dry run: dns 1.0.0 can be packed into dist; nothing was written
    -- exit 0
    ");
    assert!(!sandbox.path().join("dist").exists());
    sandbox.run(&arguments);
    let archive = "dist/terraform-provider-dns_1.0.0_linux_amd64.zip";
    let bytes = fs::read(sandbox.path().join(archive)).unwrap();
    assert_snapshot!(sandbox.run(&[&arguments[..], &["--format", "json"]].concat()), @r#"
    $ yuba pack build --provider dns --version 1.0.0 --out dist --protocol 5.0 --protocol 6.0 --include LICENSE --format json
    -- stdout
    {
      "status": "unchanged",
      "type": "dns",
      "version": "1.0.0",
      "files": [
        {
          "name": "terraform-provider-dns_1.0.0_darwin_arm64.zip",
          "action": "exists",
          "size": 366,
          "sha256": "[1]"
        },
        {
          "name": "terraform-provider-dns_1.0.0_linux_amd64.zip",
          "action": "exists",
          "size": 365,
          "sha256": "[2]"
        },
        {
          "name": "terraform-provider-dns_1.0.0_windows_386.zip",
          "action": "exists",
          "size": 380,
          "sha256": "[3]"
        },
        {
          "name": "terraform-provider-dns_1.0.0_manifest.json",
          "action": "exists",
          "size": 98,
          "sha256": "[4]"
        }
      ],
      "problems": [],
      "findings": []
    }
    -- exit 0
    "#);

    fs::remove_dir_all(sandbox.path().join("dist")).unwrap();
    let file = fs::File::options().write(true).open(sandbox.path().join("LICENSE")).unwrap();
    file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000)).unwrap();
    #[cfg(unix)]
    file.set_permissions(fs::Permissions::from_mode(0o700)).unwrap();
    let mut elsewhere = sandbox.command(&arguments);
    elsewhere.env("SOURCE_DATE_EPOCH", "1234567890").env("TZ", "Asia/Tokyo").env("LC_ALL", "C");
    assert!(elsewhere.output().unwrap().status.success());
    assert_eq!(fs::read(sandbox.path().join(archive)).unwrap(), bytes);
}

#[test]
fn builds_are_found_as_they_are_laid_out() {
    let sandbox = Sandbox::new();
    sandbox.write_bytes("flat/dns_linux_amd64", &executable("linux_amd64", "dns"));
    sandbox.write_bytes("flat/dns_windows_amd64.exe", &executable("windows_amd64", "dns"));
    sandbox.write_bytes("nested/dns_linux_arm64/terraform-provider-dns_v1.0.0", &executable("linux_arm64", "dns"));
    sandbox.write("nested/dns_linux_arm64/README.md", "");
    sandbox.write_bytes("mac", &executable("darwin_arm64", "dns"));
    let text = sandbox.run(&pack(&["flat", "nested", "darwin_arm64=mac"]));
    for platform in ["linux_amd64", "windows_amd64", "linux_arm64", "darwin_arm64"] {
        assert!(text.contains(&format!("terraform-provider-dns_1.0.0_{platform}.zip")), "{text}");
    }
}

#[test]
fn what_is_not_what_it_is_said_to_be_is_refused_at_once() {
    let sandbox = built();
    fs::create_dir(sandbox.path().join("empty")).unwrap();
    sandbox.write_bytes("fat", &universal());
    sandbox.write_bytes("odd/provider_linux_amd64_v1/dns", b"");
    sandbox.write("odd/notes.txt", "");
    sandbox.write("odd/linux_arm64/one", "");
    sandbox.write("odd/linux_arm64/two", "");
    let builds = [
        "build",
        "empty",
        "odd",
        "nowhere",
        "linux_amd64=build/linux_amd64/terraform-provider-dns",
        "freebsd_amd64=build/windows_386/terraform-provider-dns.exe",
        "openbsd_amd64=build",
        "netbsd_amd64=missing",
        "darwin_amd64=fat",
        "ios_arm64=fat",
    ];
    assert_snapshot!(sandbox.run(&pack(&builds)), @"
    $ yuba pack build empty odd nowhere linux_amd64=build/linux_amd64/terraform-provider-dns freebsd_amd64=build/windows_386/terraform-provider-dns.exe openbsd_amd64=build netbsd_amd64=missing darwin_amd64=fat ios_arm64=fat --provider dns --version 1.0.0 --out dist --protocol 6.0
    -- stderr
    refused: `empty` has no builds in it
      hint: build the provider for each platform first, with GOOS and GOARCH
    refused: `odd/linux_arm64` has 2 files, and one executable is wanted
      hint: leave one file there, or name it: OS_ARCH=PATH
    refused: `odd/notes.txt` is not named for a platform
      hint: name it OS_ARCH by Go's names, or let it end in _OS_ARCH; or name each executable: OS_ARCH=PATH
    refused: `odd/provider_linux_amd64_v1` is not named for a platform
      hint: name it OS_ARCH by Go's names, or let it end in _OS_ARCH; or name each executable: OS_ARCH=PATH
    refused: cannot read `nowhere`: No such file or directory (os error 2)
      hint: check the path and its permissions
    refused: `linux_amd64` has two executables: `build/linux_amd64/terraform-provider-dns` and `build/linux_amd64/terraform-provider-dns`
      hint: name one of them
    refused: `build/windows_386/terraform-provider-dns.exe` is not for `freebsd_amd64`: it is a PE file, machine 0x014c
      hint: check that the path goes with its platform; GOOS and GOARCH say what is built
    refused: cannot read `missing`: No such file or directory (os error 2)
      hint: check the path and its permissions
    refused: `build` is no regular file
      hint: name a file; a directory of builds is named alone, without `OS_ARCH=`
    refused: `ios_arm64` has the same executable as `darwin_amd64`: `fat`
      hint: build one for each, since OpenTofu 1.12 crashes on two platforms with one archive; parts of a universal binary: lipo -thin
    refused: `windows_386` has the same executable as `freebsd_amd64`: `build/windows_386/terraform-provider-dns.exe`
      hint: build one for each, since OpenTofu 1.12 crashes on two platforms with one archive; parts of a universal binary: lipo -thin
    error: the archives are not made
    hint: nothing was written: mend what is listed above, and pack again
    -- exit 1
    ");
    assert!(!sandbox.path().join("dist").exists());
}

#[test]
fn included_files_must_fit_beside_the_executable() {
    let sandbox = built();
    sandbox.write("docs/license", "");
    sandbox.write("terraform-provider-dns.md", "");
    let includes =
        ["LICENSE", "docs/license", "terraform-provider-dns.md", "docs", "nowhere"].map(|file| ["--include", file]);
    assert_snapshot!(sandbox.run(&[&pack(&["build"])[..], &includes.concat()].concat()), @"
    $ yuba pack build --provider dns --version 1.0.0 --out dist --protocol 6.0 --include LICENSE --include docs/license --include terraform-provider-dns.md --include docs --include nowhere
    -- stderr
    refused: `docs/license` cannot be included: another file of that name is included
      hint: rename the file, or leave it out
    refused: `terraform-provider-dns.md` cannot be included: clients would take it for the executable by its name
      hint: rename the file, or leave it out
    refused: `docs` is no regular file
      hint: name a file; a directory of builds is named alone, without `OS_ARCH=`
    refused: cannot read `nowhere`: No such file or directory (os error 2)
      hint: check the path and its permissions
    error: the archives are not made
    hint: nothing was written: mend what is listed above, and pack again
    -- exit 1
    ");
    sandbox.write("a\\b", "");
    assert_snapshot!(sandbox.run(&[&pack(&["build"])[..], &["--include", "a\\b"]].concat()), @r"
    $ yuba pack build --provider dns --version 1.0.0 --out dist --protocol 6.0 --include a\\b
    -- stderr
    refused: `a\b` cannot be included: its name has a backslash, a colon or a control character
      hint: rename the file, or leave it out
    error: the archives are not made
    hint: nothing was written: mend what is listed above, and pack again
    -- exit 1
    ");
    assert!(!sandbox.path().join("dist").exists());
}

#[test]
fn nothing_is_written_over() {
    let sandbox = built();
    sandbox.run(&pack(&["build"]));
    sandbox.write_bytes("build/linux_amd64/terraform-provider-dns", &executable("linux_amd64", "newer"));
    assert_snapshot!(sandbox.run(&pack(&["build"])), @"
    $ yuba pack build --provider dns --version 1.0.0 --out dist --protocol 6.0
    -- stderr
    refused: `dist/terraform-provider-dns_1.0.0_linux_amd64.zip` is there already, with other content
      hint: remove what is there if nobody has it yet, or pack into another directory: nothing is written over
    error: the archives are not made
    hint: nothing was written: mend what is listed above, and pack again
    -- exit 1
    ");
    let other = ["--provider", "dns", "--version", "1.1.0", "--out", "dist", "--protocol", "6.0"];
    assert_snapshot!(sandbox.run(&[&["pack", "build"], &other[..]].concat()), @"
    $ yuba pack build --provider dns --version 1.1.0 --out dist --protocol 6.0
    -- stderr
    refused: `dist/terraform-provider-dns_1.0.0_darwin_arm64.zip` is there already, and is no part of this release
      hint: pack into an empty directory: all archives in it are signed and published together
    refused: `dist/terraform-provider-dns_1.0.0_linux_amd64.zip` is there already, and is no part of this release
      hint: pack into an empty directory: all archives in it are signed and published together
    refused: `dist/terraform-provider-dns_1.0.0_manifest.json` is there already, and is no part of this release
      hint: pack into an empty directory: all archives in it are signed and published together
    refused: `dist/terraform-provider-dns_1.0.0_windows_386.zip` is there already, and is no part of this release
      hint: pack into an empty directory: all archives in it are signed and published together
    error: the archives are not made
    hint: nothing was written: mend what is listed above, and pack again
    -- exit 1
    ");
    sandbox.write_bytes("build/linux_amd64/terraform-provider-dns", &executable("linux_amd64", "dns"));
    sandbox.write("SECRET.asc", &Key::new("acme").secret_armor());
    sandbox.run(&["sign", "dist", "--key", "SECRET.asc"]);
    sandbox.write_bytes("build/linux_arm64/terraform-provider-dns", &executable("linux_arm64", "dns"));
    assert_snapshot!(sandbox.run(&pack(&["build"])), @"
    $ yuba pack build --provider dns --version 1.0.0 --out dist --protocol 6.0
    -- stderr
    refused: `dist/terraform-provider-dns_1.0.0_SHA256SUMS` is there already, and does not vouch for what would be added
      hint: remove what is there if nobody has it yet, or pack into another directory: nothing is written over
    error: the archives are not made
    hint: nothing was written: mend what is listed above, and pack again
    -- exit 1
    ");
}

#[test]
fn the_protocol_must_be_said_and_spoken() {
    let sandbox = built();
    assert_snapshot!(sandbox.run(&PACK), @"
    $ yuba pack build --provider dns --version 1.0.0 --out dist
    -- stderr
    error: nothing says which plugin protocol the provider speaks
    hint: say it: `--protocol 6.0` (terraform-plugin-framework) or `--protocol 5.0` (terraform-plugin-sdk), or have a terraform-registry-manifest.json
    -- exit 1
    ");
    assert_snapshot!(sandbox.run(&with(&["--protocol", "4.0"])), @"
    $ yuba pack build --provider dns --version 1.0.0 --out dist --protocol 4.0
    -- stderr
    refused: YB085 terraform-provider-dns_1.0.0_manifest.json: no client speaks `4.0`
      hint: State the version that the provider speaks; one that speaks 4 only has to be rebuilt.
    error: the archives are not made
    hint: nothing was written: mend what is listed above, and pack again
    -- exit 1
    ");
    assert!(!sandbox.path().join("dist").exists(), "what is refused leaves nothing");
    assert_snapshot!(sandbox.run(&with(&["--protocol", "six"])), @"
    $ yuba pack build --provider dns --version 1.0.0 --out dist --protocol six
    -- stderr
    error: invalid value 'six' for '--protocol <VERSION>': protocol version `six` is not MAJOR or MAJOR.MINOR, such as `6.0`

    For more information, try '--help'.
    -- exit 1
    ");
    assert_snapshot!(sandbox.run(&with(&["--manifest", "nowhere.json"])), @"
    $ yuba pack build --provider dns --version 1.0.0 --out dist --manifest nowhere.json
    -- stderr
    error: cannot read `nowhere.json`
    caused by: No such file or directory (os error 2)
    hint: `--manifest` is the release's terraform-registry-manifest.json
    -- exit 1
    ");
    sandbox.write("terraform-registry-manifest.json", "{}");
    assert_snapshot!(sandbox.run(&PACK), @r#"
    $ yuba pack build --provider dns --version 1.0.0 --out dist
    -- stderr
    refused: YB083 terraform-provider-dns_1.0.0_manifest.json: is no manifest: missing field `version` at line 1 column 2
      hint: Write `{"version":1,"metadata":{"protocol_versions":["6.0"]}}`.
    error: the archives are not made
    hint: nothing was written: mend what is listed above, and pack again
    -- exit 1
    "#);
    sandbox.write("terraform-registry-manifest.json", r#"{"version":1,"metadata":{"protocol_versions":["5.0"]}}"#);
    assert!(sandbox.output(&PACK).status.success());
}

#[test]
fn what_is_typed_wrongly_is_named() {
    let sandbox = built();
    let mut text = String::new();
    for (provider, version) in [("terraform-dns", "1.0.0"), ("a_b", "1.0.0"), ("dns", "v1.0.0"), ("dns", "1.0")] {
        let arguments = ["pack", "build", "--provider", provider, "--version", version, "--out", "d"];
        text += &sandbox.run(&arguments);
    }
    text += &sandbox.run(&pack(&["Linux_x86=build"]));
    text += &sandbox.run(&pack(&["linux_amd64="]));
    assert_snapshot!(text, @"
    $ yuba pack build --provider terraform-dns --version 1.0.0 --out d
    -- stderr
    error: invalid value 'terraform-dns' for '--provider <TYPE>': type `terraform-dns` must not start with `terraform-`

    For more information, try '--help'.
    -- exit 1
    $ yuba pack build --provider a_b --version 1.0.0 --out d
    -- stderr
    error: invalid value 'a_b' for '--provider <TYPE>': name `a_b` must be letters, digits and single dashes, at most 63 bytes in its DNS form

    For more information, try '--help'.
    -- exit 1
    $ yuba pack build --provider dns --version v1.0.0 --out d
    -- stderr
    error: invalid value 'v1.0.0' for '--version <VERSION>': version `v1.0.0` is not canonical SemVer such as `1.2.3` or `1.2.3-rc.1`

    For more information, try '--help'.
    -- exit 1
    $ yuba pack build --provider dns --version 1.0 --out d
    -- stderr
    error: invalid value '1.0' for '--version <VERSION>': version `1.0` is not canonical SemVer such as `1.2.3` or `1.2.3-rc.1`

    For more information, try '--help'.
    -- exit 1
    $ yuba pack Linux_x86=build --provider dns --version 1.0.0 --out dist --protocol 6.0
    -- stderr
    error: invalid value 'Linux_x86=build' for '<BUILD>...': `Linux_x86=build` is not OS_ARCH=PATH

    For more information, try '--help'.
    -- exit 1
    $ yuba pack linux_amd64= --provider dns --version 1.0.0 --out dist --protocol 6.0
    -- stderr
    error: invalid value 'linux_amd64=' for '<BUILD>...': `linux_amd64=` names no path

    For more information, try '--help'.
    -- exit 1
    ");
}
