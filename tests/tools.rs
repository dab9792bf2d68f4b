//! What `scripts/setup test` found on this machine for the tests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// What was found, as NAME=VALUE lines.
fn found() -> BTreeMap<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/clients.env");
    // Without it nothing would be tested, and nothing would fail.
    let text = fs::read_to_string(&path).expect("target/clients.env, which `scripts/setup test` writes");
    text.lines().filter_map(|line| line.split_once('=')).map(|(name, value)| (name.into(), value.into())).collect()
}

/// What was found under `name`, which the environment may name too.
///
/// # Errors
/// Why nothing was.
pub fn find(name: &str) -> Result<PathBuf, String> {
    if let Some(path) = env::var_os(name) {
        return Ok(path.into());
    }
    let found = found();
    let reason = found.get(&format!("{name}_MISSING")).map_or("run `scripts/setup test`", String::as_str);
    found.get(name).map(PathBuf::from).ok_or_else(|| format!("{name}: {reason}"))
}
