//! OpenPGP as far as a registry of signed releases needs it: keys, and detached signatures by them.
//!
//! The library does the mathematics. What a key may do, and when, is decided here, by the rules of the clients' own
//! library (`ProtonMail`'s go-crypto), because a key that it refuses, or crashes on, must never be served.

mod armor;
mod certificate;
mod judge;
mod key_file;
mod key_warning;
mod merge;
mod owner_revocation;
mod passphrase;
mod secret_key;
mod signature;
mod signer;
mod signer_facts;
mod signing_part;

pub use certificate::KeyDefect;
pub use key_file::{Algorithm, KeyFacts, KeyFileError, PublicKey, Revocation, parse_key_file};
pub use key_warning::{KeyWarning, NOTICE_DAYS};
pub use owner_revocation::RevocationError;
pub use passphrase::Passphrase;
pub use secret_key::{SecretKey, SecretKeyError, parse_secret_keys};
pub use signature::{Form, Judgement, SignatureDefect, SignatureFile, SigningKey};
pub use signer::{ChoiceError, SignError, Signer, UnlockError};
pub use signer_facts::SignerFacts;
pub use signing_part::PartDefect;

use jiff::Timestamp;

/// A time as OpenPGP counts it, in seconds; 32 bits of them always fit.
fn to_time(seconds: u32) -> Timestamp {
    Timestamp::from_second(i64::from(seconds)).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// The time `lifetime` seconds after `created`, where 0 and nothing mean for ever.
fn to_expiry(created: pgp::types::Timestamp, lifetime: Option<pgp::types::Duration>) -> Option<Timestamp> {
    let lifetime = lifetime.map(pgp::types::Duration::as_secs).filter(|seconds| *seconds > 0)?;
    Timestamp::from_second(i64::from(created.as_secs()) + i64::from(lifetime)).ok()
}

/// Whether `expiry` has passed; at the very second it has not, as clients see it.
fn has_passed(expiry: Option<Timestamp>, now: Timestamp) -> bool {
    expiry.is_some_and(|expiry| now.as_second() > expiry.as_second())
}
