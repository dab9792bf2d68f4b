//! One document and its copy, held against each other.

use yuba::digest::Sha256Digest;
use yuba::keys::DocumentKey;

use super::Difference;
use crate::documents::{self, AccessError};
use crate::store::{Store, StoreError};

/// What a document and its copy come to.
pub(super) enum Examined {
    /// They are the same.
    Same,
    /// They are not; the document's bytes.
    Differs(Difference, Vec<u8>),
    /// The document is none that could be copied.
    Unusable(AccessError),
}

/// Looks at the document under `key`, of which KV has a copy if `is_listed`. `written` is the digest of what was written
/// to KV here.
pub(super) async fn examine(
    store: &dyn Store,
    key: DocumentKey,
    is_listed: bool,
    written: Option<Sha256Digest>,
) -> Result<(DocumentKey, Examined), StoreError> {
    let Some(stored) = store.read(&key).await? else {
        let error = AccessError::Missing(key.object());
        return Ok((key, Examined::Unusable(error)));
    };
    if let Err(error) = documents::check(&key, &stored.bytes) {
        return Ok((key, Examined::Unusable(error)));
    }
    if written == Some(Sha256Digest::of(&stored.bytes)) {
        return Ok((key, Examined::Same));
    }
    let copy = if is_listed { store.read_copy(&key).await? } else { None };
    let examined = match copy {
        Some(bytes) if bytes == stored.bytes => Examined::Same,
        Some(_) => Examined::Differs(Difference::Different, stored.bytes),
        None => Examined::Differs(Difference::Missing, stored.bytes),
    };
    Ok((key, examined))
}
