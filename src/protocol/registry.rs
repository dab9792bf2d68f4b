//! The provider registry protocol, version 1.
//!
//! | route | answers |
//! |---|---|
//! | `/v1/providers/:namespace/:type/versions` | [`Versions`] |
//! | `/v1/providers/:namespace/:type/:version/download/:os/:arch` | [`Download`] |
//!
//! ```json
//! {"versions":[{"version":"1.0.0","protocols":["6.0"],"platforms":[{"os":"linux","arch":"amd64"}]}],"warnings":[]}
//! {"protocols":["6.0"],"os":"linux","arch":"amd64","filename":"terraform-provider-dns_1.0.0_linux_amd64.zip",
//!  "download_url":"https://…","shasums_url":"https://…","shasums_signature_url":"https://…","shasum":"5f9c…",
//!  "signing_keys":{"gpg_public_keys":[{"key_id":"5185…","ascii_armor":"…","trust_signature":"","source":"","source_url":""}]},
//!  "packages":{"linux_amd64":{"hashes":["zh:5f9c…","h1:…"],"package_size":123}}}
//! ```
//!
//! The legacy lookup under the namespace `-` is out of scope: clients ask only the default hosts for it.

pub mod warnings;

mod revoked_key;

use serde::Serialize;

use super::{as_map, hashes};
use crate::document::{NamespaceDocument, Package, ProviderDocument, ReleaseDocument, SigningKey, VersionEntry};
use crate::platform::Platform;
use crate::protocol_version::ProtocolVersion;
use crate::route::Route;
use crate::version::Version;

/// The versions of a provider (protocol section "List Available Versions").
#[derive(Debug, Serialize)]
pub struct Versions<'a> {
    versions: Vec<ListedVersion<'a>>,
    warnings: Vec<String>,
}

#[derive(Debug, Serialize)]
struct ListedVersion<'a> {
    version: &'a Version,
    protocols: &'a [ProtocolVersion],
    platforms: Vec<OsArch<'a>>,
}

#[derive(Debug, Serialize)]
struct OsArch<'a> {
    os: &'a str,
    arch: &'a str,
}

/// One package of a release (protocol section "Find a Provider Package"), with `OpenTofu` 1.12's `packages`.
#[derive(Debug, Serialize)]
#[expect(clippy::struct_field_names, reason = "the protocol's field names")]
pub struct Download<'a> {
    protocols: &'a [ProtocolVersion],
    #[serde(flatten)]
    platform: OsArch<'a>,
    filename: String,
    download_url: String,
    shasums_url: String,
    shasums_signature_url: String,
    shasum: String,
    signing_keys: SigningKeys<'a>,
    #[serde(serialize_with = "as_map")]
    packages: Vec<(&'a Platform, PackageHashes)>,
}

#[derive(Debug, Serialize)]
struct SigningKeys<'a> {
    gpg_public_keys: Vec<GpgPublicKey<'a>>,
}

#[derive(Debug, Serialize)]
struct GpgPublicKey<'a> {
    key_id: &'a str,
    ascii_armor: &'a str,
    /// Terraform takes only its own vendor's signature here, or nothing.
    trust_signature: &'static str,
    source: &'a str,
    source_url: &'a str,
}

/// What a client may hold a package against before it has it (`OpenTofu` RFC 20251027).
#[derive(Debug, Serialize)]
struct PackageHashes {
    hashes: [String; 2],
    package_size: u64,
}

fn os_arch(platform: &Platform) -> OsArch<'_> {
    OsArch { os: platform.os(), arch: platform.arch() }
}

fn list(entry: &VersionEntry) -> ListedVersion<'_> {
    ListedVersion {
        version: &entry.version,
        protocols: &entry.protocols,
        platforms: entry.platforms.iter().map(os_arch).collect(),
    }
}

/// Renders the versions of a provider in `namespace`, oldest first.
#[must_use]
pub fn versions<'a>(provider: &'a ProviderDocument, namespace: &NamespaceDocument) -> Versions<'a> {
    let of_keys = namespace.signing_keys.iter().filter_map(|key| revoked_key::warn(key, provider));
    Versions {
        versions: provider.versions().map(list).collect(),
        warnings: warnings::render(provider).into_iter().chain(of_keys).collect(),
    }
}

/// Renders one package of `release`. `signing_key` is the key that its checksums are signed with, and the only one
/// that a client needs; URLs are absolute under `origin`.
#[must_use]
pub fn download<'a>(
    origin: &str,
    release: &'a ReleaseDocument,
    platform: &'a Platform,
    package: &'a Package,
    signing_key: &'a SigningKey,
) -> Download<'a> {
    let address = release.release_address();
    let archive = Route::Archive(address.clone(), package.zh, package.filename.clone());
    Download {
        protocols: &release.protocols,
        platform: os_arch(platform),
        filename: package.filename.to_string(),
        download_url: format!("{origin}{archive}"),
        shasums_url: format!("{origin}{}", Route::Shasums(address.clone())),
        shasums_signature_url: format!("{origin}{}", Route::ShasumsSignature(address)),
        shasum: package.zh.to_string(),
        signing_keys: SigningKeys { gpg_public_keys: vec![public_key(signing_key)] },
        packages: release.packages.iter().map(|(platform, package)| (platform, package_hashes(package))).collect(),
    }
}

fn public_key(key: &SigningKey) -> GpgPublicKey<'_> {
    GpgPublicKey {
        key_id: key.fingerprint.key_id(),
        ascii_armor: &key.ascii_armor,
        trust_signature: "",
        source: &key.source,
        source_url: &key.source_url,
    }
}

fn package_hashes(package: &Package) -> PackageHashes {
    PackageHashes { hashes: hashes(package), package_size: package.size }
}
