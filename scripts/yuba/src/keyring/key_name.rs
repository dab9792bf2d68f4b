//! How somebody names a registered key.

use std::fmt;
use std::str::FromStr;

use yuba::document::{NamespaceDocument, SigningKey};
use yuba::fingerprint::Fingerprint;

use crate::openpgp::{PublicKey, parse_key_file};

/// The hexadecimal digits of a key ID, the end of a fingerprint.
const KEY_ID_DIGITS: usize = 16;

/// The hexadecimal digits of a fingerprint.
const FINGERPRINT_DIGITS: usize = 40;

/// Why a text names no key, whatever keys there are.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is neither a fingerprint nor a key ID, in {FINGERPRINT_DIGITS} or {KEY_ID_DIGITS} hexadecimal digits")]
pub struct KeyNameError(String);

/// A fingerprint, a key ID, or a part of one that is to be refused by what it could have become.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyName(String);

impl FromStr for KeyName {
    type Err = KeyNameError;

    /// Parses digits, also with the spaces and the `0x` that GnuPG prints.
    fn from_str(text: &str) -> Result<Self, KeyNameError> {
        let digits: String = text.split_whitespace().collect();
        let digits = digits.strip_prefix("0x").unwrap_or(&digits);
        let right = (1..=FINGERPRINT_DIGITS).contains(&digits.len()) && digits.bytes().all(|it| it.is_ascii_hexdigit());
        if right { Ok(Self(digits.to_ascii_uppercase())) } else { Err(KeyNameError(text.to_owned())) }
    }
}

impl fmt::Display for KeyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why a name means none of a namespace's keys.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    /// There is no such key.
    #[error("no key `{0}` is registered")]
    Unknown(KeyName),
    /// The name is only a part of a fingerprint.
    #[error("`{0}` is only a part of {candidates}", candidates = list(.1))]
    Partial(KeyName, Vec<Fingerprint>),
    /// Several keys have this ID.
    #[error("key ID `{0}` is that of {candidates}", candidates = list(.1))]
    Ambiguous(KeyName, Vec<Fingerprint>),
    /// The name is that of a subkey; records are those of primary keys.
    #[error("`{0}` is a subkey of key `{1}`")]
    Subkey(KeyName, Fingerprint),
}

fn list(candidates: &[Fingerprint]) -> String {
    candidates.iter().map(|candidate| format!("`{candidate}`")).collect::<Vec<_>>().join(" and ")
}

impl KeyName {
    /// The key of `namespace` that is meant.
    ///
    /// # Errors
    /// [`ChoiceError`], which names those that could have been meant.
    pub fn choose<'a>(&self, namespace: &'a NamespaceDocument) -> Result<&'a SigningKey, ChoiceError> {
        let keys = &namespace.signing_keys;
        let named: Vec<_> = keys.iter().filter(|key| self.is_name_of(&key.fingerprint)).collect();
        if let [key] = named.as_slice() {
            return Ok(*key);
        }
        if !named.is_empty() {
            return Err(ChoiceError::Ambiguous(self.clone(), fingerprints(&named)));
        }
        let is_part = |key: &&SigningKey| key.fingerprint.to_string().contains(&self.0);
        let partly: Vec<_> = keys.iter().filter(is_part).collect();
        if !partly.is_empty() {
            return Err(ChoiceError::Partial(self.clone(), fingerprints(&partly)));
        }
        match keys.iter().find(|key| self.is_subkey_of(key)) {
            Some(key) => Err(ChoiceError::Subkey(self.clone(), key.fingerprint.clone())),
            None => Err(ChoiceError::Unknown(self.clone())),
        }
    }

    fn is_name_of(&self, fingerprint: &Fingerprint) -> bool {
        self.0 == fingerprint.to_string() || self.0 == fingerprint.key_id()
    }

    /// Whether a whole name is that of a subkey: findings about a signature name the subkey that made it.
    fn is_subkey_of(&self, key: &SigningKey) -> bool {
        let parsed = parse_key_file(key.ascii_armor.as_bytes()).unwrap_or_default();
        parsed.iter().flat_map(PublicKey::subkeys).any(|subkey| self.is_name_of(&subkey))
    }
}

fn fingerprints(keys: &[&SigningKey]) -> Vec<Fingerprint> {
    keys.iter().map(|key| key.fingerprint.clone()).collect()
}

#[cfg(test)]
mod tests {
    use yuba::address::NamespaceAddress;
    use yuba::document::Visibility;

    use super::*;

    const ONE: &str = "91A6E7F85D05C65630BEF18951852D87348FFC4C";
    /// Another key with the same ID, which somebody with time can make.
    const TWIN: &str = "0000000000000000000000001111111122222222";
    const TRIPLET: &str = "3333333333333333333333331111111122222222";

    fn namespace() -> NamespaceDocument {
        let address = NamespaceAddress { hostname: "a.example".parse().unwrap(), namespace: "acme".parse().unwrap() };
        let mut namespace = NamespaceDocument::new(&address, Visibility::Public);
        namespace.signing_keys.extend([ONE, TWIN, TRIPLET].map(|fingerprint| SigningKey {
            fingerprint: fingerprint.parse().unwrap(),
            user_ids: Vec::new(),
            algorithm: String::new(),
            created: String::new(),
            expires: None,
            added: String::new(),
            retired: None,
            revoked: None,
            ascii_armor: String::new(),
            source: String::new(),
            source_url: String::new(),
        }));
        namespace
    }

    fn choose(name: &str) -> Result<String, String> {
        let name: KeyName = name.parse().map_err(|error: KeyNameError| error.to_string())?;
        let namespace = namespace();
        name.choose(&namespace).map(|key| key.fingerprint.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_whole_name_means_one_key_however_it_is_spelled() {
        let spaced = "91A6 E7F8 5D05 C656 30BE  F189 5185 2D87 348F FC4C";
        for name in [ONE, &ONE.to_lowercase(), spaced, "51852D87348FFC4C", "0x51852d87348ffc4c"] {
            assert_eq!(choose(name).as_deref(), Ok(ONE), "{name}");
        }
        assert_eq!(choose(TWIN).as_deref(), Ok(TWIN));
    }

    #[test]
    fn what_could_mean_several_is_refused_by_naming_them() {
        let refused = [
            ("348FFC4C", format!("`348FFC4C` is only a part of `{ONE}`")),
            ("91A6", format!("`91A6` is only a part of `{ONE}`")),
            (&ONE[..39], format!("`{}` is only a part of `{ONE}`", &ONE[..39])),
            ("22222222", format!("`22222222` is only a part of `{TWIN}` and `{TRIPLET}`")),
            ("1111111122222222", format!("key ID `1111111122222222` is that of `{TWIN}` and `{TRIPLET}`")),
            ("FEDCBA9876543210", "no key `FEDCBA9876543210` is registered".to_owned()),
        ];
        for (name, message) in refused {
            assert_eq!(choose(name), Err(message));
        }
        for name in ["", "0x", "acme", "releases@acme.example", &format!("{ONE}0")] {
            assert!(choose(name).unwrap_err().starts_with(&format!("`{name}` is neither a fingerprint nor a key ID")));
        }
    }
}
