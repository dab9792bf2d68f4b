//! Visits: asking a registry as a client does.

use std::error::Error;
use std::io;
use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822;
use reqwest::header::{ACCEPT, CONTENT_TYPE, DATE, HeaderName, LOCATION};
use reqwest::{Certificate, Client, Response, redirect};
use url::Url;

use super::{Check, Finding};
use crate::tls;

/// How long clients wait for an answer, its body included (OpenTofu's `registries_disco.go`).
const TIMEOUT: Duration = Duration::from_secs(10);

/// How many redirects newer clients follow (Go's default).
const MAX_REDIRECTS: usize = 10;

/// The largest discovery document that clients read (svchost's `disco.go`).
pub(super) const MAX_BODY_BYTES: usize = crate::discovery::MAX_BYTES;

/// Why nobody can be asked.
#[derive(Debug, thiserror::Error)]
pub enum VisitorError {
    /// The certificate of this machine's authority is none.
    #[error("cannot use the authority's certificate")]
    Authority(#[source] reqwest::Error),
    /// The HTTP client cannot be made.
    #[error("cannot make an HTTP client")]
    Client(#[source] reqwest::Error),
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// What was asked, and every redirect's target after it; the last one answered.
    pub urls: Vec<Url>,
    /// The HTTP status.
    pub status: u16,
    /// The `Content-Type`, as it was sent.
    pub content_type: Option<String>,
    /// What the server's clock said.
    pub date: Option<Timestamp>,
    /// The body; one byte more than clients read at most, if it is longer.
    pub body: Vec<u8>,
}

impl Answer {
    /// Who answered: relative URLs are relative to this.
    #[must_use]
    pub fn url(&self) -> Option<&Url> {
        self.urls.last()
    }

    /// The first bit of the body, for messages.
    #[must_use]
    pub fn excerpt(&self) -> String {
        let text = String::from_utf8_lossy(&self.body);
        let line: String =
            text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).take(120).collect();
        line.trim().to_owned()
    }
}

/// Why nothing came back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unanswered {
    /// The name has no address.
    #[error("`{0}` has no address: {1}")]
    NoAddress(String, String),
    /// The certificate is refused, or TLS fails otherwise.
    #[error("TLS fails: {0}")]
    Tls(String),
    /// Nobody listens there.
    #[error("cannot connect: {0}")]
    Connection(String),
    /// It takes too long.
    #[error("no whole answer within {} seconds, which is as long as clients wait", TIMEOUT.as_secs())]
    Late,
    /// The redirects do not end.
    #[error("more than {MAX_REDIRECTS} redirects")]
    Redirects,
    /// A redirect leads nowhere.
    #[error("a redirect leads to `{0}`, which is no URL")]
    Location(String),
    /// The answer breaks off, or is no HTTP.
    #[error("no whole answer: {0}")]
    Broken(String),
}

/// Somebody who asks.
#[derive(Debug, Clone)]
pub struct Visitor(Client);

impl Visitor {
    /// Somebody who trusts whom this machine trusts (`SSL_CERT_FILE` included), and `authority`, in PEM.
    ///
    /// # Errors
    /// [`VisitorError`] if that cannot be.
    pub fn new(authority: Option<&[u8]>) -> Result<Self, VisitorError> {
        let mut builder = tls::client()
            .redirect(redirect::Policy::none())
            .timeout(TIMEOUT)
            .user_agent(concat!("yuba/", env!("CARGO_PKG_VERSION")));
        if let Some(pem) = authority {
            builder = builder.tls_certs_merge(Certificate::from_pem_bundle(pem).map_err(VisitorError::Authority)?);
        }
        builder.build().map(Self).map_err(VisitorError::Client)
    }

    /// Asks for `url`, and where that leads.
    ///
    /// # Errors
    /// [`Unanswered`] if no whole answer comes.
    pub async fn ask(&self, url: &Url) -> Result<Answer, Unanswered> {
        let mut urls = vec![url.clone()];
        let mut url = url.clone();
        loop {
            let asked = self.0.get(url.clone()).header(ACCEPT, "application/json").send().await;
            let response = match asked {
                Ok(response) => response,
                Err(error) => return Err(unanswered(&url, &error).await),
            };
            let Some(location) = redirected(&response) else { return receive(response, urls).await };
            if urls.len() > MAX_REDIRECTS {
                return Err(Unanswered::Redirects);
            }
            url = url.join(&location).map_err(|_| Unanswered::Location(location))?;
            urls.push(url.clone());
        }
    }
}

fn redirected(response: &Response) -> Option<String> {
    header(response, &LOCATION).filter(|_| response.status().is_redirection())
}

fn header(response: &Response, name: &HeaderName) -> Option<String> {
    Some(String::from_utf8_lossy(response.headers().get(name)?.as_bytes()).into_owned())
}

async fn receive(mut response: Response, urls: Vec<Url>) -> Result<Answer, Unanswered> {
    let status = response.status().as_u16();
    let content_type = header(&response, &CONTENT_TYPE);
    let date = header(&response, &DATE).and_then(|date| parse_date(&date));
    let mut body = Vec::new();
    while body.len() <= MAX_BODY_BYTES {
        match response.chunk().await {
            Ok(Some(chunk)) => body.extend_from_slice(&chunk),
            Ok(None) => break,
            Err(error) if error.is_timeout() => return Err(Unanswered::Late),
            Err(error) => return Err(Unanswered::Broken(innermost(&error.without_url()))),
        }
    }
    body.truncate(MAX_BODY_BYTES + 1);
    Ok(Answer { urls, status, content_type, date, body })
}

/// An HTTP date, which is a date of mail in Greenwich.
fn parse_date(text: &str) -> Option<Timestamp> {
    rfc2822::DateTimeParser::new().parse_timestamp(text).ok()
}

async fn unanswered(url: &Url, error: &reqwest::Error) -> Unanswered {
    if error.is_timeout() {
        return Unanswered::Late;
    }
    if let Some(error) = tls_error(error) {
        return Unanswered::Tls(error.to_string());
    }
    if !error.is_connect() {
        return Unanswered::Broken(innermost(error));
    }
    let (host, port) = (url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or_default());
    match tokio::net::lookup_host((host, port)).await {
        Err(error) => Unanswered::NoAddress(host.to_owned(), error.to_string()),
        Ok(_) => Unanswered::Connection(innermost(error)),
    }
}

/// What TLS itself said, if it was TLS. An I/O error does not name what it wraps as its source.
fn tls_error<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a rustls::Error> {
    if let Some(error) = error.downcast_ref() {
        return Some(error);
    }
    let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    match wrapped {
        Some(wrapped) => tls_error(wrapped),
        None => tls_error(error.source()?),
    }
}

fn innermost(error: &(dyn Error + 'static)) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

/// Judges whether the registry answers at all, with a certificate that clients accept.
#[must_use]
pub fn judge(host: &str, answer: &Result<Answer, Unanswered>) -> Finding {
    let Err(unanswered) = answer else {
        return Finding::ok(Check::Https, format!("{host} answers with a valid certificate"));
    };
    let hint = match unanswered {
        Unanswered::NoAddress(..) => {
            "deploy (`npx wrangler deploy`): the custom domain makes the DNS record; a new one may take minutes"
        }
        Unanswered::Tls(_) => {
            "Cloudflare issues the certificate some minutes after the first deployment; see Workers & Pages > yuba > Domains in the dashboard, and this machine's clock"
        }
        Unanswered::Connection(_) => "check this machine's network, and that the DNS record is Cloudflare's (proxied)",
        Unanswered::Late => "try again; if it stays slow, see `npx wrangler tail`",
        Unanswered::Redirects | Unanswered::Location(_) => {
            "look for a redirect rule or a page rule for this hostname in the dashboard"
        }
        Unanswered::Broken(_) => "try again; `npx wrangler tail` shows what the Worker says",
    };
    Finding::problem(Check::Https, format!("{host}: {unanswered}"), hint)
}
