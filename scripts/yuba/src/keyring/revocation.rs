//! Revoking a key: what it signed is blocked, or warned of. The record stays for good.

use fastrand::Rng;
use jiff::Timestamp;
use yuba::address::NamespaceAddress;
use yuba::document::{KeyRevocation, RevocationPolicy, SigningKey};

use super::change::{ChangedKey, change};
use super::error::KeyringError;
use super::key_name::KeyName;
use crate::openpgp::{KeyFileError, PublicKey, parse_key_file};
use crate::reason::Reason;
use crate::store::Store;
use crate::time;

/// What is said about a key that is revoked.
#[derive(Debug, Clone)]
pub struct Revocation {
    /// Why.
    pub reason: Reason,
    /// What it means to the versions that the key signed.
    pub policy: RevocationPolicy,
    /// The owner's own revocation: a certificate, or a copy of the key that carries it.
    pub certificate: Option<Vec<u8>>,
}

/// What a change of a key's record means to whoever installs what it signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It can no longer be installed.
    Blocks,
    /// It can be installed again.
    Unblocks,
    /// Nothing that keeps anybody from installing it.
    None,
}

impl Effect {
    /// The effect of a record that becomes another one.
    #[must_use]
    pub fn of(before: &SigningKey, after: &SigningKey) -> Self {
        match (is_blocked(before), is_blocked(after)) {
            (false, true) => Self::Blocks,
            (true, false) => Self::Unblocks,
            (true, true) | (false, false) => Self::None,
        }
    }
}

fn is_blocked(key: &SigningKey) -> bool {
    key.revoked.as_ref().is_some_and(|revocation| revocation.policy == RevocationPolicy::Block)
}

/// Revokes a key. A revoked one can be given another reason and policy, and its owner's certificate; since when it is
/// revoked, and that it is, stays.
///
/// # Errors
/// [`KeyringError`] if there is no such key, the certificate is not its own, the policy would be untrue, or storage
/// fails.
pub async fn revoke(
    store: &dyn Store,
    namespace: &NamespaceAddress,
    name: &KeyName,
    revocation: &Revocation,
    now: Timestamp,
    mut random: Rng,
) -> Result<ChangedKey, KeyringError> {
    change(store, namespace, name, &mut random, |key| revocation.apply(key, now)).await
}

impl Revocation {
    /// What a key's record becomes.
    fn apply(&self, key: &SigningKey, now: Timestamp) -> Result<SigningKey, KeyringError> {
        let mut revoked = key.clone();
        let mut public = read(key)?;
        if let Some(certificate) = &self.certificate {
            public.revoke(certificate, now).map_err(KeyringError::Certificate)?;
            revoked.ascii_armor = public.ascii_armor();
        }
        let certified = public.revocation(now).is_some();
        if certified && self.policy == RevocationPolicy::Warn {
            return Err(KeyringError::WarnOfCertified(key.fingerprint.clone()));
        }
        let at = key.revoked.as_ref().map_or_else(|| time::render(now), |before| before.at.clone());
        let (reason, policy) = (self.reason.to_string(), self.policy);
        revoked.revoked = Some(KeyRevocation { reason, policy, at, certified });
        Ok(revoked)
    }
}

fn read(key: &SigningKey) -> Result<PublicKey, KeyringError> {
    let parsed = parse_key_file(key.ascii_armor.as_bytes());
    let parsed = parsed.and_then(|keys| keys.into_iter().next().ok_or(KeyFileError::NotAKey));
    parsed.map_err(|error| KeyringError::Registered(key.fingerprint.clone(), error))
}

/// The revocation in the record of a key whose public key block is `public`, and whose record was `before`. Clients refuse
/// a block that carries its owner's revocation, so the record says that it blocks.
pub(crate) fn certify(public: &PublicKey, before: Option<&KeyRevocation>, now: Timestamp) -> Option<KeyRevocation> {
    let Some(owner) = public.revocation(now) else { return before.cloned() };
    let (reason, at) = match before {
        Some(before) => (before.reason.clone(), before.at.clone()),
        None => (Reason::quote(&owner.reason).to_string(), time::render(now)),
    };
    Some(KeyRevocation { reason, policy: RevocationPolicy::Block, at, certified: true })
}
