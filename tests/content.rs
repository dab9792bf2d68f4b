//! The content of a small registry, made by hand: facts that every transcript is rendered from.

use std::collections::{BTreeMap, BTreeSet};

use yuba::address::{ProviderAddress, ReleaseAddress};
use yuba::archive_name::ArchiveName;
use yuba::digest::{H1, Sha256Digest};
use yuba::document::release::ProvenRelease;
use yuba::document::{
    Deprecation, Document, IndexDocument, KeyRevocation, NamespaceDocument, OciView, Package, ProviderDocument,
    ReleaseDocument, RevocationPolicy, SigningKey, Status, VersionEntry, Visibility,
};
use yuba::keys::{BlobKey, DocumentKey};
use yuba::platform::Platform;
use yuba::protocol_version::ProtocolVersion;
use yuba_companion::oci_views;

/// The hostname that the registry under test has.
pub const HOSTNAME: &str = "localhost";

/// A moment at which everything here happened.
const THEN: &str = "2026-01-02T03:04:05Z";

/// The key that signed everything here, as far as a registry knows it; no client verifies these releases.
const FINGERPRINT: &str = "91A6E7F85D05C65630BEF18951852D87348FFC4C";

/// What a registry stores, by key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Content {
    /// Documents.
    pub documents: BTreeMap<String, (DocumentKey, Vec<u8>)>,
    /// Archives.
    pub archives: BTreeMap<BlobKey, Vec<u8>>,
}

/// A release to be stored.
#[derive(Debug, Clone)]
pub struct Release {
    address: ReleaseAddress,
    protocols: Vec<ProtocolVersion>,
    platforms: BTreeSet<Platform>,
    status: Status,
}

impl Release {
    /// The release of `version` of `provider` for one platform.
    #[must_use]
    pub fn new(provider: &str, version: &str) -> Self {
        let provider = provider.parse().expect("a provider address");
        let version = version.parse().expect("a version");
        let protocols = vec!["6.0".parse().expect("a protocol version")];
        let platforms = BTreeSet::from(["linux_amd64".parse().expect("a platform")]);
        Self { address: ReleaseAddress { provider, version }, protocols, platforms, status: Status::Listed }
    }

    /// The release for `platforms`.
    #[must_use]
    pub fn platforms(mut self, platforms: &[&str]) -> Self {
        self.platforms = platforms.iter().map(|platform| platform.parse().expect("a platform")).collect();
        self
    }

    /// The release with these plugin protocol versions.
    #[must_use]
    pub fn protocols(mut self, protocols: &[&str]) -> Self {
        self.protocols = protocols.iter().map(|version| version.parse().expect("a protocol version")).collect();
        self
    }

    /// The release with a status other than listed.
    #[must_use]
    pub fn status(mut self, status: Status) -> Self {
        self.status = status;
        self
    }

    /// The bytes that stand in for the archive of `platform`.
    #[must_use]
    pub fn archive(&self, platform: &Platform) -> Vec<u8> {
        format!("archive of {} for {platform}", self.address).into_bytes()
    }

    fn package(&self, platform: &Platform) -> Package {
        let archive = self.archive(platform);
        let (r#type, version) = (self.address.provider.r#type().clone(), self.address.version.clone());
        let zh = Sha256Digest::of(&archive);
        Package {
            filename: ArchiveName { r#type, version, platform: platform.clone() },
            size: archive.len() as u64,
            zh,
            h1: H1::of_files([("terraform-provider", zh)]),
        }
    }

    fn document(&self) -> ReleaseDocument {
        let packages: BTreeMap<Platform, Package> =
            self.platforms.iter().map(|platform| (platform.clone(), self.package(platform))).collect();
        let lines = packages.values().map(|package| format!("{}  {}\n", package.zh, package.filename));
        let shasums = lines.collect::<Vec<_>>().concat();
        ReleaseDocument::new(
            self.address.clone(),
            ProvenRelease {
                protocols: self.protocols.clone(),
                created: THEN.to_owned(),
                packages,
                shasums,
                shasums_signature: b"\x89\x01\x33binary signature".to_vec(),
                signing_key: FINGERPRINT.parse().expect("a fingerprint"),
            },
        )
    }
}

/// A revocation with this policy, by the owner's certificate too or not.
#[must_use]
pub fn revocation(policy: RevocationPolicy, certified: bool) -> KeyRevocation {
    KeyRevocation { reason: "laptop stolen".to_owned(), policy, at: THEN.to_owned(), certified }
}

impl Content {
    /// The registry that the transcripts speak of.
    #[must_use]
    pub fn sample() -> Self {
        let dns = "localhost/acme/dns";
        let withdrawn = Status::Yanked { reason: "it loses records; use 1.1.0".to_owned(), at: THEN.to_owned() };
        let yanked = Status::Yanked { reason: "it is slow".to_owned(), at: THEN.to_owned() };
        // What was removed a moment ago is still stored.
        let removed = Status::Removed { reason: "court order 7".to_owned(), at: THEN.to_owned() };
        Self::default()
            .namespace("localhost/acme", Visibility::Public)
            .namespace("localhost/straße", Visibility::Public)
            .namespace("localhost/secret", Visibility::Private)
            .namespace("mirrored.example/acme", Visibility::Public)
            .release(&Release::new(dns, "1.0.0").status(withdrawn))
            .release(&Release::new(dns, "1.1.0").platforms(&["darwin_arm64", "linux_amd64", "windows_386"]))
            .release(&Release::new(dns, "2.0.0-rc.1+build.7"))
            .release(&Release::new("localhost/straße/ほげ", "1.0.0"))
            .release(&Release::new("localhost/acme/names", "1.0.0").status(removed.clone()))
            .release(&Release::new("localhost/acme/names", "1.1.0").status(yanked.clone()))
            .release(&Release::new("localhost/acme/names", "1.2.0").status(yanked))
            .deprecated("localhost/acme/names", "it moved", "other.example/acme/names")
            .release(&Release::new("localhost/acme/gone", "1.0.0").status(removed))
            .release(&Release::new("localhost/secret/dns", "1.0.0"))
            .release(&Release::new("localhost/nobody/dns", "1.0.0"))
            .release(&Release::new("mirrored.example/acme/dns", "3.0.0"))
            .given_up("retired", |key| key.retired = Some(THEN.to_owned()))
            .given_up("expired", |key| key.expires = Some(THEN.to_owned()))
            .given_up("warned", |key| key.revoked = Some(revocation(RevocationPolicy::Warn, false)))
            .given_up("blocked", |key| key.revoked = Some(revocation(RevocationPolicy::Block, false)))
            .given_up("certified", |key| key.revoked = Some(revocation(RevocationPolicy::Block, true)))
    }

    /// The same with a namespace that has given up its one key: what it signed is `<namespace>/dns` 1.0.0 and 1.1.0.
    fn given_up(self, namespace: &str, give_up: impl Fn(&mut SigningKey)) -> Self {
        let (namespace, provider) = (format!("localhost/{namespace}"), format!("localhost/{namespace}/dns"));
        self.namespace(&namespace, Visibility::Public)
            .release(&Release::new(&provider, "1.0.0"))
            .release(&Release::new(&provider, "1.1.0"))
            .change_key(&namespace, give_up)
    }

    /// The same with another record of a namespace's one key.
    ///
    /// # Panics
    /// If there is no such namespace.
    #[must_use]
    pub fn change_key(mut self, address: &str, change: impl Fn(&mut SigningKey)) -> Self {
        let address: ProviderAddress = format!("{address}/any").parse().expect("a namespace address");
        let key = DocumentKey::Namespace(address.namespace_address().clone());
        let mut document: NamespaceDocument = self.get(&key).expect("a namespace");
        document.revision += 1;
        document.signing_keys.iter_mut().for_each(change);
        self.put(key, &document);
        self
    }

    /// What the companion stored in `r2`, with everything that `providers` need.
    ///
    /// # Panics
    /// If something that a document names is not there.
    #[must_use]
    pub fn of_store(r2: &BTreeMap<String, Vec<u8>>, providers: &[ProviderAddress]) -> Self {
        let mut content = Self::default();
        content.take(r2, DocumentKey::Index);
        for address in providers {
            content.take(r2, DocumentKey::Namespace(address.namespace_address().clone()));
            content.take(r2, DocumentKey::Provider(address.clone()));
            let provider = content.get::<ProviderDocument>(&DocumentKey::Provider(address.clone()));
            for entry in provider.expect("a provider").versions() {
                let release = ReleaseAddress { provider: address.clone(), version: entry.version.clone() };
                let key = DocumentKey::Release(release, entry.release);
                content.take(r2, key.clone());
                let document = content.get::<ReleaseDocument>(&key).expect("a release");
                for (key, _) in oci_views::derive(&document).expect("OCI views").views {
                    content.take(r2, key);
                }
                let blobs = document.packages.values().map(|package| BlobKey(package.zh));
                content.archives.extend(blobs.map(|blob| (blob, r2[&blob.object()].clone())));
            }
        }
        content
    }

    fn take(&mut self, r2: &BTreeMap<String, Vec<u8>>, key: DocumentKey) {
        let bytes = r2[&key.object()].clone();
        self.documents.insert(key.to_string(), (key, bytes));
    }

    /// The same with a namespace in it.
    #[must_use]
    pub fn namespace(mut self, address: &str, visibility: Visibility) -> Self {
        let address: ProviderAddress = format!("{address}/any").parse().expect("a namespace address");
        let mut document = NamespaceDocument::new(address.namespace_address(), visibility);
        document.revision = 1;
        document.signing_keys.push(SigningKey {
            fingerprint: FINGERPRINT.parse().expect("a fingerprint"),
            user_ids: vec!["Acme <releases@acme.example>".to_owned()],
            algorithm: "RSA 4096".to_owned(),
            created: THEN.to_owned(),
            expires: None,
            added: THEN.to_owned(),
            retired: None,
            revoked: None,
            ascii_armor: "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n…\n-----END PGP PUBLIC KEY BLOCK-----\n".to_owned(),
            source: "Acme".to_owned(),
            source_url: "https://acme.example/keys".to_owned(),
        });
        self.put(DocumentKey::Namespace(address.namespace_address().clone()), &document);
        self
    }

    /// The same with a release in it, listed.
    #[must_use]
    pub fn release(mut self, release: &Release) -> Self {
        let document = release.document();
        let digest = Sha256Digest::of(&document.to_json().expect("a document"));
        let derived = oci_views::derive(&document).expect("OCI views");
        for platform in &release.platforms {
            let archive = release.archive(platform);
            self.archives.insert(BlobKey(Sha256Digest::of(&archive)), archive);
        }
        let provider = release.address.provider.clone();
        let listed = self.get(&DocumentKey::Provider(provider.clone()));
        let listed = listed.unwrap_or_else(|| ProviderDocument::new(provider.clone())).with(VersionEntry {
            version: release.address.version.clone(),
            protocols: release.protocols.clone(),
            platforms: release.platforms.clone(),
            published: THEN.to_owned(),
            status: release.status.clone(),
            signing_key: document.signing_key.clone(),
            release: digest,
            oci_index: Some(derived.index),
        });
        for (key, view) in derived.views {
            let held = self.get::<OciView>(&key);
            let view = held.map_or(view.clone(), |held| view.releases.into_iter().fold(held, OciView::with));
            self.put(key, &view);
        }
        let index: IndexDocument = self.get(&DocumentKey::Index).unwrap_or_else(IndexDocument::empty);
        self.put(DocumentKey::Release(release.address.clone(), digest), &document);
        self.put(DocumentKey::Index, &index.with(&provider));
        self.put(DocumentKey::Provider(provider), &listed);
        self
    }

    /// The same with a provider in it that is given up.
    #[must_use]
    pub fn deprecated(mut self, provider: &str, reason: &str, successor: &str) -> Self {
        let key = DocumentKey::Provider(provider.parse().expect("a provider address"));
        let successor = Some(successor.parse().expect("a provider address"));
        let deprecation = Deprecation { reason: reason.to_owned(), successor, at: THEN.to_owned() };
        let provider: ProviderDocument = self.get(&key).expect("a provider");
        self.put(key, &provider.deprecated(Some(deprecation)));
        self
    }

    /// The document under `key`.
    #[must_use]
    pub fn get<D: Document>(&self, key: &DocumentKey) -> Option<D> {
        let (_, bytes) = self.documents.get(&key.to_string())?;
        Some(D::from_json(bytes).expect("a document"))
    }

    fn put<D: Document>(&mut self, key: DocumentKey, document: &D) {
        let bytes = document.to_json().expect("a document");
        self.documents.insert(key.to_string(), (key, bytes));
    }
}
