//! Inspection: a live registry as clients find it, from the outside.
//!
//! It asks what a client asks, in a client's order: discovery, the versions, each package's document, SHA256SUMS and its
//! signature, the archive; and the mirror's documents and OCI manifests beside them. What is wrong is judged by pure
//! functions, in the words of two tables: [`checks`] for what a registry answers, and verification's for what a release
//! holds.

pub mod checks;
pub mod document;
pub mod ledger;
pub mod outcome;
pub mod query;
pub mod registry_url;

mod agreement;
mod archive;
mod client_version;
mod http;
mod mirror;
mod oci;
mod package;
mod provider;
mod release;
mod signed;
mod versions;

use std::sync::Arc;

use fastrand::Rng;
use jiff::Timestamp;
use reqwest::Certificate;
use url::Url;
use yuba::address::ProviderAddress;
use yuba::hostname::Hostname;
use yuba::repository::RepositoryTemplate;

pub use http::Unanswered;
pub use ledger::{Ledger, LedgerError};
pub use outcome::Inspection;
pub use query::Query;
pub use registry_url::RegistryUrl;

use crate::discovery::{self, DiscoveryDefect};
use crate::verify::check::Check;
use crate::verify::finding::{Findings, quote};
use crate::verify::{Origin, Progress};
use checks::discovery::{
    DISCOVERY_DOCUMENT, DISCOVERY_OCI, DISCOVERY_SERVICE, DISCOVERY_SLASH, DISCOVERY_STATUS, DISCOVERY_TYPE,
    DISCOVERY_URL,
};
use http::Http;

/// Whether archives are downloaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Archives {
    /// All that no earlier run verified.
    Inspect,
    /// None.
    LeaveOut,
}

/// What is inspected, and how.
pub struct Request {
    /// The registry.
    pub registry: RegistryUrl,
    /// Where its network mirror is; nothing, if it is not to be inspected.
    pub mirror: Option<Url>,
    /// The hostname of the registry's own providers, as the mirror knows them.
    pub own: Hostname,
    /// Which providers.
    pub providers: Vec<ProviderAddress>,
    /// Whether archives are downloaded.
    pub archives: Archives,
    /// How many requests may be under way at a time.
    pub jobs: usize,
    /// Which certificates are trusted instead of this machine's.
    pub authorities: Option<Vec<Certificate>>,
    /// What earlier runs verified, and where this one writes it down.
    pub ledger: Option<Ledger>,
    /// The time to judge by.
    pub now: Timestamp,
    /// What spreads the waits before another try.
    pub random: Rng,
    /// Who watches the archives.
    pub progress: Arc<dyn Progress + Send + Sync>,
}

/// Why nothing could be inspected.
#[derive(Debug, thiserror::Error)]
pub enum InspectError {
    /// There is no HTTP client.
    #[error("cannot make an HTTP client")]
    Client(#[source] reqwest::Error),
    /// The registry does not answer at all.
    #[error(transparent)]
    Unanswered(#[from] Unanswered),
    /// What was verified cannot be written down.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

/// What the whole inspection shares.
struct Scene<'a> {
    request: &'a Request,
    http: Http,
    /// The registry's OCI repositories, if it announces its own.
    repositories: Option<RepositoryTemplate>,
}

/// Inspects what `request` names.
///
/// # Errors
/// [`InspectError`] if the registry's discovery does not answer, or what was verified cannot be written down. That
/// something else does not answer is a part of the inspection.
pub async fn inspect(request: &Request) -> Result<Inspection, InspectError> {
    let http = Http::new(request.jobs, request.authorities.clone(), request.random.clone());
    let mut scene = Scene { request, http: http.map_err(InspectError::Client)?, repositories: None };
    let mut findings = Findings::new(Origin::Own);
    let registry = scene.discover(&mut findings).await?;
    let mut inspection =
        Inspection { registry: registry.clone(), findings: findings.finish(), ..Inspection::default() };
    for address in &request.providers {
        let is_own = *address.hostname() == request.own;
        let inspected = match (is_own, &registry) {
            (true, Some(registry)) => scene.own_provider(registry, address).await?,
            // What is wrong is found already: no client gets further.
            (true, None) => continue,
            (false, _) => scene.mirrored_provider(address).await?,
        };
        inspection.providers.push(inspected.provider);
        inspection.findings.extend(inspected.findings.finish());
        inspection.unchecked.extend(inspected.unchecked);
    }
    inspection.unchecked.sort();
    Ok(inspection)
}

impl Scene<'_> {
    /// Where the registry protocol is; and where the OCI repositories are, which the scene keeps.
    async fn discover(&mut self, findings: &mut Findings) -> Result<Option<Url>, Unanswered> {
        let mut url = self.request.registry.url().clone();
        url.set_path(discovery::PATH);
        let answer = self.http.read(&url, Some("application/json")).await?;
        let discovered = discovery::judge(&discovery::Answer {
            status: answer.status,
            content_type: answer.content_type.as_deref(),
            url: &answer.url,
            body: &answer.body,
        });
        for defect in &discovered.defects {
            findings.add(check_of(defect), url.as_str(), defect);
        }
        self.repositories =
            discovered.repositories.filter(|repositories| oci::is_of(repositories, &self.request.registry));
        Ok(discovered.registry)
    }
}

fn check_of(defect: &DiscoveryDefect) -> &'static Check {
    match defect {
        DiscoveryDefect::NoServices | DiscoveryDefect::Status(_) => &DISCOVERY_STATUS,
        DiscoveryDefect::ContentType(_) => &DISCOVERY_TYPE,
        DiscoveryDefect::TooLong | DiscoveryDefect::Json(_) => &DISCOVERY_DOCUMENT,
        DiscoveryDefect::NoRegistry | DiscoveryDefect::NotText => &DISCOVERY_SERVICE,
        DiscoveryDefect::Url(_) => &DISCOVERY_URL,
        DiscoveryDefect::NoSlash(_) => &DISCOVERY_SLASH,
        DiscoveryDefect::RepositoriesNotText | DiscoveryDefect::Repositories(_) => &DISCOVERY_OCI,
    }
}

/// What a document answers instead of itself: its status, and what it says.
fn refusal(url: &Url, status: u16, body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let said = if text.trim().is_empty() { String::new() } else { format!(": {}", quote(text.trim())) };
    format!("`{url}` is answered with {status}{said}")
}
