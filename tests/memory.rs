//! A registry in memory: KV, R2 and a clock that tests hold in their hands. Reads are counted, can be slow and can fail.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use yuba::keys::{BlobKey, DocumentKey};
use yuba::serve::{Archive, ByteRange, Deferred, Storage, StorageError};

use crate::content::Content;

/// What one of the two storages does.
#[derive(Debug, Default)]
pub struct Shop {
    documents: RefCell<BTreeMap<String, Vec<u8>>>,
    archives: RefCell<BTreeMap<BlobKey, Vec<u8>>>,
    /// Every read, in order, by the document's name.
    pub reads: RefCell<Vec<String>>,
    /// Whether it refuses to answer.
    pub fails: Cell<bool>,
    /// How long it takes.
    pub latency: Cell<Duration>,
}

#[derive(Default)]
struct State {
    kv: Shop,
    r2: Shop,
    now: Cell<Duration>,
    timers: RefCell<BTreeMap<Duration, Vec<Waker>>>,
    deferred: RefCell<Vec<Deferred>>,
}

/// KV, R2 and the clock. Clones are the same storage.
#[derive(Clone, Default)]
pub struct MemoryStorage(Rc<State>);

impl MemoryStorage {
    /// Storage that holds `content`, in R2 and in KV.
    #[must_use]
    pub fn new(content: &Content) -> Self {
        let storage = Self::default();
        for (key, bytes) in content.documents.values() {
            storage.put(key, bytes);
        }
        storage.0.r2.archives.borrow_mut().clone_from(&content.archives);
        storage.0.kv.latency.set(Duration::from_millis(5));
        storage.0.r2.latency.set(Duration::from_millis(20));
        // A clock that starts at nothing would hide what happens to times before it.
        storage.0.now.set(Duration::from_secs(1_000));
        storage
    }

    /// Workers KV.
    #[must_use]
    pub fn kv(&self) -> &Shop {
        &self.0.kv
    }

    /// R2.
    #[must_use]
    pub fn r2(&self) -> &Shop {
        &self.0.r2
    }

    /// Writes a document to both.
    pub fn put(&self, key: &DocumentKey, bytes: &[u8]) {
        self.put_truth(key, bytes);
        self.put_copy(key, bytes);
    }

    /// Writes a document to R2.
    pub fn put_truth(&self, key: &DocumentKey, bytes: &[u8]) {
        self.0.r2.documents.borrow_mut().insert(key.to_string(), bytes.to_vec());
    }

    /// Writes a document to KV.
    pub fn put_copy(&self, key: &DocumentKey, bytes: &[u8]) {
        self.0.kv.documents.borrow_mut().insert(key.to_string(), bytes.to_vec());
    }

    /// Takes a document out of R2.
    pub fn remove_truth(&self, key: &DocumentKey) {
        self.0.r2.documents.borrow_mut().remove(&key.to_string());
    }

    /// Takes a document out of KV.
    pub fn remove_copy(&self, key: &DocumentKey) {
        self.0.kv.documents.borrow_mut().remove(&key.to_string());
    }

    /// Puts other bytes in the place of an archive.
    pub fn alter_archive(&self, key: BlobKey, bytes: Option<&[u8]>) {
        let mut archives = self.0.r2.archives.borrow_mut();
        match bytes {
            Some(bytes) => archives.insert(key, bytes.to_vec()),
            None => archives.remove(&key),
        };
    }

    /// Lets time pass.
    pub fn pass(&self, duration: Duration) {
        self.0.now.set(self.0.now.get() + duration);
    }

    /// What was read since the last call: from KV, then from R2.
    #[must_use]
    pub fn take_reads(&self) -> (Vec<String>, Vec<String>) {
        (self.0.kv.reads.take(), self.0.r2.reads.take())
    }

    /// Runs `work` to its end, letting time pass whenever all of it waits.
    ///
    /// # Panics
    /// If `work` waits for something other than time.
    pub fn run<T>(&self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        let mut context = Context::from_waker(Waker::noop());
        loop {
            if let Poll::Ready(result) = work.as_mut().poll(&mut context) {
                return result;
            }
            let (next, sleepers) = self.0.timers.borrow_mut().pop_first().expect("something to wait for");
            self.0.now.set(self.0.now.get().max(next));
            sleepers.into_iter().for_each(Waker::wake);
        }
    }

    /// Runs what was deferred until after the answers.
    pub fn run_deferred(&self) {
        for work in self.0.deferred.take() {
            self.run(work);
        }
    }

    async fn answer<T>(&self, shop: &Shop, what: String, find: impl FnOnce() -> T) -> Result<T, StorageError> {
        shop.reads.borrow_mut().push(what);
        // The answer is as of now; how long it takes to arrive changes nothing about it.
        let fails = shop.fails.get();
        let found = find();
        self.sleep(shop.latency.get()).await;
        if fails { Err(StorageError("out of order: bucket 7, shelf 9".to_owned())) } else { Ok(found) }
    }
}

struct Sleep<'a> {
    state: &'a State,
    until: Duration,
}

impl Future for Sleep<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.state.now.get() >= self.until {
            return Poll::Ready(());
        }
        self.state.timers.borrow_mut().entry(self.until).or_default().push(context.waker().clone());
        Poll::Pending
    }
}

impl Storage for MemoryStorage {
    type Stream = Vec<u8>;

    async fn read_copy(&self, key: &DocumentKey) -> Result<Option<Vec<u8>>, StorageError> {
        let name = key.to_string();
        let find = || self.0.kv.documents.borrow().get(&name).cloned();
        self.answer(&self.0.kv, name.clone(), find).await
    }

    async fn read_truth(&self, key: &DocumentKey) -> Result<Option<Vec<u8>>, StorageError> {
        let name = key.to_string();
        let find = || self.0.r2.documents.borrow().get(&name).cloned();
        self.answer(&self.0.r2, name.clone(), find).await
    }

    async fn open_archive(
        &self,
        key: BlobKey,
        range: Option<ByteRange>,
    ) -> Result<Option<Archive<Vec<u8>>>, StorageError> {
        let find = || {
            let archives = self.0.r2.archives.borrow();
            let bytes = archives.get(&key)?;
            let part = range.map_or(0..bytes.len(), |range| to_index(range.first)..to_index(range.last) + 1);
            Some(Archive { size: bytes.len() as u64, stream: bytes.get(part).unwrap_or_default().to_vec() })
        };
        self.answer(&self.0.r2, key.object(), find).await
    }

    async fn probe(&self) -> Result<(), StorageError> {
        self.answer(&self.0.kv, "probe".to_owned(), || ()).await?;
        self.answer(&self.0.r2, "probe".to_owned(), || ()).await
    }

    fn now(&self) -> Duration {
        self.0.now.get()
    }

    async fn sleep(&self, duration: Duration) {
        Sleep { state: &self.0, until: self.0.now.get() + duration }.await;
    }

    fn defer(&self, work: Deferred) {
        self.0.deferred.borrow_mut().push(work);
    }
}

fn to_index(position: u64) -> usize {
    usize::try_from(position).expect("a position in memory")
}
