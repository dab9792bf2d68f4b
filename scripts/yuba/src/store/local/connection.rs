//! How a storage worker is reached: an address on this machine, and the token that it asks for.

use std::fmt;
use std::time::Duration;

use reqwest::header::HeaderValue;
use reqwest::{Client, Method, RequestBuilder, redirect};
use serde::Deserialize;
use url::Url;

use crate::store::Cause;
use crate::store::loopback::is_loopback;
use crate::tls;

/// How long a server on this machine may take to accept a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// How long an answer may stand still. Storage on this machine is never that slow.
const READ_TIMEOUT: Duration = Duration::from_mins(1);

/// How long a server may take to say that it is one.
const PROBE_TIMEOUT: Duration = Duration::from_secs(5);

/// Why an address cannot be one of local storage.
#[derive(Debug, thiserror::Error)]
pub enum ConnectionError {
    /// The address is elsewhere.
    #[error("storage address `{0}` is not http:// on this machine")]
    Elsewhere(String),
    /// The token cannot be sent.
    #[error("storage token is not one line of ASCII")]
    Token,
    /// The HTTP client cannot be made.
    #[error("cannot make an HTTP client")]
    Client(#[source] reqwest::Error),
}

/// A storage worker's token. It has no `Display`, and its `Debug` does not show it.
#[derive(Clone, Deserialize)]
#[serde(transparent)]
pub struct Token(String);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// A way to a storage worker.
#[derive(Debug, Clone)]
pub struct Connection {
    client: Client,
    url: Url,
    authorization: HeaderValue,
}

#[derive(Deserialize)]
struct Greeting {
    ok: bool,
}

impl Connection {
    /// The way to the storage worker at `url`.
    ///
    /// # Errors
    /// [`ConnectionError`] if `url` is not on this machine or `token` is none.
    pub fn new(url: &str, token: &Token) -> Result<Self, ConnectionError> {
        let elsewhere = || ConnectionError::Elsewhere(url.to_owned());
        let parsed: Url = url.parse().map_err(|_| elsewhere())?;
        if !is_loopback(&parsed) {
            return Err(elsewhere());
        }
        let mut authorization =
            HeaderValue::from_str(&format!("Bearer {}", token.0)).map_err(|_| ConnectionError::Token)?;
        authorization.set_sensitive(true);
        let client = tls::client()
            .no_proxy()
            .redirect(redirect::Policy::none())
            .connect_timeout(CONNECT_TIMEOUT)
            .read_timeout(READ_TIMEOUT)
            .build()
            .map_err(ConnectionError::Client)?;
        Ok(Self { client, url: parsed, authorization })
    }

    /// Whether a storage worker that takes the token answers.
    pub async fn answers(&self) -> bool {
        let request = self.authorized(Method::GET, self.url.clone()).timeout(PROBE_TIMEOUT);
        let Ok(answer) = request.send().await else { return false };
        answer.status().is_success() && answer.json().await.is_ok_and(|Greeting { ok }| ok)
    }

    /// A request about one key of `storage` (`r2`, `kv`).
    pub(super) fn request(&self, method: Method, storage: &str, key: &str) -> Result<RequestBuilder, Cause> {
        let mut url = self.url.clone();
        let mut segments = url.path_segments_mut().map_err(|()| Cause::Malformed("an address with a path"))?;
        segments.clear().push(storage).extend(key.split('/'));
        drop(segments);
        Ok(self.authorized(method, url))
    }

    /// A request for the keys in `storage`.
    pub(super) fn list(&self, storage: &str, query: &[(&str, &str)]) -> RequestBuilder {
        let mut url = self.url.clone();
        url.set_path(storage);
        url.query_pairs_mut().extend_pairs(query);
        self.authorized(Method::GET, url)
    }

    fn authorized(&self, method: Method, url: Url) -> RequestBuilder {
        self.client.request(method, url).header(reqwest::header::AUTHORIZATION, self.authorization.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token() -> Token {
        Token("secret".to_owned())
    }

    #[test]
    fn only_this_machine_is_spoken_to() {
        for url in ["http://127.0.0.1:8787", "http://localhost:1/", "http://[::1]:80"] {
            assert!(Connection::new(url, &token()).is_ok(), "{url}");
        }
        for url in
            ["", "http://example.com", "http://10.0.0.1", "https://localhost", "http://localhost.example", "file:///"]
        {
            assert!(matches!(Connection::new(url, &token()), Err(ConnectionError::Elsewhere(_))), "{url}");
        }
    }

    #[test]
    fn no_token_is_printed() {
        let connection = Connection::new("http://127.0.0.1:1", &token()).unwrap();
        assert!(!format!("{connection:?} {:?}", token()).contains("secret"));
    }

    #[test]
    fn keys_are_encoded_segment_by_segment() {
        let connection = Connection::new("http://127.0.0.1:1", &token()).unwrap();
        let request = connection.request(Method::GET, "r2", "meta/release/a:1/straße/dns/1.0.0+b/0").unwrap();
        let url = request.build().unwrap().url().to_string();
        assert_eq!(url, "http://127.0.0.1:1/r2/meta/release/a:1/stra%C3%9Fe/dns/1.0.0+b/0");
    }
}
