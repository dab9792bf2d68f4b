//! Keys and signatures that GnuPG made, where it is installed.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use yuba::document::Standing;
use yuba_companion::openpgp::{Passphrase, Signer, parse_key_file, parse_secret_keys};
use yuba_companion::verify::{KeyAge, Origin, RegisteredKey, Silent, Terms, verify};
use yuba_tests::releases::defects::Scene;

/// A home of GnuPG's own, so that no key of the user's is touched.
struct GnuPg {
    home: tempfile::TempDir,
}

impl GnuPg {
    /// A fresh home; none, where GnuPG is not installed.
    fn new() -> Option<Self> {
        if Command::new("gpg").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
            println!("skipped: gpg is not installed");
            return None;
        }
        Some(Self { home: tempfile::Builder::new().prefix("g").tempdir().unwrap() })
    }

    fn try_run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new("gpg");
        command.arg("--homedir").arg(self.home.path()).args(["--batch", "--yes", "--quiet", "--no-tty"]);
        command.args(["--pinentry-mode", "loopback", "--passphrase", ""]).args(arguments);
        command.stdin(Stdio::null()).output().unwrap()
    }

    fn run(&self, arguments: &[&str]) -> Vec<u8> {
        let output = self.try_run(arguments);
        assert!(output.status.success(), "gpg {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    }

    fn fingerprint(&self) -> String {
        let listed = String::from_utf8(self.run(&["--list-keys", "--with-colons"])).unwrap();
        let line = listed.lines().find(|line| line.starts_with("fpr:")).unwrap();
        line.split(':').nth(9).unwrap().to_owned()
    }

    fn export(&self) -> String {
        String::from_utf8(self.run(&["--armor", "--export"])).unwrap()
    }
}

impl Drop for GnuPg {
    fn drop(&mut self) {
        let kill = ["--kill", "gpg-agent"];
        let _ = Command::new("gpgconf").arg("--homedir").arg(self.home.path()).args(kill).status();
    }
}

/// Signs a release with GnuPG and verifies it by GnuPG's key: the rows that find fault with it.
fn rows(gnupg: &GnuPg, signing: &[&str], registered: &str, now: &str) -> Vec<&'static str> {
    let dist = tempfile::tempdir().unwrap();
    let scene = Scene::new();
    scene.write(dist.path()).unwrap();
    let sums = scene.release.sums_path(dist.path());
    let signature = sums.with_added_extension("sig");
    let mut arguments = signing.to_vec();
    arguments.extend(["--output", path(&signature), "--detach-sign", path(&sums)]);
    gnupg.run(&arguments);
    assert!(fs::metadata(&signature).unwrap().len() > 60);
    let keys = [RegisteredKey { ascii_armor: registered, standing: Standing::Active }];
    let now = now.parse().unwrap();
    let terms =
        Terms { namespace: "acme", origin: Origin::Own, keys: &keys, key_age: KeyAge::Judge, now, manifest: None };
    let verdict = verify(dist.path(), &terms, &Silent).unwrap();
    verdict.findings.iter().map(|finding| finding.check.slug).collect()
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The options that make GnuPG believe it is the middle of 2024.
const IN_2024: [&str; 2] = ["--faked-system-time", "20240601T000000"];

fn with_time<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [&IN_2024[..], arguments].concat()
}

#[test]
fn ordinary_keys_are_taken() {
    for (algorithm, name) in [("rsa2048", "RSA 2048"), ("ed25519", "Ed25519"), ("nistp256", "NIST P-256")] {
        let Some(gnupg) = GnuPg::new() else { return };
        gnupg.run(&with_time(&["--quick-generate-key", "Acme <a@example.invalid>", algorithm, "sign", "2y"]));
        let armor = gnupg.export();
        let facts = parse_key_file(armor.as_bytes()).unwrap()[0].facts("2024-07-01T00:00:00Z".parse().unwrap());
        assert_eq!(facts.algorithm.to_string(), name);
        assert_eq!(facts.user_ids, ["Acme <a@example.invalid>"]);
        assert_eq!(facts.fingerprint.to_string(), gnupg.fingerprint());
        assert!(facts.can_sign && facts.expires.is_some());
        assert_eq!(rows(&gnupg, &IN_2024, &armor, "2024-07-01T00:00:00Z"), [""; 0], "{name}");
        assert_eq!(rows(&gnupg, &with_time(&["--armor"]), &armor, "2024-07-01T00:00:00Z"), ["signature-armored"]);
        assert_eq!(rows(&gnupg, &IN_2024, &armor, "2027-07-01T00:00:00Z"), ["key-expired"]);
        let expiring = with_time(&["--default-sig-expire", "1m"]);
        assert_eq!(rows(&gnupg, &expiring, &armor, "2024-08-01T00:00:00Z"), ["signature-expired"]);
        let secret = gnupg.run(&["--armor", "--export-secret-keys"]);
        assert!(parse_key_file(&secret).is_err());
    }
}

#[test]
fn a_signing_subkey_is_taken_until_it_expires() {
    let Some(gnupg) = GnuPg::new() else { return };
    gnupg.run(&with_time(&["--quick-generate-key", "Acme <a@example.invalid>", "ed25519", "cert", "never"]));
    let fingerprint = gnupg.fingerprint();
    // Making a key takes time, and GnuPG starts from the same time again.
    let later = ["--faked-system-time", "20240601T010000"];
    gnupg.run(&[&later[..], &["--quick-add-key", &fingerprint, "ed25519", "sign", "1y"]].concat());
    let latest = ["--faked-system-time", "20240601T020000"];
    gnupg.run(&[&latest[..], &["--quick-add-key", &fingerprint, "cv25519", "encr", "1y"]].concat());
    let armor = gnupg.export();
    assert_eq!(rows(&gnupg, &latest, &armor, "2024-07-01T00:00:00Z"), [""; 0]);
    assert_eq!(rows(&gnupg, &latest, &armor, "2026-07-01T00:00:00Z"), ["key-expired"]);
}

#[test]
fn an_extended_key_is_merged_into_the_registered_one() {
    let Some(gnupg) = GnuPg::new() else { return };
    gnupg.run(&with_time(&["--quick-generate-key", "Acme <a@example.invalid>", "ed25519", "sign", "1y"]));
    let mut registered = parse_key_file(gnupg.export().as_bytes()).unwrap().remove(0);
    let fingerprint = gnupg.fingerprint();
    let later = ["--faked-system-time", "20250301T000000"];
    gnupg.run(&[&later[..], &["--quick-set-expire", &fingerprint, "3y"]].concat());
    gnupg.run(&[&later[..], &["--quick-add-uid", &fingerprint, "Acme Labs <b@example.invalid>"]].concat());
    let newer = parse_key_file(gnupg.export().as_bytes()).unwrap().remove(0);
    let now = "2026-01-01T00:00:00Z";
    assert_eq!(rows(&gnupg, &IN_2024, &registered.ascii_armor(), now), ["key-expired"]);
    registered.merge(&newer).unwrap();
    assert_eq!(rows(&gnupg, &IN_2024, &registered.ascii_armor(), now), [""; 0]);
    assert_eq!(registered.facts(now.parse().unwrap()).user_ids.len(), 2);
}

#[test]
fn a_revoked_key_is_refused() {
    let Some(gnupg) = GnuPg::new() else { return };
    gnupg.run(&["--quick-generate-key", "Acme <a@example.invalid>", "ed25519", "sign", "never"]);
    let fingerprint = gnupg.fingerprint();
    // GnuPG leaves a revocation beside every key it makes, with a colon that keeps it from being used by accident.
    let stored = gnupg.home.path().join(format!("openpgp-revocs.d/{fingerprint}.rev"));
    let revocation = fs::read_to_string(&stored).unwrap().replace(":-----BEGIN", "-----BEGIN");
    // What is typed on purpose is taken as GnuPG left it.
    let mut registered = parse_key_file(gnupg.export().as_bytes()).unwrap().remove(0);
    let later = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(1);
    registered.revoke(&fs::read(&stored).unwrap(), later).unwrap();
    assert!(registered.revocation(later).is_some());
    let block = revocation.find("-----BEGIN").unwrap();
    fs::write(&stored, &revocation[block..]).unwrap();
    // What GnuPG signs in a moment must not be in the future.
    let soon = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(1);
    let now = soon.to_string();
    assert_eq!(rows(&gnupg, &[], &gnupg.export(), &now), [""; 0]);

    let dist = tempfile::tempdir().unwrap();
    let scene = Scene::new();
    scene.write(dist.path()).unwrap();
    let sums = scene.release.sums_path(dist.path());
    gnupg.run(&["--output", path(&sums.with_added_extension("sig")), "--detach-sign", path(&sums)]);
    gnupg.run(&["--import", path(&stored)]);
    let armor = gnupg.export();
    assert!(parse_key_file(armor.as_bytes()).unwrap()[0].facts(now.parse().unwrap()).revoked.is_some());
    let keys = [RegisteredKey { ascii_armor: &armor, standing: Standing::Active }];
    let (namespace, now) = ("acme", soon);
    let terms = Terms { namespace, origin: Origin::Own, keys: &keys, key_age: KeyAge::Judge, now, manifest: None };
    let verdict = verify(dist.path(), &terms, &Silent).unwrap();
    let rows: Vec<_> = verdict.findings.iter().map(|finding| finding.check.slug).collect();
    assert_eq!(rows, ["key-revoked"]);
}

/// The release that `yuba` signs with a key that GnuPG exported, verified by GnuPG.
fn sign_and_verify(gnupg: &GnuPg, secret: &[u8], passphrase: Option<&str>) -> String {
    let dist = tempfile::tempdir().unwrap();
    let scene = Scene::new();
    scene.write(dist.path()).unwrap();
    let sums = scene.release.sums_path(dist.path());
    // What GnuPG made in a moment must not be in the future.
    let now = jiff::Timestamp::now() + jiff::SignedDuration::from_secs(2);
    let mut signer = Signer::choose(parse_secret_keys(secret).unwrap(), None, now).unwrap();
    assert_eq!(signer.is_locked(), passphrase.is_some());
    if let Some(passphrase) = passphrase {
        signer.unlock(&Passphrase::new(passphrase.to_owned())).unwrap();
    }
    let signature = sums.with_added_extension("sig");
    let document = fs::read(&sums).unwrap();
    fs::write(&signature, signer.sign(&document, now).unwrap()).unwrap();
    let ignoring = ["--ignore-time-conflict", "--status-fd", "1", "--verify", path(&signature), path(&sums)];
    let status = String::from_utf8(gnupg.run(&ignoring)).unwrap();
    assert!(status.contains("[GNUPG:] GOODSIG"), "{status}");
    fs::write(&sums, [&document[..], b"\n"].concat()).unwrap();
    assert!(!gnupg.try_run(&ignoring).status.success(), "GnuPG takes anything");
    signer.fingerprint().to_string()
}

#[test]
fn gnupg_takes_what_is_signed_without_it() {
    for algorithm in ["rsa2048", "ed25519", "nistp256", "nistp384", "nistp521"] {
        let Some(gnupg) = GnuPg::new() else { return };
        gnupg.run(&["--quick-generate-key", "Acme <a@example.invalid>", algorithm, "sign", "2y"]);
        for armor in [&["--armor"][..], &[]] {
            let secret = gnupg.run(&[armor, &["--export-secret-keys"]].concat());
            assert_eq!(sign_and_verify(&gnupg, &secret, None), gnupg.fingerprint(), "{algorithm}");
        }
    }
}

/// The newest signing subkey signs, as it does for GnuPG, though the primary key could and is not in the file.
#[test]
fn the_newest_signing_subkey_signs_as_in_gnupg() {
    let Some(gnupg) = GnuPg::new() else { return };
    gnupg.run(&with_time(&["--quick-generate-key", "Acme <a@example.invalid>", "ed25519", "cert,sign", "never"]));
    let fingerprint = gnupg.fingerprint();
    for (time, usage, expiry) in [
        ("20240701T000000", "sign", "never"),
        ("20240801T000000", "sign", "never"),
        ("20240901T000000", "sign", "10d"),
        ("20241001T000000", "auth", "never"),
    ] {
        gnupg.run(&["--faked-system-time", time, "--quick-add-key", &fingerprint, "ed25519", usage, expiry]);
    }
    let document = gnupg.home.path().join("document");
    fs::write(&document, "document").unwrap();
    let status = gnupg.run(&["--status-fd", "1", "--output", "-", "--detach-sign", path(&document)]);
    let status = String::from_utf8_lossy(&status).into_owned();
    let created = status.lines().find_map(|line| line.split_once("[GNUPG:] SIG_CREATED ")).unwrap().1;
    for export in ["--export-secret-keys", "--export-secret-subkeys"] {
        let signer = sign_and_verify(&gnupg, &gnupg.run(&["--armor", export]), None);
        assert_eq!(created.split_whitespace().last(), Some(&*signer));
        assert_ne!(signer, fingerprint);
    }
}

#[test]
fn a_key_that_gnupg_protects_is_unlocked() {
    let Some(gnupg) = GnuPg::new() else { return };
    let with_passphrase = |arguments: &[&str]| {
        let mut command = Command::new("gpg");
        command.arg("--homedir").arg(gnupg.home.path()).args(["--batch", "--yes", "--quiet", "--no-tty"]);
        command.args(["--pinentry-mode", "loopback", "--passphrase", "s3cret"]).args(arguments);
        let output = command.stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    with_passphrase(&["--quick-generate-key", "Acme <a@example.invalid>", "ed25519", "sign", "never"]);
    let secret = with_passphrase(&["--armor", "--export-secret-keys"]);
    assert_eq!(sign_and_verify(&gnupg, &secret, Some("s3cret")), gnupg.fingerprint());
}
