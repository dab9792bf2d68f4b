//! Where Cloudflare's APIs are.

use url::Url;

use super::bucket::Jurisdiction;
use super::identifier::AccountId;
use crate::store::loopback::is_loopback;

/// Cloudflare's REST API.
const API: &str = "https://api.cloudflare.com/client/v4";

/// Why an address cannot stand for one of Cloudflare's.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not http:// on this machine: credentials are sent to Cloudflare or to nobody")]
pub struct EndpointError(String);

/// An address that credentials may be sent to: Cloudflare's own, or, for tests, one on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint(String);

impl Endpoint {
    /// Cloudflare's REST API.
    #[must_use]
    pub fn api() -> Self {
        Self(API.to_owned())
    }

    /// R2's S3 API of an account.
    #[must_use]
    pub fn r2(account: &AccountId, jurisdiction: Jurisdiction) -> Self {
        Self(format!("https://{account}{}.r2.cloudflarestorage.com", jurisdiction.infix()))
    }

    /// A stand-in on this machine.
    ///
    /// # Errors
    /// [`EndpointError`] if `url` leads elsewhere.
    pub fn local(url: &str) -> Result<Self, EndpointError> {
        let parsed = url.parse::<Url>().ok().filter(is_loopback);
        let parsed = parsed.ok_or_else(|| EndpointError(url.to_owned()))?;
        Ok(Self(parsed.as_str().trim_end_matches('/').to_owned()))
    }

    /// The address, without a slash at its end.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jurisdiction_is_in_the_host_name() {
        let account: AccountId = "023e105f4ecef8ad9ca31a8372d0c353".parse().unwrap();
        let url = |jurisdiction| Endpoint::r2(&account, jurisdiction).0;
        assert_eq!(url(Jurisdiction::Default), "https://023e105f4ecef8ad9ca31a8372d0c353.r2.cloudflarestorage.com");
        assert_eq!(url(Jurisdiction::Eu), "https://023e105f4ecef8ad9ca31a8372d0c353.eu.r2.cloudflarestorage.com");
    }

    #[test]
    fn only_this_machine_stands_in() {
        assert_eq!(Endpoint::local("http://127.0.0.1:80/").unwrap().as_str(), "http://127.0.0.1");
        for url in ["", "http://example.com", "https://127.0.0.1", "http://127.0.0.1.example", "127.0.0.1"] {
            assert!(Endpoint::local(url).is_err(), "{url}");
        }
    }
}
