//! The index against the providers there are.

use std::collections::BTreeSet;

use yuba::address::ProviderAddress;
use yuba::document::IndexDocument;
use yuba::keys::DocumentKey;

use crate::fsck::checks::leftovers::INDEX_MORE;
use crate::fsck::checks::providers::INDEX;
use crate::fsck::finding::{Findings, Subject};
use crate::index::missing;

/// Judges an index, or that there is none; what is wrong with `lost` providers is said elsewhere.
pub(in crate::fsck) fn judge(
    index: Option<&IndexDocument>,
    providers: &[ProviderAddress],
    lost: &BTreeSet<String>,
    findings: &mut Findings,
) {
    let subject = Subject::document(&DocumentKey::Index);
    if index.is_none() && !providers.is_empty() {
        findings.add(&INDEX, &subject, "is not there");
        return;
    }
    for provider in missing(index, providers) {
        findings.add(&INDEX, &subject, format!("does not name `{provider}`"));
    }
    for provider in index.into_iter().flat_map(IndexDocument::providers) {
        let name = DocumentKey::Provider(provider.clone()).to_string();
        if !providers.contains(&provider) && !lost.contains(&name) {
            findings.add(&INDEX_MORE, &subject, format!("names `{provider}`, which has no document"));
        }
    }
}
