//! A namespace's keys over the years: how one is named, what it signed, and how it is given up.
//!
//! Nothing is ever taken out. That a key is retired or revoked is written into its record.

mod change;
mod error;
mod key_name;
mod retirement;
mod revocation;
mod signed_versions;

pub use change::{ChangedKey, find};
pub use error::KeyringError;
pub use key_name::{ChoiceError, KeyName, KeyNameError};
pub use retirement::{Retirement, retire};
pub use revocation::{Effect, Revocation, revoke};
pub use signed_versions::{SignedVersions, signed_versions};

pub(crate) use revocation::certify;
