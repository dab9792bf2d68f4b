//! Preparing a deployment. Each step is taken again without harm: what a killed run created is found by its name, and
//! `wrangler.toml` is written last and at once.

use super::configuration::{Change, Configuration, ConfigurationError, Settings};
use super::plan::{Conflict, Plan, PlannedNamespace, Step, Wish, refuse_conflicts};
use super::{Account, KvNamespace, NamespaceTitle, WranglerError};

/// Why a deployment is not prepared.
#[derive(Debug, thiserror::Error)]
pub enum PreparationError {
    /// The configuration says otherwise.
    #[error(transparent)]
    Conflict(#[from] Conflict),
    /// The configuration cannot be worked on.
    #[error(transparent)]
    Configuration(#[from] ConfigurationError),
    /// Wrangler cannot do what it was asked.
    #[error(transparent)]
    Wrangler(#[from] WranglerError),
}

/// A deployment that is ready for `wrangler deploy`.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// Whether the bucket was created.
    pub bucket: Step,
    /// The KV namespace.
    pub namespace: KvNamespace,
    /// Whether that was created.
    pub namespace_step: Step,
    /// What was written into the configuration.
    pub changes: Vec<Change>,
}

/// Looks at what is there, and changes nothing: the plan, and how it would change the configuration as far as that is
/// known. `title` is what a KV namespace is usually called.
///
/// # Errors
/// [`PreparationError`] if the account cannot be asked or the configuration says otherwise.
pub async fn plan(
    configuration: &Configuration,
    wish: &Wish,
    account: &dyn Account,
    title: &NamespaceTitle,
) -> Result<(Plan, Vec<Change>), PreparationError> {
    refuse_conflicts(configuration, wish)?;
    let buckets = account.buckets(wish.jurisdiction).await?;
    let namespaces = account.namespaces().await?;
    let plan = Plan::new(configuration, wish, &buckets, &namespaces, title)?;
    let changes = configuration.clone().set(&plan.settings())?;
    Ok((plan, changes))
}

/// Does what is planned.
///
/// # Errors
/// [`PreparationError`] at the first step that fails; doing it all again goes on from there.
pub async fn carry_out(
    plan: &Plan,
    configuration: &mut Configuration,
    account: &dyn Account,
) -> Result<Prepared, PreparationError> {
    let bucket = match &plan.bucket {
        (_, Step::Keep) => Step::Keep,
        (name, Step::Create) => account.create_bucket(name, plan.jurisdiction, plan.location).await?,
    };
    let (namespace, namespace_step) = match &plan.namespace {
        PlannedNamespace::Keep(namespace) => (namespace.clone(), Step::Keep),
        PlannedNamespace::Create(title) => {
            let id = account.create_namespace(title).await?;
            (KvNamespace { id, title: title.to_string() }, Step::Create)
        }
    };
    let changes = configuration.set(&Settings { namespace: Some(namespace.id.clone()), ..plan.settings() })?;
    if !changes.is_empty() {
        configuration.write()?;
    }
    Ok(Prepared { bucket, namespace, namespace_step, changes })
}
