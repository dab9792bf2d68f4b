//! A registry in memory with one registered key, and the releases that are published to it.

use std::path::Path;
use std::sync::Arc;
use std::thread;

use fastrand::Rng;
use jiff::SignedDuration;
use tempfile::TempDir;
use yuba::address::{NamespaceAddress, ProviderAddress, ReleaseAddress};
use yuba::document::{Document as _, ProviderDocument, RevocationPolicy};
use yuba::keys::DocumentKey;
use yuba_companion::keyring::{ChangedKey, KeyringError, Retirement, Revocation, retire, revoke};
use yuba_companion::life_cycle::LifeCycleError;
use yuba_companion::openpgp::parse_key_file;
use yuba_companion::publish::{Ending, PublishError, Request, Stage, Watch, publish};
use yuba_companion::registration::{Registration, register};
use yuba_companion::removal::{Removal, Removed, remove};
use yuba_companion::store::Store;
use yuba_companion::store::faults::{Fault, Faults};
use yuba_companion::store::memory::MemoryStore;
use yuba_companion::target::Opened;
use yuba_companion::verify::{Origin, Progress};
use yuba_tests::digests::number_digests;
use yuba_tests::releases::{self, Key, KeySpec, executable};

/// When everything happens, unless it happens late.
const NOW: &str = "2026-03-01T12:00:00Z";

/// When a key that expires has expired.
pub(crate) const EXPIRED: &str = "2028-01-01T00:00:00Z";

/// How long a key that expires lives, from 2024 on.
const LIFETIME: SignedDuration = SignedDuration::from_hours(3 * 365 * 24);

/// What is published.
#[derive(Clone, Copy)]
pub(crate) struct Release<'a> {
    pub(crate) version: &'a str,
    pub(crate) platforms: &'a [&'a str],
    pub(crate) protocols: &'a [&'a str],
    /// What makes its executables differ from others.
    pub(crate) label: &'a str,
    /// What they are called; without a version in it, two versions may have the same archives.
    pub(crate) executable: Option<&'a str>,
    pub(crate) signed_at: &'a str,
}

impl<'a> Release<'a> {
    pub(crate) fn new(version: &'a str) -> Self {
        let platforms = &["darwin_arm64", "linux_amd64"];
        Self {
            version,
            platforms,
            protocols: &["5.0"],
            label: "built",
            executable: None,
            signed_at: "2026-02-01T00:00:00Z",
        }
    }
}

/// What becomes of a key.
#[derive(Debug, Clone, Copy)]
pub(crate) enum GivenUp {
    Retired,
    Revoked(RevocationPolicy),
    /// It is put back into use.
    Undone,
}

/// Watches nothing.
struct Blind;

impl Progress for Blind {
    fn start(&self, _archive: &str, _bytes: u64) {}

    fn advance(&self, _archive: &str, _bytes: u64) {}

    fn finish(&self, _archive: &str) {}
}

impl Watch for Blind {
    fn begin(&self, _stage: Stage) {}
}

/// The registry's hostname.
pub(crate) const HOST: &str = "registry.example";

/// Another hostname, whose providers are mirrored.
pub(crate) const MIRRORED: &str = "mirrored.example";

/// The provider that is published.
pub(crate) fn provider() -> ProviderAddress {
    format!("{HOST}/acme/dns").parse().unwrap()
}

/// One version of it.
pub(crate) fn release(version: &str) -> ReleaseAddress {
    ReleaseAddress { provider: provider(), version: version.parse().unwrap() }
}

/// The same store once more.
pub(crate) fn copy(store: &MemoryStore) -> MemoryStore {
    let copy = MemoryStore::default();
    store.r2().iter().for_each(|(key, bytes)| copy.damage(key, bytes));
    store.kv().iter().for_each(|(name, bytes)| copy.damage_copy(name, Some(bytes)));
    copy
}

/// Runs `work` to its end on a thread of its own, as another process does while this one stands still.
pub(crate) fn meanwhile(work: impl Future<Output = ()> + Send) {
    let run = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work);
    thread::scope(|scope| scope.spawn(run).join().unwrap());
}

fn namespace(hostname: &str) -> NamespaceAddress {
    NamespaceAddress { hostname: hostname.parse().unwrap(), ..provider().namespace_address().clone() }
}

/// A registry that knows one key.
pub(crate) struct Registry {
    pub(crate) store: MemoryStore,
    pub(crate) now: &'static str,
    pub(crate) key: Key,
}

impl Registry {
    pub(crate) async fn new() -> Self {
        Self::with_key("acme").await
    }

    pub(crate) async fn with_key(name: &str) -> Self {
        Self::knowing(Key::new(name)).await
    }

    pub(crate) async fn with_expiring_key() -> Self {
        Self::knowing(KeySpec { lifetime: Some(LIFETIME), ..KeySpec::new("acme") }.build()).await
    }

    async fn knowing(key: Key) -> Self {
        let registry = Self { store: MemoryStore::default(), now: NOW, key };
        registry.register(&registry.store).await;
        registry
    }

    pub(crate) async fn register(&self, store: &dyn Store) {
        self.register_on(store, HOST).await;
    }

    /// Registers the key in the namespace of another hostname.
    pub(crate) async fn register_on(&self, store: &dyn Store, hostname: &str) {
        let keys = parse_key_file(self.key.ascii_armor().as_bytes()).unwrap();
        let registration = Registration { namespace: namespace(hostname), keys, source: None, source_url: None };
        register(store, &registration, self.now.parse().unwrap(), Rng::with_seed(1)).await.unwrap();
    }

    /// Gives up the key, or takes that back.
    pub(crate) async fn give_up(&self, given_up: GivenUp) {
        self.try_give_up(&self.store, given_up).await.unwrap();
    }

    pub(crate) async fn try_give_up(&self, store: &dyn Store, given_up: GivenUp) -> Result<ChangedKey, KeyringError> {
        let (namespace, now) = (namespace(HOST), self.now.parse().unwrap());
        let name = self.key.fingerprint().parse().unwrap();
        let retirement = match given_up {
            GivenUp::Retired => Retirement::Begin,
            GivenUp::Undone => Retirement::Undo,
            GivenUp::Revoked(policy) => {
                let revocation = Revocation { reason: "lost".parse().unwrap(), policy, certificate: None };
                return revoke(store, &namespace, &name, &revocation, now, Rng::with_seed(1)).await;
            }
        };
        retire(store, &namespace, &name, retirement, now, Rng::with_seed(1)).await
    }

    /// A directory in which the key is registered too.
    pub(crate) async fn open_directory(&self, path: &Path) -> Opened {
        let opened = Opened::dir(path.to_owned());
        self.register(&*opened.store).await;
        opened
    }

    /// Writes a release as a release tool leaves it, signed by the key.
    pub(crate) fn write(&self, release: &Release<'_>) -> TempDir {
        let mut made = releases::Release::new("dns", release.version, &self.key).protocols(release.protocols);
        for platform in release.platforms {
            let content = executable(platform, release.label);
            made = match release.executable {
                Some(name) => made.platform_named(platform, name, &content),
                None => made.platform(platform, &content),
            };
        }
        let directory = tempfile::tempdir().unwrap();
        made.signed_at(release.signed_at.parse().unwrap()).write(directory.path()).unwrap();
        directory
    }

    pub(crate) async fn try_publish(&self, store: &dyn Store, directory: &Path) -> Result<Ending, PublishError> {
        self.try_publish_on(store, directory, HOST).await
    }

    async fn try_publish_on(
        &self,
        store: &dyn Store,
        directory: &Path,
        hostname: &str,
    ) -> Result<Ending, PublishError> {
        let request = Request {
            directory: directory.to_owned(),
            manifest: None,
            namespace: namespace(hostname),
            origin: Origin::Own,
            now: self.now.parse().unwrap(),
            random: Rng::new(),
            watch: Arc::new(Blind),
        };
        publish(store, &request).await
    }

    pub(crate) async fn publish_directory(&self, store: &dyn Store, directory: &Path) -> Ending {
        self.try_publish(store, directory).await.unwrap()
    }

    /// Publishes under a hostname that may be another.
    pub(crate) async fn publish_on(&self, store: &dyn Store, directory: &Path, hostname: &str) -> Ending {
        self.try_publish_on(store, directory, hostname).await.unwrap()
    }

    /// Removes a version.
    pub(crate) async fn remove(&self, store: &dyn Store, version: &str) -> Result<Removed, LifeCycleError> {
        let removal = Removal {
            release: release(version),
            reason: "court order 7".parse().unwrap(),
            now: self.now.parse().unwrap(),
            random: Rng::new(),
        };
        remove(store, &removal).await
    }

    pub(crate) async fn publish(&self, release: &Release<'_>) -> Ending {
        self.publish_directory(&self.store, self.write(release).path()).await
    }

    /// What publishing `release` asks of storage, with digests numbered in the order of their appearance.
    pub(crate) async fn transcript(&self, release: &Release<'_>) -> String {
        let recorder = Faults::new(&self.store, |_, _| Fault::None);
        self.publish_directory(&recorder, self.write(release).path()).await;
        let lines: Vec<_> = recorder.operations().iter().map(ToString::to_string).collect();
        number_digests(&lines.join("\n"))
    }

    /// The listed versions.
    pub(crate) fn versions(&self) -> Vec<String> {
        let key = DocumentKey::Provider(provider()).object();
        let Some(bytes) = self.store.r2().remove(&key) else { return Vec::new() };
        let document = ProviderDocument::from_json(&bytes).unwrap();
        document.versions().map(|entry| entry.version.to_string()).collect()
    }
}
