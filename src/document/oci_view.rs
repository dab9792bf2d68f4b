//! OCI views: what an OCI client asks for by digest, derived from a release and stored before the release is listed.
//!
//! A digest says nothing of the version that it belongs to, and versions have a status, so a view names its releases: by
//! their documents too, because a version may have been tried with other content before it was listed.

use serde::{Deserialize, Serialize};

use super::Document;
use crate::digest::Sha256Digest;
use crate::version::Version;

/// What one digest names in the repositories of one provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OciView {
    format: u32,
    /// The releases that it belongs to, by version and the SHA-256 of their documents, oldest first: one, but for an
    /// archive that several have to the byte. Some may not be listed.
    pub releases: Vec<(Version, Sha256Digest)>,
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
    /// The view of what belongs to one release.
    #[must_use]
    pub fn new(release: (Version, Sha256Digest), content: OciContent) -> Self {
        Self { format: Self::FORMAT, releases: vec![release], content }
    }

    /// The same, belonging to `release` too.
    #[must_use]
    pub fn with(mut self, release: (Version, Sha256Digest)) -> Self {
        if let Err(position) = self.releases.binary_search(&release) {
            self.releases.insert(position, release);
        }
        self
    }

    /// The same, belonging to releases of other versions alone; nothing if there are none.
    #[must_use]
    pub fn without(mut self, version: &Version) -> Option<Self> {
        self.releases.retain(|(other, _)| other != version);
        (!self.releases.is_empty()).then_some(self)
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

    fn release(version: &str) -> (Version, Sha256Digest) {
        (version.parse().unwrap(), Sha256Digest::of(b""))
    }

    #[test]
    fn a_view_is_read_as_it_is_written() {
        let digest = Sha256Digest::of(b"");
        for (content, json) in [
            (OciContent::Index("{}".to_owned()), r#"{"index":"{}"}"#),
            (OciContent::Manifest("{}".to_owned()), r#"{"manifest":"{}"}"#),
            (OciContent::Layer { size: 9 }, r#"{"layer":{"size":9}}"#),
        ] {
            let view = OciView::new(release("1.0.0"), content);
            let json = format!(r#"{{"format":1,"releases":[["1.0.0","{digest}"]],"content":{json}}}"#);
            assert_eq!(String::from_utf8(view.to_json().unwrap()).unwrap(), json);
            assert_eq!(OciView::from_json(json.as_bytes()).unwrap(), view);
        }
    }

    #[test]
    fn releases_come_and_go() {
        let view = OciView::new(release("1.10.0"), OciContent::Layer { size: 9 });
        let both = view.clone().with(release("1.9.0"));
        assert_eq!(both.releases, [release("1.9.0"), release("1.10.0")]);
        assert_eq!(both.clone().with(release("1.9.0")), both);
        let tried = ("1.9.0".parse().unwrap(), Sha256Digest::of(b"x"));
        assert_eq!(both.clone().with(tried).releases.len(), 3);
        assert_eq!(both.without(&"1.9.0".parse().unwrap()), Some(view.clone()));
        assert_eq!(view.without(&"1.10.0".parse().unwrap()), None);
    }

    #[test]
    fn a_manifest_is_what_its_digest_names() {
        let view = |text: &str| OciView::new(release("1.0.0"), OciContent::Manifest(text.to_owned()));
        assert!(view("{}").is_of(&Sha256Digest::of(b"{}")));
        assert!(!view("{} ").is_of(&Sha256Digest::of(b"{}")));
    }
}
