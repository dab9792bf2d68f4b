//! Remote service discovery: `GET /.well-known/terraform.json`.
//!
//! ```json
//! {"providers.v1":"/v1/providers/"}
//! ```
//!
//! The URL is relative, so that it holds on whatever host and port the request came to. Modules, login and other
//! services are out of scope.

use serde::Serialize;

use crate::route::REGISTRY_PATH;

/// The services that the host offers.
#[derive(Debug, Serialize)]
pub struct Discovery {
    /// The base of the provider registry protocol; endpoints are resolved against it, so it ends in a slash.
    #[serde(rename = "providers.v1")]
    pub providers: &'static str,
}

/// What this host offers.
#[must_use]
pub const fn render() -> Discovery {
    Discovery { providers: REGISTRY_PATH }
}
