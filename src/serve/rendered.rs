//! Rendered answers: what was rendered before is answered again as long as its documents are the same.

use std::cell::RefCell;
use std::rc::Rc;

use serde::Serialize;

use super::bounded::Bounded;
use crate::digest::Sha256Digest;

/// How many bytes of answers an isolate holds: a few thousand `versions` of an ordinary provider.
const LIMIT: usize = 8 * 1024 * 1024;

/// An answer's bytes and their entity tag.
#[derive(Debug, Clone)]
pub(super) struct Rendering {
    pub(super) bytes: Rc<[u8]>,
    pub(super) etag: Rc<str>,
}

impl Rendering {
    pub(super) fn new(bytes: Rc<[u8]>) -> Self {
        let etag = format!("\"{}\"", Sha256Digest::of(&bytes)).into();
        Self { bytes, etag }
    }

    /// Renders a payload as JSON.
    pub(super) fn json(payload: &impl Serialize) -> serde_json::Result<Self> {
        Ok(Self::new(serde_json::to_vec(payload)?.into()))
    }
}

#[derive(Debug)]
struct Held {
    sources: Vec<Sha256Digest>,
    rendering: Rendering,
}

/// The held answers by URL. The URL is the route's own, not the client's: there are many ways to encode one.
#[derive(Debug)]
pub(super) struct Renderings(RefCell<Bounded<String, Held>>);

impl Default for Renderings {
    fn default() -> Self {
        Self(RefCell::new(Bounded::new(LIMIT)))
    }
}

impl Renderings {
    /// The answer at `url`: the held one if it was rendered from `sources`, else a new one.
    pub(super) fn find_or_render(
        &self,
        url: String,
        sources: &[Sha256Digest],
        render: impl FnOnce() -> serde_json::Result<Rendering>,
    ) -> serde_json::Result<Rendering> {
        if let Some(rendering) = self.find(&url, sources) {
            return Ok(rendering);
        }
        let rendering = render()?;
        self.hold(url, sources, rendering.clone());
        Ok(rendering)
    }

    fn find(&self, url: &String, sources: &[Sha256Digest]) -> Option<Rendering> {
        let mut held = self.0.borrow_mut();
        held.get(url).filter(|held| held.sources == sources).map(|held| held.rendering.clone())
    }

    fn hold(&self, url: String, sources: &[Sha256Digest], rendering: Rendering) {
        let bytes = url.len() + rendering.bytes.len();
        self.0.borrow_mut().put(url, Held { sources: sources.to_vec(), rendering }, bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(text: &'static str) -> impl FnOnce() -> serde_json::Result<Rendering> {
        move || Rendering::json(&text)
    }

    #[test]
    fn what_was_rendered_is_answered_until_its_sources_change() {
        let renderings = Renderings::default();
        let url = || "https://a.example/x".to_owned();
        let [one, other] = [b"1", b"2"].map(|source| Sha256Digest::of(source));
        let first = renderings.find_or_render(url(), &[one], render("first")).unwrap();
        let again = renderings.find_or_render(url(), &[one], render("again")).unwrap();
        assert!(Rc::ptr_eq(&first.bytes, &again.bytes));
        let changed = renderings.find_or_render(url(), &[other], render("changed")).unwrap();
        assert_eq!(&*changed.bytes, b"\"changed\"");
        let elsewhere = renderings.find_or_render("https://b.example/x".to_owned(), &[other], render("elsewhere"));
        assert_eq!(&*elsewhere.unwrap().bytes, b"\"elsewhere\"");
    }
}
