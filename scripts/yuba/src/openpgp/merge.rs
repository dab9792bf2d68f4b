//! Merging: what a newer export of a known key adds to it.

use pgp::packet::Signature;
use pgp::types::{KeyDetails as _, SignedUser};

use super::key_file::{KeyFileError, PublicKey};

impl PublicKey {
    /// Adds what `other`, another copy of the same key, has and this one lacks: user ids, self-signatures with a new
    /// expiry, subkeys, revocations. Nothing is lost, so that the order of merges does not matter to what clients see.
    ///
    /// # Errors
    /// [`KeyFileError::OtherKey`], if `other` is not the same key.
    pub fn merge(&mut self, other: &Self) -> Result<(), KeyFileError> {
        if self.fingerprint != other.fingerprint {
            return Err(KeyFileError::OtherKey(other.fingerprint.clone(), self.fingerprint.clone()));
        }
        let (ours, theirs) = (&mut self.certificate, &other.certificate);
        add_signatures(&mut ours.details.revocation_signatures, &theirs.details.revocation_signatures);
        add_signatures(&mut ours.details.direct_signatures, &theirs.details.direct_signatures);
        for user in &theirs.details.users {
            add_user(&mut ours.details.users, user);
        }
        for attribute in &theirs.details.user_attributes {
            match ours.details.user_attributes.iter_mut().find(|known| known.attr == attribute.attr) {
                Some(known) => add_signatures(&mut known.signatures, &attribute.signatures),
                None => ours.details.user_attributes.push(attribute.clone()),
            }
        }
        for subkey in &theirs.public_subkeys {
            let same = |known: &&mut pgp::composed::SignedPublicSubKey| known.fingerprint() == subkey.fingerprint();
            match ours.public_subkeys.iter_mut().find(same) {
                Some(known) => add_signatures(&mut known.signatures, &subkey.signatures),
                None => ours.public_subkeys.push(subkey.clone()),
            }
        }
        Ok(())
    }
}

fn add_user(users: &mut Vec<SignedUser>, user: &SignedUser) {
    match users.iter_mut().find(|known| known.id.id() == user.id.id()) {
        Some(known) => add_signatures(&mut known.signatures, &user.signatures),
        None => users.push(user.clone()),
    }
}

pub(super) fn add_signatures(known: &mut Vec<Signature>, added: &[Signature]) {
    for signature in added {
        if !known.iter().any(|known| is_same(known, signature)) {
            known.push(signature.clone());
        }
    }
}

/// Whether two packets carry one signature; how the packet's length is written, and what is not signed, may differ.
fn is_same(a: &Signature, b: &Signature) -> bool {
    let hashed = |signature: &Signature| signature.config().map(|config| config.hashed_subpackets.clone());
    match (a.signature(), b.signature()) {
        (Some(left), Some(right)) => left == right && a.typ() == b.typ() && hashed(a) == hashed(b),
        _ => a == b,
    }
}
