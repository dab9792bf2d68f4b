//! Publishing to the Worker that this process runs beside, with the real `yuba`, and looking at what it came to.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::{env, io};

use jiff::SignedDuration;
use pgp::packet::RevocationCode;
use tempfile::TempDir;
use yuba::address::NamespaceAddress;
use yuba::digest::{H1, Sha256Digest};
use yuba::keys::BlobKey;
use yuba::route::Route;
use yuba_companion::publish::{Ending, Request, Stage, Watch, publish};
use yuba_companion::registration::{Registration, register};
use yuba_companion::state::State;
use yuba_companion::store::Store;
use yuba_companion::target::Opened;
use yuba_companion::verify::{Origin, Progress};

use crate::client::Outcome;
use crate::content::HOSTNAME;
use crate::releases::keys::{Kind, SubkeySpec, Use};
use crate::releases::{self, Key, KeySpec, executable};
use crate::workerd::Workerd;

/// The namespace of a release that names none.
const NAMESPACE: &str = "acme";

/// The platform of this machine, by its Go names.
#[must_use]
pub fn host_platform() -> String {
    let os = if env::consts::OS == "macos" { "darwin" } else { env::consts::OS };
    let arch = match env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        "x86" => "386",
        other => other,
    };
    format!("{os}_{arch}")
}

/// A release to be published, for this machine's platform and two others unless it says otherwise.
#[derive(Debug, Clone)]
pub struct Release {
    r#type: String,
    version: String,
    hostname: String,
    namespace: String,
    executables: BTreeMap<String, Vec<u8>>,
}

impl Release {
    /// The release of `version` of `type`.
    #[must_use]
    pub fn new(r#type: &str, version: &str) -> Self {
        let release = Self {
            r#type: r#type.to_owned(),
            version: version.to_owned(),
            hostname: HOSTNAME.to_owned(),
            namespace: NAMESPACE.to_owned(),
            executables: BTreeMap::new(),
        };
        release.platforms(&[&host_platform(), "windows_386", "freebsd_arm"])
    }

    /// The release for these platforms alone, with executables that run nowhere.
    #[must_use]
    pub fn platforms(mut self, platforms: &[&str]) -> Self {
        let label = format!("{} {}", self.r#type, self.version);
        self.executables =
            platforms.iter().map(|platform| ((*platform).to_owned(), executable(platform, &label))).collect();
        self
    }

    /// The release with this executable for `platform`.
    #[must_use]
    pub fn executable(mut self, platform: &str, executable: Vec<u8>) -> Self {
        self.executables.insert(platform.to_owned(), executable);
        self
    }

    /// The release under another hostname.
    #[must_use]
    pub fn hostname(mut self, hostname: &str) -> Self {
        hostname.clone_into(&mut self.hostname);
        self
    }

    /// The release in another namespace.
    #[must_use]
    pub fn namespace(mut self, namespace: &str) -> Self {
        namespace.clone_into(&mut self.namespace);
        self
    }

    /// The options that say where it goes.
    fn place(&self) -> [&str; 4] {
        ["--namespace", &self.namespace, "--hostname", &self.hostname]
    }

    fn signed_by(&self, key: &Key) -> releases::Release {
        let release = releases::Release::new(&self.r#type, &self.version, key);
        self.executables.iter().fold(release, |release, (platform, executable)| release.platform(platform, executable))
    }
}

/// A release that was published.
#[derive(Debug)]
pub struct Published {
    archives: BTreeMap<String, Vec<u8>>,
    h1s: BTreeMap<String, H1>,
    /// SHA256SUMS as it was signed.
    pub shasums: String,
}

impl Published {
    fn new(release: &releases::Release) -> Self {
        let content = |entry: &releases::Entry| Sha256Digest::of(&entry.content);
        let h1 = |zip: &releases::Zip| {
            let names = zip.entries.iter().map(|entry| std::str::from_utf8(&entry.name).expect("a name in UTF-8"));
            H1::of_files(names.zip(zip.entries.iter().map(content)))
        };
        Self {
            archives: release.zips.iter().map(|(platform, zip)| (platform.clone(), zip.to_bytes())).collect(),
            h1s: release.zips.iter().map(|(platform, zip)| (platform.clone(), h1(zip))).collect(),
            shasums: release.sums(),
        }
    }

    /// The archive for `platform`.
    #[must_use]
    pub fn archive(&self, platform: &str) -> Vec<u8> {
        self.archives.get(platform).expect("a platform of the release").clone()
    }

    /// The SHA-256 of the archive for `platform`.
    #[must_use]
    pub fn digest(&self, platform: &str) -> Sha256Digest {
        Sha256Digest::of(&self.archive(platform))
    }

    /// The digests of every line of SHA256SUMS.
    #[must_use]
    pub fn digests(&self) -> Vec<&str> {
        self.shasums.lines().filter_map(|line| line.split_whitespace().next()).collect()
    }

    /// The dirhash of what the archive for `platform` holds.
    #[must_use]
    pub fn h1(&self, platform: &str) -> String {
        self.h1s.get(platform).expect("a platform of the release").to_string()
    }
}

/// The registry that this process runs beside, to be published to.
pub struct Publisher {
    workerd: Workerd,
    key: Key,
}

impl Publisher {
    /// The registry that this process runs beside.
    ///
    /// # Errors
    /// The reason, if there is none.
    pub fn find() -> Result<Self, String> {
        // RSA, which every client reads.
        let key = KeySpec { kind: Kind::Rsa2048, ..KeySpec::new("acme") }.build();
        Ok(Self { workerd: Workerd::find()?, key })
    }

    /// Where the registry listens.
    #[must_use]
    pub fn url(&self) -> &str {
        self.workerd.url()
    }

    /// The source address of the provider `type`.
    #[must_use]
    pub fn source(&self, r#type: &str) -> String {
        self.source_in(NAMESPACE, r#type)
    }

    /// The source address of the provider `type` in `namespace`.
    #[must_use]
    pub fn source_in(&self, namespace: &str, r#type: &str) -> String {
        let host = self.url().trim_start_matches("https://");
        format!("{host}/{namespace}/{type}")
    }

    /// Publishes `release` with the `yuba` on the PATH.
    ///
    /// # Panics
    /// If that fails.
    pub fn publish(&self, release: &Release) -> Published {
        self.publish_signed_by(&self.key, release)
    }

    /// Publishes `release`, signed by `key`, with the `yuba` on the PATH.
    ///
    /// # Panics
    /// If that fails.
    pub fn publish_signed_by(&self, key: &Key, release: &Release) -> Published {
        let signed = release.signed_by(key);
        let directory = write(&signed, key).expect("a release's directory");
        let run = |arguments: &[&str]| {
            let mut command = Command::new("yuba");
            command.current_dir(&directory).args(arguments).args(release.place());
            Outcome::of(&mut command).says("");
        };
        run(&["key", "add", "KEY.asc"]);
        run(&["publish", "dist"]);
        Published::new(&signed)
    }

    /// Publishes executables, a directory's by platform, as who has no GnuPG does: packed by `yuba` and signed by it, with
    /// a subkey whose primary key only certifies and is kept elsewhere.
    ///
    /// # Panics
    /// If that fails.
    pub fn publish_packed(&self, builds: &Path, r#type: &str, version: &str, namespace: &str) {
        let key =
            KeySpec { r#use: Use::Certify, subkey: Some(SubkeySpec::default()), ..KeySpec::new("subkey") }.build();
        let directory = tempfile::tempdir().expect("a directory");
        fs::write(directory.path().join("SUBKEYS.gpg"), key.secret_subkeys_bytes()).expect("a key");
        fs::write(directory.path().join("KEY.asc"), key.ascii_armor()).expect("a key");
        let run = |arguments: &[&str]| {
            Outcome::of(Command::new("yuba").current_dir(&directory).args(arguments)).says("");
        };
        let release = ["--provider", r#type, "--version", version, "--protocol", "5.0", "--out", "dist"];
        run(&[&["pack", builds.to_str().expect("a path in UTF-8")], &release[..]].concat());
        run(&["sign", "dist", "--key", "SUBKEYS.gpg"]);
        let place = ["--namespace", namespace, "--hostname", HOSTNAME];
        run(&[&["key", "add", "KEY.asc"], &place[..]].concat());
        run(&[&["publish", "dist"], &place[..]].concat());
    }

    /// Runs the `yuba` on the PATH on the registry's storage.
    ///
    /// # Panics
    /// If that fails.
    pub fn yuba(&self, arguments: &[&str]) -> Outcome {
        let outcome = Outcome::of(Command::new("yuba").args(arguments));
        outcome.says("");
        outcome
    }

    /// Gives up `key` where `release` was published: `yuba key COMMAND FINGERPRINT` with further `arguments`. A file
    /// `REVOKED.asc` is there, the key with its owner's revocation.
    ///
    /// # Panics
    /// If that fails.
    pub fn give_up(&self, key: &KeySpec, command: &str, release: &Release, arguments: &[&str]) {
        let directory = tempfile::tempdir().expect("a directory");
        let revoked = KeySpec { revoked: Some(RevocationCode::KeyCompromised), ..key.clone() }.build();
        fs::write(directory.path().join("REVOKED.asc"), revoked.ascii_armor()).expect("a file");
        let mut yuba = Command::new("yuba");
        yuba.current_dir(&directory).args(["key", command, &revoked.fingerprint()]).args(release.place());
        Outcome::of(yuba.args(arguments)).says("");
    }

    /// Publishes `release` as it was done in February 2024, with a key that expired in March of that year.
    ///
    /// # Panics
    /// If that fails.
    pub fn publish_with_a_key_that_has_expired_since(&self, release: &Release) {
        let lifetime = Some(SignedDuration::from_hours(60 * 24));
        let key = KeySpec { lifetime, ..KeySpec::new("short-lived") }.build();
        let directory = write(&release.signed_by(&key), &key).expect("a release's directory");
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(publish_in_2024(release, &key, directory.path()));
    }

    /// Puts other bytes in the place of the archive `digest`.
    pub fn alter(&self, digest: Sha256Digest, bytes: &[u8]) {
        self.workerd.put(&format!("r2/{}", BlobKey(digest).object()), bytes);
    }

    /// The requests so far that named the provider `type`, in order, as `METHOD PATH STATUS`.
    ///
    /// # Panics
    /// If there is no log.
    #[must_use]
    pub fn requests(&self, r#type: &str) -> Vec<String> {
        let log = env::var("YUBA_REQUEST_LOG").expect("YUBA_REQUEST_LOG, the file of `scripts/dev --log`");
        let log = fs::read_to_string(log).expect("a log");
        // A request outside the grammar is one that nobody expected, whoever caused it.
        log.lines().for_each(assert_expected);
        let names = format!("/{type}/");
        log.lines().filter(|line| line.contains(&names)).map(str::to_owned).collect()
    }
}

fn assert_expected(line: &str) {
    let mut words = line.split(' ');
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let path = path.split('?').next().unwrap_or_default();
    assert!(["GET", "HEAD"].contains(&method), "{line}");
    assert!(path.parse::<Route>().is_ok(), "{line}");
}

fn write(release: &releases::Release, key: &Key) -> io::Result<TempDir> {
    let directory = tempfile::tempdir()?;
    release.write(&directory.path().join("dist"))?;
    fs::write(directory.path().join("KEY.asc"), key.ascii_armor())?;
    Ok(directory)
}

async fn publish_in_2024(release: &Release, key: &Key, directory: &Path) {
    let now = "2024-02-02T00:00:00Z".parse().expect("a time");
    let state = State::new(env::var_os("YUBA_STATE").expect("YUBA_STATE").into());
    let opened = Opened::local(&state, None).await.expect("the local storage");
    let store: &dyn Store = opened.store.as_ref();
    let namespace = NamespaceAddress {
        hostname: release.hostname.parse().expect("a hostname"),
        namespace: release.namespace.parse().expect("a namespace"),
    };
    let keys = yuba_companion::openpgp::parse_key_file(key.ascii_armor().as_bytes()).expect("a key");
    let registration = Registration { namespace: namespace.clone(), keys, source: None, source_url: None };
    register(store, &registration, now, fastrand::Rng::new()).await.expect("a registered key");
    let request = Request {
        directory: directory.join("dist"),
        manifest: None,
        namespace,
        origin: Origin::Own,
        now,
        random: fastrand::Rng::new(),
        watch: Arc::new(Unwatched),
    };
    let ending = publish(store, &request).await.expect("an ending");
    assert!(matches!(ending, Ending::Published(_)), "{ending:?}");
    opened.close().await;
}

struct Unwatched;

impl Progress for Unwatched {
    fn start(&self, _: &str, _: u64) {}

    fn advance(&self, _: &str, _: u64) {}

    fn finish(&self, _: &str) {}
}

impl Watch for Unwatched {
    fn begin(&self, _: Stage) {}
}
