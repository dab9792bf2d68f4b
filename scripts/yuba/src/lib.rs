//! The companion: verifies signed provider releases and publishes them, so that the registry only serves what was
//! proven.

pub mod openpgp;
pub mod project;
pub mod state;
pub mod store;
pub mod target;
pub mod verify;
