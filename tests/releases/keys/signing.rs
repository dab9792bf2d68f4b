//! Keys that sign, and the signatures they make.

use jiff::{SignedDuration, Timestamp};
use pgp::composed::{
    ArmorOptions, Deserializable as _, DetachedSignature, SignedPublicKey, SignedSecretKey, SignedSecretSubKey,
};
use pgp::crypto::hash::HashAlgorithm;
use pgp::crypto::sym::SymmetricKeyAlgorithm;
use pgp::packet::{
    PacketHeader, PacketTrait as _, SecretKey, SecretSubkey, Signature, SignatureConfig, SignatureType, SubpacketData,
};
use pgp::ser::Serialize as _;
use pgp::types::{KeyDetails as _, Password, S2kParams, SigningKey, StringToKey, Tag};

use super::{KeySpec, critical_notation, regular, to_duration, to_seconds};

/// A key that can sign.
#[derive(Debug, Clone)]
pub struct Key {
    pub(super) primary: SecretKey,
    pub(super) subkey: Option<SecretSubkey>,
    pub(super) certificate: SignedPublicKey,
}

/// What a signature says about who made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IssuerState {
    /// The key's fingerprint and id.
    Named,
    /// Nothing.
    Unnamed,
    /// The key's fingerprint, and another key's id.
    Contradictory,
}

/// A signature to be made.
#[derive(Debug, Clone)]
pub struct SignatureSpec {
    /// When it is made.
    pub at: Timestamp,
    /// How long it is valid.
    pub lifetime: Option<SignedDuration>,
    /// The digest it is over.
    pub hash: HashAlgorithm,
    /// What it says about who made it.
    pub issuer: IssuerState,
    /// A critical notation.
    pub notation: Option<&'static str>,
}

impl SignatureSpec {
    /// A sound signature made `at` some time.
    #[must_use]
    pub const fn at(at: Timestamp) -> Self {
        let hash = HashAlgorithm::Sha256;
        Self { at, lifetime: None, hash, issuer: IssuerState::Named, notation: None }
    }
}

impl Key {
    /// A sound Ed25519 key called `name`.
    #[must_use]
    pub fn new(name: &str) -> Self {
        KeySpec::new(name).build()
    }

    /// The public key block, as somebody would register it.
    #[must_use]
    pub fn ascii_armor(&self) -> String {
        self.certificate.to_armored_string(ArmorOptions::default()).unwrap()
    }

    /// The public key in binary form.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.certificate.to_bytes().unwrap()
    }

    /// The owner's revocation certificate, in binary form and by itself, if the key is revoked.
    #[must_use]
    pub fn revocation_certificate(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for signature in &self.certificate.details.revocation_signatures {
            signature.to_writer_with_header(&mut bytes).unwrap();
        }
        bytes
    }

    /// The secret key block, as somebody would keep it.
    #[must_use]
    pub fn secret_armor(&self) -> String {
        self.secret().to_armored_string(ArmorOptions::default()).unwrap()
    }

    /// The secret key block, protected by `passphrase` as GnuPG does it, but for the seconds that it makes this take.
    #[must_use]
    pub fn locked_armor(&self, passphrase: &str) -> String {
        let mut secret = self.secret();
        let protection = || S2kParams::Cfb {
            sym_alg: SymmetricKeyAlgorithm::AES256,
            s2k: StringToKey::IteratedAndSalted { hash_alg: HashAlgorithm::Sha256, salt: *b"saltsalt", count: 0 },
            iv: vec![7; 16].into(),
        };
        secret.primary_key.set_password_with_s2k(&passphrase.into(), protection()).unwrap();
        for subkey in &mut secret.secret_subkeys {
            subkey.key.set_password_with_s2k(&passphrase.into(), protection()).unwrap();
        }
        secret.to_armored_string(ArmorOptions::default()).unwrap()
    }

    /// The secret key in binary form without the primary key's secret: in its place is GnuPG's mark that it is elsewhere,
    /// as `gpg --export-secret-subkeys` writes it.
    #[must_use]
    pub fn secret_subkeys_bytes(&self) -> Vec<u8> {
        const ELSEWHERE: [u8; 8] = [0xff, 0, 101, 0, b'G', b'N', b'U', 1];
        let body = [self.primary.public_key().to_bytes().unwrap(), ELSEWHERE.to_vec()].concat();
        let mut bytes = Vec::new();
        PacketHeader::new_fixed(Tag::SecretKey, body.len().try_into().unwrap()).to_writer(&mut bytes).unwrap();
        bytes.extend(body);
        self.certificate.details.to_writer(&mut bytes).unwrap();
        self.secret().secret_subkeys.iter().for_each(|subkey| subkey.to_writer(&mut bytes).unwrap());
        bytes
    }

    /// The secret key in binary form.
    #[must_use]
    pub fn secret_bytes(&self) -> Vec<u8> {
        self.secret().to_bytes().unwrap()
    }

    fn secret(&self) -> SignedSecretKey {
        let bound = self.subkey.iter().zip(&self.certificate.public_subkeys);
        let subkeys = bound.map(|(subkey, public)| SignedSecretSubKey::new(subkey.clone(), public.signatures.clone()));
        SignedSecretKey::new(self.primary.clone(), self.certificate.details.clone(), Vec::new(), subkeys.collect())
    }

    /// The fingerprint of the primary key, in upper case.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        self.certificate.fingerprint().to_string().to_uppercase()
    }

    /// A detached signature over `document`, in binary form: by the subkey, if there is one.
    #[must_use]
    pub fn sign(&self, document: &[u8], spec: &SignatureSpec) -> Vec<u8> {
        let signature = match &self.subkey {
            Some(subkey) => sign(subkey, document, spec),
            None => sign(&self.primary, document, spec),
        };
        DetachedSignature::new(signature).to_bytes().unwrap()
    }
}

/// A detached signature, armored.
#[must_use]
pub fn armor_signature(signature: &[u8]) -> Vec<u8> {
    DetachedSignature::from_bytes(signature).unwrap().to_armored_bytes(ArmorOptions::default()).unwrap()
}

fn sign(signer: &impl SigningKey, document: &[u8], spec: &SignatureSpec) -> Signature {
    let mut config = SignatureConfig::v4(SignatureType::Binary, signer.algorithm(), spec.hash);
    config.hashed_subpackets = vec![regular(SubpacketData::SignatureCreationTime(to_seconds(spec.at)))];
    let id = match spec.issuer {
        IssuerState::Contradictory => KeySpec::new("someone else").make_primary().legacy_key_id(),
        _ => signer.legacy_key_id(),
    };
    if spec.issuer != IssuerState::Unnamed {
        config.hashed_subpackets.push(regular(SubpacketData::IssuerFingerprint(signer.fingerprint())));
        config.unhashed_subpackets.push(regular(SubpacketData::IssuerKeyId(id)));
    }
    let lifetime = spec.lifetime.map(|lifetime| SubpacketData::SignatureExpirationTime(to_duration(lifetime)));
    config.hashed_subpackets.extend(lifetime.map(regular));
    config.hashed_subpackets.extend(spec.notation.map(critical_notation));
    config.sign(signer, &Password::empty(), document).unwrap()
}
