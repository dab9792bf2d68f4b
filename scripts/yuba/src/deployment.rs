//! A deployment: the hostname, the R2 bucket and the KV namespace that `wrangler.toml` gives the Worker, and how it
//! comes to have them.

mod configuration;
mod custom_domain;
mod namespace;
mod plan;
mod preparation;
mod wrangler;

pub use configuration::{Change, Configuration, ConfigurationError, Settings};
pub use custom_domain::{CustomDomain, CustomDomainError};
pub use namespace::{KvNamespace, NamespaceTitle, NamespaceTitleError};
pub use plan::{Conflict, Plan, PlannedNamespace, Step, Wish};
pub use preparation::{PreparationError, Prepared, carry_out, plan};
pub use wrangler::{Account, Trouble, Wrangler, WranglerError};

/// The binding of the R2 bucket.
pub const ARCHIVES: &str = "ARCHIVES";

/// The binding of the KV namespace.
pub const METADATA: &str = "METADATA";

/// The variable that names the OCI repositories that discovery announces.
pub const OCI_PROVIDERS: &str = "OCI_PROVIDERS";

/// The variable that holds the registry's own hostname.
pub const REGISTRY_HOSTNAME: &str = "REGISTRY_HOSTNAME";
