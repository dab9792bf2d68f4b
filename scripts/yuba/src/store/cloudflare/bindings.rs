//! What a registry is made of at Cloudflare: the account, the bucket and the KV namespace.

use std::fmt;
use std::path::PathBuf;

use super::bucket::{BucketError, BucketName, Jurisdiction};
use super::identifier::{AccountId, IdentifierError, KvNamespaceId};
use crate::project::{Cloudflare, Project, ProjectError};

/// The account, where the configuration names none; wrangler's own variable.
pub const ACCOUNT_VARIABLE: &str = "CLOUDFLARE_ACCOUNT_ID";

/// The bucket, where there is no configuration.
pub const BUCKET_VARIABLE: &str = "YUBA_R2_BUCKET";

/// The bucket's jurisdiction, where there is no configuration.
pub const JURISDICTION_VARIABLE: &str = "YUBA_R2_JURISDICTION";

/// The KV namespace, where there is no configuration.
pub const KV_NAMESPACE_VARIABLE: &str = "YUBA_KV_NAMESPACE_ID";

/// The binding of the bucket.
const BUCKET_BINDING: &str = "ARCHIVES";

/// The binding of the KV namespace.
const KV_NAMESPACE_BINDING: &str = "METADATA";

/// Where a value comes from, as messages name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// An environment variable.
    Variable(&'static str),
    /// A configuration.
    File(PathBuf),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => f.write_str(name),
            Self::File(path) => write!(f, "`{}`", path.display()),
        }
    }
}

/// Why it is not known what the registry is made of.
#[derive(Debug, thiserror::Error)]
pub enum BindingsError {
    /// The configuration cannot be used.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// Nothing names the account.
    #[error("the account is not known: {ACCOUNT_VARIABLE} is not set")]
    NoAccount,
    /// The configuration has no such binding.
    #[error("`{}` has no binding `{binding}` of {kind}", path.display())]
    NoBinding {
        /// The configuration.
        path: PathBuf,
        /// The binding.
        binding: &'static str,
        /// What it should be of.
        kind: &'static str,
    },
    /// There is no configuration, and the variable is not set.
    #[error("the {kind} is not known: no `wrangler.toml` is here or above, and {variable} is not set")]
    Unnamed {
        /// What is not known.
        kind: &'static str,
        /// The variable.
        variable: &'static str,
    },
    /// An identifier is none.
    #[error("cannot use {origin}")]
    Identifier {
        /// Where it is from.
        origin: Origin,
        /// What is wrong with it.
        source: IdentifierError,
    },
    /// A bucket's name or jurisdiction is none.
    #[error("cannot use {origin}")]
    Bucket {
        /// Where it is from.
        origin: Origin,
        /// What is wrong with it.
        source: BucketError,
    },
}

impl BindingsError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Project(_) => "mend the file, or name another with `--config FILE`".to_owned(),
            Self::NoAccount => format!(
                "set {ACCOUNT_VARIABLE}, or `account_id` in `wrangler.toml`; the dashboard shows it, and so does `npx wrangler whoami`"
            ),
            Self::NoBinding { .. } => {
                format!(
                    "bind the bucket as {BUCKET_BINDING} and the KV namespace as {KV_NAMESPACE_BINDING}, as the registry's own `wrangler.toml` does"
                )
            }
            Self::Unnamed { .. } => {
                format!(
                    "name the registry's `wrangler.toml` with `--config FILE`, or set {BUCKET_VARIABLE} and {KV_NAMESPACE_VARIABLE}"
                )
            }
            Self::Identifier { source, .. } => match source {
                IdentifierError::Account(_) => "`npx wrangler whoami` shows the account id".to_owned(),
                IdentifierError::KvNamespace(_) => format!(
                    "`npx wrangler kv namespace list` shows the ids there are, `npx wrangler kv namespace create {KV_NAMESPACE_BINDING}` makes one"
                ),
            },
            Self::Bucket { .. } => "`npx wrangler r2 bucket list` shows the buckets there are".to_owned(),
        }
    }
}

/// The values of this process's environment that name parts of a registry; an empty one is as good as none.
#[derive(Debug, Clone, Default)]
pub struct Variables {
    /// [`ACCOUNT_VARIABLE`].
    pub account: Option<String>,
    /// [`BUCKET_VARIABLE`].
    pub bucket: Option<String>,
    /// [`JURISDICTION_VARIABLE`].
    pub jurisdiction: Option<String>,
    /// [`KV_NAMESPACE_VARIABLE`].
    pub kv_namespace: Option<String>,
}

/// The account, bucket and KV namespace of a registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bindings {
    /// Whose they are.
    pub account: AccountId,
    /// The bucket.
    pub bucket: BucketName,
    /// Where the bucket lies.
    pub jurisdiction: Jurisdiction,
    /// The KV namespace.
    pub kv_namespace: KvNamespaceId,
}

impl Bindings {
    /// What the project's configuration binds; without a project, what the variables name.
    ///
    /// The account is the configuration's if it names one, as wrangler has it, else the variable's.
    ///
    /// # Errors
    /// [`BindingsError`] if something is not named or is not what it should be.
    pub fn find(project: Option<&Project>, variables: &Variables) -> Result<Self, BindingsError> {
        match project {
            Some(project) => Self::of_project(project, variables),
            None => Self::of_variables(variables),
        }
    }

    fn of_project(project: &Project, variables: &Variables) -> Result<Self, BindingsError> {
        let path = project.configuration();
        let file = || Origin::File(path.to_owned());
        let no_binding = |binding, kind| BindingsError::NoBinding { path: path.to_owned(), binding, kind };
        let Cloudflare { account_id, kv_namespaces, r2_buckets } = project.cloudflare()?;
        let account = match account_id {
            Some(account) => (account, file()),
            None => of_variable(variables.account.as_deref(), ACCOUNT_VARIABLE).ok_or(BindingsError::NoAccount)?,
        };
        let bound = r2_buckets.into_iter().find(|bucket| bucket.binding == BUCKET_BINDING);
        let bound = bound.ok_or_else(|| no_binding(BUCKET_BINDING, "a bucket"))?;
        let bucket = bound.bucket_name.ok_or_else(|| no_binding(BUCKET_BINDING, "a bucket with a `bucket_name`"))?;
        let namespace = kv_namespaces.into_iter().find(|namespace| namespace.binding == KV_NAMESPACE_BINDING);
        let namespace = namespace.ok_or_else(|| no_binding(KV_NAMESPACE_BINDING, "a KV namespace"))?;
        let namespace = namespace.id.ok_or_else(|| no_binding(KV_NAMESPACE_BINDING, "a KV namespace with an `id`"))?;
        let jurisdiction = bound.jurisdiction.map(|text| (text, file()));
        parse(&account, &(bucket, file()), jurisdiction.as_ref(), &(namespace, file()))
    }

    fn of_variables(variables: &Variables) -> Result<Self, BindingsError> {
        let Variables { account, bucket, jurisdiction, kv_namespace } = variables;
        let bucket = of_variable(bucket.as_deref(), BUCKET_VARIABLE);
        let bucket = bucket.ok_or(BindingsError::Unnamed { kind: "bucket", variable: BUCKET_VARIABLE })?;
        let namespace = of_variable(kv_namespace.as_deref(), KV_NAMESPACE_VARIABLE);
        let namespace =
            namespace.ok_or(BindingsError::Unnamed { kind: "KV namespace", variable: KV_NAMESPACE_VARIABLE })?;
        let account = of_variable(account.as_deref(), ACCOUNT_VARIABLE).ok_or(BindingsError::NoAccount)?;
        let jurisdiction = of_variable(jurisdiction.as_deref(), JURISDICTION_VARIABLE);
        parse(&account, &bucket, jurisdiction.as_ref(), &namespace)
    }
}

impl fmt::Display for Bindings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bucket {}, KV namespace {}", self.bucket, self.kv_namespace)
    }
}

type Named = (String, Origin);

fn of_variable(value: Option<&str>, variable: &'static str) -> Option<Named> {
    let value = value.filter(|value| !value.is_empty())?;
    Some((value.to_owned(), Origin::Variable(variable)))
}

fn parse(
    account: &Named,
    bucket: &Named,
    jurisdiction: Option<&Named>,
    namespace: &Named,
) -> Result<Bindings, BindingsError> {
    let of_identifier = |origin: &Origin| {
        let origin = origin.clone();
        move |source| BindingsError::Identifier { origin, source }
    };
    let of_bucket = |origin: &Origin| {
        let origin = origin.clone();
        move |source| BindingsError::Bucket { origin, source }
    };
    let jurisdiction = match jurisdiction {
        Some((text, origin)) => text.parse().map_err(of_bucket(origin))?,
        None => Jurisdiction::Default,
    };
    Ok(Bindings {
        account: account.0.parse().map_err(of_identifier(&account.1))?,
        bucket: bucket.0.parse().map_err(of_bucket(&bucket.1))?,
        jurisdiction,
        kv_namespace: namespace.0.parse().map_err(of_identifier(&namespace.1))?,
    })
}
