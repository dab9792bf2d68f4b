//! What `yuba publish` says in the end.

use std::fmt::Write as _;

use serde::Serialize;
use yuba::address::ReleaseAddress;
use yuba::document::ReleaseDocument;
use yuba::platform::Platform;
use yuba_companion::publish::{Ending, Reason, Refusal, Write};
use yuba_companion::target::Target;
use yuba_companion::verify::{Check, Finding, Severity};

use crate::cli::finding::word;
use crate::cli::output::{PrintError, print, print_json, say, say_matter, visible};
use crate::cli::plan;

/// Where clients reach what was published.
#[derive(Debug)]
pub(crate) enum Reach {
    /// Where its address says.
    Hostname,
    /// At this host and port.
    Host(String),
    /// Nowhere: nobody serves it.
    Nowhere,
}

/// What became of the release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Status {
    /// It is listed now.
    Published,
    /// It was listed before.
    Unchanged,
    /// It is not taken.
    Refused,
    /// It would be listed.
    DryRun,
}

/// A report, whose JSON form is what programs get.
#[derive(Debug, Serialize)]
pub(crate) struct Publishing<'a> {
    status: Status,
    target: String,
    address: Option<String>,
    version: Option<String>,
    platforms: Vec<&'a Platform>,
    findings: Vec<Told<'a>>,
    /// Every storage key that matters to the release: `exists` was there, `create` and `swap` were (or would be) written.
    writes: &'a [Write],
    refusal: Option<Why>,
    #[serde(skip)]
    reach: Reach,
    #[serde(skip)]
    release: Option<&'a ReleaseAddress>,
}

/// A finding whose hint names the commands as they are to be typed here.
#[derive(Debug, Serialize)]
struct Told<'a> {
    code: &'static Check,
    severity: Severity,
    subject: &'a str,
    message: &'a str,
    hint: String,
}

/// How the hints of the verification table name the command that registers a key, the longest first.
const KEY_ADD: [&str; 2] = ["`yuba key add --namespace NAME KEY.asc`", "`yuba key add`"];

impl<'a> Told<'a> {
    fn new(finding: &'a Finding, key_add: &str) -> Self {
        let Finding { check, severity, subject, message, hint } = finding;
        let named = KEY_ADD.into_iter().find(|named| hint.contains(named));
        let hint = named.map_or_else(|| (*hint).to_owned(), |named| hint.replace(named, &format!("`{key_add}`")));
        Self { code: check, severity: *severity, subject, message, hint }
    }
}

/// Why a release is refused.
#[derive(Debug, Serialize)]
struct Why {
    message: String,
    differences: Vec<String>,
    hint: String,
}

impl Why {
    fn new(refusal: &Refusal, key_add: &str) -> Self {
        let differences = match &refusal.reason {
            Reason::OtherContent(_, differences) => differences.iter().map(ToString::to_string).collect(),
            Reason::NoNamespace(_) | Reason::Findings(_) | Reason::Address(_) | Reason::Removed(_) => Vec::new(),
        };
        let message = match &refusal.reason {
            Reason::Address(error) => format!("{}: {error}", refusal.reason),
            reason => reason.to_string(),
        };
        Self { message, differences, hint: refusal.reason.hint(key_add) }
    }
}

impl<'a> Publishing<'a> {
    /// The report of `ending`. `key_add` is the command that registers a key where the release should go.
    pub(crate) fn new(ending: &'a Ending, target: &Target, dry_run: bool, reach: Reach, key_add: &str) -> Self {
        let (status, release, document, findings, writes, refusal) = match ending {
            Ending::Refused(refusal) => (
                Status::Refused,
                refusal.address.as_ref(),
                None,
                &refusal.findings,
                &[][..],
                Some(Why::new(refusal, key_add)),
            ),
            Ending::Published(publication) => {
                let status = match (dry_run, publication.listed_before) {
                    (true, _) => Status::DryRun,
                    (false, true) => Status::Unchanged,
                    (false, false) => Status::Published,
                };
                let (address, document) = (&publication.address, &publication.document);
                (status, Some(address), Some(document), &publication.findings, publication.writes.as_slice(), None)
            }
        };
        Self {
            status,
            target: target.to_string(),
            address: release.map(|release| release.provider.to_string()),
            version: release.map(|release| release.version.to_string()),
            platforms: document
                .map(|document: &ReleaseDocument| document.packages.keys().collect())
                .unwrap_or_default(),
            findings: findings.iter().map(|finding| Told::new(finding, key_add)).collect(),
            writes,
            refusal,
            reach,
            release,
        }
    }

    pub(crate) fn print_json(&self) -> Result<(), PrintError> {
        print_json(self)
    }

    /// Findings and refusals go to standard error, what was published to standard output.
    pub(crate) fn print_text(&self) -> Result<(), PrintError> {
        for Told { code, severity, subject, message, hint } in &self.findings {
            say_matter(word(*severity), &format!("{} {subject}: {message}", code.code), hint);
        }
        if let Some(why) = &self.refusal {
            say(format_args!("error: {}", visible(&why.message)));
            for difference in &why.differences {
                say(format_args!("  {}", visible(difference)));
            }
            say(format_args!("hint: {}", visible(&why.hint)));
        }
        let Some(release) = self.release.filter(|_| self.refusal.is_none()) else { return Ok(()) };
        let ReleaseAddress { provider, version } = release;
        let mut text = String::new();
        // Writing to a String cannot fail.
        let _ = match self.status {
            Status::DryRun => self.write_plan(&mut text, release),
            Status::Unchanged => writeln!(text, "unchanged: {provider} {version} is published already"),
            Status::Published | Status::Refused => self.write_published(&mut text, release),
        };
        print(&text)
    }

    fn write_plan(&self, text: &mut String, release: &ReleaseAddress) -> std::fmt::Result {
        text.push_str(&plan::render(self.writes));
        let ReleaseAddress { provider, version } = release;
        writeln!(text, "\ndry run: {provider} {version} can be published; nothing was written")
    }

    fn write_published(&self, text: &mut String, release: &ReleaseAddress) -> std::fmt::Result {
        let ReleaseAddress { provider, version } = release;
        let platforms: Vec<_> = self.platforms.iter().map(ToString::to_string).collect();
        writeln!(text, "published: {provider} {version} ({})", platforms.join(", "))?;
        let host = match &self.reach {
            Reach::Hostname => provider.hostname().as_str(),
            Reach::Host(host) => host,
            Reach::Nowhere => {
                return writeln!(text, "\nStart `scripts/dev` to serve it; it prints the source address.");
            }
        };
        let name = provider.r#type().as_str();
        // A local name must start with a letter.
        let name = if name.starts_with(char::is_alphabetic) { name.to_owned() } else { format!("provider-{name}") };
        let source = format!("{host}/{}/{}", provider.namespace(), provider.r#type());
        writeln!(
            text,
            "\nUse it with OpenTofu or Terraform:\n\n\
             terraform {{\n  required_providers {{\n    {name} = {{\n      source  = \"{source}\"\n      \
             version = \"{version}\"\n    }}\n  }}\n}}"
        )
    }
}

#[cfg(test)]
mod tests {
    use yuba::address::ProviderAddress;

    use super::*;

    #[test]
    fn what_nobody_serves_has_no_source_yet() {
        let written = |reach| {
            let provider: ProviderAddress = "localhost/acme/dns".parse().unwrap();
            let release = ReleaseAddress { provider, version: "1.0.0".parse().unwrap() };
            let publishing = Publishing {
                status: Status::Published,
                target: "local".to_owned(),
                address: None,
                version: None,
                platforms: Vec::new(),
                findings: Vec::new(),
                writes: &[],
                refusal: None,
                reach,
                release: None,
            };
            let mut text = String::new();
            publishing.write_published(&mut text, &release).unwrap();
            text
        };
        let nowhere = written(Reach::Nowhere);
        assert!(nowhere.ends_with("\n\nStart `scripts/dev` to serve it; it prints the source address.\n"), "{nowhere}");
        let host = written(Reach::Host("localhost:8443".to_owned()));
        assert!(host.contains("source  = \"localhost:8443/acme/dns\""), "{host}");
        assert!(written(Reach::Hostname).contains("source  = \"localhost/acme/dns\""));
    }
}
