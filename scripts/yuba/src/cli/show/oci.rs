//! What a version is in OCI distribution, as it is shown.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;
use yuba::address::ProviderAddress;
use yuba::document::{OciContent, ReleaseDocument, VersionEntry};
use yuba::platform::Platform;
use yuba::protocol::oci::spell;
use yuba::repository::{Repository, RepositoryError};
use yuba::tag::Tag;
use yuba_companion::documents::AccessError;
use yuba_companion::oci_manifest::OciManifest;
use yuba_companion::oci_views;

use super::release::Site;
use crate::cli::table;

/// The digests of a version's manifests.
pub(super) struct Digests {
    /// That of its index, which its tag names.
    index: String,
    /// Those of its platforms, as a lock file would have them (RFC, "Package checksums and signing").
    checksums: BTreeMap<Platform, String>,
}

impl Digests {
    /// The digests of `release`, if it is listed with its index.
    ///
    /// # Errors
    /// [`AccessError`] if a manifest cannot be rendered, which is a bug.
    pub(super) fn of(release: &ReleaseDocument, entry: &VersionEntry) -> Result<Option<Self>, AccessError> {
        let derived = oci_views::derive(release)?;
        // Another one is of no use to clients: sync derives it anew.
        if entry.oci_index != Some(derived.index) {
            return Ok(None);
        }
        let index = derived.views.iter().find_map(|(_, view)| match &view.content {
            OciContent::Index(text) => OciManifest::parse(text.as_bytes()).ok(),
            OciContent::Manifest(_) | OciContent::Layer { .. } => None,
        });
        let manifests = index.map(|index| index.manifests).unwrap_or_default();
        let checksums = manifests
            .iter()
            .filter_map(|manifest| Some((manifest.provider_platform()?, format!("ch:{}", manifest.digest))));
        Ok(Some(Self { index: spell(&derived.index), checksums: checksums.collect() }))
    }

    /// The checksum of the manifest for `platform`.
    pub(super) fn checksum(&self, platform: &Platform) -> Option<&str> {
        self.checksums.get(platform).map(String::as_str)
    }
}

/// How a provider's address becomes a repository's.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Mapping {
    MirrorTemplate,
    ServiceDiscovery,
    ReservedSuffix,
}

impl Mapping {
    const fn name(self) -> &'static str {
        match self {
            Self::MirrorTemplate => "mirror template",
            Self::ServiceDiscovery => "service discovery",
            Self::ReservedSuffix => "reserved suffix",
        }
    }
}

/// A repository with the version's tag.
#[derive(Serialize)]
struct Mapped {
    mapping: Mapping,
    /// Nothing, if OCI's grammar cannot hold the name.
    reference: Option<String>,
    refusal: Option<String>,
}

/// One version in OCI distribution.
#[derive(Serialize)]
pub(super) struct Oci<'a> {
    /// The digest of its index; nothing, if it is listed without one.
    index: Option<&'a str>,
    references: Vec<Mapped>,
    /// What to paste into `OpenTofu`'s CLI configuration.
    cli_configuration: Option<String>,
    /// What gives it an index.
    hint: Option<String>,
}

impl<'a> Oci<'a> {
    /// A version that is listed.
    pub(super) fn new(
        provider: &ProviderAddress,
        entry: &VersionEntry,
        digests: Option<&'a Digests>,
        site: &Site,
    ) -> Self {
        let Some(digests) = digests else {
            let hint =
                format!("the version is listed without its OCI index, so it has no tag; to derive it: {}", site.sync);
            return Self { index: None, references: Vec::new(), cli_configuration: None, hint: Some(hint) };
        };
        let names = || (provider.namespace().clone(), provider.r#type().clone());
        let refer = |mapping, repository: Result<Repository, RepositoryError>| {
            let tag = Tag(entry.version.clone());
            let reference = repository.map(|repository| format!("{}/{repository}:{tag}", site.host));
            let refusal = reference.as_ref().err().map(ToString::to_string);
            Mapped { mapping, reference: reference.ok(), refusal }
        };
        let mirror = refer(Mapping::MirrorTemplate, Repository::of_mirror(provider.clone()));
        let cli_configuration = mirror.reference.as_ref().map(|_| cli_configuration(provider, site));
        let mut references = vec![mirror];
        if site.is_own {
            let (namespace, r#type) = names();
            references.push(refer(Mapping::ServiceDiscovery, Repository::of_discovery(namespace, r#type)));
            let (namespace, r#type) = names();
            references.push(refer(Mapping::ReservedSuffix, Repository::of_reserved_suffix(namespace, r#type)));
        }
        Self { index: Some(&digests.index), references, cli_configuration, hint: None }
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::from("\nOCI distribution\n");
        let row = |name: &str, value: &str| [format!("  {name}"), value.to_owned()];
        let references = self.references.iter().map(|Mapped { mapping, reference, refusal }| {
            row(mapping.name(), reference.as_deref().or(refusal.as_deref()).unwrap_or_default())
        });
        let index = self.index.map(|index| row("index", index));
        text += &table::render(&references.chain(index).collect::<Vec<_>>());
        // Writing to a String cannot fail.
        if let Some(hint) = &self.hint {
            let _ = writeln!(text, "  {hint}");
        }
        if let Some(block) = &self.cli_configuration {
            let _ = write!(
                text,
                "\nOpenTofu 1.10 and newer install it from there by this in the CLI configuration:\n\n{block}"
            );
        }
        text
    }
}

/// The block that makes `OpenTofu` install `provider`, and nothing else, from its repository.
///
/// Clients know one of the registry's own by the host where they reach it. `OpenTofu` makes no repository of a hostname with
/// a port, so where that host has one, the template names no hostname: service discovery's mapping.
fn cli_configuration(provider: &ProviderAddress, site: &Site) -> String {
    let host = &site.host;
    let (repository, pattern) = if site.is_own && host != provider.hostname().as_str() {
        ("${namespace}/${type}", format!("{host}/{}/{}", provider.namespace(), provider.r#type()))
    } else {
        ("${hostname}/${namespace}/${type}", provider.to_string())
    };
    format!(
        "provider_installation {{\n  \
           oci_mirror {{\n    \
             repository_template = \"{host}/{repository}\"\n    \
             include             = [\"{pattern}\"]\n  \
           }}\n  \
           direct {{\n    \
             exclude = [\"{pattern}\"]\n  \
           }}\n\
         }}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_names_what_clients_call_the_provider() {
        let block = |provider: &str, host: &str, is_own| {
            let site = Site { host: host.to_owned(), is_own, sync: String::new() };
            cli_configuration(&provider.parse().unwrap(), &site)
        };
        insta::assert_snapshot!(block("localhost/acme/dns", "localhost:8443", true), @r#"
        provider_installation {
          oci_mirror {
            repository_template = "localhost:8443/${namespace}/${type}"
            include             = ["localhost:8443/acme/dns"]
          }
          direct {
            exclude = ["localhost:8443/acme/dns"]
          }
        }
        "#);
        for (provider, host, is_own) in
            [("a.example/acme/dns", "localhost:8443", false), ("registry.example/acme/dns", "registry.example", true)]
        {
            let block = block(provider, host, is_own);
            assert!(block.contains(&format!("\"{host}/${{hostname}}/${{namespace}}/${{type}}\"")), "{block}");
            assert_eq!(block.matches(&format!("[\"{provider}\"]")).count(), 2, "{block}");
        }
    }
}
