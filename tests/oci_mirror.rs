//! Real `OpenTofu` 1.12 installs through `oci_mirror` from the Worker in workerd, over TLS, what `yuba` published: alone,
//! beside other installation methods, and with the lock files that those wrote.
//!
//! Runs inside `scripts/dev --empty --log FILE -- …`, with FILE in `YUBA_REQUEST_LOG`. Every case has a provider of its
//! own, so that the log tells which requests it caused. Terraform has no `oci_mirror`, and neither has `OpenTofu` 1.6.

use yuba_tests::client::{Client, Family, Outcome, Workspace, clients, provider_time, time_executables};
use yuba_tests::publisher::{Publisher, Release, host_platform};
use yuba_tests::releases::KeySpec;
use yuba_tests::releases::keys::Kind;

/// The repository template of each mapping, after the registry's host.
const MIRROR: &str = "${hostname}/${namespace}/${type}";
const DISCOVERY: &str = "${namespace}/${type}";
const RESERVED: &str = "${namespace}/opentofu-provider-${type}";

/// Runs a case, with its registry and a client that has `oci_mirror`.
fn with_tofu(run: impl Fn(&Publisher, &Client)) {
    let publisher = match Publisher::find() {
        Ok(publisher) => publisher,
        Err(reason) => return eprintln!("skipped: {reason}"),
    };
    clients().iter().filter(|client| client.family == Family::OpenTofu(12)).for_each(|client| run(&publisher, client));
}

/// The registry's host, as addresses have it.
fn host(registry: &Publisher) -> &str {
    registry.url().trim_start_matches("https://")
}

/// An `oci_mirror` of the registry.
fn oci_mirror(registry: &Publisher, template: &str, patterns: &str) -> String {
    format!("oci_mirror {{\n    repository_template = \"{}/{template}\"\n    {patterns}\n  }}", host(registry))
}

/// An `oci_mirror` that has the registry's own providers under their own address.
fn own_mirror(registry: &Publisher, template: &str) -> String {
    oci_mirror(registry, template, &format!("include = [\"{}/*/*\"]", host(registry)))
}

/// A `network_mirror` of the registry.
fn network_mirror(registry: &Publisher, patterns: &str) -> String {
    format!("network_mirror {{\n    url = \"{}/mirror/\"\n    {patterns}\n  }}", registry.url())
}

/// Has `workspace` install by `methods`. The host `elsewhere.example` has this registry for its own.
fn install_by(workspace: &Workspace, registry: &Publisher, methods: &[&str]) {
    let services = format!("services = {{ \"providers.v1\" = \"{}/v1/providers/\" }}", registry.url());
    let host = format!("host \"elsewhere.example\" {{\n  {services}\n}}");
    workspace.write("cli.tfrc", &format!("provider_installation {{\n  {}\n}}\n{host}\n", methods.join("\n  ")));
}

/// A workspace that requires `source` and installs by `methods`.
fn workspace(client: &Client, registry: &Publisher, source: &str, methods: &[&str]) -> Workspace {
    let workspace = Workspace::requiring(client, source, "");
    install_by(&workspace, registry, methods);
    workspace
}

/// A workspace that requires the providers of several sources and installs by `methods`.
fn requiring_all(client: &Client, registry: &Publisher, sources: &[&str], methods: &[&str]) -> Workspace {
    let required = (1..).zip(sources).map(|(n, source)| format!("p{n} = {{ source = \"{source}\" }}\n"));
    let required = required.collect::<Vec<_>>().concat();
    let workspace = Workspace::new(client);
    workspace.write("main.tf", &format!("terraform {{\n  required_providers {{\n{required}  }}\n}}\n"));
    install_by(&workspace, registry, methods);
    workspace
}

/// What was refused, in lines, without what varies: the registry's address and this machine's platform.
fn refusal(registry: &Publisher, outcome: &Outcome) -> String {
    outcome.refuses(&["Error: "]);
    let (_, error) = outcome.said.split_once("Error: ").unwrap();
    let port = host(registry).rsplit(':').next().unwrap();
    let error = error.replace(host(registry), "HOST").replace(port, "PORT").replace(&host_platform(), "PLATFORM");
    let mut lines = vec![String::new()];
    for word in error.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + word.chars().count() < 100 => *line = format!("{line} {word}"),
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

/// The requests that named `repository`, without digests.
fn pulled(registry: &Publisher, repository: &str) -> Vec<String> {
    let name = repository.rsplit('/').next().unwrap();
    let path = format!("/v2/{repository}/");
    let lines = registry.requests(name).into_iter().filter(|line| line.contains(&path));
    lines.map(|line| without_digest(&line.replace(&path, ""))).collect()
}

fn without_digest(line: &str) -> String {
    match line.split_once("sha256:") {
        Some((start, rest)) => format!("{start}DIGEST{}", &rest[64..]),
        None => line.to_owned(),
    }
}

/// What an installation asks of a repository, after the registry's `/v2/`.
const SEQUENCE: [&str; 5] = [
    "GET tags/list 200",
    "HEAD manifests/1.0.0 200",
    "GET manifests/DIGEST 200",
    "GET manifests/DIGEST 200",
    "GET blobs/DIGEST 200",
];

#[test]
fn alone_it_installs_in_every_mapping() {
    with_tofu(|registry, client| {
        let published = registry.publish(&Release::new("alone", "1.0.0"));
        registry.publish(&Release::new("alone", "1.0.0").hostname("mirrored.example"));
        let own = registry.source("alone");
        for (source, method, repository) in [
            ("mirrored.example/acme/alone", oci_mirror(registry, MIRROR, ""), "mirrored.example/acme/alone"),
            ("localhost/acme/alone", oci_mirror(registry, MIRROR, ""), "localhost/acme/alone"),
            (&*own, own_mirror(registry, DISCOVERY), "acme/alone"),
            (&*own, own_mirror(registry, RESERVED), "acme/opentofu-provider-alone"),
        ] {
            let workspace = workspace(client, registry, source, &[&method]);
            workspace.init(&[]).says("v1.0.0 (verified checksum)").says("successfully initialized");
            let zh = format!("zh:{}", published.digest(&host_platform()));
            assert_eq!(workspace.hashes("zh:"), [zh], "the archive that is signed, and no other platform's");
            assert_eq!(workspace.hashes("h1:"), [published.h1(&host_platform())], "as the companion computed it");
            assert_eq!(pulled(registry, repository), SEQUENCE, "{repository}");
        }
        let others = registry.requests("alone").into_iter().filter(|line| !line.contains(" /v2/"));
        assert_eq!(others.collect::<Vec<_>>(), [""; 0]);
    });
}

#[test]
fn constraints_and_upgrades_select_by_tag() {
    with_tofu(|registry, client| {
        for version in ["1.0.0", "1.2.0-rc.1", "1.1.0+build.7"] {
            registry.publish(&Release::new("tagged", version));
        }
        let source = registry.source("tagged");
        let method = own_mirror(registry, DISCOVERY);
        for (constraint, version) in [
            ("", "1.1.0+build.7"),
            ("1.0.0", "1.0.0"),
            ("1.2.0-rc.1", "1.2.0-rc.1"),
            ("1.1.0+build.7", "1.1.0+build.7"),
        ] {
            let workspace = workspace(client, registry, &source, &[&method]);
            workspace.require(&source, constraint);
            workspace.init(&[]).says("successfully initialized");
            assert_eq!(workspace.locked_version(), version, "{constraint}");
        }
        let workspace = workspace(client, registry, &source, &[&method]);
        workspace.init(&[]).says("v1.1.0+build.7");
        registry.publish(&Release::new("tagged", "1.3.0"));
        workspace.init(&[]).says("Using previously-installed");
        workspace.init(&["-upgrade"]).says("v1.3.0");
        assert_eq!(workspace.locked_version(), "1.3.0");
    });
}

#[test]
fn what_does_not_exist_gets_the_client_s_clean_message() {
    with_tofu(|registry, client| {
        let method = oci_mirror(registry, MIRROR, "");
        let refused = |source: &str, constraint: &str| {
            let workspace = workspace(client, registry, source, &[&method]);
            workspace.require(source, constraint);
            refusal(registry, &workspace.init(&[]))
        };
        let source = "mirrored.example/acme/absent";
        insta::assert_snapshot!(refused(source, ""), @r"
        Failed to query available provider packages Could not retrieve the list of available versions for
        provider mirrored.example/acme/absent: provider mirrored.example/acme/absent was not found in any of
        the search locations - OCI registry provider mirror
        ");
        registry.publish(&Release::new("absent", "1.0.0").hostname("mirrored.example").platforms(&["plan9_386"]));
        insta::assert_snapshot!(refused(source, "2.0.0"), @r"
        Failed to resolve provider packages Could not resolve provider mirrored.example/acme/absent: no
        available releases match the given constraints 2.0.0
        ");
        insta::assert_snapshot!(refused(source, ""), @r"
        Incompatible provider version Provider mirrored.example/acme/absent v1.0.0 does not have a package
        available for your current platform, PLATFORM. Provider releases are separate from OpenTofu CLI
        releases, so not all providers are available for all platforms. Other versions of this provider may
        have different platforms supported.
        ");
        assert_eq!(
            pulled(registry, source),
            [
                "GET tags/list 404",
                "GET tags/list 200",
                "GET tags/list 200",
                "HEAD manifests/1.0.0 200",
                "GET manifests/DIGEST 200",
            ]
        );
    });
}

/// These never reach the registry: the client itself finds no repository for them.
#[test]
fn addresses_that_no_repository_can_have_get_the_client_s_message() {
    with_tofu(|registry, client| {
        let method = oci_mirror(registry, MIRROR, "");
        let refused = |source: &str| refusal(registry, &workspace(client, registry, source, &[&method]).init(&[]));
        insta::assert_snapshot!(refused("mirrored.example/straße/unnamed"), @r#"
        Failed to resolve provider packages Could not resolve provider mirrored.example/straße/unnamed:
        selecting OCI repository address: invalid reference: invalid repository
        "mirrored.example/straße/unnamed"
        "#);
        insta::assert_snapshot!(refused(&registry.source("unnamed")), @r#"
        Failed to resolve provider packages Could not resolve provider HOST/acme/unnamed: selecting OCI
        repository address: invalid reference: invalid tag "PORT/acme/unnamed"
        "#);
        assert_eq!(registry.requests("unnamed"), [""; 0]);
    });
}

#[test]
fn beside_direct_each_has_its_own_providers() {
    with_tofu(|registry, client| {
        registry.publish(&Release::new("beside", "1.0.0").hostname("mirrored.example"));
        registry.publish(&Release::new("beside", "1.0.0"));
        let own = registry.source("beside");
        let pattern = "= [\"mirrored.example/*/*\"]";
        let mirror = oci_mirror(registry, MIRROR, &format!("include {pattern}"));
        let direct = format!("direct {{\n    exclude {pattern}\n  }}");
        let workspace = requiring_all(client, registry, &["mirrored.example/acme/beside", &own], &[&mirror, &direct]);
        workspace.init(&[]).says("v1.0.0 (verified checksum)").says("v1.0.0 (signed, key ID ");
        assert_eq!(pulled(registry, "mirrored.example/acme/beside"), SEQUENCE);
        assert_eq!(pulled(registry, "acme/beside"), [""; 0]);
        assert!(registry.requests("beside").contains(&"GET /v1/providers/acme/beside/versions 200".to_owned()));
    });
}

/// A method that asks this registry's mirror for what is of `elsewhere.example`, in the repositories of another host.
fn elsewhere_mirror(registry: &Publisher) -> String {
    let template = "mirrored.example/${namespace}/${type}";
    oci_mirror(registry, template, "include = [\"elsewhere.example/*/*\"]")
}

#[test]
fn what_a_registry_lacks_is_installed_from_the_mirror_after_it() {
    with_tofu(|registry, client| {
        registry.publish(&Release::new("behind", "1.0.0").hostname("mirrored.example"));
        let source = "elsewhere.example/acme/behind";
        let mirror = elsewhere_mirror(registry);
        for (number, first) in ["direct {}".to_owned(), network_mirror(registry, "")].into_iter().enumerate() {
            let workspace = workspace(client, registry, source, &[&first, &mirror]);
            workspace.init(&[]).says("v1.0.0 (verified checksum)");
            assert_eq!(pulled(registry, "mirrored.example/acme/behind")[number * 5..], SEQUENCE);
        }
        let asked = registry.requests("behind");
        for other in ["/v1/providers/acme/behind/versions 404", "/mirror/elsewhere.example/acme/behind/index.json 404"]
        {
            assert!(asked.contains(&format!("GET {other}")), "{asked:#?}");
        }
    });
}

#[test]
fn a_platform_that_the_mirror_lacks_is_installed_directly() {
    with_tofu(|registry, client| {
        let other = Release::new("partial", "1.0.0").hostname("elsewhere.example").platforms(&["plan9_386"]);
        registry.publish(&other);
        registry.publish(&Release::new("partial", "1.0.0"));
        let source = "elsewhere.example/acme/partial";
        let workspace = workspace(client, registry, source, &[&oci_mirror(registry, MIRROR, ""), "direct {}"]);
        workspace.init(&[]).says("v1.0.0 (signed, key ID ");
        assert_eq!(
            pulled(registry, source),
            ["GET tags/list 200", "HEAD manifests/1.0.0 200", "GET manifests/DIGEST 200"]
        );
    });
}

/// Where two methods have the same provider, the client asks each for the version that it chose, whoever has that; and a
/// tag that is not there ends everything. So a mirror goes behind a registry, or has patterns.
#[test]
fn a_provider_or_version_that_the_mirror_lacks_is_not_installed_by_what_follows_it() {
    with_tofu(|registry, client| {
        registry.publish(&Release::new("before", "1.0.0"));
        let source = "elsewhere.example/acme/before";
        let methods = [&*oci_mirror(registry, MIRROR, ""), "direct {}"];
        let refused = || refusal(registry, &workspace(client, registry, source, &methods).init(&[]));
        insta::assert_snapshot!(refused(), @r#"
        Failed to install provider Error while installing elsewhere.example/acme/before v1.0.0: resolving
        tag "1.0.0": HOST/elsewhere.example/acme/before:1.0.0: not found
        "#);
        registry.publish(&Release::new("before", "1.0.0").hostname("elsewhere.example"));
        registry.publish(&Release::new("before", "1.1.0"));
        insta::assert_snapshot!(refused(), @r#"
        Failed to install provider Error while installing elsewhere.example/acme/before v1.1.0: resolving
        tag "1.1.0": HOST/elsewhere.example/acme/before:1.1.0: not found
        "#);
        let behind = workspace(client, registry, source, &["direct {}", methods[0]]);
        behind.init(&[]).says("v1.1.0 (signed, key ID ");
    });
}

#[test]
fn beside_a_network_mirror_each_has_its_own_providers() {
    with_tofu(|registry, client| {
        registry.publish(&Release::new("twofold", "1.0.0").hostname("mirrored.example"));
        registry.publish(&Release::new("twofold", "1.0.0").hostname("other.example"));
        let sources = ["mirrored.example/acme/twofold", "other.example/acme/twofold"];
        let mirror = oci_mirror(registry, MIRROR, "include = [\"mirrored.example/*/*\"]");
        let network = network_mirror(registry, "exclude = [\"mirrored.example/*/*\"]");
        requiring_all(client, registry, &sources, &[&mirror, &network]).init(&[]).says("successfully initialized");
        assert_eq!(pulled(registry, sources[0]), SEQUENCE);
        let others = registry.requests("twofold").into_iter().filter(|line| !line.contains(" /v2/"));
        let others: Vec<_> = others.collect();
        assert!(others.iter().all(|line| line.contains("other.example") && line.ends_with(" 200")), "{others:#?}");
        assert_eq!(others.len(), 3, "{others:#?}");
        assert_eq!(pulled(registry, sources[1]), [""; 0]);
    });
}

#[test]
fn a_lock_of_the_registry_protocol_is_kept_by_the_mirror() {
    with_tofu(|registry, client| {
        let published = registry.publish(&Release::new("signed", "1.0.0"));
        let workspace = workspace(client, registry, &registry.source("signed"), &["direct {}"]);
        workspace.init(&[]).says("v1.0.0 (signed, key ID ");
        assert_eq!(workspace.hashes("zh:").len(), published.digests().len());
        let lock = workspace.lock();
        for template in [DISCOVERY, RESERVED] {
            workspace.uninstall();
            install_by(&workspace, registry, &[&own_mirror(registry, template)]);
            workspace.init(&[]).says("v1.0.0 (verified checksum)");
            assert_eq!(workspace.lock(), lock, "{template}");
        }
    });
}

#[test]
fn a_lock_of_the_mirror_is_accepted_by_the_registry_protocol_which_completes_it() {
    with_tofu(|registry, client| {
        let published = registry.publish(&Release::new("pulled", "1.0.0"));
        let workspace = workspace(client, registry, &registry.source("pulled"), &[&own_mirror(registry, DISCOVERY)]);
        workspace.init(&[]).says("v1.0.0 (verified checksum)");
        let lock = workspace.lock();
        workspace.uninstall();
        install_by(&workspace, registry, &["direct {}"]);
        workspace.init(&["-lockfile=readonly"]).says("v1.0.0 (signed, key ID ");
        assert_eq!(workspace.lock(), lock);
        workspace.uninstall();
        workspace.init(&[]).says("v1.0.0 (signed, key ID ");
        let mut signed: Vec<_> = published.digests().iter().map(|digest| format!("zh:{digest}")).collect();
        signed.sort_unstable();
        assert_eq!(workspace.hashes("zh:"), signed, "every line of SHA256SUMS");
        assert_eq!(workspace.hashes("h1:"), [published.h1(&host_platform())]);
    });
}

#[test]
fn locks_of_both_mirrors_are_one() {
    with_tofu(|registry, client| {
        registry.publish(&Release::new("either", "1.0.0").hostname("mirrored.example"));
        let methods = [oci_mirror(registry, MIRROR, ""), network_mirror(registry, "")];
        for [first, second] in [[&methods[0], &methods[1]], [&methods[1], &methods[0]]] {
            let workspace = workspace(client, registry, "mirrored.example/acme/either", &[first]);
            workspace.init(&[]).says("v1.0.0");
            let lock = workspace.lock();
            workspace.uninstall();
            install_by(&workspace, registry, &[second]);
            workspace.init(&["-lockfile=readonly"]).says("v1.0.0 (verified checksum)");
            assert_eq!(workspace.lock(), lock);
        }
    });
}

/// So write clients that lock no archives' hashes: Terraform, and `OpenTofu` before 1.10, from a network mirror.
#[test]
fn a_lock_without_the_archive_s_own_hash_is_refused_before_the_archive_is_asked_for() {
    with_tofu(|registry, client| {
        let published = registry.publish(&Release::new("unpacked", "1.0.0"));
        let source = registry.source("unpacked");
        let workspace = workspace(client, registry, &source, &[&own_mirror(registry, DISCOVERY)]);
        let h1 = published.h1(&host_platform());
        let lock = format!("provider \"{source}\" {{\n  version = \"1.0.0\"\n  hashes  = [\"{h1}\"]\n}}\n");
        workspace.write(".terraform.lock.hcl", &lock);
        insta::assert_snapshot!(refusal(registry, &workspace.init(&[])), @r"
        Failed to install provider Error while installing HOST/acme/unpacked v1.0.0: the current package for
        HOST/acme/unpacked 1.0.0 doesn't match any of the checksums previously recorded in the dependency
        lock file; for more information:
        https://opentofu.org/docs/language/files/dependency-lock/#checksum-verification
        ");
        assert_eq!(pulled(registry, "acme/unpacked"), SEQUENCE[..4]);
    });
}

/// `providers lock` looks at no `provider_installation`: it asks the registry that the address names, and what that signs
/// lets the mirror's archive pass.
#[test]
fn providers_lock_asks_the_registry_and_the_mirror_is_accepted() {
    with_tofu(|registry, client| {
        let platforms = ["linux_amd64", "windows_amd64", "darwin_arm64"];
        let published = registry.publish(&Release::new("platforms", "1.0.0").platforms(&platforms));
        let workspace = workspace(client, registry, &registry.source("platforms"), &[&own_mirror(registry, DISCOVERY)]);
        workspace.run(&["providers", "lock", "-platform=windows_amd64", "-platform=darwin_arm64"]).says("Success!");
        let asked = registry.requests("platforms");
        assert!(asked.contains(&"GET /v1/providers/acme/platforms/versions 200".to_owned()), "{asked:?}");
        assert!(asked.iter().all(|line| !line.contains(" /v2/")), "{asked:?}");
        let mut computed = ["windows_amd64", "darwin_arm64"].map(|platform| published.h1(platform));
        computed.sort_unstable();
        assert_eq!(workspace.hashes("h1:"), computed);
        workspace.init(&[]).says("Installed");
        assert!(registry.requests("platforms").iter().any(|line| line.contains(" /v2/") && line.contains("/blobs/")));
    });
}

#[test]
fn an_archive_altered_in_storage_is_refused() {
    with_tofu(|registry, client| {
        let published = registry.publish(&Release::new("spoilt", "1.0.0"));
        let mut archive = published.archive(&host_platform());
        let middle = archive.len() / 2;
        archive[middle] ^= 1;
        registry.alter(published.digest(&host_platform()), &archive);
        let method = own_mirror(registry, DISCOVERY);
        let outcome = workspace(client, registry, &registry.source("spoilt"), &[&method]).init(&[]);
        outcome.refuses(&["provider package does not match digest sha256:"]);
    });
}

/// The client asks for a tag's head first, and an answer to that has no body: the reason stays unsaid.
#[test]
fn what_a_revoked_key_blocks_is_refused() {
    with_tofu(|registry, client| {
        let key = KeySpec { kind: Kind::Rsa2048, ..KeySpec::new("oci-blocked") };
        let release = Release::new("oci-blocked", "1.0.0").namespace("oci-blocked");
        registry.publish_signed_by(&key.build(), &release);
        let source = registry.source_in("oci-blocked", "oci-blocked");
        let workspace = workspace(client, registry, &source, &[&own_mirror(registry, DISCOVERY)]);
        workspace.init(&[]).says("v1.0.0");
        workspace.uninstall();
        registry.give_up(&key, "revoke", &release, &["--policy", "block", "--reason", "laptop stolen", "--yes"]);
        insta::assert_snapshot!(refusal(registry, &workspace.init(&[])), @r#"
        Failed to install provider Error while installing HOST/oci-blocked/oci-blocked v1.0.0: resolving tag
        "1.0.0": HEAD "https://HOST/v2/oci-blocked/oci-blocked/manifests/1.0.0": response status code 403:
        Forbidden
        "#);
    });
}

#[test]
fn a_removed_version_is_no_longer_available_and_others_are() {
    with_tofu(|registry, client| {
        for version in ["1.0.0", "1.1.0"] {
            registry.publish(&Release::new("withheld", version));
        }
        let source = registry.source("withheld");
        let workspace = workspace(client, registry, &source, &[&own_mirror(registry, DISCOVERY)]);
        workspace.require(&source, "1.0.0");
        workspace.init(&[]).says("v1.0.0");
        let remove = ["--reason", "court order 7", "--yes-break-locked-users"];
        registry.yuba(&[&["remove", "acme/withheld", "1.0.0"], &remove[..]].concat());
        workspace.uninstall();
        workspace.init(&[]).refuses(&["the previously-selected version 1.0.0 is no longer available"]);
        workspace.require(&source, "");
        workspace.init(&["-upgrade"]).says("v1.1.0");
    });
}

#[test]
fn a_real_provider_plans_and_applies() {
    let executables = match provider_time().map(|directory| time_executables(&directory).unwrap()) {
        Ok(executables) => executables,
        Err(reason) => return eprintln!("skipped: {reason}"),
    };
    with_tofu(|registry, client| {
        let release = Release::new("time", "0.14.2").platforms(&[]).namespace("oci-real");
        let add = |release: Release, (platform, executable): (&String, &Vec<u8>)| {
            release.executable(platform, executable.clone())
        };
        registry.publish(&executables.iter().fold(release, add));
        let source = registry.source_in("oci-real", "time");
        let workspace = Workspace::new(client);
        install_by(&workspace, registry, &[&own_mirror(registry, RESERVED)]);
        let required = format!("time = {{ source = \"{source}\" }}");
        let resource = "resource \"time_static\" \"then\" {\n  rfc3339 = \"2026-01-02T03:04:05Z\"\n}";
        let output = "output \"year\" {\n  value = time_static.then.year\n}";
        let terraform = format!("terraform {{\n  required_providers {{\n    {required}\n  }}\n}}");
        workspace.write("main.tf", &format!("{terraform}\n{resource}\n{output}\n"));
        workspace.init(&[]).says("v0.14.2 (verified checksum)");
        workspace.run(&["apply", "-no-color", "-auto-approve"]).says("year = 2026");
    });
}
