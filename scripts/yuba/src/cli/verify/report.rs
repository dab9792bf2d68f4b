//! What `yuba verify` says in the end.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use serde::Serialize;
use yuba::digest::{H1, Sha256Digest};
use yuba::platform::Platform;
use yuba::version::Version;
use yuba_companion::inspection::outcome::{InspectedProvider, Standing};
use yuba_companion::inspection::{Inspection, RegistryUrl};
use yuba_companion::verify::{Check, Finding, Severity};

use crate::cli::output::{PrintError, print, print_json, visible};

/// What became of a registry, a version or a platform, the worst last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Status {
    /// Everything holds.
    Sound,
    /// Something could not be checked.
    Unchecked,
    /// Something is wrong.
    Faulty,
}

/// How many archives came to what.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize)]
struct Counts {
    verified: usize,
    verified_before: usize,
    left_out: usize,
    faulty: usize,
    unchecked: usize,
}

/// A report, whose JSON form is what programs get.
#[derive(Debug, Serialize)]
pub(crate) struct Verification<'a> {
    status: Status,
    registry: String,
    providers_url: Option<&'a str>,
    archives: Counts,
    providers: Vec<Provider<'a>>,
    findings: Vec<Told<'a>>,
    unchecked: Vec<Unchecked<'a>>,
}

#[derive(Debug, Serialize)]
struct Provider<'a> {
    address: String,
    mirrored: bool,
    oci: bool,
    warnings: &'a [String],
    versions: Vec<VersionRow<'a>>,
}

#[derive(Debug, Serialize)]
struct VersionRow<'a> {
    version: &'a Version,
    platforms: BTreeMap<&'a Platform, PlatformRow<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
enum PlatformRow<'a> {
    Verified { zh: Sha256Digest, h1: H1, size: u64 },
    VerifiedBefore { zh: Sha256Digest, h1: H1, size: u64, at: &'a str },
    LeftOut,
    Faulty,
    Unchecked,
}

#[derive(Debug, Serialize)]
struct Told<'a> {
    code: &'static Check,
    severity: Severity,
    subject: &'a str,
    message: &'a str,
    hint: &'a str,
}

#[derive(Debug, Serialize)]
struct Unchecked<'a> {
    subject: &'a str,
    reason: &'a str,
}

impl Counts {
    fn of<'a>(standings: impl Iterator<Item = &'a Standing>) -> Self {
        let mut counts = Self::default();
        for standing in standings {
            *match standing {
                Standing::Verified(_) => &mut counts.verified,
                Standing::VerifiedBefore(..) => &mut counts.verified_before,
                Standing::LeftOut => &mut counts.left_out,
                Standing::Faulty => &mut counts.faulty,
                Standing::Unchecked => &mut counts.unchecked,
            } += 1;
        }
        counts
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.verified, "verified"),
            (self.verified_before, "verified before"),
            (self.left_out, "not downloaded"),
            (self.faulty, "faulty"),
            (self.unchecked, "unchecked"),
        ];
        let told: Vec<_> =
            parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
        f.write_str(if told.is_empty() { "none" } else { "" })?;
        f.write_str(&told.join(", "))
    }
}

impl<'a> Verification<'a> {
    /// The report of what `inspection` found about `registry`.
    pub(crate) fn new(registry: &RegistryUrl, inspection: &'a Inspection) -> Self {
        let refused = inspection.findings.iter().any(|finding| finding.severity == Severity::Refuse);
        let versions = inspection.providers.iter().flat_map(|provider| &provider.versions);
        Self {
            status: match (refused, inspection.unchecked.is_empty()) {
                (true, _) => Status::Faulty,
                (false, false) => Status::Unchecked,
                (false, true) => Status::Sound,
            },
            registry: registry.to_string(),
            providers_url: inspection.registry.as_ref().map(url::Url::as_str),
            archives: Counts::of(versions.flat_map(|version| version.platforms.values())),
            providers: inspection.providers.iter().map(show).collect(),
            findings: inspection.findings.iter().map(tell).collect(),
            unchecked: inspection
                .unchecked
                .iter()
                .map(|unchecked| Unchecked { subject: &unchecked.subject, reason: &unchecked.reason })
                .collect(),
        }
    }

    pub(crate) fn print_json(&self) -> Result<(), PrintError> {
        print_json(self)
    }

    /// The whole report goes to standard output: it is what was asked for.
    pub(crate) fn print_text(&self) -> Result<(), PrintError> {
        let mut text = String::new();
        // Writing to a String cannot fail.
        let _ = self.write(&mut text);
        print(&visible(&text))
    }

    fn write(&self, text: &mut String) -> fmt::Result {
        for provider in &self.providers {
            provider.write(text)?;
        }
        for Told { code, severity, subject, message, hint } in &self.findings {
            let word = match severity {
                Severity::Refuse => "wrong",
                Severity::Warn => "warning",
            };
            writeln!(text, "{word}: {} {subject}: {message}\n  hint: {hint}", code.code)?;
        }
        for Unchecked { subject, reason } in &self.unchecked {
            writeln!(text, "unchecked: {subject}: {reason}")?;
        }
        if !self.findings.is_empty() || !self.unchecked.is_empty() {
            writeln!(text)?;
        }
        let status = match self.status {
            Status::Sound => "sound",
            Status::Unchecked => "not all checked",
            Status::Faulty => "faulty",
        };
        writeln!(text, "{status}: {} (archives: {})", self.registry, self.archives)?;
        if !self.unchecked.is_empty() {
            writeln!(text, "Run the same command again to check what could not be checked.")?;
        }
        if self.archives.verified_before > 0 {
            writeln!(text, "Those verified before were not downloaded again; `--fresh` starts over.")?;
        }
        Ok(())
    }
}

impl Provider<'_> {
    fn write(&self, text: &mut String) -> fmt::Result {
        writeln!(text, "{}{}", self.address, if self.mirrored { "" } else { " (not in the mirror)" })?;
        let width = self.versions.iter().map(|row| row.version.to_string().len()).max().unwrap_or_default();
        for VersionRow { version, platforms } in &self.versions {
            for (index, (platform, row)) in platforms.iter().enumerate() {
                let version = if index == 0 { version.to_string() } else { String::new() };
                writeln!(text, "  {version:<width$}  {:<15}  {row}", platform.to_string())?;
            }
            if platforms.is_empty() {
                writeln!(text, "  {version:<width$}  no platform")?;
            }
        }
        for warning in self.warnings {
            writeln!(text, "  clients are told: {}", warning.replace('\n', " "))?;
        }
        writeln!(text)
    }
}

impl fmt::Display for PlatformRow<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Verified { size, .. } => write!(f, "verified ({size} bytes)"),
            Self::VerifiedBefore { size, at, .. } => write!(f, "verified before, on {at} ({size} bytes)"),
            Self::LeftOut => f.write_str("not downloaded"),
            Self::Faulty => f.write_str("faulty"),
            Self::Unchecked => f.write_str("unchecked"),
        }
    }
}

fn show(provider: &InspectedProvider) -> Provider<'_> {
    let InspectedProvider { address, mirrored, oci, warnings, versions, .. } = provider;
    let row = |standing| match standing {
        &Standing::Verified(facts) => PlatformRow::Verified { zh: facts.zh, h1: facts.h1, size: facts.size },
        Standing::VerifiedBefore(facts, at) => {
            PlatformRow::VerifiedBefore { zh: facts.zh, h1: facts.h1, size: facts.size, at }
        }
        Standing::LeftOut => PlatformRow::LeftOut,
        Standing::Faulty => PlatformRow::Faulty,
        Standing::Unchecked => PlatformRow::Unchecked,
    };
    Provider {
        address: address.to_string(),
        mirrored: *mirrored,
        oci: *oci,
        warnings,
        versions: versions
            .iter()
            .map(|inspected| VersionRow {
                version: &inspected.version,
                platforms: inspected.platforms.iter().map(|(platform, standing)| (platform, row(standing))).collect(),
            })
            .collect(),
    }
}

fn tell(finding: &Finding) -> Told<'_> {
    let Finding { check, severity, subject, message, hint } = finding;
    Told { code: check, severity: *severity, subject, message, hint }
}
