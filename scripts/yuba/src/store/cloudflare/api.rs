//! Cloudflare's REST API: requests with the token, and what its refusals mean.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Method, StatusCode};
use serde::de::DeserializeOwned;
use url::Url;

use super::Refusal;
use super::endpoint::Endpoint;
use super::envelope::{ApiError, Envelope, errors, said};
use super::identifier::AccountId;
use super::sender;
use super::sender::{Answer, Outgoing, Sender};
use super::token::{CredentialsError, Token};
use crate::store::Cause;

/// The REST API, for one account.
#[derive(Debug, Clone)]
pub(super) struct Api {
    sender: Arc<Sender>,
    url: Url,
    authorization: HeaderValue,
    pub(super) account: AccountId,
}

/// A request of the API.
pub(super) struct Call<'a> {
    pub(super) method: Method,
    /// The parts of the path, not yet encoded.
    pub(super) path: &'a [&'a str],
    pub(super) query: &'a [(&'a str, &'a str)],
    pub(super) content: Content,
    /// How long it may take.
    pub(super) limit: Duration,
}

/// The body of a request.
pub(super) enum Content {
    /// None.
    Nothing,
    /// A value.
    Value(Bytes),
    /// JSON.
    Json(Bytes),
}

impl Api {
    pub(super) fn new(
        endpoint: &Endpoint,
        account: AccountId,
        token: &Token,
        sender: Arc<Sender>,
    ) -> Result<Self, CredentialsError> {
        let url = endpoint.as_str().parse().map_err(|_| CredentialsError::Token)?;
        Ok(Self { sender, url, authorization: token.authorization()?, account })
    }

    /// The answer to a call, whatever it is.
    pub(super) async fn call(&self, call: Call<'_>) -> Result<Answer, Cause> {
        let mut url = self.url.clone();
        url.path_segments_mut().map_err(|()| Cause::Malformed("an address with a path"))?.extend(call.path);
        if !call.query.is_empty() {
            url.query_pairs_mut().extend_pairs(call.query);
        }
        let mut headers = HeaderMap::from_iter([(AUTHORIZATION, self.authorization.clone())]);
        let (content_type, body) = match call.content {
            Content::Nothing => (None, Bytes::new()),
            Content::Value(bytes) => (Some("application/octet-stream"), bytes),
            Content::Json(bytes) => (Some("application/json"), bytes),
        };
        headers.extend(content_type.map(|content_type| (CONTENT_TYPE, HeaderValue::from_static(content_type))));
        self.sender.send_within(&Outgoing { method: call.method, url, headers, body: vec![body] }, call.limit).await
    }

    /// The cause that a refusal comes to; `specific` knows what it means where the call was.
    pub(super) fn refusal(
        &self,
        answer: &Answer,
        specific: impl FnOnce(&[ApiError], String) -> Option<Refusal>,
    ) -> Cause {
        let errors = errors(&answer.body);
        let text = match errors.as_slice() {
            [] => sender::said(&String::from_utf8_lossy(&answer.body)),
            errors => said(errors),
        };
        let account = self.account.clone();
        let general = match errors.first().map(|error| error.code) {
            // "Could not route", "no route": no account of that id.
            Some(7000 | 7003) => Some(Refusal::NoAccount { account, said: text.clone() }),
            // "Invalid API Token", "Invalid request headers", "Invalid access token".
            Some(1000 | 6003 | 6111 | 9106 | 9109) => Some(Refusal::Token(text.clone())),
            _ => None,
        };
        let refusal = general.or_else(|| specific(&errors, text.clone()));
        refusal.map_or(Cause::Refused { status: answer.status.as_u16(), text }, Cause::Cloudflare)
    }
}

/// The envelope of an answer that is not a refusal.
pub(super) fn envelope<T: DeserializeOwned>(answer: &Answer) -> Result<Envelope<T>, Cause> {
    serde_json::from_slice(&answer.body).map_err(|_| Cause::Malformed("an envelope of Cloudflare's API"))
}

/// Whether an answer refuses the token what it asked for.
pub(super) const fn is_forbidden(status: StatusCode) -> bool {
    matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN)
}
