//! HTTP as a client speaks it: https with redirects, compressed or not, and another try where that may help.

use std::error::Error as _;
use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use fastrand::Rng;
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use reqwest::{Certificate, Client, Method, Response, StatusCode, redirect};
use tokio::sync::{Semaphore, SemaphorePermit};
use url::Url;

use crate::backoff::Backoff;

/// How long a document may take, its body included: clients give up then (`OpenTofu` `registry_protocols.go`).
const DOCUMENT_TIMEOUT: Duration = Duration::from_secs(10);

/// How long an archive may stand still. Clients have no limit.
const STILL_TIMEOUT: Duration = Duration::from_mins(1);

/// How many redirects clients follow.
const MAX_REDIRECTS: usize = 10;

/// How often a request is made in all. Clients try two or three times, and nobody waits for their answer.
pub(crate) const MAX_TRIES: usize = 5;

/// The longest that a registry may tell to wait. Clients obey without a bound.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(30);

/// The most bytes of a document; of the largest providers, the list of versions has a tenth of it.
const MAX_DOCUMENT_BYTES: usize = 16 << 20;

/// Why there is no answer to judge.
#[derive(Debug, thiserror::Error)]
pub enum Unanswered {
    /// The registry does not answer, or not in time.
    #[error("`{url}` does not answer")]
    Transport {
        /// What was asked.
        url: Url,
        /// What happened the last time.
        source: reqwest::Error,
    },
    /// The registry is unwell each time.
    #[error("`{url}` is answered with {status}, {tries} times in a row")]
    Status {
        /// What was asked.
        url: Url,
        /// The last status.
        status: u16,
        /// How often it was asked.
        tries: usize,
    },
    /// Nobody should read so much.
    #[error("`{url}` has more than {limit} bytes")]
    TooLong {
        /// What was asked.
        url: Url,
        /// The limit.
        limit: u64,
    },
    /// What was received cannot be kept.
    #[error("cannot keep what `{url}` sends")]
    File {
        /// What was asked.
        url: Url,
        /// What the system says.
        source: io::Error,
    },
}

impl Unanswered {
    /// The whole reason, in one line.
    #[must_use]
    pub fn reason(&self) -> String {
        let mut text = self.to_string();
        let mut cause = self.source();
        while let Some(error) = cause {
            let said = error.to_string();
            if !text.ends_with(&said) {
                text = format!("{text}: {said}");
            }
            cause = error.source();
        }
        text
    }
}

/// An answer that was read to its end.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// The URL after redirects.
    pub(crate) url: Url,
    pub(crate) content_type: Option<String>,
    pub(crate) body: Vec<u8>,
    headers: HeaderMap,
}

impl Answer {
    /// The text of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// A way to registries. No more requests than were allowed are under way at any time.
#[derive(Debug)]
pub(crate) struct Http {
    client: Client,
    permits: Semaphore,
    random: Mutex<Rng>,
}

/// What one try came to, if another one may come to more.
enum Failure {
    Transport(reqwest::Error),
    Status(StatusCode, Option<Duration>),
}

impl Http {
    /// A way with `jobs` requests at a time. Without `authorities`, those of this machine are trusted.
    pub(crate) fn new(jobs: usize, authorities: Option<Vec<Certificate>>, random: Rng) -> Result<Self, reqwest::Error> {
        let builder = crate::tls::client()
            .user_agent(concat!("yuba/", env!("CARGO_PKG_VERSION")))
            .redirect(redirect::Policy::limited(MAX_REDIRECTS))
            .connect_timeout(DOCUMENT_TIMEOUT)
            .read_timeout(STILL_TIMEOUT);
        let builder = match authorities {
            Some(authorities) => builder.tls_certs_only(authorities),
            None => builder,
        };
        Ok(Self { client: builder.build()?, permits: Semaphore::new(jobs.max(1)), random: Mutex::new(random) })
    }

    /// Waits until one more request may be under way. The semaphore is never closed, so there is always a permit.
    pub(crate) async fn permit(&self) -> Option<SemaphorePermit<'_>> {
        self.permits.acquire().await.ok()
    }

    /// Reads a document of any status that is not about the registry's health.
    pub(crate) async fn read(&self, url: &Url, accept: Option<&str>) -> Result<Answer, Unanswered> {
        self.ask(&Method::GET, url, accept).await
    }

    /// The same with another method.
    pub(crate) async fn ask(&self, method: &Method, url: &Url, accept: Option<&str>) -> Result<Answer, Unanswered> {
        let _permit = self.permit().await;
        let mut tries = self.tries(url);
        loop {
            match self.try_read(method, url, accept).await? {
                Ok(answer) => return Ok(answer),
                Err(failure) => tries.again(failure).await?,
            }
        }
    }

    async fn try_read(
        &self,
        method: &Method,
        url: &Url,
        accept: Option<&str>,
    ) -> Result<Result<Answer, Failure>, Unanswered> {
        let mut request = self.client.request(method.clone(), url.clone()).timeout(DOCUMENT_TIMEOUT);
        if method == Method::HEAD {
            // As Go's client: what is compressed has another size.
            request = request.header(ACCEPT_ENCODING, "identity");
        }
        if let Some(accept) = accept {
            request = request.header(ACCEPT, accept);
        }
        let mut response = match judge(request.send().await) {
            Ok(response) => response,
            Err(failure) => return Ok(Err(failure)),
        };
        let content_type = header(&response, CONTENT_TYPE.as_str());
        let (status, final_url) = (response.status().as_u16(), response.url().clone());
        let headers = response.headers().clone();
        let mut body = Vec::new();
        loop {
            match response.chunk().await {
                Ok(None) => return Ok(Ok(Answer { status, url: final_url, content_type, body, headers })),
                Ok(Some(chunk)) if body.len() + chunk.len() > MAX_DOCUMENT_BYTES => {
                    return Err(Unanswered::TooLong { url: url.clone(), limit: MAX_DOCUMENT_BYTES as u64 });
                }
                Ok(Some(chunk)) => body.extend_from_slice(&chunk),
                Err(error) => return Ok(Err(Failure::Transport(error))),
            }
        }
    }

    /// Opens an answer whose body is read by the caller, within `tries`; the caller has a permit.
    pub(crate) async fn open(
        &self,
        method: Method,
        url: &Url,
        range: Option<String>,
        tries: &mut Tries<'_>,
    ) -> Result<Response, Unanswered> {
        loop {
            let mut request = self.client.request(method.clone(), url.clone());
            if let Some(range) = &range {
                request = request.header(reqwest::header::RANGE, range);
            }
            match judge(request.send().await) {
                Ok(response) => return Ok(response),
                Err(failure) => tries.again(failure).await?,
            }
        }
    }

    /// The tries of one request.
    pub(crate) fn tries<'u>(&self, url: &'u Url) -> Tries<'u> {
        let random = self.random.lock().unwrap_or_else(PoisonError::into_inner).fork();
        Tries { url, made: 0, backoff: Backoff::new(random) }
    }
}

/// How often a request was made, and how long is waited before the next.
pub(crate) struct Tries<'u> {
    url: &'u Url,
    made: usize,
    backoff: Backoff,
}

impl Tries<'_> {
    /// Waits before another try after the body did not arrive; fails if there were enough.
    pub(crate) async fn again_after(&mut self, error: reqwest::Error) -> Result<(), Unanswered> {
        self.again(Failure::Transport(error)).await
    }

    async fn again(&mut self, failure: Failure) -> Result<(), Unanswered> {
        self.made += 1;
        let url = self.url.clone();
        let asked = match failure {
            Failure::Transport(source) if self.made >= MAX_TRIES || !may_help(&source) => {
                return Err(Unanswered::Transport { url, source });
            }
            Failure::Status(status, _) if self.made >= MAX_TRIES => {
                return Err(Unanswered::Status { url, status: status.as_u16(), tries: self.made });
            }
            Failure::Transport(_) => None,
            Failure::Status(_, asked) => asked,
        };
        let own = self.backoff.next().unwrap_or_default();
        tokio::time::sleep(asked.map_or(own, |asked| asked.min(MAX_RETRY_AFTER).max(own))).await;
        Ok(())
    }
}

/// An answer to be judged, or a failure: as for clients, 429 and every 5xx except 501.
fn judge(sent: Result<Response, reqwest::Error>) -> Result<Response, Failure> {
    let response = sent.map_err(Failure::Transport)?;
    let status = response.status();
    let unwell = status.is_server_error() && status != StatusCode::NOT_IMPLEMENTED;
    if !unwell && status != StatusCode::TOO_MANY_REQUESTS {
        return Ok(response);
    }
    let asked = header(&response, RETRY_AFTER.as_str()).and_then(|text| text.trim().parse().ok());
    Err(Failure::Status(status, asked.map(Duration::from_secs)))
}

/// The text of a header.
pub(crate) fn header(response: &Response, name: &str) -> Option<String> {
    response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
}

/// Whether another try may help: not where the way is wrong, or the certificate.
fn may_help(error: &reqwest::Error) -> bool {
    if error.is_redirect() || error.is_builder() {
        return false;
    }
    let mut cause = error.source();
    while let Some(error) = cause {
        let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        let wrapped = wrapped.and_then(|wrapped| wrapped.downcast_ref::<rustls::Error>());
        if error.is::<rustls::Error>() || wrapped.is_some() {
            return false;
        }
        cause = error.source();
    }
    true
}
