//! Protocols: documents in, payloads out. Nothing here reads storage or knows the time.

pub mod discovery;
pub mod mirror;
pub mod oci;
pub mod registry;

use serde::{Serialize, Serializer};

use crate::document::Package;

/// A package's hashes as clients write them in lock files: of the archive, and of what it holds.
fn hashes(package: &Package) -> [String; 2] {
    [format!("zh:{}", package.zh), package.h1.to_string()]
}

/// Serialises entries that are in order already as a map: to sort them again would cost the Worker code and time.
fn as_map<K: Serialize, V: Serialize, S: Serializer>(entries: &[(K, V)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(entries.iter().map(|(key, value)| (key, value)))
}
