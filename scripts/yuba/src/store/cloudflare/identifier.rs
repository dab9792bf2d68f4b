//! Cloudflare's identifiers: 32 hexadecimal digits.

use std::fmt;
use std::str::FromStr;

/// Why a text is no identifier.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdentifierError {
    /// It is not one of an account.
    #[error("`{0}` is no account id: 32 hexadecimal digits")]
    Account(String),
    /// It is not one of a KV namespace.
    #[error("`{0}` is no KV namespace id: 32 hexadecimal digits")]
    KvNamespace(String),
}

/// The identifier of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountId(String);

/// The identifier of a KV namespace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KvNamespaceId(String);

/// The digits in lower case, if that is what `text` is.
fn parse(text: &str) -> Option<String> {
    (text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit())).then(|| text.to_ascii_lowercase())
}

impl FromStr for AccountId {
    type Err = IdentifierError;

    fn from_str(text: &str) -> Result<Self, IdentifierError> {
        parse(text).map(Self).ok_or_else(|| IdentifierError::Account(text.to_owned()))
    }
}

impl FromStr for KvNamespaceId {
    type Err = IdentifierError;

    fn from_str(text: &str) -> Result<Self, IdentifierError> {
        parse(text).map(Self).ok_or_else(|| IdentifierError::KvNamespace(text.to_owned()))
    }
}

impl fmt::Display for AccountId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for KvNamespaceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_32_digits() {
        let text = "023E105f4ecef8ad9ca31a8372d0c353";
        assert_eq!(text.parse::<AccountId>().unwrap().to_string(), text.to_lowercase());
        assert_eq!(text.parse::<KvNamespaceId>().unwrap().to_string(), text.to_lowercase());
        for text in [
            "",
            "metadata",
            "023e105f4ecef8ad9ca31a8372d0c35",
            "023e105f4ecef8ad9ca31a8372d0c35g",
            "../e105f4ecef8ad9ca31a8372d0c353",
        ] {
            assert_eq!(text.parse::<AccountId>(), Err(IdentifierError::Account(text.to_owned())));
            assert_eq!(text.parse::<KvNamespaceId>(), Err(IdentifierError::KvNamespace(text.to_owned())));
        }
    }
}
