//! Addresses: what identifies a namespace, a provider and a release.

use std::fmt;
use std::str::FromStr;

use crate::hostname::{Hostname, HostnameError};
use crate::name::{NameError, Namespace, ProviderType};
use crate::serde_text::serde_text;
use crate::version::Version;

/// The most bytes an address may have: with the longest version and a digest, a storage key then stays within the 512
/// bytes that Workers KV allows.
pub const MAX_ADDRESS_BYTES: usize = 300;

/// Why a text is no provider address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// The text does not have three parts.
    #[error("provider address `{0}` is not HOSTNAME/NAMESPACE/TYPE")]
    Shape(String),
    /// The whole does not fit into a storage key.
    #[error("provider address `{0}` is longer than {MAX_ADDRESS_BYTES} bytes")]
    TooLong(String),
    /// The hostname part is illegal.
    #[error("provider address `{0}`: {1}")]
    Hostname(String, HostnameError),
    /// The namespace or the type is illegal.
    #[error("provider address `{0}`: {1}")]
    Name(String, NameError),
}

/// A namespace on a host: what signing keys and visibility belong to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NamespaceAddress {
    /// The host that gives the namespace out.
    pub hostname: Hostname,
    /// The namespace's name.
    pub namespace: Namespace,
}

impl fmt::Display for NamespaceAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.hostname, self.namespace)
    }
}

/// What identifies a provider everywhere: `registry.example/acme/dns`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProviderAddress {
    namespace: NamespaceAddress,
    r#type: ProviderType,
}

impl ProviderAddress {
    /// The address of the provider `type` in `namespace` on `hostname`.
    ///
    /// # Errors
    /// [`AddressError::TooLong`] if the three are longer together than [`MAX_ADDRESS_BYTES`].
    pub fn new(hostname: Hostname, namespace: Namespace, r#type: ProviderType) -> Result<Self, AddressError> {
        let address = Self { namespace: NamespaceAddress { hostname, namespace }, r#type };
        let text = address.to_string();
        if text.len() > MAX_ADDRESS_BYTES {
            return Err(AddressError::TooLong(text));
        }
        Ok(address)
    }

    /// The namespace on its host.
    #[must_use]
    pub const fn namespace_address(&self) -> &NamespaceAddress {
        &self.namespace
    }

    /// The host that the provider belongs to.
    #[must_use]
    pub const fn hostname(&self) -> &Hostname {
        &self.namespace.hostname
    }

    /// The namespace's name.
    #[must_use]
    pub const fn namespace(&self) -> &Namespace {
        &self.namespace.namespace
    }

    /// The provider's type.
    #[must_use]
    pub const fn r#type(&self) -> &ProviderType {
        &self.r#type
    }
}

impl FromStr for ProviderAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let owned = || text.to_owned();
        let mut parts = text.split('/');
        let (Some(hostname), Some(namespace), Some(r#type), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(AddressError::Shape(owned()));
        };
        let hostname = hostname.parse().map_err(|error| AddressError::Hostname(owned(), error))?;
        let namespace = namespace.parse().map_err(|error| AddressError::Name(owned(), error))?;
        let r#type = r#type.parse().map_err(|error| AddressError::Name(owned(), error))?;
        Self::new(hostname, namespace, r#type)
    }
}

impl fmt::Display for ProviderAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.namespace, self.r#type)
    }
}

serde_text!(ProviderAddress);

/// One version of one provider.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReleaseAddress {
    /// The provider.
    pub provider: ProviderAddress,
    /// Its version.
    pub version: Version,
}

impl fmt::Display for ReleaseAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.provider, self.version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_normalised_part_by_part() {
        let address: ProviderAddress = "Registry.Example/Acme/DNS".parse().unwrap();
        assert_eq!(address.to_string(), "registry.example/acme/dns");
        assert_eq!(address.to_string().parse::<ProviderAddress>().unwrap(), address);
        let address: ProviderAddress = "bücher.example:8443/straße/ほげ".parse().unwrap();
        assert_eq!(address.to_string(), "xn--bcher-kva.example:8443/straße/ほげ");
    }

    #[test]
    fn what_is_no_address_is_refused() {
        let parse = |text: &str| text.parse::<ProviderAddress>();
        for text in ["", "acme/dns", "a/b/c/d"] {
            assert_eq!(parse(text), Err(AddressError::Shape(text.to_owned())));
        }
        assert!(matches!(parse("un_der/acme/dns"), Err(AddressError::Hostname(..))));
        assert!(matches!(parse("a.example//dns"), Err(AddressError::Name(..))));
        assert!(matches!(parse("a.example/acme/terraform-dns"), Err(AddressError::Name(..))));
        let label = "a".repeat(63);
        let long = format!("{label}.{label}.{label}/{label}/{label}");
        assert!(matches!(parse(&long), Err(AddressError::TooLong(_))));
    }
}
