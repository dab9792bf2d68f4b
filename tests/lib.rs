//! What the tests share: a registry's content, the places it can be served from, and transcripts of what they answer.

pub mod client;
pub mod cloudflare;
pub mod content;
pub mod digests;
pub mod double;
pub mod exchange;
pub mod installation;
pub mod interceptor;
pub mod memory;
pub mod oci_installation;
pub mod publisher;
pub mod releases;
pub mod tools;
pub mod workerd;
