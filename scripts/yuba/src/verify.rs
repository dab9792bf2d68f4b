//! Verification: what must hold of a release before one byte of it is visible.
//!
//! The table in [`checks`] is the one list of what is proved. A verification reads the release's directory, judges all
//! of it and reports everything at once; only what cannot be read at all is an error.

pub mod check;
pub mod checks;
pub mod document;
pub mod finding;
pub mod limits;
pub mod progress;
pub mod severity;
pub mod terms;
pub mod unsigned;
pub mod verdict;

pub(crate) mod archive;
pub(crate) mod directory;
pub(crate) mod executable;
pub(crate) mod listing;
pub(crate) mod manifest;
pub(crate) mod signature;

mod archives;
mod names;
mod release;
mod sums;
mod zip;

pub(crate) use archive::{EXECUTABLE_BITS, digest_file};
pub use check::Check;
pub(crate) use directory::is_release_file;
pub use finding::Finding;
pub use progress::{Progress, Silent};
pub use release::verify;
pub use severity::{Origin, Severity};
pub use terms::{KeyAge, RegisteredKey, Terms};
pub use unsigned::{UnsignedRelease, UnsignedVerdict, verify_unsigned};
pub(crate) use unsigned::{manifest_name, sums_name};
pub use verdict::{Verdict, VerifiedArchive, VerifiedRelease, VerifyError};
