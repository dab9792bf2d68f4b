//! Documents: the facts that publishing stores and every protocol is rendered from.
//!
//! Each is JSON with a `format`. A reader that meets a newer format than it knows refuses it rather than misread it.
//! Rendering is canonical (fields in declaration order, maps sorted), so equal documents have equal bytes.

pub mod index;
pub mod namespace;
pub mod oci_view;
pub mod provider;
pub mod release;

pub use index::IndexDocument;
pub use namespace::{KeyRevocation, NamespaceDocument, RevocationPolicy, SigningKey, Standing, Visibility};
pub use oci_view::{OciContent, OciView};
pub use provider::{Deprecation, ProviderDocument, Status, VersionEntry};
pub use release::{Package, ReleaseDocument};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Why stored bytes are no document.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// The document was written by a newer yuba.
    #[error("document has format {found}, this yuba reads {known} and older")]
    NewerFormat {
        /// The document's format.
        found: u32,
        /// The newest format that is understood.
        known: u32,
    },
    /// The bytes are not the JSON of such a document.
    #[error("document cannot be read: {0}")]
    Json(#[from] serde_json::Error),
}

/// What is stored under a [`DocumentKey`](crate::keys::DocumentKey).
pub trait Document: Serialize + DeserializeOwned {
    /// The format that this yuba writes, and the newest that it reads.
    const FORMAT: u32;

    /// Counts the swaps of a mutable document; 0 for an immutable one. The higher of two copies is the newer.
    fn revision(&self) -> u64;

    /// Reads a document.
    ///
    /// # Errors
    /// [`DocumentError`] if the bytes are not such a document or its format is newer.
    fn from_json(bytes: &[u8]) -> Result<Self, DocumentError> {
        let Header { format } = serde_json::from_slice(bytes)?;
        if format > Self::FORMAT {
            return Err(DocumentError::NewerFormat { found: format, known: Self::FORMAT });
        }
        Ok(serde_json::from_slice(bytes)?)
    }

    /// Renders the document, the same bytes for the same facts.
    ///
    /// # Errors
    /// [`DocumentError::Json`] if it cannot be rendered, which no document of this module does.
    fn to_json(&self) -> Result<Vec<u8>, DocumentError> {
        Ok(serde_json::to_vec(self)?)
    }
}

/// What every document starts with.
#[derive(Deserialize)]
struct Header {
    format: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_format_is_refused_rather_than_misread() {
        let error = IndexDocument::from_json(br#"{"format":2,"hostnames":"moved"}"#).unwrap_err();
        assert_eq!(error.to_string(), "document has format 2, this yuba reads 1 and older");
    }

    #[test]
    fn bytes_that_are_no_document_are_refused() {
        for bytes in [
            &b""[..],
            b"null",
            b"{}",
            br#"{"format":"1"}"#,
            br#"{"format":1}"#,
            br#"{"format":1,"revision":0,"hostnames":{"A_B":{}}}"#,
        ] {
            assert!(matches!(IndexDocument::from_json(bytes), Err(DocumentError::Json(_))));
        }
    }
}
