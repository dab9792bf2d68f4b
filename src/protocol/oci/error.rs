//! Errors in the form of OCI distribution (specification, "Error Codes").

use serde::Serialize;

/// What went wrong, as the specification names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Code {
    /// No repository refers to such a blob.
    BlobUnknown,
    /// A digest is none.
    DigestInvalid,
    /// There is no such manifest.
    ManifestUnknown,
    /// A repository's name is none.
    NameInvalid,
    /// There is no such repository.
    NameUnknown,
    /// A part of a blob was asked for that it does not have.
    SizeInvalid,
    /// It is not for anybody to have.
    Denied,
    /// It is nothing that this registry does.
    Unsupported,
    /// The number of tags is none. The specification has no code for it; `distribution` has this one.
    PaginationNumberInvalid,
    /// Storage does not answer. The specification has no code for it; `distribution` has this one.
    Unavailable,
}

/// The body of an error.
#[derive(Debug, Serialize)]
pub struct Errors<'a> {
    errors: [Error<'a>; 1],
}

#[derive(Debug, Serialize)]
struct Error<'a> {
    code: Code,
    message: &'a str,
}

/// Renders an error.
#[must_use]
pub const fn render(code: Code, message: &str) -> Errors<'_> {
    Errors { errors: [Error { code, message }] }
}
