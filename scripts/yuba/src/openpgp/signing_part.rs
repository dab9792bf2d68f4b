//! Which part of a key signs: the primary key or a subkey, chosen as GnuPG does.

use std::cmp::Reverse;

use jiff::Timestamp;
use pgp::types::KeyDetails as _;
use yuba::fingerprint::Fingerprint;

use super::certificate::{Certificate, KeyDefect, Subkey, judge_algorithm};
use super::key_file::{read_fingerprint, show_revocation};
use super::{has_passed, to_time};

/// Why a part of a key cannot sign.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PartDefect {
    /// Nothing in the key may sign documents.
    #[error("key `{0}` may not sign: neither it nor a subkey has the signing flag")]
    MayNotSign(Fingerprint),
    /// The secret is in another file or on a card.
    #[error("the secret part of key `{0}` is not there, only its public part")]
    NoSecret(Fingerprint),
    /// The key has revoked itself.
    #[error("key `{0}` is revoked ({1})")]
    Revoked(Fingerprint, String),
    /// The key has expired.
    #[error("key `{0}` expired on {1}")]
    Expired(Fingerprint, Timestamp),
    /// A clock was or is wrong.
    #[error("key `{0}` was made on {1}, in the future")]
    Future(Fingerprint, Timestamp),
    /// Clients drop the key.
    #[error("key `{0}` {1}")]
    Unusable(Fingerprint, KeyDefect),
}

/// A part of a key that may sign.
#[derive(Debug, Clone)]
pub(super) struct Part<'c> {
    /// The subkey, if the part is not the primary key.
    pub(super) subkey: Option<&'c Subkey<'c>>,
    /// The fingerprint of the part itself.
    pub(super) fingerprint: Fingerprint,
}

impl<'c> Part<'c> {
    /// The parts that may sign, as GnuPG prefers them: subkeys, the newest first, then the primary key.
    pub(super) fn list(certificate: &'c Certificate<'c>, primary: &Fingerprint) -> Vec<Self> {
        let mut subkeys: Vec<_> = certificate.subkeys.iter().filter(|subkey| subkey.can_sign()).collect();
        // The sort is stable: of two made in the same second, GnuPG takes the first.
        subkeys.sort_by_key(|subkey| Reverse(subkey.key.created_at().as_secs()));
        let subkeys = subkeys.into_iter().filter_map(|subkey| {
            let fingerprint = read_fingerprint(&subkey.key.key)?;
            Some(Self { subkey: Some(subkey), fingerprint })
        });
        let may_sign = certificate.primary.as_ref().is_some_and(|primary| primary.signature.key_flags().sign());
        let primary = Self { subkey: None, fingerprint: primary.clone() };
        subkeys.chain(may_sign.then_some(primary)).collect()
    }

    /// The first part that can sign at `now`, of those that are `wanted`; else what is wrong with the first.
    pub(super) fn choose(
        certificate: &'c Certificate<'c>,
        primary: &Fingerprint,
        now: Timestamp,
        wanted: impl Fn(&Fingerprint) -> bool,
        has_secret: impl Fn(&Fingerprint) -> bool,
    ) -> Result<Self, PartDefect> {
        let mut defect = certificate.defect(primary, now);
        if defect.is_none() {
            for part in Self::list(certificate, primary).into_iter().filter(|part| wanted(&part.fingerprint)) {
                let no_secret =
                    || (!has_secret(&part.fingerprint)).then(|| PartDefect::NoSecret(part.fingerprint.clone()));
                match part.defect(now).or_else(no_secret) {
                    None => return Ok(part),
                    Some(found) => drop(defect.get_or_insert(found)),
                }
            }
        }
        Err(defect.unwrap_or_else(|| PartDefect::MayNotSign(primary.clone())))
    }

    /// What is wrong with the part, apart from what is wrong with the whole key.
    fn defect(&self, now: Timestamp) -> Option<PartDefect> {
        let subkey = self.subkey?;
        let fingerprint = || self.fingerprint.clone();
        if let Some(revocation) = subkey.revocations.first() {
            return Some(PartDefect::Revoked(fingerprint(), show_revocation(revocation)));
        }
        let created = to_time(subkey.key.created_at().as_secs());
        judge_age(&self.fingerprint, created, subkey.expires(), now)
            .or_else(|| judge_algorithm(&subkey.key.key).map(|defect| PartDefect::Unusable(fingerprint(), defect)))
    }
}

impl Certificate<'_> {
    /// What keeps every part of the key from signing at `now`.
    fn defect(&self, fingerprint: &Fingerprint, now: Timestamp) -> Option<PartDefect> {
        let identity = self.primary.iter().flat_map(|primary| &primary.revocations);
        if let Some(revocation) = self.revocations.iter().chain(identity).next() {
            return Some(PartDefect::Revoked(fingerprint.clone(), show_revocation(revocation)));
        }
        let created = to_time(self.key.created_at().as_secs());
        let unusable = || self.defects.first().cloned().or_else(|| judge_algorithm(self.key));
        judge_age(fingerprint, created, self.expires(), now)
            .or_else(|| unusable().map(|defect| PartDefect::Unusable(fingerprint.clone(), defect)))
    }
}

fn judge_age(
    fingerprint: &Fingerprint,
    created: Timestamp,
    expires: Option<Timestamp>,
    now: Timestamp,
) -> Option<PartDefect> {
    if created.as_second() > now.as_second() {
        return Some(PartDefect::Future(fingerprint.clone(), created));
    }
    let expired = expires.filter(|expires| has_passed(Some(*expires), now));
    expired.map(|expired| PartDefect::Expired(fingerprint.clone(), expired))
}
