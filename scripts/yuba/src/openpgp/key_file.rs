//! Key files: what someone registers, and what is known about it.

use std::fmt;
use std::io;

use jiff::Timestamp;
use pgp::armor::BlockType;
use pgp::composed::{ArmorOptions, SignedPublicKey, SignedPublicKeyParser};
use pgp::packet::{Packet, PacketParser, RevocationCode, Signature};
use pgp::types::{EcdsaPublicParams, KeyDetails, KeyVersion, PublicParams, Tag};
use yuba::fingerprint::Fingerprint;

use super::certificate::{Certificate, KeyDefect, bits, created, judge_algorithm};
use super::{armor, to_time};

/// Why a file is no file of public keys that clients can use. No content of the file is ever repeated: it could be
/// a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyFileError {
    /// The file has a secret key in it.
    #[error("the file holds a secret key; export the public one with `gpg --armor --export KEY`")]
    SecretKey,
    /// The file is something else.
    #[error("the file is no OpenPGP public key, armored or binary, or it is damaged")]
    NotAKey,
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// A key is of a version that clients do not know.
    #[error("the file holds a key of version {0}, and clients know version 4 only")]
    Version(u8),
    /// Clients would drop a key.
    #[error("key `{0}` {1}")]
    Unusable(Fingerprint, KeyDefect),
    /// The two keys to be merged are not the same.
    #[error("key `{0}` is not key `{1}`")]
    OtherKey(Fingerprint, Fingerprint),
}

/// The kind and size of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Algorithm {
    /// The name that people know it by, such as `RSA` or `Ed25519`.
    pub name: String,
    /// Its size, where the name does not fix it.
    pub bits: Option<u16>,
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bits {
            Some(bits) => write!(f, "{} {bits}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// A key's revocation of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revocation {
    /// When it was made.
    pub at: Option<Timestamp>,
    /// Whether it also revokes what the key signed before: it does, unless the key was merely retired or superseded.
    /// Clients make no difference.
    pub is_hard: bool,
    /// What the owner says about it.
    pub reason: String,
}

/// What is known about a public key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyFacts {
    /// The primary key's fingerprint.
    pub fingerprint: Fingerprint,
    /// All user ids that the key signed and has not revoked, the main one first.
    pub user_ids: Vec<String>,
    /// The primary key's algorithm.
    pub algorithm: Algorithm,
    /// When the primary key was made.
    pub created: Timestamp,
    /// When the primary key expires.
    pub expires: Option<Timestamp>,
    /// Whether the key or one of its subkeys may sign releases.
    pub can_sign: bool,
    /// Whether and how the key is revoked by its own word.
    pub revoked: Option<Revocation>,
    /// The public key block as it is served.
    pub ascii_armor: String,
}

/// A public key of version 4 that can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicKey {
    pub(super) certificate: SignedPublicKey,
    pub(super) fingerprint: Fingerprint,
}

impl PublicKey {
    pub(super) fn new(certificate: SignedPublicKey) -> Result<Self, KeyFileError> {
        let fingerprint = read_fingerprint(&certificate).ok_or(KeyFileError::NotAKey)?;
        Ok(Self { certificate, fingerprint })
    }

    /// The fingerprint of the primary key.
    #[must_use]
    pub const fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
    }

    /// What makes clients drop the key; nothing, if they take it.
    #[must_use]
    pub fn defects(&self) -> Vec<KeyDefect> {
        let mut defects = Certificate::of(&self.certificate).defects;
        defects.extend(judge_algorithm(&self.certificate).filter(|defect| matches!(defect, KeyDefect::Algorithm(_))));
        defects
    }

    /// What is known about the key at the time `now`.
    #[must_use]
    pub fn facts(&self, now: Timestamp) -> KeyFacts {
        let certificate = Certificate::of(&self.certificate);
        KeyFacts {
            fingerprint: self.fingerprint.clone(),
            user_ids: list_user_ids(&certificate),
            algorithm: name_algorithm(&self.certificate),
            created: to_time(self.certificate.created_at().as_secs()),
            expires: certificate.expires(),
            can_sign: certificate.can_sign(now),
            revoked: certificate.revocations.first().map(|signature| describe_revocation(signature)),
            ascii_armor: self.ascii_armor(),
        }
    }

    /// The public key block as it is served: one key, and nothing in it that the library could not read.
    #[must_use]
    pub fn ascii_armor(&self) -> String {
        // Without the checksum that RFC 9580 (6.1) advises against would be shorter, but older clients insist on it.
        let options = ArmorOptions { headers: None, include_checksum: true };
        self.certificate.to_armored_string(options).unwrap_or_default()
    }
}

/// Reads all keys of a file, armored or binary, each as clients can use it.
///
/// # Errors
/// [`KeyFileError`], if there is a secret key in it, or anything that is no public key, or one that clients would
/// drop.
pub fn parse_key_file(bytes: &[u8]) -> Result<Vec<PublicKey>, KeyFileError> {
    let keys = read_keys(bytes)?;
    for key in &keys {
        if let Some(defect) = key.defects().into_iter().next() {
            return Err(KeyFileError::Unusable(key.fingerprint.clone(), defect));
        }
    }
    Ok(keys)
}

/// Reads all keys of a file without asking whether clients can use them.
pub(super) fn read_keys(bytes: &[u8]) -> Result<Vec<PublicKey>, KeyFileError> {
    if bytes.trim_ascii().is_empty() {
        return Err(KeyFileError::Empty);
    }
    if armor::has_secret_block(bytes) {
        return Err(KeyFileError::SecretKey);
    }
    let blocks = if armor::is_armored(bytes) {
        armor::read_blocks(bytes, &BlockType::PublicKey).ok_or(KeyFileError::NotAKey)?
    } else {
        vec![bytes.to_vec()]
    };
    let mut keys = Vec::new();
    for block in blocks {
        refuse_secret_packets(&block)?;
        let packets: Vec<Packet> =
            PacketParser::new(block.as_slice()).collect::<Result<_, _>>().map_err(|_| version_error(&block))?;
        if !matches!(packets.first(), Some(Packet::PublicKey(_))) {
            return Err(KeyFileError::NotAKey);
        }
        for packet in &packets {
            match packet {
                Packet::PublicKey(key) if key.version() != KeyVersion::V4 => {
                    return Err(KeyFileError::Version(key.version().into()));
                }
                Packet::PublicKey(_)
                | Packet::PublicSubkey(_)
                | Packet::Signature(_)
                | Packet::UserId(_)
                | Packet::UserAttribute(_)
                | Packet::Trust(_)
                | Packet::Marker(_)
                | Packet::Padding(_) => {}
                _ => return Err(KeyFileError::NotAKey),
            }
        }
        let used = packets
            .into_iter()
            .filter(|packet| !matches!(packet, Packet::Trust(_) | Packet::Marker(_) | Packet::Padding(_)));
        for key in SignedPublicKeyParser::from_packets(used.map(Ok).collect::<Vec<_>>().into_iter().peekable()) {
            keys.push(PublicKey::new(key.map_err(|_| KeyFileError::NotAKey)?)?);
        }
    }
    Ok(keys)
}

/// Refuses secret keys, also those that the library could not read.
fn refuse_secret_packets(bytes: &[u8]) -> Result<(), KeyFileError> {
    let mut parser = PacketParser::new(bytes);
    while let Some(Ok(mut body)) = parser.next_ref() {
        if matches!(body.packet_header().tag(), Tag::SecretKey | Tag::SecretSubkey) {
            return Err(KeyFileError::SecretKey);
        }
        if io::copy(&mut body, &mut io::sink()).is_err() {
            return Ok(());
        }
    }
    Ok(())
}

/// Why a block cannot be read: because its first key is of another version, if that is so.
fn version_error(bytes: &[u8]) -> KeyFileError {
    let mut first = [0];
    let mut parser = PacketParser::new(bytes);
    let key = parser.next_ref().and_then(Result::ok).filter(|body| body.packet_header().tag() == Tag::PublicKey);
    match key.map(|mut body| io::Read::read_exact(&mut body, &mut first)) {
        Some(Ok(())) if first != [4] => KeyFileError::Version(first[0]),
        _ => KeyFileError::NotAKey,
    }
}

pub(super) fn read_fingerprint(key: &impl KeyDetails) -> Option<Fingerprint> {
    key.fingerprint().to_string().parse().ok()
}

fn list_user_ids(certificate: &Certificate<'_>) -> Vec<String> {
    let main = certificate.primary.iter().map(|primary| primary.name.clone());
    let mut names: Vec<String> = main.collect();
    for user in &certificate.key.details.users {
        let name = String::from_utf8_lossy(user.id.id()).into_owned();
        let revoked = user.signatures.iter().any(|signature| {
            signature.typ() == Some(pgp::packet::SignatureType::CertRevocation)
                && super::certificate::is_issued_by(signature, &certificate.key.primary_key)
        });
        if !revoked && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

pub(super) fn name_algorithm(key: &impl KeyDetails) -> Algorithm {
    let name = match key.public_params() {
        PublicParams::RSA(_) => "RSA".to_owned(),
        PublicParams::DSA(_) => "DSA".to_owned(),
        PublicParams::ECDSA(EcdsaPublicParams::P256 { .. }) => "NIST P-256".to_owned(),
        PublicParams::ECDSA(EcdsaPublicParams::P384 { .. }) => "NIST P-384".to_owned(),
        PublicParams::ECDSA(EcdsaPublicParams::P521 { .. }) => "NIST P-521".to_owned(),
        PublicParams::ECDSA(_) => "ECDSA".to_owned(),
        PublicParams::EdDSALegacy(_) => "Ed25519".to_owned(),
        _ => format!("{:?}", key.algorithm()),
    };
    Algorithm { name, bits: bits(key) }
}

pub(super) fn describe_revocation(signature: &Signature) -> Revocation {
    let code = signature.revocation_reason_code();
    let is_soft = matches!(
        code,
        Some(RevocationCode::KeySuperseded | RevocationCode::KeyRetired | RevocationCode::CertUserIdInvalid)
    );
    let kind = match code {
        None | Some(RevocationCode::NoReason) => "no reason given",
        Some(RevocationCode::KeySuperseded) => "superseded",
        Some(RevocationCode::KeyCompromised) => "compromised",
        Some(RevocationCode::KeyRetired) => "retired",
        Some(_) => "other reason",
    };
    let text = signature.revocation_reason_string().map(|text| String::from_utf8_lossy(text).into_owned());
    let reason = match text.filter(|text| !text.is_empty()) {
        Some(text) => format!("{kind}: {text}"),
        None => kind.to_owned(),
    };
    Revocation { at: created(signature), is_hard: !is_soft, reason }
}

pub(super) fn show_revocation(signature: &Signature) -> String {
    let revocation = describe_revocation(signature);
    let kind = if revocation.is_hard { "hard" } else { "soft" };
    match revocation.at {
        Some(at) => format!("{}, {kind}, on {at}", revocation.reason),
        None => format!("{}, {kind}", revocation.reason),
    }
}
