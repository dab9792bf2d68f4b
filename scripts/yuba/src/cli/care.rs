//! What the commands share that look after a storage as a whole.

use clap::Args;
use yuba_companion::target::Target;

use super::Place;
use super::failure::Failure;
use super::place::Found;

/// Which storage is looked after, with every hostname in it.
#[derive(Debug, Args)]
pub(crate) struct Whole {
    /// The storage: `local`, what `scripts/dev` serves, also while it does not run; or `dir:PATH`, plain files
    /// [default: inside `scripts/dev -- COMMAND`, what that serves; elsewhere none]
    #[arg(long, value_name = "TARGET")]
    target: Option<Target>,
}

impl Whole {
    /// Finds the storage, which has to be there.
    pub(crate) fn find(&self) -> Result<Found, Failure> {
        let found = Place { target: self.target.clone(), hostname: None }.find()?;
        if let Target::Dir(path) = found.target()
            && !path.is_dir()
        {
            return Err(Failure::refused(
                format!("`{}` is no directory", path.display()),
                "`--target dir:PATH` names the registry's files: the first `yuba key add` makes them",
            ));
        }
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
