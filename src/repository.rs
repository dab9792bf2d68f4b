//! OCI repositories: the names under which a provider is found in an OCI registry.
//!
//! `OpenTofu`'s RFC on provider packages in OCI registries maps a provider's address to a repository in three ways, and
//! all three are answered. Each maps one way only, so a repository names one provider.
//!
//! | mapping | repository of `registry.example/acme/dns` |
//! |---|---|
//! | mirror template, `HOST/${hostname}/${namespace}/${type}` | `registry.example/acme/dns` |
//! | service discovery, `HOST/{namespace}/{type}` | `acme/dns`, on its own host alone |
//! | reserved suffix | `acme/opentofu-provider-dns`, on its own host alone |
//!
//! No type starts with `opentofu-`, so the last two never meet.

pub mod template;

use std::fmt;
use std::str::FromStr;

use crate::address::ProviderAddress;
use crate::hostname::Hostname;
use crate::name::{Namespace, ProviderType};

pub use template::{RepositoryTemplate, TemplateError};

/// What stands before the type in a repository of the reserved suffix mapping (RFC, "Magic" inference).
const RESERVED_PREFIX: &str = "opentofu-provider-";

/// Why there is no such repository.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RepositoryError {
    /// The name is none that a provider is mapped to.
    #[error(
        "repository `{0}` is none of a provider: HOSTNAME/NAMESPACE/TYPE, NAMESPACE/TYPE or NAMESPACE/{RESERVED_PREFIX}TYPE, in lower case"
    )]
    Unknown(String),
    /// OCI's grammar has no place for the provider's name (RFC, "Provider Source Addresses with Unsupported Unicode
    /// Characters").
    #[error(
        "requested provider address `{provider}` contains characters that are not valid in an OCI distribution \
         repository name, so this provider cannot be installed from an OCI repository as `{repository}`"
    )]
    Unrepresentable {
        /// The provider.
        provider: String,
        /// The repository that it would be.
        repository: String,
    },
}

/// A repository of one provider.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Repository(Mapping);

/// How a provider's address became a repository's name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Mapping {
    Mirror(ProviderAddress),
    Discovery(Namespace, ProviderType),
    Reserved(Namespace, ProviderType),
}

impl Repository {
    /// The repository that the mirror template `HOST/${hostname}/${namespace}/${type}` names.
    ///
    /// # Errors
    /// [`RepositoryError::Unrepresentable`] if a name is not ASCII, or the hostname has a port.
    pub fn of_mirror(provider: ProviderAddress) -> Result<Self, RepositoryError> {
        Self(Mapping::Mirror(provider)).representable()
    }

    /// The repository that the template `HOST/{namespace}/{type}` of service discovery names, on the provider's own host.
    ///
    /// # Errors
    /// [`RepositoryError::Unrepresentable`] if a name is not ASCII.
    pub fn of_discovery(namespace: Namespace, r#type: ProviderType) -> Result<Self, RepositoryError> {
        Self(Mapping::Discovery(namespace, r#type)).representable()
    }

    /// The repository that a hostname with the reserved suffix names, on the host before the suffix.
    ///
    /// # Errors
    /// [`RepositoryError::Unrepresentable`] if a name is not ASCII.
    pub fn of_reserved_suffix(namespace: Namespace, r#type: ProviderType) -> Result<Self, RepositoryError> {
        Self(Mapping::Reserved(namespace, r#type)).representable()
    }

    /// The provider, where `own` is the host that the repository is on.
    ///
    /// # Errors
    /// [`RepositoryError::Unknown`] if there is no such provider on any host: its address would be too long.
    pub fn provider(&self, own: &Hostname) -> Result<ProviderAddress, RepositoryError> {
        match &self.0 {
            Mapping::Mirror(provider) => Ok(provider.clone()),
            Mapping::Discovery(namespace, r#type) | Mapping::Reserved(namespace, r#type) => {
                let address = ProviderAddress::new(own.clone(), namespace.clone(), r#type.clone());
                address.map_err(|_| RepositoryError::Unknown(self.to_string()))
            }
        }
    }

    /// Names are normalised already, so ASCII ones are what OCI's grammar takes; a port it takes only in a host.
    fn representable(self) -> Result<Self, RepositoryError> {
        let repository = self.to_string();
        if repository.is_ascii() && !repository.contains(':') {
            return Ok(self);
        }
        let provider = match &self.0 {
            Mapping::Mirror(provider) => provider.to_string(),
            Mapping::Discovery(namespace, r#type) | Mapping::Reserved(namespace, r#type) => {
                format!("{namespace}/{type}")
            }
        };
        Err(RepositoryError::Unrepresentable { provider, repository })
    }
}

impl FromStr for Repository {
    type Err = RepositoryError;

    /// Parses a name as clients write it, and no other spelling.
    fn from_str(text: &str) -> Result<Self, RepositoryError> {
        let parts: Vec<&str> = text.split('/').collect();
        let mapping = parse(&parts).filter(|mapping| mapping.to_string() == text);
        Self(mapping.ok_or_else(|| RepositoryError::Unknown(text.to_owned()))?).representable()
    }
}

fn parse(parts: &[&str]) -> Option<Mapping> {
    match *parts {
        [hostname, namespace, r#type] => {
            let provider = ProviderAddress::new(hostname.parse().ok()?, namespace.parse().ok()?, r#type.parse().ok()?);
            Some(Mapping::Mirror(provider.ok()?))
        }
        [namespace, name] => {
            let namespace = namespace.parse().ok()?;
            Some(match name.strip_prefix(RESERVED_PREFIX) {
                Some(r#type) => Mapping::Reserved(namespace, r#type.parse().ok()?),
                None => Mapping::Discovery(namespace, name.parse().ok()?),
            })
        }
        _ => None,
    }
}

impl fmt::Display for Mapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mirror(provider) => write!(f, "{provider}"),
            Self::Discovery(namespace, r#type) => write!(f, "{namespace}/{type}"),
            Self::Reserved(namespace, r#type) => write!(f, "{namespace}/{RESERVED_PREFIX}{type}"),
        }
    }
}

impl fmt::Display for Repository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mapping_names_one_provider() {
        let provider: ProviderAddress = "registry.example/acme/dns".parse().unwrap();
        let own = provider.hostname().clone();
        let names = || (provider.namespace().clone(), provider.r#type().clone());
        let cases = [
            (Repository::of_mirror(provider.clone()), "registry.example/acme/dns"),
            (Repository::of_discovery(names().0, names().1), "acme/dns"),
            (Repository::of_reserved_suffix(names().0, names().1), "acme/opentofu-provider-dns"),
        ];
        for (repository, name) in cases {
            let repository = repository.unwrap();
            assert_eq!(repository.to_string(), name);
            assert_eq!(name.parse(), Ok(repository.clone()));
            assert_eq!(repository.provider(&own), Ok(provider.clone()));
        }
    }

    #[test]
    fn a_mirrored_provider_has_the_repository_of_its_own_host() {
        let repository: Repository = "xn--bcher-kva.example/acme/dns".parse().unwrap();
        let elsewhere = "registry.example".parse().unwrap();
        assert_eq!(repository.provider(&elsewhere).unwrap().to_string(), "xn--bcher-kva.example/acme/dns");
    }

    #[test]
    fn names_that_the_grammar_cannot_hold_are_told_as_the_rfc_does() {
        let told = |name: &str| name.parse::<Repository>().unwrap_err().to_string();
        assert_eq!(
            told("example.com/foo/ほげ"),
            "requested provider address `example.com/foo/ほげ` contains characters that are not valid in an OCI \
             distribution repository name, so this provider cannot be installed from an OCI repository as \
             `example.com/foo/ほげ`"
        );
        for (name, provider) in [
            ("straße/dns", "`straße/dns`"),
            ("foo/opentofu-provider-ほげ", "`foo/ほげ`"),
            ("localhost:8443/acme/dns", "`localhost:8443/acme/dns`"),
        ] {
            assert!(told(name).starts_with(&format!("requested provider address {provider} contains")), "{name}");
        }
    }

    #[test]
    fn what_is_no_provider_s_repository_is_refused() {
        for name in [
            "",
            "dns",
            "/",
            "acme/",
            "/dns",
            "a.example/acme/dns/more",
            "Acme/dns",
            "acme/DNS",
            "A.example/acme/dns",
            "a_b/dns",
            "acme/terraform-dns",
            "acme/opentofu-provider-",
            "acme/opentofu-provider-terraform-dns",
            "acme/opentofu-dns",
            "acme--x/dns",
            "a_b.example/acme/dns",
        ] {
            assert_eq!(name.parse::<Repository>(), Err(RepositoryError::Unknown(name.to_owned())), "{name}");
        }
    }
}
