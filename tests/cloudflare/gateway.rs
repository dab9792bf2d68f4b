//! R2's S3 API: what `s3s-fs` does not do as R2 does is done here.
//!
//! - A key is read and written by one at a time, so that conditional writes are atomic.
//! - A key takes one write per second, if that is asked for, and 429 beyond that.
//! - Unknown access keys, missing permissions and missing buckets are told in R2's words ("Error codes").
//! - Requests are forwarded as they are signed, and the server checks the signature. Only keys too long for the names
//!   of the server's files are renamed, and signed anew.

mod asked;
mod rename;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use http_body_util::{BodyExt as _, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::{Method, Request, Response};
use yuba::digest::Sha256Digest;

use asked::Asked;

use super::api::Permission;
use super::faults::Faults;
use super::s3s::S3s;
use super::server::{Body, Cut, Server, answer};
use super::throttle::{Keys, Throttle};
use super::{TOKEN, TOKEN_ID};

/// The longest key that the server's file names have room for: they hold it in base64.
const MAX_KEY_BYTES: usize = 140;

/// R2.
pub struct Gateway {
    /// What goes wrong.
    pub faults: Faults,
    server: Server,
    shared: Arc<Shared>,
}

struct Shared {
    root: PathBuf,
    upstream: S3s,
    client: reqwest::Client,
    keys: Keys,
    faults: Faults,
    permission: Mutex<Permission>,
    access_key: Mutex<String>,
    /// The keys that were renamed, by their new names.
    renamed: Mutex<HashMap<String, String>>,
}

impl Gateway {
    pub(super) fn start(root: &Path, throttle: Throttle) -> Result<Self, String> {
        let faults = Faults::default();
        let shared = Arc::new(Shared {
            root: root.to_owned(),
            upstream: S3s::start(root, TOKEN_ID, &secret())?,
            client: yuba_companion::tls::client().no_proxy().build().map_err(|error| error.to_string())?,
            keys: Keys::new(throttle),
            faults: faults.clone(),
            permission: Mutex::new(Permission::Edit),
            access_key: Mutex::new(TOKEN_ID.to_owned()),
            renamed: Mutex::default(),
        });
        let served = Arc::clone(&shared);
        let server = Server::start(move |request| Box::pin(Arc::clone(&served).serve(request)));
        Ok(Self { faults, server, shared })
    }

    /// Where it listens.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.server.url
    }

    /// Where the S3 server behind it listens.
    #[must_use]
    pub fn upstream(&self) -> &str {
        &self.shared.upstream.url
    }

    /// How many writes were put off because their key had just been written.
    #[must_use]
    pub fn put_off(&self) -> usize {
        self.shared.keys.put_off()
    }

    /// From now on, the key pair may do this.
    pub fn permit(&self, permission: Permission) {
        *self.shared.permission.lock().unwrap_or_else(PoisonError::into_inner) = permission;
    }

    /// From now on, no other access key id is known.
    pub fn know(&self, access_key: &str) {
        access_key.clone_into(&mut self.shared.access_key.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// The secret access key of the one key pair: the SHA-256 of the token.
fn secret() -> String {
    Sha256Digest::of(TOKEN.as_bytes()).to_string()
}

fn refuse(status: u16, code: &str, message: &str) -> Response<Body> {
    let body = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>{code}</Code><Message>{message}</Message></Error>"
    );
    answer(status, "application/xml", body)
}

/// The answer of a fault.
fn broken(status: u16, after: Option<u64>) -> Response<Body> {
    let (code, message) = match status {
        429 => ("TooManyRequests", "Please reduce your request rate."),
        503 => ("ServiceUnavailable", "Please try again."),
        _ => ("InternalError", "We encountered an internal error. Please try again."),
    };
    let mut refused = refuse(status, code, message);
    if let Some(seconds) = after {
        refused.headers_mut().insert("retry-after", seconds.into());
    }
    refused
}

impl Shared {
    async fn serve(self: Arc<Self>, request: Request<Incoming>) -> Result<Response<Body>, Cut> {
        let asked = Asked::parse(request).await?;
        let fault = self.faults.next(asked.to_string());
        if let Some(answer) = fault.before(broken).await? {
            return Ok(answer);
        }
        let answer = match self.refusal(&asked) {
            Some(refusal) => refusal,
            None => self.serve_one_at_a_time(asked).await?,
        };
        fault.after(answer, broken)
    }

    /// What R2 refuses before it looks for a key.
    fn refusal(&self, asked: &Asked) -> Option<Response<Body>> {
        let authorization = asked.headers.get("authorization").and_then(|value| value.to_str().ok())?;
        let known = self.access_key.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if !authorization.contains(&format!("Credential={known}/")) {
            return Some(refuse(401, "Unauthorized", "Unauthorized"));
        }
        let permission = *self.permission.lock().unwrap_or_else(PoisonError::into_inner);
        let is_read = matches!(asked.method, Method::GET | Method::HEAD);
        if !permission.allows(is_read) {
            return Some(refuse(403, "AccessDenied", "Access Denied"));
        }
        if !self.root.join(&asked.bucket).is_dir() {
            return Some(refuse(404, "NoSuchBucket", "The specified bucket does not exist."));
        }
        // The server answers 403 there.
        if asked.value("uploadId").is_some_and(|id| !self.root.join(format!(".upload-{id}.json")).exists()) {
            return Some(refuse(404, "NoSuchUpload", "The specified multipart upload does not exist."));
        }
        None
    }

    async fn serve_one_at_a_time(self: &Arc<Self>, asked: Asked) -> Result<Response<Body>, Cut> {
        let key = self.keys.key(&format!("{}/{}", asked.bucket, asked.key));
        if asked.is_write() {
            let mut last = key.write_owned().await;
            if !self.keys.allow([*last]) {
                return Ok(broken(429, None));
            }
            if asked.is_refused_early(&self.root) {
                return Ok(refuse(
                    412,
                    "PreconditionFailed",
                    "At least one of the preconditions you specified did not hold.",
                ));
            }
            let answer = self.forward(asked).await?;
            if answer.status().is_success() {
                *last = Some(Instant::now());
            }
            return self.held(answer).await;
        }
        if asked.key.is_empty() || asked.is_part() {
            return self.forward(asked).await;
        }
        let _held = key.read_owned().await;
        let answer = self.forward(asked).await?;
        self.held(answer).await
    }

    /// The answer with its body, while the key is held; a large one is what never changes, and is streamed.
    async fn held(&self, answer: Response<Body>) -> Result<Response<Body>, Cut> {
        let length = answer.headers().get("content-length").and_then(|length| length.to_str().ok()?.parse().ok());
        if length.is_some_and(|length: u64| length > 1 << 20) {
            return Ok(answer);
        }
        let (parts, body) = answer.into_parts();
        let body = body.collect().await.map_err(|_| Cut)?.to_bytes();
        Ok(Response::from_parts(parts, super::server::whole(body)))
    }

    async fn forward(&self, asked: Asked) -> Result<Response<Body>, Cut> {
        let asked = if asked.key.len() > MAX_KEY_BYTES { self.renamed(asked) } else { asked };
        let url = format!("{}{}{}", self.upstream.url, asked.path, asked.query);
        let is_list = asked.key.is_empty();
        let request = self.client.request(asked.method, url).headers(asked.headers).body(asked.body);
        let got = request.send().await.map_err(|_| Cut)?;
        let mut answer = Response::new(());
        *answer.status_mut() = got.status();
        *answer.headers_mut() = got.headers().clone();
        let (parts, ()) = answer.into_parts();
        if is_list {
            return self.unrenamed(parts, got).await;
        }
        let stream = futures_util::stream::unfold(got, |mut got| async move {
            let piece = got.chunk().await.map_err(std::io::Error::other).transpose()?;
            Some((piece.map(Frame::data), got))
        });
        Ok(Response::from_parts(parts, StreamBody::new(stream).boxed_unsync()))
    }
}
