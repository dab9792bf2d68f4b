//! `yuba sync`.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::fmt::Write as _;

use clap::Args;
use fastrand::Rng;
use jiff::Timestamp;
use serde::Serialize;
use yuba::address::{ProviderAddress, ReleaseAddress};
use yuba::keys::DocumentKey;
use yuba::version::Version;
use yuba_companion::documents::{AccessError, Action};
use yuba_companion::publish::{Storage, Write};
use yuba_companion::store::Store;
use yuba_companion::store::rehearsal::Rehearsal;
use yuba_companion::sync::{Difference, Synced, sync};

use super::care::{Whole, count, typed};
use super::failure::{Exit, Failure};
use super::output::{print, print_json, say, visible};
use super::place::Found;
use super::{Format, Report, plan};

/// Make KV hold what R2 holds
///
/// KV is a copy near to clients, and can be rebuilt from R2 alone: what is missing or differs is written, what does not
/// belong there is deleted. What follows from other documents is derived in R2 where it is missing: the index, and the OCI
/// views of listed versions. Publishers may be at work meanwhile.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Sync {
    /// Say what differs, but write nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    whole: Whole,

    #[command(flatten)]
    report: Report,
}

const EXAMPLES: &str = "\
Examples:
  # what differs between R2 and KV?
  yuba sync --target local --dry-run

  # after KV was lost, or another namespace was bound
  yuba sync --target local

Exit status: 0 KV holds what R2 holds, 1 the input is refused, 2 something failed or some document cannot be used.";

#[derive(Serialize)]
struct Told<'a> {
    status: &'static str,
    target: String,
    documents: usize,
    index: Action,
    /// The versions whose OCI views were missing.
    derived: Vec<Derived<'a>>,
    differences: Vec<ToldDifference<'a>>,
    unusable: Vec<Unusable<'a>>,
}

#[derive(Serialize)]
struct Derived<'a> {
    address: String,
    version: &'a Version,
}

#[derive(Serialize)]
struct ToldDifference<'a> {
    key: &'a str,
    difference: Difference,
}

#[derive(Serialize)]
struct Unusable<'a> {
    key: &'a str,
    error: String,
}

impl Sync {
    pub(crate) async fn run(&self) -> Result<Exit, Failure> {
        let place = self.whole.find()?;
        let opened = place.open().await?;
        let synced = self.sync(&*opened.store).await;
        opened.close().await;
        let synced = synced.map_err(|error| fail(error, &place))?;
        for error in synced.unusable.values() {
            say(format_args!("warning: {}", visible(&explain(error))));
        }
        let printed = match self.report.format {
            Format::Text => print(&self.text(&synced)),
            Format::Json => print_json(&self.told(&synced, &place)),
        };
        printed.map_err(|error| {
            error.after(if self.dry_run { "nothing was written" } else { "KV is synced all the same" })
        })?;
        if synced.unusable.is_empty() {
            return Ok(Exit::Done);
        }
        let unusable = count(synced.unusable.len(), "document cannot be used", "documents cannot be used");
        let hint = "what KV has of that was left alone, and all else is as it should be: `yuba fsck` says more";
        Err(Failure::failed(unusable, typed(hint, &place)))
    }

    async fn sync(&self, store: &dyn Store) -> Result<Synced, AccessError> {
        if self.dry_run {
            sync(&Rehearsal::new(store, Timestamp::now()), Rng::new()).await
        } else {
            sync(store, Rng::new()).await
        }
    }

    fn text(&self, synced: &Synced) -> String {
        let mut text = String::new();
        for (provider, versions) in by_provider(synced) {
            let verb = if self.dry_run { "derive  OCI views" } else { "derived: OCI views" };
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{verb} of {provider} {}", versions.join(", "));
        }
        if self.dry_run {
            text += &plan::render(&writes(synced));
        }
        if !text.is_empty() {
            text.push('\n');
        }
        let number = |wanted| synced.differences.values().filter(|difference| **difference == wanted).count();
        let [missing, different, stray] = [Difference::Missing, Difference::Different, Difference::Stray].map(number);
        let documents = count(synced.served, "document is", "documents are");
        let mut what = format!("{missing} missing, {different} different, {stray} stray");
        if synced.index != Action::Exists {
            what += "; the index was derived anew";
        }
        if !synced.derived.is_empty() {
            let _ = write!(what, "; OCI views derived for {}", count(synced.derived.len(), "version", "versions"));
        }
        let _ = match (self.dry_run, is_same(synced)) {
            (_, true) => writeln!(text, "unchanged: {documents} served, and KV holds them"),
            (true, false) => writeln!(text, "dry run: {documents} served; {what}; nothing was written"),
            (false, false) => writeln!(text, "synced: {documents} served; {what}"),
        };
        text
    }

    fn told<'a>(&self, synced: &'a Synced, place: &Found) -> Told<'a> {
        let derived = |ReleaseAddress { provider, version }: &'a _| Derived { address: provider.to_string(), version };
        Told {
            status: match (self.dry_run, is_same(synced)) {
                (true, _) => "dry-run",
                (false, true) => "unchanged",
                (false, false) => "synced",
            },
            target: place.target().to_string(),
            documents: synced.served,
            index: synced.index,
            derived: synced.derived.iter().map(derived).collect(),
            differences: synced
                .differences
                .iter()
                .map(|(key, difference)| ToldDifference { key, difference: *difference })
                .collect(),
            unusable: synced.unusable.iter().map(|(key, error)| Unusable { key, error: explain(error) }).collect(),
        }
    }
}

/// Whether everything was as it should be.
fn is_same(synced: &Synced) -> bool {
    synced.differences.is_empty() && synced.index == Action::Exists && synced.derived.is_empty()
}

/// The versions whose OCI views were derived, oldest first.
fn by_provider(synced: &Synced) -> BTreeMap<&ProviderAddress, Vec<String>> {
    let mut providers: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for ReleaseAddress { provider, version } in &synced.derived {
        providers.entry(provider).or_default().push(version.to_string());
    }
    providers
}

/// What is done to KV, and to the index.
fn writes(synced: &Synced) -> Vec<Write> {
    let copy = |(key, difference): (&String, &Difference)| {
        let action = match difference {
            Difference::Missing => Action::Create,
            Difference::Different => Action::Swap,
            Difference::Stray => Action::Delete,
        };
        Write { storage: Storage::Kv, key: key.clone(), action }
    };
    let index = Write { storage: Storage::R2, key: DocumentKey::Index.object(), action: synced.index };
    let index = Some(index).filter(|index| index.action != Action::Exists);
    synced.differences.iter().map(copy).chain(index).collect()
}

/// An error with its cause, in one line.
fn explain(error: &AccessError) -> String {
    match error.source() {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}

fn fail(error: AccessError, place: &Found) -> Failure {
    match error {
        AccessError::Empty(_) => Failure::refused(
            error,
            "this would empty KV: check that the target is the right one, with its R2 bucket and its KV namespace",
        ),
        AccessError::Document { .. } | AccessError::Altered(_) | AccessError::Missing(_) | AccessError::Lost(_) => {
            Failure::failed(error, typed("`yuba fsck` says what is wrong", place))
        }
        AccessError::Store(_) | AccessError::Contended(_) => {
            Failure::failed(error, "nothing is half done: run the same command again to complete it")
        }
    }
}
