//! Hostnames as clients compare them: punycode, lower case, the port kept unless it is 443.

use std::fmt;
use std::str::FromStr;

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

use crate::serde_text::serde_text;

/// The port that clients drop from a hostname (svchost `svchost.go`).
const DEFAULT_PORT: u16 = 443;

/// Why a text is no hostname of a provider address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HostnameError {
    /// The text is a URL.
    #[error("`{0}` is a URL: name only its host")]
    Url(String),
    /// The part before the port is no name that DNS and IDNA's lookup profile accept.
    #[error("`{0}` is not a hostname")]
    Name(String),
    /// What follows the colon is no port.
    #[error("`{0}` does not end in a port from 1 to 65535")]
    Port(String),
}

/// The first part of a provider address, in its stored form: `registry.example`, `xn--bcher-kva.example:8443`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hostname(String);

impl Hostname {
    /// The stored form: punycode, with the port where it is not 443.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn parse_port(text: &str, port: &str) -> Result<u16, HostnameError> {
    let digits = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let number = port.parse::<u16>().ok().filter(|number| digits && *number > 0);
    number.ok_or_else(|| HostnameError::Port(text.to_owned()))
}

impl FromStr for Hostname {
    type Err = HostnameError;

    fn from_str(text: &str) -> Result<Self, HostnameError> {
        if text.contains("://") {
            return Err(HostnameError::Url(text.to_owned()));
        }
        let (name, port) = match text.split_once(':') {
            Some((name, port)) => (name, parse_port(text, port)?),
            None => (text, DEFAULT_PORT),
        };
        let name = Uts46::new()
            .to_ascii(name.as_bytes(), AsciiDenyList::STD3, Hyphens::Check, DnsLength::Verify)
            .map_err(|_| HostnameError::Name(text.to_owned()))?;
        if port == DEFAULT_PORT {
            return Ok(Self(name.into_owned()));
        }
        Ok(Self(format!("{name}:{port}")))
    }
}

impl fmt::Display for Hostname {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

serde_text!(Hostname);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostnames_are_stored_in_punycode_without_the_default_port() {
        let cases = [
            ("registry.example", "registry.example"),
            ("Registry.Example", "registry.example"),
            ("registry.example:443", "registry.example"),
            ("localhost:8443", "localhost:8443"),
            ("bücher.example", "xn--bcher-kva.example"),
            ("xn--bcher-kva.example", "xn--bcher-kva.example"),
            ("127.0.0.1", "127.0.0.1"),
        ];
        for (given, stored) in cases {
            assert_eq!(given.parse::<Hostname>().unwrap().as_str(), stored);
            assert_eq!(stored.parse::<Hostname>().unwrap().as_str(), stored);
        }
    }

    #[test]
    fn what_no_client_can_ask_for_is_refused() {
        let name = |text: &str| HostnameError::Name(text.to_owned());
        let port = |text: &str| HostnameError::Port(text.to_owned());
        let url = |text: &str| HostnameError::Url(text.to_owned());
        let cases = [
            ("", name("")),
            ("under_score.example", name("under_score.example")),
            ("a..b", name("a..b")),
            ("-a.example", name("-a.example")),
            ("a b", name("a b")),
            ("a/b", name("a/b")),
            (":8443", name(":8443")),
            ("a:", port("a:")),
            ("a:0", port("a:0")),
            ("a:+1", port("a:+1")),
            ("a:65536", port("a:65536")),
            ("[::1]:80", port("[::1]:80")),
            ("https://registry.example/", url("https://registry.example/")),
        ];
        for (given, refusal) in cases {
            assert_eq!(given.parse::<Hostname>(), Err(refusal), "{given}");
        }
    }
}
