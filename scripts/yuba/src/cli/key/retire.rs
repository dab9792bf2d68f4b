//! `yuba key retire`.

use clap::Args;
use fastrand::Rng;
use jiff::Timestamp;
use yuba::address::NamespaceAddress;
use yuba::name::Namespace;
use yuba_companion::keyring::{ChangedKey, KeyName, KeyringError, Retirement, SignedVersions, retire, signed_versions};
use yuba_companion::store::Store;
use yuba_companion::store::rehearsal::Rehearsal;

use super::changed::Changed;
use super::fail;
use crate::cli::failure::{Exit, Failure};
use crate::cli::{Place, Report};

/// Retire a key: it signs nothing new, and what it signed is served as ever
///
/// For a key that is replaced in good order. A release that was signed before, and is published again or was not
/// completed, is taken as it was. `--undo` puts the key back into use; registering it again with `yuba key add` does not,
/// so that a pipeline that registers its keys each time undoes nothing. A key that is lost or stolen is revoked instead.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Retire {
    /// The key's fingerprint, or its key ID: the last 16 digits
    #[arg(value_name = "FINGERPRINT")]
    key: KeyName,

    /// The namespace that the key is registered in
    #[arg(long, value_name = "NAME")]
    namespace: Namespace,

    /// Put the key back into use
    #[arg(long)]
    undo: bool,

    /// Say what would be written, but write nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    place: Place,

    #[command(flatten)]
    report: Report,
}

const EXAMPLES: &str = "\
Examples:
  # a new key takes over: register it first
  yuba key add --namespace acme NEW.asc --target local
  yuba key retire 51852D87348FFC4C --namespace acme --target local

  # not yet
  yuba key retire 51852D87348FFC4C --namespace acme --target local --undo";

impl Retire {
    pub(crate) async fn run(&self) -> Result<Exit, Failure> {
        let place = self.place.find()?;
        let (hostname, _) = place.hostname().await?;
        let namespace = NamespaceAddress { hostname, namespace: self.namespace.clone() };
        let now = Timestamp::now();
        let opened = place.open().await?;
        let done = if self.dry_run {
            self.retire(&Rehearsal::new(&*opened.store, now), &namespace, now).await
        } else {
            self.retire(&*opened.store, &namespace, now).await
        };
        opened.close().await;
        let (changed, signed) = done.map_err(|error| fail(error, &place.key_list()))?;
        let word = if self.undo { "back in use" } else { "retired" };
        let report = Changed::new(&changed, word, self.dry_run, place.target(), &namespace, &signed);
        let printed = report.print(self.report.format);
        printed.map_err(|error| {
            error.after(if self.dry_run { "nothing was written" } else { "the key's record is written all the same" })
        })?;
        Ok(Exit::Done)
    }

    async fn retire(
        &self,
        store: &dyn Store,
        namespace: &NamespaceAddress,
        now: Timestamp,
    ) -> Result<(ChangedKey, Vec<SignedVersions>), KeyringError> {
        let retirement = if self.undo { Retirement::Undo } else { Retirement::Begin };
        let changed = retire(store, namespace, &self.key, retirement, now, Rng::new()).await?;
        let signed = signed_versions(store, namespace, &changed.after.fingerprint).await?;
        Ok((changed, signed))
    }
}
