//! A copy in KV against its document.

use yuba::digest::Sha256Digest;
use yuba::document::{IndexDocument, NamespaceDocument, OciView, ProviderDocument};
use yuba::keys::DocumentKey;

use super::stored::{Addressed, is_canonical, parse};
use crate::fsck::checks::copies::{COPY_CONTRADICTS, COPY_DAMAGED, COPY_MISSING, COPY_OLDER};
use crate::fsck::finding::{Findings, Subject};

/// Judges the copy of the document under `key`, whose bytes are `document` unless they are damaged.
pub(in crate::fsck) fn judge(key: &DocumentKey, document: Option<&[u8]>, copy: Option<&[u8]>, findings: &mut Findings) {
    let subject = Subject::copy(key.to_string());
    let Some(copy) = copy else {
        return findings.add(&COPY_MISSING, &subject, "is not there");
    };
    if document == Some(copy) {
        return;
    }
    match key {
        DocumentKey::Release(_, digest) => {
            let found = Sha256Digest::of(copy);
            if found != *digest {
                findings.add(&COPY_DAMAGED, &subject, format!("has the SHA-256 {found}"));
            }
        }
        DocumentKey::OciView(..) => match parse::<OciView>(copy) {
            Ok(view) if view.is_about(key) => findings.add(&COPY_DAMAGED, &subject, "is not what R2 has"),
            Ok(_) => findings.add(&COPY_DAMAGED, &subject, "is about something else"),
            Err(error) => findings.add(&COPY_DAMAGED, &subject, error),
        },
        DocumentKey::Index => judge_mutable::<IndexDocument>(key, document, copy, findings),
        DocumentKey::Namespace(_) => judge_mutable::<NamespaceDocument>(key, document, copy, findings),
        DocumentKey::Provider(_) => judge_mutable::<ProviderDocument>(key, document, copy, findings),
    }
}

fn judge_mutable<D: Addressed>(key: &DocumentKey, document: Option<&[u8]>, copy: &[u8], findings: &mut Findings) {
    let subject = Subject::copy(key.to_string());
    let parsed = match parse::<D>(copy) {
        Ok(parsed) if !parsed.is_about(key) => {
            return findings.add(&COPY_DAMAGED, &subject, "is about something else");
        }
        Ok(parsed) => parsed,
        Err(error) => return findings.add(&COPY_DAMAGED, &subject, error),
    };
    if !is_canonical(&parsed, copy) {
        return findings.add(&COPY_DAMAGED, &subject, "has other bytes than yuba writes for what it says");
    }
    // What is wrong with the document is said elsewhere.
    let Some(document) = document.and_then(|bytes| parse::<D>(bytes).ok()) else { return };
    let (here, there) = (parsed.revision(), document.revision());
    if here < there {
        findings.add(&COPY_OLDER, &subject, format!("has revision {here}, and R2 has {there}"));
    } else {
        let message = if here == there {
            format!("says something else than R2 under the same revision {here}")
        } else {
            format!("has revision {here}, and R2 has only {there}")
        };
        findings.add(&COPY_CONTRADICTS, &subject, message);
    }
}
