//! Real clients have the last word: each installs from the Worker in workerd, over TLS, what `yuba` published.
//!
//! Runs inside `scripts/dev --empty --log FILE -- …`, with FILE in `YUBA_REQUEST_LOG`. Every case has a provider of its
//! own for every client, so that the log tells which requests it caused.

use std::fs;
use std::path::Path;

use yuba_tests::client::{Client, Family, Outcome, Workspace, clients, provider_time, time_executables};
use yuba_tests::publisher::{Publisher, Release, host_platform};
use yuba_tests::releases::KeySpec;
use yuba_tests::releases::keys::{Kind, SubkeySpec, Use};

/// Runs a case for every client, with a provider type of the case's and the client's own.
fn for_each_client(case: &str, run: impl Fn(&Publisher, &Client, &str)) {
    let publisher = match Publisher::find() {
        Ok(publisher) => publisher,
        Err(reason) => return eprintln!("skipped: {reason}"),
    };
    for client in clients() {
        eprintln!("{case}: {}", client.name);
        run(&publisher, &client, &format!("{case}-{}", client.name));
    }
}

#[test]
fn init_installs_and_locks_every_platform() {
    for_each_client("install", |registry, client, r#type| {
        let release = Release::new(r#type, "1.0.0").platforms(&[&host_platform(), "windows_386", "darwin_arm64"]);
        let published = registry.publish(&release);
        let workspace = Workspace::requiring(client, &registry.source(r#type), "");
        workspace.init(&[]).says("v1.0.0 (s").says("has been successfully initialized");

        let mut signed: Vec<String> = published.digests().iter().map(|digest| format!("zh:{digest}")).collect();
        signed.sort_unstable();
        assert_eq!(workspace.hashes("zh:"), signed, "every line of SHA256SUMS");
        assert_eq!(workspace.hashes("h1:"), [published.h1(&host_platform())], "as the companion computed it");

        let asked = registry.requests(r#type);
        let archive = format!("/terraform-provider-{type}_1.0.0_{}.zip 200", host_platform());
        let sums = format!("/terraform-provider-{type}_1.0.0_SHA256SUMS 200");
        let signature = format!("/terraform-provider-{type}_1.0.0_SHA256SUMS.sig 200");
        let ends = ["/versions 200", "/download/", &sums, &signature, &archive];
        let expected =
            |line: &str| ends.iter().any(|end| line.ends_with(end) || line.contains(end)) && line.ends_with(" 200");
        assert!(asked.iter().all(|line| expected(line)), "{asked:#?}");
        // Terraform 1.11 and 1.12.0 ask for the archive's head first.
        let count = if client.family == Family::Terraform { 5..=6 } else { 5..=5 };
        assert!(count.contains(&asked.len()), "{asked:#?}");
    });
}

#[test]
fn init_again_keeps_the_lock_and_upgrade_follows_the_registry() {
    for_each_client("again", |registry, client, r#type| {
        registry.publish(&Release::new(r#type, "1.0.0"));
        let workspace = Workspace::requiring(client, &registry.source(r#type), "");
        workspace.init(&[]).says("v1.0.0");
        let lock = workspace.lock();

        workspace.init(&[]).says("Using previously-installed");
        workspace.uninstall();
        workspace.init(&[]).says("Installed");
        assert_eq!(workspace.lock(), lock);

        registry.publish(&Release::new(r#type, "1.1.0"));
        workspace.init(&[]).says("v1.0.0");
        assert_eq!(workspace.lock(), lock);
        workspace.init(&["-upgrade"]).says("v1.1.0");
        assert_eq!(workspace.locked_version(), "1.1.0");
    });
}

#[test]
fn constraints_select_versions() {
    for_each_client("constraint", |registry, client, r#type| {
        for version in ["1.0.0", "1.2.0", "1.10.0", "2.0.0", "2.1.0-rc.1", "1.2.0+build.7"] {
            registry.publish(&Release::new(r#type, version));
        }
        let cases = [
            ("", "2.0.0"),
            ("~> 1.0", "1.10.0"),
            ("~> 1.2.0", "1.2.0"),
            (">= 1.0, < 1.5", "1.2.0"),
            ("1.0.0", "1.0.0"),
            ("2.1.0-rc.1", "2.1.0-rc.1"),
            ("1.2.0+build.7", "1.2.0+build.7"),
        ];
        for (constraint, version) in cases {
            let workspace = Workspace::requiring(client, &registry.source(r#type), constraint);
            workspace.init(&[]).says("successfully initialized");
            let locked = workspace.locked_version();
            let alike = constraint == "~> 1.2.0" || constraint == ">= 1.0, < 1.5";
            let selected = if alike { locked.trim_end_matches("+build.7") } else { &locked };
            assert_eq!(selected, version, "{constraint}");
        }
    });
}

#[test]
fn a_prerelease_is_installed_only_by_name() {
    for_each_client("prerelease", |registry, client, r#type| {
        registry.publish(&Release::new(r#type, "1.0.0-RC1"));
        let workspace = Workspace::requiring(client, &registry.source(r#type), "");
        workspace.init(&[]).refuses(&["no available releases match", "no available releases"]);
        workspace.require(&registry.source(r#type), "1.0.0-RC1");
        workspace.init(&[]).says("v1.0.0-RC1");
    });
}

#[test]
fn an_upper_case_source_is_the_same_provider() {
    for_each_client("upper", |registry, client, r#type| {
        registry.publish(&Release::new(r#type, "1.0.0"));
        let source = registry.source(r#type).replace("acme", "ACME").replace("upper", "Upper");
        Workspace::requiring(client, &source, "").init(&[]).says("v1.0.0");
    });
}

#[test]
fn names_in_unicode_install() {
    for_each_client("straße", |registry, client, r#type| {
        registry.publish(&Release::new(r#type, "1.0.0"));
        Workspace::requiring(client, &registry.source(r#type), "").init(&[]).says("v1.0.0");
    });
}

#[test]
fn what_does_not_exist_gets_the_client_s_clean_message() {
    for_each_client("missing", |registry, client, r#type| {
        let source = registry.source(r#type);
        let none = ["does not have a provider named", "was not found"];
        Workspace::requiring(client, &source, "").init(&[]).refuses(&none);

        registry.publish(&Release::new(r#type, "1.0.0").platforms(&["plan9_386"]));
        Workspace::requiring(client, &source, "2.0.0").init(&[]).refuses(&["no available releases match"]);
        let platform = ["does not have a package available for your current platform", "Incompatible provider version"];
        Workspace::requiring(client, &source, "").init(&[]).refuses(&platform);
    });
}

#[test]
fn providers_lock_takes_several_platforms() {
    for_each_client("lock", |registry, client, r#type| {
        let release = Release::new(r#type, "1.0.0").platforms(&["linux_amd64", "windows_amd64", "darwin_arm64"]);
        let published = registry.publish(&release);
        let workspace = Workspace::requiring(client, &registry.source(r#type), "");
        let lock = ["providers", "lock", "-platform=windows_amd64", "-platform=darwin_arm64"];
        workspace.run(&lock).says("Success!");
        let mut computed = [published.h1("windows_amd64"), published.h1("darwin_arm64")];
        computed.sort_unstable();
        assert_eq!(workspace.hashes("h1:"), computed);
    });
}

#[test]
fn providers_mirror_copies_what_is_published() {
    for_each_client("copy", |registry, client, r#type| {
        let published = registry.publish(&Release::new(r#type, "1.0.0"));
        let workspace = Workspace::requiring(client, &registry.source(r#type), "");
        let platform = format!("-platform={}", host_platform());
        workspace.run(&["providers", "mirror", &platform, "copy"]).says("1.0.0");
        let directory = workspace.path("copy").join(registry.source(r#type));
        let archive = directory.join(format!("terraform-provider-{type}_1.0.0_{}.zip", host_platform()));
        assert_eq!(fs::read(archive).unwrap(), published.archive(&host_platform()));
        let version = fs::read_to_string(directory.join("1.0.0.json")).unwrap();
        assert!(version.contains(&published.h1(&host_platform())), "{version}");
    });
}

/// A CLI configuration that gets providers of `hostname` from the registry's mirror, and has further `methods`.
fn use_mirror(workspace: &Workspace, registry: &Publisher, methods: &str) {
    let mirror = format!("network_mirror {{\n    url = \"{}/mirror/\"\n  }}", registry.url());
    workspace.write("cli.tfrc", &format!("provider_installation {{\n  {mirror}\n  {methods}\n}}\n"));
}

#[test]
fn the_network_mirror_serves_other_hosts_providers_and_its_own() {
    for_each_client("mirror", |registry, client, r#type| {
        let mirrored = registry.publish(&Release::new(r#type, "1.0.0").hostname("mirrored.example"));
        registry.publish(&Release::new(r#type, "1.0.0"));
        for hostname in ["mirrored.example", "localhost"] {
            let source = format!("{hostname}/acme/{type}");
            let workspace = Workspace::requiring(client, &source, "");
            use_mirror(&workspace, registry, "");
            workspace.init(&[]).says("v1.0.0");
            let lock = workspace.lock();
            assert_eq!(workspace.hashes("h1:"), [mirrored.h1(&host_platform())]);
            workspace.uninstall();
            workspace.init(&[]).says("v1.0.0");
            assert_eq!(workspace.lock(), lock);
        }
        let asked = registry.requests(r#type);
        assert!(asked.iter().all(|line| line.ends_with(" 200")), "{asked:#?}");
        assert!(asked.iter().all(|line| !line.contains("/v1/providers/")), "{asked:#?}");
    });
}

#[test]
fn what_the_mirror_lacks_is_installed_directly() {
    for_each_client("fallback", |registry, client, r#type| {
        registry.publish(&Release::new(r#type, "1.0.0"));
        // A host whose registry is this one too: the mirror knows nothing of it.
        let workspace = Workspace::requiring(client, &format!("elsewhere.example/acme/{type}"), "");
        use_mirror(&workspace, registry, "direct {}");
        let settings = fs::read_to_string(workspace.path("cli.tfrc")).unwrap();
        let services = format!("services = {{ \"providers.v1\" = \"{}/v1/providers/\" }}", registry.url());
        workspace.write("cli.tfrc", &format!("{settings}\nhost \"elsewhere.example\" {{\n  {services}\n}}\n"));
        workspace.init(&[]).says("v1.0.0");
        let asked = registry.requests(r#type);
        let mirror = format!("GET /mirror/elsewhere.example/acme/{type}/");
        assert!(asked.contains(&format!("{mirror}index.json 404")), "{asked:#?}");
        assert!(asked.contains(&format!("{mirror}1.0.0.json 200")), "{asked:#?}");
    });
}

#[test]
fn a_mirror_alone_that_lacks_a_provider_says_so() {
    for_each_client("absent", |registry, client, r#type| {
        let workspace = Workspace::requiring(client, &format!("mirrored.example/acme/{type}"), "");
        use_mirror(&workspace, registry, "");
        workspace.init(&[]).refuses(&["was not found in any of the search locations", "does not have"]);
    });
}

#[test]
fn an_archive_altered_in_storage_is_refused() {
    for_each_client("altered", |registry, client, r#type| {
        let published = registry.publish(&Release::new(r#type, "1.0.0"));
        let mut archive = published.archive(&host_platform());
        let middle = archive.len() / 2;
        archive[middle] ^= 1;
        registry.alter(published.digest(&host_platform()), &archive);
        let checksum = ["checksum", "doesn't match", "does not match"];
        Workspace::requiring(client, &registry.source(r#type), "").init(&[]).refuses(&checksum);
        let workspace = Workspace::requiring(client, &format!("localhost/acme/{type}"), "");
        use_mirror(&workspace, registry, "");
        workspace.init(&[]).refuses(&checksum);
    });
}

#[test]
fn a_key_that_expired_after_publishing_still_installs() {
    for_each_client("expired", |registry, client, r#type| {
        registry.publish_with_a_key_that_has_expired_since(&Release::new(r#type, "1.0.0").namespace("old"));
        let source = registry.source_in("old", r#type);
        Workspace::requiring(client, &source, "").init(&[]).says("v1.0.0");
    });
}

/// A key that every client reads, and a release in a namespace of its own.
fn keyed_release(r#type: &str) -> (KeySpec, Release) {
    let key = KeySpec { kind: Kind::Rsa2048, ..KeySpec::new(r#type) };
    (key, Release::new(r#type, "1.0.0").namespace(r#type))
}

#[test]
fn a_retired_key_still_installs() {
    for_each_client("retired", |registry, client, r#type| {
        let (key, release) = keyed_release(r#type);
        registry.publish_signed_by(&key.build(), &release);
        registry.give_up(&key, "retire", &release, &[]);
        let source = registry.source_in(r#type, r#type);
        let said = Workspace::requiring(client, &source, "").init(&[]);
        said.says("v1.0.0");
        assert!(!said.said.contains("Warning: Additional"), "{said}");
    });
}

#[test]
fn a_signing_subkey_of_a_key_that_only_certifies_installs() {
    for_each_client("subkey", |registry, client, r#type| {
        let (key, release) = keyed_release(r#type);
        let key = KeySpec { r#use: Use::Certify, subkey: Some(SubkeySpec::default()), ..key };
        registry.publish_signed_by(&key.build(), &release);
        let source = registry.source_in(r#type, r#type);
        Workspace::requiring(client, &source, "").init(&[]).says("v1.0.0 (s");
    });
}

#[test]
fn a_key_that_is_warned_of_installs_and_the_client_shows_the_warning() {
    for_each_client("warned", |registry, client, r#type| {
        let (key, release) = keyed_release(r#type);
        registry.publish_signed_by(&key.build(), &release);
        registry.give_up(&key, "revoke", &release, &["--policy", "warn", "--reason", "the disk is lost"]);
        let warning = "version 1.0.0 is signed with key";
        let said = Workspace::requiring(client, &registry.source_in(r#type, r#type), "").init(&[]);
        said.says(warning).says("which is revoked: the disk is lost").says("successfully initialized");
        let workspace = Workspace::requiring(client, &format!("localhost/{type}/{type}"), "");
        use_mirror(&workspace, registry, "");
        workspace.init(&[]).says("v1.0.0");
    });
}

/// Asserts that nobody can install what `key` signed: not from the registry, where it was locked before, and not from the
/// mirror. What the client says about it has `words` in it.
fn refuses_blocked(registry: &Publisher, client: &Client, r#type: &str, arguments: &[&str], words: &str) {
    let (key, release) = keyed_release(r#type);
    registry.publish_signed_by(&key.build(), &release);
    let direct = Workspace::requiring(client, &registry.source_in(r#type, r#type), "");
    let mirror = Workspace::requiring(client, &format!("localhost/{type}/{type}"), "");
    use_mirror(&mirror, registry, "");
    for workspace in [&direct, &mirror] {
        workspace.init(&[]).says("v1.0.0");
        workspace.uninstall();
    }
    registry.give_up(&key, "revoke", &release, arguments);
    let said = direct.init(&[]);
    said.refuses(&[words]);
    said.refuses(&["version 1.0.0 cannot be installed: it is signed with key"]);
    said.refuses(&["which is revoked: laptop stolen"]);
    mirror.init(&[]).refuses(&["does not have a package available for your current platform"]);
}

#[test]
fn what_a_revoked_key_blocks_is_refused_and_the_client_shows_why() {
    for_each_client("blocked", |registry, client, r#type| {
        let arguments = ["--policy", "block", "--reason", "laptop stolen", "--yes"];
        refuses_blocked(registry, client, r#type, &arguments, "410 Gone");
    });
}

#[test]
fn what_its_owner_revoked_is_refused_by_the_client_itself() {
    for_each_client("certified", |registry, client, r#type| {
        let block = ["--policy", "block", "--reason", "laptop stolen", "--yes", "--certificate", "REVOKED.asc"];
        refuses_blocked(registry, client, r#type, &block, "signature made by revoked key");
    });
}

#[test]
fn packages_are_accepted_by_the_clients_that_read_them() {
    for_each_client("packages", |registry, client, r#type| {
        let platforms = [&*host_platform(), "darwin_amd64", "darwin_arm64", "windows_amd64", "freebsd_386"];
        registry.publish(&Release::new(r#type, "1.0.0").platforms(&platforms));
        // Its order of checking varies from run to run.
        for _ in 0..if client.family == Family::OpenTofu(12) { 4 } else { 1 } {
            Workspace::requiring(client, &registry.source(r#type), "").init(&[]).says("v1.0.0");
        }
    });
}

#[test]
fn what_is_withdrawn_is_warned_of_and_still_installs() {
    for_each_client("withdrawn", |registry, client, r#type| {
        for version in ["1.0.0", "1.1.0"] {
            registry.publish(&Release::new(r#type, version));
        }
        let source = registry.source(r#type);
        let workspace = Workspace::requiring(client, &source, "1.0.0");
        workspace.init(&[]).says("v1.0.0");
        let lock = workspace.lock();

        let address = format!("acme/{type}");
        registry.yuba(&["yank", &address, "1.0.0", "--reason", "it loses records; use 1.1.0"]);
        registry.yuba(&["deprecate", &address, "--reason", "it moved", "--successor", "acme/names"]);
        workspace.uninstall();
        let outcome = workspace.init(&[]);
        outcome.says("v1.0.0").says("Additional provider information from registry");
        outcome.says("- version 1.0.0 is withdrawn: it loses records; use 1.1.0");
        outcome.says("is deprecated, use localhost/acme/names instead: it moved");
        assert_eq!(workspace.lock(), lock);

        registry.yuba(&["restore", &address, "1.0.0"]);
        registry.yuba(&["restore", &address]);
        let outcome = workspace.init(&[]);
        assert!(!outcome.said.contains("Additional provider information"), "{outcome}");
    });
}

/// Clients show every line of every provider, so an old provider's many are few.
#[test]
fn many_withdrawn_versions_are_one_line() {
    for_each_client("many", |registry, client, r#type| {
        let versions: Vec<_> = (0..25).map(|number| format!("1.{number}.0")).collect();
        for version in &versions {
            registry.publish(&Release::new(r#type, version));
            registry.yuba(&["yank", &format!("acme/{type}"), version, "--reason", "it loses records"]);
        }
        let outcome = Workspace::requiring(client, &registry.source(r#type), "").init(&[]);
        outcome.says("v1.24.0").says("- versions 1.24.0, 1.23.0, ");
        outcome.says(", 1.5.0 and 5 older are withdrawn: it loses records");
    });
}

#[test]
fn a_removed_version_is_no_longer_available_and_others_are() {
    for_each_client("removed", |registry, client, r#type| {
        for version in ["1.0.0", "1.1.0"] {
            registry.publish(&Release::new(r#type, version));
        }
        let source = registry.source(r#type);
        let locked = Workspace::requiring(client, &source, "1.0.0");
        locked.init(&[]).says("v1.0.0");
        let other = Workspace::requiring(client, &source, "");
        other.init(&[]).says("v1.1.0");

        let remove = ["--reason", "court order 7", "--yes-break-locked-users"];
        registry.yuba(&[&["remove", &format!("acme/{type}"), "1.0.0"], &remove[..]].concat());
        locked.uninstall();
        locked.init(&[]).refuses(&["is no longer available", "no available releases match"]);
        Workspace::requiring(client, &source, "1.0.0").init(&[]).refuses(&["no available releases match"]);
        other.uninstall();
        other.init(&[]).says("v1.1.0");
        locked.require(&source, ">= 1.0.0");
        locked.init(&["-upgrade"]).says("v1.1.0");

        let mirrored = Workspace::requiring(client, &format!("localhost/acme/{type}"), "1.0.0");
        use_mirror(&mirrored, registry, "");
        mirrored.init(&[]).refuses(&["no available releases match"]);

        registry.yuba(&[&["remove", &format!("acme/{type}"), "1.1.0"], &remove[..]].concat());
        let none = ["does not have a provider named", "was not found"];
        Workspace::requiring(client, &source, "").init(&[]).refuses(&none);
        registry.publish(&Release::new(r#type, "1.2.0"));
        Workspace::requiring(client, &source, "").init(&[]).says("v1.2.0");
    });
}

/// A configuration that uses the real provider's one resource.
const ROTATION: &str = r#"
resource "time_static" "then" {
  rfc3339 = "2026-01-02T03:04:05Z"
}

output "year" {
  value = time_static.then.year
}
"#;

/// A configuration that does so with the provider from `source`.
fn rotation(source: &str) -> String {
    format!("terraform {{\n  required_providers {{\n    time = {{ source = \"{source}\" }}\n  }}\n}}\n{ROTATION}")
}

#[test]
fn a_real_provider_plans_and_applies() {
    let executables = match provider_time() {
        Ok(directory) => directory,
        Err(reason) => return eprintln!("skipped: {reason}"),
    };
    for_each_client("real", |registry, client, _| {
        let namespace = format!("real-{}", client.name);
        registry.publish(&time_release(&executables).namespace(&namespace));
        let source = registry.source_in(&namespace, "time");
        let workspace = Workspace::new(client);
        workspace.write("main.tf", &rotation(&source));
        workspace.init(&[]).says("v0.14.2");
        workspace.run(&["plan", "-no-color"]).says("1 to add");
        workspace.run(&["apply", "-no-color", "-auto-approve"]).says("year = 2026");
    });
}

/// GnuPG has no part in this: the archives and the signature are all `yuba`'s, and a subkey signs.
#[test]
fn what_is_packed_and_signed_without_gnupg_installs_and_runs() {
    let executables = match provider_time() {
        Ok(directory) => directory,
        Err(reason) => return eprintln!("skipped: {reason}"),
    };
    for_each_client("packed", |registry, client, _| {
        let namespace = format!("packed-{}", client.name);
        registry.publish_packed(&executables, "time", "0.14.2", &namespace);
        let workspace = Workspace::new(client);
        workspace.write("main.tf", &rotation(&registry.source_in(&namespace, "time")));
        workspace.init(&[]).says("v0.14.2 (s");
        let lock = workspace.lock();
        workspace.uninstall();
        workspace.init(&[]).says("v0.14.2");
        assert_eq!(workspace.lock(), lock);
        workspace.run(&["apply", "-no-color", "-auto-approve"]).says("year = 2026");
    });
}

/// The release of the real provider, with every platform it was built for.
fn time_release(executables: &Path) -> Release {
    let release = Release::new("time", "0.14.2").platforms(&[]);
    let executables = time_executables(executables).unwrap().into_iter();
    executables.fold(release, |release, (platform, executable)| release.executable(&platform, executable))
}

#[test]
fn outcomes_are_read_in_words() {
    let outcome = Outcome::of(std::process::Command::new("sh").args(["-c", "echo '│ a'; echo b >&2; exit 1"]));
    outcome.refuses(&["a b"]);
}
