//! An OCI view against what follows from release documents.

use yuba::document::{OciView, ProviderDocument, VersionEntry};
use yuba::keys::DocumentKey;

use crate::fsck::checks::oci::{OCI_VIEW_DIFFERS, OCI_VIEW_UNLISTED};
use crate::fsck::checks::providers::REMOVED_LEFT;
use crate::fsck::finding::{Findings, Subject};
use crate::oci_views;

/// Judges a view by the one that follows from what `provider` lists, if one does.
pub(in crate::fsck) fn judge(
    key: &DocumentKey,
    view: &OciView,
    expected: Option<&OciView>,
    provider: Option<&ProviderDocument>,
    findings: &mut Findings,
) {
    let subject = Subject::document(key);
    let is_removed =
        |version| provider.and_then(|provider| provider.find_entry(version)).is_some_and(VersionEntry::is_removed);
    if let Some((version, _)) = view.releases.iter().find(|(version, _)| is_removed(version)) {
        findings.add(&REMOVED_LEFT, &subject, format!("belongs to {version}, which was removed"));
    }
    let Some(expected) = expected else {
        return findings.add(&OCI_VIEW_UNLISTED, &subject, "belongs to no listed version");
    };
    let merged = oci_views::merge(view, expected);
    if merged == *view {
        return;
    }
    let is_missing = |release| !view.releases.contains(release);
    let message = if view.content != expected.content {
        "says something else than the release document".to_owned()
    } else if let Some((version, _)) = expected.releases.iter().find(|release| is_missing(release)) {
        format!("does not name {version}")
    } else if let Some((version, _)) = view.releases.iter().find(|release| !merged.releases.contains(release)) {
        format!("names {version}, which it does not belong to")
    } else {
        "names its releases out of order".to_owned()
    };
    findings.add(&OCI_VIEW_DIFFERS, &subject, message);
}
