//! Rendered payloads: what was rendered before is answered again as long as its documents are the same.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use lru::LruCache;
use serde::Serialize;

use super::Request;
use super::refusal::Refusal;
use crate::digest::Sha256Digest;

/// How many bytes of payloads an isolate holds: a few thousand `versions` of an ordinary provider.
const LIMIT: usize = 16 * 1024 * 1024;

/// What a held payload costs beside its bytes: URL, list and map, generously.
const ENTRY_BYTES: usize = 512;

/// A payload and its entity tag.
#[derive(Debug, Clone)]
pub(super) struct Rendering {
    pub(super) bytes: Rc<[u8]>,
    pub(super) etag: String,
}

impl Rendering {
    pub(super) fn new(bytes: Rc<[u8]>) -> Self {
        let etag = format!("\"{}\"", Sha256Digest::of(&bytes));
        Self { bytes, etag }
    }
}

/// Renders a payload.
pub(super) fn render(payload: &impl Serialize) -> Result<Rc<[u8]>, Refusal> {
    Ok(serde_json::to_vec(payload)?.into())
}

#[derive(Debug)]
struct Held {
    sources: Vec<Sha256Digest>,
    rendering: Rendering,
}

impl Held {
    fn bytes(&self) -> usize {
        ENTRY_BYTES + self.rendering.bytes.len()
    }
}

/// The held payloads by URL, the least recently used leaving first.
#[derive(Debug)]
pub(super) struct Renderings {
    held: RefCell<LruCache<String, Held>>,
    bytes: Cell<usize>,
}

impl Default for Renderings {
    fn default() -> Self {
        Self { held: RefCell::new(LruCache::unbounded()), bytes: Cell::new(0) }
    }
}

impl Renderings {
    /// The payload of `request`'s URL: the held one if it was rendered from `sources`, else a new one.
    pub(super) fn find_or_render<P: Serialize>(
        &self,
        request: &Request<'_>,
        sources: &[Sha256Digest],
        payload: impl FnOnce() -> P,
    ) -> Result<Rendering, Refusal> {
        let url = format!("{}{}", request.origin, request.path);
        if let Some(held) = self.held.borrow_mut().get(&url).filter(|held| held.sources == sources) {
            return Ok(held.rendering.clone());
        }
        let rendering = Rendering::new(render(&payload())?);
        self.hold(url, Held { sources: sources.to_vec(), rendering: rendering.clone() });
        Ok(rendering)
    }

    fn hold(&self, url: String, held: Held) {
        let mut renderings = self.held.borrow_mut();
        let added = held.bytes();
        let replaced = renderings.put(url, held).map_or(0, |held| held.bytes());
        let mut bytes = self.bytes.get() + added - replaced;
        while bytes > LIMIT {
            let Some((_, evicted)) = renderings.pop_lru() else { break };
            bytes -= evicted.bytes();
        }
        self.bytes.set(bytes);
    }
}
