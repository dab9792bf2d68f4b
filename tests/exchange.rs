//! Exchanges: one request and its answer, written down as a transcript.

use std::fmt::Write as _;

use yuba::serve::{Body, Conditions, Freshness, Registry, Request};

use crate::content::{Content, HOSTNAME};
use crate::memory::MemoryStorage;
use crate::workerd::Workerd;

/// The origin that transcripts are written with.
pub const ORIGIN: &str = "https://registry.example";

/// The headers that are the registry's own; what the runtime adds is left out.
const HEADERS: [&str; 11] = [
    "accept-ranges",
    "allow",
    "cache-control",
    "content-length",
    "content-range",
    "content-type",
    "docker-content-digest",
    "etag",
    "link",
    "location",
    "retry-after",
];

/// What is asked.
#[derive(Debug, Clone)]
pub struct Ask {
    /// The method.
    pub method: String,
    /// The path, with a query if there is one.
    pub path: String,
    /// Further headers.
    pub headers: Vec<(String, String)>,
}

impl Ask {
    /// Reads `METHOD PATH` and any number of ` | header: value`.
    ///
    /// # Panics
    /// If the text is not that.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut parts = text.split(" | ");
        let (method, path) = parts.next().and_then(|line| line.split_once(' ')).expect("METHOD PATH");
        let header = |part: &str| part.split_once(": ").map(|(name, value)| (name.to_owned(), value.to_owned()));
        let headers = parts.map(|part| header(part).expect("header: value")).collect();
        Self { method: method.to_owned(), path: path.to_owned(), headers }
    }

    /// The value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<String> {
        self.headers.iter().find(|(header, _)| header == name).map(|(_, value)| value.clone())
    }
}

/// What is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The headers, by lower-case name.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Reply {
    /// The value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(header, _)| header == name).map(|(_, value)| value.as_str())
    }
}

/// A registry that can be asked.
pub trait Server {
    /// Where it runs, for messages.
    fn name(&self) -> &'static str;

    /// Answers one request, as if it had come to [`ORIGIN`].
    fn exchange(&mut self, ask: &Ask) -> Reply;
}

/// A registry in this process.
pub struct MemoryServer {
    registry: Registry,
    storage: MemoryStorage,
    origin: String,
}

impl MemoryServer {
    /// A registry over `storage`.
    ///
    /// # Panics
    /// Never: [`HOSTNAME`] is a hostname.
    #[must_use]
    pub fn new(storage: MemoryStorage, freshness: Freshness) -> Self {
        Self::at(ORIGIN, HOSTNAME, storage, freshness)
    }

    /// A registry of `hostname` over `storage`, reached at `origin`.
    ///
    /// # Panics
    /// If `hostname` is none.
    #[must_use]
    pub fn at(origin: &str, hostname: &str, storage: MemoryStorage, freshness: Freshness) -> Self {
        let registry = Registry::new(hostname.parse().expect("a hostname"), freshness);
        Self { registry, storage, origin: origin.to_owned() }
    }

    /// The same, announcing other OCI repositories than its own.
    ///
    /// # Panics
    /// If `template` is none.
    #[must_use]
    pub fn announcing(self, template: &str) -> Self {
        let registry = self.registry.with_repositories(template.parse().expect("a template"));
        Self { registry, ..self }
    }

    /// What asking costs and says, for tests of many requests at once.
    pub async fn answer(&self, ask: &Ask) -> Reply {
        let (path, query) = ask.path.split_once('?').unwrap_or((&ask.path, ""));
        let accept = ask.header("accept");
        let conditions = Conditions {
            if_none_match: ask.header("if-none-match"),
            if_range: ask.header("if-range"),
            range: ask.header("range"),
        };
        let request =
            Request { method: &ask.method, origin: &self.origin, path, query, conditions, accept: accept.as_deref() };
        let answer = self.registry.serve(&self.storage, &request).await;
        let body = match answer.body {
            Body::Empty => Vec::new(),
            Body::Bytes(bytes) => bytes.to_vec(),
            Body::Stream(bytes) => bytes,
        };
        let headers = answer.headers.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Reply { status: answer.status, headers, body }
    }
}

impl Server for MemoryServer {
    fn name(&self) -> &'static str {
        "memory"
    }

    fn exchange(&mut self, ask: &Ask) -> Reply {
        let reply = self.storage.run(self.answer(ask));
        self.storage.run_deferred();
        reply
    }
}

/// Every registry that can be had here, each with `content`.
#[must_use]
pub fn servers(content: &Content) -> Vec<Box<dyn Server>> {
    let memory = MemoryServer::new(MemoryStorage::new(content), Freshness::DEPLOYED);
    let mut servers: Vec<Box<dyn Server>> = vec![Box::new(memory)];
    match Workerd::find() {
        Ok(workerd) => {
            workerd.seed(content);
            servers.push(Box::new(workerd));
        }
        Err(reason) => eprintln!("skipped: workerd: {reason}"),
    }
    servers
}

/// Asks `server` and writes down what was said.
pub fn transcript(server: &mut dyn Server, asks: &[&str]) -> String {
    let mut text = String::new();
    for ask in asks {
        let reply = server.exchange(&Ask::new(ask));
        write_down(&mut text, ask, &reply);
    }
    text
}

fn write_down(text: &mut String, ask: &str, reply: &Reply) {
    // Writing to a string does not fail.
    let _ = writeln!(text, "> {ask}\n{}", reply.status);
    let mut headers: Vec<_> = reply.headers.iter().filter(|(name, _)| HEADERS.contains(&name.as_str())).collect();
    headers.sort();
    for (name, value) in headers {
        let _ = writeln!(text, "{name}: {value}");
    }
    if !reply.body.is_empty() {
        let _ = writeln!(text, "\n{}", String::from_utf8_lossy(&reply.body).trim_end());
    }
    text.push('\n');
}
