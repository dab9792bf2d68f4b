//! Why a key's record is not changed.

use yuba::address::NamespaceAddress;
use yuba::fingerprint::Fingerprint;

use super::key_name::ChoiceError;
use crate::documents::AccessError;
use crate::openpgp::{KeyFileError, RevocationError};

/// Why a key's record is not changed.
#[derive(Debug, thiserror::Error)]
pub enum KeyringError {
    /// Nobody registered the namespace.
    #[error("namespace `{0}` is not registered")]
    NoNamespace(NamespaceAddress),
    /// The name means no key.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// A revocation is for good, and says more than a retirement.
    #[error("key `{0}` is revoked, and signs nothing new already")]
    Revoked(Fingerprint),
    /// Clients do more than warn.
    #[error(
        "key `{0}` carries its owner's revocation: clients refuse it by themselves, and policy `warn` would be untrue"
    )]
    WarnOfCertified(Fingerprint),
    /// The certificate does not revoke the key.
    #[error("the certificate cannot be used")]
    Certificate(#[source] RevocationError),
    /// The registered key cannot be read, so nothing can be merged with it.
    #[error("registered key `{0}` cannot be read")]
    Registered(Fingerprint, #[source] KeyFileError),
    /// The namespace document could not be worked on.
    #[error(transparent)]
    Access(#[from] AccessError),
}

impl KeyringError {
    /// Whether what was asked is at fault, and not storage.
    #[must_use]
    pub const fn is_refusal(&self) -> bool {
        match self {
            Self::NoNamespace(_)
            | Self::Choice(_)
            | Self::Revoked(_)
            | Self::WarnOfCertified(_)
            | Self::Certificate(_) => true,
            Self::Registered(..) | Self::Access(_) => false,
        }
    }
}
