//! One version with all that is known of it, as it is shown.

use std::fmt::Write as _;

use jiff::Timestamp;
use serde::Serialize;
use yuba::address::ReleaseAddress;
use yuba::archive_name::ArchiveName;
use yuba::digest::{H1, Sha256Digest};
use yuba::document::{ReleaseDocument, Status, VersionEntry};
use yuba::fingerprint::Fingerprint;
use yuba::keys::{BlobKey, DocumentKey};
use yuba::platform::Platform;
use yuba::protocol_version::ProtocolVersion;
use yuba::route::Route;

use super::oci::{Digests, Oci};
use super::{Shown, ShownRelease};
use crate::cli::key::Shown as ShownKey;
use crate::cli::life_cycle::word;
use crate::cli::output::visible;
use crate::cli::table;

/// Where clients find what is shown.
pub(super) struct Site {
    /// The host, with its port if it has one.
    pub(super) host: String,
    /// Whether the provider is the registry's own: others are found in its mirror alone.
    pub(super) is_own: bool,
    /// The command that derives what a version may lack.
    pub(super) sync: String,
}

/// One version.
#[derive(Serialize)]
pub(super) struct Release<'a> {
    target: String,
    address: String,
    version: String,
    status: &'a Status,
    published: &'a str,
    protocols: &'a [ProtocolVersion],
    fingerprint: &'a Fingerprint,
    signing_key: Option<ShownKey<'a>>,
    signed: Option<&'a str>,
    source: Option<&'a str>,
    licence: Option<&'a str>,
    packages: Vec<ShownPackage<'a>>,
    storage: Vec<String>,
    urls: Vec<String>,
    /// Nothing, if it was removed.
    oci: Option<Oci<'a>>,
}

#[derive(Serialize)]
struct ShownPackage<'a> {
    platform: &'a Platform,
    filename: &'a ArchiveName,
    size: u64,
    zh: Sha256Digest,
    h1: H1,
    /// The digest of its OCI manifest; nothing, if the version is listed without an OCI index.
    ch: Option<&'a str>,
    storage: String,
    url: String,
}

impl<'a> Release<'a> {
    pub(super) fn new(
        target: String,
        shown: &'a Shown,
        release: &'a ShownRelease,
        site: &Site,
        now: Timestamp,
    ) -> Self {
        let ShownRelease { entry, document, digests } = release;
        let address = ReleaseAddress { provider: shown.provider.address.clone(), version: entry.version.clone() };
        let document = document.as_ref();
        let key = shown.namespace.as_ref().and_then(|namespace| namespace.signing_key(&entry.signing_key));
        let packages = document.into_iter().flat_map(|document| &document.packages);
        let package = packages.map(|(platform, package)| ShownPackage {
            platform,
            filename: &package.filename,
            size: package.size,
            zh: package.zh,
            h1: package.h1,
            ch: digests.as_ref().and_then(|digests: &Digests| digests.checksum(platform)),
            storage: BlobKey(package.zh).object(),
            url: site.url(&Route::Archive(address.clone(), package.zh, package.filename.clone())),
        });
        Self {
            target,
            status: &entry.status,
            published: &entry.published,
            protocols: &entry.protocols,
            fingerprint: &entry.signing_key,
            signing_key: key.map(|key| ShownKey::new(key, now)),
            signed: document.map(|document| document.created.as_str()),
            source: document.and_then(|document| document.source.as_deref()),
            licence: document.and_then(|document| document.licence.as_deref()),
            packages: package.collect(),
            storage: storage(&address, entry, document),
            urls: document.map(|_| site.urls(&address)).unwrap_or_default(),
            oci: document.map(|_| Oci::new(&address.provider, entry, digests.as_ref(), site)),
            address: address.provider.to_string(),
            version: address.version.to_string(),
        }
    }

    pub(super) fn text(&self, now: Timestamp) -> String {
        let mut rows = vec![["status".to_owned(), self.status_line()]];
        let mut row = |name: &str, value: Option<String>| rows.extend(value.map(|value| [name.to_owned(), value]));
        let protocols: Vec<_> = self.protocols.iter().map(ToString::to_string).collect();
        row("published", Some(self.published.to_owned()));
        row("signed", self.signed.map(str::to_owned));
        row("protocols", Some(protocols.join(", ")));
        let key = self.signing_key.as_ref().map(|key| key.line(now));
        row("key", Some(key.unwrap_or_else(|| format!("{}  not registered", self.fingerprint))));
        row("source", self.source.map(visible));
        row("licence", self.licence.map(visible));
        let mut text = format!("{} {}\n{}", self.address, self.version, table::render(&rows));
        for package in &self.packages {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "\n{}  {} bytes  {}", package.platform, package.size, package.filename);
            let _ = writeln!(text, "  zh:{}\n  {}", package.zh, package.h1);
            let _ = package.ch.map_or(Ok(()), |ch| writeln!(text, "  {ch}"));
            let _ = writeln!(text, "  r2/{}\n  {}", package.storage, package.url);
        }
        for (heading, lines) in [("stored", &self.storage), ("served", &self.urls)] {
            if !lines.is_empty() {
                let _ = writeln!(text, "\n{heading}\n  {}", lines.join("\n  "));
            }
        }
        text += &self.oci.as_ref().map(Oci::text).unwrap_or_default();
        text
    }

    fn status_line(&self) -> String {
        let word = word(self.status);
        match self.status {
            Status::Listed => word.to_owned(),
            Status::Yanked { reason, at } => format!("{word} since {at}: {}", visible(reason)),
            Status::Removed { reason, at } => {
                format!("{word} on {at}: {}; nothing of it is served", visible(reason))
            }
        }
    }
}

impl Site {
    fn url(&self, route: &Route) -> String {
        format!("https://{}{route}", self.host)
    }

    /// Where clients begin to look for a version, and its signed files.
    fn urls(&self, address: &ReleaseAddress) -> Vec<String> {
        let (namespace, r#type) = (address.provider.namespace(), address.provider.r#type());
        let own = self.is_own.then(|| Route::Versions(namespace.clone(), r#type.clone()));
        let mirror = Route::MirrorVersion(address.clone());
        let files = [Route::Shasums(address.clone()), Route::ShasumsSignature(address.clone())];
        own.into_iter().chain([mirror]).chain(files).map(|route| self.url(&route)).collect()
    }
}

/// The keys of what is stored of a version, its archives aside.
fn storage(address: &ReleaseAddress, entry: &VersionEntry, document: Option<&ReleaseDocument>) -> Vec<String> {
    let provider = DocumentKey::Provider(address.provider.clone());
    let release = document.map(|_| DocumentKey::Release(address.clone(), entry.release));
    let keys = [Some(provider), release].into_iter().flatten();
    keys.flat_map(|key| [format!("r2/{}", key.object()), format!("kv/{key}")]).collect()
}
