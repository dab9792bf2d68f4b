//! A live registry inspected from the outside: whatever is wrong with one is found, and nothing is invented.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]
#![allow(clippy::too_many_lines, reason = "transcripts are long")]

#[path = "inspection/cases.rs"]
mod cases;
#[path = "inspection/oci.rs"]
mod oci;
#[path = "inspection/oci_cases.rs"]
mod oci_cases;
#[path = "inspection/transport.rs"]
mod transport;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use fastrand::Rng;
use yuba_companion::inspection::outcome::Standing;
use yuba_companion::inspection::{Archives, Inspection, Ledger, Request, checks, document, inspect};
use yuba_tests::content::Content;
use yuba_tests::double::{Blind, Double, HOSTNAME, publish_all};
use yuba_tests::releases::{Key, Release};

/// The key of every release here.
pub(crate) static KEY: LazyLock<Key> = LazyLock::new(|| Key::new("acme"));

/// What every double serves.
static CONTENT: LazyLock<Content> = LazyLock::new(|| {
    publish_all(
        &KEY,
        vec![
            (HOSTNAME, |key| release("1.0.0", key)),
            (HOSTNAME, |key| release("2.0.0-rc.1+build.7", key)),
            ("mirrored.example", |key| release("3.0.0", key)),
        ],
    )
});

fn release(version: &str, key: &Key) -> Release {
    Release::new("dns", version, key).platforms(&["darwin_arm64", "linux_amd64"])
}

pub(crate) fn content() -> Content {
    CONTENT.clone()
}

/// The inspection of these providers of `double`.
pub(crate) async fn inspect_with(double: &Double, providers: &[&str], ledger: Option<Ledger>) -> Inspection {
    let registry: yuba_companion::inspection::RegistryUrl = double.url().parse().unwrap();
    let request = Request {
        mirror: Some(registry.mirror()),
        own: registry.bare_hostname(),
        registry,
        providers: providers.iter().map(|address| address.parse().unwrap()).collect(),
        archives: Archives::Inspect,
        jobs: 4,
        authorities: None,
        ledger,
        now: "2026-03-02T00:00:00Z".parse().unwrap(),
        random: Rng::with_seed(7),
        progress: Arc::new(Blind),
    };
    inspect(&request).await.unwrap()
}

pub(crate) const OWN: &str = "127.0.0.1/acme/dns";
pub(crate) const MIRRORED: &str = "mirrored.example/acme/dns";

/// What was found, a line for each.
pub(crate) fn show(inspection: &Inspection) -> Vec<String> {
    let found = inspection.findings.iter().map(|finding| format!("{} {finding}", finding.severity.as_str()));
    let unchecked = inspection.unchecked.iter().map(|it| format!("unchecked {}: {}", it.subject, it.reason));
    found.chain(unchecked).collect()
}

fn standings(inspection: &Inspection) -> Vec<&Standing> {
    let versions = inspection.providers.iter().flat_map(|provider| &provider.versions);
    versions.flat_map(|version| version.platforms.values()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_found_on_a_sound_registry() {
    let double = Double::sound(content());
    let inspection = inspect_with(&double, &[OWN, MIRRORED], None).await;
    assert_eq!(show(&inspection), [""; 0]);
    assert!(inspection.providers.iter().all(|provider| provider.mirrored && provider.oci && !provider.absent));
    let standings = standings(&inspection);
    assert_eq!(standings.len(), 6);
    assert!(standings.iter().all(|standing| matches!(standing, Standing::Verified(_))), "{standings:?}");
    let mut requests = double.take_requests();
    let whole = requests.iter().filter(|line| line.starts_with("GET") && line.contains(".zip")).count();
    // Every archive once, and the end of each by a range.
    assert_eq!(whole, 12);
    let count = requests.len();
    requests.retain(|line| !line.contains(".zip"));
    requests.sort();
    requests.dedup();
    assert_eq!(count - 6 * 3, requests.len(), "no document is read twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_wrong_thing_is_found() {
    let mut shown = String::new();
    let mut wrong = Vec::new();
    for case in cases::all() {
        let double = Double::start(content(), case.wrong);
        let inspection = inspect_with(&double, case.providers, None).await;
        let mut rows: Vec<_> = inspection.findings.iter().map(|finding| finding.check.slug).collect();
        rows.dedup();
        rows.sort_unstable();
        rows.dedup();
        let mut expected = [&[case.row], case.also].concat();
        expected.sort_unstable();
        let found = show(&inspection);
        if rows != expected {
            wrong.push(format!("{} ({}): {found:#?}", case.row, case.name));
        }
        let row = checks::all().chain(yuba_companion::verify::checks::all()).find(|check| check.slug == case.row);
        let code = row.map(|check| check.code).unwrap();
        let line = found.iter().find(|line| line.contains(code)).cloned().unwrap_or_default();
        writeln!(shown, "{} ({}): {}", case.row, case.name, line.replace(double.url(), "[URL]")).unwrap();
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    insta::assert_snapshot!(yuba_tests::digests::number_digests(&shown), @"
    discovery-status (not found): refuse YR001 [URL]/.well-known/terraform.json: is answered with 404: the host offers no services
    discovery-status (login): refuse YR001 [URL]/.well-known/terraform.json: is answered with 403, not with 200
    discovery-type (text): refuse YR002 [URL]/.well-known/terraform.json: has content type `text/plain`, not `application/json`
    discovery-document (a page): refuse YR003 [URL]/.well-known/terraform.json: is no JSON object: expected value at line 1 column 1
    discovery-service (modules alone): refuse YR004 [URL]/.well-known/terraform.json: announces no `providers.v1`
    discovery-url (ftp): refuse YR005 [URL]/.well-known/terraform.json: announces `ftp://a.example/`, which is no http or https URL that clients use
    discovery-slash (no slash): refuse YR006 [URL]/.well-known/terraform.json: announces `/v1/providers` without a slash at its end
    discovery-oci (a URL): warn YR043 [URL]/.well-known/terraform.json: announces `oci-providers.v1`, but `https://a.example/{namespace}/{type}` is no template of an OCI repository: HOST/PATH in lower case, with {namespace} and {type} once each in the path
    discovery-oci (a number): warn YR043 [URL]/.well-known/terraform.json: announces `oci-providers.v1` as something that is no text
    versions-status (not found): refuse YR007 127.0.0.1/acme/dns: `[URL]/v1/providers/acme/dns/versions` is answered with 404
    versions-status (login): refuse YR007 127.0.0.1/acme/dns: `[URL]/v1/providers/acme/dns/versions` is answered with 401
    versions-document (a number among the warnings): refuse YR008 127.0.0.1/acme/dns: the list of versions cannot be read: invalid type: integer `1`, expected a string at line 1 column 270
    versions-empty (null): refuse YR009 127.0.0.1/acme/dns: the list of versions is empty
    versions-syntax (leading v): refuse YR010 127.0.0.1/acme/dns: version `v3.0.0` is not canonical SemVer such as `1.2.3` or `1.2.3-rc.1`
    versions-twice (the same): refuse YR011 127.0.0.1/acme/dns: lists `1.0.0` and `1.0.0`, which are one version to clients
    versions-protocols (others than the package's): warn YR012 127.0.0.1/acme/dns 1.0.0 darwin_arm64: has protocols `6.0`, and the list of versions `5.0`
    versions-protocols (none): warn YR012 127.0.0.1/acme/dns 1.0.0: lists no plugin protocol
    versions-platforms (a variant): refuse YR013 127.0.0.1/acme/dns 1.0.0: platform `linux_amd64_v1` is not OS_ARCH in lower-case letters and digits, such as `linux_amd64`
    versions-platforms (none): refuse YR013 127.0.0.1/acme/dns 1.0.0: lists no platform
    package-status (not found): refuse YR014 127.0.0.1/acme/dns 1.0.0 linux_amd64: `[URL]/v1/providers/acme/dns/1.0.0/download/linux/amd64` is answered with 404
    package-document (a null among the keys): refuse YR015 127.0.0.1/acme/dns 1.0.0 linux_amd64: the package's document cannot be read: invalid type: null, expected struct GpgPublicKey at line 1 column 992
    package-protocols (4.0 alone): refuse YR016 127.0.0.1/acme/dns 1.0.0 linux_amd64: clients speak none of the protocols `4.0`
    package-protocols (a word): refuse YR016 127.0.0.1/acme/dns 1.0.0 linux_amd64: protocol `banana` is no version
    package-platform (another): refuse YR017 127.0.0.1/acme/dns 1.0.0 linux_amd64: the document is about `linux_arm64`
    package-url (no sums): refuse YR018 127.0.0.1/acme/dns 1.0.0 linux_amd64: there is no `shasums_url`
    package-url (a file): refuse YR018 127.0.0.1/acme/dns 1.0.0 linux_amd64: `download_url` is `file:///etc/passwd`, which is no http or https URL
    package-digest (upper case): refuse YR019 127.0.0.1/acme/dns 1.0.0 linux_amd64: `shasum`: `[1]` is not a SHA-256 in 64 lower-case hexadecimal digits
    package-hashes (no scheme): refuse YR020 127.0.0.1/acme/dns 1.0.0 linux_amd64: `packages` has the hash `abc` without a scheme for `linux_amd64`
    package-hashes (no size): refuse YR020 127.0.0.1/acme/dns 1.0.0 linux_amd64: `packages` has no size for `linux_amd64`
    package-hashes (another platform only): refuse YR020 127.0.0.1/acme/dns 1.0.0 linux_amd64: `packages` does not name this platform
    package-agrees (another shasum): refuse YR021 127.0.0.1/acme/dns 1.0.0 linux_amd64: `packages` states `zh:[2]`, and `shasum` is `[3]`
    package-agrees (another size elsewhere): refuse YR021 127.0.0.1/acme/dns 1.0.0 linux_amd64: `packages` in the document of `darwin_arm64` says otherwise of `linux_amd64`
    package-keys (none): refuse YR022 127.0.0.1/acme/dns 1.0.0 linux_amd64: the package comes without a signing key
    package-keys (damaged): refuse YR022 127.0.0.1/acme/dns 1.0.0 linux_amd64: signing key 1: the file is no OpenPGP public key, armored or binary, or it is damaged
    zip-twins (one package for two): refuse YB065 127.0.0.1/acme/dns 1.0.0 linux_amd64: has the same bytes as `darwin_arm64`
    sums-status (not found): refuse YR023 127.0.0.1/acme/dns 1.0.0: `[URL]/releases/127.0.0.1/acme/dns/1.0.0/terraform-provider-dns_1.0.0_SHA256SUMS` is answered with 404
    signature-status (not found): refuse YR024 127.0.0.1/acme/dns 1.0.0: `[URL]/releases/127.0.0.1/acme/dns/1.0.0/terraform-provider-dns_1.0.0_SHA256SUMS.sig` is answered with 404
    signature-binary (armored): refuse YR025 127.0.0.1/acme/dns 1.0.0: the signature is armored
    signature-valid (another's bytes): refuse YB042 127.0.0.1/acme/dns 1.0.0: the signature is not a signature of key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` over this SHA256SUMS
    signature-packet (a page): refuse YB035 127.0.0.1/acme/dns 1.0.0: the signature holds no OpenPGP signature, or something beside it
    signature-offered-key (another key): refuse YR026 127.0.0.1/acme/dns 1.0.0: the signature was made by key `B1DDCCAC8FCE4C7A22FCE8A7E4D5CD78E6A7CA89`, which the packages do not come with
    signature-offered-key (another key for one platform): refuse YR026 127.0.0.1/acme/dns 1.0.0 linux_amd64: the signature was made by key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9`, which the packages do not come with
    signature-age (an expired key): warn YR027 127.0.0.1/acme/dns 1.0.0: the signature was made by key `6FDA8D665FF0F60DAACBB20FE9220F943E85E818`, which expired on 2024-03-01T00:00:00Z
    sums-blank-line (at the end): refuse YB020 127.0.0.1/acme/dns 1.0.0: SHA256SUMS: line 4 is blank
    sums-binary-mark (every line): refuse YB023 127.0.0.1/acme/dns 1.0.0: SHA256SUMS: line 1 marks its file name with `*`: `[4] *terraform-provider-dns_1.0.0_darwin_arm64.zip`
    sums-unlisted (one line less): refuse YB031 127.0.0.1/acme/dns 1.0.0 linux_amd64: `terraform-provider-dns_1.0.0_linux_amd64.zip` has no line in SHA256SUMS
    sums-absent-file (one line more): refuse YB032 127.0.0.1/acme/dns 1.0.0: `terraform-provider-dns_1.0.0_windows_386.zip` is listed in SHA256SUMS, but not served
    archive-status (not found): refuse YR028 127.0.0.1/acme/dns 1.0.0 linux_amd64: `[URL]/releases/127.0.0.1/acme/dns/1.0.0/[2]/terraform-provider-dns_1.0.0_linux_amd64.zip` is answered with 404
    archive-size (another everywhere): refuse YR029 127.0.0.1/acme/dns 1.0.0 linux_amd64: the archive has 325 bytes, where `packages` states 7
    archive-digest (one byte): refuse YR030 127.0.0.1/acme/dns 1.0.0 linux_amd64: the archive has 325 bytes and SHA-256 `[5]`, not `[2]`
    archive-content-hash (another): refuse YR031 127.0.0.1/acme/dns 1.0.0 linux_amd64: the content has `h1:/9LBv9gCc07JWM/Y67/ZzLuSbcGh4NhaaqW3rZIfN8Q=`, not `h1:Sq7R5TSOtQUXBFdb+Xen/D6zDG/C1WnjnyobvpmSLNg=`
    archive-head (refused): warn YR032 127.0.0.1/acme/dns 1.0.0 linux_amd64: HEAD is answered with 405
    archive-head (without a size): warn YR032 127.0.0.1/acme/dns 1.0.0 linux_amd64: HEAD states no size, and the archive has 325 bytes
    archive-range (ignored): warn YR033 127.0.0.1/acme/dns 1.0.0 linux_amd64: the range `bytes 261-324/325` is answered with 200
    archive-range (other bytes): warn YR033 127.0.0.1/acme/dns 1.0.0 linux_amd64: the range `bytes 261-324/325` is answered with other bytes
    archive-range (another part): warn YR033 127.0.0.1/acme/dns 1.0.0 linux_amd64: the range `bytes 261-324/325` is answered as `bytes 0-63/64`
    mirror-index (not found): warn YR034 127.0.0.1/acme/dns: `[URL]/mirror/127.0.0.1/acme/dns/index.json` is answered with 404
    mirror-index (of a mirrored provider): refuse YR034 mirrored.example/acme/dns: `[URL]/mirror/mirrored.example/acme/dns/index.json` is answered with 404
    mirror-status (not found): refuse YR035 127.0.0.1/acme/dns 1.0.0: `[URL]/mirror/127.0.0.1/acme/dns/1.0.0.json` is answered with 404
    mirror-type (text): refuse YR036 127.0.0.1/acme/dns 1.0.0: the mirror's `1.0.0.json` has content type `text/json`
    mirror-type (of the index): refuse YR036 127.0.0.1/acme/dns: the mirror's `index.json` has content type ``
    mirror-document (a list): refuse YR037 127.0.0.1/acme/dns 1.0.0: the mirror's archives cannot be read: invalid type: sequence, expected a map at line 1 column 12
    mirror-versions (one less): refuse YR038 127.0.0.1/acme/dns: the mirror lacks version `2.0.0-rc.1+build.7`
    mirror-versions (one more): refuse YR038 127.0.0.1/acme/dns: only the mirror has version `9.0.0`
    mirror-platforms (one less): refuse YR039 127.0.0.1/acme/dns 1.0.0: the mirror lacks platform `linux_amd64`
    mirror-platforms (one more): refuse YR039 127.0.0.1/acme/dns 1.0.0: only the mirror has platform `linux_arm`
    mirror-platforms (none of a mirrored provider): refuse YR039 mirrored.example/acme/dns 3.0.0: the mirror has the version for no platform
    mirror-url (ftp): refuse YR040 127.0.0.1/acme/dns 1.0.0 linux_amd64: the mirror's URL is `ftp://a.example/a.zip`, which is no http or https one
    mirror-hashes (no scheme): refuse YR041 127.0.0.1/acme/dns 1.0.0 linux_amd64: the mirror has the hash `abc` without a scheme
    mirror-hashes (no h1): refuse YR041 127.0.0.1/acme/dns 1.0.0 linux_amd64: the mirror states no `h1:` hash
    mirror-hashes (another zh): refuse YR041 127.0.0.1/acme/dns 1.0.0 linux_amd64: the mirror states `zh:[4]`, and `shasum` is `[2]`
    mirror-unknown (not found): warn YR042 127.0.0.1/acme/dns: `[URL]/mirror/127.0.0.1/acme/dns/0.0.0-yuba.verify.json` is answered with 404
    archive-digest (of a mirrored provider): refuse YR030 mirrored.example/acme/dns 3.0.0 linux_amd64: the archive has 325 bytes and SHA-256 `[6]`, not `[7]`
    oci-tags-status (not found): refuse YR044 127.0.0.1/acme/dns: `[URL]/v2/acme/dns/tags/list` is answered with 404
    oci-tags-status (login): refuse YR044 127.0.0.1/acme/dns: `[URL]/v2/acme/dns/tags/list` is answered with 401
    oci-tags (one less): refuse YR045 127.0.0.1/acme/dns: there is no tag `1.0.0`
    oci-tags (null): refuse YR045 127.0.0.1/acme/dns: there is no tag `1.0.0`
    oci-tags (one more): refuse YR045 127.0.0.1/acme/dns: tag `latest` is none of a listed version
    oci-tags (a plus): refuse YR045 127.0.0.1/acme/dns: there is no tag `2.0.0-rc.1_build.7`
    oci-tags (of a mirrored provider): refuse YR045 mirrored.example/acme/dns: tag `3` is none of a listed version
    oci-head (not found): refuse YR046 127.0.0.1/acme/dns 1.0.0: HEAD of `[URL]/v2/acme/dns/manifests/1.0.0` is answered with 404
    oci-head (without a size): refuse YR046 127.0.0.1/acme/dns 1.0.0: HEAD of tag `1.0.0` states no size
    oci-head (without a digest): refuse YR046 127.0.0.1/acme/dns 1.0.0: HEAD of tag `1.0.0` names the digest ``, which is none
    oci-head (another digest): refuse YR046 127.0.0.1/acme/dns 1.0.0: HEAD of tag `1.0.0` names the digest `sha512:00`, which is none
    oci-head (a docker list): refuse YR046 127.0.0.1/acme/dns 1.0.0: HEAD of tag `1.0.0` has content type `application/vnd.docker.distribution.manifest.list.v2+json`, not `application/vnd.oci.image.index.v1+json`
    oci-manifest-status (the index): refuse YR047 127.0.0.1/acme/dns 1.0.0: `[URL]/v2/acme/dns/manifests/sha256:[8]` is answered with 404
    oci-manifest-status (a manifest): refuse YR047 127.0.0.1/acme/dns 1.0.0 darwin_arm64: `[URL]/v2/acme/dns/manifests/sha256:[9]` is answered with 404
    oci-digest (one byte of the index): refuse YR048 127.0.0.1/acme/dns 1.0.0: what `[URL]/v2/acme/dns/manifests/sha256:[8]` answers has the SHA-256 `[10]`
    oci-digest (one byte of a manifest): refuse YR048 127.0.0.1/acme/dns 1.0.0 darwin_arm64: what `[URL]/v2/acme/dns/manifests/sha256:[9]` answers has the SHA-256 `[11]`
    oci-digest (another name): refuse YR048 127.0.0.1/acme/dns 1.0.0 darwin_arm64: what `[URL]/v2/acme/dns/manifests/sha256:[9]` answers is named `sha256:[12]`
    oci-media-type (JSON): refuse YR049 127.0.0.1/acme/dns 1.0.0: `[URL]/v2/acme/dns/manifests/sha256:[8]` has content type `application/json`, not `application/vnd.oci.image.index.v1+json`
    oci-media-type (nothing): refuse YR049 127.0.0.1/acme/dns 1.0.0 darwin_arm64: `[URL]/v2/acme/dns/manifests/sha256:[9]` has content type ``, not `application/vnd.oci.image.manifest.v1+json`
    oci-document (tags as an object): refuse YR050 127.0.0.1/acme/dns: the list of tags cannot be read: invalid type: map, expected a sequence at line 1 column 26
    oci-blob (not found): refuse YR053 127.0.0.1/acme/dns 1.0.0 darwin_arm64: HEAD of `[URL]/v2/acme/dns/blobs/sha256:[4]` is answered with 404
    oci-blob (without a size): refuse YR053 127.0.0.1/acme/dns 1.0.0 darwin_arm64: the blob has no size, where the manifest states 325 bytes
    oci-blob (another size): refuse YR053 127.0.0.1/acme/dns 1.0.0 darwin_arm64: the blob has 7 bytes, where the manifest states 325 bytes
    oci-media-type (none in the index): refuse YR049 127.0.0.1/acme/dns 1.0.0: the index has `mediaType` ``, not `application/vnd.oci.image.index.v1+json`
    oci-media-type (another artifact): refuse YR049 127.0.0.1/acme/dns 1.0.0: the index has `artifactType` `application/x`, not `application/vnd.opentofu.provider`
    oci-media-type (an image of an index): refuse YR049 127.0.0.1/acme/dns 1.0.0 linux_amd64: the manifest has `mediaType` `application/vnd.oci.image.index.v1+json`, not `application/vnd.oci.image.manifest.v1+json`
    oci-media-type (no artifact): refuse YR049 127.0.0.1/acme/dns 1.0.0 linux_amd64: the manifest has `artifactType` ``, not `application/vnd.opentofu.provider-target`
    oci-media-type (of a descriptor): refuse YR049 127.0.0.1/acme/dns 1.0.0 linux_amd64: the index has it as `application/vnd.oci.image.index.v1+json`, not as `application/vnd.oci.image.manifest.v1+json`
    oci-document (no layer): refuse YR050 127.0.0.1/acme/dns 1.0.0 linux_amd64: the manifest has 0 layers of the type `archive/zip`, not one
    oci-document (two layers): refuse YR050 127.0.0.1/acme/dns 1.0.0 linux_amd64: the manifest has 2 layers of the type `archive/zip`, not one
    oci-document (a tarball): refuse YR050 127.0.0.1/acme/dns 1.0.0 linux_amd64: the manifest has 0 layers of the type `archive/zip`, not one
    oci-document (another algorithm): refuse YR050 127.0.0.1/acme/dns 1.0.0 linux_amd64: `sha512:00` is no digest: `sha256:` and 64 lower-case hexadecimal digits
    oci-document (layers as an object): refuse YR050 127.0.0.1/acme/dns 1.0.0 linux_amd64: the manifest cannot be read: invalid type: map, expected a sequence at line 1 column 440
    oci-document (manifests as an object): refuse YR050 127.0.0.1/acme/dns 1.0.0: the index cannot be read: invalid type: map, expected a sequence at line 1 column 239
    oci-platforms (one less): refuse YR051 127.0.0.1/acme/dns 1.0.0: the index lacks platform `linux_amd64`
    oci-platforms (another artifact type): refuse YR051 127.0.0.1/acme/dns 1.0.0: the index lacks platform `linux_amd64`
    oci-platforms (a word): refuse YR051 127.0.0.1/acme/dns 1.0.0: manifest `sha256:[13]` is for no platform that a provider has
    oci-platforms (one more): refuse YR051 127.0.0.1/acme/dns 1.0.0: only the index has platform `linux_arm64`
    oci-platforms (a variant): refuse YR051 127.0.0.1/acme/dns 1.0.0 linux_amd64: the index has more than one manifest for it
    oci-platforms (without one): refuse YR051 127.0.0.1/acme/dns 1.0.0: manifest `sha256:[13]` is for no platform that a provider has
    oci-agrees (another size): refuse YR052 127.0.0.1/acme/dns 1.0.0 linux_amd64: the layer has 7 bytes, where the registry states 325
    oci-agrees (another platform's archive): refuse YR052 127.0.0.1/acme/dns 1.0.0 linux_amd64: the layer is `[4]`, and the registry states `[2]`
    ");
}

#[test]
fn every_row_has_a_case() {
    let cases = cases::all();
    let missing: Vec<_> =
        checks::all().map(|check| check.slug).filter(|slug| !cases.iter().any(|case| case.row == *slug)).collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
fn the_document_is_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/inspection.md");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, document::render()).unwrap();
    }
    let hint = "run `UPDATE=1 cargo test --package yuba-tests --test inspection`";
    assert!(fs::read_to_string(&path).unwrap_or_default() == document::render(), "docs/inspection.md is stale: {hint}");
}
