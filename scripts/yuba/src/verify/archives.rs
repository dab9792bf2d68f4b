//! All archives of a release at once, over the cores there are.

use std::io;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use yuba::digest::{H1, Sha256Digest};

use super::archive::Archive;
use super::finding::Findings;
use super::progress::Progress;
use super::severity::Origin;
use super::verdict::VerifyError;

/// What was learned of one archive.
#[derive(Debug)]
pub(crate) struct Learned {
    /// The digest of its bytes.
    pub(crate) digest: Sha256Digest,
    /// The h1 of its content, if that could be read.
    pub(crate) h1: Option<H1>,
}

/// A piece of work: the digest of an archive's bytes runs beside the reading of its content.
#[derive(Debug, Clone, Copy)]
enum Task {
    Content(usize),
    Digest(usize),
}

/// What is known of one archive while the work goes on.
#[derive(Default)]
struct Slot {
    digest: Option<io::Result<Sha256Digest>>,
    content: Option<io::Result<(Option<H1>, Findings)>>,
}

/// Verifies `archives`; what was learned is in their order.
pub(crate) fn verify(
    archives: &[Archive],
    origin: Origin,
    progress: &dyn Progress,
    findings: &mut Findings,
) -> Result<Vec<Learned>, VerifyError> {
    let tasks = plan(archives);
    let next = AtomicUsize::new(0);
    let slots: Vec<Mutex<Slot>> = archives.iter().map(|_| Mutex::default()).collect();
    for archive in archives {
        progress.start(&archive.file, archive.size);
    }
    let work = || {
        while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            run(*task, archives, origin, progress, &slots);
        }
    };
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for _ in 1..cores.min(tasks.len()) {
            scope.spawn(work);
        }
        work();
    });
    let mut learned = Vec::new();
    for (archive, slot) in archives.iter().zip(slots) {
        let slot = slot.into_inner().unwrap_or_else(PoisonError::into_inner);
        let lost = || VerifyError::Lost { path: archive.path.clone() };
        let fail = |source| VerifyError::File { path: archive.path.clone(), source };
        let (h1, found) = slot.content.ok_or_else(lost)?.map_err(fail)?;
        let digest = slot.digest.ok_or_else(lost)?.map_err(fail)?;
        findings.append(found);
        learned.push(Learned { digest, h1 });
    }
    Ok(learned)
}

/// All tasks, the longest first: unpacking the largest archives.
fn plan(archives: &[Archive]) -> Vec<Task> {
    let mut order: Vec<_> = (0..archives.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(archives.get(*index).map(|archive| archive.size)));
    order.iter().copied().map(Task::Content).chain(order.iter().copied().map(Task::Digest)).collect()
}

fn run(task: Task, archives: &[Archive], origin: Origin, progress: &dyn Progress, slots: &[Mutex<Slot>]) {
    let (Task::Content(index) | Task::Digest(index)) = task;
    let (Some(archive), Some(slot)) = (archives.get(index), slots.get(index)) else {
        return;
    };
    // The slot is locked for the moment of writing only: the other half of the archive's work may be under way.
    let write = || slot.lock().unwrap_or_else(PoisonError::into_inner);
    match task {
        Task::Digest(_) => {
            let digest = archive.digest();
            write().digest = Some(digest);
        }
        Task::Content(_) => {
            let mut findings = Findings::new(origin);
            let advance = |bytes| progress.advance(&archive.file, bytes);
            let content = archive.inspect(&advance, &mut findings).map(|h1| (h1, findings));
            write().content = Some(content);
        }
    }
    let slot = write();
    if slot.digest.is_some() && slot.content.is_some() {
        progress.finish(&archive.file);
    }
}
