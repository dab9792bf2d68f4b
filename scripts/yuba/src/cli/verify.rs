//! `yuba verify`.

mod report;
mod state;

use std::path::PathBuf;

use clap::Args;
use fastrand::Rng;
use jiff::Timestamp;
use reqwest::Certificate;
use url::Url;
use yuba::address::ProviderAddress;
use yuba::document::{IndexDocument, NamespaceDocument, ProviderDocument, Visibility};
use yuba::hostname::Hostname;
use yuba::keys::DocumentKey;
use yuba_companion::documents::{self, AccessError};
use yuba_companion::inspection::registry_url::is_loopback;
use yuba_companion::inspection::{
    Archives, InspectError, Inspection, Query, RegistryUrl, Request, Unanswered, inspect,
};
use yuba_companion::store::Store;
use yuba_companion::tls;
use yuba_companion::verify::Severity;

use super::failure::{Exit, Failure};
use super::output::{quoted, say};
use super::{Format, Place, progress};
use report::Verification;

/// Check a live registry from the outside, as clients find it
///
/// Asks what a client asks, in a client's order: discovery, versions, each package, SHA256SUMS and its signature, every
/// archive down to its content, and the same through the network mirror and, where it is announced, as OCI repositories.
/// All that is wrong is reported at once. A run that was stopped goes on where it was: archives that were verified are
/// not downloaded again.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Verify {
    /// The registry, such as `https://registry.example`
    #[arg(value_name = "URL")]
    registry: RegistryUrl,

    /// The provider: NAMESPACE/TYPE, or HOSTNAME/NAMESPACE/TYPE of a mirrored one [default: every provider that the
    /// storage behind `--target` lists]
    #[arg(value_name = "ADDRESS")]
    address: Option<Query>,

    /// How many requests may be under way at a time
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=64))]
    jobs: u8,

    /// Check documents and signatures, but download no archive
    #[arg(long)]
    without_archives: bool,

    /// Where the network mirror is [default: URL/mirror/, where yuba has it]
    #[arg(long, value_name = "URL", value_parser = parse_mirror)]
    mirror: Option<Url>,

    /// Where it is written down which archives were verified [default: a file in the user's cache directory]
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,

    /// Forget what earlier runs verified, and start over
    #[arg(long)]
    fresh: bool,

    /// Trust the certificates in this PEM file, instead of those that this machine trusts [default: the file that the
    /// environment variable `SSL_CERT_FILE` names]
    #[arg(long, value_name = "FILE")]
    ca_certificate: Option<PathBuf>,

    #[command(flatten)]
    place: Place,

    #[command(flatten)]
    report: super::Report,
}

const EXAMPLES: &str = "\
Examples:
  # one provider, all its versions and platforms
  yuba verify https://registry.example acme/dns

  # a provider of another hostname, through the network mirror
  yuba verify https://registry.example mirrored.example/acme/dns

  # every provider that the storage lists, documents and signatures only
  yuba verify https://localhost:8443 --target local --without-archives

  # in a pipeline: one JSON document on standard output
  yuba verify https://registry.example acme/dns --format json | jq -r '.findings[] | .code + \" \" + .subject'

Exit status: 0 all is well (warnings allowed), 1 something is wrong, 2 something could not be checked.";

/// The environment variable by which OpenTofu and Terraform are told whom to trust (Go `crypto/x509`).
const CERTIFICATES_VARIABLE: &str = "SSL_CERT_FILE";

/// A mirror's URL, with the slash at its end that clients need.
fn parse_mirror(text: &str) -> Result<Url, String> {
    let url: Url = text.parse().map_err(|error| format!("`{text}` is no URL: {error}"))?;
    match url.scheme() {
        "http" if !is_loopback(&url) => Err(format!("`{text}` is not https://, and clients use no other mirror")),
        "https" | "http" if url.path().ends_with('/') => Ok(url),
        "https" | "http" => Err(format!("`{text}` does not end in `/`: clients would drop its last part")),
        _ => Err(format!("`{text}` is not https://, and clients use no other mirror")),
    }
}

impl Verify {
    pub(crate) async fn run(&self) -> Result<Exit, Failure> {
        let authorities = self.authorities()?;
        let (own, providers) = self.providers().await?;
        let archives = if self.without_archives { Archives::LeaveOut } else { Archives::Inspect };
        let ledger = match archives {
            Archives::Inspect => state::open(self.state.as_deref(), self.fresh, &self.registry, self.address.as_ref())?,
            Archives::LeaveOut => None,
        };
        let request = Request {
            registry: self.registry.clone(),
            mirror: Some(self.mirror.clone().unwrap_or_else(|| self.registry.mirror())),
            own,
            providers,
            archives,
            jobs: usize::from(self.jobs),
            authorities,
            ledger,
            now: Timestamp::now(),
            random: Rng::new(),
            progress: progress::archives("verifying"),
        };
        let inspection = inspect(&request).await.map_err(|error| fail(error, &self.registry))?;
        self.refuse_absent(&inspection)?;
        let verification = Verification::new(&self.registry, &inspection);
        let printed = match self.report.format {
            Format::Text => verification.print_text(),
            Format::Json => verification.print_json(),
        };
        printed.map_err(|error| error.after("the registry was checked all the same"))?;
        Ok(exit(&inspection))
    }

    fn authorities(&self) -> Result<Option<Vec<Certificate>>, Failure> {
        let set = || std::env::var_os(CERTIFICATES_VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
        let Some(path) = self.ca_certificate.clone().or_else(set) else { return Ok(None) };
        let hint = "`--ca-certificate` and SSL_CERT_FILE name a PEM file of certificates to trust";
        tls::read_authorities(&path).map(Some).map_err(|error| Failure::refused(error, hint))
    }

    /// The hostname of the registry's own providers, and which providers are meant.
    async fn providers(&self) -> Result<(Hostname, Vec<ProviderAddress>), Failure> {
        let Some(query) = &self.address else { return self.stored_providers().await };
        let own = self.place.hostname.clone().unwrap_or_else(|| self.registry.bare_hostname());
        let with_port = self.registry.hostname();
        let query = match query {
            // What clients call the provider; the registry itself knows no port.
            Query::Of(address) if address.hostname() == with_port => {
                Query::Own(address.namespace().clone(), address.r#type().clone())
            }
            other => other.clone(),
        };
        let address = query.address(&own).map_err(|error| Failure::refused(error, "check the address"))?;
        Ok((own, vec![address]))
    }

    /// Every provider with a version that storage lists and anybody may see.
    async fn stored_providers(&self) -> Result<(Hostname, Vec<ProviderAddress>), Failure> {
        let place = match self.place.find() {
            Err(_) if self.place.target.is_none() => return Err(no_address(&self.registry)),
            found => found?,
        };
        let (own, _) = place.hostname().await?;
        let opened = place.open().await?;
        let listed = list(&*opened.store).await;
        opened.close().await;
        let listed =
            listed.map_err(|error| Failure::failed(error, "nothing was checked: run the same command again"))?;
        if listed.is_empty() {
            return Err(Failure::refused(
                "the storage lists no public provider with a version",
                "publish one first, or name another storage with `--target`",
            ));
        }
        Ok((own, listed))
    }

    /// A provider that was typed and is not there is a mistake in what was typed.
    fn refuse_absent(&self, inspection: &Inspection) -> Result<(), Failure> {
        let absent = inspection.providers.iter().find(|provider| provider.absent);
        let (Some(absent), Some(_)) = (absent, &self.address) else { return Ok(()) };
        Err(Failure::refused(
            format!("{} has no provider `{}`", self.registry, absent.address),
            "check the spelling: NAMESPACE/TYPE is the registry's own, HOSTNAME/NAMESPACE/TYPE a mirrored one",
        ))
    }
}

async fn list(store: &dyn Store) -> Result<Vec<ProviderAddress>, AccessError> {
    let index: Option<IndexDocument> = documents::read(store, &DocumentKey::Index).await?;
    let mut listed = Vec::new();
    for address in index.iter().flat_map(IndexDocument::providers) {
        let namespace = DocumentKey::Namespace(address.namespace_address().clone());
        let namespace: Option<NamespaceDocument> = documents::read(store, &namespace).await?;
        let provider: Option<ProviderDocument> =
            documents::read(store, &DocumentKey::Provider(address.clone())).await?;
        let has_version = provider.is_some_and(|provider| provider.versions().next().is_some());
        let is_private = namespace.is_some_and(|namespace| namespace.visibility == Visibility::Private);
        if is_private {
            say(format_args!("left out: {address} is private, and nobody gets an answer"));
        } else if has_version {
            listed.push(address);
        }
    }
    Ok(listed)
}

/// Findings that refuse come first: they are known to be wrong, whatever else could not be looked at.
fn exit(inspection: &Inspection) -> Exit {
    let refused = inspection.findings.iter().any(|finding| finding.severity == Severity::Refuse);
    match (refused, inspection.unchecked.is_empty()) {
        (true, _) => Exit::Refused,
        (false, false) => Exit::Failed,
        (false, true) => Exit::Done,
    }
}

fn no_address(registry: &RegistryUrl) -> Failure {
    let url = registry.url().as_str();
    let url = quoted(url.strip_suffix('/').unwrap_or(url)).into_owned();
    Failure::refused(
        "no provider is named, and the registry protocol has no list of them",
        format!("name one (`yuba verify {url} NAMESPACE/TYPE`), or the storage that lists them (`--target TARGET`)"),
    )
}

fn fail(error: InspectError, registry: &RegistryUrl) -> Failure {
    let hint = match &error {
        InspectError::Client(_) => {
            "check the certificates of this machine, or name them with `--ca-certificate FILE`".to_owned()
        }
        InspectError::Unanswered(Unanswered::Transport { .. }) => format!(
            "nothing was checked: see whether `{}` resolves and answers from here, and whose certificate it has",
            registry.hostname()
        ),
        InspectError::Unanswered(_) => "nothing was checked: see what the registry logs (`wrangler tail`)".to_owned(),
        InspectError::Ledger(_) => {
            "name a file that can be written with `--state FILE`; what it holds is kept".to_owned()
        }
    };
    Failure::failed(error, hint)
}
