//! Why a release is refused.

use yuba::address::{AddressError, NamespaceAddress, ReleaseAddress};

use super::compare::Difference;
use crate::verify::{Finding, Severity};

/// What is wrong with the release, or with where it should go.
#[derive(Debug, thiserror::Error)]
pub enum Reason {
    /// Nobody registered the namespace.
    #[error("namespace `{0}` is not registered: no key may sign for it")]
    NoNamespace(NamespaceAddress),
    /// The verification table refuses it.
    #[error("the release is refused for {0} finding{plural}", plural = if *.0 == 1 { "" } else { "s" })]
    Findings(usize),
    /// Its address is too long.
    #[error("the release cannot have this address")]
    Address(#[source] AddressError),
    /// The version is listed already, with something else.
    #[error("version {} of `{}` is listed with other content", .0.version, .0.provider)]
    OtherContent(ReleaseAddress, Vec<Difference>),
    /// The version was listed once, and removed.
    #[error("version {} of `{}` was removed, and its number is not given out again", .0.version, .0.provider)]
    Removed(ReleaseAddress),
}

impl Reason {
    /// What to do about it. `key_add` is the command that registers a key where the release should go.
    #[must_use]
    pub fn hint(&self, key_add: &str) -> String {
        match self {
            Self::NoNamespace(_) => format!("register the public key that signs your releases: {key_add}"),
            Self::Findings(_) => "nothing was published: mend what is listed above, and publish again".to_owned(),
            Self::Address(_) => "publish under a shorter hostname, namespace or type".to_owned(),
            Self::OtherContent(..) => {
                "a listed version never changes, since clients have locked it: publish under a new version".to_owned()
            }
            Self::Removed(_) => "publish under a new version".to_owned(),
        }
    }
}

/// A refused release. Nothing was written.
#[derive(Debug)]
pub struct Refusal {
    /// Why.
    pub reason: Reason,
    /// Which release it is, as far as that was found out.
    pub address: Option<ReleaseAddress>,
    /// Everything that was found about it.
    pub findings: Vec<Finding>,
}

impl Refusal {
    /// The refusal of what the verification table refuses.
    pub(super) fn of_findings(findings: Vec<Finding>) -> Self {
        let refusing = findings.iter().filter(|finding| finding.severity == Severity::Refuse).count();
        Self { reason: Reason::Findings(refusing), address: None, findings }
    }
}
