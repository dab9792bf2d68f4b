//! One document by itself: that it can be read, and is what its key and its form say.

use serde::Deserialize;
use yuba::digest::Sha256Digest;
use yuba::document::{
    Document, DocumentError, IndexDocument, NamespaceDocument, OciView, ProviderDocument, ReleaseDocument,
};
use yuba::keys::DocumentKey;

use crate::fsck::checks::documents::{
    DOCUMENT_ADDRESS, DOCUMENT_CANONICAL, DOCUMENT_NEWER, DOCUMENT_READABLE, DOCUMENT_REVISION, RELEASE_DIGEST,
};
use crate::fsck::finding::{Findings, Subject};

/// A document that says what it is about.
pub(in crate::fsck) trait Addressed: Document {
    /// Whether it is about what `key` names.
    fn is_about(&self, key: &DocumentKey) -> bool;
}

impl Addressed for IndexDocument {
    fn is_about(&self, key: &DocumentKey) -> bool {
        *key == DocumentKey::Index
    }
}

impl Addressed for NamespaceDocument {
    fn is_about(&self, key: &DocumentKey) -> bool {
        matches!(key, DocumentKey::Namespace(address)
            if address.hostname == self.hostname && address.namespace == self.namespace)
    }
}

impl Addressed for ProviderDocument {
    fn is_about(&self, key: &DocumentKey) -> bool {
        matches!(key, DocumentKey::Provider(address) if *address == self.address)
    }
}

impl Addressed for ReleaseDocument {
    fn is_about(&self, key: &DocumentKey) -> bool {
        matches!(key, DocumentKey::Release(address, _) if *address == self.release_address())
    }
}

impl Addressed for OciView {
    fn is_about(&self, key: &DocumentKey) -> bool {
        matches!(key, DocumentKey::OciView(_, digest) if self.is_of(digest))
    }
}

/// What every document starts with.
#[derive(Deserialize)]
struct Header {
    format: u32,
}

/// Judges the bytes of the document under `key`; the document, if it can be read at all.
pub(in crate::fsck) fn judge<D: Addressed>(key: &DocumentKey, bytes: &[u8], findings: &mut Findings) -> Option<D> {
    let subject = Subject::document(key);
    if let DocumentKey::Release(_, digest) = key {
        let found = Sha256Digest::of(bytes);
        if found != *digest {
            findings.add(&RELEASE_DIGEST, &subject, format!("has the SHA-256 {found}"));
            return None;
        }
    }
    let document = match parse::<D>(bytes) {
        Ok(document) => document,
        Err(error @ DocumentError::NewerFormat { .. }) => {
            findings.add(&DOCUMENT_NEWER, &subject, error);
            return None;
        }
        Err(error @ DocumentError::Json(_)) => {
            findings.add(&DOCUMENT_READABLE, &subject, error);
            return None;
        }
    };
    if !document.is_about(key) {
        findings.add(&DOCUMENT_ADDRESS, &subject, "is about something else");
        return None;
    }
    if !is_canonical(&document, bytes) {
        findings.add(&DOCUMENT_CANONICAL, &subject, "has other bytes than yuba writes for what it says");
    }
    if key.is_mutable() && document.revision() == 0 {
        findings.add(&DOCUMENT_REVISION, &subject, "has the revision 0");
    }
    Some(document)
}

/// Whether a document has the bytes that yuba writes for it.
pub(in crate::fsck) fn is_canonical(document: &impl Document, bytes: &[u8]) -> bool {
    document.to_json().is_ok_and(|canonical| canonical == bytes)
}

/// Reads a document; the format 0, which there never was, is none.
pub(in crate::fsck) fn parse<D: Document>(bytes: &[u8]) -> Result<D, DocumentError> {
    let document = D::from_json(bytes)?;
    let Header { format } = serde_json::from_slice(bytes)?;
    if format == 0 {
        let error = <serde_json::Error as serde::de::Error>::custom("there is no format 0");
        return Err(DocumentError::Json(error));
    }
    Ok(document)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(key: &DocumentKey, bytes: &[u8]) -> Vec<&'static str> {
        let mut findings = Findings::default();
        judge::<IndexDocument>(key, bytes, &mut findings);
        findings.finish().iter().map(|finding| finding.check.slug).collect()
    }

    #[test]
    fn documents_are_judged_by_their_bytes_and_their_key() {
        let key = DocumentKey::Index;
        let namespace = DocumentKey::Namespace(
            "a.example/b/c".parse::<yuba::address::ProviderAddress>().unwrap().namespace_address().clone(),
        );
        let sound = br#"{"format":1,"revision":1,"hostnames":{}}"#;
        let cases: [(&DocumentKey, &[u8], &[&str]); 9] = [
            (&key, sound, &[]),
            (&namespace, sound, &["document-address"]),
            (&key, b"", &["document-readable"]),
            (&key, br#"{"format":0,"revision":1,"hostnames":{}}"#, &["document-readable"]),
            (&key, br#"{"format":2,"revision":1,"hostnames":{}}"#, &["document-newer"]),
            (&key, br#"{"format":1,"revision":0,"hostnames":{}}"#, &["document-revision"]),
            (&key, br#"{"format":1,"revision":1,"hostnames":{} }"#, &["document-canonical"]),
            (&key, br#"{"revision":1,"format":1,"hostnames":{}}"#, &["document-canonical"]),
            (&key, br#"{"format":1,"revision":1,"hostnames":{},"x":1}"#, &["document-canonical"]),
        ];
        for (key, bytes, expected) in cases {
            assert_eq!(codes(key, bytes), expected, "{}", String::from_utf8_lossy(bytes));
        }
    }
}
