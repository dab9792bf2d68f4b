//! Manifests: a release as an image index and an image manifest per platform, a pure function of its document.
//!
//! The same document gives the same bytes for ever, because clients keep their digests.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{EMPTY, EMPTY_CONFIG, INDEX, MANIFEST, PROVIDER, PROVIDER_TARGET, ZIP, spell};
use crate::archive_name::FILE_PREFIX;
use crate::digest::Sha256Digest;
use crate::document::{Document as _, DocumentError, OciContent, OciView, Package, ReleaseDocument};

type Annotations<'a> = BTreeMap<&'static str, &'a str>;

/// An image index (image specification, "OCI Image Index").
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Index<'a> {
    schema_version: u8,
    media_type: &'static str,
    artifact_type: &'static str,
    manifests: Vec<Descriptor<'a>>,
    annotations: Annotations<'a>,
}

/// An image manifest (image specification, "OCI Image Manifest").
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest<'a> {
    schema_version: u8,
    media_type: &'static str,
    artifact_type: &'static str,
    config: Descriptor<'a>,
    layers: [Descriptor<'a>; 1],
    annotations: Annotations<'a>,
}

/// What names content (image specification, "OCI Content Descriptors").
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor<'a> {
    media_type: &'static str,
    digest: String,
    size: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    platform: Option<OciPlatform<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    artifact_type: Option<&'static str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    annotations: Annotations<'a>,
}

#[derive(Debug, Serialize)]
struct OciPlatform<'a> {
    architecture: &'a str,
    os: &'a str,
}

impl Descriptor<'_> {
    fn new(media_type: &'static str, digest: &Sha256Digest, size: u64) -> Self {
        Self {
            media_type,
            digest: spell(digest),
            size,
            platform: None,
            artifact_type: None,
            annotations: BTreeMap::new(),
        }
    }
}

/// The OCI views of a release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Views {
    /// The digest of the index, which a tag names.
    pub index: Sha256Digest,
    /// Everything by its digest, the index included.
    pub views: BTreeMap<Sha256Digest, OciView>,
}

/// Renders the views of `release`.
///
/// # Errors
/// [`DocumentError`] if something cannot be rendered, which nothing is that this yuba makes.
pub fn render(release: &ReleaseDocument) -> Result<Views, DocumentError> {
    let document = Sha256Digest::of(&release.to_json()?);
    let title = format!("{FILE_PREFIX}{}", release.address.r#type());
    let version = release.version.to_string();
    let annotations = annotations(release, &title, &version);
    let view = |content| OciView::new((release.version.clone(), document), content);
    let mut views = BTreeMap::new();
    let mut manifests = Vec::new();
    for (platform, package) in &release.packages {
        let text = serde_json::to_string(&manifest(package, annotations.clone(), &package.filename.to_string()))?;
        let digest = Sha256Digest::of(text.as_bytes());
        manifests.push(Descriptor {
            platform: Some(OciPlatform { architecture: platform.arch(), os: platform.os() }),
            artifact_type: Some(PROVIDER_TARGET),
            ..Descriptor::new(MANIFEST, &digest, text.len() as u64)
        });
        views.insert(digest, view(OciContent::Manifest(text)));
        views.insert(package.zh, view(OciContent::Layer { size: package.size }));
    }
    let index = Index { schema_version: 2, media_type: INDEX, artifact_type: PROVIDER, manifests, annotations };
    let text = serde_json::to_string(&index)?;
    let index = Sha256Digest::of(text.as_bytes());
    views.insert(index, view(OciContent::Index(text)));
    Ok(Views { index, views })
}

fn manifest<'a>(package: &Package, mut annotations: Annotations<'a>, filename: &'a str) -> Manifest<'a> {
    // The RFC's label, in the place that manifests have for such.
    annotations.insert("org.opentofu.package-type", "provider_binary");
    let layer = Descriptor {
        annotations: BTreeMap::from([("org.opencontainers.image.title", filename)]),
        ..Descriptor::new(ZIP, &package.zh, package.size)
    };
    Manifest {
        schema_version: 2,
        media_type: MANIFEST,
        artifact_type: PROVIDER_TARGET,
        config: Descriptor::new(EMPTY_CONFIG, &Sha256Digest::of(EMPTY.as_bytes()), EMPTY.len() as u64),
        layers: [layer],
        annotations,
    }
}

/// What the image specification has a name for ("Pre-Defined Annotation Keys"), as far as it is known.
fn annotations<'a>(release: &'a ReleaseDocument, title: &'a str, version: &'a str) -> Annotations<'a> {
    let known = [
        ("org.opencontainers.image.created", Some(release.created.as_str())),
        ("org.opencontainers.image.licenses", release.licence.as_deref()),
        ("org.opencontainers.image.source", release.source.as_deref()),
        ("org.opencontainers.image.title", Some(title)),
        ("org.opencontainers.image.version", Some(version)),
    ];
    known.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::ReleaseAddress;
    use crate::archive_name::ArchiveName;
    use crate::digest::H1;
    use crate::document::release::ProvenRelease;

    fn release() -> ReleaseDocument {
        let provider: crate::address::ProviderAddress = "registry.example/acme/dns".parse().unwrap();
        let address = ReleaseAddress { provider, version: "1.0.0-rc.1+7".parse().unwrap() };
        let package = |platform: &str| {
            let platform: crate::platform::Platform = platform.parse().unwrap();
            let (r#type, version) = (address.provider.r#type().clone(), address.version.clone());
            let zh = Sha256Digest::of(platform.to_string().as_bytes());
            let filename = ArchiveName { r#type, version, platform: platform.clone() };
            (platform, Package { filename, size: 147_000_000, zh, h1: H1::of_files([("x", zh)]) })
        };
        let proven = ProvenRelease {
            protocols: vec!["6.0".parse().unwrap()],
            created: "2026-01-02T03:04:05Z".to_owned(),
            packages: ["linux_arm", "linux_amd64", "darwin_arm64"].map(package).into(),
            shasums: String::new(),
            shasums_signature: Vec::new(),
            signing_key: "91A6E7F85D05C65630BEF18951852D87348FFC4C".parse().unwrap(),
        };
        ReleaseDocument::new(address, proven)
    }

    /// The manifests' texts, the index first.
    fn texts(release: &ReleaseDocument) -> Vec<String> {
        let Views { index, views } = render(release).unwrap();
        let mut texts: Vec<_> = views
            .into_iter()
            .filter_map(|(digest, view)| Some((digest != index, super::super::manifest(&view.content)?.1.to_owned())))
            .collect();
        texts.sort();
        texts.into_iter().map(|(_, text)| text).collect()
    }

    /// Clients keep digests of these for ever: a change here breaks what they have locked or mirrored.
    #[test]
    fn the_bytes_are_the_same_for_ever() {
        let mut release = release();
        release.source = Some("https://github.com/acme/terraform-provider-dns".to_owned());
        release.licence = Some("MPL-2.0".to_owned());
        let texts = texts(&release);
        insta::assert_snapshot!(texts.join("\n"), @r#"
        {"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","artifactType":"application/vnd.opentofu.provider","manifests":[{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:7148464bc90cd8078534b22a850c72646fda0ebbbb07a428c7a97fbce3d635f4","size":885,"platform":{"architecture":"arm64","os":"darwin"},"artifactType":"application/vnd.opentofu.provider-target"},{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:3b651cf35f292a506df6184156feb3440ddd19084c9005f299d65e716c179fd2","size":884,"platform":{"architecture":"amd64","os":"linux"},"artifactType":"application/vnd.opentofu.provider-target"},{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:03afd8a94b2b3b058cc2f0e559ae773fd18c8f147f6b7bda254e88c2dd581c6d","size":882,"platform":{"architecture":"arm","os":"linux"},"artifactType":"application/vnd.opentofu.provider-target"}],"annotations":{"org.opencontainers.image.created":"2026-01-02T03:04:05Z","org.opencontainers.image.licenses":"MPL-2.0","org.opencontainers.image.source":"https://github.com/acme/terraform-provider-dns","org.opencontainers.image.title":"terraform-provider-dns","org.opencontainers.image.version":"1.0.0-rc.1+7"}}
        {"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","artifactType":"application/vnd.opentofu.provider-target","config":{"mediaType":"application/vnd.oci.empty.v1+json","digest":"sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","size":2},"layers":[{"mediaType":"archive/zip","digest":"sha256:6399fb33634d3c7090258603773f07997e0736dceae7096977e8365e93a7a350","size":147000000,"annotations":{"org.opencontainers.image.title":"terraform-provider-dns_1.0.0-rc.1+7_darwin_arm64.zip"}}],"annotations":{"org.opencontainers.image.created":"2026-01-02T03:04:05Z","org.opencontainers.image.licenses":"MPL-2.0","org.opencontainers.image.source":"https://github.com/acme/terraform-provider-dns","org.opencontainers.image.title":"terraform-provider-dns","org.opencontainers.image.version":"1.0.0-rc.1+7","org.opentofu.package-type":"provider_binary"}}
        {"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","artifactType":"application/vnd.opentofu.provider-target","config":{"mediaType":"application/vnd.oci.empty.v1+json","digest":"sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","size":2},"layers":[{"mediaType":"archive/zip","digest":"sha256:6e42b235a426c6ab149ad1b1f5ae3c0894409575c45d47698630034658cf0963","size":147000000,"annotations":{"org.opencontainers.image.title":"terraform-provider-dns_1.0.0-rc.1+7_linux_amd64.zip"}}],"annotations":{"org.opencontainers.image.created":"2026-01-02T03:04:05Z","org.opencontainers.image.licenses":"MPL-2.0","org.opencontainers.image.source":"https://github.com/acme/terraform-provider-dns","org.opencontainers.image.title":"terraform-provider-dns","org.opencontainers.image.version":"1.0.0-rc.1+7","org.opentofu.package-type":"provider_binary"}}
        {"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","artifactType":"application/vnd.opentofu.provider-target","config":{"mediaType":"application/vnd.oci.empty.v1+json","digest":"sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","size":2},"layers":[{"mediaType":"archive/zip","digest":"sha256:a48bb352d286c88ce06ad9a7db12890ee22f64c434c1b1d56677a9b26f6ad9c7","size":147000000,"annotations":{"org.opencontainers.image.title":"terraform-provider-dns_1.0.0-rc.1+7_linux_arm.zip"}}],"annotations":{"org.opencontainers.image.created":"2026-01-02T03:04:05Z","org.opencontainers.image.licenses":"MPL-2.0","org.opencontainers.image.source":"https://github.com/acme/terraform-provider-dns","org.opencontainers.image.title":"terraform-provider-dns","org.opencontainers.image.version":"1.0.0-rc.1+7","org.opentofu.package-type":"provider_binary"}}
        "#);
    }

    #[test]
    fn what_is_not_known_is_not_annotated() {
        let texts = texts(&release()).concat();
        assert!(texts.contains("org.opencontainers.image.created"));
        assert!(!texts.contains("org.opencontainers.image.source") && !texts.contains("licenses"), "{texts}");
    }

    #[test]
    fn every_digest_names_what_it_is_the_digest_of() {
        let Views { index, views } = render(&release()).unwrap();
        assert_eq!(views.len(), 1 + 3 + 3);
        assert!(views.iter().all(|(digest, view)| view.is_of(digest)));
        assert!(matches!(views[&index].content, OciContent::Index(_)));
    }

    /// Manifests have their version in them, so no two versions share one; clients take at most 4 MiB.
    #[test]
    fn manifests_differ_between_versions_and_stay_small() {
        let mut other = release();
        other.version = "1.0.0".parse().unwrap();
        let (one, other) = (texts(&release()), texts(&other));
        assert!(one.iter().all(|text| !other.contains(text) && text.len() < 4 << 20));
    }
}
