//! What the commands share that look after a storage as a whole.

use std::path::PathBuf;

use clap::Args;
use yuba_companion::target::Target;

use super::Place;
use super::failure::Failure;
use super::place::Found;

/// Which storage is looked after, with every hostname in it.
#[derive(Debug, Args)]
pub(crate) struct Whole {
    /// The storage: `cloudflare`, the registry's R2 bucket and KV namespace; `local`, what `scripts/dev` serves, also
    /// while it does not run; or `dir:PATH`, plain files [default: inside `scripts/dev -- COMMAND`, what that serves;
    /// else `cloudflare` if `CLOUDFLARE_API_TOKEN` is set]
    #[arg(long, value_name = "TARGET")]
    target: Option<Target>,

    /// The registry's `wrangler.toml`, which names its bucket and KV namespace [default: the nearest one here or above]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl Whole {
    /// Finds the storage, which has to be there.
    pub(crate) fn find(&self) -> Result<Found, Failure> {
        let found = Place { target: self.target.clone(), config: self.config.clone(), hostname: None }.find()?;
        found.refuse_no_directory()?;
        Ok(found)
    }
}

/// A number of things in words.
pub(crate) fn count(number: usize, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

/// The remedy of a finding or an error with its commands as they are to be typed here.
pub(crate) fn typed(remedy: &str, place: &Found) -> String {
    let target = format!(" --target {}", place.quoted_target());
    let mut typed = remedy.to_owned();
    for command in ["`yuba fsck --repair`", "`yuba fsck`", "`yuba sync`", "`yuba gc`"] {
        typed = typed.replace(command, &format!("{}{target}`", command.trim_end_matches('`')));
    }
    typed
}
