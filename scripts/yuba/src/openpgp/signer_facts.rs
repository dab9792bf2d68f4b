//! What is known about the parts of a key that may sign.

use jiff::Timestamp;
use pgp::types::KeyDetails;
use yuba::fingerprint::Fingerprint;

use super::certificate::{Certificate, Subkey};
use super::key_file::{Algorithm, PublicKey, describe_revocation, name_algorithm, read_fingerprint};
use super::to_time;

/// A part of a key, the primary key or a subkey, whose flags allow it to sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignerFacts {
    /// The part's own fingerprint.
    pub fingerprint: Fingerprint,
    /// Its algorithm.
    pub algorithm: Algorithm,
    /// When it was made.
    pub created: Timestamp,
    /// When it expires.
    pub expires: Option<Timestamp>,
    /// What the owner says about its revocation, if the part by itself is revoked.
    pub revoked: Option<String>,
}

impl PublicKey {
    /// The parts that may sign, the primary key first, be they expired or revoked.
    #[must_use]
    pub fn signers(&self) -> Vec<SignerFacts> {
        let certificate = Certificate::of(&self.certificate);
        let may_sign = certificate.primary.as_ref().is_some_and(|primary| primary.signature.key_flags().sign());
        let primary = may_sign.then(|| SignerFacts {
            fingerprint: self.fingerprint.clone(),
            algorithm: name_algorithm(&self.certificate.primary_key),
            created: to_time(self.certificate.created_at().as_secs()),
            expires: certificate.expires(),
            revoked: certificate.revocations.first().map(|revocation| describe_revocation(revocation).reason),
        });
        let subkeys = certificate.subkeys.iter().filter(|subkey| subkey.can_sign()).filter_map(describe);
        primary.into_iter().chain(subkeys).collect()
    }

    /// The fingerprints of all subkeys, whatever they may do.
    #[must_use]
    pub fn subkeys(&self) -> Vec<Fingerprint> {
        self.certificate.public_subkeys.iter().filter_map(|subkey| read_fingerprint(&subkey.key)).collect()
    }
}

fn describe(subkey: &Subkey<'_>) -> Option<SignerFacts> {
    Some(SignerFacts {
        fingerprint: read_fingerprint(&subkey.key.key)?,
        algorithm: name_algorithm(&subkey.key.key),
        created: to_time(subkey.key.created_at().as_secs()),
        expires: subkey.expires(),
        revoked: subkey.revocations.first().map(|revocation| describe_revocation(revocation).reason),
    })
}
