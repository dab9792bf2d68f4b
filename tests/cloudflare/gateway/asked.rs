//! A request of the S3 API, taken apart.

use std::fmt;
use std::path::Path;

use bytes::Bytes;
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::{Method, Request};
use percent_encoding::percent_decode_str;

use crate::cloudflare::server::Cut;

/// The largest body that is sent whole before the answer to it can come.
const LARGE_BODY_BYTES: usize = 16 * 1024;

/// A request, taken apart.
pub(super) struct Asked {
    pub(super) method: Method,
    pub(super) bucket: String,
    pub(super) key: String,
    pub(super) query: String,
    pub(super) headers: hyper::HeaderMap,
    /// The path as it was signed.
    pub(super) path: String,
    pub(super) body: Bytes,
}

impl Asked {
    pub(super) async fn parse(request: Request<Incoming>) -> Result<Self, Cut> {
        let (parts, body) = request.into_parts();
        let path = parts.uri.path().to_owned();
        let decoded = percent_decode_str(path.trim_start_matches('/')).decode_utf8_lossy();
        let (bucket, key) = decoded.split_once('/').unwrap_or((&decoded, ""));
        Ok(Self {
            method: parts.method,
            bucket: bucket.to_owned(),
            key: key.to_owned(),
            query: parts.uri.query().map(|query| format!("?{query}")).unwrap_or_default(),
            headers: parts.headers,
            path,
            body: body.collect().await.map_err(|_| Cut)?.to_bytes(),
        })
    }

    /// The value of a parameter, if it is there.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        let mut pairs =
            self.query.trim_start_matches('?').split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        pairs.find_map(|(found, value)| (found == name).then_some(value))
    }

    fn asks(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// Whether this is about a part, or the beginning of an upload in parts.
    pub(super) fn is_part(&self) -> bool {
        self.asks("partNumber") || self.asks("uploads") || (self.asks("uploadId") && self.method == Method::DELETE)
    }

    /// Whether the key must not exist and does, and the body is so large that the server would refuse it unread, and cut
    /// the connection of whoever still sends.
    pub(super) fn is_refused_early(&self, root: &Path) -> bool {
        let is_creation = self.headers.get("if-none-match").is_some_and(|value| value == "*");
        is_creation && self.body.len() > LARGE_BODY_BYTES && root.join(&self.bucket).join(&self.key).exists()
    }

    /// Whether this may change what is under the key.
    pub(super) fn is_write(&self) -> bool {
        !self.key.is_empty() && matches!(self.method, Method::PUT | Method::POST | Method::DELETE) && !self.is_part()
    }
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} /{}/{}{}", self.method, self.bucket, self.key, self.query)
    }
}
