//! Signing keys for tests: sound ones, and ones with exactly one thing wrong.
//!
//! Keys come from a seed, so that every run has the same ones and no secret needs keeping. The two RSA keys are files,
//! since making one takes seconds; they are public knowledge and sign nothing but fixtures.

mod signing;

use jiff::{SignedDuration, Timestamp};
use pgp::composed::{Deserializable as _, KeyType};
use pgp::composed::{SignedKeyDetails, SignedPublicKey, SignedPublicSubKey, SignedSecretKey};
use pgp::crypto::hash::HashAlgorithm;
use pgp::packet::{
    KeyFlags, Notation, PubKeyInner, PublicKey, PublicSubkey, RevocationCode, SecretKey, SecretSubkey, Signature,
    SignatureConfig, SignatureType, Subpacket, SubpacketData, UserId,
};
use pgp::types::{Duration, KeyVersion, Password, SignedUser, SigningKey, Tag};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng as _;
use sha2::{Digest as _, Sha256};

pub use signing::{IssuerState, Key, SignatureSpec, armor_signature};

/// What kind of key a test wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Ed25519 as version 4 keys have had it for years.
    Ed25519,
    /// Ed25519 under the number that RFC 9580 gave it, which older clients do not know.
    NewEd25519,
    /// RSA with 2048 bits.
    Rsa2048,
    /// RSA with 1024 bits, which is too few.
    Rsa1024,
}

/// What a key or subkey says that it may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Sign documents.
    Sign,
    /// Certify keys only.
    Certify,
    /// Nothing is said.
    Unsaid,
}

/// How the user id is certified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserIdState {
    /// By a self-signature.
    Signed,
    /// By a self-signature over another user id.
    Forged,
    /// By another key alone.
    SignedByOther,
    /// By a self-signature, and revoked.
    Revoked,
}

/// How a subkey is bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    /// Both ways.
    Mutual,
    /// By the primary key alone.
    OneWay,
    /// By a signature of another key.
    Forged,
}

/// A signing subkey.
#[derive(Debug, Clone)]
pub struct SubkeySpec {
    /// How it is bound.
    pub binding: Binding,
    /// How long it lives.
    pub lifetime: Option<SignedDuration>,
    /// Why it is revoked.
    pub revoked: Option<RevocationCode>,
    /// What it may do.
    pub r#use: Use,
}

impl Default for SubkeySpec {
    fn default() -> Self {
        Self { binding: Binding::Mutual, lifetime: None, revoked: None, r#use: Use::Sign }
    }
}

/// A key to be made.
#[derive(Debug, Clone)]
pub struct KeySpec {
    /// The seed, and the user id.
    pub name: String,
    /// What kind of key.
    pub kind: Kind,
    /// When it is made.
    pub created: Timestamp,
    /// How long it lives.
    pub lifetime: Option<SignedDuration>,
    /// When, after it was made, a newer self-signature gave it another life, and how long that is.
    pub renewed: Option<(SignedDuration, SignedDuration)>,
    /// What the primary key may do.
    pub r#use: Use,
    /// The state of its user id.
    pub user_id: UserIdState,
    /// Why it is revoked.
    pub revoked: Option<RevocationCode>,
    /// When it was revoked, if that was not when it was made.
    pub revoked_at: Option<Timestamp>,
    /// Whether its self-signature has a critical notation.
    pub notation: Option<&'static str>,
    /// The subkey, which then signs instead of the primary key.
    pub subkey: Option<SubkeySpec>,
}

impl KeySpec {
    /// A sound Ed25519 key called `name`, made on 1 January 2024, which never expires.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            kind: Kind::Ed25519,
            created: "2024-01-01T00:00:00Z".parse().unwrap(),
            lifetime: None,
            renewed: None,
            r#use: Use::Sign,
            user_id: UserIdState::Signed,
            revoked: None,
            revoked_at: None,
            notation: None,
            subkey: None,
        }
    }

    /// Makes the key.
    #[must_use]
    pub fn build(&self) -> Key {
        let primary = self.make_primary();
        let subkey = self.subkey.as_ref().map(|spec| (spec, self.make_subkey()));
        let public = primary.public_key().clone();
        let details = SignedKeyDetails {
            revocation_signatures: self.revoked.map(|code| self.revoke(&primary, code)).into_iter().collect(),
            direct_signatures: Vec::new(),
            users: vec![self.certify(&primary)],
            user_attributes: Vec::new(),
        };
        let subkeys = subkey.iter().map(|(spec, subkey)| self.bind(&primary, subkey, spec)).collect();
        let certificate = SignedPublicKey { primary_key: public, details, public_subkeys: subkeys };
        Key { primary, subkey: subkey.map(|(_, subkey)| subkey), certificate }
    }

    fn rng(&self, part: &str) -> ChaCha20Rng {
        ChaCha20Rng::from_seed(Sha256::digest(format!("{} {part}", self.name)).into())
    }

    fn make_primary(&self) -> SecretKey {
        let stored = match self.kind {
            Kind::Rsa2048 => include_str!("keys/test-only-rsa2048.secret.asc"),
            Kind::Rsa1024 => include_str!("keys/test-only-rsa1024.secret.asc"),
            Kind::Ed25519 => return self.make_secret(&KeyType::Ed25519Legacy),
            Kind::NewEd25519 => return self.make_secret(&KeyType::Ed25519),
        };
        SignedSecretKey::from_string(stored).unwrap().0.primary_key
    }

    fn make_secret(&self, kind: &KeyType) -> SecretKey {
        let (public, secret) = kind.generate(self.rng("primary")).unwrap();
        let created = to_seconds(self.created);
        let inner = PubKeyInner::new(KeyVersion::V4, kind.to_alg(), created, None, public).unwrap();
        SecretKey::new(PublicKey::from_inner(inner).unwrap(), secret).unwrap()
    }

    fn make_subkey(&self) -> SecretSubkey {
        let kind = KeyType::Ed25519Legacy;
        let (public, secret) = kind.generate(self.rng("subkey")).unwrap();
        let created = to_seconds(self.created);
        let inner = PubKeyInner::new(KeyVersion::V4, kind.to_alg(), created, None, public).unwrap();
        SecretSubkey::new(PublicSubkey::from_inner(inner).unwrap(), secret).unwrap()
    }

    fn config(&self, kind: SignatureType, signer: &impl SigningKey) -> SignatureConfig {
        let mut config = SignatureConfig::v4(kind, signer.algorithm(), HashAlgorithm::Sha256);
        config.hashed_subpackets = vec![
            regular(SubpacketData::SignatureCreationTime(to_seconds(self.created))),
            regular(SubpacketData::IssuerFingerprint(signer.fingerprint())),
        ];
        config.unhashed_subpackets = vec![regular(SubpacketData::IssuerKeyId(signer.legacy_key_id()))];
        config
    }

    fn certify(&self, primary: &SecretKey) -> SignedUser {
        let id = UserId::from_str(pgp::types::PacketHeaderVersion::New, &self.name).unwrap();
        let signed_id = match self.user_id {
            UserIdState::Forged => {
                UserId::from_str(pgp::types::PacketHeaderVersion::New, format!("not {}", self.name)).unwrap()
            }
            _ => id.clone(),
        };
        let other = KeySpec::new("someone else").make_primary();
        let signer = if self.user_id == UserIdState::SignedByOther { &other } else { primary };
        let mut config = self.config(SignatureType::CertPositive, signer);
        config.hashed_subpackets.extend(key_flags(self.r#use));
        config.hashed_subpackets.extend(self.lifetime.map(key_lifetime));
        config.hashed_subpackets.extend(self.notation.map(critical_notation));
        let none = Password::empty();
        let public = primary.public_key();
        let mut signatures = vec![config.sign_certification(signer, public, &none, Tag::UserId, &signed_id).unwrap()];
        if let Some((later, lifetime)) = self.renewed {
            let mut config =
                Self { created: self.created + later, ..self.clone() }.config(SignatureType::CertPositive, primary);
            config.hashed_subpackets.extend(key_flags(self.r#use));
            config.hashed_subpackets.push(key_lifetime(lifetime));
            signatures.push(config.sign_certification(primary, public, &none, Tag::UserId, &id).unwrap());
        }
        if self.user_id == UserIdState::Revoked {
            let config = self.config(SignatureType::CertRevocation, primary);
            signatures.push(config.sign_certification(primary, public, &none, Tag::UserId, &id).unwrap());
        }
        SignedUser { id, signatures }
    }

    fn revoke(&self, primary: &SecretKey, code: RevocationCode) -> Signature {
        let created = self.revoked_at.unwrap_or(self.created);
        let mut config = Self { created, ..self.clone() }.config(SignatureType::KeyRevocation, primary);
        config.hashed_subpackets.push(regular(SubpacketData::RevocationReason(code, "for a test".into())));
        config.sign_key(primary, &Password::empty(), primary.public_key()).unwrap()
    }

    fn bind(&self, primary: &SecretKey, subkey: &SecretSubkey, spec: &SubkeySpec) -> SignedPublicSubKey {
        let none = Password::empty();
        let (primary_public, public) = (primary.public_key(), subkey.public_key());
        let other = KeySpec::new("someone else").make_primary();
        let signer = if spec.binding == Binding::Forged { &other } else { primary };
        let mut config = self.config(SignatureType::SubkeyBinding, signer);
        config.hashed_subpackets.extend(key_flags(spec.r#use));
        config.hashed_subpackets.extend(spec.lifetime.map(key_lifetime));
        if spec.binding == Binding::Mutual && spec.r#use == Use::Sign {
            let back = self.config(SignatureType::KeyBinding, subkey);
            let back = back.sign_primary_key_binding(subkey, public, &none, primary_public).unwrap();
            config.hashed_subpackets.push(regular(SubpacketData::EmbeddedSignature(Box::new(back))));
        }
        let mut signatures = vec![config.sign_subkey_binding(signer, primary_public, &none, public).unwrap()];
        if let Some(code) = spec.revoked {
            let mut config = self.config(SignatureType::SubkeyRevocation, primary);
            config.hashed_subpackets.push(regular(SubpacketData::RevocationReason(code, "for a test".into())));
            signatures.push(config.sign_subkey_binding(primary, primary_public, &none, public).unwrap());
        }
        SignedPublicSubKey { key: public.clone(), signatures }
    }
}

fn regular(data: SubpacketData) -> Subpacket {
    Subpacket::regular(data).unwrap()
}

fn critical_notation(name: &str) -> Subpacket {
    let (name, value) = (name.to_owned().into(), "yes".into());
    Subpacket::critical(SubpacketData::Notation(Notation { readable: true, name, value })).unwrap()
}

fn key_lifetime(lifetime: SignedDuration) -> Subpacket {
    regular(SubpacketData::KeyExpirationTime(to_duration(lifetime)))
}

fn key_flags(r#use: Use) -> Option<Subpacket> {
    let mut flags = KeyFlags::default();
    flags.set_certify(true);
    flags.set_sign(r#use == Use::Sign);
    (r#use != Use::Unsaid).then(|| regular(SubpacketData::KeyFlags(flags)))
}

fn to_seconds(time: Timestamp) -> pgp::types::Timestamp {
    pgp::types::Timestamp::from_secs(time.as_second().try_into().unwrap())
}

fn to_duration(duration: SignedDuration) -> Duration {
    Duration::from_secs(duration.as_secs().try_into().unwrap())
}
