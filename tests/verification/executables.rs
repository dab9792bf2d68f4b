//! Which file of a package clients start, and what its header may say.

use yuba_companion::verify::{Finding, KeyAge, Origin};
use yuba_tests::releases::defects::Scene;
use yuba_tests::releases::executables::universal;
use yuba_tests::releases::{Entry, Release, executable};

use super::judge;

/// The rows that find fault with a release for one platform.
fn rows(release: Release) -> Vec<&'static str> {
    let directory = tempfile::tempdir().unwrap();
    let mut scene = Scene::new();
    scene.release = release;
    let verdict = judge(&scene, &directory.path().join("dist"), Origin::Own, KeyAge::Judge);
    verdict.findings.iter().map(|finding| finding.check.slug).collect()
}

fn release(platform: &str, content: &[u8]) -> Release {
    Release::new("dns", "1.0.0", &Scene::new().release.key).platform(platform, content)
}

const PLATFORMS: [&str; 18] = [
    "linux_amd64",
    "linux_386",
    "linux_arm",
    "linux_arm64",
    "linux_s390x",
    "linux_ppc64le",
    "linux_riscv64",
    "netbsd_amd64",
    "freebsd_amd64",
    "freebsd_arm64",
    "openbsd_amd64",
    "solaris_amd64",
    "darwin_amd64",
    "darwin_arm64",
    "windows_amd64",
    "windows_386",
    "windows_arm64",
    "windows_arm",
];

#[test]
fn a_header_is_that_of_its_platform() {
    let platforms = PLATFORMS;
    for shift in 0..platforms.len() {
        let mut release = Release::new("dns", "1.0.0", &Scene::new().release.key);
        let mut expected = Vec::new();
        for (index, platform) in platforms.iter().enumerate() {
            let other = platforms[(index + shift) % platforms.len()];
            release = release.platform(platform, &executable(other, platform));
            let [(os, arch), (other_os, other_arch)] =
                [platform, &other].map(|platform| platform.split_once('_').unwrap());
            // The header of Solaris is that of Linux: its ABI is none in particular.
            let named = |os: &str| !matches!(os, "linux" | "solaris");
            let same = |platform: &str| platform.replace("solaris", "linux");
            if same(platform) != same(other) {
                let unnamed = matches!(os, "freebsd" | "netbsd" | "openbsd") && !named(other_os) && arch == other_arch;
                expected.push((*platform, if unnamed { "executable-header" } else { "executable-platform" }));
            }
        }
        expected.sort_by_key(|(platform, row)| (*row == "executable-header", *platform));
        assert_eq!(found(release), expected, "shifted by {shift}");
    }
}

/// The platforms of a release with a fault, and the row that finds it.
fn found(release: Release) -> Vec<(&'static str, &'static str)> {
    let directory = tempfile::tempdir().unwrap();
    let mut scene = Scene::new();
    scene.release = release;
    let verdict = judge(&scene, &directory.path().join("dist"), Origin::Own, KeyAge::Judge);
    let platform = |finding: &Finding| {
        PLATFORMS.iter().find(|platform| finding.subject.ends_with(&format!("_{platform}.zip"))).unwrap()
    };
    verdict.findings.iter().map(|finding| (*platform(finding), finding.check.slug)).collect()
}

#[test]
fn a_universal_file_is_for_each_of_its_architectures() {
    assert_eq!(rows(release("darwin_amd64", &universal())), [""; 0]);
    assert_eq!(rows(release("darwin_arm64", &universal())), [""; 0]);
    assert_eq!(rows(release("darwin_386", &universal())), ["executable-platform"]);
    assert_eq!(rows(release("linux_amd64", &universal())), ["executable-platform"]);
}

#[test]
fn where_no_header_is_known_nothing_is_refused() {
    assert_eq!(rows(release("plan9_amd64", &executable("linux_amd64", "x"))), ["executable-header"]);
    assert_eq!(rows(release("linux_pdp11", &executable("linux_amd64", "x"))), ["executable-header"]);
    for content in
        [&b""[..], b"\x7fEL", b"\x7fELF\x02\x01\x01", b"MZ", b"\xca\xfe\xba\xbe\0\0\0\x34", b"\xcf\xfa\xed\xfe"]
    {
        assert_eq!(rows(release("linux_amd64", content)), ["executable-header"], "{content:?}");
    }
}

#[test]
fn clients_start_the_first_in_lexical_order() {
    let content = executable("linux_amd64", "x");
    let mut with_readme = release("linux_amd64", &content);
    let zip = with_readme.zips.get_mut("linux_amd64").unwrap();
    zip.entries.push(Entry::file("terraform-provider-dns.md", b"# dns"));
    assert_eq!(rows(with_readme), ["executable-single", "executable-mode", "executable-header"]);

    for name in ["terraform-provider-dns", "terraform-provider-dns.exe", "terraform-provider-dns_v1.0.0_x5"] {
        let mut named = release("linux_amd64", &content);
        named.zips.get_mut("linux_amd64").unwrap().entries = vec![Entry::executable(name, &content)];
        assert_eq!(rows(named), [""; 0], "{name}");
    }
    for name in
        ["terraform-provider-dns-v1", "terraform-provider-dn", "opentofu-provider-dns", "Terraform-provider-dns"]
    {
        let mut named = release("linux_amd64", &content);
        named.zips.get_mut("linux_amd64").unwrap().entries = vec![Entry::executable(name, &content)];
        assert_eq!(rows(named), ["executable"], "{name}");
    }
}
