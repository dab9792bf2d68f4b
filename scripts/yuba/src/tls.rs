//! TLS as every HTTP client here speaks it.

use std::path::{Path, PathBuf};
use std::{fs, io};

use reqwest::{Certificate, Client, ClientBuilder};
use rustls::crypto::ring;

/// Why a file's certificates cannot be trusted.
#[derive(Debug, thiserror::Error)]
pub enum AuthorityError {
    /// The file cannot be read.
    #[error("cannot read the certificates in `{}`", .0.display())]
    Read(PathBuf, #[source] io::Error),
    /// The file holds something else.
    #[error("`{}` holds no certificate in PEM form", .0.display())]
    NoCertificate(PathBuf),
}

/// What every HTTP client is built from. The library is told which cryptography to use: it brings none of its own.
pub fn client() -> ClientBuilder {
    // That somebody chose before is as good.
    let _ = ring::default_provider().install_default();
    Client::builder()
}

/// The certificates in a PEM file.
///
/// # Errors
/// [`AuthorityError`] if the file cannot be read or holds none.
pub fn read_authorities(path: &Path) -> Result<Vec<Certificate>, AuthorityError> {
    let pem = fs::read(path).map_err(|error| AuthorityError::Read(path.to_owned(), error))?;
    let certificates = Certificate::from_pem_bundle(&pem).unwrap_or_default();
    if certificates.is_empty() {
        return Err(AuthorityError::NoCertificate(path.to_owned()));
    }
    Ok(certificates)
}
