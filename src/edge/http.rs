//! HTTP as the runtime has it, to and from [`serve`](crate::serve)'s.

use worker::worker_sys::web_sys;
use worker::{Headers, Response};

use super::storage::Stream;
use crate::route::OCI_PATH;
use crate::serve::{Answer, Body, Conditions, Request};

/// The parts of a request that are looked at, out of the runtime's hands.
pub(super) struct Received {
    pub(super) method: String,
    pub(super) url: String,
    conditions: Conditions,
    accept: Option<String>,
}

impl Received {
    pub(super) fn new(request: &web_sys::Request) -> Self {
        let headers = request.headers();
        let header = |name| headers.get(name).ok().flatten();
        let url = request.url();
        // Each header costs a call into the runtime, and only manifests look at this one.
        let accept = if url.contains(OCI_PATH) { header("accept") } else { None };
        Self {
            method: request.method(),
            url,
            accept,
            conditions: Conditions {
                if_none_match: header("if-none-match"),
                if_range: header("if-range"),
                range: header("range"),
            },
        }
    }

    pub(super) fn request(&self) -> Request<'_> {
        let request = Request::new(&self.method, &self.url, self.conditions.clone());
        Request { accept: self.accept.as_deref(), ..request }
    }
}

/// Hands an answer to the runtime. A HEAD's `content-length` stays, because there is no body at all.
pub(super) fn respond(answer: Answer<Stream>) -> worker::Result<Response> {
    let headers = Headers::new();
    for (name, value) in &answer.headers {
        headers.set(name, value)?;
    }
    let response = Response::builder().with_status(answer.status).with_headers(headers);
    Ok(match answer.body {
        Body::Empty => response.empty(),
        Body::Bytes(bytes) => response.fixed(bytes.to_vec()),
        Body::Stream(stream) => response.body(stream),
    })
}
