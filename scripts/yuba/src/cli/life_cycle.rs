//! What `yuba deprecate`, `yank` and `restore` have in common: one statement is made, and reported.

use clap::Args;
use fastrand::Rng;
use jiff::Timestamp;
use serde::Serialize;
use yuba::address::{ProviderAddress, ReleaseAddress};
use yuba::document::{ProviderDocument, Status};
use yuba::keys::DocumentKey;
use yuba::protocol::registry::warnings;
use yuba_companion::documents;
use yuba_companion::life_cycle::{LifeCycleError, Stated, Statement, state};
use yuba_companion::publish::Write;
use yuba_companion::reason::{Reason, ReasonError};
use yuba_companion::store::Store;
use yuba_companion::store::rehearsal::Rehearsal;

use super::failure::{Exit, Failure};
use super::output::{print, print_json, say, visible};
use super::place::Found;
use super::{Format, Report, plan, suggestion};

/// How a command that changes something goes about it.
#[derive(Debug, Args)]
pub(crate) struct Manner {
    /// Say what would be written, but write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) report: Report,
}

#[derive(Serialize)]
struct Told<'a> {
    status: &'static str,
    target: String,
    address: String,
    version: Option<String>,
    /// What clients show of the provider from now on.
    warnings: &'a [String],
    writes: &'a [Write],
}

/// Parses a reason here rather than where arguments are parsed, which would show what a terminal obeys.
pub(crate) fn parse_reason(text: &str) -> Result<Reason, Failure> {
    text.parse().map_err(|error: ReasonError| {
        Failure::refused(error, "say in one plain line what is wrong, and what to do: `it loses records; use 1.1.0`")
    })
}

/// Makes a statement about the provider at `address` and reports what came of it.
pub(crate) async fn run(
    place: &Found,
    address: &ProviderAddress,
    statement: &Statement,
    manner: &Manner,
) -> Result<Exit, Failure> {
    place.refuse_no_directory()?;
    let is_mirrored = place.own_hostname().await?.is_some_and(|own| own != *address.hostname());
    let opened = place.open().await?;
    let stated = make(&*opened.store, place, address, statement, manner.dry_run).await;
    let note = note_of_successor(&*opened.store, address, statement).await;
    opened.close().await;
    let Stated { provider, unchanged, writes } = stated?;
    let warnings = if is_mirrored { Vec::new() } else { warnings::render(&provider) };
    let printed = match manner.report.format {
        Format::Text => print(&text(address, statement, manner.dry_run, unchanged, &warnings, &writes)),
        Format::Json => print_json(&Told {
            status: status(statement, manner.dry_run, unchanged),
            target: place.target().to_string(),
            address: address.to_string(),
            version: version(statement).map(ToString::to_string),
            warnings: &warnings,
            writes: &writes,
        }),
    };
    printed.map_err(|error| {
        error.after(if manner.dry_run { "nothing was written" } else { "it is written all the same" })
    })?;
    if is_mirrored {
        say(
            "note: clients are not shown this: they get the providers of other hostnames from the mirror, whose protocol has no warnings",
        );
    }
    if let Some(note) = note {
        say(note);
    }
    if let Statement::Yanked { version, .. } = statement
        && provider.newest().is_some_and(|newest| newest.version == *version)
    {
        say(format_args!("note: {version} is the newest version, and clients go on selecting it: publish a newer one"));
    }
    Ok(Exit::Done)
}

async fn make(
    store: &dyn Store,
    place: &Found,
    address: &ProviderAddress,
    statement: &Statement,
    dry_run: bool,
) -> Result<Stated, Failure> {
    let now = Timestamp::now();
    let stated = if dry_run {
        state(&Rehearsal::new(store, now), address, statement, now, Rng::new()).await
    } else {
        state(store, address, statement, now, Rng::new()).await
    };
    match stated {
        Ok(stated) => Ok(stated),
        Err(error) => Err(fail(store, place, error).await),
    }
}

/// What is to be said of a successor that is not here, although its hostname is. It may be published later.
async fn note_of_successor(store: &dyn Store, address: &ProviderAddress, statement: &Statement) -> Option<String> {
    let Statement::Deprecated { successor: Some(successor), .. } = statement else { return None };
    let key = DocumentKey::Provider(successor.clone());
    let is_missing = successor.hostname() == address.hostname() && matches!(store.read(&key).await, Ok(None));
    is_missing.then(|| format!("note: the successor {successor} is not in this registry yet"))
}

/// The failure, with what was probably meant.
pub(crate) async fn fail(store: &dyn Store, place: &Found, error: LifeCycleError) -> Failure {
    let hint = match &error {
        LifeCycleError::NoProvider(address) => suggestion::of_provider(store, place, address).await,
        LifeCycleError::NoVersion(release) => near(store, place, release).await,
        LifeCycleError::Removed { .. } => "its number is not given out again: publish under a new version".to_owned(),
        LifeCycleError::OwnSuccessor(_) => {
            "name the provider that replaces it with `--successor`, or leave that out".to_owned()
        }
        LifeCycleError::Access(_) => {
            return Failure::failed(error, "nothing is half done: run the same command again");
        }
    };
    Failure::refused(error, hint)
}

async fn near(store: &dyn Store, place: &Found, release: &ReleaseAddress) -> String {
    let key = DocumentKey::Provider(release.provider.clone());
    match documents::read::<ProviderDocument>(store, &key).await {
        Ok(Some(provider)) => suggestion::of_version(place, &provider, &release.version),
        Ok(None) | Err(_) => {
            format!("see all: {}", place.command(&format!("yuba show {}", release.provider)))
        }
    }
}

fn version(statement: &Statement) -> Option<&yuba::version::Version> {
    match statement {
        Statement::Deprecated { .. } | Statement::NotDeprecated => None,
        Statement::Yanked { version, .. } | Statement::NotYanked { version } => Some(version),
    }
}

/// The word for what became of it.
const fn done(statement: &Statement) -> &'static str {
    match statement {
        Statement::Deprecated { .. } => "deprecated",
        Statement::Yanked { .. } => "yanked",
        Statement::NotDeprecated | Statement::NotYanked { .. } => "restored",
    }
}

const fn status(statement: &Statement, dry_run: bool, unchanged: bool) -> &'static str {
    match (dry_run, unchanged) {
        (true, _) => "dry-run",
        (false, true) => "unchanged",
        (false, false) => done(statement),
    }
}

fn text(
    address: &ProviderAddress,
    statement: &Statement,
    dry_run: bool,
    unchanged: bool,
    warnings: &[String],
    writes: &[Write],
) -> String {
    let subject = version(statement).map_or_else(|| address.to_string(), |version| format!("{address} {version}"));
    let already = match statement {
        Statement::Deprecated { .. } => "is deprecated just so",
        Statement::NotDeprecated => "is not deprecated",
        Statement::Yanked { .. } => "is yanked just so",
        Statement::NotYanked { .. } => "is not yanked",
    };
    let mut text = match (dry_run, unchanged) {
        (true, true) => format!("dry run: {subject} {already}; nothing would change\n"),
        (true, false) => {
            format!("{}\ndry run: {subject} would be {}; nothing was written\n", plan::render(writes), done(statement))
        }
        (false, true) => format!("unchanged: {subject} {already}\n"),
        (false, false) => format!("{}: {subject}\n", done(statement)),
    };
    if !warnings.is_empty() {
        text += match (dry_run, unchanged) {
            (true, false) => "\nEvery `init` would show:\n\n",
            (false, false) => "\nEvery `init` shows from now on:\n\n",
            (_, true) => "\nEvery `init` shows:\n\n",
        };
    }
    text.extend(warnings.iter().map(|warning| format!("- {}\n", visible(warning))));
    text
}

/// Where a version is in its life, in a word.
pub(crate) const fn word(status: &Status) -> &'static str {
    match status {
        Status::Listed => "listed",
        Status::Yanked { .. } => "yanked",
        Status::Removed { .. } => "removed",
    }
}
