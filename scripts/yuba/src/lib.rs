//! The companion: verifies signed provider releases and publishes them, so that the registry only serves what was
//! proven.

pub mod backoff;
pub mod copies;
pub mod deployment;
pub mod diagnosis;
pub mod discovery;
pub mod documents;
pub mod fsck;
pub mod gc;
pub mod grace;
pub mod index;
pub mod inspection;
pub mod keyring;
pub mod life_cycle;
pub mod oci_manifest;
pub mod oci_views;
pub mod openpgp;
pub mod packing;
pub mod project;
pub mod publish;
pub mod reason;
pub mod registration;
pub mod removal;
pub mod served;
pub mod signing;
pub mod state;
pub mod store;
pub mod sync;
pub mod table;
pub mod target;
pub mod time;
pub mod tls;
pub mod verify;

mod attempt;
mod whole_file;
