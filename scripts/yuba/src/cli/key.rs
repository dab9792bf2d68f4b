//! `yuba key`: which keys may sign.

mod add;
mod changed;
mod key_file;
mod list;
mod retire;
mod revoke;
mod show;
mod shown;
mod signed;

use clap::Subcommand;
use yuba_companion::keyring::{ChoiceError, KeyringError};

use super::failure::{Exit, Failure};
pub(super) use shown::Shown;

/// Register signing keys, the only ones whose releases are published, and give them up
#[derive(Debug, Subcommand)]
pub(crate) enum Key {
    Add(add::Add),
    List(list::List),
    Show(show::Show),
    Retire(retire::Retire),
    Revoke(revoke::Revoke),
}

impl Key {
    pub(crate) async fn run(&self) -> Result<Exit, Failure> {
        match self {
            Self::Add(add) => add.run().await,
            Self::List(list) => list.run().await,
            Self::Show(show) => show.run().await,
            Self::Retire(retire) => retire.run().await,
            Self::Revoke(revoke) => revoke.run().await,
        }
    }
}

/// The failure; `key_list` is the command that lists the keys there are.
fn fail(error: KeyringError, key_list: &str) -> Failure {
    let hint = match &error {
        KeyringError::NoNamespace(_) | KeyringError::Choice(ChoiceError::Unknown(_)) => {
            format!("see which keys are registered: {key_list}")
        }
        KeyringError::Choice(ChoiceError::Subkey(..)) => {
            "a subkey has no record of its own: name the key that it belongs to".to_owned()
        }
        KeyringError::Choice(ChoiceError::Partial(..) | ChoiceError::Ambiguous(..)) => {
            "name one key by its whole fingerprint".to_owned()
        }
        KeyringError::Revoked(_) => "a revocation is for good; publish with another key".to_owned(),
        KeyringError::WarnOfCertified(_) => "say what clients do: `--policy block`".to_owned(),
        KeyringError::Certificate(_) => {
            "GnuPG keeps one beside every key it makes, as `openpgp-revocs.d/FINGERPRINT.rev` in its home; `gpg --gen-revoke KEY` makes another".to_owned()
        }
        KeyringError::Registered(..) => "register the key again with `yuba key add`: its record is damaged".to_owned(),
        KeyringError::Access(_) => "nothing is half done: run the same command again".to_owned(),
    };
    if error.is_refusal() { Failure::refused(error, hint) } else { Failure::failed(error, hint) }
}
