//! Protocols: documents in, payloads out. Nothing here reads storage or knows the time.

pub mod discovery;
pub mod mirror;
pub mod registry;

use crate::document::Package;

/// A package's hashes as clients write them in lock files: of the archive, and of what it holds.
fn hashes(package: &Package) -> [String; 2] {
    [format!("zh:{}", package.zh), package.h1.to_string()]
}
