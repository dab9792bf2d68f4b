//! Archives from the inside: what the zip's directory says, and that nothing else says otherwise.
//!
//! Libraries pick one of several answers that a zip file can give. Here every answer has to be the same: the directory
//! and the entries' own headers agree, the entries cover the file from its start to the directory, and the end record
//! ends the file.

mod central;
mod content;
mod entry;
mod paths;
mod spans;

pub(super) use central::read as read_central_directory;
pub(super) use content::{Digested, UnpackError, unpack};
pub(super) use entry::{Entry, Zip};
pub(super) use paths::check as check_paths;
pub(super) use spans::check as check_spans;
