//! The memory that archives are held in on their way: a few buffers, used again and again.
//!
//! An allocator keeps what large buffers leave behind, in ever other places. These are never given back, so that what is
//! held is what is counted.

use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::store::Cause;

/// The size of a buffer, and so of a part. R2 wants all parts of an upload but the last to have the same, at least 5 MiB
/// and at most 10,000 of them.
pub(super) const BUFFER_BYTES: usize = 8 * 1024 * 1024;

/// How many buffers there are, for all uploads together.
pub(super) const BUFFERS: usize = 8;

/// The buffers.
#[derive(Debug, Clone)]
pub(super) struct Memory {
    permits: Arc<Semaphore>,
    free: Arc<Mutex<Vec<Vec<u8>>>>,
}

/// A buffer in use; whoever has it last gives it back.
#[derive(Debug)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    memory: Memory,
    _permit: OwnedSemaphorePermit,
}

impl Memory {
    pub(super) fn new() -> Self {
        Self { permits: Arc::new(Semaphore::new(BUFFERS)), free: Arc::default() }
    }

    /// Buffers for `length` bytes together, as soon as so many are free at once: whoever waited for one more with some
    /// in hand could wait for somebody who does the same.
    pub(super) async fn take(&self, length: u64) -> Result<Vec<Buffer>, Cause> {
        let count = u32::try_from(length.div_ceil(BUFFER_BYTES as u64)).unwrap_or(u32::MAX);
        let permits = Arc::clone(&self.permits).acquire_many_owned(count).await;
        let mut permits = permits.map_err(|_| Cause::Malformed("room for an archive"))?;
        let mut left = usize::try_from(length).unwrap_or(usize::MAX);
        let mut buffers = Vec::new();
        while let Some(permit) = permits.split(1) {
            let length = left.min(BUFFER_BYTES);
            left -= length;
            buffers.push(self.buffer(length, permit));
        }
        Ok(buffers)
    }

    fn buffer(&self, length: usize, permit: OwnedSemaphorePermit) -> Buffer {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut bytes = free.unwrap_or_else(|| Vec::with_capacity(BUFFER_BYTES));
        bytes.resize(length, 0);
        Buffer { bytes, memory: self.clone(), _permit: permit }
    }
}

impl Buffer {
    /// The bytes to be filled.
    pub(super) fn bytes(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// The bytes to be sent.
    pub(super) fn freeze(self) -> Bytes {
        Bytes::from_owner(self)
    }
}

impl AsRef<[u8]> for Buffer {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let bytes = std::mem::take(&mut self.bytes);
        self.memory.free.lock().unwrap_or_else(PoisonError::into_inner).push(bytes);
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    #[test]
    fn there_are_so_many_buffers_and_no_more() {
        let memory = Memory::new();
        let take = |parts: usize| memory.take((parts * BUFFER_BYTES) as u64 - 7).now_or_never();
        let mut some = take(3).unwrap().unwrap();
        assert_eq!(some.iter().map(|buffer| buffer.bytes.len()).sum::<usize>(), 3 * BUFFER_BYTES - 7);
        some[0].bytes()[0] = 1;
        let mut frozen: Vec<Bytes> = some.into_iter().map(Buffer::freeze).collect();
        let slice = frozen[0].slice(..1);
        let rest = take(BUFFERS - 3).unwrap().unwrap();
        assert!(take(1).is_none());
        frozen.clear();
        assert_eq!(slice, [1][..], "what is still in use is not given back");
        assert!(take(3).is_none());
        drop(slice);
        drop(rest);
        assert_eq!(take(BUFFERS).unwrap().unwrap().len(), BUFFERS);
        assert_eq!(memory.free.lock().unwrap().len(), BUFFERS);
    }
}
