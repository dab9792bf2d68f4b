//! Progress bars, one for each archive, where somebody watches.

use std::collections::BTreeMap;
use std::io::{IsTerminal as _, stderr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indicatif::{ProgressBar, ProgressStyle};
use yuba::archive_name::FILE_PREFIX;
use yuba_companion::publish::{Stage, Watch};
use yuba_companion::verify::Progress;

use super::output::SCREEN;

/// How a bar looks. It says in words what is going on, so nothing depends on colour; 80 columns hold a usual name.
const TEMPLATE: &str = "{prefix:>9} [{bar:20}] {total_bytes:>10}  {wide_msg}";

/// What watches a publish: bars on a terminal, nothing in a pipe.
pub(crate) fn watch() -> Arc<dyn Watch> {
    if stderr().is_terminal() { Arc::new(Bars::default()) } else { Arc::new(Nothing) }
}

/// What watches work of another kind, which `doing` says.
pub(crate) fn watch_doing(doing: &'static str) -> Arc<dyn Watch> {
    if stderr().is_terminal() { Arc::new(Bars::doing(doing)) } else { Arc::new(Nothing) }
}

/// What watches archives being read, as `doing` says, and nothing else: bars on a terminal, nothing in a pipe.
pub(crate) fn archives(doing: &'static str) -> Arc<dyn Progress + Send + Sync> {
    if stderr().is_terminal() { Arc::new(Bars::doing(doing)) } else { Arc::new(Nothing) }
}

struct Nothing;

impl Progress for Nothing {
    fn start(&self, _archive: &str, _bytes: u64) {}

    fn advance(&self, _archive: &str, _bytes: u64) {}

    fn finish(&self, _archive: &str) {}
}

impl Watch for Nothing {
    fn begin(&self, _stage: Stage) {}
}

#[derive(Default)]
struct Bars {
    shown: Mutex<Shown>,
}

#[derive(Default)]
struct Shown {
    doing: &'static str,
    bars: BTreeMap<String, ProgressBar>,
}

impl Bars {
    fn doing(doing: &'static str) -> Self {
        let shown = Shown { doing, bars: BTreeMap::new() };
        Self { shown: Mutex::new(shown) }
    }

    /// A panic elsewhere leaves the bars whole.
    fn shown(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch for Bars {
    fn begin(&self, stage: Stage) {
        self.shown().doing = match stage {
            Stage::Verify => "verifying",
            Stage::Store => "storing",
            Stage::Announce => "listing",
        };
    }
}

impl Progress for Bars {
    fn start(&self, archive: &str, bytes: u64) {
        let mut shown = self.shown();
        let bar = SCREEN.add(ProgressBar::new(bytes));
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            bar.set_style(style.progress_chars("#> "));
        }
        bar.set_prefix(shown.doing);
        bar.set_message(archive.strip_prefix(FILE_PREFIX).unwrap_or(archive).to_owned());
        shown.bars.insert(archive.to_owned(), bar);
    }

    fn advance(&self, archive: &str, bytes: u64) {
        if let Some(bar) = self.shown().bars.get(archive) {
            bar.inc(bytes);
        }
    }

    fn finish(&self, archive: &str) {
        if let Some(bar) = self.shown().bars.remove(archive) {
            bar.finish_and_clear();
        }
    }
}
