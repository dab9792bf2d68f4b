//! OCI views: what an OCI client asks for by digest, derived from a release and stored before the release is listed.
//!
//! A digest says nothing of the version that it belongs to, and versions have a status, so a view names its versions.

use serde::{Deserialize, Serialize};

use super::Document;
use crate::digest::Sha256Digest;
use crate::version::Version;

/// What one digest names in the repositories of one provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OciView {
    format: u32,
    /// The versions that it belongs to, oldest first: one, but for an archive that several have to the byte. Some may
    /// not be listed.
    pub versions: Vec<Version>,
    /// What it is.
    pub content: OciContent,
}

/// What a digest names. Manifests are kept as text, because their digest is that of their bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OciContent {
    /// The image index of the version.
    Index(String),
    /// The image manifest of one platform.
    Manifest(String),
    /// The archive of one platform.
    Layer {
        /// Its size in bytes.
        size: u64,
    },
}

impl Document for OciView {
    const FORMAT: u32 = 1;

    fn revision(&self) -> u64 {
        0
    }
}

impl OciView {
    /// The view of what belongs to `version`.
    #[must_use]
    pub fn new(version: Version, content: OciContent) -> Self {
        Self { format: Self::FORMAT, versions: vec![version], content }
    }

    /// The same, belonging to `version` too.
    #[must_use]
    pub fn with(mut self, version: Version) -> Self {
        if let Err(position) = self.versions.binary_search(&version) {
            self.versions.insert(position, version);
        }
        self
    }

    /// The same, belonging to the others alone; nothing if there are none.
    #[must_use]
    pub fn without(mut self, version: &Version) -> Option<Self> {
        self.versions.retain(|other| other != version);
        (!self.versions.is_empty()).then_some(self)
    }

    /// Whether this is what `digest` names, as far as it can tell by itself: a layer's bytes are elsewhere.
    #[must_use]
    pub fn is_of(&self, digest: &Sha256Digest) -> bool {
        match &self.content {
            OciContent::Index(text) | OciContent::Manifest(text) => Sha256Digest::of(text.as_bytes()) == *digest,
            OciContent::Layer { .. } => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Version {
        text.parse().unwrap()
    }

    #[test]
    fn a_view_is_read_as_it_is_written() {
        for (content, json) in [
            (OciContent::Index("{}".to_owned()), r#"{"format":1,"versions":["1.0.0"],"content":{"index":"{}"}}"#),
            (OciContent::Manifest("{}".to_owned()), r#"{"format":1,"versions":["1.0.0"],"content":{"manifest":"{}"}}"#),
            (OciContent::Layer { size: 9 }, r#"{"format":1,"versions":["1.0.0"],"content":{"layer":{"size":9}}}"#),
        ] {
            let view = OciView::new(version("1.0.0"), content);
            assert_eq!(String::from_utf8(view.to_json().unwrap()).unwrap(), json);
            assert_eq!(OciView::from_json(json.as_bytes()).unwrap(), view);
        }
    }

    #[test]
    fn versions_come_and_go() {
        let view = OciView::new(version("1.10.0"), OciContent::Layer { size: 9 });
        let both = view.clone().with(version("1.9.0"));
        assert_eq!(both.versions, [version("1.9.0"), version("1.10.0")]);
        assert_eq!(both.clone().with(version("1.9.0")), both);
        assert_eq!(both.without(&version("1.9.0")), Some(view.clone()));
        assert_eq!(view.without(&version("1.10.0")), None);
    }

    #[test]
    fn a_manifest_is_what_its_digest_names() {
        let view = |text: &str| OciView::new(version("1.0.0"), OciContent::Manifest(text.to_owned()));
        assert!(view("{}").is_of(&Sha256Digest::of(b"{}")));
        assert!(!view("{} ").is_of(&Sha256Digest::of(b"{}")));
    }
}
