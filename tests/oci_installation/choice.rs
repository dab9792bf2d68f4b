//! What `OpenTofu` takes out of an index and of a manifest.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use yuba::digest::Sha256Digest;
use yuba::platform::Platform;
use yuba::protocol::oci::{MANIFEST, PROVIDER_TARGET, ZIP, parse_digest};

use super::{Stopped, fatal};

/// A manifest that says what it is.
pub(super) trait Typed: DeserializeOwned {
    /// Its media type, or nothing.
    fn media_type(&self) -> &str;

    /// Its artifact type, or nothing.
    fn artifact_type(&self) -> &str;
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Index {
    media_type: Option<String>,
    artifact_type: Option<String>,
    pub(super) manifests: Option<Vec<Descriptor>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Manifest {
    media_type: Option<String>,
    artifact_type: Option<String>,
    pub(super) layers: Option<Vec<Descriptor>>,
}

impl Typed for Index {
    fn media_type(&self) -> &str {
        self.media_type.as_deref().unwrap_or_default()
    }

    fn artifact_type(&self) -> &str {
        self.artifact_type.as_deref().unwrap_or_default()
    }
}

impl Typed for Manifest {
    fn media_type(&self) -> &str {
        self.media_type.as_deref().unwrap_or_default()
    }

    fn artifact_type(&self) -> &str {
        self.artifact_type.as_deref().unwrap_or_default()
    }
}

/// What names content.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Descriptor {
    pub(super) media_type: String,
    pub(super) digest: String,
    pub(super) size: u64,
    pub(super) artifact_type: Option<String>,
    pub(super) platform: Option<OciPlatform>,
}

/// Of a platform, what `OpenTofu` looks at: neither `variant` nor features.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct OciPlatform {
    os: String,
    architecture: String,
    #[serde(rename = "os.version")]
    os_version: String,
}

impl OciPlatform {
    fn is(&self, platform: &Platform) -> bool {
        self.os == platform.os() && self.architecture == platform.arch()
    }
}

impl Descriptor {
    pub(super) fn sha256(&self) -> Result<Sha256Digest, Stopped> {
        parse_digest(&self.digest).ok_or_else(|| fatal(format!("`{}` is not a SHA-256 digest", self.digest)))
    }
}

/// The entry of an index for `platform`.
pub(super) fn entry(entries: &[Descriptor], platform: &Platform) -> Result<Descriptor, Stopped> {
    let (mut others, mut foreign, mut chosen) = (0, None, Vec::new());
    for entry in entries {
        match entry.artifact_type.as_deref() {
            Some(PROVIDER_TARGET) => {}
            other => {
                foreign = other.filter(|other| !other.is_empty()).or(foreign);
                continue;
            }
        }
        if entry.media_type != MANIFEST {
            return Err(fatal(format!("an entry of the index is `{}`, and no manifest", entry.media_type)));
        }
        let stated = entry.platform.as_ref().ok_or_else(|| fatal("an entry of the index has no platform"))?;
        // What is for one version of a system is left to clients that know of such.
        if stated.os_version.is_empty() && stated.is(platform) {
            chosen.push(entry);
        } else {
            others += 1;
        }
    }
    match (chosen.as_slice(), others, foreign) {
        ([entry], ..) => Ok((*entry).clone()),
        ([], 1.., _) => Err(Stopped::NoPlatform),
        ([], 0, Some(foreign)) => Err(fatal(format!("the index is of `{foreign}`"))),
        ([], 0, None) => Err(fatal("the index has no entry of a provider: is this a container image?")),
        _ => Err(fatal(format!("the index has {} entries for {platform}", chosen.len()))),
    }
}

/// The one layer of a manifest that is an archive.
pub(super) fn layer(layers: &[Descriptor], platform: &Platform) -> Result<Descriptor, Stopped> {
    let archives: Vec<_> = layers.iter().filter(|layer| layer.media_type == ZIP).collect();
    let [layer] = archives.as_slice() else {
        return Err(fatal(format!("{} of {} layers are `{ZIP}`", archives.len(), layers.len())));
    };
    if let Some(stated) = layer.platform.as_ref().filter(|stated| !stated.is(platform)) {
        return Err(fatal(format!("the layer is for {}_{}, not {platform}", stated.os, stated.architecture)));
    }
    Ok((*layer).clone())
}
