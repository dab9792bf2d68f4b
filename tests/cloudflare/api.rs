//! Cloudflare's REST API, as far as a token's verification and Workers KV go, after its documentation.

mod kv;
mod reply;
mod tokens;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::{Method, Request, Response};
use percent_encoding::percent_decode_str;

use super::faults::Faults;
use super::server::{Body, Cut, Server};
use super::throttle::{Keys, Throttle};
use super::{ACCOUNT, KV_NAMESPACE};
use reply::{broken, refuse};

use tokens::Tokens;
pub use tokens::{Permission, TokenKind};

/// A KV namespace's content.
pub(super) type Namespace = BTreeMap<String, Vec<u8>>;

/// The REST API.
pub struct Api {
    /// What goes wrong.
    pub faults: Faults,
    server: Server,
    shared: Arc<Shared>,
}

pub(super) struct Shared {
    namespaces: Mutex<BTreeMap<String, Namespace>>,
    tokens: Mutex<Tokens>,
    keys: Keys,
    faults: Faults,
}

/// A request, taken apart.
pub(super) struct Asked {
    pub(super) method: Method,
    /// The decoded parts of the path.
    pub(super) path: Vec<String>,
    pub(super) query: BTreeMap<String, String>,
    pub(super) authorization: String,
    pub(super) body: Bytes,
}

impl Api {
    pub(super) fn start(throttle: Throttle) -> Self {
        let faults = Faults::default();
        let namespaces = Mutex::new(BTreeMap::from([(KV_NAMESPACE.to_owned(), Namespace::new())]));
        let tokens = Mutex::new(Tokens::default());
        let shared = Arc::new(Shared { namespaces, tokens, keys: Keys::new(throttle), faults: faults.clone() });
        let served = Arc::clone(&shared);
        let server = Server::start(move |request| Box::pin(Arc::clone(&served).serve(request)));
        Self { faults, server, shared }
    }

    /// Where it listens.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.server.url
    }

    /// From now on, the token is of this kind, has this status, and may do this with KV.
    pub fn set_token(&self, kind: TokenKind, status: &str, permission: Permission) {
        locked(&self.shared.tokens).set(kind, status, permission);
    }

    /// How many writes were put off because their key had just been written.
    #[must_use]
    pub fn put_off(&self) -> usize {
        self.shared.keys.put_off()
    }

    /// Makes a KV namespace.
    pub fn make_namespace(&self, id: &str) {
        locked(&self.shared.namespaces).insert(id.to_owned(), Namespace::new());
    }

    /// What a KV namespace holds.
    #[must_use]
    pub fn namespace(&self, id: &str) -> BTreeMap<String, Vec<u8>> {
        locked(&self.shared.namespaces).get(id).cloned().unwrap_or_default()
    }
}

/// A panic elsewhere leaves these whole.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    async fn serve(self: Arc<Self>, request: Request<Incoming>) -> Result<Response<Body>, Cut> {
        let (parts, body) = request.into_parts();
        let fault = self.faults.next(format!("{} {}", parts.method, parts.uri));
        if let Some(answer) = fault.before(broken).await? {
            return Ok(answer);
        }
        let decoded = |part: &str| percent_decode_str(part).decode_utf8_lossy().into_owned();
        let header = parts.headers.get("authorization").and_then(|value| value.to_str().ok());
        let asked = Asked {
            method: parts.method,
            path: parts.uri.path().trim_start_matches('/').split('/').map(decoded).collect(),
            query: url::form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes()).into_owned().collect(),
            authorization: header.unwrap_or_default().to_owned(),
            body: body.collect().await.map_err(|_| Cut)?.to_bytes(),
        };
        fault.after(self.answer(&asked).await, broken)
    }

    async fn answer(&self, asked: &Asked) -> Response<Body> {
        let path: Vec<&str> = asked.path.iter().map(String::as_str).collect();
        match path.as_slice() {
            ["user", "tokens", "verify"] => locked(&self.tokens).verify(TokenKind::User, asked),
            ["accounts", ACCOUNT, "tokens", "verify"] => locked(&self.tokens).verify(TokenKind::Account, asked),
            ["accounts", ACCOUNT, "storage", "kv", "namespaces", id, rest @ ..] => {
                if let Some(refusal) = locked(&self.tokens).refusal(asked) {
                    return refusal;
                }
                self.kv(id, rest, asked).await
            }
            ["accounts", account, ..] => refuse(
                404,
                7003,
                &format!("Could not route to /accounts/{account}, perhaps your object identifier is invalid?"),
            ),
            _ => refuse(404, 7000, "No route for that URI"),
        }
    }
}
