//! The plan of a deployment: what is there, what has to be created, and what stands in the way.

use serde::Serialize;

use super::configuration::{Configuration, Settings};
use super::{CustomDomain, KvNamespace, NamespaceTitle};
use crate::store::cloudflare::{BucketName, Jurisdiction, KvNamespaceId};

/// What is wished for. What is not said is as it is configured, or as it usually is.
#[derive(Debug, Clone)]
pub struct Wish {
    /// The hostname of the registry.
    pub domain: CustomDomain,
    /// The bucket's name.
    pub bucket: BucketName,
    /// The KV namespace's name, if one is asked for.
    pub title: Option<NamespaceTitle>,
    /// Where the bucket must stay.
    pub jurisdiction: Jurisdiction,
    /// Where the bucket should be, in R2's words.
    pub location: Option<&'static str>,
}

/// Whether something has to be created.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// It is there, and is used as it is.
    Keep,
    /// It is not there.
    Create,
}

/// The KV namespace of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlannedNamespace {
    /// One that is there.
    Keep(KvNamespace),
    /// One that has no id yet.
    Create(NamespaceTitle),
}

/// Why a wish cannot be granted without undoing another one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Conflict {
    /// The configuration is another registry's.
    #[error("`wrangler.toml` is configured for `{configured}`, not for `{wanted}`")]
    Hostname {
        /// The hostname in it.
        configured: String,
        /// The one that was asked for.
        wanted: CustomDomain,
    },
    /// The configuration has another bucket.
    #[error("`wrangler.toml` is configured with the bucket `{configured}`, not `{wanted}`")]
    Bucket {
        /// The bucket in it.
        configured: String,
        /// The one that was asked for.
        wanted: BucketName,
    },
    /// The configuration has a bucket of another jurisdiction.
    #[error("`wrangler.toml` is configured with a bucket {}, not {}", place(*configured), place(*wanted))]
    Jurisdiction {
        /// The jurisdiction in it.
        configured: Jurisdiction,
        /// The one that was asked for.
        wanted: Jurisdiction,
    },
    /// The configuration has another namespace.
    #[error("`wrangler.toml` is configured with the KV namespace `{}` (`{}`), not `{wanted}`", configured.title, configured.id)]
    Namespace {
        /// The namespace in it.
        configured: KvNamespace,
        /// The name that was asked for.
        wanted: NamespaceTitle,
    },
    /// The configuration has a namespace of another account.
    #[error("`wrangler.toml` is configured with the KV namespace `{0}`, which this account does not have")]
    OtherAccount(KvNamespaceId),
}

/// Where a bucket is, for messages.
const fn place(jurisdiction: Jurisdiction) -> &'static str {
    match jurisdiction {
        Jurisdiction::Default => "of no jurisdiction",
        Jurisdiction::Eu => "of the jurisdiction `eu`",
        Jurisdiction::FedRamp => "of the jurisdiction `fedramp`",
    }
}

/// What has to be done for a deployment.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The hostname.
    pub domain: CustomDomain,
    /// The bucket, and whether it has to be created.
    pub bucket: (BucketName, Step),
    /// The KV namespace.
    pub namespace: PlannedNamespace,
    /// Where the bucket must stay.
    pub jurisdiction: Jurisdiction,
    /// Where the bucket should be.
    pub location: Option<&'static str>,
}

impl Plan {
    /// The plan for `wish` in an account with these buckets and namespaces; `title` is the usual name of a namespace.
    ///
    /// # Errors
    /// [`Conflict`] if the configuration says otherwise.
    pub fn new(
        configuration: &Configuration,
        wish: &Wish,
        buckets: &[String],
        namespaces: &[KvNamespace],
        title: &NamespaceTitle,
    ) -> Result<Self, Conflict> {
        refuse_conflicts(configuration, wish)?;
        let step = if buckets.iter().any(|name| name == wish.bucket.as_str()) { Step::Keep } else { Step::Create };
        Ok(Self {
            domain: wish.domain.clone(),
            bucket: (wish.bucket.clone(), step),
            namespace: plan_namespace(configuration, wish, namespaces, title)?,
            jurisdiction: wish.jurisdiction,
            location: wish.location,
        })
    }

    /// Whether nothing has to be created.
    #[must_use]
    pub const fn creates_nothing(&self) -> bool {
        matches!((&self.bucket.1, &self.namespace), (Step::Keep, PlannedNamespace::Keep(_)))
    }

    /// What is to be configured, as far as it is known before anything is created.
    #[must_use]
    pub fn settings(&self) -> Settings {
        let namespace = match &self.namespace {
            PlannedNamespace::Keep(namespace) => Some(namespace.id.clone()),
            PlannedNamespace::Create(_) => None,
        };
        Settings {
            domain: self.domain.clone(),
            bucket: self.bucket.0.clone(),
            jurisdiction: self.jurisdiction,
            namespace,
        }
    }
}

/// The id that is configured, unless it is what serves local use.
fn configured_id(configuration: &Configuration) -> Option<KvNamespaceId> {
    configuration.namespace()?.parse().ok()
}

/// Refuses what no account can mend. Before the configuration has an id, it is nobody's, and its bucket only a proposal.
pub(super) fn refuse_conflicts(configuration: &Configuration, wish: &Wish) -> Result<(), Conflict> {
    let hostname = configuration.hostname().and_then(|hostname| hostname.parse::<CustomDomain>().ok());
    let others = configuration.custom_domains().into_iter().filter_map(|domain| domain.parse().ok());
    let served = configuration.patterns().contains(&wish.domain.as_str());
    // A Worker may have further domains, once it has the one that its addresses begin with.
    let others = others.filter(|_| !served);
    if let Some(configured) = hostname.into_iter().chain(others).find(|configured| *configured != wish.domain) {
        return Err(Conflict::Hostname { configured: configured.to_string(), wanted: wish.domain.clone() });
    }
    if configured_id(configuration).is_none() {
        return Ok(());
    }
    if let Some(configured) = configuration.bucket().filter(|configured| *configured != wish.bucket.as_str()) {
        return Err(Conflict::Bucket { configured: configured.to_owned(), wanted: wish.bucket.clone() });
    }
    let configured = configuration.jurisdiction().and_then(|jurisdiction| jurisdiction.parse().ok());
    let configured = configured.unwrap_or(Jurisdiction::Default);
    if configured != wish.jurisdiction {
        return Err(Conflict::Jurisdiction { configured, wanted: wish.jurisdiction });
    }
    Ok(())
}

fn plan_namespace(
    configuration: &Configuration,
    wish: &Wish,
    namespaces: &[KvNamespace],
    title: &NamespaceTitle,
) -> Result<PlannedNamespace, Conflict> {
    if let Some(id) = configured_id(configuration) {
        let known = namespaces.iter().find(|namespace| namespace.id == id);
        let configured = known.ok_or(Conflict::OtherAccount(id))?.clone();
        return match &wish.title {
            Some(wanted) if wanted.as_str() != configured.title => {
                Err(Conflict::Namespace { configured, wanted: wanted.clone() })
            }
            Some(_) | None => Ok(PlannedNamespace::Keep(configured)),
        };
    }
    let title = wish.title.as_ref().unwrap_or(title);
    let known = namespaces.iter().find(|namespace| namespace.title == title.as_str());
    Ok(known.map_or_else(|| PlannedNamespace::Create(title.clone()), |known| PlannedNamespace::Keep(known.clone())))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMITTED: &str = include_str!("../../tests/wrangler.toml");
    const ID: &str = "0f2ac74b498b48028cb68387c421e279";

    fn configuration(text: &str) -> Configuration {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("wrangler.toml"), text).unwrap();
        Configuration::read(&directory.path().join("wrangler.toml")).unwrap()
    }

    fn wish() -> Wish {
        let (domain, bucket) = ("registry.example".parse().unwrap(), "yuba-archives".parse().unwrap());
        Wish { domain, bucket, title: None, jurisdiction: Jurisdiction::Default, location: None }
    }

    fn plan(configuration: &Configuration, wish: &Wish, namespaces: &[(&str, &str)]) -> Result<Plan, Conflict> {
        let namespace = |&(id, title): &(&str, &str)| KvNamespace { id: id.parse().unwrap(), title: title.to_owned() };
        let namespaces: Vec<_> = namespaces.iter().map(namespace).collect();
        let buckets = ["other".to_owned(), "yuba-archives".to_owned()];
        Plan::new(configuration, wish, &buckets, &namespaces, &"yuba-metadata".parse().unwrap())
    }

    fn configured() -> String {
        let text = COMMITTED.replace("\"localhost\"", "\"registry.example\"");
        text.replace("\"metadata\"", &format!("\"{ID}\""))
    }

    #[test]
    fn what_is_there_by_name_is_used_and_the_rest_created() {
        let committed = configuration(COMMITTED);
        let new = plan(&committed, &wish(), &[]).unwrap();
        assert_eq!(new.namespace, PlannedNamespace::Create("yuba-metadata".parse().unwrap()));
        assert_eq!((new.bucket.1, new.settings().namespace), (Step::Keep, None));
        let there = plan(&committed, &wish(), &[(ID, "yuba-metadata")]).unwrap();
        assert!(there.creates_nothing());
        let other = Wish { bucket: "acme".parse().unwrap(), title: Some("acme".parse().unwrap()), ..wish() };
        let other = plan(&committed, &other, &[(ID, "yuba-metadata")]).unwrap();
        assert_eq!(
            (other.bucket.1, other.namespace),
            (Step::Create, PlannedNamespace::Create("acme".parse().unwrap()))
        );
    }

    #[test]
    fn what_is_configured_stays_under_any_name() {
        let configured = configuration(&configured());
        assert!(plan(&configured, &wish(), &[(ID, "named by hand")]).unwrap().creates_nothing());
    }

    #[test]
    fn nothing_that_is_configured_is_undone() {
        let configured = configured();
        let routed = format!("routes = [{{ pattern = \"a.example\", custom_domain = true }}]\n{COMMITTED}");
        let domain = |domain: &str| Wish { domain: domain.parse().unwrap(), ..wish() };
        let cases = [
            (
                &configured,
                domain("b.example"),
                "`wrangler.toml` is configured for `registry.example`, not for `b.example`",
            ),
            (&routed, wish(), "`wrangler.toml` is configured for `a.example`, not for `registry.example`"),
            (
                &configured,
                Wish { bucket: "acme".parse().unwrap(), ..wish() },
                "`wrangler.toml` is configured with the bucket `yuba-archives`, not `acme`",
            ),
            (
                &configured,
                Wish { jurisdiction: Jurisdiction::Eu, ..wish() },
                "`wrangler.toml` is configured with a bucket of no jurisdiction, not of the jurisdiction `eu`",
            ),
            (
                &configured,
                Wish { title: Some("acme".parse().unwrap()), ..wish() },
                "`wrangler.toml` is configured with the KV namespace `mine` (`0f2ac74b498b48028cb68387c421e279`), not `acme`",
            ),
        ];
        for (text, wish, message) in cases {
            assert_eq!(plan(&configuration(text), &wish, &[(ID, "mine")]).unwrap_err().to_string(), message);
        }
        let elsewhere = plan(&configuration(&configured), &wish(), &[]).unwrap_err();
        assert_eq!(elsewhere, Conflict::OtherAccount(ID.parse().unwrap()));
    }
}
