//! This machine, as an address.

use url::{Host, Url};

/// Whether `url` leads by plain HTTP to this machine and nowhere else.
pub(super) fn is_loopback(url: &Url) -> bool {
    url.scheme() == "http"
        && match url.host() {
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            Some(Host::Domain(name)) => name == "localhost",
            None => false,
        }
}
