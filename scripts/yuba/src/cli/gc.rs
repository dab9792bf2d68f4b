//! `yuba gc`.

use std::fmt::Write as _;

use clap::Args;
use jiff::Timestamp;
use serde::Serialize;
use yuba::keys::ObjectKey;
use yuba_companion::documents::AccessError;
use yuba_companion::gc::{Archive, Collected, GcError, collect};
use yuba_companion::grace::Grace;
use yuba_companion::store::Store;
use yuba_companion::store::rehearsal::Rehearsal;

use super::care::{Whole, count, typed};
use super::failure::{Exit, Failure};
use super::output::{print, print_json, say};
use super::place::Found;
use super::{Format, Report};

/// Collect archives that no document names
///
/// Interrupted publishes leave archives that nobody needs. Those older than the grace period are moved to the trash, and
/// deleted from there a grace period later. Without `--collect` nothing is written: it says what would be collected.
/// Publishers may be at work meanwhile: what they need is left alone or brought back.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Gc {
    /// Do it: move garbage to the trash, and delete from the trash what is old
    #[arg(long)]
    collect: bool,

    /// How old an archive must be, in days (`7d`) or hours (`36h`); at least `1d`, which a running publish may take
    #[arg(long, value_name = "DURATION", default_value_t = Grace::default())]
    grace: Grace,

    #[command(flatten)]
    whole: Whole,

    #[command(flatten)]
    report: Report,
}

const EXAMPLES: &str = "\
Examples:
  # what would be collected?
  yuba gc --target local

  # collect it
  yuba gc --collect --target local

  # only what has been there for a month
  yuba gc --collect --grace 30d --target local";

#[derive(Serialize)]
struct Told {
    status: &'static str,
    target: String,
    grace: String,
    /// How many archives documents name.
    named: usize,
    garbage: Vec<ToldArchive>,
    young: Vec<ToldArchive>,
    restored: Vec<String>,
    emptied: Vec<ToldArchive>,
    trash: Vec<ToldArchive>,
}

#[derive(Serialize)]
struct ToldArchive {
    key: String,
    size: u64,
    since: String,
}

impl ToldArchive {
    fn new(archive: &Archive, key: &ObjectKey) -> Self {
        let since = yuba_companion::time::render(archive.stat.modified);
        Self { key: key.to_string(), size: archive.stat.size, since }
    }

    fn blob(archive: &Archive) -> Self {
        Self::new(archive, &ObjectKey::Blob(archive.key))
    }

    fn trash(archive: &Archive) -> Self {
        Self::new(archive, &ObjectKey::Trash(archive.key))
    }
}

impl Gc {
    pub(crate) async fn run(&self) -> Result<Exit, Failure> {
        let place = self.whole.find()?;
        let opened = place.open().await?;
        let collected = self.gc(&*opened.store).await;
        opened.close().await;
        let collected = collected.map_err(|error| fail(error, &place))?;
        let printed = match self.report.format {
            Format::Text => print(&self.text(&collected)),
            Format::Json => print_json(&self.told(&collected, &place)),
        };
        printed.map_err(|error| {
            error.after(if self.collect { "garbage is collected all the same" } else { "nothing was written" })
        })?;
        self.say_how(&collected, &place);
        Ok(Exit::Done)
    }

    async fn gc(&self, store: &dyn Store) -> Result<Collected, GcError> {
        let now = Timestamp::now();
        if self.collect {
            collect(store, self.grace, now).await
        } else {
            collect(&Rehearsal::new(store, now), self.grace, now).await
        }
    }

    /// The command that does what was rehearsed.
    fn say_how(&self, collected: &Collected, place: &Found) {
        if self.collect || is_nothing(collected) || self.report.format == Format::Json {
            return;
        }
        let grace = if self.grace == Grace::default() { String::new() } else { format!(" --grace {}", self.grace) };
        say(format_args!("hint: to do it: yuba gc --collect{grace} --target {}", place.quoted_target()));
    }

    fn text(&self, collected: &Collected) -> String {
        let Collected { garbage, young, restored, emptied, .. } = collected;
        let mut text = String::new();
        if !self.collect {
            let lines = garbage.iter().map(|archive| ("collect", ToldArchive::blob(archive)));
            for (verb, ToldArchive { key, size, since }) in
                lines.chain(emptied.iter().map(|archive| ("delete", ToldArchive::trash(archive))))
            {
                // Writing to a String cannot fail.
                let _ = writeln!(text, "{verb:<7}  r2/{key}  {size} bytes  since {since}");
            }
            for key in restored {
                let _ = writeln!(text, "restore  r2/{}", key.object());
            }
        }
        if !text.is_empty() {
            text.push('\n');
        }
        let bytes = |archives: &[Archive]| archives.iter().map(|archive| archive.stat.size).sum::<u64>();
        let mut parts = Vec::new();
        if !garbage.is_empty() {
            parts.push(format!("{} ({} bytes) to the trash", archives(garbage.len()), bytes(garbage)));
        }
        if !emptied.is_empty() {
            parts.push(format!("{} ({} bytes) deleted from the trash", archives(emptied.len()), bytes(emptied)));
        }
        if !restored.is_empty() {
            parts.push(format!("{} restored from it", archives(restored.len())));
        }
        if !young.is_empty() {
            parts.push(format!("{} younger than {} left alone", archives(young.len()), self.grace));
        }
        let is_nothing = is_nothing(collected);
        let what = parts.join(", ");
        let _ = match (self.collect, is_nothing) {
            (_, true) if what.is_empty() => writeln!(text, "nothing to collect"),
            (_, true) => writeln!(text, "nothing to collect: {what}"),
            (true, false) => writeln!(text, "collected: {what}"),
            (false, false) => writeln!(text, "dry run: {what}; nothing was written"),
        };
        text
    }

    fn told(&self, collected: &Collected, place: &Found) -> Told {
        let Collected { named, garbage, young, restored, emptied, trash } = collected;
        Told {
            status: if self.collect { "collected" } else { "dry-run" },
            target: place.target().to_string(),
            grace: self.grace.to_string(),
            named: *named,
            garbage: garbage.iter().map(ToldArchive::blob).collect(),
            young: young.iter().map(ToldArchive::blob).collect(),
            restored: restored.iter().map(yuba::keys::BlobKey::object).collect(),
            emptied: emptied.iter().map(ToldArchive::trash).collect(),
            trash: trash.iter().map(ToldArchive::trash).collect(),
        }
    }
}

const fn is_nothing(collected: &Collected) -> bool {
    collected.garbage.is_empty() && collected.emptied.is_empty() && collected.restored.is_empty()
}

fn archives(number: usize) -> String {
    count(number, "archive", "archives")
}

fn fail(error: GcError, place: &Found) -> Failure {
    let hint = match &error {
        GcError::Clock { .. } => "nothing was deleted: set this machine's clock, and run the same command again",
        GcError::Unknown(_) => "nothing was deleted: update yuba, or delete the object if nobody needs it",
        GcError::Access(
            AccessError::Document { .. } | AccessError::Altered(_) | AccessError::Missing(_) | AccessError::Lost(_),
        ) => "nobody can tell what it names, so nothing more was deleted: `yuba fsck` says what is wrong",
        GcError::Access(AccessError::Store(_) | AccessError::Contended(_) | AccessError::Empty(_)) => {
            "nothing is lost: what was moved is in the trash, and the same command again brings back what is needed"
        }
    };
    Failure::failed(error, typed(hint, place))
}
