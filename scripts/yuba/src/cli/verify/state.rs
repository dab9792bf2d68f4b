//! Where a run writes down what it verified.

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;
use yuba::digest::Sha256Digest;
use yuba_companion::inspection::{Ledger, LedgerError, Query, RegistryUrl};

use crate::cli::failure::Failure;
use crate::cli::output::{say, visible};

/// Opens the state file that was typed, or the one that is this registry's and address's own. Where no file can be kept
/// and none was asked for, there is none.
pub(super) fn open(
    typed: Option<&Path>,
    fresh: bool,
    registry: &RegistryUrl,
    address: Option<&Query>,
) -> Result<Option<Ledger>, Failure> {
    let Some(path) = typed.map(Path::to_owned).or_else(|| default_path(registry, address)) else {
        return Ok(without("there is no cache directory"));
    };
    match open_at(&path, fresh) {
        Ok(ledger) => Ok(Some(ledger)),
        Err(error) if typed.is_some() => Err(Failure::refused(error, "`--state` names a file that can be written")),
        Err(error) => Ok(without(&error.to_string())),
    }
}

fn open_at(path: &Path, fresh: bool) -> Result<Ledger, LedgerError> {
    let mut ledger = Ledger::open(path)?;
    if fresh {
        ledger.clear()?;
    }
    Ok(ledger)
}

fn without(why: &str) -> Option<Ledger> {
    say(format_args!("note: {}: if this run is stopped, the next one starts over (`--state FILE`)", visible(why)));
    None
}

/// A file whose name tells registry and address apart, whatever letters they have.
fn default_path(registry: &RegistryUrl, address: Option<&Query>) -> Option<PathBuf> {
    let of = match address {
        Some(Query::Own(namespace, r#type)) => format!("{registry} {namespace}/{type}"),
        Some(Query::Of(address)) => format!("{registry} {address}"),
        None => registry.to_string(),
    };
    let digest = Sha256Digest::of(of.as_bytes()).to_string();
    let cache = etcetera::choose_base_strategy().ok()?.cache_dir();
    Some(cache.join("yuba").join("verify").join(format!("{}.jsonl", digest.get(..16)?)))
}
