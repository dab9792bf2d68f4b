//! Custom domains: the hostnames that Cloudflare serves a Worker on, with a certificate of their own.

use std::fmt;
use std::net::Ipv4Addr;
use std::str::FromStr;

use yuba::hostname::{Hostname, HostnameError};

/// The name of this machine, and so what serves local use alone.
const LOCAL: &str = "localhost";

/// Why a text is no custom domain.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CustomDomainError {
    /// It is no hostname at all.
    #[error(transparent)]
    Hostname(#[from] HostnameError),
    /// It has a port.
    #[error("`{0}` has a port: Cloudflare serves a registry on 443")]
    Port(Hostname),
    /// It is no name in the public DNS.
    #[error("`{0}` is no domain that clients elsewhere can reach")]
    NotPublic(Hostname),
}

/// The hostname of a deployed registry: a name in a zone of the account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomDomain(Hostname);

impl CustomDomain {
    /// The hostname.
    #[must_use]
    pub const fn hostname(&self) -> &Hostname {
        &self.0
    }

    /// The hostname's text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl TryFrom<Hostname> for CustomDomain {
    type Error = CustomDomainError;

    fn try_from(hostname: Hostname) -> Result<Self, CustomDomainError> {
        let text = hostname.as_str();
        if text.contains(':') {
            return Err(CustomDomainError::Port(hostname));
        }
        let local = text == LOCAL || text.ends_with(".localhost");
        if local || !text.contains('.') || text.parse::<Ipv4Addr>().is_ok() {
            return Err(CustomDomainError::NotPublic(hostname));
        }
        Ok(Self(hostname))
    }
}

impl FromStr for CustomDomain {
    type Err = CustomDomainError;

    fn from_str(text: &str) -> Result<Self, CustomDomainError> {
        text.parse::<Hostname>()?.try_into()
    }
}

impl fmt::Display for CustomDomain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cloudflare_cannot_serve_is_refused() {
        for (text, domain) in
            [("Registry.Example", "registry.example"), ("bücher.example:443", "xn--bcher-kva.example")]
        {
            assert_eq!(text.parse::<CustomDomain>().unwrap().as_str(), domain);
        }
        let hostname = |text: &str| text.parse::<Hostname>().unwrap();
        for text in ["localhost:8443", "registry.example:8443"] {
            assert_eq!(text.parse::<CustomDomain>(), Err(CustomDomainError::Port(hostname(text))));
        }
        for text in ["localhost", "registry.localhost", "registry", "127.0.0.1"] {
            assert_eq!(text.parse::<CustomDomain>(), Err(CustomDomainError::NotPublic(hostname(text))));
        }
        for text in ["", "https://registry.example/", "*.example", "a_b.example"] {
            assert!(matches!(text.parse::<CustomDomain>(), Err(CustomDomainError::Hostname(_))), "{text}");
        }
    }
}
