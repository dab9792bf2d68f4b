//! Workers KV: values, bulk writes and deletions, and the listing of keys.

use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::{Method, Response};
use serde::Deserialize;
use serde_json::json;

use super::reply::{broken, grant, refuse};
use super::{Asked, Namespace, Shared, locked};
use crate::cloudflare::server::{Body, answer};

/// The most pairs or keys of one request.
const MAX_BULK: usize = 10_000;

/// The most bytes of one request.
const MAX_BULK_BYTES: usize = 100 * 1000 * 1000;

/// The longest key.
const MAX_KEY_BYTES: usize = 512;

/// The most keys of a page, and how many there are unless another limit is named.
const PAGE: usize = 1000;

/// After how many seconds a key that was just written may be written again.
const RETRY_AFTER: u64 = 1;

#[derive(Deserialize)]
struct Pair {
    key: String,
    value: String,
    #[serde(default)]
    base64: bool,
}

impl Shared {
    pub(super) async fn kv(&self, id: &str, path: &[&str], asked: &Asked) -> Response<Body> {
        if !locked(&self.namespaces).contains_key(id) {
            return refuse(404, 10013, "namespace not found");
        }
        match (&asked.method, path) {
            (&Method::GET, ["values", key]) => self.value(id, key),
            (&Method::PUT, ["values", key]) => self.write(id, vec![((*key).to_owned(), asked.body.to_vec())]).await,
            (&Method::DELETE, ["values", key]) => self.delete(id, &[(*key).to_owned()]),
            (&Method::PUT, ["bulk"]) => self.write_bulk(id, asked).await,
            (&Method::POST, ["bulk", "delete"]) => match serde_json::from_slice::<Vec<String>>(&asked.body) {
                Ok(keys) if keys.len() <= MAX_BULK => self.delete(id, &keys),
                _ => refuse(400, 10023, "bulk delete: the body must be an array of at most 10000 keys"),
            },
            (&Method::GET, ["keys"]) => self.keys(id, asked),
            _ => refuse(405, 10000, "Method not allowed"),
        }
    }

    fn value(&self, id: &str, key: &str) -> Response<Body> {
        match locked(&self.namespaces).get(id).and_then(|namespace| namespace.get(key)) {
            Some(value) => answer(200, "application/octet-stream", value.clone()),
            None => refuse(404, 10009, "get: 'key not found'"),
        }
    }

    async fn write_bulk(&self, id: &str, asked: &Asked) -> Response<Body> {
        let pairs: Vec<Pair> = match serde_json::from_slice(&asked.body) {
            Ok(pairs) => pairs,
            Err(_) => return refuse(400, 10022, "bulk: the body must be an array of pairs"),
        };
        if pairs.len() > MAX_BULK || asked.body.len() > MAX_BULK_BYTES {
            return refuse(413, 10017, "bulk: the body is too large");
        }
        let decode = |pair: Pair| {
            let value = if pair.base64 { STANDARD.decode(pair.value).ok()? } else { pair.value.into_bytes() };
            Some((pair.key, value))
        };
        match pairs.into_iter().map(decode).collect() {
            Some(pairs) => self.write(id, pairs).await,
            None => refuse(400, 10022, "bulk: a value is not base64"),
        }
    }

    /// Writes pairs, unless one of their keys was written a moment ago.
    async fn write(&self, id: &str, pairs: Vec<(String, Vec<u8>)>) -> Response<Body> {
        if let Some((key, _)) = pairs.iter().find(|(key, _)| key.is_empty() || key.len() > MAX_KEY_BYTES) {
            return refuse(414, 10030, &format!("put: the key must have 1 to 512 bytes, not {}", key.len()));
        }
        let mut held = Vec::new();
        // In one order, so that two writers of the same keys do not wait for each other.
        let mut names: Vec<_> = pairs.iter().map(|(key, _)| format!("{id}/{key}")).collect();
        names.sort();
        names.dedup();
        for name in names {
            held.push(self.keys.key(&name).write_owned().await);
        }
        if !self.keys.allow(held.iter().map(|last| **last)) {
            return broken(429, Some(RETRY_AFTER));
        }
        for last in &mut held {
            **last = Some(Instant::now());
        }
        let count = pairs.len();
        if let Some(namespace) = locked(&self.namespaces).get_mut(id) {
            namespace.extend(pairs);
        }
        grant(&json!({ "successful_key_count": count, "unsuccessful_keys": [] }))
    }

    fn delete(&self, id: &str, keys: &[String]) -> Response<Body> {
        if let Some(namespace) = locked(&self.namespaces).get_mut(id) {
            for key in keys {
                namespace.remove(key);
            }
        }
        grant(&json!({ "successful_key_count": keys.len(), "unsuccessful_keys": [] }))
    }

    /// A page of keys; its cursor is the last one.
    fn keys(&self, id: &str, asked: &Asked) -> Response<Body> {
        let named = |name: &str| asked.query.get(name).map(String::as_str).unwrap_or_default();
        let limit = if named("limit").is_empty() { PAGE } else { named("limit").parse().unwrap_or(0) };
        if !(10..=PAGE).contains(&limit) {
            return refuse(400, 10016, "list: the limit must be between 10 and 1000");
        }
        let namespaces = locked(&self.namespaces);
        let empty = Namespace::new();
        let all = namespaces.get(id).unwrap_or(&empty).keys();
        let cursor = named("cursor");
        let mut rest =
            all.filter(|key| key.starts_with(named("prefix")) && (cursor.is_empty() || key.as_str() > cursor));
        let page: Vec<_> = rest.by_ref().take(limit).map(|key| json!({ "name": key })).collect();
        let last = page.last().and_then(|key| key.get("name")?.as_str()).unwrap_or_default().to_owned();
        let next = if rest.next().is_some() { last } else { String::new() };
        let info = json!({ "count": page.len(), "cursor": next });
        let envelope = json!({ "success": true, "errors": [], "messages": [], "result": page, "result_info": info });
        answer(200, "application/json", envelope.to_string())
    }
}
