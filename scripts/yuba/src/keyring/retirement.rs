//! Retiring a key: it signs nothing new, and what it signed is served as ever.

use fastrand::Rng;
use jiff::Timestamp;
use yuba::address::NamespaceAddress;
use yuba::document::SigningKey;

use super::change::{ChangedKey, change};
use super::error::KeyringError;
use super::key_name::KeyName;
use crate::store::Store;
use crate::time;

/// What becomes of a key that is in use, or retired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retirement {
    /// It is retired.
    Begin,
    /// It signs again.
    Undo,
}

/// Retires a key, or takes that back.
///
/// # Errors
/// [`KeyringError`] if there is no such key, it is revoked, or storage fails.
pub async fn retire(
    store: &dyn Store,
    namespace: &NamespaceAddress,
    name: &KeyName,
    retirement: Retirement,
    now: Timestamp,
    mut random: Rng,
) -> Result<ChangedKey, KeyringError> {
    change(store, namespace, name, &mut random, |key| next(key, retirement, now)).await
}

fn next(key: &SigningKey, retirement: Retirement, now: Timestamp) -> Result<SigningKey, KeyringError> {
    if key.revoked.is_some() {
        return Err(KeyringError::Revoked(key.fingerprint.clone()));
    }
    let retired = match retirement {
        // The first time counts.
        Retirement::Begin => key.retired.clone().or_else(|| Some(time::render(now))),
        Retirement::Undo => None,
    };
    Ok(SigningKey { retired, ..key.clone() })
}
