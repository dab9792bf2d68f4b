//! An OCI view against what follows from release documents.

use yuba::digest::Sha256Digest;
use yuba::document::{OciView, ProviderDocument, VersionEntry};
use yuba::keys::DocumentKey;
use yuba::version::Version;

use crate::fsck::checks::oci::{OCI_VIEW_DIFFERS, OCI_VIEW_UNLISTED};
use crate::fsck::checks::providers::REMOVED_LEFT;
use crate::fsck::finding::{Findings, Subject};

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
    if view.content != expected.content {
        return findings.add(&OCI_VIEW_DIFFERS, &subject, "says something else than the release document");
    }
    if let Some((version, _)) = expected.releases.iter().find(|release| !view.releases.contains(release)) {
        return findings.add(&OCI_VIEW_DIFFERS, &subject, format!("does not name {version}"));
    }
    // One that is not listed may stand there too, if it can be a release with the same archive.
    let is_listed = |(version, document): &(Version, Sha256Digest)| {
        let entry = provider.and_then(|provider| provider.find(version));
        entry.is_some_and(|entry| entry.release == *document)
    };
    let is_strange = |release| !expected.releases.contains(release) && (is_listed(release) || !is_layer(view));
    if let Some((version, _)) = view.releases.iter().find(|release| is_strange(release)) {
        findings.add(&OCI_VIEW_DIFFERS, &subject, format!("names {version}, which it does not belong to"));
    }
}

fn is_layer(view: &OciView) -> bool {
    yuba::protocol::oci::manifest(&view.content).is_none()
}
