//! The transport of the S3 client: every request of `object_store` goes through [`Sender`], which alone tries again.

use std::error::Error;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use futures::{Stream, stream};
use http_body::Frame;
use http_body_util::{BodyExt as _, StreamBody};
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpRequestBody, HttpResponse, HttpResponseBody,
    HttpService,
};
use reqwest::header::{HeaderValue, IF_NONE_MATCH};
use reqwest::{Method, Response, StatusCode};

use super::Refusal;
use super::bindings::Bindings;
use super::sender::{Answer, Outgoing, Sender, element, said};
use super::stall::{Progress, watched};
use crate::store::Cause;

/// Whether an upload in parts may take the place of what is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Completion {
    /// Only a key that does not exist.
    Create,
    /// Any key.
    Replace,
}

/// R2, as the S3 client sees it.
#[derive(Debug, Clone)]
pub(super) struct Service {
    sender: Arc<Sender>,
    bindings: Arc<Bindings>,
    completion: Completion,
}

/// What `object_store` hands back as the source of its own error.
#[derive(Debug)]
enum Handed {
    /// Why there is no answer.
    Cause(Mutex<Option<Cause>>),
    /// The condition does not hold, perhaps because an earlier try did what was asked.
    Doubt,
}

impl fmt::Display for Handed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("handed through")
    }
}

impl Error for Handed {}

impl Handed {
    fn error(self) -> HttpError {
        HttpError::new(HttpErrorKind::Unknown, self)
    }
}

/// What became of a request that `object_store` reports as failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// There is nothing under the key.
    NotFound,
    /// The condition does not hold.
    Precondition,
    /// The condition does not hold, or an earlier try of the same request did it.
    Doubt,
    /// Anything else.
    Cause(Cause),
}

impl From<object_store::Error> for Failure {
    fn from(error: object_store::Error) -> Self {
        let mut source: Option<&(dyn Error + 'static)> = Some(&error);
        while let Some(inner) = source {
            match inner.downcast_ref() {
                Some(Handed::Doubt) => return Self::Doubt,
                Some(Handed::Cause(cause)) => {
                    let cause = cause.lock().unwrap_or_else(PoisonError::into_inner).take();
                    return Self::Cause(cause.unwrap_or(Cause::Malformed("a cause")));
                }
                None => source = inner.source(),
            }
        }
        match error {
            object_store::Error::NotFound { .. } => Self::NotFound,
            // R2 answers 412 where the condition does not hold; S3 answers 409 where two such writes meet.
            object_store::Error::Precondition { .. }
            | object_store::Error::AlreadyExists { .. }
            | object_store::Error::NotModified { .. } => Self::Precondition,
            other => Self::Cause(Cause::Client(Box::new(other))),
        }
    }
}

impl Service {
    pub(super) fn new(sender: Arc<Sender>, bindings: Arc<Bindings>, completion: Completion) -> Self {
        Self { sender, bindings, completion }
    }

    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, Handed> {
        let outgoing = self.outgoing(request).await.map_err(handed)?;
        let answer = self.sender.send(&outgoing).await.map_err(handed)?;
        if let Some(refusal) = self.refusal(&answer) {
            return Err(handed(refusal));
        }
        if answer.doubtful && is_undecided(&answer) {
            return Err(Handed::Doubt);
        }
        let mut response = http::Response::new(match answer.rest {
            None => answer.body.into(),
            Some(rest) => HttpResponseBody::new(StreamBody::new(pieces(rest))),
        });
        *response.status_mut() = answer.status;
        *response.headers_mut() = answer.headers;
        Ok(response)
    }

    async fn outgoing(&self, request: HttpRequest) -> Result<Outgoing, Cause> {
        let (parts, body) = request.into_parts();
        let url = parts.uri.to_string().parse().map_err(|_| Cause::Malformed("an address"))?;
        let mut headers = parts.headers;
        if self.completion == Completion::Create && is_completion(&parts.method, parts.uri.query()) {
            // R2 takes the condition there too ("Conditional operations"). `object_store` has no way to ask for it; the
            // signature covers the headers that it names, and S3's rules leave this one out.
            headers.insert(IF_NONE_MATCH, HeaderValue::from_static("*"));
        }
        Ok(Outgoing { method: parts.method, url, headers, body: collect(body).await? })
    }

    /// What an answer refuses for good, if it does.
    fn refusal(&self, answer: &Answer) -> Option<Cause> {
        let text = String::from_utf8_lossy(&answer.body);
        let code = element(&text, "Code").unwrap_or_default();
        let Bindings { account, bucket, .. } = &*self.bindings;
        let said = || if answer.body.is_empty() { answer.status.to_string() } else { said(&text) };
        let refusal = match (answer.status, code) {
            (StatusCode::UNAUTHORIZED, _)
            | (StatusCode::FORBIDDEN, "InvalidAccessKeyId" | "SignatureDoesNotMatch" | "RequestTimeTooSkewed") => {
                Refusal::AccessKey(said())
            }
            (StatusCode::FORBIDDEN, _) => Refusal::Bucket { bucket: bucket.clone(), said: said() },
            (StatusCode::NOT_FOUND, "NoSuchBucket") => {
                Refusal::NoBucket { account: account.clone(), bucket: bucket.clone() }
            }
            (StatusCode::NOT_FOUND | StatusCode::PRECONDITION_FAILED | StatusCode::CONFLICT, _) => return None,
            (status, _) if status.is_client_error() || status.is_redirection() => {
                return Some(Cause::Refused { status: status.as_u16(), text: said() });
            }
            _ => return None,
        };
        Some(refusal.into())
    }
}

fn handed(cause: Cause) -> Handed {
    Handed::Cause(Mutex::new(Some(cause)))
}

/// Whether a request completes an upload in parts.
fn is_completion(method: &Method, query: Option<&str>) -> bool {
    *method == Method::POST && query.is_some_and(|query| query.starts_with("uploadId="))
}

/// Whether an answer may be due to an earlier try: the key is there, or the upload is not any more.
fn is_undecided(answer: &Answer) -> bool {
    let is_gone = answer.status == StatusCode::NOT_FOUND
        && element(&String::from_utf8_lossy(&answer.body), "Code") == Some("NoSuchUpload");
    is_gone || matches!(answer.status, StatusCode::PRECONDITION_FAILED | StatusCode::CONFLICT)
}

/// A large body on its way; one that stands still ends with an error.
fn pieces(rest: Response) -> impl Stream<Item = Result<Frame<Bytes>, HttpError>> {
    stream::try_unfold(rest, |mut rest| async move {
        let failed = |error: Cause| handed(error).error();
        let piece = watched(&Progress::default(), rest.chunk()).await.map_err(|stalled| failed(stalled.into()))?;
        let piece = piece.map_err(|error| failed(Cause::NoAnswer(error.without_url())))?;
        Ok(piece.map(|piece| (Frame::data(piece), rest)))
    })
}

/// The pieces of a body, as they are: putting them together would hold them twice.
async fn collect(mut body: HttpRequestBody) -> Result<Vec<Bytes>, Cause> {
    if let Some(whole) = body.as_bytes() {
        return Ok(vec![whole.clone()]);
    }
    let mut pieces = Vec::new();
    while let Some(frame) = body.frame().await {
        pieces.extend(frame.map_err(|_| Cause::Malformed("a body"))?.into_data());
    }
    Ok(pieces)
}

#[async_trait]
impl HttpService for Service {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        self.send(request).await.map_err(Handed::error)
    }
}

impl HttpConnector for Service {
    fn connect(&self, _options: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.clone()))
    }
}
