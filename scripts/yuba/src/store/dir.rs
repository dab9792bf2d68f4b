//! Storage as plain files: `r2/` and `kv/` under one directory, with exactly the keys as paths.
//!
//! Keys come from nouns, which hold no `..`, no backslash and no separator of their own, so no key leaves the directory.
//! Where a disk ignores case, only versions could collide (`1.0.0-RC1`, `1.0.0-rc1`), and their files end in a digest.

mod tree;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use yuba::keys::{BlobKey, DocumentKey};

use super::{Advance, Attempt, BlobFile, Cause, Creation, ETag, Existing, Listing, Store, StoreError, Stored, Swap};
use tree::Tree;

/// A directory that several processes may publish into at once. It is made by the first write.
#[derive(Debug, Clone)]
pub struct DirStore {
    tree: Arc<Tree>,
}

impl DirStore {
    /// The store in `root`.
    #[must_use]
    pub fn new(root: PathBuf) -> Self {
        Self { tree: Arc::new(Tree::new(root)) }
    }

    /// Runs `work` where blocking is allowed.
    async fn run<T: Send + 'static>(
        &self,
        attempt: Attempt,
        key: String,
        work: impl FnOnce(&Tree) -> Result<T, Cause> + Send + 'static,
    ) -> Result<T, StoreError> {
        let tree = Arc::clone(&self.tree);
        let worked = tokio::task::spawn_blocking(move || work(&tree)).await;
        let worked = worked.unwrap_or_else(|stopped| Err(Cause::File(stopped.into())));
        worked.map_err(|cause| StoreError { attempt, key, cause })
    }
}

fn r2(object: &str) -> PathBuf {
    Path::new("r2").join(object)
}

fn kv(key: &DocumentKey) -> PathBuf {
    Path::new("kv").join(key.to_string())
}

#[async_trait]
impl Store for DirStore {
    async fn read(&self, key: &DocumentKey) -> Result<Option<Stored>, StoreError> {
        let path = r2(&key.object());
        self.run(Attempt::Read, key.object(), move |tree| {
            let bytes = tree.read(&path)?;
            Ok(bytes.map(|bytes| Stored { etag: tree::etag(&bytes), bytes }))
        })
        .await
    }

    async fn swap(&self, key: &DocumentKey, expected: Option<&ETag>, bytes: &[u8]) -> Result<Swap, StoreError> {
        let (path, expected, bytes) = (r2(&key.object()), expected.cloned(), bytes.to_vec());
        self.run(Attempt::Write, key.object(), move |tree| {
            let staged = tree.stage(&bytes)?;
            let _lock = tree.lock()?;
            let held = tree.read(&path)?.map(|bytes| tree::etag(&bytes));
            if held != expected {
                return Ok(Swap::Conflict);
            }
            tree.place(staged, &path)?;
            Ok(Swap::Swapped(tree::etag(&bytes)))
        })
        .await
    }

    async fn list(&self, listing: &Listing) -> Result<Vec<DocumentKey>, StoreError> {
        let (listing, prefix) = (listing.clone(), listing.prefix());
        self.run(Attempt::List, prefix.clone(), move |tree| {
            let names = tree.files(&r2(&prefix))?;
            let mut keys: Vec<_> = names.iter().filter_map(|name| listing.key(&format!("{prefix}{name}"))).collect();
            keys.sort_by_key(DocumentKey::object);
            Ok(keys)
        })
        .await
    }

    async fn read_copy(&self, key: &DocumentKey) -> Result<Option<Vec<u8>>, StoreError> {
        let path = kv(key);
        self.run(Attempt::ReadCopy, key.to_string(), move |tree| Ok(tree.read(&path)?)).await
    }

    async fn write_copy(&self, key: &DocumentKey, bytes: &[u8]) -> Result<(), StoreError> {
        let (path, bytes) = (kv(key), bytes.to_vec());
        self.run(Attempt::WriteCopy, key.to_string(), move |tree| Ok(tree.place(tree.stage(&bytes)?, &path)?)).await
    }

    async fn blob_size(&self, key: &BlobKey) -> Result<Option<u64>, StoreError> {
        let path = r2(&key.object());
        self.run(Attempt::Stat, key.object(), move |tree| Ok(tree.size(&path)?)).await
    }

    async fn put_blob(&self, file: BlobFile<'_>, existing: Existing, advance: Advance) -> Result<Creation, StoreError> {
        let (path, source) = (r2(&file.key.object()), file.path.to_owned());
        let (digest, size) = (file.key.0, file.size);
        self.run(Attempt::Upload, file.key.object(), move |tree| {
            let (staged, copied) = tree.stage_file(&source, &advance)?;
            if copied != (digest, size) {
                return Err(Cause::Changed(source));
            }
            let _lock = tree.lock()?;
            if existing == Existing::Keep && tree.size(&path)?.is_some() {
                return Ok(Creation::Exists);
            }
            tree.place(staged, &path)?;
            Ok(Creation::Created)
        })
        .await
    }
}
