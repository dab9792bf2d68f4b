//! The registry that is inspected, by its URL.

use std::fmt;
use std::str::FromStr;

use url::{Host, Url};
use yuba::hostname::Hostname;

/// Where the mirror of a yuba is; the mirror protocol has no discovery.
const MIRROR_PATH: &str = "mirror/";

/// Why a text is no registry's URL.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RegistryUrlError {
    /// There is no scheme.
    #[error("`{0}` is no URL: write `https://HOST`")]
    NoScheme(String),
    /// The rest is malformed.
    #[error("`{0}` is no URL: {1}")]
    Malformed(String, url::ParseError),
    /// Clients speak TLS alone, except to nobody.
    #[error("`{0}` is not https://, and clients find registries in no other way")]
    Plain(String),
    /// There is more in it than a host.
    #[error("`{0}` has more in it than a host and a port: clients start from `/` there")]
    NotAHost(String),
    /// The host cannot be part of a provider address.
    #[error("`{0}`: {1}")]
    Hostname(String, yuba::hostname::HostnameError),
}

/// Whether `url` leads to this machine.
#[must_use]
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

/// A registry: `https://registry.example/`. On this machine, plain http is possible too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryUrl {
    url: Url,
    hostname: Hostname,
}

impl RegistryUrl {
    /// The URL, which ends in the host's root.
    #[must_use]
    pub const fn url(&self) -> &Url {
        &self.url
    }

    /// The host, with the port unless it is 443: the hostname in its providers' addresses.
    #[must_use]
    pub const fn hostname(&self) -> &Hostname {
        &self.hostname
    }

    /// The host without its port. Clients cannot ask a mirror for a hostname with a port.
    #[must_use]
    pub fn bare_hostname(&self) -> Hostname {
        let bare = self.hostname.as_str().split(':').next().unwrap_or_default();
        bare.parse().unwrap_or_else(|_| self.hostname.clone())
    }

    /// Where the mirror is, if the registry is a yuba.
    #[must_use]
    pub fn mirror(&self) -> Url {
        self.url.join(MIRROR_PATH).unwrap_or_else(|_| self.url.clone())
    }
}

impl FromStr for RegistryUrl {
    type Err = RegistryUrlError;

    fn from_str(text: &str) -> Result<Self, RegistryUrlError> {
        let owned = || text.to_owned();
        let (scheme, host) = text.split_once("://").ok_or_else(|| RegistryUrlError::NoScheme(owned()))?;
        let url: Url = text.parse().map_err(|error| RegistryUrlError::Malformed(owned(), error))?;
        if !(url.scheme() == "https" || url.scheme() == "http" && is_loopback(&url)) || scheme.is_empty() {
            return Err(RegistryUrlError::Plain(owned()));
        }
        let plain = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        if !plain || host.contains('@') {
            return Err(RegistryUrlError::NotAHost(owned()));
        }
        let name = host.trim_end_matches('/');
        let hostname = name.parse().map_err(|error| RegistryUrlError::Hostname(owned(), error))?;
        Ok(Self { url, hostname })
    }
}

impl fmt::Display for RegistryUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.url.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registries_are_hosts() {
        let cases = [
            ("https://registry.example", "https://registry.example/", "registry.example"),
            ("https://Registry.Example:443/", "https://registry.example/", "registry.example"),
            ("https://bücher.example", "https://xn--bcher-kva.example/", "xn--bcher-kva.example"),
            ("https://localhost:8443", "https://localhost:8443/", "localhost:8443"),
            ("http://127.0.0.1:1/", "http://127.0.0.1:1/", "127.0.0.1:1"),
        ];
        for (text, url, hostname) in cases {
            let registry: RegistryUrl = text.parse().unwrap();
            assert_eq!((registry.to_string().as_str(), registry.hostname().as_str()), (url, hostname));
        }
        let registry: RegistryUrl = "https://localhost:8443".parse().unwrap();
        assert_eq!(registry.bare_hostname().as_str(), "localhost");
        assert_eq!(registry.mirror().as_str(), "https://localhost:8443/mirror/");
    }

    #[test]
    fn what_is_no_registry_is_named() {
        let cases = [
            ("registry.example", "is no URL: write"),
            ("https:/registry.example", "is no URL: write"),
            ("https://", "is no URL: empty host"),
            ("https://a b/", "is no URL: invalid"),
            ("http://registry.example", "is not https://"),
            ("http://localhost.example", "is not https://"),
            ("http://10.0.0.1", "is not https://"),
            ("ftp://registry.example", "is not https://"),
            ("file:///etc", "is not https://"),
            ("https://registry.example/v1/providers/", "has more in it"),
            ("https://registry.example/?a", "has more in it"),
            ("https://registry.example/#a", "has more in it"),
            ("https://me:secret@registry.example", "has more in it"),
            ("https://un_der.example", "is not a hostname"),
            ("https://[::1]:80/", "does not end in a port"),
        ];
        for (text, message) in cases {
            let error = text.parse::<RegistryUrl>().unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
