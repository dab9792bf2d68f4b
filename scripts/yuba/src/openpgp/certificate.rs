//! A public key as clients see it: which self-signatures count, and what makes them drop the key.

use std::cmp::Reverse;

use jiff::Timestamp;
use pgp::composed::{SignedPublicKey, SignedPublicSubKey};
use pgp::crypto::public_key::PublicKeyAlgorithm;
use pgp::packet::{Signature, SignatureType, Subpacket, SubpacketData};
use pgp::ser::Serialize as _;
use pgp::types::{KeyDetails, PublicParams, SignedUser, Tag};

use super::{has_passed, to_expiry, to_time};

/// The shortest RSA or DSA key that is no finding (NIST SP 800-57 part 1, table 4).
pub(super) const MIN_BITS: u16 = 2048;

/// What makes clients drop a key, or will.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyDefect {
    /// No user id has a self-signature.
    #[error("has no user id that it signed itself")]
    NoUserId,
    /// A self-signature over a user id is wrong.
    #[error("has an invalid self-signature over user id `{0}`")]
    UserIdSignature(String),
    /// A user id is revoked without ever having been certified.
    #[error("revokes user id `{0}` without having signed it, which crashes clients")]
    OnlyRevokedUserId(String),
    /// The key says that it is revoked, but not by its own word.
    #[error("has a revocation that is not its own, which clients cannot read")]
    ForeignRevocation,
    /// A subkey has no binding signature.
    #[error("has subkey `{0}` without a binding signature")]
    UnboundSubkey(String),
    /// A signature over a subkey is wrong.
    #[error("has subkey `{0}` with an invalid binding or revocation signature")]
    SubkeySignature(String),
    /// A signing subkey does not sign the primary key in return, or wrongly.
    #[error("has signing subkey `{0}` without a valid cross-certification of the primary key")]
    CrossCertification(String),
    /// The primary key cannot certify.
    #[error("has a primary key that cannot sign")]
    PrimaryCannotSign,
    /// The algorithm is newer than clients in use, or unknown.
    #[error("is of algorithm {0}, which clients in use cannot read")]
    Algorithm(String),
    /// The key is short.
    #[error("has {0} bits, fewer than {MIN_BITS}")]
    Bits(u16),
}

/// A public key as clients see it.
#[derive(Debug)]
pub(super) struct Certificate<'k> {
    pub(super) key: &'k SignedPublicKey,
    /// The self-signature that says what the primary key may do, and the user id it is over.
    pub(super) primary: Option<Identity<'k>>,
    /// The key's revocations of itself.
    pub(super) revocations: Vec<&'k Signature>,
    /// The subkeys that are bound.
    pub(super) subkeys: Vec<Subkey<'k>>,
    /// What makes clients drop the key.
    pub(super) defects: Vec<KeyDefect>,
}

/// A user id that the key signed.
#[derive(Debug, Clone)]
pub(super) struct Identity<'k> {
    pub(super) signature: &'k Signature,
    pub(super) revocations: Vec<&'k Signature>,
    pub(super) name: String,
}

/// A subkey and the binding signature that counts.
#[derive(Debug, Clone)]
pub(super) struct Subkey<'k> {
    pub(super) key: &'k SignedPublicSubKey,
    pub(super) binding: &'k Signature,
    pub(super) revocations: Vec<&'k Signature>,
}

impl<'k> Certificate<'k> {
    pub(super) fn of(key: &'k SignedPublicKey) -> Self {
        let mut certificate =
            Self { key, primary: None, revocations: Vec::new(), subkeys: Vec::new(), defects: Vec::new() };
        if !can_make_signatures(key.algorithm()) {
            certificate.defects.push(KeyDefect::PrimaryCannotSign);
        }
        certificate.read_revocations();
        let identities: Vec<_> = key.details.users.iter().filter_map(|user| certificate.read_user(user)).collect();
        // The identity that go-crypto prefers: fewest revocations, marked as primary, newest self-signature.
        let rank = |identity: &Identity<'k>| {
            (Reverse(identity.revocations.len()), identity.signature.is_primary(), created(identity.signature))
        };
        certificate.primary = identities.into_iter().max_by_key(rank);
        if certificate.primary.is_none() && !certificate.defects.iter().any(KeyDefect::is_about_user_id) {
            certificate.defects.push(KeyDefect::NoUserId);
        }
        for subkey in &key.public_subkeys {
            if let Some(subkey) = certificate.read_subkey(subkey) {
                certificate.subkeys.push(subkey);
            }
        }
        certificate
    }

    fn read_revocations(&mut self) {
        for revocation in &self.key.details.revocation_signatures {
            if revocation.verify_key(&self.key.primary_key).is_ok() {
                self.revocations.push(revocation);
            } else {
                self.defects.push(KeyDefect::ForeignRevocation);
            }
        }
    }

    fn read_user(&mut self, user: &'k SignedUser) -> Option<Identity<'k>> {
        let name = String::from_utf8_lossy(user.id.id()).into_owned();
        let mut revocations = Vec::new();
        let mut newest: Option<&Signature> = None;
        for signature in user.signatures.iter().filter(|signature| is_issued_by(signature, &self.key.primary_key)) {
            if signature.verify_certification(&self.key.primary_key, Tag::UserId, &user.id).is_err() {
                self.defects.push(KeyDefect::UserIdSignature(name));
                return None;
            }
            if signature.typ() == Some(SignatureType::CertRevocation) {
                revocations.push(signature);
            } else if newest.is_none_or(|newest| created(signature) > created(newest)) {
                newest = Some(signature);
            }
        }
        match newest {
            Some(signature) => Some(Identity { signature, revocations, name }),
            None if revocations.is_empty() => None,
            None => {
                self.defects.push(KeyDefect::OnlyRevokedUserId(name));
                None
            }
        }
    }

    fn read_subkey(&mut self, subkey: &'k SignedPublicSubKey) -> Option<Subkey<'k>> {
        let id = subkey.key.fingerprint().to_string().to_uppercase();
        let primary = &self.key.primary_key;
        let mut revocations = Vec::new();
        let mut newest: Option<&Signature> = None;
        for signature in &subkey.signatures {
            if signature.verify_subkey_binding(primary, &subkey.key).is_err() {
                self.defects.push(KeyDefect::SubkeySignature(id));
                return None;
            }
            if signature.typ() == Some(SignatureType::SubkeyRevocation) {
                revocations.push(signature);
                continue;
            }
            let crossed = match embedded(signature).as_slice() {
                [] => !signature.key_flags().sign(),
                [back] => {
                    back.verify_primary_key_binding(&subkey.key, primary).is_ok() || !signature.key_flags().sign()
                }
                _ => false,
            };
            if !crossed {
                self.defects.push(KeyDefect::CrossCertification(id));
                return None;
            }
            if newest.is_none_or(|newest| created(signature) > created(newest)) {
                newest = Some(signature);
            }
        }
        if newest.is_none() {
            self.defects.push(KeyDefect::UnboundSubkey(id));
        }
        newest.map(|binding| Subkey { key: subkey, binding, revocations })
    }

    /// When the primary key expires.
    pub(super) fn expires(&self) -> Option<Timestamp> {
        let lifetime = self.primary.as_ref().and_then(|primary| primary.signature.key_expiration_time());
        to_expiry(self.key.created_at(), lifetime)
    }

    /// Whether the primary key, or a subkey that is neither expired nor revoked, may sign documents.
    pub(super) fn can_sign(&self, now: Timestamp) -> bool {
        let primary = self.primary.as_ref().is_some_and(|primary| primary.signature.key_flags().sign());
        primary || self.subkeys.iter().any(|subkey| subkey.can_sign() && subkey.is_usable(now))
    }
}

impl Subkey<'_> {
    pub(super) fn can_sign(&self) -> bool {
        self.binding.key_flags().sign() && can_make_signatures(self.key.algorithm())
    }

    /// When the subkey expires.
    pub(super) fn expires(&self) -> Option<Timestamp> {
        to_expiry(self.key.created_at(), self.binding.key_expiration_time())
    }

    fn is_usable(&self, now: Timestamp) -> bool {
        self.revocations.is_empty() && !has_passed(self.expires(), now)
    }
}

impl KeyDefect {
    /// Whether the defect concerns the key's user ids.
    #[must_use]
    pub const fn is_about_user_id(&self) -> bool {
        matches!(self, Self::NoUserId | Self::UserIdSignature(_) | Self::OnlyRevokedUserId(_))
    }
}

/// When a signature was made, as far as it says so.
pub(super) fn created(signature: &Signature) -> Option<Timestamp> {
    signature.created().map(|created| to_time(created.as_secs()))
}

/// Whether a signature says that `key` made it; the fingerprint counts before the key id, as in go-crypto.
pub(super) fn is_issued_by(signature: &Signature, key: &impl KeyDetails) -> bool {
    let fingerprints = signature.issuer_fingerprint();
    if fingerprints.is_empty() {
        return signature.issuer_key_id().iter().any(|id| **id == key.legacy_key_id());
    }
    fingerprints.iter().any(|fingerprint| **fingerprint == key.fingerprint())
}

/// The signatures embedded in a binding signature, wherever in it they are.
fn embedded(signature: &Signature) -> Vec<&Signature> {
    // What is embedded carries its own proof, so that clients take it from the part that is not signed too.
    let config = signature.config().into_iter();
    let subpackets = config.flat_map(|config| config.hashed_subpackets().chain(config.unhashed_subpackets()));
    let embedded = subpackets.filter_map(|subpacket| match &subpacket.data {
        SubpacketData::EmbeddedSignature(embedded) => Some(&**embedded),
        _ => None,
    });
    embedded.collect()
}

/// The signature embedded in a binding signature.
pub(super) fn cross_certification(binding: &Signature) -> Option<&Signature> {
    embedded(binding).first().copied()
}

/// The critical notations of a signature.
pub(super) fn critical_notations(signature: &Signature) -> Vec<String> {
    let critical = |subpacket: &Subpacket| match &subpacket.data {
        SubpacketData::Notation(notation) if subpacket.is_critical => {
            Some(String::from_utf8_lossy(&notation.name).into_owned())
        }
        _ => None,
    };
    let hashed = signature.config().into_iter().flat_map(pgp::packet::SignatureConfig::hashed_subpackets);
    hashed.filter_map(critical).collect()
}

/// Whether an algorithm can make signatures (go-crypto `PublicKeyAlgorithm.CanSign`).
fn can_make_signatures(algorithm: PublicKeyAlgorithm) -> bool {
    use PublicKeyAlgorithm as A;
    matches!(algorithm, A::RSA | A::RSASign | A::DSA | A::ECDSA | A::EdDSALegacy | A::Ed25519 | A::Ed448)
}

/// What is wrong with the algorithm or the size of a key that signs.
pub(super) fn judge_algorithm(key: &impl KeyDetails) -> Option<KeyDefect> {
    use PublicKeyAlgorithm as A;
    let algorithm = key.algorithm();
    if !matches!(algorithm, A::RSA | A::RSASign | A::DSA | A::ECDSA | A::EdDSALegacy) {
        return Some(KeyDefect::Algorithm(format!("{} ({algorithm:?})", u8::from(algorithm))));
    }
    bits(key).filter(|bits| *bits < MIN_BITS).map(KeyDefect::Bits)
}

/// The size of an RSA or DSA key: both start with a number whose length comes first, in bits (RFC 9580, 3.2).
pub(super) fn bits(key: &impl KeyDetails) -> Option<u16> {
    if !matches!(key.public_params(), PublicParams::RSA(_) | PublicParams::DSA(_)) {
        return None;
    }
    let bytes = key.public_params().to_bytes().ok()?;
    bytes.first_chunk::<2>().map(|length| u16::from_be_bytes(*length))
}
