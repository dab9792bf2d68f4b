//! What oras-go reads out of an answer before anybody looks at its content.

use serde::Deserialize;
use yuba::digest::Sha256Digest;
use yuba::protocol::oci::parse_digest;

use super::choice::Descriptor;
use super::{Stopped, fatal};
use crate::exchange::Reply;

/// How much of an error is read (oras-go, `maxErrorBytes`).
const ERROR_BYTES: usize = 8 * 1024;

/// The codes by which a registry says that it has no such repository.
const UNKNOWN_NAMES: [&str; 2] = ["NAME_UNKNOWN", "NAME_INVALID"];

#[derive(Deserialize)]
struct Errors {
    errors: Option<Vec<Error>>,
}

#[derive(Deserialize)]
struct Error {
    #[serde(default)]
    code: String,
    #[serde(default)]
    message: String,
}

/// The first JSON value in `bytes`: what follows it is not looked at.
pub(super) fn first_value<'b, T: Deserialize<'b>>(bytes: &'b [u8]) -> Result<T, String> {
    let mut values = serde_json::Deserializer::from_slice(bytes).into_iter();
    values.next().unwrap_or_else(|| Err(serde::de::Error::custom("it is empty"))).map_err(|error| error.to_string())
}

/// The errors that an answer tells in the form of OCI distribution, as far as they are read.
fn errors(reply: &Reply) -> Vec<Error> {
    let read = &reply.body[..reply.body.len().min(ERROR_BYTES)];
    first_value::<Errors>(read).ok().and_then(|errors| errors.errors).unwrap_or_default()
}

/// What an error is shown as.
pub(super) fn error(reply: &Reply) -> String {
    let told = errors(reply).into_iter().map(|error| format!("{}: {}", error.code, error.message));
    [vec![reply.status.to_string()], told.collect()].concat().join(" ")
}

/// Whether an answer other than 200 to a request for tags means that there is no such repository. Other errors of the
/// same status are taken for wrong settings, so that nobody installs from elsewhere what was to come from here.
pub(super) fn is_unknown_name(reply: &Reply) -> bool {
    let errors = errors(reply);
    if errors.is_empty() {
        reply.status == 404
    } else {
        errors.iter().any(|e| UNKNOWN_NAMES.contains(&e.code.as_str()))
    }
}

/// Refuses an answer other than 200 to a request for content.
pub(super) fn found(reply: &Reply, path: &str) -> Result<(), Stopped> {
    if reply.status == 200 { Ok(()) } else { Err(fatal(format!("GET {path}: {}", error(reply)))) }
}

/// The media type, without parameters, which must be there.
pub(super) fn media_type(reply: &Reply) -> Result<String, Stopped> {
    let stated = reply.header("content-type").unwrap_or_default();
    let media_type = stated.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if media_type.is_empty() { Err(fatal("an answer has no Content-Type")) } else { Ok(media_type) }
}

/// The length that an answer states, if it does.
pub(super) fn length(reply: &Reply) -> Option<u64> {
    reply.header("content-length")?.parse().ok()
}

/// The digest that an answer states, if it does.
pub(super) fn digest(reply: &Reply) -> Result<Option<Sha256Digest>, Stopped> {
    let stated = reply.header("docker-content-digest").filter(|digest| !digest.is_empty());
    let parse = |text: &str| parse_digest(text).ok_or_else(|| fatal(format!("Docker-Content-Digest `{text}` is none")));
    stated.map(parse).transpose()
}

/// The content of an answer, which must be what `descriptor` names. What is longer is not read to its end.
pub(super) fn content<'r>(reply: &'r Reply, descriptor: &Descriptor) -> Result<&'r [u8], Stopped> {
    let (expected, size) = (descriptor.sha256()?, descriptor.size);
    if let Some(length) = length(reply).filter(|length| *length != size) {
        return Err(fatal(format!("an answer has Content-Length {length}, and {size} bytes were announced")));
    }
    if let Some(stated) = digest(reply)?.filter(|stated| *stated != expected) {
        return Err(fatal(format!("an answer has Docker-Content-Digest {stated}, and {expected} was announced")));
    }
    let end = usize::try_from(size).map_or(reply.body.len(), |size| size.min(reply.body.len()));
    let content = &reply.body[..end];
    if (content.len() as u64) < size {
        return Err(fatal(format!("an answer has {} bytes, and {size} were announced", content.len())));
    }
    let found = Sha256Digest::of(content);
    if found != expected {
        return Err(fatal(format!("content has the SHA-256 {found}, and {expected} was announced")));
    }
    Ok(content)
}
