//! Workers KV, through Cloudflare's REST API.

use reqwest::{Method, StatusCode};

use super::Refusal;
use super::api::{Api, Call, Content, is_forbidden};
use super::identifier::KvNamespaceId;
use super::sender::Answer;
use crate::store::Cause;

/// "key not found".
const NO_KEY: u32 = 10009;

/// "namespace not found".
const NO_NAMESPACE: u32 = 10013;

/// "could not parse UUID from request's namespace_id".
const ILLEGAL_NAMESPACE: u32 = 10011;

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

    pub(super) async fn write(&self, key: &str, bytes: &[u8]) -> Result<(), Cause> {
        let answer = self.value(Method::PUT, key, Content::Value(bytes.to_vec().into())).await?;
        if answer.status.is_success() { Ok(()) } else { Err(self.refusal(&answer)) }
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
        self.api.call(Call { method, path: &path, query, content }).await
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
