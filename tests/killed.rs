//! A real `yuba publish` that is killed by SIGKILL before, during and after everything it asks of storage (invariant 1
//! of the design).
//!
//! Whatever moment it is, what is listed installs from the real Worker, nothing else is seen of the release, the same
//! command again completes it, and no archive is stored twice.

use std::collections::BTreeMap;
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use jiff::Timestamp;
use yuba::address::{ProviderAddress, ReleaseAddress};
use yuba::archive_name::ArchiveName;
use yuba::digest::Sha256Digest;
use yuba::keys::DocumentKey;
use yuba::platform::Platform;
use yuba::route::Route;
use yuba_tests::exchange::{Ask, Server};
use yuba_tests::installation::{install, install_mirrored, versions};
use yuba_tests::interceptor::{Interceptor, Moment, Operation, Run};
use yuba_tests::releases::keys::Kind;
use yuba_tests::releases::{Key, KeySpec, Release, executable};
use yuba_tests::workerd::Workerd;

/// What is published: two archives, so that a publish can be killed between them.
const PLATFORMS: [&str; 2] = ["darwin_arm64", "linux_amd64"];

/// A namespace of our own in the registry that this process runs beside.
struct Registry {
    key: Key,
    files: tempfile::TempDir,
}

/// A way to the registry's storage on which processes can be killed.
struct Line {
    interceptor: Interceptor,
    state: tempfile::TempDir,
}

impl Line {
    /// A line to the storage that `scripts/dev` serves.
    fn new() -> Self {
        let state = std::env::var_os("YUBA_STATE").expect("YUBA_STATE beside YUBA_URL");
        let record = fs::read(Path::new(&state).join("yuba.json")).unwrap();
        let mut record: serde_json::Value = serde_json::from_slice(&record).unwrap();
        let storage = record["storage_url"].as_str().unwrap().trim_start_matches("http://").trim_end_matches('/');
        let interceptor = Interceptor::new(storage.parse::<SocketAddr>().unwrap());
        record["storage_url"] = interceptor.url().into();
        let state = tempfile::tempdir().unwrap();
        fs::write(state.path().join("yuba.json"), record.to_string()).unwrap();
        Self { interceptor, state }
    }

    fn yuba(&self, arguments: &[&str], directory: &Path) -> Command {
        let mut command = Command::new("yuba");
        command.args(arguments).current_dir(directory).env("YUBA_STATE", self.state.path());
        command
    }

    fn publish(&self, dist: &Path, kill: Option<(usize, Moment)>) -> Run {
        self.interceptor.run(&mut self.yuba(&["publish", ".", "--namespace", "killed"], dist), kill)
    }
}

impl Registry {
    fn find() -> Result<Self, String> {
        Workerd::find()?;
        let key = KeySpec { kind: Kind::Rsa2048, ..KeySpec::new("killed") }.build();
        let registry = Self { key, files: tempfile::tempdir().unwrap() };
        fs::write(registry.files.path().join("KEY.asc"), registry.key.ascii_armor()).unwrap();
        let line = Line::new();
        let mut add = line.yuba(&["key", "add", "KEY.asc", "--namespace", "killed"], registry.files.path());
        succeed(line.interceptor.run(&mut add, None));
        Ok(registry)
    }

    /// Writes a release of `type`, and says what it is made of.
    fn write(&self, r#type: &str, version: &str) -> Written {
        let platforms = PLATFORMS.into_iter();
        let release = platforms.fold(Release::new(r#type, version, &self.key), |release, platform| {
            release.platform(platform, &executable(platform, &format!("{type} {version}")))
        });
        let dist = tempfile::tempdir_in(self.files.path()).unwrap();
        release.write(dist.path()).unwrap();
        let archives = release.zips.iter().map(|(platform, zip)| (platform.parse().unwrap(), zip.to_bytes())).collect();
        let provider: ProviderAddress = format!("localhost/killed/{type}").parse().unwrap();
        Written { dist, archives, address: ReleaseAddress { provider, version: version.parse().unwrap() } }
    }
}

/// A release in a directory.
struct Written {
    dist: tempfile::TempDir,
    archives: BTreeMap<Platform, Vec<u8>>,
    address: ReleaseAddress,
}

impl Written {
    fn digests(&self) -> BTreeMap<&Platform, Sha256Digest> {
        self.archives.iter().map(|(platform, archive)| (platform, Sha256Digest::of(archive))).collect()
    }

    /// Every package installs, from the registry and from the mirror, and its signature is good.
    fn assert_installs(&self, server: &mut dyn Server) {
        for (platform, archive) in &self.archives {
            let installed = install(server, &self.address, platform).unwrap();
            assert!(installed.archive == *archive, "{} {platform}", self.address);
            installed.verify_signature(Timestamp::now()).unwrap();
            assert!(install_mirrored(server, &self.address, platform).unwrap() == *archive);
        }
    }

    /// Nothing of it is served, whatever URL somebody may guess.
    fn assert_unseen(&self, server: &mut dyn Server) {
        let ReleaseAddress { provider, version } = &self.address;
        let signed = [Route::Shasums(self.address.clone()), Route::ShasumsSignature(self.address.clone())];
        let archives = self.digests().into_iter().map(|(platform, digest)| {
            let (r#type, version) = (provider.r#type().clone(), version.clone());
            Route::Archive(self.address.clone(), digest, ArchiveName { r#type, version, platform: platform.clone() })
        });
        let (namespace, r#type) = (provider.namespace().clone(), provider.r#type().clone());
        let downloads = self
            .archives
            .keys()
            .map(|platform| Route::Download(namespace.clone(), r#type.clone(), version.clone(), platform.clone()));
        for route in signed.into_iter().chain(archives).chain(downloads) {
            let reply = server.exchange(&Ask::new(&format!("GET {route}")));
            assert_eq!(reply.status, 404, "{route}: {}", String::from_utf8_lossy(&reply.body));
        }
        let mirrored = server.exchange(&Ask::new(&format!("GET {}", Route::MirrorVersion(self.address.clone()))));
        assert_eq!((mirrored.status, mirrored.body.as_slice()), (200, &br#"{"archives":{}}"#[..]));
    }
}

/// A run that did what it was asked.
fn succeed(run: Run) -> Run {
    assert!(run.status.success(), "{}: {}\n{:#?}", run.status, run.said, run.operations);
    run
}

/// The archives that storage has taken in.
fn stored(operations: &[Operation]) -> impl Iterator<Item = &str> {
    operations.iter().filter(|it| it.is_upload() && it.status == Some(200)).map(|it| it.path.as_str())
}

/// Publishes the last of `releases`, whose others are listed, killed at `kill`, and then again.
fn kill_and_complete(line: &Line, workerd: &mut Workerd, releases: &[Written], kill: (usize, Moment)) {
    let (second, first) = releases.split_last().unwrap();
    let killed = line.publish(second.dist.path(), Some(kill));
    assert_eq!(killed.status.code(), None, "{kill:?}: it was not killed");
    // Archives are sent at once, so that others may be on their way.
    assert!(killed.operations.len() > kill.0, "{kill:?}: it was killed before");

    let listed = versions(workerd, &second.address).unwrap_or_default();
    let expected: Vec<_> = releases.iter().map(|release| release.address.version.to_string()).collect();
    assert!(listed == expected || listed == expected[..first.len()], "{kill:?}: {listed:?}");
    for release in releases {
        if listed.contains(&release.address.version.to_string()) {
            release.assert_installs(workerd);
        } else {
            release.assert_unseen(workerd);
        }
    }

    let again = line.publish(second.dist.path(), None);
    let again = succeed(again);
    assert_eq!(versions(workerd, &second.address).unwrap(), expected);
    for release in releases {
        release.assert_installs(workerd);
    }
    assert_copied(workerd, &second.address.provider);
    let mut archives: Vec<_> = stored(&killed.operations).chain(stored(&again.operations)).collect();
    archives.sort_unstable();
    let count = archives.len();
    archives.dedup();
    assert_eq!(archives.len(), count, "{kill:?}: an archive was stored twice");
}

/// KV holds what R2 holds, and nobody is thought to be copying.
fn assert_copied(workerd: &Workerd, provider: &ProviderAddress) {
    let key = DocumentKey::Provider(provider.clone());
    assert_eq!(workerd.get(&format!("kv/{key}")), workerd.get(&format!("r2/{}", key.object())));
}

/// Kills the publishing of a release at every moment of every operation, `at_once` at a time. Before it, the provider
/// has the versions `earlier`.
fn kill_everywhere(registry: &Registry, label: &str, earlier: &[&str], at_once: usize) {
    let line = Line::new();
    let prepare = |r#type: &str| -> Vec<Written> {
        let releases: Vec<_> =
            earlier.iter().chain(&["1.1.0"]).map(|version| registry.write(r#type, version)).collect();
        let (_, listed) = releases.split_last().unwrap();
        for release in listed {
            succeed(line.publish(release.dist.path(), None));
        }
        releases
    };
    let whole = prepare(&format!("{label}-whole"));
    let reference = succeed(line.publish(whole.last().unwrap().dist.path(), None)).operations;
    let moments = |operation: &Operation| {
        if operation.is_upload() {
            vec![Moment::Before, Moment::During, Moment::After]
        } else {
            vec![Moment::Before, Moment::After]
        }
    };
    let kills: Vec<_> = (0..)
        .zip(&reference)
        .flat_map(|(number, it)| moments(it).into_iter().map(move |moment| (number, moment)))
        .collect();
    // All that is listed before is listed now: a publish asks for more while others change the index.
    let prepared: Vec<_> =
        kills.iter().map(|(number, moment)| prepare(&format!("{label}-{number}-{moment:?}").to_lowercase())).collect();
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                let (line, mut workerd) = (Line::new(), Workerd::find().unwrap());
                loop {
                    let turn = next.fetch_add(1, Ordering::Relaxed);
                    let (Some(kill), Some(releases)) = (kills.get(turn), prepared.get(turn)) else { break };
                    kill_and_complete(&line, &mut workerd, releases, *kill);
                }
            });
        }
    });
    eprintln!(
        "{label} release: killed by SIGKILL at {} moments of {} operations: nothing half-published seen, all completed, no archive stored twice",
        kills.len(),
        reference.len()
    );
}

#[test]
fn a_publisher_that_is_killed_leaves_a_working_registry_and_completes_its_release_when_run_again() {
    let registry = match Registry::find() {
        Ok(registry) => registry,
        Err(reason) => return eprintln!("skipped: workerd: {reason}"),
    };
    // First releases change the index, so that one at a time asks the same of storage.
    kill_everywhere(&registry, "first", &[], 1);
    kill_everywhere(&registry, "second", &["1.0.0"], 3);
}
