//! Revocation by a key's owner: the certificate that GnuPG leaves beside every key it makes, or a copy of the key that
//! carries it.

use jiff::Timestamp;
use pgp::armor::BlockType;
use pgp::packet::{Packet, PacketParser, RevocationCode, Signature, SignatureType};
use yuba::fingerprint::Fingerprint;

use super::certificate::{Certificate, created};
use super::key_file::{KeyFileError, PublicKey, Revocation, describe_revocation, read_keys};
use super::merge::add_signatures;
use super::{armor, has_passed, to_expiry};

/// Why a file does not revoke a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RevocationError {
    /// The file holds neither a certificate nor a public key.
    #[error("the file holds neither a revocation certificate nor a public key, armored or binary")]
    Neither,
    /// The file holds keys that cannot be used.
    #[error(transparent)]
    Keys(KeyFileError),
    /// Whoever made the certificate is not the key.
    #[error("the file holds no revocation of key `{0}`: its certificate is that of another key")]
    OtherCertificate(Fingerprint),
    /// The file's keys are others.
    #[error("the file holds no copy of key `{0}`, but of `{1}`")]
    OtherKey(Fingerprint, Fingerprint),
    /// The file's copy of the key is not revoked.
    #[error("the file's copy of key `{0}` carries no revocation")]
    NotRevoked(Fingerprint),
    /// Clients do not heed it.
    #[error("the revocation of key `{0}` is not in force: it is dated in the future, or has expired")]
    NotInForce(Fingerprint),
}

impl PublicKey {
    /// The owner's revocation that clients heed at `now`, if the key carries one.
    #[must_use]
    pub fn revocation(&self, now: Timestamp) -> Option<Revocation> {
        let certificate = Certificate::of(&self.certificate);
        let in_force = certificate.revocations.iter().find(|revocation| is_in_force(revocation, now));
        in_force.map(|revocation| describe_revocation(revocation))
    }

    /// Adds the owner's revocation that `file` holds, if it is this key's own and clients heed it at `now`.
    ///
    /// # Errors
    /// [`RevocationError`], and then the key is as it was.
    pub fn revoke(&mut self, file: &[u8], now: Timestamp) -> Result<Revocation, RevocationError> {
        let mut revoked = self.clone();
        match read_certificates(file) {
            Some(certificates) => {
                let key = &self.certificate.primary_key;
                let own: Vec<_> = certificates.into_iter().filter(|it| it.verify_key(key).is_ok()).collect();
                if own.is_empty() {
                    return Err(RevocationError::OtherCertificate(self.fingerprint.clone()));
                }
                add_signatures(&mut revoked.certificate.details.revocation_signatures, &own);
            }
            None => revoked.merge_revoked(file)?,
        }
        let revocation =
            revoked.revocation(now).ok_or_else(|| RevocationError::NotInForce(self.fingerprint.clone()))?;
        *self = revoked;
        Ok(revocation)
    }

    /// Merges the copy of this key in `file`, which must carry a revocation.
    fn merge_revoked(&mut self, file: &[u8]) -> Result<(), RevocationError> {
        let keys = read_keys(file).map_err(|error| match error {
            KeyFileError::NotAKey => RevocationError::Neither,
            error => RevocationError::Keys(error),
        })?;
        let Some(copy) = keys.iter().find(|key| key.fingerprint == self.fingerprint) else {
            let first = keys.into_iter().next().ok_or(RevocationError::Neither)?;
            return Err(RevocationError::OtherKey(self.fingerprint.clone(), first.fingerprint));
        };
        if let Some(defect) = copy.defects().into_iter().next() {
            return Err(RevocationError::Keys(KeyFileError::Unusable(self.fingerprint.clone(), defect)));
        }
        if Certificate::of(&copy.certificate).revocations.is_empty() {
            return Err(RevocationError::NotRevoked(self.fingerprint.clone()));
        }
        self.merge(copy).map_err(RevocationError::Keys)
    }
}

/// Whether clients heed a revocation at `now`: one for a compromised key always, others only between their date and
/// their end (go-crypto `revoked`).
fn is_in_force(revocation: &Signature, now: Timestamp) -> bool {
    if revocation.revocation_reason_code() == Some(&RevocationCode::KeyCompromised) {
        return true;
    }
    let begun = created(revocation).is_some_and(|created| created.as_second() <= now.as_second());
    let end = revocation.created().and_then(|created| to_expiry(created, revocation.signature_expiration_time()));
    begun && !has_passed(end, now)
}

/// The revocation certificates of a file that holds nothing else. GnuPG calls their armor a public key block.
fn read_certificates(file: &[u8]) -> Option<Vec<Signature>> {
    let blocks = if armor::is_armored(file) {
        let blocks = |kind| armor::read_blocks(file, &kind);
        blocks(BlockType::PublicKey).or_else(|| blocks(BlockType::Signature))?
    } else {
        vec![file.to_vec()]
    };
    let mut certificates = Vec::new();
    for block in blocks {
        for packet in PacketParser::new(block.as_slice()) {
            match packet {
                Ok(Packet::Signature(signature)) if signature.typ() == Some(SignatureType::KeyRevocation) => {
                    certificates.push(signature);
                }
                _ => return None,
            }
        }
    }
    Some(certificates).filter(|certificates| !certificates.is_empty())
}
