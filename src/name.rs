//! Namespaces and provider types: the two names in a provider address that a registry gives out.
//!
//! Both follow one rule, the clients': IDNA's lookup mapping of a single label, written in Unicode. OpenTofu and
//! Terraform normalise what the user wrote before they ask (`Acme` arrives as `acme`), so identity is the normalised
//! form and nothing else is stored or served.

use std::fmt;
use std::str::FromStr;

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

use crate::serde_text::serde_text;

/// What starts a type name that clients refuse: it repeats what the archive's file name already says.
const RESERVED_TYPE_PREFIXES: [&str; 2] = ["terraform-", "opentofu-"];

/// Why a text is no namespace or provider type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// The text has no characters.
    #[error("a name cannot be empty")]
    Empty,
    /// The text holds a dot, or a character that IDNA maps to one.
    #[error("name `{0}` has a dot, but it must be a single label")]
    Dot(String),
    /// A dash stands first or last, or beside another one.
    #[error("name `{0}` has a dash first, last or beside another dash")]
    Dash(String),
    /// IDNA's lookup profile refuses a character or a combination of them.
    #[error("name `{0}` must be letters, digits and single dashes, at most 63 bytes in its DNS form")]
    Idna(String),
    /// The type starts with a prefix that clients refuse.
    #[error("type `{0}` must not start with `{1}`")]
    ReservedPrefix(String, &'static str),
}

/// Normalises one label as clients do: lower case, width-folded, letters outside ASCII kept.
fn normalise(text: &str) -> Result<String, NameError> {
    if text.is_empty() {
        return Err(NameError::Empty);
    }
    // Dashes are judged here, in what was written as in what it maps to: a refused one would come back as U+FFFD.
    let (label, valid) = Uts46::new().to_unicode(text.as_bytes(), AsciiDenyList::STD3, Hyphens::Allow);
    if label.contains('.') {
        return Err(NameError::Dot(text.to_owned()));
    }
    let has_bad_dash = |name: &str| name.starts_with('-') || name.ends_with('-') || name.contains("--");
    if has_bad_dash(text) || has_bad_dash(&label) {
        return Err(NameError::Dash(text.to_owned()));
    }
    let refused = || NameError::Idna(text.to_owned());
    valid.map_err(|_| refused())?;
    Uts46::new()
        .to_ascii(label.as_bytes(), AsciiDenyList::STD3, Hyphens::Check, DnsLength::Verify)
        .map_err(|_| refused())?;
    Ok(label.into_owned())
}

/// The organisation or team a provider belongs to: the middle part of `registry.example/acme/dns`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Namespace(String);

impl Namespace {
    /// The normalised name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Namespace {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        normalise(text).map(Self)
    }
}

impl fmt::Display for Namespace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

serde_text!(Namespace);

/// The kind of provider, such as `aws` or `dns`: the last part of a provider address.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProviderType(String);

impl ProviderType {
    /// The normalised name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ProviderType {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let name = normalise(text)?;
        match RESERVED_TYPE_PREFIXES.iter().find(|prefix| name.starts_with(*prefix)) {
            Some(prefix) => Err(NameError::ReservedPrefix(text.to_owned(), prefix)),
            None => Ok(Self(name)),
        }
    }
}

impl fmt::Display for ProviderType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

serde_text!(ProviderType);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_normalised_as_clients_do() {
        // registry-address `provider.go`, seen in the requests of real clients.
        let cases = [
            ("acme", "acme"),
            ("Acme", "acme"),
            ("ＦＵＬＬ", "full"),
            ("\u{212A}elvin", "kelvin"),
            ("straße", "straße"),
            ("ほげ", "ほげ"),
            ("1password", "1password"),
            ("a-b", "a-b"),
        ];
        for (given, normalised) in cases {
            assert_eq!(given.parse::<Namespace>().unwrap().as_str(), normalised);
            assert_eq!(normalised.parse::<Namespace>().unwrap().as_str(), normalised);
        }
    }

    #[test]
    fn names_that_clients_refuse_are_refused() {
        let long = "a".repeat(64);
        let cases = [
            ("", "a name cannot be empty"),
            ("a.b", "name `a.b` has a dot, but it must be a single label"),
            ("a。b", "name `a。b` has a dot, but it must be a single label"),
            ("-a", "name `-a` has a dash first, last or beside another dash"),
            ("a-", "name `a-` has a dash first, last or beside another dash"),
            ("a--b", "name `a--b` has a dash first, last or beside another dash"),
            ("xn--strae-oqa", "name `xn--strae-oqa` has a dash first, last or beside another dash"),
            ("a_b", "name `a_b` must be letters"),
            ("a b", "name `a b` must be letters"),
            ("a/b", "name `a/b` must be letters"),
            ("a\0b", "name `a\0b` must be letters"),
            (long.as_str(), "name `aaaa"),
        ];
        for (given, message) in cases {
            let refused = given.parse::<Namespace>().map(|name| name.to_string());
            let refused = refused.unwrap_err().to_string();
            assert!(refused.starts_with(message), "{given}: {refused}");
        }
    }

    #[test]
    fn a_type_never_repeats_the_prefix_of_its_file_name() {
        for given in ["terraform-dns", "Terraform-dns", "opentofu-dns"] {
            assert!(matches!(given.parse::<ProviderType>(), Err(NameError::ReservedPrefix(..))));
        }
        assert_eq!("terraformer".parse::<ProviderType>().unwrap().as_str(), "terraformer");
    }
}
