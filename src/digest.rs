//! Digests: the SHA-256 that names a blob, and Go's dirhash of a package's content.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use sha2::{Digest as _, Sha256};

use crate::serde_text::serde_text;

/// Why a text is no digest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DigestError {
    /// The text is not 64 lower-case hexadecimal digits.
    #[error("`{0}` is not a SHA-256 in 64 lower-case hexadecimal digits")]
    Sha256(String),
    /// The text is not `h1:` and the base64 of 32 bytes.
    #[error("`{0}` is not `h1:` followed by the base64 of 32 bytes")]
    H1(String),
}

/// A SHA-256, written as 64 lower-case hexadecimal digits; of an archive, it is the value of clients' `zh:` hashes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sha256Digest([u8; 32]);

impl Sha256Digest {
    /// The digest of `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The digest as its 32 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl From<[u8; 32]> for Sha256Digest {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

fn hex_value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

fn parse_hex(text: &str) -> Option<[u8; 32]> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != 32 || !rest.is_empty() {
        return None;
    }
    let mut bytes = [0; 32];
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = hex_value(*high)? << 4 | hex_value(*low)?;
    }
    Some(bytes)
}

impl FromStr for Sha256Digest {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Self, DigestError> {
        parse_hex(text).map(Self).ok_or_else(|| DigestError::Sha256(text.to_owned()))
    }
}

impl fmt::Display for Sha256Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Sha256Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

serde_text!(Sha256Digest);

/// Go's dirhash `Hash1` of a package's files, written `h1:` and base64; independent of how they were compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct H1([u8; 32]);

impl H1 {
    /// The hash of files given by name and content digest, in any order (`golang.org/x/mod/sumdb/dirhash`, `Hash1`).
    #[must_use]
    pub fn of_files<'a>(files: impl IntoIterator<Item = (&'a str, Sha256Digest)>) -> Self {
        let mut files: Vec<_> = files.into_iter().collect();
        files.sort_unstable_by_key(|(name, _)| name.as_bytes());
        let mut summary = Sha256::new();
        for (name, digest) in files {
            summary.update(format!("{digest}  {name}\n"));
        }
        Self(summary.finalize().into())
    }
}

impl FromStr for H1 {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Self, DigestError> {
        let bytes = text.strip_prefix("h1:").and_then(|base64| BASE64.decode(base64).ok());
        let bytes = bytes.and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
        bytes.map(Self).ok_or_else(|| DigestError::H1(text.to_owned()))
    }
}

impl fmt::Display for H1 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "h1:{}", BASE64.encode(self.0))
    }
}

serde_text!(H1);

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    #[test]
    fn digests_round_trip() {
        assert_eq!(Sha256Digest::of(b"").to_string(), EMPTY);
        assert_eq!(EMPTY.parse::<Sha256Digest>().unwrap(), Sha256Digest::of(b""));
    }

    #[test]
    fn only_64_lower_case_digits_are_a_digest() {
        let upper = EMPTY.to_uppercase();
        let long = format!("{EMPTY}0");
        for text in ["", "e3b0", &EMPTY[1..], &long, &upper, &EMPTY.replace('e', "g")] {
            assert!(matches!(text.parse::<Sha256Digest>(), Err(DigestError::Sha256(_))), "{text}");
        }
    }

    #[test]
    fn h1_is_what_go_computes() {
        // The files of dirhash's own test (`TestHash1`); real clients compare theirs with ours in `tests/clients.rs`.
        let files = [("xyz", Sha256Digest::of(b"data for xyz")), ("abc", Sha256Digest::of(b"data for abc"))];
        let h1 = H1::of_files(files);
        let expected = {
            let summary = format!("{}  abc\n{}  xyz\n", files[1].1, files[0].1);
            format!("h1:{}", BASE64.encode(Sha256Digest::of(summary.as_bytes()).as_bytes()))
        };
        assert_eq!(h1.to_string(), expected);
        assert_eq!(h1.to_string().parse::<H1>().unwrap(), h1);
    }

    #[test]
    fn what_is_no_h1_is_refused() {
        for text in ["", "h1:", "h1:AAAA", "h2:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "47DEQpj8"] {
            assert_eq!(text.parse::<H1>(), Err(DigestError::H1(text.to_owned())));
        }
    }
}
