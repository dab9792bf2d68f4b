//! `yuba show`.

mod oci;
mod provider;
mod release;

use clap::Args;
use jiff::Timestamp;
use yuba::address::{ProviderAddress, ReleaseAddress};
use yuba::document::{NamespaceDocument, ProviderDocument, ReleaseDocument, VersionEntry};
use yuba::keys::DocumentKey;
use yuba::version::Version;
use yuba_companion::documents::{self, AccessError};
use yuba_companion::life_cycle::LifeCycleError;
use yuba_companion::store::Store;

use super::address::TypedAddress;
use super::failure::{Exit, Failure};
use super::output::{print, print_json};
use super::place::Found;
use super::{Format, Place, Report, life_cycle};
use oci::Digests;
use provider::Provider;
use release::{Release, Site};

/// How many versions are shown to people unless they ask for more.
const SHORT: usize = 20;

/// Show a provider and its versions, or everything about one version
///
/// Versions are shown newest first, removed ones as what they are. With a VERSION: its packages with their sizes and
/// hashes, its signing key, where it is stored and where clients find it, with OCI distribution and what to paste to
/// install from there.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Show {
    /// The provider: NAMESPACE/TYPE, or HOSTNAME/NAMESPACE/TYPE
    #[arg(value_name = "ADDRESS")]
    address: TypedAddress,

    /// The version to show everything about
    #[arg(id = "release", value_name = "VERSION")]
    version: Option<Version>,

    /// Show at most this many versions [default: 20 as text, all as JSON]
    #[arg(long, value_name = "NUMBER", conflicts_with = "release")]
    limit: Option<usize>,

    #[command(flatten)]
    place: Place,

    #[command(flatten)]
    report: Report,
}

const EXAMPLES: &str = "\
Examples:
  yuba show acme/dns --target local
  yuba show acme/dns 1.0.0 --target local

  # the digests of a version's archives
  yuba show acme/dns 1.0.0 --target local --format json | jq -r '.packages[].zh'";

impl Show {
    pub(crate) async fn run(&self) -> Result<Exit, Failure> {
        let place = self.place.find()?;
        place.refuse_no_directory()?;
        let address = self.address.find(&place).await?;
        let own = place.own_hostname().await?.unwrap_or_else(|| address.hostname().clone());
        let host = place.served_host().await.unwrap_or_else(|| own.to_string());
        let opened = place.open().await?;
        let found = read(&*opened.store, &address, self.version.as_ref()).await;
        let found = match found {
            Ok(found) => Ok(found),
            Err(error) => Err(fail(&*opened.store, &place, error).await),
        };
        opened.close().await;
        let found = found?;
        let (target, now) = (place.target().to_string(), Timestamp::now());
        let printed = match &found.release {
            None => {
                let shown = Provider::new(target, &found, now);
                match self.report.format {
                    Format::Text => print(&shown.text(self.limit.unwrap_or(SHORT), now)),
                    Format::Json => print_json(&shown.limited(self.limit.unwrap_or(usize::MAX))),
                }
            }
            Some(release) => {
                let site = Site { host, is_own: own == *address.hostname(), sync: place.command("yuba sync") };
                let shown = Release::new(target, &found, release, &site, now);
                match self.report.format {
                    Format::Text => print(&shown.text(now)),
                    Format::Json => print_json(&shown),
                }
            }
        };
        printed.map_err(|error| error.after("nothing was written"))?;
        Ok(Exit::Done)
    }
}

/// What is shown.
struct Shown {
    provider: ProviderDocument,
    namespace: Option<NamespaceDocument>,
    release: Option<ShownRelease>,
}

/// A version that is shown, and its document unless it was removed.
struct ShownRelease {
    entry: VersionEntry,
    document: Option<ReleaseDocument>,
    /// What it has in OCI distribution, if it is listed there.
    digests: Option<Digests>,
}

/// Why something cannot be shown.
#[derive(Debug, thiserror::Error)]
enum ShowError {
    /// It is not there.
    #[error(transparent)]
    LifeCycle(#[from] LifeCycleError),
    /// Storage lost it.
    #[error("`{0}` is listed, but not there")]
    Missing(String),
}

impl From<AccessError> for ShowError {
    fn from(error: AccessError) -> Self {
        Self::LifeCycle(error.into())
    }
}

async fn read(store: &dyn Store, address: &ProviderAddress, version: Option<&Version>) -> Result<Shown, ShowError> {
    let provider: ProviderDocument = documents::read(store, &DocumentKey::Provider(address.clone()))
        .await?
        .ok_or_else(|| LifeCycleError::NoProvider(address.clone()))?;
    let namespace = documents::read(store, &DocumentKey::Namespace(address.namespace_address().clone())).await?;
    let release = match version {
        None => None,
        Some(version) => {
            let address = ReleaseAddress { provider: address.clone(), version: version.clone() };
            let entry = provider.find_entry(version).cloned();
            let entry = entry.ok_or_else(|| LifeCycleError::NoVersion(address.clone()))?;
            let document = read_release(store, address, &entry).await?;
            let digests = document.as_ref().map(|document| Digests::of(document, &entry)).transpose()?.flatten();
            Some(ShownRelease { entry, document, digests })
        }
    };
    Ok(Shown { provider, namespace, release })
}

async fn read_release(
    store: &dyn Store,
    address: ReleaseAddress,
    entry: &VersionEntry,
) -> Result<Option<ReleaseDocument>, ShowError> {
    if entry.is_removed() {
        return Ok(None);
    }
    let key = DocumentKey::Release(address, entry.release);
    let document = documents::read(store, &key).await?;
    document.map(Some).ok_or_else(|| ShowError::Missing(key.object()))
}

async fn fail(store: &dyn Store, place: &Found, error: ShowError) -> Failure {
    match error {
        ShowError::LifeCycle(LifeCycleError::Access(error)) => {
            Failure::failed(error, "nothing was written: run the same command again")
        }
        ShowError::LifeCycle(error) => life_cycle::fail(store, place, error).await,
        ShowError::Missing(_) => Failure::failed(
            error,
            format!("storage has lost it; see what else is amiss: {}", place.command("yuba fsck")),
        ),
    }
}
