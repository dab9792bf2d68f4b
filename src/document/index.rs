//! The index document: which providers there are.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::Document;
use crate::address::{NamespaceAddress, ProviderAddress};
use crate::hostname::Hostname;
use crate::name::{Namespace, ProviderType};

/// The providers by hostname and namespace. It is derived: a first release is written here before it is listed, so it
/// may name a provider that has no version yet, and never lacks one that has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexDocument {
    format: u32,
    revision: u64,
    hostnames: BTreeMap<Hostname, BTreeMap<Namespace, BTreeSet<ProviderType>>>,
}

impl Document for IndexDocument {
    const FORMAT: u32 = 1;

    fn revision(&self) -> u64 {
        self.revision
    }
}

impl IndexDocument {
    /// An index of no provider.
    #[must_use]
    pub const fn empty() -> Self {
        Self { format: Self::FORMAT, revision: 0, hostnames: BTreeMap::new() }
    }

    /// An index of no provider, whose next revision is newer than `revision`: where an index was lost.
    #[must_use]
    pub const fn lost(revision: u64) -> Self {
        Self { format: Self::FORMAT, revision, hostnames: BTreeMap::new() }
    }

    /// Whether the index names `address`.
    #[must_use]
    pub fn names(&self, address: &ProviderAddress) -> bool {
        let namespaces = self.hostnames.get(address.hostname());
        let types = namespaces.and_then(|namespaces| namespaces.get(address.namespace()));
        types.is_some_and(|types| types.contains(address.r#type()))
    }

    /// Every provider that the index names, in order. None of them is longer than an address may be: it was one.
    pub fn providers(&self) -> impl Iterator<Item = ProviderAddress> {
        self.hostnames.iter().flat_map(|(hostname, namespaces)| {
            namespaces.iter().flat_map(move |(namespace, types)| {
                types.iter().filter_map(move |r#type| {
                    ProviderAddress::new(hostname.clone(), namespace.clone(), r#type.clone()).ok()
                })
            })
        })
    }

    /// The providers in a namespace, by type.
    #[must_use]
    pub fn providers_in(&self, namespace: &NamespaceAddress) -> Vec<ProviderAddress> {
        let namespaces = self.hostnames.get(&namespace.hostname);
        let types = namespaces.and_then(|namespaces| namespaces.get(&namespace.namespace)).into_iter().flatten();
        let address = |r#type: &ProviderType| {
            // What is named was a valid address when it was added.
            ProviderAddress::new(namespace.hostname.clone(), namespace.namespace.clone(), r#type.clone()).ok()
        };
        types.filter_map(address).collect()
    }

    /// The next revision, which names `address` too.
    #[must_use]
    pub fn with(&self, address: &ProviderAddress) -> Self {
        self.with_all([address])
    }

    /// The next revision, which names `addresses` too.
    #[must_use]
    pub fn with_all<'a>(&self, addresses: impl IntoIterator<Item = &'a ProviderAddress>) -> Self {
        let mut next = self.clone();
        next.revision += 1;
        for address in addresses {
            let namespaces = next.hostnames.entry(address.hostname().clone()).or_default();
            namespaces.entry(address.namespace().clone()).or_default().insert(address.r#type().clone());
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_names_what_was_added() {
        let dns: ProviderAddress = "a.example/acme/dns".parse().unwrap();
        let index = IndexDocument::empty().with(&dns);
        assert!(index.names(&dns));
        assert_eq!(index.providers().collect::<Vec<_>>(), std::slice::from_ref(&dns));
        for other in ["b.example/acme/dns", "a.example/other/dns", "a.example/acme/tls"] {
            assert!(!index.names(&other.parse().unwrap()), "{other}");
        }
        assert_eq!(index.providers_in(dns.namespace_address()), std::slice::from_ref(&dns));
        for other in ["b.example/acme/dns", "a.example/other/dns"] {
            let other: ProviderAddress = other.parse().unwrap();
            assert_eq!(index.providers_in(other.namespace_address()), []);
        }
        let json = index.to_json().unwrap();
        assert_eq!(
            String::from_utf8(json.clone()).unwrap(),
            r#"{"format":1,"revision":1,"hostnames":{"a.example":{"acme":["dns"]}}}"#
        );
        assert_eq!(IndexDocument::from_json(&json).unwrap(), index);
    }

    #[test]
    fn an_index_gives_out_what_it_names() {
        let providers: Vec<ProviderAddress> =
            ["a.example/acme/dns", "a.example/acme/tls", "b.example/acme/dns"].map(|text| text.parse().unwrap()).into();
        let index = IndexDocument::lost(7).with_all(&providers);
        assert_eq!(index.providers().collect::<Vec<_>>(), providers);
        assert_eq!(index.revision(), 8);
    }
}
