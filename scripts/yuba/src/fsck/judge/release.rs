//! A release: its packages against SHA256SUMS, its signature against the namespace's keys, and what is listed of it.

use std::collections::BTreeSet;

use jiff::Timestamp;
use yuba::document::{ReleaseDocument, VersionEntry};
use yuba::keys::DocumentKey;

use super::judge_times;
use super::namespace::Signers;
use crate::fsck::checks::providers::ENTRY_AGREES;
use crate::fsck::checks::releases::{RELEASE_PACKAGES, RELEASE_SUMS, SIGNATURE, SIGNATURE_KEY};
use crate::fsck::finding::{Findings, Subject};
use crate::openpgp::{Form, SignatureDefect, SignatureFile};
use crate::time;
use crate::verify::listing::Listing;

/// Judges a release by itself.
pub(in crate::fsck) fn judge(key: &DocumentKey, release: &ReleaseDocument, findings: &mut Findings) {
    let subject = Subject::document(key);
    judge_times(&subject, [release.created.as_str()], findings);
    if release.packages.is_empty() {
        findings.add(&RELEASE_PACKAGES, &subject, "has no package");
    }
    let listing = Listing::parse(release.shasums.as_bytes());
    for (platform, package) in &release.packages {
        let name = &package.filename;
        let is_named = name.platform == *platform && name.version == release.version;
        if !is_named || name.r#type != *release.address.r#type() {
            findings.add(&RELEASE_PACKAGES, &subject, format!("has the package `{name}` for {platform}"));
        }
        if listing.digests.get(&name.to_string()) != Some(&Some(package.zh)) {
            findings.add(&RELEASE_SUMS, &subject, format!("does not list `{name}` with its digest {}", package.zh));
        }
    }
}

/// Judges a release's signature. What time has done to it since is no finding, and neither is a revocation, which has a
/// record of its own.
pub(in crate::fsck) fn judge_signature(
    key: &DocumentKey,
    release: &ReleaseDocument,
    signers: &Signers,
    now: Timestamp,
    findings: &mut Findings,
) {
    let subject = Subject::document(key);
    let file = match SignatureFile::parse(&release.shasums_signature) {
        Ok(file) if file.form == Form::Binary => file,
        Ok(_) => return findings.add(&SIGNATURE, &subject, "has a signature that is not binary"),
        Err(defect) => return findings.add(&SIGNATURE, &subject, format!("has a signature that {defect}")),
    };
    let judgement = file.judge(release.shasums.as_bytes(), &signers.keys, now);
    for defect in &judgement.defects {
        match defect {
            SignatureDefect::Expired(_)
            | SignatureDefect::KeyExpired(..)
            | SignatureDefect::Future(..)
            | SignatureDefect::KeyRetired(..)
            | SignatureDefect::KeyDistrusted(..)
            | SignatureDefect::KeyRevoked(..) => {}
            SignatureDefect::UnknownKey(_) if !signers.complete => {}
            SignatureDefect::UnknownKey(_) => {
                findings.add(&SIGNATURE_KEY, &subject, format!("has a signature that {defect}"));
            }
            SignatureDefect::NotASignature
            | SignatureDefect::Several(_)
            | SignatureDefect::Format(_)
            | SignatureDefect::Issuer(_)
            | SignatureDefect::Hash(_)
            | SignatureDefect::Notation(_)
            | SignatureDefect::Invalid(_)
            | SignatureDefect::MayNotSign(_)
            | SignatureDefect::Key(..) => findings.add(&SIGNATURE, &subject, format!("has a signature that {defect}")),
        }
    }
    let Some(fingerprint) = judgement.fingerprint else { return };
    if fingerprint != release.signing_key {
        let message = format!("records key `{}`, and `{fingerprint}` signed it", release.signing_key);
        findings.add(&SIGNATURE, &subject, message);
    }
    if judgement.signed_at.map(time::render).as_ref() != Some(&release.created) {
        findings.add(&SIGNATURE, &subject, format!("has a signature that was not made at {}", release.created));
    }
}

/// Judges what a provider lists of a release by the release.
pub(in crate::fsck) fn judge_entry(
    provider: &DocumentKey,
    entry: &VersionEntry,
    release: &ReleaseDocument,
    findings: &mut Findings,
) {
    let platforms: BTreeSet<_> = release.packages.keys().cloned().collect();
    let differences = [
        ("platforms", entry.platforms != platforms),
        ("protocols", entry.protocols != release.protocols),
        ("signing key", entry.signing_key != release.signing_key),
    ];
    for (what, _) in differences.into_iter().filter(|(_, differs)| *differs) {
        let message = format!("lists {} with another {what} than its release document has", entry.version);
        findings.add(&ENTRY_AGREES, &Subject::document(provider), message);
    }
}
