//! What is secret: the API token, and the key pair of R2's S3 API.

use std::fmt;

use reqwest::header::HeaderValue;
use yuba::digest::Sha256Digest;

/// The variable with the API token; wrangler's own.
pub const TOKEN_VARIABLE: &str = "CLOUDFLARE_API_TOKEN";

/// The variable with the access key id of a key pair that is not the token's.
pub const ACCESS_KEY_VARIABLE: &str = "R2_ACCESS_KEY_ID";

/// The variable with the secret access key of that pair.
pub const SECRET_KEY_VARIABLE: &str = "R2_SECRET_ACCESS_KEY";

/// Why credentials cannot be used. No message says what they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CredentialsError {
    /// There is no token.
    #[error("{TOKEN_VARIABLE} is not set")]
    NoToken,
    /// The token cannot be sent.
    #[error("{TOKEN_VARIABLE} is not one word of ASCII")]
    Token,
    /// One half of a key pair is there.
    #[error("{0} is set, but {1} is not")]
    HalfPair(&'static str, &'static str),
}

impl CredentialsError {
    /// What to do about it.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::NoToken => {
                "make a token with the permissions `Workers R2 Storage: Edit` and `Workers KV Storage: Edit` under My Profile > API Tokens, and set CLOUDFLARE_API_TOKEN to it"
            }
            Self::Token => "set it to the token alone, without quotes or a line break",
            Self::HalfPair(..) => "set both, or neither: the token's own pair is used where there is none",
        }
    }
}

/// An API token. It has no `Display`, and its `Debug` does not show it.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// The token `text`.
    ///
    /// # Errors
    /// [`CredentialsError`] if it cannot be one.
    pub fn new(text: String) -> Result<Self, CredentialsError> {
        match text.as_str() {
            "" => Err(CredentialsError::NoToken),
            word if word.bytes().all(|byte| byte.is_ascii_graphic()) => Ok(Self(text)),
            _ => Err(CredentialsError::Token),
        }
    }

    /// The value of an `Authorization` header.
    pub(super) fn authorization(&self) -> Result<HeaderValue, CredentialsError> {
        let mut value = HeaderValue::from_str(&format!("Bearer {}", self.0)).map_err(|_| CredentialsError::Token)?;
        value.set_sensitive(true);
        Ok(value)
    }

    /// The key pair of the token whose id is `id`: the id, and the SHA-256 of the token (R2's "Get S3 API credentials
    /// from an API token").
    #[must_use]
    pub fn key_pair(&self, id: String) -> KeyPair {
        KeyPair { access_key_id: id, secret_access_key: Sha256Digest::of(self.0.as_bytes()).to_string() }
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// A key pair of R2's S3 API. It has no `Display`, and its `Debug` does not show the secret.
#[derive(Clone)]
pub struct KeyPair {
    pub(super) access_key_id: String,
    pub(super) secret_access_key: String,
}

impl KeyPair {
    /// The pair that is set, if any; an empty half is as good as none.
    ///
    /// # Errors
    /// [`CredentialsError`] if only half of it is.
    pub fn given(id: Option<String>, secret: Option<String>) -> Result<Option<Self>, CredentialsError> {
        let filled = |half: Option<String>| half.filter(|half| !half.is_empty());
        match (filled(id), filled(secret)) {
            (Some(access_key_id), Some(secret_access_key)) => Ok(Some(Self { access_key_id, secret_access_key })),
            (None, None) => Ok(None),
            (Some(_), None) => Err(CredentialsError::HalfPair(ACCESS_KEY_VARIABLE, SECRET_KEY_VARIABLE)),
            (None, Some(_)) => Err(CredentialsError::HalfPair(SECRET_KEY_VARIABLE, ACCESS_KEY_VARIABLE)),
        }
    }
}

impl fmt::Debug for KeyPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyPair({}, …)", self.access_key_id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(text: &str) -> Result<Token, CredentialsError> {
        Token::new(text.to_owned())
    }

    #[test]
    fn the_key_pair_is_the_token_s_id_and_the_sha_256_of_the_token() {
        let pair = token("abc").unwrap().key_pair("id".to_owned());
        assert_eq!(pair.access_key_id, "id");
        // FIPS 180-2, appendix B.1.
        assert_eq!(pair.secret_access_key, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn what_is_no_token_is_refused_unseen() {
        for text in ["a b", "tökén", "token\n", "\"token \""] {
            assert_eq!(token(text).unwrap_err(), CredentialsError::Token);
        }
        assert_eq!(token("").unwrap_err(), CredentialsError::NoToken);
    }

    #[test]
    fn a_pair_is_whole_or_absent() {
        let given = |id: &str, secret: &str| KeyPair::given(Some(id.to_owned()), Some(secret.to_owned()));
        assert!(given("id", "secret").unwrap().is_some());
        assert!(given("", "").unwrap().is_none());
        assert!(KeyPair::given(None, None).unwrap().is_none());
        assert_eq!(
            given("id", "").unwrap_err().to_string(),
            "R2_ACCESS_KEY_ID is set, but R2_SECRET_ACCESS_KEY is not"
        );
        assert_eq!(given("", "x").unwrap_err().to_string(), "R2_SECRET_ACCESS_KEY is set, but R2_ACCESS_KEY_ID is not");
    }

    #[test]
    fn no_secret_is_printed() {
        let token = token("s3cr3t").unwrap();
        let pair = token.key_pair("id".to_owned());
        let shown = format!("{token:?} {pair:?} {:?}", token.authorization().unwrap());
        assert!(!shown.contains("s3cr3t") && !shown.contains(&pair.secret_access_key), "{shown}");
    }
}
