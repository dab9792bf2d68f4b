//! Every row of the verification table has releases that it, and nothing else, finds fault with.

#[path = "verification/executables.rs"]
mod executables;
#[path = "verification/gnupg.rs"]
mod gnupg;
#[path = "verification/judging.rs"]
mod judging;
#[path = "verification/keys.rs"]
mod keys;
#[path = "verification/manifests.rs"]
mod manifests;
#[path = "verification/mutation.rs"]
mod mutation;
#[path = "verification/signing.rs"]
mod signing;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use yuba::digest::{H1, Sha256Digest};
use yuba_companion::verify::{
    Finding, KeyAge, Origin, RegisteredKey, Severity, Silent, Terms, Verdict, checks, document, verify,
};
use yuba_tests::releases::defects::{self, GivenUp, Scene};

/// Writes a scene and verifies it.
fn judge(scene: &Scene, dist: &Path, origin: Origin, key_age: KeyAge) -> Verdict {
    scene.write(dist).unwrap();
    let armors: Vec<_> = scene.keys.iter().map(|(key, given_up)| (key.ascii_armor(), given_up.as_ref())).collect();
    let registered = armors.iter().map(|(ascii_armor, given_up)| {
        let standing = GivenUp::standing(*given_up);
        RegisteredKey { ascii_armor, standing }
    });
    let keys: Vec<_> = registered.collect();
    let namespace = &scene.namespace;
    let terms = Terms { namespace, origin, keys: &keys, key_age, now: scene.now, manifest: None };
    verify(dist, &terms, &Silent).unwrap()
}

/// Findings as a person reads them, with the directory's name taken out.
fn show(findings: &[Finding], dist: &Path) -> String {
    let lines: Vec<_> = findings.iter().map(std::string::ToString::to_string).collect();
    lines.join("\n").replace(&dist.display().to_string(), "DIST")
}

#[test]
fn a_sound_release_has_no_finding() {
    let directory = tempfile::tempdir().unwrap();
    let dist = directory.path().join("dist");
    let verdict = judge(&Scene::new(), &dist, Origin::Own, KeyAge::Judge);
    assert_eq!(show(&verdict.findings, &dist), "");
    let release = verdict.release.unwrap();
    assert_eq!(release.archives.len(), defects::PLATFORMS.len());
    for (platform, zip) in &Scene::new().release.zips {
        let files =
            zip.entries.iter().map(|entry| (str::from_utf8(&entry.name).unwrap(), Sha256Digest::of(&entry.content)));
        let archive = &release.archives[&platform.parse().unwrap()];
        assert_eq!((archive.h1, archive.zh), (H1::of_files(files), Sha256Digest::of(&zip.to_bytes())));
    }
}

#[test]
#[allow(clippy::too_many_lines, reason = "the messages of all defects stand here to be read together")]
fn each_defect_is_found_by_its_row_alone() {
    let directory = tempfile::tempdir().unwrap();
    let mut shown = String::new();
    let mut wrong = Vec::new();
    for (number, defect) in defects::all().iter().enumerate() {
        let dist = directory.path().join(number.to_string()).join("dist");
        let verdict = judge(&defect.scene(), &dist, Origin::Own, KeyAge::Judge);
        let mut rows: Vec<_> = verdict.findings.iter().map(|finding| finding.check.slug).collect();
        rows.dedup();
        let text = show(&verdict.findings, &dist);
        if rows != [defect.row] {
            wrong.push(format!("{} ({}): {text:?}", defect.row, defect.name));
        }
        let refused = verdict.findings.iter().any(|finding| finding.severity == Severity::Refuse);
        assert_eq!(verdict.release.is_none(), refused, "{} ({})", defect.row, defect.name);
        let line = text.lines().next().unwrap_or_default().replace("terraform-provider-dns_1.0.0_", "…_");
        writeln!(shown, "{} ({}): {line}", defect.row, defect.name).unwrap();
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    insta::assert_snapshot!(shown, @r#"
    namespace (underscore): YB001 --namespace: name `acme_labs` must be letters, digits and single dashes, at most 63 bytes in its DNS form
    namespace (two dashes): YB001 --namespace: name `acme--labs` has a dash first, last or beside another dash
    sums-file (missing): YB002 DIST: has no file `…_SHA256SUMS`
    sums-file (two): YB002 DIST: has several: `terraform-provider-dns_0.9.0_SHA256SUMS`, `…_SHA256SUMS`
    sums-name (another version): YB003 terraform-provider-dns_1.0.1_SHA256SUMS: is not named as the archives are, such as `…_SHA256SUMS`
    signature-file (missing): YB004 …_SHA256SUMS.sig: is not there
    signature-file (huge): YB004 …_SHA256SUMS.sig: has 131072 bytes, over 65536
    archives (none): YB005 DIST: has no file `….zip`
    archive-file (a directory): YB006 …_linux_amd64.zip: is no regular file
    archive-file (a link to nothing): YB006 …_linux_amd64.zip: is no regular file
    archive-name (dashes for underscores): YB007 terraform-provider-dns-1.0.0-linux-amd64.zip: is not named `terraform-provider-TYPE_VERSION_OS_ARCH.zip`
    archive-name (another file): YB007 source.zip: is not named `terraform-provider-TYPE_VERSION_OS_ARCH.zip`
    type (upper case): YB008 terraform-provider-DNS_1.0.0_darwin_arm64.zip: spells its type otherwise than clients do: `dns`
    type (terraform in it): YB008 terraform-provider-terraform-dns_1.0.0_darwin_arm64.zip: type `terraform-dns` must not start with `terraform-`
    same-type (two types): YB009 terraform-provider-http_1.0.0_linux_arm64.zip: is of type `http`, others of `dns`
    version (leading v): YB010 terraform-provider-dns_v1.0.0_darwin_arm64.zip: version `v1.0.0` is not canonical SemVer such as `1.2.3` or `1.2.3-rc.1`
    version (two numbers): YB010 terraform-provider-dns_1.0_darwin_arm64.zip: version `1.0` is not canonical SemVer such as `1.2.3` or `1.2.3-rc.1`
    version (leading zero): YB010 terraform-provider-dns_1.00.0_darwin_arm64.zip: version `1.00.0` is not canonical SemVer such as `1.2.3` or `1.2.3-rc.1`
    version-length (142 bytes): YB011 terraform-provider-dns_1.0.0-rc.1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a_darwin_arm64.zip: version `1.0.0-rc.1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a` is longer than 128 bytes
    version-number (2^64): YB012 terraform-provider-dns_1.0.18446744073709551616_darwin_arm64.zip: version `1.0.18446744073709551616` has a number over 2^64-1, which crashes clients
    version-number (2^64 in the pre-release): YB012 terraform-provider-dns_1.0.0-rc.18446744073709551616_darwin_arm64.zip: version `1.0.0-rc.18446744073709551616` has a number over 2^64-1, which crashes clients
    version-zero (0.0.0): YB013 terraform-provider-dns_0.0.0_darwin_arm64.zip: version `0.0.0` cannot be installed: clients take 0.0.0 for no version at all
    same-version (two versions): YB014 terraform-provider-dns_0.9.0_linux_arm64.zip: is of version `0.9.0`, others of `1.0.0`
    platform (a variant): YB015 …_linux_amd64_v1.zip: platform `linux_amd64_v1` is not OS_ARCH in lower-case letters and digits, such as `linux_amd64`
    platform (upper case): YB015 …_Linux_x86.zip: platform `Linux_x86` is not OS_ARCH in lower-case letters and digits, such as `linux_amd64`
    sums-text (not UTF-8): YB016 …_SHA256SUMS: is not UTF-8 text
    sums-text (control character): YB016 …_SHA256SUMS: line 1 has a control character: `1422f21791b1bc9eec3cfa5ce4ae609a7a57e97885f5cc550a4d8f6a1b70aecb  …_darwin_arm64.zip\u{8}`
    sums-empty (no bytes): YB017 …_SHA256SUMS: has no line
    sums-bom (byte order mark): YB018 …_SHA256SUMS: starts with a byte order mark
    sums-crlf (every line): YB019 …_SHA256SUMS: line 1 ends in a carriage return
    sums-blank-line (at the end): YB020 …_SHA256SUMS: line 5 is blank
    sums-blank-line (at the start): YB020 …_SHA256SUMS: line 1 is blank
    sums-blank-line (of spaces): YB020 …_SHA256SUMS: line 5 is blank
    sums-comment (first line): YB021 …_SHA256SUMS: line 1 is a comment: `# SHA-256`
    sums-bsd (first line): YB022 …_SHA256SUMS: line 1 is in the BSD style: `SHA256 (…_darwin_arm64.zip) = 1422f21791b1bc9eec3cfa5ce4ae609a7a57e97885f5cc550a4d8f6a1b70aecb`
    sums-binary-mark (first line): YB023 …_SHA256SUMS: line 1 marks its file name with `*`: `1422f21791b1bc9eec3cfa5ce4ae609a7a57e97885f5cc550a4d8f6a1b70aecb *…_darwin_arm64.zip`
    sums-line (one space): YB024 …_SHA256SUMS: line 1 does not part digest and file name with two spaces: `1422f21791b1bc9eec3cfa5ce4ae609a7a57e97885f5cc550a4d8f6a1b70aecb …_darwin_arm64.zip`
    sums-line (tab): YB024 …_SHA256SUMS: line 1 does not part digest and file name with two spaces: `1422f21791b1bc9eec3cfa5ce4ae609a7a57e97885f5cc550a4d8f6a1b70aecb\t…_darwin_arm64.zip`
    sums-line (third field): YB024 …_SHA256SUMS: line 1 has white space behind its file name or in it: `1422f21791b1bc9eec3cfa5ce4ae609a7a57e97885f5cc550a4d8f6a1b70aecb  …_darwin_arm64.zip 4711`
    sums-line (no name): YB024 …_SHA256SUMS: line 5 is not a digest, two spaces and a file name: `0000000000000000000000000000000000000000000000000000000000000000`
    sums-digest (63 digits): YB025 …_SHA256SUMS: line 1 has `422f21791b1bc9eec3cfa5ce4ae609a7a57e97885f5cc550a4d8f6a1b70aecb`, which is not 64 hexadecimal digits
    sums-digest (SHA-512): YB025 …_SHA256SUMS: line 1 has `1422f21791b1bc9eec3cfa5ce4ae609a7a57e97885f5cc550a4d8f6a1b70aecb1422f21791b1bc9eec3cfa5ce4ae609a7a57e97885f5cc550a4d8f6a1b70aecb`, which is not 64 hexadecimal digits
    sums-digest-case (upper case): YB026 …_SHA256SUMS: line 1 has its digest in upper case: `1422F21791B1BC9EEC3CFA5CE4AE609A7A57E97885F5CC550A4D8F6A1B70AECB`
    sums-final-newline (missing): YB027 …_SHA256SUMS: has no line feed at its end
    sums-line-length (70000 bytes): YB028 …_SHA256SUMS: line 5 has 70070 bytes, over 321
    sums-path (dot and slash): YB029 …_SHA256SUMS: line 1 names a path: `./…_darwin_arm64.zip`
    sums-duplicate (first line): YB030 …_SHA256SUMS: line 2 names `…_darwin_arm64.zip` again
    sums-unlisted (first archive): YB031 …_darwin_arm64.zip: has no line in `…_SHA256SUMS`
    sums-absent-file (an archive): YB032 …_linux_arm.zip: is listed in `…_SHA256SUMS`, but not there
    sums-mismatch (an archive): YB033 …_linux_amd64.zip: has digest `dbc85d013a5a418602c22ef2260a22fe8552eab7c994564d03b55e58f59ea4e7`, where its line says `7c8184054d31079d814a4f187461e7d0f02370d2d87ce2461ba0c1da9a1151b8`
    sums-mismatch (the manifest): YB033 …_manifest.json: has digest `58f37b20409d8987e6a72195e99a266fd64838cad4f3b294737af7aad80551dd`, where its line says `07d80ff2e1e73ffb650c79f318d8212ca6c1340b53d54f4286a485db38db1873`
    signature-armored (armored): YB034 …_SHA256SUMS.sig: is armored; its binary form is stored
    signature-packet (text): YB035 …_SHA256SUMS.sig: holds no OpenPGP signature, or something beside it
    signature-packet (empty): YB035 …_SHA256SUMS.sig: holds no OpenPGP signature, or something beside it
    signature-packet (cut off): YB035 …_SHA256SUMS.sig: holds no OpenPGP signature, or something beside it
    signature-packet (a byte behind it): YB035 …_SHA256SUMS.sig: holds no OpenPGP signature, or something beside it
    signature-packet (a key): YB035 …_SHA256SUMS.sig: holds no OpenPGP signature, or something beside it
    signature-packet (an armored key): YB035 …_SHA256SUMS.sig: holds no OpenPGP signature, or something beside it
    signature-single (two): YB036 …_SHA256SUMS.sig: holds 2 signatures
    signature-format (of a user id): YB037 …_SHA256SUMS.sig: is a signature of type 0x10, which clients do not take
    signature-format (version 5): YB037 …_SHA256SUMS.sig: is a signature of version 5, which clients do not take
    signature-issuer (none): YB038 …_SHA256SUMS.sig: names no issuer
    signature-issuer (two): YB038 …_SHA256SUMS.sig: names several issuers: `781039818D4F80CF`, `A7C23E6F9628E0D9`
    signature-hash (SHA-1): YB039 …_SHA256SUMS.sig: is over a digest by SHA1, which can be forged
    signature-notation (in the signature): YB040 …_SHA256SUMS.sig: has the critical notation `policy@example.invalid`, which clients do not know
    signature-notation (in the key): YB040 …_SHA256SUMS.sig: has the critical notation `policy@example.invalid`, which clients do not know
    signature-key (another): YB041 …_SHA256SUMS.sig: was made by key `88DDC06FB94916DF9B780F8AB4D28B3421D0FB87`, which is not registered
    signature-key (none registered): YB041 …_SHA256SUMS.sig: was made by key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9`, which is not registered
    signature-valid (SHA256SUMS changed): YB042 …_SHA256SUMS.sig: is not a signature of key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` over this SHA256SUMS
    signature-valid (signature changed): YB042 …_SHA256SUMS.sig: is not a signature of key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9` over this SHA256SUMS
    signature-expired (after a day): YB043 …_SHA256SUMS.sig: expired on 2024-02-02T00:00:00Z
    signature-future (signed tomorrow): YB044 …_SHA256SUMS.sig: the signature is dated 2024-03-02T00:00:00Z, in the future
    key-may-sign (certify only): YB045 …_SHA256SUMS.sig: was made by key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9`, whose flags do not allow signing
    key-may-sign (no flags): YB045 …_SHA256SUMS.sig: was made by key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9`, whose flags do not allow signing
    key-may-sign (subkey): YB045 …_SHA256SUMS.sig: was made by key `415F11A8590C6729F0FC51499E1F2962FA53CD70`, whose flags do not allow signing
    key-user-id (forged self-signature): YB046 …_SHA256SUMS.sig: was made by key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9`, which has an invalid self-signature over user id `acme`
    key-user-id (signed by another key): YB046 …_SHA256SUMS.sig: was made by key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9`, which has no user id that it signed itself
    key-binding (no cross-certification): YB047 …_SHA256SUMS.sig: was made by key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9`, which has signing subkey `415F11A8590C6729F0FC51499E1F2962FA53CD70` without a valid cross-certification of the primary key
    key-binding (bound by another key): YB047 …_SHA256SUMS.sig: was made by key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9`, which has subkey `415F11A8590C6729F0FC51499E1F2962FA53CD70` with an invalid binding or revocation signature
    key-expired (primary key): YB048 …_SHA256SUMS.sig: was made by key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9`, which expired on 2024-02-10T00:00:00Z
    key-expired (subkey): YB048 …_SHA256SUMS.sig: was made by key `415F11A8590C6729F0FC51499E1F2962FA53CD70`, which expired on 2024-02-10T00:00:00Z
    key-revoked (compromised): YB049 …_SHA256SUMS.sig: was made by key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9`, which is revoked (compromised: for a test, hard, on 2024-01-01T00:00:00Z)
    key-revoked (retired): YB049 …_SHA256SUMS.sig: was made by key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9`, which is revoked (retired: for a test, soft, on 2024-01-01T00:00:00Z)
    key-revoked (subkey): YB049 …_SHA256SUMS.sig: was made by key `415F11A8590C6729F0FC51499E1F2962FA53CD70`, which is revoked (superseded: for a test, soft, on 2024-01-01T00:00:00Z)
    key-revoked (user id): YB049 …_SHA256SUMS.sig: was made by key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9`, which is revoked (no reason given, hard, on 2024-01-01T00:00:00Z)
    key-revoked (by the registry, blocked): YB049 …_SHA256SUMS.sig: was made by key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9`, which is revoked (laptop stolen)
    key-revoked (by the registry, warned of): YB049 …_SHA256SUMS.sig: was made by key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9`, which the registry has revoked (laptop lost)
    key-strength (RSA 1024): YB050 …_SHA256SUMS.sig: was made by key `1B5E514DC544D7CC4F6720D98B37077E28676CF4`, which has 1024 bits, fewer than 2048
    key-algorithm (Ed25519 by its new number): YB051 …_SHA256SUMS.sig: was made by key `CC823AF02CDEAE7AE0150DD667FDB07BA125DCB2`, which is of algorithm 27 (Ed25519), which clients in use cannot read
    key-retired (by the registry): YB086 …_SHA256SUMS.sig: was made by key `FD16135B12571BDB08B3B7EEA7C23E6F9628E0D9`, which was retired on 2024-02-15T00:00:00Z
    zip-readable (cut off): YB052 …_linux_amd64.zip: is no zip file, or is cut off: it has no end record
    zip-readable (miscounted): YB052 …_linux_amd64.zip: counts 3 entries and has 2 in its directory
    zip-empty (no entries): YB053 …_linux_amd64.zip: has no entries
    zip-size (10001 entries): YB054 …_linux_amd64.zip: has 10001 entries, over 10000
    zip-size (33 levels): YB054 …_linux_amd64.zip: entry `a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/x` is more than 32 levels deep
    zip-size (6 GiB stated): YB054 …_linux_amd64.zip: unpacks to 6442451050 bytes, over 4294967296
    zip-ratio (100 MiB stated): YB055 …_linux_amd64.zip: has 405 bytes and unpacks to 104857706, over 100 times as many
    zip-end (comment): YB056 …_linux_amd64.zip: has 12 bytes behind its end record
    zip-end (bytes behind): YB056 …_linux_amd64.zip: has 100 bytes behind its end record
    zip-gaps (bytes before): YB057 …_linux_amd64.zip: has 10 bytes before its first entry
    zip-gaps (bytes between): YB057 …_linux_amd64.zip: entry `terraform-provider-dns_v1.0.0` is followed by 21 bytes, which is no data descriptor
    zip-overlap (an entry inside another): YB058 …_linux_amd64.zip: entry `outer` shares 44 bytes with what follows it
    zip-local-header (another name): YB059 …_linux_amd64.zip: entry `good` is called `evil` by its own header
    zip-encrypted (flagged): YB060 …_linux_amd64.zip: entry `secret` is encrypted
    zip-method (bzip2): YB061 …_linux_amd64.zip: entry `packed` is compressed by method `12 (BZIP2)`
    zip-data (cut off): YB062 …_linux_amd64.zip: entry `notes` has deflated data that is cut off
    zip-data (bytes behind the data): YB062 …_linux_amd64.zip: entry `notes` has bytes behind its deflated data
    zip-data (not deflated): YB062 …_linux_amd64.zip: entry `notes` has data that is not deflated
    zip-entry-size (too small): YB063 …_linux_amd64.zip: entry `notes` unpacks to more than the 6 bytes that the directory says
    zip-entry-size (too large): YB063 …_linux_amd64.zip: entry `notes` unpacks to 7 bytes, where the directory says 8
    zip-entry-size (of a stored entry): YB063 …_linux_amd64.zip: entry `notes` unpacks to 7 bytes, where the directory says 8
    zip-crc (another): YB064 …_linux_amd64.zip: entry `notes` has CRC-32 fec530a9, where the directory says 12345678
    zip-twins (two platforms): YB065 …_solaris_amd64.zip: has the same bytes as `…_linux_amd64.zip`
    entry-text (not UTF-8): YB066 …_linux_amd64.zip: entry `caf�` has a name that is not UTF-8
    entry-text (line break): YB066 …_linux_amd64.zip: entry `a\nb` has a control character in its name
    entry-parent (at the start): YB067 …_linux_amd64.zip: entry `../evil` has a `..` part in its name
    entry-parent (in the middle): YB067 …_linux_amd64.zip: entry `a/../../evil` has a `..` part in its name
    entry-absolute (slash): YB068 …_linux_amd64.zip: entry `/etc/profile` has an absolute name
    entry-absolute (drive letter): YB068 …_linux_amd64.zip: entry `C:/autoexec.bat` has an absolute name
    entry-backslash (path): YB069 …_linux_amd64.zip: entry `docs\index.md` has a backslash in its name
    entry-path (dot): YB070 …_linux_amd64.zip: entry `./README` has an empty or a `.` part in its name
    entry-path (empty part): YB070 …_linux_amd64.zip: entry `docs//index.md` has an empty or a `.` part in its name
    entry-path (no name): YB070 …_linux_amd64.zip: entry `` has an empty or a `.` part in its name
    entry-directory (by name and mode): YB071 …_linux_amd64.zip: entry `docs/` is a directory
    entry-directory (by mode alone): YB071 …_linux_amd64.zip: entry `docs` is a directory
    entry-duplicate (a file): YB072 …_linux_amd64.zip: entry `README` is there twice
    entry-case (a file): YB073 …_linux_amd64.zip: entry `README` has `README`, which differs in case alone from `Readme`
    entry-case (a directory): YB073 …_linux_amd64.zip: entry `docs/a` has `docs`, which differs in case alone from `Docs`
    entry-case (beyond ASCII): YB073 …_linux_amd64.zip: entry `ÄRGER` has `ÄRGER`, which differs in case alone from `ärger`
    entry-inside-file (a file): YB074 …_linux_amd64.zip: entry `docs/index.md` lies below the file `docs`
    entry-kind (symbolic link): YB075 …_linux_amd64.zip: entry `latest` is a symbolic link
    entry-kind (setuid): YB075 …_linux_amd64.zip: entry `helper` is a file with a setuid, setgid or sticky bit
    entry-kind (pipe): YB075 …_linux_amd64.zip: entry `pipe` is a device, pipe or socket
    executable (another name): YB076 …_linux_amd64.zip: has no file `terraform-provider-dns` in its root
    executable (in a directory): YB076 …_linux_amd64.zip: has no file `terraform-provider-dns` in its root
    executable (another type): YB076 …_linux_amd64.zip: has no file `terraform-provider-dns` in its root
    executable-single (two): YB077 …_linux_amd64.zip: has `terraform-provider-dns_v1.0.0`, which clients start, and also `terraform-provider-dns_v1.0.0.sbom`
    executable-host (MS-DOS): YB078 …_linux_amd64.zip: entry `terraform-provider-dns_v1.0.0` was made on host `FAT`, without a unix mode
    executable-mode (0644): YB079 …_linux_amd64.zip: entry `terraform-provider-dns_v1.0.0` has mode `0644`
    executable-mode (0700): YB079 …_linux_amd64.zip: entry `terraform-provider-dns_v1.0.0` has mode `0700`
    executable-mode (0777): YB079 …_linux_amd64.zip: entry `terraform-provider-dns_v1.0.0` has mode `0777`
    executable-platform (another architecture): YB080 …_linux_amd64.zip: entry `terraform-provider-dns_v1.0.0` is an ELF file, machine 183, 64-bit, little-endian, ABI 0, which is not `linux_amd64`
    executable-platform (another system's format): YB080 …_linux_amd64.zip: entry `terraform-provider-dns_v1.0.0` is a PE file, machine 0x8664, which is not `linux_amd64`
    executable-platform (another system's ABI): YB080 …_linux_amd64.zip: entry `terraform-provider-dns_v1.0.0` is an ELF file, machine 62, 64-bit, little-endian, ABI 9, which is not `linux_amd64`
    executable-header (a script): YB081 …_linux_amd64.zip: entry `terraform-provider-dns_v1.0.0` has no header of a known kind: it is neither ELF, Mach-O nor PE
    manifest (none): YB082 DIST: the release has no manifest
    manifest (another than listed): YB082 …_manifest.json: is not there, and `DIST/../terraform-registry-manifest.json` has another digest than its line
    manifest-format (not JSON): YB083 …_manifest.json: is no manifest: expected value at line 1 column 1
    manifest-format (no list): YB083 …_manifest.json: is no manifest: missing field `protocol_versions` at line 1 column 26
    manifest-format (empty list): YB083 …_manifest.json: lists no protocol version
    manifest-format (version 2): YB083 …_manifest.json: is of version `2`, not `1`
    protocol (a word): YB084 …_manifest.json: protocol version `six` is not MAJOR.MINOR
    protocol (three numbers): YB084 …_manifest.json: protocol version `5.1.2` is not MAJOR.MINOR
    protocol-accepted (too old): YB085 …_manifest.json: no client speaks `4.0`
    "#);
}

#[test]
fn every_row_has_a_fixture_and_every_fixture_a_row() {
    let mut rows: Vec<_> = defects::all().iter().map(|defect| defect.row).collect();
    rows.dedup();
    let expected: Vec<_> = checks::all().map(|check| check.slug).collect();
    assert_eq!(rows, expected);
}

#[test]
fn the_document_is_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/verification.md");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, document::render()).unwrap();
    }
    let hint = "run `UPDATE=1 cargo test --package yuba-tests --test verification`";
    assert!(
        fs::read_to_string(&path).unwrap_or_default() == document::render(),
        "docs/verification.md is stale: {hint}"
    );
}
