//! A provider: the order of its versions, and its times.

use yuba::document::{ProviderDocument, Status, VersionEntry};
use yuba::keys::DocumentKey;

use super::judge_times;
use crate::fsck::checks::providers::{PROVIDER_NAMESPACE, PROVIDER_ORDER};
use crate::fsck::finding::{Findings, Subject};

/// Judges a provider by itself; `has_namespace` says whether its namespace has a document.
pub(in crate::fsck) fn judge(
    key: &DocumentKey,
    provider: &ProviderDocument,
    has_namespace: bool,
    findings: &mut Findings,
) {
    let subject = Subject::document(key);
    for (one, next) in provider.entries().iter().zip(provider.entries().iter().skip(1)) {
        if one.version >= next.version {
            findings.add(&PROVIDER_ORDER, &subject, format!("lists {} before {}", one.version, next.version));
        }
    }
    let deprecated = provider.deprecation.iter().map(|deprecation| deprecation.at.as_str());
    let times = provider.entries().iter().flat_map(times);
    judge_times(&subject, deprecated.chain(times), findings);
    if !has_namespace && provider.versions().next().is_some() {
        let namespace = provider.address.namespace_address();
        findings.add(&PROVIDER_NAMESPACE, &subject, format!("has versions, and `{namespace}` has no document"));
    }
}

fn times(entry: &VersionEntry) -> impl Iterator<Item = &str> {
    let status = match &entry.status {
        Status::Listed => None,
        Status::Yanked { at, .. } | Status::Removed { at, .. } => Some(at.as_str()),
    };
    [entry.published.as_str()].into_iter().chain(status)
}
