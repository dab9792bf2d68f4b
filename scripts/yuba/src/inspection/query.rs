//! Which provider is inspected: an address that may leave its hostname out.

use std::str::FromStr;

use yuba::address::{AddressError, ProviderAddress};
use yuba::hostname::Hostname;
use yuba::name::{NameError, Namespace, ProviderType};

/// Why a text names no provider.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// There are too few parts, or too many.
    #[error("`{0}` is neither NAMESPACE/TYPE nor HOSTNAME/NAMESPACE/TYPE")]
    Shape(String),
    /// The namespace or the type is illegal.
    #[error("`{0}`: {1}")]
    Name(String, NameError),
    /// The address with a hostname is illegal.
    #[error(transparent)]
    Address(AddressError),
}

/// A provider as it is typed: `acme/dns` of the registry itself, or `mirrored.example/acme/dns`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Query {
    /// One of the registry's own.
    Own(Namespace, ProviderType),
    /// One of the hostname that stands there.
    Of(ProviderAddress),
}

impl Query {
    /// The whole address, in a registry whose own providers have the hostname `own`.
    ///
    /// # Errors
    /// [`AddressError`] if it is too long.
    pub fn address(&self, own: &Hostname) -> Result<ProviderAddress, AddressError> {
        match self {
            Self::Own(namespace, r#type) => ProviderAddress::new(own.clone(), namespace.clone(), r#type.clone()),
            Self::Of(address) => Ok(address.clone()),
        }
    }
}

impl FromStr for Query {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Self, QueryError> {
        let parts: Vec<_> = text.split('/').collect();
        match *parts.as_slice() {
            [namespace, r#type] => {
                let illegal = |error| QueryError::Name(text.to_owned(), error);
                Ok(Self::Own(namespace.parse().map_err(illegal)?, r#type.parse().map_err(illegal)?))
            }
            [_, _, _] => text.parse().map(Self::Of).map_err(QueryError::Address),
            _ => Err(QueryError::Shape(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostname_may_be_left_out() {
        let own: Hostname = "a.example".parse().unwrap();
        for (text, address) in [("Acme/dns", "a.example/acme/dns"), ("B.example/acme/dns", "b.example/acme/dns")] {
            assert_eq!(text.parse::<Query>().unwrap().address(&own).unwrap().to_string(), address);
        }
    }

    #[test]
    fn what_names_no_provider_is_refused() {
        for text in ["", "dns", "a/b/c/d", "https://a.example/acme/dns"] {
            assert!(matches!(text.parse::<Query>(), Err(QueryError::Shape(_))), "{text}");
        }
        for text in ["a_b/dns", "acme/", "acme/terraform-dns"] {
            assert!(matches!(text.parse::<Query>(), Err(QueryError::Name(..))), "{text}");
        }
        assert!(matches!("a_b/acme/dns".parse::<Query>(), Err(QueryError::Address(_))));
    }
}
