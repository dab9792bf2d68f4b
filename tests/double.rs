//! A registry on this machine that answers as the real one does, but for what a test makes it say.
//!
//! The content is published by the companion and served by the registry's own code, over plain HTTP. A test changes
//! answers on their way out, so that it is wrong in exactly one way.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use yuba::address::{NamespaceAddress, ProviderAddress};
use yuba::serve::Freshness;
use yuba_companion::openpgp::parse_key_file;
use yuba_companion::publish::{Ending, Request, Stage, Watch, publish};
use yuba_companion::registration::{Registration, register};
use yuba_companion::store::memory::MemoryStore;
use yuba_companion::verify::{Origin, Progress};

use crate::content::Content;
use crate::exchange::{Ask, MemoryServer, Reply, Server as _};
use crate::memory::MemoryStorage;
use crate::releases::{Key, Release};

/// The hostname of the double's own providers, which is also where it listens.
pub const HOSTNAME: &str = "127.0.0.1";

/// When everything was published.
const THEN: &str = "2026-03-01T12:00:00Z";

/// What becomes of an answer.
#[derive(Debug)]
pub enum Act {
    /// It is given.
    Answer(Reply),
    /// It is given up to this many bytes of its body, and then the connection ends.
    Cut(Reply, usize),
    /// It is not given, and the connection stays open.
    Hang,
}

/// Decides what becomes of the answer to a request.
pub type Wrong = Box<dyn FnMut(&Ask, Reply) -> Act + Send>;

/// A running double. It ends with the process.
#[derive(Debug, Clone)]
pub struct Double {
    url: String,
    log: Arc<Mutex<Vec<String>>>,
}

impl Double {
    /// Serves `content`, with answers as `wrong` changes them; it is told where the double listens.
    ///
    /// # Panics
    /// If this machine has no free port.
    #[must_use]
    pub fn start(content: Content, wrong: impl FnOnce(&str) -> Wrong) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let double = Self { url, log: Arc::default() };
        let (served, mut wrong) = (double.clone(), wrong(&double.url));
        thread::spawn(move || served.run(&listener, &content, &mut wrong));
        double
    }

    /// Serves `content` as it is.
    #[must_use]
    pub fn sound(content: Content) -> Self {
        Self::start(content, |_| Box::new(|_, reply| Act::Answer(reply)))
    }

    /// Where it listens: `http://127.0.0.1:PORT`.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The requests since the last call, as `METHOD PATH`, in order.
    #[must_use]
    pub fn take_requests(&self) -> Vec<String> {
        std::mem::take(&mut self.log.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn run(&self, listener: &TcpListener, content: &Content, wrong: &mut Wrong) {
        let storage = MemoryStorage::new(content);
        let mut server = MemoryServer::at(&self.url, HOSTNAME, storage, Freshness::DEPLOYED);
        let mut hanging = Vec::new();
        for stream in listener.incoming().flatten() {
            // A client that goes away is none of the double's business.
            let _ = self.answer(stream, &mut server, wrong, &mut hanging);
        }
    }

    fn answer(
        &self,
        mut stream: TcpStream,
        server: &mut MemoryServer,
        wrong: &mut Wrong,
        hanging: &mut Vec<TcpStream>,
    ) -> io::Result<()> {
        let Some(ask) = read(&stream)? else { return Ok(()) };
        let line = format!("{} {}", ask.method, ask.path);
        self.log.lock().unwrap_or_else(PoisonError::into_inner).push(line);
        let reply = server.exchange(&ask);
        match wrong(&ask, reply) {
            Act::Answer(reply) => write(&mut stream, &reply, reply.body.len()),
            Act::Cut(reply, length) => write(&mut stream, &reply, length),
            Act::Hang => {
                hanging.push(stream);
                Ok(())
            }
        }
    }
}

fn read(stream: &TcpStream) -> io::Result<Option<Ask>> {
    let mut lines = BufReader::new(stream).lines();
    let Some(line) = lines.next().transpose()? else { return Ok(None) };
    let mut words = line.split(' ').map(str::to_owned);
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut headers = Vec::new();
    for line in lines {
        let line = line?;
        let Some((name, value)) = line.split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    Ok(Some(Ask { method, path, headers }))
}

fn write(stream: &mut TcpStream, reply: &Reply, length: usize) -> io::Result<()> {
    let mut head = format!("HTTP/1.1 {} Said\r\nconnection: close\r\n", reply.status);
    for (name, value) in &reply.headers {
        let _ = write!(head, "{name}: {value}\r\n");
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes())?;
    stream.write_all(reply.body.get(..length).unwrap_or(&reply.body))?;
    stream.flush()
}

impl Reply {
    /// The reply with another body, whose length it states.
    #[must_use]
    pub fn with_body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        let length = self.body.len().to_string();
        self.with_header("content-length", &length)
    }

    /// The reply with another value of a header; an empty one takes it away.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        if !value.is_empty() {
            self.headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// The reply with another status, and nothing to say.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = status;
        self.with_body("")
    }
}

/// A hostname, and how a release for it is made.
pub type Made = (&'static str, fn(&Key) -> Release);

/// Publishes `releases`, each in its hostname's namespace `acme`: what is stored then.
///
/// # Panics
/// If one is refused.
#[must_use]
pub fn publish_all(key: &Key, releases: Vec<Made>) -> Content {
    let key = key.clone();
    // A thread of its own, since a test may have a runtime already.
    let publishing = thread::spawn(move || publish_each(&key, &releases));
    publishing.join().expect("published releases")
}

fn publish_each(key: &Key, releases: &[Made]) -> Content {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let store = MemoryStore::default();
    let mut providers = BTreeMap::new();
    for (hostname, release) in releases {
        let release = release(key);
        runtime.block_on(publish_one(&store, key, hostname, &release));
        let address: ProviderAddress = format!("{hostname}/acme/{}", release.r#type).parse().expect("an address");
        providers.insert(address.to_string(), address);
    }
    Content::of_store(&store.r2(), &providers.into_values().collect::<Vec<_>>())
}

async fn publish_one(store: &MemoryStore, key: &Key, hostname: &str, release: &Release) {
    let directory = tempfile::tempdir().expect("a directory");
    release.write(&directory.path().join("dist")).expect("a release");
    let namespace = NamespaceAddress {
        hostname: hostname.parse().expect("a hostname"),
        namespace: "acme".parse().expect("a namespace"),
    };
    let now = THEN.parse().expect("a time");
    let keys = parse_key_file(key.ascii_armor().as_bytes()).expect("a key");
    let registration = Registration { namespace: namespace.clone(), keys, source: None, source_url: None };
    register(store, &registration, now, fastrand::Rng::with_seed(1)).await.expect("a registered key");
    let request = Request {
        directory: directory.path().join("dist"),
        manifest: None,
        namespace,
        origin: if hostname == HOSTNAME { Origin::Own } else { Origin::Other },
        now,
        random: fastrand::Rng::with_seed(1),
        watch: Arc::new(Blind),
    };
    let ending = publish(store, &request).await.expect("an ending");
    assert!(matches!(ending, Ending::Published(_)), "{ending:?}");
}

/// Watches nothing.
#[derive(Debug)]
pub struct Blind;

impl Progress for Blind {
    fn start(&self, _archive: &str, _bytes: u64) {}

    fn advance(&self, _archive: &str, _bytes: u64) {}

    fn finish(&self, _archive: &str) {}
}

impl Watch for Blind {
    fn begin(&self, _stage: Stage) {}
}
