//! What an OCI registry answers, judged as `OpenTofu` reads it (`internal/getproviders/oci_registry_mirror_source.go`).

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use yuba::digest::Sha256Digest;
use yuba::platform::Platform;
use yuba::protocol::oci::{INDEX, MANIFEST, PROVIDER, PROVIDER_TARGET, ZIP};

use crate::inspection::checks::oci::{OCI_AGREES, OCI_DOCUMENT, OCI_MEDIA_TYPE, OCI_PLATFORMS, OCI_TAGS};
use crate::oci_manifest::{Descriptor, OciManifest};
use crate::verify::finding::{Findings, quote};

#[derive(Deserialize)]
struct Tags {
    tags: Option<Vec<String>>,
}

/// What a layer is stated to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layer {
    pub(super) digest: Sha256Digest,
    /// Nothing, if nobody states it.
    pub(super) size: Option<u64>,
}

/// Reads one page of a list of tags.
pub(super) fn read_tags(body: &[u8], subject: &str, findings: &mut Findings) -> Option<Vec<String>> {
    let tags = serde_json::from_slice::<Tags>(body);
    let wrong = |error| findings.add(&OCI_DOCUMENT, subject, format!("the list of tags cannot be read: {error}"));
    tags.map_err(wrong).ok().map(|tags| tags.tags.unwrap_or_default())
}

/// Compares the tags with those that the listed versions should have.
pub(super) fn compare_tags(
    tags: &BTreeSet<String>,
    expected: &BTreeSet<String>,
    subject: &str,
    findings: &mut Findings,
) {
    for tag in expected.difference(tags) {
        findings.add(&OCI_TAGS, subject, format!("there is no tag {}", quote(tag)));
    }
    for tag in tags.difference(expected) {
        findings.add(&OCI_TAGS, subject, format!("tag {} is none of a listed version", quote(tag)));
    }
}

/// Judges an index: the digests of its manifests.
pub(super) fn judge_index(
    body: &[u8],
    subject: &str,
    findings: &mut Findings,
) -> Option<BTreeMap<Platform, Sha256Digest>> {
    let OciManifest { media_type, artifact_type, manifests, .. } = read(body, "index", subject, findings)?;
    judge_types("index", (&media_type, INDEX), (&artifact_type, PROVIDER), subject, findings);
    let mut read = BTreeMap::new();
    for manifest in manifests {
        // Clients ignore what is of something else, but not that it is for nothing.
        if manifest.artifact_type != PROVIDER_TARGET && manifest.platform.is_some() {
            continue;
        }
        let Some(platform) = manifest.provider_platform() else {
            let what = format!("manifest {} is for no platform that a provider has", quote(&manifest.digest));
            findings.add(&OCI_PLATFORMS, subject, what);
            continue;
        };
        let subject = format!("{subject} {platform}");
        if manifest.media_type != MANIFEST {
            let message = format!("the index has it as {}, not as `{MANIFEST}`", quote(&manifest.media_type));
            findings.add(&OCI_MEDIA_TYPE, &subject, message);
        }
        let Some(digest) = digest(&manifest, &subject, findings) else { continue };
        if read.insert(platform, digest).is_some() {
            findings.add(&OCI_PLATFORMS, &subject, "the index has more than one manifest for it");
        }
    }
    Some(read)
}

/// Compares the platforms of an index with those that the version has.
pub(super) fn compare_platforms(
    manifests: &BTreeMap<Platform, Sha256Digest>,
    expected: &BTreeSet<Platform>,
    subject: &str,
    findings: &mut Findings,
) {
    for platform in expected.iter().filter(|platform| !manifests.contains_key(platform)) {
        findings.add(&OCI_PLATFORMS, subject, format!("the index lacks platform `{platform}`"));
    }
    for platform in manifests.keys().filter(|platform| !expected.contains(platform)) {
        findings.add(&OCI_PLATFORMS, subject, format!("only the index has platform `{platform}`"));
    }
}

/// Judges the manifest of a platform: its layer.
pub(super) fn judge_manifest(body: &[u8], subject: &str, findings: &mut Findings) -> Option<Layer> {
    let OciManifest { media_type, artifact_type, layers, .. } = read(body, "manifest", subject, findings)?;
    judge_types("manifest", (&media_type, MANIFEST), (&artifact_type, PROVIDER_TARGET), subject, findings);
    let archives: Vec<_> = layers.iter().filter(|layer| layer.media_type == ZIP).collect();
    let [layer] = archives.as_slice() else {
        let message = format!("the manifest has {} layers of the type `{ZIP}`, not one", archives.len());
        findings.add(&OCI_DOCUMENT, subject, message);
        return None;
    };
    Some(Layer { digest: digest(layer, subject, findings)?, size: Some(layer.size) })
}

/// Compares a layer with the archive that is stated elsewhere.
pub(super) fn compare_layer(layer: Layer, stated: Layer, subject: &str, findings: &mut Findings) {
    if layer.digest != stated.digest {
        let message = format!("the layer is `{}`, and the registry states `{}`", layer.digest, stated.digest);
        return findings.add(&OCI_AGREES, subject, message);
    }
    if let (Some(size), Some(stated)) = (layer.size, stated.size)
        && size != stated
    {
        findings.add(&OCI_AGREES, subject, format!("the layer has {size} bytes, where the registry states {stated}"));
    }
}

fn read(body: &[u8], what: &str, subject: &str, findings: &mut Findings) -> Option<OciManifest> {
    let wrong = |error| findings.add(&OCI_DOCUMENT, subject, format!("the {what} cannot be read: {error}"));
    OciManifest::parse(body).map_err(wrong).ok()
}

fn judge_types(
    what: &str,
    (media_type, media_type_expected): (&str, &str),
    (artifact_type, artifact_type_expected): (&str, &str),
    subject: &str,
    findings: &mut Findings,
) {
    if media_type != media_type_expected {
        let message = format!("the {what} has `mediaType` {}, not `{media_type_expected}`", quote(media_type));
        findings.add(&OCI_MEDIA_TYPE, subject, message);
    }
    if artifact_type != artifact_type_expected {
        let message = format!("the {what} has `artifactType` {}, not `{artifact_type_expected}`", quote(artifact_type));
        findings.add(&OCI_MEDIA_TYPE, subject, message);
    }
}

fn digest(descriptor: &Descriptor, subject: &str, findings: &mut Findings) -> Option<Sha256Digest> {
    let digest = descriptor.sha256();
    if digest.is_none() {
        let message =
            format!("{} is no digest: `sha256:` and 64 lower-case hexadecimal digits", quote(&descriptor.digest));
        findings.add(&OCI_DOCUMENT, subject, message);
    }
    digest
}
