//! A serverless registry for `OpenTofu` and Terraform providers.
//!
//! Nouns stand at the bottom, documents and keys above them, the protocols render documents, `serve` answers requests
//! from storage, and only the edge knows Cloudflare Workers. Everything but the edge compiles natively, and the
//! companion uses it as a library.

pub mod address;
pub mod archive_name;
pub mod digest;
pub mod document;
pub mod fingerprint;
pub mod hostname;
pub mod keys;
pub mod name;
pub mod platform;
pub mod protocol;
pub mod protocol_version;
pub mod repository;
pub mod route;
pub mod serve;
pub mod tag;
pub mod version;

#[cfg(target_arch = "wasm32")]
mod edge;
mod serde_text;
