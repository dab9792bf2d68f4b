//! Passphrases, which are never shown.

use pgp::types::Password;
use zeroize::Zeroizing;

/// What unlocks a secret key. It has no text form, and its memory is wiped when it is dropped.
pub struct Passphrase(Zeroizing<Vec<u8>>);

impl Passphrase {
    /// The passphrase `text`.
    #[must_use]
    pub fn new(text: String) -> Self {
        Self(Zeroizing::new(text.into_bytes()))
    }

    pub(super) fn to_password(&self) -> Password {
        Password::Static(self.0.clone())
    }
}
