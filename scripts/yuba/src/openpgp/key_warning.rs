//! What whoever uses a key should know, though the key is good today.

use std::fmt;

use jiff::{SignedDuration, Timestamp};
use pgp::crypto::public_key::PublicKeyAlgorithm;
use pgp::types::KeyDetails;
use yuba::fingerprint::Fingerprint;

use super::certificate::{Certificate, MIN_BITS, bits};
use super::has_passed;
use super::key_file::{PublicKey, read_keys};
use super::signing_part::Part;

/// How many days before its end a key is told to expire: releases of a quarter can still be planned for.
pub const NOTICE_DAYS: i64 = 90;

/// Something to know about a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyWarning {
    /// The primary key.
    key: Fingerprint,
    /// The subkey that it is about, if it is not the primary key.
    subkey: Option<Fingerprint>,
    concern: Concern,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Concern {
    /// Older clients do not know the algorithm.
    Unread,
    /// The key is short.
    Bits(u16),
    /// The key has expired.
    Expired(Timestamp),
    /// The key will expire soon.
    Expires(Timestamp),
}

impl KeyWarning {
    /// What is to be known at `now` about the key in `ascii_armor`. Armor that cannot be read is for others to report.
    #[must_use]
    pub fn list(ascii_armor: &str, now: Timestamp) -> Vec<Self> {
        let keys = read_keys(ascii_armor.as_bytes()).unwrap_or_default();
        keys.iter().flat_map(|key| key.warnings(now)).collect()
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match &self.concern {
            Concern::Unread => "OpenTofu and newer Terraform read it; where older ones must install, sign with an RSA key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign".to_owned(),
            Concern::Bits(_) => "sign with a new key: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign".to_owned(),
            Concern::Expired(_) | Concern::Expires(_) => {
                let extend = format!("gpg --quick-set-expire {} 2y", self.key);
                let extend = match &self.subkey {
                    Some(subkey) => format!("{extend} {subkey}"),
                    None => extend,
                };
                format!("extend it with `{extend}`, export it and register it again")
            }
        }
    }
}

impl fmt::Display for KeyWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.subkey {
            Some(subkey) => write!(f, "subkey `{subkey}` of key `{}`", self.key)?,
            None => write!(f, "key `{}`", self.key)?,
        }
        match &self.concern {
            Concern::Unread => write!(f, " is Ed25519, which Terraform 1.5 and older cannot read"),
            Concern::Bits(bits) => write!(f, " has {bits} bits, fewer than {MIN_BITS}"),
            Concern::Expired(at) => write!(f, " expired on {at}"),
            Concern::Expires(at) => write!(f, " expires on {at}, in less than {NOTICE_DAYS} days"),
        }
    }
}

impl PublicKey {
    /// What is to be known about the key at `now`, and about the part of it that would sign.
    #[must_use]
    pub fn warnings(&self, now: Timestamp) -> Vec<KeyWarning> {
        let certificate = Certificate::of(&self.certificate);
        let part = Part::choose(&certificate, &self.fingerprint, now, |_| true, |_| true).ok();
        // Of a key that can no longer sign, it is told since when.
        let part = part.or_else(|| Part::list(&certificate, &self.fingerprint).into_iter().next());
        self.warn(&certificate, part.as_ref(), now)
    }

    /// What is to be known about the key and this part of it.
    pub(super) fn warn(
        &self,
        certificate: &Certificate<'_>,
        part: Option<&Part<'_>>,
        now: Timestamp,
    ) -> Vec<KeyWarning> {
        let subkey = part.and_then(|part| Some((part.subkey?, part.fingerprint.clone())));
        let warning = |subkey, concern| KeyWarning { key: self.fingerprint.clone(), subkey, concern };
        let primary = &certificate.key.primary_key;
        let mut warnings = Vec::new();
        if is_unread(primary) {
            warnings.push(warning(None, Concern::Unread));
        } else if let Some((subkey, fingerprint)) = &subkey
            && is_unread(&subkey.key.key)
        {
            warnings.push(warning(Some(fingerprint.clone()), Concern::Unread));
        }
        warnings.extend(short(primary).map(|concern| warning(None, concern)));
        let ends = certificate.expires().and_then(|at| judge_end(at, now)).map(|concern| warning(None, concern));
        let Some((subkey, fingerprint)) = subkey else {
            warnings.extend(ends);
            return warnings;
        };
        warnings.extend(short(&subkey.key.key).map(|concern| warning(Some(fingerprint.clone()), concern)));
        let subkey_ends = subkey.expires().and_then(|at| judge_end(at, now));
        warnings.extend(ends);
        warnings.extend(subkey_ends.map(|concern| warning(Some(fingerprint), concern)));
        warnings
    }
}

/// Whether the key is one that Terraform up to 1.5 cannot read: its library, `golang.org/x/crypto/openpgp`, has no
/// Ed25519.
fn is_unread(key: &impl KeyDetails) -> bool {
    matches!(key.algorithm(), PublicKeyAlgorithm::EdDSALegacy | PublicKeyAlgorithm::Ed25519)
}

fn short(key: &impl KeyDetails) -> Option<Concern> {
    bits(key).filter(|bits| *bits < MIN_BITS).map(Concern::Bits)
}

fn judge_end(at: Timestamp, now: Timestamp) -> Option<Concern> {
    if has_passed(Some(at), now) {
        return Some(Concern::Expired(at));
    }
    let notice = SignedDuration::from_hours(24 * NOTICE_DAYS);
    (at.duration_since(now) < notice).then_some(Concern::Expires(at))
}
