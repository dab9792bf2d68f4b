//! OCI manifests as they are read: whatever a registry answers, as far as clients look at it.

use serde::Deserialize;
use yuba::digest::Sha256Digest;
use yuba::platform::Platform;
use yuba::protocol::oci;

/// An image index, or an image manifest.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct OciManifest {
    /// What it says it is.
    pub media_type: String,
    /// What it says it is of.
    pub artifact_type: String,
    /// The manifests of an index.
    pub manifests: Vec<Descriptor>,
    /// The layers of a manifest.
    pub layers: Vec<Descriptor>,
}

/// What names content.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Descriptor {
    /// What the content is.
    pub media_type: String,
    /// What it is of.
    pub artifact_type: String,
    /// Its digest, as it is written.
    pub digest: String,
    /// Its size in bytes.
    pub size: u64,
    /// What it runs on, if that is said.
    pub platform: Option<OciPlatform>,
}

/// What an OCI manifest is for.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct OciPlatform {
    /// The operating system, by its Go name.
    pub os: String,
    /// The architecture, by its Go name.
    pub architecture: String,
}

impl OciManifest {
    /// Reads a manifest of either kind.
    ///
    /// # Errors
    /// [`serde_json::Error`] if it is none.
    pub fn parse(body: &[u8]) -> serde_json::Result<Self> {
        serde_json::from_slice(body)
    }
}

impl Descriptor {
    /// The digest, if it is a SHA-256.
    #[must_use]
    pub fn sha256(&self) -> Option<Sha256Digest> {
        oci::parse_digest(&self.digest)
    }

    /// What the content runs on, if a provider can be for that.
    #[must_use]
    pub fn provider_platform(&self) -> Option<Platform> {
        let OciPlatform { os, architecture } = self.platform.as_ref()?;
        format!("{os}_{architecture}").parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_clients_do_not_look_at_may_be_anything() {
        let digest = format!("sha256:{}", Sha256Digest::of(b""));
        let text = format!(
            r#"{{"schemaVersion":2,"config":1,"manifests":[{{"digest":"{digest}","size":7,"annotations":[],
                "platform":{{"os":"linux","architecture":"arm","variant":"v7"}}}},{{"digest":"sha512:00"}}]}}"#
        );
        let OciManifest { manifests, layers, .. } = OciManifest::parse(text.as_bytes()).unwrap();
        let read: Vec<_> = manifests.iter().map(|manifest| (manifest.sha256(), manifest.provider_platform())).collect();
        let platform = "linux_arm".parse().unwrap();
        assert_eq!(read, [(Some(Sha256Digest::of(b"")), Some(platform)), (None, None)]);
        assert!(layers.is_empty());
    }

    #[test]
    fn what_is_no_manifest_is_refused() {
        for text in ["", "7", r#"{"manifests":{}}"#, r#"{"layers":[1]}"#, r#"{"manifests":[{"size":-1}]}"#] {
            assert!(OciManifest::parse(text.as_bytes()).is_err(), "{text}");
        }
    }
}
