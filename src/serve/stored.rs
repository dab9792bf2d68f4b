//! Stored documents: parsed, with the digest of the bytes they were read from.
//!
//! A key says which kind of document is under it. What is held is of any kind, so that reading and holding is one piece
//! of code in the Worker and not one for each kind; what is handed out is of a known one.

use std::ops::Deref;
use std::rc::Rc;

use crate::digest::Sha256Digest;
use crate::document::{
    Document, DocumentError, IndexDocument, NamespaceDocument, OciView, ProviderDocument, ReleaseDocument,
};
use crate::keys::DocumentKey;

/// A document of the kind that its key says.
#[derive(Debug, Clone)]
pub(super) enum AnyDocument {
    Index(Rc<IndexDocument>),
    Namespace(Rc<NamespaceDocument>),
    Provider(Rc<ProviderDocument>),
    Release(Rc<ReleaseDocument>),
    OciView(Rc<OciView>),
}

/// A document of any kind, as it was stored.
#[derive(Debug, Clone)]
pub(super) struct AnyStored {
    pub(super) document: AnyDocument,
    pub(super) digest: Sha256Digest,
    /// Its size in bytes.
    pub(super) size: usize,
}

impl AnyStored {
    /// Reads the document under `key`.
    pub(super) fn read(key: &DocumentKey, bytes: &[u8]) -> Result<Self, DocumentError> {
        let document = match key {
            DocumentKey::Index => AnyDocument::Index(Rc::new(Document::from_json(bytes)?)),
            DocumentKey::Namespace(_) => AnyDocument::Namespace(Rc::new(Document::from_json(bytes)?)),
            DocumentKey::Provider(_) => AnyDocument::Provider(Rc::new(Document::from_json(bytes)?)),
            DocumentKey::Release(..) => AnyDocument::Release(Rc::new(Document::from_json(bytes)?)),
            DocumentKey::OciView(..) => AnyDocument::OciView(Rc::new(Document::from_json(bytes)?)),
        };
        Ok(Self { document, digest: Sha256Digest::of(bytes), size: bytes.len() })
    }

    pub(super) fn revision(&self) -> u64 {
        match &self.document {
            AnyDocument::Index(document) => document.revision(),
            AnyDocument::Namespace(document) => document.revision(),
            AnyDocument::Provider(document) => document.revision(),
            AnyDocument::Release(document) => document.revision(),
            AnyDocument::OciView(document) => document.revision(),
        }
    }

    /// Whether this is what `key` names, where that is a digest: any other bytes are not it.
    pub(super) fn is_of(&self, key: &DocumentKey) -> bool {
        match (key, &self.document) {
            (DocumentKey::Release(_, digest), _) => self.digest == *digest,
            (DocumentKey::OciView(_, digest), AnyDocument::OciView(view)) => view.is_of(digest),
            _ => true,
        }
    }
}

/// A kind of document.
pub(super) trait Kind: Document {
    /// The document, if it is of this kind.
    fn of(document: AnyDocument) -> Option<Rc<Self>>;
}

macro_rules! kinds {
    ($($kind:ident = $document:ty),*) => {$(
        impl Kind for $document {
            fn of(document: AnyDocument) -> Option<Rc<Self>> {
                match document {
                    AnyDocument::$kind(document) => Some(document),
                    _ => None,
                }
            }
        }
    )*};
}

kinds!(
    Index = IndexDocument,
    Namespace = NamespaceDocument,
    Provider = ProviderDocument,
    Release = ReleaseDocument,
    OciView = OciView
);

/// A document of a known kind, and the SHA-256 of the bytes it was read from.
#[derive(Debug)]
pub(super) struct Stored<D> {
    document: Rc<D>,
    digest: Sha256Digest,
}

impl<D: Kind> Stored<D> {
    /// The document, if it is of this kind, which that under a key of the kind is.
    pub(super) fn of(stored: AnyStored) -> Option<Self> {
        Some(Self { document: D::of(stored.document)?, digest: stored.digest })
    }
}

impl<D> Stored<D> {
    pub(super) const fn digest(&self) -> Sha256Digest {
        self.digest
    }
}

impl<D> Deref for Stored<D> {
    type Target = D;

    fn deref(&self) -> &D {
        &self.document
    }
}
