//! The Worker in workerd, as `scripts/dev` runs it for the command behind its `--`.

use std::env;
use std::fs;
use std::path::PathBuf;

use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, Body, http};

use crate::content::Content;
use crate::exchange::{Ask, ORIGIN, Reply, Server};

/// A running Worker and the storage under it.
pub struct Workerd {
    agent: Agent,
    url: String,
    storage_url: String,
    storage_token: String,
}

fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|_| format!("{name} is not set; run this in `scripts/dev --empty -- COMMAND`"))
}

fn agent(certificates: &str) -> Result<Agent, String> {
    let pem = fs::read(certificates).map_err(|error| format!("{certificates}: {error}"))?;
    let items = ureq::tls::parse_pem(&pem).filter_map(Result::ok);
    let roots: Vec<Certificate<'static>> = items
        .filter_map(|item| match item {
            ureq::tls::PemItem::Certificate(certificate) => Some(certificate.to_owned()),
            _ => None,
        })
        .collect();
    let tls = TlsConfig::builder().root_certs(RootCerts::from(roots)).build();
    let config = Agent::config_builder().tls_config(tls).http_status_as_error(false).max_redirects(0).proxy(None);
    // The runtime closes a connection whose request had a body that nobody read, so none is used twice.
    let config = config.max_idle_connections(0).max_idle_connections_per_host(0);
    Ok(config.allow_non_standard_methods(true).build().new_agent())
}

impl Workerd {
    /// The Worker that this process runs beside. One that is named and cannot be reached fails the test.
    ///
    /// # Errors
    /// The reason, if none is named.
    pub fn find() -> Result<Self, String> {
        let url = variable("YUBA_URL")?;
        Ok(Self::at(url).expect("what scripts/dev set beside YUBA_URL"))
    }

    fn at(url: String) -> Result<Self, String> {
        let state = PathBuf::from(variable("YUBA_STATE")?).join("yuba.json");
        let record = fs::read(&state).map_err(|error| format!("{}: {error}", state.display()))?;
        let record: serde_json::Value = serde_json::from_slice(&record).map_err(|error| error.to_string())?;
        let field = |name: &str| record.get(name).and_then(|value| value.as_str()).unwrap_or_default().to_owned();
        let agent = agent(&variable("SSL_CERT_FILE")?)?;
        Ok(Self { agent, url, storage_url: field("storage_url"), storage_token: field("storage_token") })
    }

    /// Where the Worker listens.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Writes `content` to R2 and KV.
    pub fn seed(&self, content: &Content) {
        for (key, bytes) in content.documents.values() {
            self.put(&format!("r2/{}", key.object()), bytes);
            self.put(&format!("kv/{key}"), bytes);
        }
        for (key, bytes) in &content.archives {
            self.put(&format!("r2/{}", key.object()), bytes);
        }
    }

    /// Writes `bytes` to storage, under `r2/<key>` or `kv/<key>`.
    ///
    /// # Panics
    /// If storage refuses.
    pub fn put(&self, key: &str, bytes: &[u8]) {
        let put = self.agent.put(self.storage_url_of(key)).header("authorization", self.authorization());
        let status = put.send(bytes).expect("storage answers").status();
        assert_eq!(status, 200, "{key}");
    }

    /// The bytes in storage under `r2/<key>` or `kv/<key>`.
    ///
    /// # Panics
    /// If storage does not answer.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<Vec<u8>> {
        let get = self.agent.get(self.storage_url_of(key)).header("authorization", self.authorization());
        let mut answer = get.call().expect("storage answers");
        (answer.status() == 200).then(|| read(answer.body_mut()))
    }

    /// Takes `r2/<key>` or `kv/<key>` out of storage.
    ///
    /// # Panics
    /// If storage refuses.
    pub fn delete(&self, key: &str) {
        let delete = self.agent.delete(self.storage_url_of(key)).header("authorization", self.authorization());
        assert_eq!(delete.call().expect("storage answers").status(), 204, "{key}");
    }

    fn storage_url_of(&self, key: &str) -> String {
        format!("{}/{}", self.storage_url.trim_end_matches('/'), encode(key))
    }

    fn authorization(&self) -> String {
        format!("Bearer {}", self.storage_token)
    }

    /// Asks under the Worker's own URL, as a client does.
    ///
    /// # Panics
    /// If nothing answers.
    #[must_use]
    pub fn ask(&self, ask: &Ask) -> Reply {
        self.send(ask, None)
    }

    fn send(&self, ask: &Ask, host: Option<&str>) -> Reply {
        let mut request = http::Request::builder().method(ask.method.as_str()).uri(format!("{}{}", self.url, ask.path));
        for (name, value) in &ask.headers {
            request = request.header(name, value);
        }
        if let Some(host) = host {
            request = request.header("host", host);
        }
        let mut response = self.agent.run(request.body(()).expect("a request")).expect("the Worker answers");
        let headers = response.headers().iter();
        let headers = headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap_or("?").to_owned()));
        Reply { status: response.status().as_u16(), headers: headers.collect(), body: read(response.body_mut()) }
    }
}

fn read(body: &mut Body) -> Vec<u8> {
    body.with_config().limit(u64::MAX).read_to_vec().expect("a whole body")
}

/// Percent-encodes what a URL's path cannot hold, segment by segment.
pub(crate) fn encode(key: &str) -> String {
    let keep = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let encode = |byte: u8| if keep(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    key.bytes().map(encode).collect()
}

impl Server for Workerd {
    fn name(&self) -> &'static str {
        "workerd"
    }

    fn exchange(&mut self, ask: &Ask) -> Reply {
        self.send(ask, ORIGIN.strip_prefix("https://"))
    }
}
