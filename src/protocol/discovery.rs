//! Remote service discovery: `GET /.well-known/terraform.json`.
//!
//! ```json
//! {"providers.v1":"/v1/providers/","oci-providers.v1":"registry.example/{namespace}/{type}"}
//! ```
//!
//! The URL is relative, so that it holds on whatever host and port the request came to. A repository's address has a
//! host, which is the request's unless a template is configured. `OpenTofu`'s RFC on OCI registries proposes that
//! service; no release of `OpenTofu` asks for it yet. Modules, login and other services are out of scope.

use serde::Serialize;

use crate::repository::RepositoryTemplate;
use crate::route::REGISTRY_PATH;

/// The services that the host offers.
#[derive(Debug, Serialize)]
pub struct Discovery {
    /// The base of the provider registry protocol; endpoints are resolved against it, so it ends in a slash.
    #[serde(rename = "providers.v1")]
    pub providers: &'static str,
    /// The OCI repository of a provider, as a template (RFC, "OCI Registry as an implementation detail").
    #[serde(rename = "oci-providers.v1")]
    pub oci_providers: String,
}

/// What this host offers.
#[must_use]
pub fn render(repositories: &RepositoryTemplate) -> Discovery {
    Discovery { providers: REGISTRY_PATH, oci_providers: repositories.to_string() }
}
