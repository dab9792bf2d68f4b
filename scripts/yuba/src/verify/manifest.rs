//! The manifest: where it is, and the protocol versions in it.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use yuba::digest::Sha256Digest;
use yuba::protocol_version::ProtocolVersion;

use super::checks::protocols::{MANIFEST, MANIFEST_FORMAT, PROTOCOL, PROTOCOL_ACCEPTED};
use super::directory::{Directory, MANIFEST_SUFFIX, SmallFile, read_small};
use super::finding::{Findings, quote};
use super::limits::MAX_MANIFEST_BYTES;
use super::listing::Listing;
use super::verdict::VerifyError;

/// What repositories call their manifest, which release tools publish under the release's name.
const SOURCE_NAME: &str = "terraform-registry-manifest.json";

/// What a release without a manifest is taken to speak, by the registry protocol's convention.
const ASSUMED_PROTOCOL: &str = "5.0";

/// The manifest's only format (`HashiCorp`, "Publishing providers").
const FORMAT_VERSION: u64 = 1;

#[derive(Deserialize, Serialize)]
struct Manifest {
    version: u64,
    metadata: Metadata,
}

#[derive(Deserialize, Serialize)]
struct Metadata {
    protocol_versions: Vec<String>,
}

/// Reads the protocol versions of a release.
pub(crate) fn read(
    directory: &Directory,
    listing: &Listing,
    named: Option<&Path>,
    findings: &mut Findings,
) -> Result<Vec<ProtocolVersion>, VerifyError> {
    match find(directory, listing, named, findings)? {
        Some((subject, bytes)) => Ok(parse(&subject, &bytes, findings)),
        None => Ok(ASSUMED_PROTOCOL.parse().into_iter().collect()),
    }
}

/// The protocol versions that a manifest states.
pub(crate) fn parse(subject: &str, bytes: &[u8], findings: &mut Findings) -> Vec<ProtocolVersion> {
    let manifest = match serde_json::from_slice::<Manifest>(bytes) {
        Ok(manifest) => manifest,
        Err(error) => {
            findings.add(&MANIFEST_FORMAT, subject, format!("is no manifest: {error}"));
            return Vec::new();
        }
    };
    if manifest.version != FORMAT_VERSION {
        let message = format!("is of version `{}`, not `{FORMAT_VERSION}`", manifest.version);
        findings.add(&MANIFEST_FORMAT, subject, message);
    }
    read_protocols(subject, &manifest.metadata.protocol_versions, findings)
}

/// A manifest that states these protocol versions, as [`parse`] reads it.
pub(crate) fn render(protocols: &[ProtocolVersion]) -> String {
    let protocol_versions = protocols.iter().map(ToString::to_string).collect();
    let manifest = Manifest { version: FORMAT_VERSION, metadata: Metadata { protocol_versions } };
    // Numbers and strings always have a JSON form.
    let text = serde_json::to_string_pretty(&manifest).unwrap_or_default();
    format!("{text}\n")
}

fn read_protocols(subject: &str, texts: &[String], findings: &mut Findings) -> Vec<ProtocolVersion> {
    if texts.is_empty() {
        findings.add(&MANIFEST_FORMAT, subject, "lists no protocol version");
    }
    let mut protocols = Vec::new();
    for text in texts {
        match text.parse::<ProtocolVersion>() {
            Ok(protocol) if protocols.contains(&protocol) => {}
            Ok(protocol) => protocols.push(protocol),
            Err(_) => findings.add(&PROTOCOL, subject, format!("protocol version {} is not MAJOR.MINOR", quote(text))),
        }
    }
    if !protocols.is_empty() && !protocols.iter().any(|protocol| protocol.is_accepted_by_clients()) {
        let listed: Vec<_> = protocols.iter().map(ToString::to_string).collect();
        findings.add(&PROTOCOL_ACCEPTED, subject, format!("no client speaks `{}`", listed.join("`, `")));
    }
    protocols
}

/// The manifest's name for messages, and its bytes: from the release's directory, else from where repositories keep
/// it, in which case a line of SHA256SUMS must vouch for it if there is one.
pub(crate) fn find(
    directory: &Directory,
    listing: &Listing,
    named: Option<&Path>,
    findings: &mut Findings,
) -> Result<Option<(String, Vec<u8>)>, VerifyError> {
    let present = directory.manifests();
    if let [(name, path)] = present.as_slice() {
        let Some(bytes) = read_bounded(name, path, findings)? else { return Ok(None) };
        return Ok(agree(&bytes, name, named, findings)?.then(|| ((*name).to_owned(), bytes)));
    }
    if present.len() > 1 {
        let names: Vec<_> = present.iter().map(|(name, _)| *name).collect();
        findings.add(
            &MANIFEST,
            &directory.path().display().to_string(),
            format!("has several: `{}`", names.join("`, `")),
        );
        return Ok(None);
    }
    let line = listing.digests.iter().find(|(name, _)| name.ends_with(MANIFEST_SUFFIX));
    let subject = line.map_or_else(|| directory.path().display().to_string(), |(name, _)| name.clone());
    let Some(source) = source_path(directory, named) else {
        findings.add(&MANIFEST, &subject, "the release has no manifest");
        return Ok(None);
    };
    let Some(bytes) = read_bounded(&subject, &source, findings)? else {
        return Ok(None);
    };
    if let Some((_, Some(expected))) = line
        && Sha256Digest::of(&bytes) != *expected
    {
        let message = format!("is not there, and `{}` has another digest than its line", source.display());
        findings.add(&MANIFEST, &subject, message);
        return Ok(None);
    }
    Ok(Some((subject, bytes)))
}

/// Whether the manifest that the caller names, if any, is the one that the release has: neither is ignored.
fn agree(bytes: &[u8], name: &str, named: Option<&Path>, findings: &mut Findings) -> Result<bool, VerifyError> {
    let Some(named) = named else { return Ok(true) };
    let subject = named.display().to_string();
    let Some(other) = read_bounded(&subject, named, findings)? else { return Ok(false) };
    if other != bytes {
        findings.add(&MANIFEST, &subject, format!("is not the release's own {}", quote(name)));
    }
    Ok(other == bytes)
}

/// Where the manifest is under the name that repositories use: in the release's directory, or above it.
fn source_path(directory: &Directory, named: Option<&Path>) -> Option<PathBuf> {
    if let Some(path) = named {
        return Some(path.to_owned());
    }
    // `dist/..` and not the parent of the text: the latter of `.` is nothing.
    let places = [directory.path().to_owned(), directory.path().join("..")];
    places.into_iter().map(|place| place.join(SOURCE_NAME)).find(|path| path.is_file())
}

fn read_bounded(subject: &str, path: &Path, findings: &mut Findings) -> Result<Option<Vec<u8>>, VerifyError> {
    match read_small(path, MAX_MANIFEST_BYTES)? {
        SmallFile::Read(bytes) => Ok(Some(bytes)),
        SmallFile::NotAFile => {
            findings.add(&MANIFEST, subject, "is no regular file");
            Ok(None)
        }
        SmallFile::TooLarge(size) => {
            findings.add(&MANIFEST_FORMAT, subject, format!("has {size} bytes, over {MAX_MANIFEST_BYTES}"));
            Ok(None)
        }
    }
}
