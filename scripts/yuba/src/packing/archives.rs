//! All archives of a release at once, over the cores there are.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use yuba::archive_name::FILE_PREFIX;
use yuba::platform::Platform;

use super::archive_writer::{self, Item, WriteError};
use super::{PackError, Packing};
use crate::verify::{EXECUTABLE_BITS, Progress};

impl Packing<'_> {
    /// Writes all archives, over the cores there are.
    pub(super) fn write_archives(
        &self,
        executables: &BTreeMap<Platform, PathBuf>,
        includes: &[Item],
        staging: &Path,
        progress: &dyn Progress,
    ) -> Result<(), PackError> {
        let executables: Vec<_> = executables.iter().collect();
        let next = AtomicUsize::new(0);
        let results = Mutex::new(Vec::new());
        let work = || {
            while let Some((platform, executable)) = executables.get(next.fetch_add(1, Ordering::Relaxed)) {
                let written = self.write_archive(platform, executable, includes, staging, progress);
                results.lock().unwrap_or_else(PoisonError::into_inner).push(written);
            }
        };
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        thread::scope(|scope| {
            for _ in 1..cores.min(executables.len()) {
                scope.spawn(work);
            }
            work();
        });
        let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        if results.len() != executables.len() {
            return Err(PackError::Lost);
        }
        results.into_iter().collect::<Result<(), _>>().map_err(PackError::Archive)
    }

    fn write_archive(
        &self,
        platform: &Platform,
        executable: &Path,
        includes: &[Item],
        staging: &Path,
        progress: &dyn Progress,
    ) -> Result<(), WriteError> {
        let archive = self.archive_name(platform);
        let suffix = if platform.os() == "windows" { ".exe" } else { "" };
        let name = format!("{FILE_PREFIX}{}_v{}{suffix}", self.r#type, self.version);
        let mut items = includes.to_vec();
        items.push(Item { name, path: executable.to_owned(), mode: EXECUTABLE_BITS });
        let sizes = items.iter().filter_map(|item| fs::metadata(&item.path).ok());
        progress.start(&archive, sizes.map(|metadata| metadata.len()).sum());
        archive_writer::write(&staging.join(&archive), items, &|bytes| progress.advance(&archive, bytes))?;
        progress.finish(&archive);
        Ok(())
    }
}
