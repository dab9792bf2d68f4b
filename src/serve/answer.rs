//! Answers: status, headers and body, before any runtime sees them.

use std::rc::Rc;

use serde::Serialize;

use super::condition::Conditions;
use super::rendered::Rendering;
use crate::protocol::oci::error::{self, Code};
use crate::route::{Route, RouteError};

/// The media type that clients demand, to the letter.
pub(super) const JSON: &str = "application/json";

/// The longest text of an error: every legal name fits.
const ERROR_CHARACTERS: usize = 600;

/// How errors are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// As the registry protocol does: texts.
    Registry,
    /// As OCI distribution does: codes and texts.
    Oci,
}

impl Dialect {
    /// The dialect of whoever asks for what a path was parsed to.
    pub(super) const fn of(parsed: &Result<Route, RouteError>) -> Self {
        match parsed {
            Ok(Route::Oci(_)) | Err(RouteError::Oci(_)) => Self::Oci,
            Ok(_) | Err(_) => Self::Registry,
        }
    }
}

/// The body of an error in the registry protocol.
#[derive(Serialize)]
struct Errors<'a> {
    errors: [&'a str; 1],
}

/// How long others may keep an answer, by how its subject changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CacheControl {
    /// It changes with a deployment.
    Configuration,
    /// It changes when somebody publishes.
    Listing,
    /// It never changes: its URL names its content.
    Immutable,
    /// It says something about this moment.
    Never,
}

impl CacheControl {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Configuration => "public, max-age=300",
            Self::Listing => "public, max-age=5",
            Self::Immutable => "public, max-age=31536000, immutable",
            Self::Never => "no-store",
        }
    }
}

/// What a client gets to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body<S> {
    /// Nothing.
    Empty,
    /// A document.
    Bytes(Rc<[u8]>),
    /// An archive, or a part of one.
    Stream(S),
}

/// One answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer<S> {
    /// The HTTP status.
    pub status: u16,
    /// The headers, by lower-case name.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Body<S>,
    /// What went wrong inside, for the operator's log alone.
    pub cause: Option<String>,
}

impl<S> Answer<S> {
    pub(super) fn new(status: u16, headers: Vec<(&'static str, String)>, body: Body<S>) -> Self {
        Self { status, headers, body, cause: None }
    }

    /// A document, or 304 if the client has it.
    pub(super) fn document(
        content_type: &str,
        cache_control: CacheControl,
        rendering: &Rendering,
        conditions: &Conditions,
    ) -> Self {
        let mut headers = validators(&rendering.etag, cache_control);
        if conditions.none_match(&rendering.etag) {
            return Self::new(304, headers, Body::Empty);
        }
        headers.push(("content-type", content_type.to_owned()));
        headers.push(("content-length", rendering.bytes.len().to_string()));
        Self::new(200, headers, Body::Bytes(rendering.bytes.clone()))
    }

    /// An error, told as `dialect` has it. What a client sent comes back in it, but not at any length.
    pub(super) fn error(status: u16, dialect: Dialect, code: Code, text: &str) -> Self {
        let mut text = text.to_owned();
        if let Some((end, _)) = text.char_indices().nth(ERROR_CHARACTERS) {
            text.truncate(end);
            text.push('…');
        }
        let body = match dialect {
            Dialect::Registry => serde_json::to_vec(&Errors { errors: [&text] }),
            Dialect::Oci => serde_json::to_vec(&error::render(code, &text)),
        };
        // Strings always have a JSON form.
        let body = body.unwrap_or_default();
        let headers = vec![
            ("cache-control", CacheControl::Never.as_str().to_owned()),
            ("content-type", JSON.to_owned()),
            ("content-length", body.len().to_string()),
        ];
        Self::new(status, headers, Body::Bytes(body.into()))
    }

    pub(super) fn with_header(mut self, name: &'static str, value: String) -> Self {
        self.headers.push((name, value));
        self
    }

    pub(super) fn with_cause(mut self, cause: String) -> Self {
        self.cause = Some(cause);
        self
    }

    pub(super) fn without_body(mut self) -> Self {
        self.body = Body::Empty;
        self
    }
}

/// What lets a client ask again for nothing.
pub(super) fn validators(etag: &str, cache_control: CacheControl) -> Vec<(&'static str, String)> {
    vec![("etag", etag.to_owned()), ("cache-control", cache_control.as_str().to_owned())]
}
