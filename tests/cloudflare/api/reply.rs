//! The envelope of every answer but a value.

use hyper::Response;
use serde_json::{Value, json};

use crate::cloudflare::server::{Body, answer};

/// An answer that grants.
pub(super) fn grant(result: &Value) -> Response<Body> {
    let envelope = json!({ "success": true, "errors": [], "messages": [], "result": result });
    answer(200, "application/json", envelope.to_string())
}

/// An answer that refuses.
pub(super) fn refuse(status: u16, code: u32, message: &str) -> Response<Body> {
    let errors = json!([{ "code": code, "message": message }]);
    let envelope = json!({ "success": false, "errors": errors, "messages": [], "result": null });
    answer(status, "application/json", envelope.to_string())
}

/// The answer of a fault.
pub(super) fn broken(status: u16, after: Option<u64>) -> Response<Body> {
    let mut refused = match status {
        429 => refuse(429, 971, "Please wait and consider throttling your request speed"),
        _ => answer(status, "text/html", "<html>upstream error"),
    };
    if let Some(seconds) = after {
        refused.headers_mut().insert("retry-after", seconds.into());
    }
    refused
}
