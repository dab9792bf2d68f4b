//! The network mirror's documents, judged as clients read them and held against what the registry says.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;
use url::Url;
use yuba::digest::{H1, Sha256Digest};
use yuba::platform::Platform;
use yuba::version::Version;

use super::checks::mirror::{MIRROR_DOCUMENT, MIRROR_HASHES, MIRROR_PLATFORMS, MIRROR_URL, MIRROR_VERSIONS};
use super::package::read_hashes;
use crate::discovery::resolve;
use crate::verify::finding::{Findings, quote};

#[derive(Deserialize)]
struct Index {
    versions: Option<BTreeMap<String, Value>>,
}

#[derive(Deserialize)]
struct Document {
    archives: Option<BTreeMap<String, Entry>>,
}

#[derive(Deserialize)]
struct Entry {
    url: Option<String>,
    hashes: Option<Vec<String>>,
}

/// An archive as the mirror describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MirrorArchive {
    /// Where it is.
    pub(crate) url: Url,
    /// Its SHA-256.
    pub(crate) zh: Sha256Digest,
    /// The hash of its content.
    pub(crate) h1: Option<H1>,
}

/// The archives of a version.
#[derive(Debug, Default)]
pub(crate) struct MirrorArchives {
    /// The platforms that are named, whatever is said of them.
    pub(crate) named: BTreeSet<Platform>,
    /// Those of which enough is said.
    pub(crate) archives: BTreeMap<Platform, MirrorArchive>,
}

/// Judges `index.json`: the versions it names.
pub(crate) fn judge_index(body: &[u8], subject: &str, findings: &mut Findings) -> Option<BTreeSet<Version>> {
    let index: Index = match serde_json::from_slice(body) {
        Ok(index) => index,
        Err(error) => {
            findings.add(&MIRROR_DOCUMENT, subject, format!("the mirror's `index.json` cannot be read: {error}"));
            return None;
        }
    };
    let mut versions = BTreeSet::new();
    for name in index.versions.unwrap_or_default().into_keys() {
        match name.parse::<Version>() {
            Ok(version) => drop(versions.insert(version)),
            Err(error) => findings.add(&MIRROR_VERSIONS, subject, format!("the mirror's {error}")),
        }
    }
    Some(versions)
}

/// Compares the mirror's versions with those that the registry lists.
pub(crate) fn compare_versions(
    mirrored: &BTreeSet<Version>,
    listed: &BTreeSet<Version>,
    subject: &str,
    findings: &mut Findings,
) {
    for version in listed.difference(mirrored) {
        findings.add(&MIRROR_VERSIONS, subject, format!("the mirror lacks version `{version}`"));
    }
    for version in mirrored.difference(listed) {
        findings.add(&MIRROR_VERSIONS, subject, format!("only the mirror has version `{version}`"));
    }
}

/// Whether `body` is what a client needs to hear of a version that is not there.
pub(crate) fn is_no_archives(body: &[u8]) -> bool {
    serde_json::from_slice::<Document>(body).is_ok_and(|document| document.archives.unwrap_or_default().is_empty())
}

/// Judges the document of one version from `base`: its archives.
pub(crate) fn judge_archives(
    body: &[u8],
    base: &Url,
    subject: &str,
    findings: &mut Findings,
) -> Option<MirrorArchives> {
    let document: Document = match serde_json::from_slice(body) {
        Ok(document) => document,
        Err(error) => {
            findings.add(&MIRROR_DOCUMENT, subject, format!("the mirror's archives cannot be read: {error}"));
            return None;
        }
    };
    let mut read = MirrorArchives::default();
    for (name, Entry { url, hashes }) in document.archives.unwrap_or_default() {
        let platform: Platform = match name.parse() {
            Ok(platform) => platform,
            Err(error) => {
                findings.add(&MIRROR_PLATFORMS, subject, format!("the mirror's {error}"));
                continue;
            }
        };
        read.named.insert(platform.clone());
        let subject = format!("{subject} {platform}");
        let text = url.unwrap_or_default();
        let url = resolve(base, &text).filter(|_| !text.is_empty());
        if url.is_none() {
            let message = format!("the mirror's URL is {}, which is no http or https one", quote(&text));
            findings.add(&MIRROR_URL, &subject, message);
        }
        match read_hashes(&hashes.unwrap_or_default()) {
            Ok((Some(zh), h1)) => {
                if h1.is_none() {
                    findings.add(&MIRROR_HASHES, &subject, "the mirror states no `h1:` hash");
                }
                if let Some(url) = url {
                    read.archives.insert(platform, MirrorArchive { url, zh, h1 });
                }
            }
            Ok((None, _)) => findings.add(&MIRROR_HASHES, &subject, "the mirror states no `zh:` hash"),
            Err(what) => findings.add(&MIRROR_HASHES, &subject, format!("the mirror has {what}")),
        }
    }
    Some(read)
}
