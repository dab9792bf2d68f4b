//! A web site on this machine, as `localhost` with a certificate of a throw-away authority.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::thread;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// What a site of a host answers on a path: the status, and headers and body as they are sent.
pub(crate) type Page = fn(&str, &str) -> (u16, String);

/// A site, until the process ends.
pub(crate) struct Site {
    /// `localhost` and its port.
    pub(crate) host: String,
    authority: String,
}

impl Site {
    /// A site of these pages.
    pub(crate) fn serve(page: Page) -> Self {
        let mut parameters = CertificateParams::default();
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let authority = CertifiedIssuer::self_signed(parameters, KeyPair::generate().unwrap()).unwrap();
        let key = KeyPair::generate().unwrap();
        let certificate =
            CertificateParams::new(["localhost".to_owned()]).unwrap().signed_by(&key, &authority).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        let config = builder.with_no_client_auth().with_single_cert(vec![certificate.der().clone()], key).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let host = format!("localhost:{}", listener.local_addr().unwrap().port());
        let (config, name) = (Arc::new(config), host.clone());
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (config, name, stream) = (config.clone(), name.clone(), stream.unwrap());
                // A client that does not trust the certificate hangs up.
                thread::spawn(move || drop(answer(config, stream, &name, page)));
            }
        });
        Self { host, authority: authority.pem() }
    }

    /// Writes the authority's certificate to `path`, for `SSL_CERT_FILE`.
    pub(crate) fn write_authority(&self, path: &Path) {
        std::fs::write(path, &self.authority).unwrap();
    }
}

fn answer(config: Arc<ServerConfig>, stream: TcpStream, host: &str, page: Page) -> std::io::Result<()> {
    let connection = ServerConnection::new(config).unwrap();
    let mut stream = BufReader::new(StreamOwned::new(connection, stream));
    let mut request = String::new();
    while !request.ends_with("\r\n\r\n") {
        if stream.read_line(&mut request)? == 0 {
            return Ok(());
        }
    }
    let (status, rest) = page(host, request.split(' ').nth(1).unwrap());
    let stream = stream.get_mut();
    write!(stream, "HTTP/1.1 {status} Status\r\nconnection: close\r\n{rest}")?;
    stream.conn.send_close_notify();
    stream.flush()
}
