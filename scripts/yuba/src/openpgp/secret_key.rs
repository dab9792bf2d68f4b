//! Secret keys: what is read from a file or a variable, and never shown.
//!
//! Nothing here has a text form. The library wipes the secret numbers when they are dropped; the bytes that they are
//! read from are wiped here.

use std::io::{self, Read as _};

use pgp::armor::BlockType;
use pgp::composed::SignedPublicKeyParser;
use pgp::packet::{self, Packet, PacketHeader, PacketParser};
use pgp::types::{KeyVersion, SecretParams, Tag};
use yuba::fingerprint::Fingerprint;
use zeroize::Zeroizing;

use super::armor;
use super::key_file::{PublicKey, read_fingerprint};

/// What a block of a public key starts with.
const BEGIN_PUBLIC: &[u8] = b"-----BEGIN PGP PUBLIC KEY BLOCK";

/// Why bytes are no secret keys. No content is ever repeated: it could be a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SecretKeyError {
    /// There is nothing.
    #[error("it is empty")]
    Empty,
    /// There are public keys.
    #[error("it holds a public key only")]
    PublicKey,
    /// There is something else.
    #[error("it is no OpenPGP secret key, armored or binary, or it is damaged")]
    NotAKey,
    /// A key is of a version that clients do not know.
    #[error("it holds a key of version {0}, and clients know version 4 only")]
    Version(u8),
}

/// The secret part of a primary key or of a subkey.
pub(super) enum Secret {
    Primary(packet::SecretKey),
    Subkey(packet::SecretSubkey),
}

impl Secret {
    pub(super) fn fingerprint(&self) -> Option<Fingerprint> {
        match self {
            Self::Primary(key) => read_fingerprint(key),
            Self::Subkey(key) => read_fingerprint(key),
        }
    }

    pub(super) fn is_locked(&self) -> bool {
        let params = match self {
            Self::Primary(key) => key.secret_params(),
            Self::Subkey(key) => key.secret_params(),
        };
        matches!(params, SecretParams::Encrypted(_))
    }
}

/// A key with those of its secret parts that are there: the primary key's is often kept elsewhere.
pub struct SecretKey {
    pub(super) public: PublicKey,
    pub(super) secrets: Vec<Secret>,
}

impl SecretKey {
    /// The fingerprint of the primary key.
    #[must_use]
    pub const fn fingerprint(&self) -> &Fingerprint {
        self.public.fingerprint()
    }

    /// Whether `fingerprint` is that of the primary key or of a subkey.
    #[must_use]
    pub fn has(&self, fingerprint: &Fingerprint) -> bool {
        let mut subkeys = self.public.certificate.public_subkeys.iter();
        self.fingerprint() == fingerprint || subkeys.any(|key| read_fingerprint(&key.key).as_ref() == Some(fingerprint))
    }
}

/// Reads all secret keys of a text or a file, armored or binary.
///
/// # Errors
/// [`SecretKeyError`], if there is anything but secret keys, or one that clients could not know.
pub fn parse_secret_keys(bytes: &[u8]) -> Result<Vec<SecretKey>, SecretKeyError> {
    if bytes.trim_ascii().is_empty() {
        return Err(SecretKeyError::Empty);
    }
    if !armor::is_armored(bytes) {
        return read_block(bytes);
    }
    let Some(blocks) = armor::read_blocks(bytes, &BlockType::PrivateKey) else {
        let public = bytes.windows(BEGIN_PUBLIC.len()).any(|window| window == BEGIN_PUBLIC);
        let secret = armor::has_secret_block(bytes);
        return Err(if public && !secret { SecretKeyError::PublicKey } else { SecretKeyError::NotAKey });
    };
    let mut keys = Vec::new();
    for block in blocks.into_iter().map(Zeroizing::new) {
        keys.append(&mut read_block(&block)?);
    }
    Ok(keys)
}

/// Reads the keys of one block: their public packets as a certificate each, and beside it the secret parts.
fn read_block(bytes: &[u8]) -> Result<Vec<SecretKey>, SecretKeyError> {
    let mut public = Vec::new();
    let mut secrets = Vec::new();
    let mut parser = PacketParser::new(bytes);
    while let Some(body) = parser.next_ref() {
        let mut body = body.map_err(|_| SecretKeyError::NotAKey)?;
        let header = body.packet_header();
        let mut content = Zeroizing::new(Vec::new());
        body.read_to_end(&mut content).map_err(|_| SecretKeyError::NotAKey)?;
        let (packet, secret) = read_packet(header, &content)?;
        public.extend(packet);
        secrets.extend(secret);
    }
    match public.first() {
        Some(Packet::PublicKey(_)) => {}
        _ => return Err(SecretKeyError::NotAKey),
    }
    let mut keys = Vec::new();
    for certificate in SignedPublicKeyParser::from_packets(public.into_iter().map(Ok).peekable()) {
        let certificate = certificate.map_err(|_| SecretKeyError::NotAKey)?;
        let public = PublicKey::new(certificate).map_err(|_| SecretKeyError::NotAKey)?;
        keys.push(SecretKey { public, secrets: Vec::new() });
    }
    for secret in secrets {
        let fingerprint = secret.fingerprint().ok_or(SecretKeyError::NotAKey)?;
        // A subkey without a binding signature is no part of the key.
        if let Some(key) = keys.iter_mut().find(|key| key.has(&fingerprint)) {
            key.secrets.push(secret);
        }
    }
    Ok(keys)
}

/// The public form of a packet, if it is part of a key, and the secret in it.
fn read_packet(header: PacketHeader, body: &[u8]) -> Result<(Option<Packet>, Option<Secret>), SecretKeyError> {
    let damaged = |_| SecretKeyError::NotAKey;
    match header.tag() {
        Tag::PublicKey => Err(SecretKeyError::PublicKey),
        Tag::SecretKey => {
            if let Some(version) = body.first().filter(|version| **version != u8::from(KeyVersion::V4)) {
                return Err(SecretKeyError::Version(*version));
            }
            if let Some(length) = stub_length(Tag::PublicKey, body) {
                let header = PacketHeader::new_fixed(Tag::PublicKey, length);
                let key = packet::PublicKey::try_from_reader(header, body).map_err(damaged)?;
                return Ok((Some(key.into()), None));
            }
            let key = packet::SecretKey::try_from_reader(header, body).map_err(damaged)?;
            Ok((Some(key.public_key().clone().into()), Some(Secret::Primary(key))))
        }
        Tag::SecretSubkey => {
            if let Some(length) = stub_length(Tag::PublicSubkey, body) {
                let header = PacketHeader::new_fixed(Tag::PublicSubkey, length);
                let key = packet::PublicSubkey::try_from_reader(header, body).map_err(damaged)?;
                return Ok((Some(key.into()), None));
            }
            let key = packet::SecretSubkey::try_from_reader(header, body).map_err(damaged)?;
            Ok((Some(key.public_key().clone().into()), Some(Secret::Subkey(key))))
        }
        Tag::PublicSubkey | Tag::Signature | Tag::UserId | Tag::UserAttribute => {
            Ok((Some(Packet::from_reader(header, body).map_err(damaged)?), None))
        }
        Tag::Trust | Tag::Marker | Tag::Padding => Ok((None, None)),
        _ => Err(SecretKeyError::NotAKey),
    }
}

/// The length of the public part of a stub: a secret packet whose secret is elsewhere, in another file or on a card.
///
/// GnuPG marks it by a string-to-key type of its own, from 100 on (GnuPG `doc/DETAILS`, "GNU extensions to the S2K
/// algorithm").
fn stub_length(tag: Tag, body: &[u8]) -> Option<u32> {
    const PRIVATE_TYPES: std::ops::RangeInclusive<u8> = 100..=110;
    let mut rest = io::Cursor::new(body);
    let header = PacketHeader::new_fixed(tag, u32::try_from(body.len()).ok()?);
    match tag {
        Tag::PublicKey => drop(packet::PublicKey::try_from_reader(header, &mut rest).ok()?),
        _ => drop(packet::PublicSubkey::try_from_reader(header, &mut rest).ok()?),
    }
    let length = u32::try_from(rest.position()).ok()?;
    let mut protection = [0; 3];
    rest.read_exact(&mut protection).ok()?;
    let [usage, _, r#type] = protection;
    (usage >= 253 && PRIVATE_TYPES.contains(&r#type)).then_some(length)
}
