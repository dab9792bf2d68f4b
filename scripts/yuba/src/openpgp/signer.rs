//! A signer: the part of a secret key that signs, and what it signs.

use jiff::Timestamp;
use pgp::composed::DetachedSignature;
use pgp::errors::Error;
use pgp::packet::{Signature, SignatureConfig, SignatureType, Subpacket, SubpacketData};
use pgp::ser::Serialize as _;
use pgp::types::{Password, SigningKey as Sign};
use yuba::fingerprint::Fingerprint;

use super::certificate::Certificate;
use super::key_file::PublicKey;
use super::key_warning::KeyWarning;
use super::passphrase::Passphrase;
use super::secret_key::{Secret, SecretKey};
use super::signature::{Judgement, SignatureDefect, SignatureFile, SigningKey};
use super::signing_part::{Part, PartDefect};

/// Why no key is there to sign with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    /// Nobody said which of several keys is meant.
    #[error("there are several keys: {}", list(.0))]
    Several(Vec<Fingerprint>),
    /// The key that was named is not there.
    #[error("there is no key `{named}`, only {}", list(all))]
    Unknown {
        /// The key that was named.
        named: Fingerprint,
        /// The keys that are there.
        all: Vec<Fingerprint>,
    },
    /// The key cannot sign.
    #[error(transparent)]
    Part(#[from] PartDefect),
}

/// Why a key stays locked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnlockError {
    /// The passphrase does not fit.
    #[error("the passphrase of key `{0}` is wrong")]
    Passphrase(Fingerprint),
    /// The library cannot read the protection.
    #[error("key `{0}` is protected in a way that cannot be read: {1}")]
    Protection(Fingerprint, String),
}

/// Why nothing is signed.
#[derive(Debug, thiserror::Error)]
pub enum SignError {
    /// The library could not sign.
    #[error("key `{0}` cannot sign")]
    Library(Fingerprint, #[source] Error),
    /// OpenPGP has no such time.
    #[error("{0} is no time that a signature can have")]
    Clock(Timestamp),
    /// Clients would refuse the signature.
    #[error("the signature would be refused, since it {0}")]
    Refused(SignatureDefect),
}

/// The part of a secret key that signs. It has no text form.
pub struct Signer {
    public: PublicKey,
    fingerprint: Fingerprint,
    secret: Secret,
}

impl Signer {
    /// Chooses what signs at `now`: of the one key, or of the one that `named` belongs to, the newest signing subkey
    /// that can, else the primary key; a subkey that is named, and no other.
    ///
    /// # Errors
    /// [`ChoiceError`], if the choice is open or what is chosen cannot sign.
    pub fn choose(keys: Vec<SecretKey>, named: Option<&Fingerprint>, now: Timestamp) -> Result<Self, ChoiceError> {
        let all: Vec<_> = keys.iter().map(|key| key.fingerprint().clone()).collect();
        let mut wanted: Vec<_> =
            keys.into_iter().filter(|key| named.is_none_or(|fingerprint| key.has(fingerprint))).collect();
        let key = match (wanted.pop(), named) {
            (Some(key), _) if wanted.is_empty() => key,
            (None, Some(named)) => return Err(ChoiceError::Unknown { named: named.clone(), all }),
            (Some(_) | None, _) => return Err(ChoiceError::Several(all)),
        };
        let SecretKey { public, mut secrets } = key;
        let index = |fingerprint: &Fingerprint| {
            secrets.iter().position(|secret| secret.fingerprint().as_ref() == Some(fingerprint))
        };
        let certificate = Certificate::of(&public.certificate);
        let named_subkey = named.filter(|named| **named != public.fingerprint);
        let is_wanted = |fingerprint: &Fingerprint| named_subkey.is_none_or(|named| named == fingerprint);
        let has_secret = |fingerprint: &Fingerprint| index(fingerprint).is_some();
        let part = Part::choose(&certificate, &public.fingerprint, now, is_wanted, has_secret)?;
        let fingerprint = part.fingerprint.clone();
        let index = index(&fingerprint).ok_or_else(|| PartDefect::NoSecret(fingerprint.clone()))?;
        Ok(Self { secret: secrets.swap_remove(index), fingerprint, public })
    }

    /// The key, without its secret.
    #[must_use]
    pub const fn key(&self) -> &PublicKey {
        &self.public
    }

    /// The fingerprint of the part that signs: the primary key's or a subkey's.
    #[must_use]
    pub const fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
    }

    /// What is to be known about the part that signs.
    #[must_use]
    pub fn warnings(&self, now: Timestamp) -> Vec<KeyWarning> {
        let certificate = Certificate::of(&self.public.certificate);
        let parts = Part::list(&certificate, &self.public.fingerprint);
        let part = parts.iter().find(|part| part.fingerprint == self.fingerprint);
        self.public.warn(&certificate, part, now)
    }

    /// Whether the secret is protected by a passphrase.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        self.secret.is_locked()
    }

    /// Unlocks the secret.
    ///
    /// # Errors
    /// [`UnlockError`], if the passphrase is wrong or the protection cannot be read.
    pub fn unlock(&mut self, passphrase: &Passphrase) -> Result<(), UnlockError> {
        let password = passphrase.to_password();
        let unlocked = match &mut self.secret {
            Secret::Primary(key) => key.remove_password(&password),
            Secret::Subkey(key) => key.remove_password(&password),
        };
        unlocked.map_err(|error| match error {
            Error::Unsupported { message, .. } | Error::Unimplemented { message, .. } => {
                UnlockError::Protection(self.fingerprint.clone(), message)
            }
            _ => UnlockError::Passphrase(self.fingerprint.clone()),
        })
    }

    /// Signs `document`: a detached signature in the binary form, which was judged as clients will judge it.
    ///
    /// # Errors
    /// [`SignError`], if there can be none, or none that clients and `yuba publish` would take.
    pub fn sign(&self, document: &[u8], now: Timestamp) -> Result<Vec<u8>, SignError> {
        let created = u32::try_from(now.as_second()).map_err(|_| SignError::Clock(now))?;
        let created = pgp::types::Timestamp::from_secs(created);
        let signed = match &self.secret {
            Secret::Primary(key) => sign(key, document, created),
            Secret::Subkey(key) => sign(key, document, created),
        };
        let library = |error| SignError::Library(self.fingerprint.clone(), error);
        let bytes = signed.map(DetachedSignature::new).and_then(|signature| signature.to_bytes()).map_err(library)?;
        let judgement = SignatureFile::parse(&bytes).map_err(SignError::Refused)?;
        match self.judge(&judgement, document, now).defects.into_iter().next() {
            Some(defect) => Err(SignError::Refused(defect)),
            None => Ok(bytes),
        }
    }

    /// Judges a signature over `document` by this key alone.
    #[must_use]
    pub fn judge(&self, signature: &SignatureFile, document: &[u8], now: Timestamp) -> Judgement {
        signature.judge(document, &[SigningKey::of(self.public.clone())], now)
    }
}

/// The digest is the one that fits the key: SHA-256, and more for the longer curves, as GnuPG demands of them.
fn sign(key: &impl Sign, document: &[u8], created: pgp::types::Timestamp) -> Result<Signature, Error> {
    let mut config = SignatureConfig::v4(SignatureType::Binary, key.algorithm(), key.hash_alg());
    config.hashed_subpackets = vec![
        Subpacket::regular(SubpacketData::IssuerFingerprint(key.fingerprint()))?,
        Subpacket::regular(SubpacketData::SignatureCreationTime(created))?,
    ];
    config.unhashed_subpackets = vec![Subpacket::regular(SubpacketData::IssuerKeyId(key.legacy_key_id()))?];
    config.sign(key, &Password::empty(), document)
}

fn list(fingerprints: &[Fingerprint]) -> String {
    let quoted: Vec<_> = fingerprints.iter().map(|fingerprint| format!("`{fingerprint}`")).collect();
    quoted.join(", ")
}
