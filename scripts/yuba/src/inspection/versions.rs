//! The list of versions, judged as clients read it (registry protocol, "List Available Versions").

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use yuba::platform::Platform;
use yuba::version::Version;

use super::checks::versions::{
    VERSIONS_DOCUMENT, VERSIONS_EMPTY, VERSIONS_PLATFORMS, VERSIONS_PROTOCOLS, VERSIONS_SYNTAX, VERSIONS_TWICE,
};
use super::client_version::ClientVersion;
use crate::verify::finding::{Findings, quote};

#[derive(Deserialize)]
struct Document {
    versions: Option<Vec<Entry>>,
    warnings: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct Entry {
    version: String,
    protocols: Option<Vec<String>>,
    platforms: Option<Vec<OsArch>>,
}

#[derive(Deserialize)]
struct OsArch {
    os: String,
    arch: String,
}

/// A version as it is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListedVersion {
    /// The version.
    pub(crate) version: Version,
    /// The plugin protocols.
    pub(crate) protocols: BTreeSet<String>,
    /// What it runs on.
    pub(crate) platforms: BTreeSet<Platform>,
}

/// What is listed, as far as it can be inspected further.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Listed {
    /// The versions, in the list's order, each once.
    pub(crate) versions: Vec<ListedVersion>,
    /// What clients show to whoever installs the provider.
    pub(crate) warnings: Vec<String>,
}

/// Judges the list of the provider `subject`; nothing, if clients could not read it.
pub(crate) fn judge(body: &[u8], subject: &str, findings: &mut Findings) -> Option<Listed> {
    let document: Document = match serde_json::from_slice(body) {
        Ok(document) => document,
        Err(error) => {
            findings.add(&VERSIONS_DOCUMENT, subject, format!("the list of versions cannot be read: {error}"));
            return None;
        }
    };
    let entries = document.versions.unwrap_or_default();
    if entries.is_empty() {
        findings.add(&VERSIONS_EMPTY, subject, "the list of versions is empty");
    }
    find_twice(&entries, subject, findings);
    let mut listed = Listed { versions: Vec::new(), warnings: document.warnings.unwrap_or_default() };
    for entry in entries {
        let version: Version = match entry.version.parse() {
            Ok(version) => version,
            Err(error) => {
                findings.add(&VERSIONS_SYNTAX, subject, error);
                continue;
            }
        };
        if listed.versions.iter().any(|known| known.version == version) {
            continue;
        }
        let subject = format!("{subject} {version}");
        let platforms = judge_platforms(entry.platforms.unwrap_or_default(), &subject, findings);
        let protocols = judge_protocols(entry.protocols.unwrap_or_default(), &subject, findings);
        listed.versions.push(ListedVersion { version, protocols, platforms });
    }
    Some(listed)
}

fn find_twice(entries: &[Entry], subject: &str, findings: &mut Findings) {
    let mut first: BTreeMap<ClientVersion, &str> = BTreeMap::new();
    for Entry { version, .. } in entries {
        let Some(read) = ClientVersion::parse(version) else { continue };
        match first.get(&read) {
            Some(other) => {
                let message =
                    format!("lists {} and {}, which are one version to clients", quote(other), quote(version));
                findings.add(&VERSIONS_TWICE, subject, message);
            }
            None => drop(first.insert(read, version)),
        }
    }
}

fn judge_platforms(listed: Vec<OsArch>, subject: &str, findings: &mut Findings) -> BTreeSet<Platform> {
    let mut platforms = BTreeSet::new();
    if listed.is_empty() {
        findings.add(&VERSIONS_PLATFORMS, subject, "lists no platform");
    }
    for OsArch { os, arch } in listed {
        match format!("{os}_{arch}").parse::<Platform>() {
            Err(error) => findings.add(&VERSIONS_PLATFORMS, subject, error),
            Ok(platform) if platforms.contains(&platform) => {
                findings.add(&VERSIONS_PLATFORMS, subject, format!("lists platform `{platform}` twice"));
            }
            Ok(platform) => drop(platforms.insert(platform)),
        }
    }
    platforms
}

fn judge_protocols(listed: Vec<String>, subject: &str, findings: &mut Findings) -> BTreeSet<String> {
    if listed.is_empty() {
        findings.add(&VERSIONS_PROTOCOLS, subject, "lists no plugin protocol");
    }
    for protocol in &listed {
        if ClientVersion::parse(protocol).is_none() {
            findings.add(
                &VERSIONS_PROTOCOLS,
                subject,
                format!("lists protocol {}, which is no version", quote(protocol)),
            );
        }
    }
    listed.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::severity::Origin;

    fn read(body: &str) -> (Option<Listed>, Vec<String>) {
        let mut findings = Findings::new(Origin::Own);
        let listed = judge(body.as_bytes(), "acme/dns", &mut findings);
        (listed, findings.finish().iter().map(ToString::to_string).collect())
    }

    fn one(version: &str) -> String {
        let entry = |version: &str| {
            format!(r#"{{"version":"{version}","protocols":["6.0"],"platforms":[{{"os":"linux","arch":"amd64"}}]}}"#)
        };
        let entries: Vec<_> = version.split(' ').map(entry).collect();
        format!(r#"{{"versions":[{}],"warnings":["careful"],"id":"acme/dns"}}"#, entries.join(","))
    }

    #[test]
    fn a_sound_list_is_read_without_a_finding() {
        let (listed, findings) = read(&one("1.0.0 1.1.0-rc.1+7"));
        let listed = listed.unwrap();
        assert_eq!(
            listed.versions.iter().map(|it| it.version.to_string()).collect::<Vec<_>>(),
            ["1.0.0", "1.1.0-rc.1+7"]
        );
        assert_eq!(listed.warnings, ["careful"]);
        assert_eq!(findings, [""; 0]);
    }

    #[test]
    fn what_breaks_clients_is_found() {
        let cases = [
            ("[]", "YR008 acme/dns: the list of versions cannot be read: invalid length 0"),
            (r#"{"versions":[{}]}"#, "YR008 acme/dns: the list of versions cannot be read: missing field `version`"),
            (r#"{"versions":[],"warnings":[1]}"#, "YR008 acme/dns: the list of versions cannot be read: invalid type"),
            (r#"{"versions":null}"#, "YR009 acme/dns: the list of versions is empty"),
            (&one("v1.0.0"), "YR010 acme/dns: version `v1.0.0` is not canonical"),
            (&one("18446744073709551616.0.0"), "YR010 acme/dns: version `18446744073709551616.0.0` has a number over"),
            (&one("1.0.0 1.0.0"), "YR011 acme/dns: lists `1.0.0` and `1.0.0`, which are one version to clients"),
            (&one("1.0.0").replace("6.0", "six"), "YR012 acme/dns 1.0.0: lists protocol `six`, which is no version"),
            (&one("1.0.0").replace(r#""6.0""#, ""), "YR012 acme/dns 1.0.0: lists no plugin protocol"),
            (&one("1.0.0").replace("amd64", "amd_64"), "YR013 acme/dns 1.0.0: platform `linux_amd_64` is not OS_ARCH"),
            (r#"{"versions":[{"version":"1.0.0","protocols":["5"]}]}"#, "YR013 acme/dns 1.0.0: lists no platform"),
        ];
        for (body, finding) in cases {
            let (_, findings) = read(body);
            assert!(matches!(findings.as_slice(), [only] if only.starts_with(finding)), "{body}: {findings:?}");
        }
        let (_, findings) = read(&one("1.0.0 1.0"));
        assert_eq!(findings.len(), 2, "not canonical, and the same to clients: {findings:?}");
    }
}
