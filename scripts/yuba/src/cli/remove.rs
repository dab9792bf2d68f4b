//! `yuba remove`.

use std::fmt::Write as _;

use clap::Args;
use fastrand::Rng;
use jiff::Timestamp;
use serde::Serialize;
use yuba::address::ReleaseAddress;
use yuba::document::{ProviderDocument, Status};
use yuba::keys::{DocumentKey, ObjectKey};
use yuba::protocol::oci::spell;
use yuba::route::Route;
use yuba::version::Version;
use yuba_companion::documents::{self, AccessError, Action};
use yuba_companion::life_cycle::LifeCycleError;
use yuba_companion::publish::Write;
use yuba_companion::removal::{Kept, Removal, Removed, remove};
use yuba_companion::store::Store;
use yuba_companion::store::rehearsal::Rehearsal;

use super::address::TypedAddress;
use super::care::count;
use super::failure::{Exit, Failure};
use super::life_cycle::{self, Manner};
use super::output::{print, print_json, say, visible};
use super::place::Found;
use super::{Format, Place, plan};

/// Take a version down for good: for the law, or a leaked secret
///
/// Whoever has the version in a lock file fails at the next `init`, until they run `init -upgrade`. Where a warning is
/// enough, use `yuba yank`, which breaks nobody. The number of a removed version is never given out again.
///
/// The registry stops serving the version within five seconds (a request that R2 is slow to answer may still be told
/// from a KV copy, which may be a minute old or more); then its archives and documents are deleted. Archives with the same bytes
/// as another release's stay, and are reported. What others have, this cannot reach: clients keep what they installed,
/// and a cache in front of the registry may keep archives for a year, as they are served with `immutable`. Purge there
/// what the command names.
///
/// A removal that was interrupted is completed by the same command.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Remove {
    /// The provider: NAMESPACE/TYPE, or HOSTNAME/NAMESPACE/TYPE
    #[arg(value_name = "ADDRESS")]
    address: TypedAddress,

    /// The version
    #[arg(id = "release", value_name = "VERSION")]
    version: Version,

    /// Why, in one line for those who look after the registry; users are not shown it
    #[arg(long, value_name = "TEXT")]
    reason: String,

    /// Go on, although everybody fails who has the version in a lock file
    #[arg(long)]
    yes_break_locked_users: bool,

    #[command(flatten)]
    place: Place,

    #[command(flatten)]
    manner: Manner,
}

const EXAMPLES: &str = "\
Examples:
  # see what would be deleted, and what would stay
  yuba remove acme/dns 1.0.0 --reason 'court order 7 of 2026-03-01' --target local --dry-run

  yuba remove acme/dns 1.0.0 --reason 'court order 7 of 2026-03-01' --target local \\
    --yes-break-locked-users";

#[derive(Serialize)]
struct Told<'a> {
    status: &'static str,
    target: String,
    address: String,
    version: String,
    /// As the tombstone says, which may be older than this command.
    reason: &'a str,
    removed: &'a str,
    /// What the URL paths of all that caches may hold for long start with, and what those below `/v2/` end in.
    purge: String,
    purge_digests: Vec<String>,
    kept: &'a [Kept],
    writes: &'a [Write],
}

impl Remove {
    pub(crate) async fn run(&self) -> Result<Exit, Failure> {
        let reason = life_cycle::parse_reason(&self.reason)?;
        let place = self.place.find()?;
        place.refuse_no_directory()?;
        let release = ReleaseAddress { provider: self.address.find(&place).await?, version: self.version.clone() };
        let opened = place.open().await?;
        let removal = Removal { release: release.clone(), reason, now: Timestamp::now(), random: Rng::new() };
        let removed = self.remove(&*opened.store, &place, &removal).await;
        opened.close().await;
        let removed = removed?;
        let printed = match self.manner.report.format {
            Format::Text => print(&self.text(&release, &removed)),
            Format::Json => {
                let (reason, at) = tombstone(&removed);
                print_json(&Told {
                    status: self.status(&removed),
                    target: place.target().to_string(),
                    address: release.provider.to_string(),
                    version: release.version.to_string(),
                    reason,
                    removed: at,
                    purge: purge(&release),
                    purge_digests: purge_digests(&removed),
                    kept: &removed.kept,
                    writes: &removed.writes,
                })
            }
        };
        printed.map_err(|error| {
            error.after(if self.manner.dry_run { "nothing was written" } else { "the version is removed all the same" })
        })?;
        if removed.is_last {
            say(format_args!(
                "note: {} has no version left, and is answered for like one that never was",
                release.provider
            ));
        }
        Ok(Exit::Done)
    }

    async fn remove(&self, store: &dyn Store, place: &Found, removal: &Removal) -> Result<Removed, Failure> {
        if !self.yes_break_locked_users && !self.manner.dry_run {
            return match is_known(store, &removal.release).await {
                Ok(()) => Err(unconfirmed(place, &removal.release)),
                Err(error) => Err(life_cycle::fail(store, place, error).await),
            };
        }
        let removed = if self.manner.dry_run {
            remove(&Rehearsal::new(store, removal.now), removal).await
        } else {
            remove(store, removal).await
        };
        match removed {
            Ok(removed) => Ok(removed),
            Err(error @ LifeCycleError::Access(AccessError::Document { .. })) => {
                let hint = "what cannot be read may name the same archives, so none was deleted: a newer yuba wrote it, or storage is damaged";
                Err(Failure::failed(error, hint))
            }
            Err(error @ LifeCycleError::Access(_)) => {
                Err(Failure::failed(error, "run the same command again: it completes what was begun"))
            }
            Err(error) => Err(life_cycle::fail(store, place, error).await),
        }
    }

    const fn status(&self, removed: &Removed) -> &'static str {
        match (self.manner.dry_run, removed.unchanged) {
            (true, _) => "dry-run",
            (false, true) => "unchanged",
            (false, false) => "removed",
        }
    }

    fn text(&self, release: &ReleaseAddress, removed: &Removed) -> String {
        let (reason, at) = tombstone(removed);
        let since = format!("was removed on {at} ({})", visible(reason));
        let mut text = match (self.manner.dry_run, removed.unchanged) {
            (true, true) => return format!("dry run: {release} {since}, and nothing of it is left\n"),
            (false, true) => return format!("unchanged: {release} {since}, and nothing of it is left\n"),
            (true, false) => {
                format!("{}\ndry run: {release} would be removed; nothing was written\n", plan::render(&removed.writes))
            }
            (false, false) => format!("removed: {release}\n"),
        };
        // Writing to a String cannot fail.
        for Kept { key, named_by } in &removed.kept {
            let _ = writeln!(text, "kept: r2/{key} is also an archive of {}", named_by.join(", "));
        }
        let purge = purge(release);
        let _ = writeln!(text, "\nIf there is a cache in front of the registry, purge there what starts with {purge}");
        let digests = purge_digests(removed).len();
        if digests > 0 {
            let digests = count(digests, "digest", "digests");
            let _ = writeln!(text, "and what is below /v2/ and ends in one of {digests}, which `--format json` lists");
        }
        text
    }
}

fn unconfirmed(place: &Found, release: &ReleaseAddress) -> Failure {
    let ReleaseAddress { provider, version } = release;
    let yank = place.command(&format!("yuba yank {provider} {version} --reason TEXT"));
    Failure::refused(
        format!("removing {release} breaks the next `init` of everybody who has it in a lock file"),
        format!(
            "to warn of it and break nobody: {yank}; to see what would be deleted, add `--dry-run`; if it must not be served, add `--yes-break-locked-users`"
        ),
    )
}

/// What the paths of the version's archives start with.
fn purge(release: &ReleaseAddress) -> String {
    let path = Route::Shasums(release.clone()).to_string();
    path.rsplit_once('/').map_or(String::new(), |(releases, _)| format!("{releases}/"))
}

/// The digests that the version's manifests and archives have in OCI distribution, as far as this deleted them.
fn purge_digests(removed: &Removed) -> Vec<String> {
    let deleted = removed.writes.iter().filter(|write| write.action == Action::Delete);
    let digests = deleted.filter_map(|write| match write.key.parse() {
        Ok(ObjectKey::Document(DocumentKey::OciView(_, digest))) => Some(spell(&digest)),
        Ok(_) | Err(_) => None,
    });
    digests.collect()
}

/// Whether the version is, or was, listed.
async fn is_known(store: &dyn Store, release: &ReleaseAddress) -> Result<(), LifeCycleError> {
    let key = DocumentKey::Provider(release.provider.clone());
    let provider: ProviderDocument =
        documents::read(store, &key).await?.ok_or_else(|| LifeCycleError::NoProvider(release.provider.clone()))?;
    match provider.find_entry(&release.version) {
        Some(_) => Ok(()),
        None => Err(LifeCycleError::NoVersion(release.clone())),
    }
}

/// The reason and the time of the tombstone, which are those of the first removal.
fn tombstone(removed: &Removed) -> (&str, &str) {
    match &removed.tombstone.status {
        Status::Removed { reason, at } => (reason, at),
        Status::Listed | Status::Yanked { .. } => ("", ""),
    }
}
