//! What is put into storage to be served: providers with ever more versions, as publishing leaves them.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use yuba::address::{NamespaceAddress, ProviderAddress, ReleaseAddress};
use yuba::archive_name::ArchiveName;
use yuba::digest::{H1, Sha256Digest};
use yuba::document::release::ProvenRelease;
use yuba::document::{
    Document, IndexDocument, NamespaceDocument, Package, ProviderDocument, ReleaseDocument, SigningKey, Status,
    VersionEntry, Visibility,
};
use yuba::keys::{BlobKey, DocumentKey};
use yuba::platform::Platform;
use yuba::repository::Repository;
use yuba::route::{OciRoute, Route};
use yuba::tag::Tag;
use yuba::version::Version;
use yuba_companion::oci_views;

use crate::Failure;

/// How many versions the providers have: a new one, an ordinary one, and more than any provider of 2026.
const COUNTS: [usize; 3] = [1, 50, 1_000];

/// What large providers are built for.
pub(crate) const PLATFORMS: [&str; 14] = [
    "darwin_amd64",
    "darwin_arm64",
    "freebsd_386",
    "freebsd_amd64",
    "freebsd_arm",
    "linux_386",
    "linux_amd64",
    "linux_arm",
    "linux_arm64",
    "openbsd_386",
    "openbsd_amd64",
    "windows_386",
    "windows_amd64",
    "windows_arm64",
];

/// The platform that is asked for.
const PLATFORM: &str = "linux_amd64";

const THEN: &str = "2026-01-02T03:04:05Z";
const FINGERPRINT: &str = "91A6E7F85D05C65630BEF18951852D87348FFC4C";

/// The lines of an armored RSA key of 4096 bits with one user ID and a subkey, which is what most providers sign with.
const ARMOR_LINES: usize = 48;

/// The archive that every newest release has.
pub(crate) struct Archive {
    /// Its SHA-256.
    pub(crate) digest: Sha256Digest,
    /// Its size in bytes.
    pub(crate) size: u64,
}

/// The documents, what to ask of a registry that has them, where the archive is and is to be had, and what the archives
/// of the other platforms hold.
pub(crate) fn content(hostname: &str, archive: &Archive) -> Result<Value, Failure> {
    let namespace: NamespaceAddress = provider(hostname, 1)?.namespace_address().clone();
    let mut documents = vec![stored(&DocumentKey::Namespace(namespace.clone()), &signed_namespace(&namespace)?)?];
    let mut requests = vec![json!({ "route": "discovery", "versions": 0, "path": Route::Discovery.to_string() })];
    let mut index = IndexDocument::empty();
    for count in COUNTS {
        let provider = provider(hostname, count)?;
        let newest = ReleaseAddress { provider: provider.clone(), version: version(count)? };
        let release = release(newest.clone(), archive)?;
        index = index.with(&provider);
        documents.push(stored(&DocumentKey::Release(newest.clone(), digest(&release)?), &release)?);
        for (key, view) in oci_views::derive(&release)?.views {
            documents.push(stored(&key, &view)?);
        }
        documents.push(stored(&DocumentKey::Provider(provider), &listed(&release, count)?)?);
        requests.extend(asked(count, &newest)?);
    }
    documents.push(stored(&DocumentKey::Index, &index)?);
    let (newest, filename) = (ReleaseAddress { provider: provider(hostname, 1)?, version: version(1)? }, filename(1)?);
    let path = Route::Archive(newest, archive.digest, filename).to_string();
    let archive = json!({ "object": BlobKey(archive.digest).object(), "path": path });
    let others: Vec<&str> = PLATFORMS.into_iter().filter(|platform| *platform != PLATFORM).collect();
    Ok(json!({ "documents": documents, "requests": requests, "archive": archive, "other_archives": others }))
}

fn stored<D: Document>(key: &DocumentKey, document: &D) -> Result<Value, Failure> {
    let body = String::from_utf8(document.to_json()?)?;
    Ok(json!({ "object": key.object(), "copy": key.to_string(), "body": body }))
}

fn digest(document: &impl Document) -> Result<Sha256Digest, Failure> {
    Ok(Sha256Digest::of(&document.to_json()?))
}

fn provider(hostname: &str, count: usize) -> Result<ProviderAddress, Failure> {
    Ok(format!("{hostname}/benchmark/versions-{count}").parse()?)
}

/// The `number`th version.
fn version(number: usize) -> Result<Version, Failure> {
    Ok(format!("1.{number}.0").parse()?)
}

fn filename(count: usize) -> Result<ArchiveName, Failure> {
    Ok(ArchiveName {
        r#type: format!("versions-{count}").parse()?,
        version: version(count)?,
        platform: PLATFORM.parse()?,
    })
}

fn signed_namespace(address: &NamespaceAddress) -> Result<NamespaceDocument, Failure> {
    let mut namespace = NamespaceDocument::new(address, Visibility::Public);
    namespace.revision = 1;
    namespace.signing_keys.push(SigningKey {
        fingerprint: FINGERPRINT.parse()?,
        user_ids: vec!["Benchmark <benchmark@localhost>".to_owned()],
        algorithm: "RSA 4096".to_owned(),
        created: THEN.to_owned(),
        expires: None,
        added: THEN.to_owned(),
        retired: None,
        revoked: None,
        ascii_armor: format!(
            "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n{}-----END PGP PUBLIC KEY BLOCK-----\n",
            format!("{}\n", "m".repeat(64)).repeat(ARMOR_LINES)
        ),
        source: String::new(),
        source_url: String::new(),
    });
    Ok(namespace)
}

/// The provider whose newest version is `release`, and which has `count` of them. The older ones' release documents
/// are never asked for, so there are none.
fn listed(release: &ReleaseDocument, count: usize) -> Result<ProviderDocument, Failure> {
    let mut provider = ProviderDocument::new(release.address.clone());
    let oci_index = oci_views::derive(release)?.index;
    for number in 1..=count {
        let version = version(number)?;
        let is_newest = version == release.version;
        provider = provider.with(VersionEntry {
            version,
            protocols: release.protocols.clone(),
            platforms: release.packages.keys().cloned().collect(),
            published: THEN.to_owned(),
            status: Status::Listed,
            signing_key: release.signing_key.clone(),
            release: if is_newest { digest(release)? } else { Sha256Digest::of(&number.to_be_bytes()) },
            oci_index: Some(if is_newest { oci_index } else { Sha256Digest::of(&number.to_be_bytes()) }),
        });
    }
    Ok(provider)
}

fn release(address: ReleaseAddress, archive: &Archive) -> Result<ReleaseDocument, Failure> {
    let mut packages = BTreeMap::new();
    for platform in PLATFORMS {
        let platform: Platform = platform.parse()?;
        packages.insert(platform.clone(), package(&address, platform, archive)?);
    }
    let line = |package: &Package| format!("{}  {}\n", package.zh, package.filename);
    let shasums = packages.values().map(line).collect::<Vec<_>>().concat();
    let proven = ProvenRelease {
        protocols: vec!["5.0".parse()?, "6.0".parse()?],
        created: THEN.to_owned(),
        packages,
        shasums,
        shasums_signature: vec![0x89; 566], // a detached signature by an RSA key of 4096 bits
        signing_key: FINGERPRINT.parse()?,
    };
    Ok(ReleaseDocument::new(address, proven))
}

fn package(address: &ReleaseAddress, platform: Platform, archive: &Archive) -> Result<Package, Failure> {
    // The other archives hold the name of their platform, and are not stored.
    let name = platform.to_string();
    let (zh, size) = if name == PLATFORM {
        (archive.digest, archive.size)
    } else {
        (Sha256Digest::of(name.as_bytes()), u64::try_from(name.len())?)
    };
    let (r#type, version) = (address.provider.r#type().clone(), address.version.clone());
    let h1 = H1::of_files([("terraform-provider", zh)]);
    Ok(Package { filename: ArchiveName { r#type, version, platform }, size, zh, h1 })
}

/// What is asked of a provider with `count` versions.
fn asked(count: usize, newest: &ReleaseAddress) -> Result<Vec<Value>, Failure> {
    let provider = &newest.provider;
    let (namespace, r#type) = (provider.namespace().clone(), provider.r#type().clone());
    let repository = Repository::of_discovery(namespace.clone(), r#type.clone())?;
    let routes = [
        ("versions", Route::Versions(namespace.clone(), r#type.clone())),
        ("download", Route::Download(namespace, r#type, newest.version.clone(), PLATFORM.parse()?)),
        ("mirror index", Route::MirrorIndex(provider.clone())),
        ("mirror version", Route::MirrorVersion(newest.clone())),
        ("OCI tags", Route::Oci(OciRoute::Tags(repository.clone()))),
        ("OCI index", Route::Oci(OciRoute::Tagged(repository, Tag(newest.version.clone())))),
    ];
    let request =
        |(name, route): &(&str, Route)| json!({ "route": name, "versions": count, "path": route.to_string() });
    Ok(routes.iter().map(request).collect())
}
