//! Sending requests to Cloudflare, each until there is an answer that counts: the one place that tries again.
//!
//! A request is sent again after 429, 408 and 5xx, and if no whole answer came, with the waits of [`Backoff`] and at
//! least what `Retry-After` asks for, until [`TOTAL`] or a smaller limit is used up. The time that a failed try took counts
//! too.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use fastrand::Rng;
use futures::stream;
use jiff::Timestamp;
use reqwest::header::{CONTENT_LENGTH, HeaderMap};
use reqwest::{Body, Client, Method, Request, Response, StatusCode, redirect};
use url::Url;

use super::retry_after::retry_after;
use super::stall::{Progress, Stalled, watched};
use crate::backoff::{Backoff, TOTAL};
use crate::store::Cause;
use crate::tls;

/// How long a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// How much of a body is handed on at a time, which is what progress is measured in.
const CHUNK_BYTES: usize = 256 * 1024;

/// How much of an answer that refuses is read.
const MAX_REFUSAL_BYTES: usize = 4 * 1024;

/// The largest body that is part of an answer. A larger one is an archive, and is read as a stream.
const WHOLE_BYTES: u64 = 8 * 1024 * 1024;

/// Why there is no way to send anything.
#[derive(Debug, thiserror::Error)]
#[error("cannot make an HTTP client")]
pub struct ClientError(#[source] reqwest::Error);

/// A request, whose body is held so that it can be sent again.
#[derive(Debug, Clone)]
pub(super) struct Outgoing {
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    /// The body, in pieces.
    pub(super) body: Vec<Bytes>,
}

/// An answer that counts.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    /// The body; of one that is larger than [`WHOLE_BYTES`], nothing.
    pub(super) body: Bytes,
    /// A larger body, not yet read.
    pub(super) rest: Option<Response>,
    /// Whether an earlier try may have done what was asked, although no answer said so.
    pub(super) doubtful: bool,
}

/// A way to send requests.
#[derive(Debug)]
pub(super) struct Sender {
    client: Client,
    random: Mutex<Rng>,
}

/// How one try failed.
struct Failed {
    cause: Cause,
    /// Whether it may have been done all the same.
    doubtful: bool,
    /// How long the server asked to be left alone.
    asked: Duration,
}

impl Sender {
    /// A way to Cloudflare; to `this machine` without any proxy.
    pub(super) fn new(random: Rng, this_machine: bool) -> Result<Self, ClientError> {
        let builder = tls::client()
            .user_agent(concat!("yuba/", env!("CARGO_PKG_VERSION")))
            .redirect(redirect::Policy::none())
            // Whoever compresses an answer on its way may weaken its ETag, which a swap then could not name.
            .no_gzip()
            .connect_timeout(CONNECT_TIMEOUT);
        let builder = if this_machine { builder.no_proxy() } else { builder.https_only(true) };
        Ok(Self { client: builder.build().map_err(ClientError)?, random: Mutex::new(random) })
    }

    /// Sends `outgoing` until there is an answer that counts.
    pub(super) async fn send(&self, outgoing: &Outgoing) -> Result<Answer, Cause> {
        self.send_patiently(outgoing, TOTAL, |_| Duration::MAX).await
    }

    /// Sends `outgoing` until there is an answer that counts, and not one moment longer than `limit`: whoever is not
    /// heard of by then is not sending any more.
    pub(super) async fn send_within(&self, outgoing: &Outgoing, limit: Duration) -> Result<Answer, Cause> {
        self.send_patiently(outgoing, limit, Backoff::left).await
    }

    /// Sends `outgoing` until `limit` is used up; `longest` says how long a try may take.
    async fn send_patiently(
        &self,
        outgoing: &Outgoing,
        limit: Duration,
        longest: impl Fn(&Backoff) -> Duration,
    ) -> Result<Answer, Cause> {
        let mut backoff = Backoff::within(self.fork(), limit);
        let (mut tries, mut doubtful) = (0, false);
        loop {
            tries += 1;
            let started = Instant::now();
            let tried = tokio::time::timeout(longest(&backoff), self.try_once(outgoing)).await;
            let failed = match tried.unwrap_or_else(|_| Err(Failed::stalled())) {
                Ok(answer) => return Ok(Answer { doubtful, ..answer }),
                Err(failed) => failed,
            };
            backoff.spend(started.elapsed());
            doubtful |= failed.doubtful;
            if !backoff.wait_at_least(failed.asked).await {
                return Err(Cause::GaveUp { tries, limit, last: Box::new(failed.cause) });
            }
        }
    }

    /// Randomness that no other request has. A panic elsewhere leaves it whole.
    fn fork(&self) -> Rng {
        self.random.lock().unwrap_or_else(PoisonError::into_inner).fork()
    }

    async fn try_once(&self, outgoing: &Outgoing) -> Result<Answer, Failed> {
        let progress = Progress::default();
        let sent = watched(&progress, self.client.execute(outgoing.request(&progress))).await;
        let answer = match sent {
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => return Err(unanswered(error)),
            Err(Stalled) => return Err(Failed::stalled()),
        };
        let status = answer.status();
        if is_passing(status) {
            return Err(passing(answer).await);
        }
        let headers = answer.headers().clone();
        if answer.content_length().is_some_and(|length| length > WHOLE_BYTES) {
            return Ok(Answer { status, headers, body: Bytes::new(), rest: Some(answer), doubtful: false });
        }
        let body = match watched(&progress, answer.bytes()).await {
            Ok(Ok(body)) => body,
            Ok(Err(error)) => return Err(unanswered(error)),
            Err(Stalled) => return Err(Failed::stalled()),
        };
        Ok(Answer { status, headers, body, rest: None, doubtful: false })
    }
}

impl Failed {
    fn stalled() -> Self {
        Self { cause: Stalled.into(), doubtful: true, asked: Duration::ZERO }
    }
}

impl Outgoing {
    /// The request, whose body says how far it is.
    fn request(&self, progress: &Progress) -> Request {
        let mut request = Request::new(self.method.clone(), self.url.clone());
        *request.headers_mut() = self.headers.clone();
        let length: usize = self.body.iter().map(Bytes::len).sum();
        if length > 0 {
            let progress = progress.clone();
            let chunks = self.body.clone().into_iter().flat_map(chunks).map(move |chunk| {
                progress.advance();
                Ok::<_, std::io::Error>(chunk)
            });
            request.headers_mut().insert(CONTENT_LENGTH, length.into());
            *request.body_mut() = Some(Body::wrap_stream(stream::iter(chunks)));
        }
        request
    }
}

/// A piece of a body, cut small.
fn chunks(piece: Bytes) -> impl Iterator<Item = Bytes> {
    let starts = (0..piece.len()).step_by(CHUNK_BYTES);
    starts.map(move |start| piece.slice(start..piece.len().min(start + CHUNK_BYTES)))
}

/// Whether an answer says no more than that the server is busy or broken for now.
fn is_passing(status: StatusCode) -> bool {
    matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT) || status.is_server_error()
}

async fn passing(answer: Response) -> Failed {
    let status = answer.status();
    let asked = retry_after(answer.headers(), Timestamp::now());
    let text = answer.bytes().await.unwrap_or_default();
    let text = String::from_utf8_lossy(text.get(..MAX_REFUSAL_BYTES).unwrap_or(&text)).into_owned();
    let text = match asked.as_secs() {
        0 => said(&text),
        seconds => format!("{}, and to come again in {seconds} seconds", said(&text)),
    };
    // Who is told to come again later was not served.
    let doubtful = status != StatusCode::TOO_MANY_REQUESTS;
    Failed { cause: Cause::Refused { status: status.as_u16(), text }, doubtful, asked }
}

fn unanswered(error: reqwest::Error) -> Failed {
    // Without a connection, nothing was sent.
    let doubtful = !error.is_connect();
    Failed { cause: Cause::NoAnswer(error.without_url()), doubtful, asked: Duration::ZERO }
}

/// What an answer says in one line: S3's code and message, or its first line.
pub(super) fn said(text: &str) -> String {
    match (element(text, "Code"), element(text, "Message")) {
        (Some(code), Some(message)) => format!("{code}: {message}"),
        (Some(code), None) => code.to_owned(),
        _ => text.lines().next().unwrap_or_default().chars().take(200).collect(),
    }
}

/// The text of an XML element that has no other elements in it, as S3's errors have them.
pub(super) fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    Some(rest.split_once(&format!("</{name}>"))?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_may_pass_is_tried_again() {
        for status in [408, 429, 500, 502, 503, 504] {
            assert!(is_passing(StatusCode::from_u16(status).unwrap()), "{status}");
        }
        for status in [200, 304, 400, 401, 403, 404, 409, 412, 413, 416] {
            assert!(!is_passing(StatusCode::from_u16(status).unwrap()), "{status}");
        }
    }

    #[test]
    fn a_refusal_is_told_in_one_line() {
        let xml = "<?xml version=\"1.0\"?>\n<Error><Code>SlowDown</Code><Message>Reduce your rate</Message></Error>";
        assert_eq!(said(xml), "SlowDown: Reduce your rate");
        assert_eq!(said("<Error><Code>SlowDown</Code></Error>"), "SlowDown");
        assert_eq!(said("bad gateway\nray 1"), "bad gateway");
        assert_eq!(said(""), "");
    }
}
