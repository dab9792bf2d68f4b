//! Workers KV, through Cloudflare's REST API.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use reqwest::{Method, StatusCode};
use serde::{Deserialize, Serialize};

use super::Refusal;
use super::api::{Api, Call, Content, envelope, is_forbidden};
use super::identifier::KvNamespaceId;
use super::sender::Answer;
use crate::backoff::TOTAL;
use crate::store::Cause;

/// "key not found".
const NO_KEY: u32 = 10009;

/// "namespace not found".
const NO_NAMESPACE: u32 = 10013;

/// "could not parse UUID from request's `namespace_id`".
const ILLEGAL_NAMESPACE: u32 = 10011;

/// How long a write may take, so that 16 publishers at once each get their turn of the one write per second and key.
/// Whoever waits for a writer that was killed waits for twice as long, so it is less than for everything else.
pub(super) const LONGEST_WRITE: Duration = Duration::from_mins(1);

/// The most pairs of one bulk write ("Write multiple key-value pairs").
const MAX_PAIRS: usize = 10_000;

/// The most bytes of keys and values of one bulk write. The API takes 100 MB; base64 and JSON take some of it, and
/// memory is not ours alone.
const MAX_PAIRS_BYTES: usize = 16 * 1024 * 1024;

/// The most keys of a page ("List a Namespace's Keys").
const PAGE: &str = "1000";

/// One pair of a bulk write.
#[derive(Serialize)]
struct Pair<'a> {
    key: &'a str,
    value: String,
    base64: bool,
}

impl<'a> Pair<'a> {
    fn new((key, bytes): &'a (String, &[u8])) -> Self {
        Self { key, value: BASE64.encode(bytes), base64: true }
    }
}

/// What came of a bulk write.
#[derive(Default, Deserialize)]
struct Bulk {
    #[serde(default)]
    unsuccessful_keys: Vec<String>,
}

/// A key in a listing.
#[derive(Deserialize)]
struct Key {
    name: String,
}

/// A KV namespace.
#[derive(Debug)]
pub(super) struct Kv {
    api: Api,
    namespace: KvNamespaceId,
}

impl Kv {
    pub(super) const fn new(api: Api, namespace: KvNamespaceId) -> Self {
        Self { api, namespace }
    }

    pub(super) async fn read(&self, key: &str) -> Result<Option<Vec<u8>>, Cause> {
        let answer = self.value(Method::GET, key, Content::Nothing).await?;
        match answer.status {
            StatusCode::OK => Ok(Some(answer.body.into())),
            StatusCode::NOT_FOUND if has_error(&answer, NO_KEY) => Ok(None),
            _ => Err(self.refusal(&answer)),
        }
    }

    /// Writes a value, or gives up after [`LONGEST_WRITE`].
    pub(super) async fn write(&self, key: &str, bytes: &[u8]) -> Result<(), Cause> {
        let answer = self.value(Method::PUT, key, Content::Value(bytes.to_vec().into())).await?;
        if answer.status.is_success() { Ok(()) } else { Err(self.refusal(&answer)) }
    }

    /// Writes pairs, as few requests as their limits allow.
    pub(super) async fn write_all(&self, pairs: &[(String, &[u8])]) -> Result<(), Cause> {
        for some in batches(pairs) {
            let body = serde_json::to_vec(&some.iter().map(Pair::new).collect::<Vec<_>>());
            let body = body.map_err(|_| Cause::Malformed("JSON for a bulk write"))?;
            let answer = self.call(Method::PUT, &["bulk"], &[], Content::Json(body.into())).await?;
            if !answer.status.is_success() {
                return Err(self.refusal(&answer));
            }
            let left = envelope::<Bulk>(&answer)?.result.unwrap_or_default().unsuccessful_keys;
            for (key, bytes) in some.iter().filter(|(key, _)| left.contains(key)) {
                self.write(key, bytes).await?;
            }
        }
        Ok(())
    }

    /// Deletes a key; that it is not there is no error.
    pub(super) async fn delete(&self, key: &str) -> Result<(), Cause> {
        let answer = self.value(Method::DELETE, key, Content::Nothing).await?;
        if answer.status.is_success() || has_error(&answer, NO_KEY) { Ok(()) } else { Err(self.refusal(&answer)) }
    }

    /// All keys.
    pub(super) async fn keys(&self) -> Result<Vec<String>, Cause> {
        let (mut keys, mut cursor) = (Vec::new(), String::new());
        loop {
            let query: &[_] =
                if cursor.is_empty() { &[("limit", PAGE)] } else { &[("limit", PAGE), ("cursor", &cursor)] };
            let answer = self.call(Method::GET, &["keys"], query, Content::Nothing).await?;
            if !answer.status.is_success() {
                return Err(self.refusal(&answer));
            }
            let page = envelope::<Vec<Key>>(&answer)?;
            keys.extend(page.result.unwrap_or_default().into_iter().map(|key| key.name));
            cursor = page.result_info.map(|info| info.cursor).unwrap_or_default();
            if cursor.is_empty() {
                keys.sort();
                return Ok(keys);
            }
        }
    }

    async fn value(&self, method: Method, key: &str, content: Content) -> Result<Answer, Cause> {
        self.call(method, &["values", key], &[], content).await
    }

    async fn call(
        &self,
        method: Method,
        path: &[&str],
        query: &[(&str, &str)],
        content: Content,
    ) -> Result<Answer, Cause> {
        let (account, namespace) = (self.api.account.to_string(), self.namespace.to_string());
        let path = [&["accounts", &account, "storage", "kv", "namespaces", &namespace], path].concat();
        let limit = if method == Method::PUT { LONGEST_WRITE } else { TOTAL };
        self.api.call(Call { method, path: &path, query, content, limit }).await
    }

    fn refusal(&self, answer: &Answer) -> Cause {
        self.api.refusal(answer, |errors, said| {
            let account = self.api.account.clone();
            match errors.first().map(|error| error.code) {
                Some(NO_NAMESPACE | ILLEGAL_NAMESPACE) => {
                    Some(Refusal::NoKvNamespace { account, namespace: self.namespace.clone() })
                }
                _ if is_forbidden(answer.status) => Some(Refusal::KvNamespace { account, said }),
                _ => None,
            }
        })
    }
}

fn has_error(answer: &Answer, code: u32) -> bool {
    super::envelope::errors(&answer.body).iter().any(|error| error.code == code)
}

/// Pairs in groups that one request takes.
fn batches<'a>(mut pairs: &'a [(String, &'a [u8])]) -> impl Iterator<Item = &'a [(String, &'a [u8])]> {
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let mut fits = |(key, value): &(String, &[u8])| {
            bytes += key.len() + value.len();
            bytes <= MAX_PAIRS_BYTES
        };
        // One pair that is larger than that is a request of its own.
        let count = pairs.iter().take(MAX_PAIRS).take_while(|pair| fits(pair)).count().max(1);
        let (some, rest) = pairs.split_at_checked(count)?;
        pairs = rest;
        Some(some)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bulk_write_keeps_the_limits() {
        let sizes = |pairs: &[(String, &[u8])]| batches(pairs).map(<[_]>::len).collect::<Vec<_>>();
        assert_eq!(sizes(&[]), [0_usize; 0]);
        let small = vec![("key".to_owned(), &b"value"[..]); 2 * MAX_PAIRS + 1];
        assert_eq!(sizes(&small), [MAX_PAIRS, MAX_PAIRS, 1]);
        let bytes = vec![0; MAX_PAIRS_BYTES / 2];
        let (large, huge) = (("k".to_owned(), &bytes[1..]), vec![0; MAX_PAIRS_BYTES + 1]);
        let huge = ("k".to_owned(), &huge[..]);
        assert_eq!(sizes(&[large.clone(), large.clone(), large.clone()]), [2, 1]);
        assert_eq!(sizes(&[large.clone(), huge.clone(), large]), [1, 1, 1]);
    }
}
