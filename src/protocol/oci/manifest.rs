//! Manifests: a release as an image index and an image manifest per platform, a pure function of its document.
//!
//! The same document gives the same bytes for ever, because clients keep their digests.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{EMPTY, EMPTY_CONFIG, INDEX, MANIFEST, PROVIDER, PROVIDER_TARGET, ZIP, spell};
use crate::archive_name::FILE_PREFIX;
use crate::digest::Sha256Digest;
use crate::document::{OciContent, OciView, Package, ReleaseDocument};

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
/// [`serde_json::Error`] if a manifest cannot be rendered, which none of this module does.
pub fn render(release: &ReleaseDocument) -> serde_json::Result<Views> {
    let title = format!("{FILE_PREFIX}{}", release.address.r#type());
    let version = release.version.to_string();
    let annotations = annotations(release, &title, &version);
    let view = |content| OciView::new(release.version.clone(), content);
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
