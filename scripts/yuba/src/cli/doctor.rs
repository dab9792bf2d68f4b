//! `yuba doctor`.

mod report;

use clap::Args;
use jiff::Timestamp;
use url::{Position, Url};
use yuba::hostname::Hostname;
use yuba_companion::deployment::Configuration;
use yuba_companion::diagnosis::{self, Answer, Check, Finding, Outcome, Seen, UNKNOWN, Unanswered, Visitor, chain};
use yuba_companion::discovery;
use yuba_companion::state::State;
use yuba_companion::store::cloudflare::CredentialsError;
use yuba_companion::target::Target;

use super::failure::{Exit, Failure};
use super::place::Found;
use super::{Place, Report};
use report::Diagnosis;

/// Check a registry from its configuration to what clients see
///
/// Looks at wrangler.toml, the credentials, R2 and KV, the certificate, the discovery document as clients read it, the
/// Worker's health and hostname, this machine's clock, and how long the signing keys last. Every check is made, whatever
/// the others come to, and nothing is changed. Without `--target` and outside `scripts/dev` it is the deployed registry
/// that is checked, as far as that is possible without credentials.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Doctor {
    #[command(flatten)]
    place: Place,

    #[command(flatten)]
    report: Report,
}

const EXAMPLES: &str = "\
Examples:
  # after `npx wrangler deploy`
  yuba doctor

  # what scripts/dev serves
  yuba doctor --target local

  # every night: what has to be mended
  yuba doctor --format json | jq -r '.checks[] | select(.outcome == \"problem\") | .message'

Exit status: 0 no problem (there may be warnings), 1 a problem was found, 2 the checks could not be made.";

/// Where the registry answers, or why nobody can ask it.
type Address = Result<Url, Finding>;

/// The storage that was found, or why it was not; none, if none was asked for.
type Sought<'a> = Option<&'a Result<Found, Failure>>;

/// What is known before anything is asked.
#[derive(Default)]
struct Configured {
    findings: Vec<Finding>,
    /// The hostname that the registry is served on.
    served: Option<Hostname>,
    /// The hostname that is configured, be it a placeholder.
    named: Option<Hostname>,
}

impl Doctor {
    pub(crate) async fn run(&self) -> Result<Exit, Failure> {
        let now = Timestamp::now();
        // Without credentials, what the world sees can be looked at all the same.
        let (found, local) = match self.place.sought() {
            Some(Target::Local) => (Some(Ok(self.place.find()?)), true),
            Some(Target::Cloudflare) => (Some(self.place.find()), false),
            Some(Target::Dir(_)) => return Err(no_registry()),
            None => (None, false),
        };
        let mut configured = if local { Configured::default() } else { self.configuration()? };
        if let (true, Some(Ok(found))) = (local, &found) {
            configured.served = Some(found.hostname().await?.0);
        }
        let Configured { mut findings, served, named } = configured;
        let served = self.place.hostname.clone().or(served);
        let (storage, seen) = storage(found.as_ref(), served.as_ref().or(named.as_ref())).await;
        findings.extend(storage);
        let address = address(found.as_ref(), served.as_ref(), local).await;
        findings.extend(self.visit(&address, found.as_ref(), served.as_ref(), &seen).await?);
        findings.extend(keys(&seen, now));
        Diagnosis::new(address.ok().as_ref(), findings).finish(self.report.format)
    }

    /// What wrangler.toml says.
    fn configuration(&self) -> Result<Configured, Failure> {
        let Some(project) = self.place.project()? else {
            if self.place.hostname.is_none() {
                return Err(Failure::refused(
                    "the registry's hostname is not known",
                    "name it with `--hostname HOST`, or run this where `wrangler.toml` is here or above",
                ));
            }
            let findings = vec![Finding::skipped(Check::Configuration, "no wrangler.toml is here or above")];
            return Ok(Configured { findings, ..Configured::default() });
        };
        Ok(match Configuration::read(project.configuration()) {
            Ok(configuration) => {
                let (findings, domain) = diagnosis::judge_configuration(&configuration);
                let served = domain.map(|domain| domain.hostname().clone());
                let named = configuration.hostname().and_then(|hostname| hostname.parse().ok());
                Configured { findings, served, named }
            }
            Err(error) => {
                let hint = "mend the file, or start from the project's own: git checkout wrangler.toml";
                let findings = vec![Finding::problem(Check::Configuration, chain(&error), hint)];
                Configured { findings, ..Configured::default() }
            }
        })
    }

    /// What a client sees.
    async fn visit(
        &self,
        address: &Address,
        found: Sought<'_>,
        hostname: Option<&Hostname>,
        seen: &Seen,
    ) -> Result<Vec<Finding>, Failure> {
        let (url, hostname) = match (address, hostname) {
            (Ok(url), Some(hostname)) => (url, hostname),
            (Err(finding), _) => return Ok(unvisited(finding.clone())),
            (Ok(_), None) => return Ok(Vec::new()),
        };
        let state = found.and_then(|found| found.as_ref().ok()).and_then(Found::state);
        let authority = state.and_then(State::authority);
        let visitor = Visitor::new(authority.as_deref())
            .map_err(|error| Failure::failed(error, "check that this machine has TLS root certificates"))?;
        let discovery = ask(&visitor, url, discovery::PATH).await;
        let asked = Timestamp::now();
        let host = &url[Position::BeforeHost..Position::AfterPort];
        let answered = diagnosis::judge_visit(host, &discovery);
        let Ok(answer) = discovery else { return Ok(unvisited(answered)) };
        let mut findings = vec![answered];
        let (judged, service) = diagnosis::judge_discovery(&answer);
        findings.extend(judged);
        findings.push(match ask(&visitor, url, "/healthz").await {
            Ok(answer) => diagnosis::judge_health(&answer),
            Err(unanswered) => silent(Check::Health, "/healthz", &unanswered),
        });
        findings.extend(providers(&visitor, service.as_ref(), hostname, seen).await);
        findings.push(diagnosis::judge_clock(asked, answer.date));
        Ok(findings)
    }
}

/// Why nobody answers, and what therefore cannot be looked at.
fn unvisited(why: Finding) -> Vec<Finding> {
    let skipped = [Check::Discovery, Check::Health, Check::Providers, Check::Clock];
    let skipped = skipped.map(|check| Finding::skipped(check, "the registry cannot be asked"));
    [vec![why], skipped.to_vec()].concat()
}

async fn ask(visitor: &Visitor, base: &Url, path: &str) -> Result<Answer, Unanswered> {
    let url = base.join(path).map_err(|_| Unanswered::Location(path.to_owned()))?;
    visitor.ask(&url).await
}

fn silent(check: Check, what: &str, unanswered: &Unanswered) -> Finding {
    Finding::problem(
        check,
        format!("{what}: {unanswered}"),
        "try again; `npx wrangler tail` shows what the Worker says",
    )
}

/// Whether the Worker answers for the hostname's own providers, for one that is not there and for one that is.
async fn providers(visitor: &Visitor, service: Option<&Url>, hostname: &Hostname, seen: &Seen) -> Vec<Finding> {
    let Some(service) = service else {
        return vec![Finding::skipped(Check::Providers, "clients do not find the provider registry protocol")];
    };
    let ask = async |namespace: &str, r#type: &str| match diagnosis::versions_url(service, namespace, r#type) {
        Some(url) => visitor.ask(&url).await,
        None => Err(Unanswered::Location(service.to_string())),
    };
    let mut findings = vec![match ask(UNKNOWN.0, UNKNOWN.1).await {
        Ok(answer) => diagnosis::judge_hostname(&answer, hostname),
        Err(unanswered) => silent(Check::Providers, "an unknown provider", &unanswered),
    }];
    if let Some(listed) = &seen.listed {
        findings.push(match ask(listed.address.namespace().as_str(), listed.address.r#type().as_str()).await {
            Ok(answer) => diagnosis::judge_listing(&answer, listed),
            Err(unanswered) => silent(Check::Providers, &listed.address.to_string(), &unanswered),
        });
    }
    findings
}

/// What storage holds, and whether it can be used.
async fn storage(found: Sought<'_>, hostname: Option<&Hostname>) -> (Vec<Finding>, Seen) {
    let opened = match found {
        Some(Ok(found)) => found.open().await.map_err(|failure| problem(&failure)),
        Some(Err(failure)) => Err(problem(failure)),
        None => {
            let error = CredentialsError::NoToken;
            Err(Finding::warning(Check::Credentials, error.to_string(), error.hint()))
        }
    };
    let (opened, hostname) = match (opened, hostname) {
        (Ok(opened), Some(hostname)) => (opened, hostname),
        (opened, _) => {
            let skipped = [Check::R2, Check::Kv].map(|check| Finding::skipped(check, "there is no way to it"));
            return (opened.err().into_iter().chain(skipped).collect(), Seen::default());
        }
    };
    let (mut findings, seen) = diagnosis::look(&*opened.store, hostname).await;
    opened.close().await;
    if found.is_some_and(|found| matches!(found.as_ref().map(Found::target), Ok(Target::Cloudflare))) {
        findings.insert(0, Finding::ok(Check::Credentials, "Cloudflare accepts them"));
    }
    (findings, seen)
}

fn problem(failure: &Failure) -> Finding {
    Finding::problem(Check::Credentials, failure.message(), failure.hint())
}

/// Where the registry is to be asked.
async fn address(found: Sought<'_>, hostname: Option<&Hostname>, local: bool) -> Address {
    let host = match (found, hostname) {
        (Some(Ok(found)), _) if local => found.served_host().await.ok_or_else(|| {
            Finding::problem(Check::Https, "nothing is served on this machine", "start `scripts/dev` in the project")
        })?,
        (_, Some(hostname)) => hostname.to_string(),
        (_, None) => return Err(Finding::skipped(Check::Https, "no hostname is configured that clients could reach")),
    };
    let url = format!("https://{host}/").parse();
    url.map_err(|error| {
        Finding::problem(Check::Https, format!("{host}: {error}"), "name the host with `--hostname HOST`")
    })
}

fn keys(seen: &Seen, now: Timestamp) -> Vec<Finding> {
    if seen.namespaces.is_empty() {
        return vec![Finding::skipped(Check::Keys, "no namespace is known; the first `yuba key add` makes one")];
    }
    seen.namespaces.iter().flat_map(|namespace| diagnosis::judge_keys(namespace, now)).collect()
}

fn no_registry() -> Failure {
    Failure::refused(
        "a directory is served by nobody, so no client sees it",
        "check the deployed registry (no `--target`), or what `scripts/dev` serves (`--target local`)",
    )
}

/// The exit status that findings come to.
fn exit(worst: Outcome) -> Exit {
    match worst {
        Outcome::Ok | Outcome::Skipped | Outcome::Warning => Exit::Done,
        Outcome::Problem => Exit::Refused,
    }
}
