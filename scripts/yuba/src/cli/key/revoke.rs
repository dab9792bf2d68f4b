//! `yuba key revoke`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use fastrand::Rng;
use jiff::Timestamp;
use yuba::address::NamespaceAddress;
use yuba::document::RevocationPolicy;
use yuba::name::Namespace;
use yuba_companion::keyring::{
    ChangedKey, Effect, KeyName, KeyringError, Revocation, SignedVersions, revoke, signed_versions,
};
use yuba_companion::store::Store;
use yuba_companion::store::rehearsal::Rehearsal;

use super::changed::Changed;
use super::key_file::read_file;
use super::signed::{count_signed, write_signed};
use super::{Shown, fail};
use crate::cli::confirmation::confirm;
use crate::cli::failure::{Exit, Failure};
use crate::cli::life_cycle::parse_reason;
use crate::cli::output::say;
use crate::cli::{Place, Report};

/// Revoke a key: what it signed is blocked, or warned of
///
/// For a key that is lost or stolen. It signs nothing new, and this is for good: that it was revoked, and when, stays in
/// its record, while reason and policy can be changed by revoking it again.
///
/// With `--policy block`, nobody can install what the key signed, not even who has locked it. All these versions are named
/// first, and you are asked, or need `--yes` where nobody can answer. With `--policy warn`, they are installed as ever,
/// and OpenTofu and Terraform show your reason.
///
/// `--certificate` adds the owner's own revocation to the key. Clients that get it refuse the key by themselves and say
/// why, so it goes with `block` only. Registering such a copy of the key with `yuba key add` does the same.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Revoke {
    /// The key's fingerprint, or its key ID: the last 16 digits
    #[arg(value_name = "FINGERPRINT")]
    key: KeyName,

    /// The namespace that the key is registered in
    #[arg(long, value_name = "NAME")]
    namespace: Namespace,

    /// Why, in one line: clients show it
    #[arg(long, value_name = "TEXT")]
    reason: String,

    /// What it means to the versions that the key signed
    #[arg(long, value_enum)]
    policy: Policy,

    /// The owner's revocation certificate, or a public key that carries it
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,

    /// Do not ask
    #[arg(long)]
    yes: bool,

    /// Say which versions it concerns and what would be written, but write nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    place: Place,

    #[command(flatten)]
    report: Report,
}

/// What revoking means to the versions that a key signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Policy {
    /// They cannot be installed any more
    Block,
    /// They are installed with a warning
    Warn,
}

const EXAMPLES: &str = "\
Examples:
  # which versions would it concern?
  yuba key revoke 51852D87348FFC4C --namespace acme --reason 'laptop stolen' --policy block --target local --dry-run

  # the key is in wrong hands: block, with the certificate that GnuPG made with the key
  yuba key revoke 51852D87348FFC4C --namespace acme --reason 'laptop stolen' --policy block \\
    --certificate ~/.gnupg/openpgp-revocs.d/91A6E7F85D05C65630BEF18951852D87348FFC4C.rev --target local

  # nobody has it, not even its owner: warn
  yuba key revoke 51852D87348FFC4C --namespace acme --reason 'lost; upgrade to 2.0' --policy warn --target local";

/// What was done, or would be.
type Done = (ChangedKey, Vec<SignedVersions>);

impl Revoke {
    pub(crate) async fn run(&self) -> Result<Exit, Failure> {
        let revocation = self.revocation()?;
        let place = self.place.find()?;
        let (hostname, _) = place.hostname().await?;
        let namespace = NamespaceAddress { hostname, namespace: self.namespace.clone() };
        let opened = place.open().await?;
        let done = self.work(&*opened.store, &namespace, &revocation, &place.key_list()).await;
        opened.close().await;
        let (changed, signed) = done?;
        let report = Changed::new(&changed, "revoked", self.dry_run, place.target(), &namespace, &signed);
        let printed = report.print(self.report.format);
        printed.map_err(|error| {
            error.after(if self.dry_run { "nothing was written" } else { "the key is revoked all the same" })
        })?;
        Ok(Exit::Done)
    }

    fn revocation(&self) -> Result<Revocation, Failure> {
        let certificate = self.certificate.as_deref().map(read_file).transpose();
        let certificate = certificate.map_err(|error| {
            Failure::refused(error, "`--certificate` is a file: the owner's revocation certificate, or a public key")
        })?;
        let policy = match self.policy {
            Policy::Block => RevocationPolicy::Block,
            Policy::Warn => RevocationPolicy::Warn,
        };
        Ok(Revocation { reason: parse_reason(&self.reason)?, policy, certificate })
    }

    /// Rehearses the revocation, says what it would mean, asks, and does it.
    async fn work(
        &self,
        store: &dyn Store,
        namespace: &NamespaceAddress,
        revocation: &Revocation,
        key_list: &str,
    ) -> Result<Done, Failure> {
        let failed = |error| fail(error, key_list);
        let now = Timestamp::now();
        let rehearsed = self.revoke(&Rehearsal::new(store, now), namespace, revocation, now).await.map_err(failed)?;
        let effect = Effect::of(&rehearsed.0.before, &rehearsed.0.after);
        tell(&rehearsed, effect);
        if self.dry_run {
            return Ok(rehearsed);
        }
        if effect != Effect::None && !self.yes {
            confirm("revoke the key")?;
        }
        self.revoke(store, namespace, revocation, now).await.map_err(failed)
    }

    async fn revoke(
        &self,
        store: &dyn Store,
        namespace: &NamespaceAddress,
        revocation: &Revocation,
        now: Timestamp,
    ) -> Result<Done, KeyringError> {
        let changed = revoke(store, namespace, &self.key, revocation, now, Rng::new()).await?;
        let signed = signed_versions(store, namespace, &changed.after.fingerprint).await?;
        Ok((changed, signed))
    }
}

/// Says on standard error what a revocation means to the versions that the key signed.
fn tell((changed, signed): &Done, effect: Effect) {
    let shown = Shown::new(&changed.before, Timestamp::now());
    let count = count_signed(signed);
    let consequence = match (effect, &changed.after.revoked) {
        (Effect::Blocks, _) => "nobody can install any more, not even who has locked them",
        (Effect::Unblocks, _) => "can be installed again, with a warning",
        (Effect::None, Some(revocation)) => match revocation.policy {
            RevocationPolicy::Block => "nobody can install, as before",
            RevocationPolicy::Warn => "clients install with a warning",
        },
        (Effect::None, None) => return,
    };
    let mut text = format!("key {} ({}) signed {count}", shown.fingerprint, shown.owner());
    if !signed.is_empty() {
        text.push_str(", which ");
        text.push_str(consequence);
        text.push_str(":\n");
        write_signed(&mut text, signed);
    }
    say(text.trim_end());
}
