//! KV namespaces as an account lists them: their ids, which bindings name, and their titles, by which people know them.

use std::fmt;
use std::str::FromStr;

use crate::store::cloudflare::KvNamespaceId;

/// The longest title that Cloudflare takes, in bytes.
const MAX_TITLE_BYTES: usize = 512;

/// Why a text is no title of a namespace.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("KV namespace name `{0}` must be 1 to {MAX_TITLE_BYTES} bytes of one line, and start with a letter or digit")]
pub struct NamespaceTitleError(String);

/// What people call a namespace; in one account, no two have the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamespaceTitle(String);

impl NamespaceTitle {
    /// The title.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for NamespaceTitle {
    type Err = NamespaceTitleError;

    fn from_str(text: &str) -> Result<Self, NamespaceTitleError> {
        // A leading dash would be an option to wrangler.
        let starts_well = text.starts_with(char::is_alphanumeric);
        if starts_well && text.len() <= MAX_TITLE_BYTES && !text.contains(char::is_control) {
            return Ok(Self(text.to_owned()));
        }
        Err(NamespaceTitleError(text.to_owned()))
    }
}

impl fmt::Display for NamespaceTitle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A namespace of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KvNamespace {
    /// What bindings name it by.
    pub id: KvNamespaceId,
    /// What people call it.
    pub title: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_title_is_an_option_or_two_lines() {
        for text in ["yuba-metadata", "METADATA", "Käse 2"] {
            assert_eq!(text.parse::<NamespaceTitle>().unwrap().to_string(), text);
        }
        for text in ["", " a", "-a", "--help", "a\nb", "a\u{1b}[0m", &"a".repeat(513)] {
            assert_eq!(text.parse::<NamespaceTitle>(), Err(NamespaceTitleError(text.to_owned())));
        }
    }
}
