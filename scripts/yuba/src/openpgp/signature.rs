//! Detached signatures: reading the file, and judging it as clients will.

use jiff::Timestamp;
use pgp::armor::BlockType;
use pgp::packet::{Packet, PacketParser, PacketTrait, Signature};
use yuba::document::{KeyRevocation, RevocationPolicy, Standing};
use yuba::fingerprint::Fingerprint;

use super::armor;
use super::certificate::{Certificate, KeyDefect, created};
use super::judge::{Issuer, judge_form, judge_known, name_issuer};
use super::key_file::{KeyFileError, PublicKey, read_keys};

/// How a signature file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As packets, which is what clients read.
    Binary,
    /// As text.
    Armored,
}

/// What is wrong with a signature, or with its key at the time of judging.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignatureDefect {
    /// The file holds something else.
    #[error("holds no OpenPGP signature, or something beside it")]
    NotASignature,
    /// The file holds several.
    #[error("holds {0} signatures")]
    Several(usize),
    /// The version, the type or the algorithm is one that clients skip.
    #[error("is a signature {0}, which clients do not take")]
    Format(String),
    /// No issuer, or several.
    #[error("{0}")]
    Issuer(String),
    /// The digest can be forged.
    #[error("is over a digest by {0}, which can be forged")]
    Hash(String),
    /// A notation must be understood, and is not.
    #[error("has the critical notation `{0}`, which clients do not know")]
    Notation(String),
    /// Nobody registered the key.
    #[error("was made by key `{0}`, which is not registered")]
    UnknownKey(String),
    /// It is not the key's signature over these bytes.
    #[error("is not a signature of key `{0}` over this SHA256SUMS")]
    Invalid(String),
    /// The signature has expired.
    #[error("expired on {0}")]
    Expired(Timestamp),
    /// The clock was wrong.
    #[error("{0} is dated {1}, in the future")]
    Future(String, Timestamp),
    /// The key's flags do not allow signing.
    #[error("was made by key `{0}`, whose flags do not allow signing")]
    MayNotSign(String),
    /// The key has expired.
    #[error("was made by key `{0}`, which expired on {1}")]
    KeyExpired(String, Timestamp),
    /// The registry's operator retired the key.
    #[error("was made by key `{0}`, which was retired on {1}")]
    KeyRetired(String, String),
    /// The key is revoked, by its own word or by the registry's, and what it signed cannot be installed.
    #[error("was made by key `{0}`, which is revoked ({1})")]
    KeyRevoked(String, String),
    /// The registry revoked the key, and warns of what it signed.
    #[error("was made by key `{0}`, which the registry has revoked ({1})")]
    KeyDistrusted(String, String),
    /// Clients drop the key, or will.
    #[error("was made by key `{0}`, which {1}")]
    Key(String, KeyDefect),
}

impl SignatureDefect {
    /// Whether the defect came after the signature, and leaves what was published before as good as it was.
    #[must_use]
    pub const fn comes_with_time(&self) -> bool {
        matches!(self, Self::Expired(_) | Self::KeyExpired(..) | Self::KeyRetired(..) | Self::KeyDistrusted(..))
    }
}

/// A registered key, ready to judge signatures.
#[derive(Debug, Clone)]
pub struct SigningKey {
    key: PublicKey,
    /// What its standing means to every signature of it.
    defect: Option<SignatureDefect>,
}

impl SigningKey {
    /// Reads the armor of a registered key that stands as `standing` says.
    ///
    /// # Errors
    /// [`KeyFileError`], if it is not the armor of one public key.
    pub fn parse(ascii_armor: &str, standing: Standing<'_>) -> Result<Self, KeyFileError> {
        match <[PublicKey; 1]>::try_from(read_keys(ascii_armor.as_bytes())?) {
            Ok([key]) => Ok(Self { defect: judge_standing(key.fingerprint.to_string(), standing), key }),
            Err(_) => Err(KeyFileError::NotAKey),
        }
    }

    /// A key that is not revoked by the registry.
    pub(super) const fn of(key: PublicKey) -> Self {
        Self { key, defect: None }
    }

    /// Reads the armor of one or more keys, as a registry offers it; clients take each of them.
    ///
    /// # Errors
    /// [`KeyFileError`], if it is not the armor of public keys.
    pub fn parse_block(ascii_armor: &str) -> Result<Vec<Self>, KeyFileError> {
        let keys = read_keys(ascii_armor.as_bytes())?;
        Ok(keys.into_iter().map(|key| Self { key, defect: None }).collect())
    }
}

fn judge_standing(key: String, standing: Standing<'_>) -> Option<SignatureDefect> {
    match standing {
        Standing::Active => None,
        Standing::Retired(since) => Some(SignatureDefect::KeyRetired(key, since.to_owned())),
        Standing::Revoked(KeyRevocation { reason, policy, .. }) => Some(match policy {
            RevocationPolicy::Block => SignatureDefect::KeyRevoked(key, reason.clone()),
            RevocationPolicy::Warn => SignatureDefect::KeyDistrusted(key, reason.clone()),
        }),
    }
}

/// What is to be said about a signature.
#[derive(Debug, Default)]
pub struct Judgement {
    /// The registered primary key that the signature was made under, if its issuer is known.
    pub fingerprint: Option<Fingerprint>,
    /// When the signature says it was made.
    pub signed_at: Option<Timestamp>,
    /// The signature that clients will judge, in the binary form.
    pub binary: Vec<u8>,
    /// All that is wrong with it.
    pub defects: Vec<SignatureDefect>,
}

/// A file with a detached signature.
#[derive(Debug)]
pub struct SignatureFile {
    /// How it is written.
    pub form: Form,
    signatures: Vec<Signature>,
}

impl SignatureFile {
    /// Reads a signature file, armored or binary.
    ///
    /// # Errors
    /// [`SignatureDefect::NotASignature`], if there is anything but signatures in it.
    pub fn parse(bytes: &[u8]) -> Result<Self, SignatureDefect> {
        let form = if armor::is_armored(bytes) { Form::Armored } else { Form::Binary };
        let blocks = match form {
            Form::Armored => armor::read_blocks(bytes, &BlockType::Signature).ok_or(SignatureDefect::NotASignature)?,
            Form::Binary => vec![bytes.to_vec()],
        };
        let mut signatures = Vec::new();
        for block in blocks {
            let mut length = 0;
            for packet in PacketParser::new(block.as_slice()) {
                let Ok(Packet::Signature(signature)) = packet else {
                    return Err(SignatureDefect::NotASignature);
                };
                length += signature.write_len_with_header();
                signatures.push(signature);
            }
            // The parser takes an end in the middle of a packet's header for the end of the file.
            if length != block.len() {
                return Err(SignatureDefect::NotASignature);
            }
        }
        if signatures.is_empty() {
            return Err(SignatureDefect::NotASignature);
        }
        Ok(Self { form, signatures })
    }

    /// Judges the signature that clients will find, over `document`, by the registered `keys`.
    #[must_use]
    pub fn judge(&self, document: &[u8], keys: &[SigningKey], now: Timestamp) -> Judgement {
        let certificates: Vec<_> = keys.iter().map(|key| (key, Certificate::of(&key.key.certificate))).collect();
        let issued = |signature| {
            certificates.iter().find_map(|(key, certificate)| Some((*key, Issuer::find(signature, certificate)?)))
        };
        let Some((signature, (key, issuer))) =
            self.signatures.iter().find_map(|signature| Some((signature, issued(signature)?)))
        else {
            return self.judge_unknown();
        };
        let mut defects = self.judge_count();
        let form = judge_form(signature);
        // What clients skip is not computed either: it would only be found wrong once more.
        let readable = !form.iter().any(|defect| matches!(defect, SignatureDefect::Format(_)));
        defects.extend(form);
        defects.extend(key.defect.clone());
        defects.extend(judge_known(signature, readable.then_some(document), &issuer, now));
        let fingerprint = Some(key.key.fingerprint.clone());
        Judgement { fingerprint, signed_at: created(signature), binary: write(signature), defects }
    }

    fn judge_count(&self) -> Vec<SignatureDefect> {
        let count = self.signatures.len();
        (count > 1).then_some(SignatureDefect::Several(count)).into_iter().collect()
    }

    fn judge_unknown(&self) -> Judgement {
        let Some(signature) = self.signatures.first() else {
            return Judgement { defects: vec![SignatureDefect::NotASignature], ..Judgement::default() };
        };
        let mut defects = self.judge_count();
        defects.extend(judge_form(signature));
        defects.extend(name_issuer(signature).map(SignatureDefect::UnknownKey));
        Judgement { fingerprint: None, signed_at: created(signature), binary: write(signature), defects }
    }
}

fn write(signature: &Signature) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Writing into memory fails only where the library cannot write what it read, and then nothing is published.
    if signature.to_writer_with_header(&mut bytes).is_err() {
        bytes.clear();
    }
    bytes
}
