//! Copies: KV comes to hold what R2 holds, whoever else is copying, and whoever of them is killed.
//!
//! 1. Who copies a document that can change leaves a mark in R2, reads R2, writes KV, and reads R2 again until the two are
//!    the same. Then it takes its mark away.
//! 2. Then it looks for the marks of others. Each of them may have read R2 before the newest swap, and may write that over
//!    the newer copy at any moment, so it is waited for.
//! 3. A mark that stays as it is for longer than its owner may take to write is that of somebody who was killed. KV is
//!    written once more, and that mark is taken away.
//!
//! So an older copy stays only if all were killed who knew of the newer document; each of them, run again, mends it.

use std::time::Duration;

use fastrand::Rng;
use tokio::time::Instant;
use yuba::keys::{DocumentKey, ObjectKey};

use crate::attempt::attempt;
use crate::backoff::Backoff;
use crate::documents::{AccessError, Action};
use crate::store::{Object, Store, StoreError};

/// The first wait for others to be done; further ones double.
const FIRST_LOOK: Duration = Duration::from_millis(10);

/// How long others may take before it is worth a word.
const WORTH_A_WORD: Duration = Duration::from_secs(1);

/// How many times as long as a write to KV may take a mark stays good: its owner renews it before a write that would
/// not be done by then.
const LEASES: u32 = 2;

/// Makes KV hold what R2 holds under `key`.
///
/// # Errors
/// [`AccessError`] if storage fails, or R2 changes for longer than [`TOTAL`](crate::backoff::TOTAL).
pub async fn copy(store: &dyn Store, key: &DocumentKey, random: &mut Rng) -> Result<Action, AccessError> {
    // A KV that cannot be read is one that does not hold the copy.
    let before = store.read_copy(key).await.unwrap_or_default();
    let mut copier = Copier { store, key, known: before.clone(), random, mark: None };
    copier.write().await?;
    if key.is_mutable() {
        copier.settle().await?;
    }
    Ok(match (before, copier.known) {
        (before, known) if before == known => Action::Exists,
        (Some(_), _) => Action::Swap,
        (None, _) => Action::Create,
    })
}

/// Completes a copy that was written under a mark left at the time `left`, beside others in one request.
///
/// # Errors
/// As [`copy`].
pub(crate) async fn complete(
    store: &dyn Store,
    key: &DocumentKey,
    written: Vec<u8>,
    (mark, left): (ObjectKey, Instant),
    random: &mut Rng,
) -> Result<(), AccessError> {
    let mut copier = Copier { store, key, known: Some(written), random, mark: Some((mark, left)) };
    copier.write().await?;
    copier.settle().await
}

/// Whether a mark left at the time `left` stays good until a write to KV from now on is done.
pub(crate) fn is_good(store: &dyn Store, left: Instant) -> bool {
    left.elapsed() < store.longest_copy() * (LEASES - 1)
}

/// How long a mark stays good that its owner does not renew.
#[must_use]
pub fn lease(store: &dyn Store) -> Duration {
    store.longest_copy() * LEASES
}

/// Somebody who copies one document.
struct Copier<'a> {
    store: &'a dyn Store,
    key: &'a DocumentKey,
    /// What KV holds, as far as is known. KV itself is asked once: it may answer what it held a minute ago.
    known: Option<Vec<u8>>,
    random: &'a mut Rng,
    /// The mark of whoever this is, and when it was left.
    mark: Option<(ObjectKey, Instant)>,
}

impl Copier<'_> {
    /// Writes until KV holds what R2 holds.
    async fn write(&mut self) -> Result<(), AccessError> {
        let mut backoff = Backoff::new(self.random.fork());
        loop {
            let failed = match self.write_once().await {
                Ok(true) => break,
                Ok(false) => AccessError::Contended(self.key.to_string()),
                Err(error) if error.is_ambiguous() => error.into(),
                Err(error) => return Err(error.into()),
            };
            if !backoff.wait().await {
                return Err(failed);
            }
        }
        let Some((mark, _)) = self.mark.take() else { return Ok(()) };
        self.unmark(&mark).await
    }

    /// Writes R2's document to KV, if KV holds another. Whether R2 still holds the same afterwards.
    async fn write_once(&mut self) -> Result<bool, StoreError> {
        let Some(stored) = self.store.read(self.key).await? else { return Ok(true) };
        if self.known.as_ref() == Some(&stored.bytes) {
            return Ok(true);
        }
        if !self.key.is_mutable() {
            self.store.write_copy(self.key, &stored.bytes).await?;
            self.known = Some(stored.bytes);
            return Ok(true);
        }
        let mut bytes = stored.bytes;
        if self.renew_mark().await? {
            // Others may rely on the mark only for what was read after it was left.
            let Some(stored) = self.store.read(self.key).await? else { return Ok(true) };
            bytes = stored.bytes;
        }
        self.store.write_copy(self.key, &bytes).await?;
        self.known = Some(bytes);
        let now = self.store.read(self.key).await?;
        Ok(now.map(|stored| stored.bytes) == self.known)
    }

    /// Leaves a mark, unless there is one that is good until a write from now on is done. Whether it did.
    async fn renew_mark(&mut self) -> Result<bool, StoreError> {
        if self.mark.as_ref().is_some_and(|(_, left)| is_good(self.store, *left)) {
            return Ok(false);
        }
        let mark = match self.mark.take() {
            Some((mark, _)) => mark,
            None => ObjectKey::Copying(self.key.clone(), self.random.u64(..)),
        };
        let left = Instant::now();
        self.store.mark(&mark).await?;
        self.mark = Some((mark, left));
        Ok(true)
    }

    /// Takes a mark away. A mark is small and its key is nobody else's, so any failure may be tried again.
    async fn unmark(&mut self, mark: &ObjectKey) -> Result<(), AccessError> {
        let store = self.store;
        attempt(self.random, || store.delete(mark)).await
    }

    /// Waits for all who were copying the document, and writes once more where one of them was killed.
    async fn settle(&mut self) -> Result<(), AccessError> {
        loop {
            let abandoned = self.wait_for_others().await?;
            if abandoned.is_empty() {
                return Ok(());
            }
            self.known = None;
            self.write().await?;
            for mark in abandoned {
                self.unmark(&mark).await?;
            }
        }
    }

    /// Waits until all who are copying now have taken their marks away; the marks that stay are those of the killed.
    /// Whoever begins later reads what is in R2 by then.
    async fn wait_for_others(&mut self) -> Result<Vec<ObjectKey>, AccessError> {
        let lease = lease(self.store);
        let (mut seen, mut since) = (self.marks().await?, Instant::now());
        let mut wait = FIRST_LOOK;
        let mut is_told = false;
        while !seen.is_empty() && since.elapsed() < lease {
            if !is_told && since.elapsed() >= WORTH_A_WORD {
                is_told = true;
                let (key, most) = (self.key, lease.as_secs());
                log::info!(
                    "somebody else is copying `{key}` to KV, or was killed doing so: waiting for at most {most} seconds"
                );
            }
            tokio::time::sleep(wait).await;
            wait = (wait * 2).min(lease / 4);
            let now = self.marks().await?;
            let left: Vec<_> =
                now.iter().filter(|mark| seen.iter().any(|seen| seen.key == mark.key)).cloned().collect();
            if left.iter().any(|mark| !seen.contains(mark)) {
                // Somebody renewed a mark, and so lives.
                since = Instant::now();
            }
            seen = left;
        }
        Ok(seen.iter().filter_map(|mark| mark.key.parse().ok()).collect())
    }

    async fn marks(&mut self) -> Result<Vec<Object>, AccessError> {
        let prefix = ObjectKey::copying_prefix(self.key);
        let store = self.store;
        attempt(self.random, || store.objects(&prefix)).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use futures::FutureExt as _;
    use yuba::document::{Document as _, IndexDocument};

    use super::*;
    use crate::documents::{self, Next};
    use crate::store::faults::{Fault, Faults, Operation};
    use crate::store::memory::MemoryStore;
    use crate::store::{Attempt, Cause};

    const KEY: DocumentKey = DocumentKey::Index;

    /// Adds to the index at once, as another publisher would in between.
    fn add(store: &MemoryStore, provider: &str) {
        let provider = provider.parse().unwrap();
        let change = documents::change(store, &KEY, Backoff::new(Rng::with_seed(7)), |index: Option<IndexDocument>| {
            Ok::<_, AccessError>(Next::Write(index.unwrap_or_else(IndexDocument::empty).with(&provider)))
        });
        change.now_or_never().unwrap().unwrap();
    }

    async fn copy_index(store: &dyn Store) -> Result<Action, AccessError> {
        copy(store, &KEY, &mut Rng::with_seed(7)).await
    }

    fn killed() -> Fault {
        Fault::Before(Cause::File(std::io::Error::other("killed")))
    }

    fn is_copied(store: &MemoryStore) -> bool {
        store.kv().get("index") == store.r2().get("meta/index") && store.r2().len() == 1
    }

    #[tokio::test]
    async fn a_copy_is_written_only_where_it_is_missing() {
        let store = MemoryStore::default();
        assert_eq!(copy_index(&store).await.unwrap(), Action::Exists);
        for (provider, action) in [("a/b/c", Action::Create), ("a/b/d", Action::Swap)] {
            add(&store, provider);
            assert_eq!(copy_index(&store).await.unwrap(), action);
            assert!(is_copied(&store));
            assert_eq!(copy_index(&store).await.unwrap(), Action::Exists);
        }
    }

    /// Another publisher swaps and copies, and this one then overwrites the newer copy: it must notice.
    #[tokio::test]
    async fn whoever_wrote_an_older_copy_writes_again() {
        let store = MemoryStore::default();
        add(&store, "a/b/c");
        let met = AtomicBool::new(false);
        let meddled = Faults::new(&store, |_, operation: &Operation| {
            if operation.attempt == Attempt::WriteCopy && !met.swap(true, Ordering::Relaxed) {
                add(&store, "x/y/z");
                store.damage_copy("index", store.r2().get("meta/index").map(Vec::as_slice));
            }
            Fault::None
        });
        copy_index(&meddled).await.unwrap();
        assert!(is_copied(&store));
        assert!(IndexDocument::from_json(&store.kv()["index"]).unwrap().names(&"x/y/z".parse().unwrap()));
    }

    /// Leaves storage as a publisher does that read R2 before `newer` was added there, and was killed right after its
    /// write to KV, which came after everybody else's, or will come when `late` is called.
    async fn kill_after_overwriting(store: &MemoryStore) -> Vec<u8> {
        let older = store.r2()["meta/index"].clone();
        let fatal = Faults::new(store, |_, operation: &Operation| match operation.attempt {
            Attempt::WriteCopy => killed(),
            _ => Fault::None,
        });
        assert!(copy(&fatal, &KEY, &mut Rng::with_seed(1)).await.is_err());
        older
    }

    #[tokio::test(start_paused = true)]
    async fn a_publisher_that_was_killed_after_overwriting_a_newer_copy_is_made_good_for_by_another() {
        let store = MemoryStore::default();
        add(&store, "a/b/c");
        let older = kill_after_overwriting(&store).await;
        add(&store, "x/y/z");
        // The newer copy is written first, and the older one arrives while its writer is waited for.
        let looks = AtomicBool::new(false);
        let other = Faults::new(&store, |_, operation: &Operation| {
            if operation.attempt == Attempt::List && !looks.swap(true, Ordering::Relaxed) {
                assert_eq!(store.kv()["index"], store.r2()["meta/index"]);
                store.damage_copy("index", Some(&older));
            }
            Fault::None
        });
        copy_index(&other).await.unwrap();
        assert!(is_copied(&store), "{:?}", store.r2().keys());
    }

    #[tokio::test(start_paused = true)]
    async fn a_publisher_that_finds_the_copy_whole_still_looks_for_the_killed() {
        let store = MemoryStore::default();
        add(&store, "a/b/c");
        let older = kill_after_overwriting(&store).await;
        add(&store, "x/y/z");
        store.damage_copy("index", store.r2().get("meta/index").map(Vec::as_slice));
        let looks = AtomicBool::new(false);
        let other = Faults::new(&store, |_, operation: &Operation| {
            if operation.attempt == Attempt::List && !looks.swap(true, Ordering::Relaxed) {
                store.damage_copy("index", Some(&older));
            }
            Fault::None
        });
        copy_index(&other).await.unwrap();
        assert!(is_copied(&store));
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_is_still_copying_is_waited_for() {
        let store = MemoryStore::default();
        add(&store, "a/b/c");
        store.mark(&ObjectKey::Copying(KEY, 9)).await.unwrap();
        let faults = Faults::new(&store, |_, _| Fault::None);
        let finish = async {
            tokio::time::sleep(store.longest_copy()).await;
            store.delete(&ObjectKey::Copying(KEY, 9)).await.unwrap();
        };
        let (copied, ()) = futures::join!(copy_index(&faults), finish);
        copied.unwrap();
        let writes = faults.operations().iter().filter(|it| it.attempt == Attempt::WriteCopy).count();
        assert_eq!(writes, 1, "whoever ended in order has left nothing to be made good");
        assert!(is_copied(&store));
    }

    /// Whatever operation a publisher is killed at, the next one leaves KV as R2 and no mark behind.
    #[tokio::test(start_paused = true)]
    async fn a_copy_that_was_killed_anywhere_is_completed_by_the_next() {
        let whole = MemoryStore::default();
        add(&whole, "a/b/c");
        let recorder = Faults::new(&whole, |_, _| Fault::None);
        copy_index(&recorder).await.unwrap();
        for number in 0..recorder.operations().len() {
            for done in [false, true] {
                let store = MemoryStore::default();
                add(&store, "a/b/c");
                let fatal = Faults::new(&store, |now, _| match (now == number, done) {
                    (false, _) => Fault::None,
                    (true, false) => killed(),
                    (true, true) => Fault::After(Cause::File(std::io::Error::other("killed"))),
                });
                let _ = copy(&fatal, &KEY, &mut Rng::with_seed(1)).await;
                copy_index(&store).await.unwrap();
                assert!(is_copied(&store), "{number} {done}: {:?}", store.r2().keys());
            }
        }
    }
}
