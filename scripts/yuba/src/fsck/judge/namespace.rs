//! A namespace: its keys, each against what is recorded of it.

use std::collections::BTreeSet;

use jiff::Timestamp;
use yuba::document::{NamespaceDocument, SigningKey, Standing};
use yuba::keys::DocumentKey;

use super::judge_times;
use crate::fsck::checks::namespaces::{SIGNING_KEY, SIGNING_KEY_FACTS, SIGNING_KEY_REVOCATION, SIGNING_KEY_TWICE};
use crate::fsck::finding::{Findings, Subject};
use crate::openpgp::{self, KeyFacts, PublicKey, parse_key_file};
use crate::time;

/// The keys that may have signed in a namespace.
#[derive(Debug, Default)]
pub(in crate::fsck) struct Signers {
    /// The keys that can be read.
    pub(in crate::fsck) keys: Vec<openpgp::SigningKey>,
    /// Whether those are all.
    pub(in crate::fsck) complete: bool,
}

/// Judges a namespace, and gives out its keys.
pub(in crate::fsck) fn judge(
    key: &DocumentKey,
    namespace: &NamespaceDocument,
    now: Timestamp,
    findings: &mut Findings,
) -> Signers {
    let subject = Subject::document(key);
    let mut signers = Signers { keys: Vec::new(), complete: true };
    let mut known = BTreeSet::new();
    for record in &namespace.signing_keys {
        let fingerprint = &record.fingerprint;
        if !known.insert(fingerprint) {
            findings.add(&SIGNING_KEY_TWICE, &subject, format!("registers key `{fingerprint}` twice"));
        }
        let revoked = record.revoked.as_ref().map(|revocation| revocation.at.as_str());
        let times = [
            Some(record.created.as_str()),
            record.expires.as_deref(),
            Some(&record.added),
            record.retired.as_deref(),
            revoked,
        ];
        judge_times(&subject, times.into_iter().flatten(), findings);
        match read(record) {
            Ok(public) => judge_facts(&subject, record, &public.facts(now), findings),
            Err(what) => findings.add(&SIGNING_KEY, &subject, format!("has key `{fingerprint}`, which {what}")),
        }
        match openpgp::SigningKey::parse(&record.ascii_armor, Standing::Active) {
            Ok(key) => signers.keys.push(key),
            Err(_) => signers.complete = false,
        }
    }
    signers
}

fn read(record: &SigningKey) -> Result<PublicKey, String> {
    let keys = parse_key_file(record.ascii_armor.as_bytes()).map_err(|error| format!("cannot be used: {error}"))?;
    let Ok([key]) = <[PublicKey; 1]>::try_from(keys) else { return Err("is several keys".to_owned()) };
    if key.ascii_armor() != record.ascii_armor {
        return Err("is not written as yuba writes it".to_owned());
    }
    Ok(key)
}

/// Judges what is recorded of a key by the key itself.
fn judge_facts(subject: &Subject, record: &SigningKey, facts: &KeyFacts, findings: &mut Findings) {
    let fingerprint = &record.fingerprint;
    let pairs = [
        ("fingerprint", fingerprint.to_string(), facts.fingerprint.to_string()),
        ("user IDs", record.user_ids.join(", "), facts.user_ids.join(", ")),
        ("algorithm", record.algorithm.clone(), facts.algorithm.to_string()),
        ("time of creation", record.created.clone(), time::render(facts.created)),
        ("expiry", or_never(record.expires.clone()), or_never(facts.expires.map(time::render))),
    ];
    for (what, recorded, said) in pairs.into_iter().filter(|(_, recorded, said)| recorded != said) {
        let message = format!("records the {what} `{recorded}` of key `{fingerprint}`, which itself says `{said}`");
        findings.add(&SIGNING_KEY_FACTS, subject, message);
    }
    if let (Some(revocation), None) = (&facts.revoked, &record.revoked) {
        let message = format!("has key `{fingerprint}`, which its owner has revoked ({})", revocation.reason);
        findings.add(&SIGNING_KEY_REVOCATION, subject, message);
    }
}

fn or_never(time: Option<String>) -> String {
    time.unwrap_or_else(|| "never".to_owned())
}
