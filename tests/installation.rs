//! The conformance client: it installs as `OpenTofu` does, request by request, and believes nothing.
//!
//! It is for tests of what a registry answers while something is wrong with it, which ask far more often than a real
//! client's process could be started. What real clients do is held in `clients.rs`.

use jiff::Timestamp;
use serde_json::Value;
use yuba::address::ReleaseAddress;
use yuba::digest::Sha256Digest;
use yuba::document::Standing;
use yuba::platform::Platform;
use yuba_companion::openpgp::{SignatureFile, SigningKey};

use crate::exchange::{Ask, ORIGIN, Reply, Server};
use crate::workerd::encode;

/// What a client has after an installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// The archive.
    pub archive: Vec<u8>,
    /// SHA256SUMS.
    pub shasums: Vec<u8>,
    /// The signature over it.
    pub signature: Vec<u8>,
    /// The armor of the keys that were offered to verify it with.
    pub keys: Vec<String>,
    /// The package document that led to all this.
    pub download: Value,
}

impl Installed {
    /// Whether the signature is one by an offered key over SHA256SUMS.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn verify_signature(&self, now: Timestamp) -> Result<(), String> {
        let parse = |armor: &String| SigningKey::parse(armor, Standing::Active).map_err(|error| error.to_string());
        let keys = self.keys.iter().map(parse).collect::<Result<Vec<_>, _>>()?;
        let file = SignatureFile::parse(&self.signature).map_err(|defect| defect.to_string())?;
        let judgement = file.judge(&self.shasums, &keys, now);
        if judgement.defects.is_empty() { Ok(()) } else { Err(format!("{:?}", judgement.defects)) }
    }
}

/// A request that was not answered as an installation needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// The request's path.
    pub path: String,
    /// The status of the answer.
    pub status: u16,
    /// What is wrong.
    pub message: String,
}

fn failed(path: &str, status: u16, message: impl Into<String>) -> Failed {
    Failed { path: path.to_owned(), status, message: message.into() }
}

fn ask(server: &mut dyn Server, path: &str) -> Result<Reply, Failed> {
    let path = path.strip_prefix(ORIGIN).unwrap_or(path);
    let reply = server.exchange(&Ask::new(&format!("GET {path}")));
    if reply.status == 200 {
        return Ok(reply);
    }
    Err(failed(path, reply.status, String::from_utf8_lossy(&reply.body)))
}

/// A JSON answer, of which clients demand the media type to the letter only in discovery and mirrors.
fn ask_json(server: &mut dyn Server, path: &str) -> Result<Value, Failed> {
    let reply = ask(server, path)?;
    if reply.header("content-type") != Some("application/json") {
        return Err(failed(path, 200, format!("content type {:?}", reply.header("content-type"))));
    }
    serde_json::from_slice(&reply.body).map_err(|error| failed(path, 200, error.to_string()))
}

fn text<'v>(value: &'v Value, pointer: &str, path: &str) -> Result<&'v str, Failed> {
    let text = value.pointer(pointer).and_then(Value::as_str);
    text.ok_or_else(|| failed(path, 200, format!("no text at {pointer} in {value}")))
}

/// Where the registry protocol lives, as discovery says.
fn registry(server: &mut dyn Server) -> Result<String, Failed> {
    let path = "/.well-known/terraform.json";
    let discovery = ask_json(server, path)?;
    let base = text(&discovery, "/providers.v1", path)?;
    if base.ends_with('/') { Ok(base.to_owned()) } else { Err(failed(path, 200, format!("{base} has no last slash"))) }
}

/// The versions that the registry lists of a provider.
///
/// # Errors
/// [`Failed`], if they cannot be had.
pub fn versions(server: &mut dyn Server, release: &ReleaseAddress) -> Result<Vec<String>, Failed> {
    let (base, provider) = (registry(server)?, &release.provider);
    let path = format!("{base}{}/versions", encode(&format!("{}/{}", provider.namespace(), provider.r#type())));
    let listing = ask_json(server, &path)?;
    let versions = listing.pointer("/versions").and_then(Value::as_array).cloned().unwrap_or_default();
    versions.iter().map(|version| Ok(text(version, "/version", &path)?.to_owned())).collect()
}

/// Installs a version through the registry protocol.
///
/// # Errors
/// [`Failed`], at the first thing that a client would stop at.
pub fn install(server: &mut dyn Server, release: &ReleaseAddress, platform: &Platform) -> Result<Installed, Failed> {
    let listed = versions(server, release)?;
    let provider = &release.provider;
    let (namespace, r#type, version) = (provider.namespace(), provider.r#type(), &release.version);
    let base = registry(server)?;
    let named = encode(&format!("{namespace}/{type}/{version}"));
    let path = format!("{base}{named}/download/{}/{}", platform.os(), platform.arch());
    if !listed.contains(&version.to_string()) {
        return Err(failed(&path, 404, "the version is not listed"));
    }
    let download = ask_json(server, &path)?;
    for (pointer, expected) in [("/os", platform.os()), ("/arch", platform.arch())] {
        if text(&download, pointer, &path)? != expected {
            return Err(failed(&path, 200, format!("{pointer} is not {expected}")));
        }
    }
    let shasums = ask(server, text(&download, "/shasums_url", &path)?)?.body;
    let signature = ask(server, text(&download, "/shasums_signature_url", &path)?)?.body;
    let (filename, shasum) = (text(&download, "/filename", &path)?, text(&download, "/shasum", &path)?);
    let line = format!("{shasum}  {filename}\n");
    if !String::from_utf8_lossy(&shasums).contains(&line) {
        return Err(failed(&path, 200, format!("SHA256SUMS has no line {line}")));
    }
    let keys = download.pointer("/signing_keys/gpg_public_keys").and_then(Value::as_array).cloned().unwrap_or_default();
    let keys =
        keys.iter().map(|key| Ok(text(key, "/ascii_armor", &path)?.to_owned())).collect::<Result<Vec<_>, _>>()?;
    let archive = fetch(server, text(&download, "/download_url", &path)?, shasum)?;
    let size = download.pointer(&format!("/packages/{platform}/package_size")).and_then(Value::as_u64);
    if size != Some(archive.len() as u64) {
        return Err(failed(&path, 200, format!("package_size {size:?} for {} bytes", archive.len())));
    }
    Ok(Installed { archive, shasums, signature, keys, download })
}

/// Installs a version through the network mirror protocol: its archive.
///
/// # Errors
/// [`Failed`], at the first thing that a client would stop at.
pub fn install_mirrored(
    server: &mut dyn Server,
    release: &ReleaseAddress,
    platform: &Platform,
) -> Result<Vec<u8>, Failed> {
    let (provider, version) = (&release.provider, &release.version);
    let mirror = format!("/mirror/{}", encode(&provider.to_string()));
    let index = format!("{mirror}/index.json");
    if ask_json(server, &index)?.pointer("/versions").and_then(|listed| listed.get(version.to_string())).is_none() {
        return Err(failed(&index, 200, "the version is not listed"));
    }
    let path = format!("{mirror}/{}.json", encode(&version.to_string()));
    let archives = ask_json(server, &path)?;
    let url = text(&archives, &format!("/archives/{platform}/url"), &path)?;
    let hash = text(&archives, &format!("/archives/{platform}/hashes/0"), &path)?;
    fetch(server, url, hash.strip_prefix("zh:").unwrap_or(hash))
}

fn fetch(server: &mut dyn Server, url: &str, shasum: &str) -> Result<Vec<u8>, Failed> {
    let archive = ask(server, url)?.body;
    let digest = Sha256Digest::of(&archive).to_string();
    if digest == shasum { Ok(archive) } else { Err(failed(url, 200, format!("SHA-256 {digest} instead of {shasum}"))) }
}
