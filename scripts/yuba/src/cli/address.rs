//! Addresses as they are typed: `acme/dns`, of the hostname that the command works on, or `registry.example/acme/dns`.

use std::str::FromStr;

use yuba::address::{AddressError, ProviderAddress};
use yuba::hostname::Hostname;
use yuba::name::{NameError, Namespace, ProviderType};

use super::failure::Failure;
use super::place::Found;

/// Why a text is no address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TypedAddressError {
    /// The text has a scheme.
    #[error("`{0}` is a URL: write NAMESPACE/TYPE or HOSTNAME/NAMESPACE/TYPE")]
    Url(String),
    /// The text has too few parts or too many.
    #[error("`{0}` is neither NAMESPACE/TYPE nor HOSTNAME/NAMESPACE/TYPE")]
    Shape(String),
    /// The namespace or the type is illegal.
    #[error("`{0}`: {1}")]
    Name(String, NameError),
    /// A part of three is illegal.
    #[error(transparent)]
    Address(#[from] AddressError),
}

/// A provider's address as it is typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TypedAddress {
    /// Without a hostname.
    Short(Namespace, ProviderType),
    /// With one.
    Whole(ProviderAddress),
}

impl FromStr for TypedAddress {
    type Err = TypedAddressError;

    fn from_str(text: &str) -> Result<Self, TypedAddressError> {
        if text.contains("://") {
            return Err(TypedAddressError::Url(text.to_owned()));
        }
        let name = |error| TypedAddressError::Name(text.to_owned(), error);
        match *text.split('/').collect::<Vec<_>>() {
            [namespace, r#type] => Ok(Self::Short(namespace.parse().map_err(name)?, r#type.parse().map_err(name)?)),
            [_, _, _] => Ok(Self::Whole(text.parse()?)),
            _ => Err(TypedAddressError::Shape(text.to_owned())),
        }
    }
}

impl TypedAddress {
    /// The address, with the hostname that the command works on if none was typed.
    pub(crate) async fn find(&self, place: &Found) -> Result<ProviderAddress, Failure> {
        match self {
            Self::Whole(address) => match place.given_hostname() {
                Some(given) if given != address.hostname() => Err(contradicts(address, given)),
                _ => Ok(address.clone()),
            },
            Self::Short(..) => self.on(&place.hostname().await?.0),
        }
    }

    /// The address, with `hostname` if none was typed.
    pub(crate) fn on(&self, hostname: &Hostname) -> Result<ProviderAddress, Failure> {
        match self {
            Self::Whole(address) => Ok(address.clone()),
            Self::Short(namespace, r#type) => ProviderAddress::new(hostname.clone(), namespace.clone(), r#type.clone())
                .map_err(|error| Failure::refused(error, "no provider can have this address: check it")),
        }
    }
}

fn contradicts(address: &ProviderAddress, given: &Hostname) -> Failure {
    Failure::refused(
        format!("`{address}` and `--hostname {given}` name two hostnames"),
        "name the hostname once: in the address, or with `--hostname`",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_typed_with_and_without_a_hostname() {
        let short = "Acme/dns".parse::<TypedAddress>().unwrap();
        assert_eq!(short, TypedAddress::Short("acme".parse().unwrap(), "dns".parse().unwrap()));
        let whole = "registry.example/acme/dns".parse::<TypedAddress>().unwrap();
        assert_eq!(whole, TypedAddress::Whole("registry.example/acme/dns".parse().unwrap()));
    }

    #[test]
    fn half_typed_addresses_are_refused() {
        let parse = |text: &str| text.parse::<TypedAddress>();
        for text in ["", "acme", "a/b/c/d"] {
            assert_eq!(parse(text), Err(TypedAddressError::Shape(text.to_owned())));
        }
        let url = "https://registry.example/acme/dns";
        assert_eq!(parse(url), Err(TypedAddressError::Url(url.to_owned())));
        for text in ["acme/", "/dns", "acme/d ns", "acme/dns@1.0.0", "acme/terraform-dns"] {
            assert!(matches!(parse(text), Err(TypedAddressError::Name(..))), "{text}");
        }
        for text in ["acme/dns/1.0.0", "//", "a_b/acme/dns"] {
            assert!(matches!(parse(text), Err(TypedAddressError::Address(_))), "{text}");
        }
    }
}
