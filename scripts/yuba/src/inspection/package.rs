//! The document of one package, judged as clients read it and in their order (registry protocol, "Find a Provider
//! Package"; `OpenTofu`'s `packages`).

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use url::Url;
use yuba::digest::{H1, Sha256Digest};
use yuba::platform::Platform;

use super::checks::package::{
    PACKAGE_DIGEST, PACKAGE_DOCUMENT, PACKAGE_HASHES, PACKAGE_KEYS, PACKAGE_PLATFORM, PACKAGE_PROTOCOLS, PACKAGE_URL,
};
use super::client_version::ClientVersion;
use crate::discovery::resolve;
use crate::openpgp::SigningKey;
use crate::verify::finding::{Findings, quote};

#[derive(Deserialize)]
struct Document {
    protocols: Option<Vec<String>>,
    os: Option<String>,
    arch: Option<String>,
    filename: Option<String>,
    download_url: Option<String>,
    shasums_url: Option<String>,
    shasums_signature_url: Option<String>,
    shasum: Option<String>,
    signing_keys: Option<SigningKeys>,
    packages: Option<BTreeMap<String, Hashes>>,
}

#[derive(Deserialize)]
struct SigningKeys {
    gpg_public_keys: Option<Vec<GpgPublicKey>>,
}

#[derive(Deserialize)]
struct GpgPublicKey {
    ascii_armor: Option<String>,
}

#[derive(Deserialize)]
struct Hashes {
    hashes: Option<Vec<String>>,
    package_size: Option<u64>,
}

/// What a document says of a package of its version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stated {
    /// The SHA-256 of the archive.
    pub(crate) zh: Sha256Digest,
    /// The hash of its content.
    pub(crate) h1: Option<H1>,
    /// Its size.
    pub(crate) size: u64,
}

/// A package as its document describes it.
#[derive(Debug, Clone)]
pub(crate) struct Package {
    /// The plugin protocols.
    pub(crate) protocols: BTreeSet<String>,
    /// The archive's name in SHA256SUMS.
    pub(crate) filename: String,
    /// Where the archive is.
    pub(crate) url: Url,
    /// Where SHA256SUMS is.
    pub(crate) sums: Url,
    /// Where its signature is.
    pub(crate) signature: Url,
    /// The SHA-256 of the archive.
    pub(crate) zh: Sha256Digest,
    /// The armor of the keys that clients may trust.
    pub(crate) armors: Vec<String>,
    /// Those keys.
    pub(crate) keys: Vec<SigningKey>,
    /// What is said of the packages of all platforms.
    pub(crate) stated: BTreeMap<Platform, Stated>,
}

/// Judges the document from `base` about `platform`; nothing, if clients get no package out of it.
pub(crate) fn judge(
    body: &[u8],
    base: &Url,
    platform: &Platform,
    subject: &str,
    findings: &mut Findings,
) -> Option<Package> {
    let document: Document = match serde_json::from_slice(body) {
        Ok(document) => document,
        Err(error) => {
            findings.add(&PACKAGE_DOCUMENT, subject, format!("the package's document cannot be read: {error}"));
            return None;
        }
    };
    let protocols = judge_protocols(document.protocols.unwrap_or_default(), subject, findings);
    let (os, arch) = (document.os.unwrap_or_default(), document.arch.unwrap_or_default());
    if os != platform.os() || arch != platform.arch() {
        findings.add(&PACKAGE_PLATFORM, subject, format!("the document is about {}", quote(&format!("{os}_{arch}"))));
    }
    let mut url = |name: &str, text: Option<String>| judge_url(name, text, base, subject, findings);
    let urls = (
        url("download_url", document.download_url),
        url("shasums_url", document.shasums_url),
        url("shasums_signature_url", document.shasums_signature_url),
    );
    let stated = judge_packages(document.packages.unwrap_or_default(), platform, subject, findings);
    let shasum = document.shasum.unwrap_or_default();
    let zh = shasum.parse().map_err(|error| findings.add(&PACKAGE_DIGEST, subject, format!("`shasum`: {error}"))).ok();
    let keys = document.signing_keys.and_then(|keys| keys.gpg_public_keys).unwrap_or_default();
    let armors: Vec<_> = keys.into_iter().map(|key| key.ascii_armor.unwrap_or_default()).collect();
    let keys = judge_keys(&armors, subject, findings);
    let (Some(url), Some(sums), Some(signature)) = urls else { return None };
    let filename = document.filename.unwrap_or_default();
    Some(Package { protocols, filename, url, sums, signature, zh: zh?, armors, keys, stated })
}

fn judge_protocols(protocols: Vec<String>, subject: &str, findings: &mut Findings) -> BTreeSet<String> {
    let mut accepted = protocols.is_empty();
    for protocol in &protocols {
        if let Some(version) = ClientVersion::parse(protocol) {
            accepted |= version.is_accepted_protocol();
        } else {
            // One finding says it all: clients stop here.
            accepted = true;
            findings.add(&PACKAGE_PROTOCOLS, subject, format!("protocol {} is no version", quote(protocol)));
        }
    }
    if !accepted {
        let all = quote(&protocols.join(", "));
        findings.add(&PACKAGE_PROTOCOLS, subject, format!("clients speak none of the protocols {all}"));
    }
    protocols.into_iter().collect()
}

fn judge_url(name: &str, text: Option<String>, base: &Url, subject: &str, findings: &mut Findings) -> Option<Url> {
    let Some(text) = text.filter(|text| !text.is_empty()) else {
        findings.add(&PACKAGE_URL, subject, format!("there is no `{name}`"));
        return None;
    };
    let url = resolve(base, &text);
    if url.is_none() {
        findings.add(&PACKAGE_URL, subject, format!("`{name}` is {}, which is no http or https URL", quote(&text)));
    }
    url
}

fn judge_packages(
    packages: BTreeMap<String, Hashes>,
    platform: &Platform,
    subject: &str,
    findings: &mut Findings,
) -> BTreeMap<Platform, Stated> {
    let mut wrong = |what: String| findings.add(&PACKAGE_HASHES, subject, format!("`packages` {what}"));
    let mut stated = BTreeMap::new();
    if !packages.is_empty() && !packages.contains_key(&platform.to_string()) {
        wrong("does not name this platform".to_owned());
    }
    for (name, Hashes { hashes, package_size }) in packages {
        let Ok(platform) = name.parse::<Platform>() else {
            wrong(format!("names {}, which is not OS_ARCH", quote(&name)));
            continue;
        };
        let size = package_size.unwrap_or_default();
        if size == 0 {
            wrong(format!("has no size for `{platform}`"));
            continue;
        }
        match read_hashes(&hashes.unwrap_or_default()) {
            Ok((Some(zh), h1)) => drop(stated.insert(platform, Stated { zh, h1, size })),
            Ok((None, _)) => wrong(format!("has no `zh:` hash for `{platform}`")),
            Err(what) => wrong(format!("has {what} for `{platform}`")),
        }
    }
    stated
}

/// The archive's hash and its content's among `hashes`, where clients ignore schemes that they do not know.
pub(super) fn read_hashes(hashes: &[String]) -> Result<(Option<Sha256Digest>, Option<H1>), String> {
    let (mut zh, mut h1) = (None, None);
    for hash in hashes {
        let malformed = || format!("the malformed hash {}", quote(hash));
        match hash.split_once(':') {
            None => return Err(format!("the hash {} without a scheme", quote(hash))),
            Some(("zh", digest)) => zh = Some(digest.parse().map_err(|_| malformed())?),
            Some(("h1", _)) => h1 = Some(hash.parse().map_err(|_| malformed())?),
            Some(_) => {}
        }
    }
    Ok((zh, h1))
}

fn judge_keys(armors: &[String], subject: &str, findings: &mut Findings) -> Vec<SigningKey> {
    if armors.is_empty() {
        findings.add(&PACKAGE_KEYS, subject, "the package comes without a signing key");
    }
    let mut read = Vec::new();
    for (index, armor) in armors.iter().enumerate() {
        match SigningKey::parse_block(armor) {
            Ok(keys) => read.extend(keys),
            Err(error) => findings.add(&PACKAGE_KEYS, subject, format!("signing key {}: {error}", index + 1)),
        }
    }
    read
}
