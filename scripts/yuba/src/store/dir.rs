//! Storage as plain files: `r2/` and `kv/` under one directory, with exactly the keys as paths.
//!
//! Keys come from nouns, which hold no `..`, no backslash and no separator of their own, so no key leaves the directory.
//! Where a disk ignores case, only versions could collide (`1.0.0-RC1`, `1.0.0-rc1`), and their files end in a digest.

mod tree;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::{StreamExt as _, TryStreamExt as _};
use tokio_util::io::ReaderStream;
use yuba::keys::{BlobKey, DocumentKey, ObjectKey};

use super::{
    Advance, Attempt, BlobFile, Cause, Creation, ETag, Existing, Object, Pieces, Stat, Store, StoreError, Stored, Swap,
};
use tree::{CHUNK_BYTES, Tree};

/// How long writing one small file takes at most, on a disk that is busy.
const LONGEST_COPY: Duration = Duration::from_secs(1);

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

    async fn objects(&self, prefix: &str) -> Result<Vec<Object>, StoreError> {
        let prefix = prefix.to_owned();
        self.run(Attempt::List, prefix.clone(), move |tree| {
            // A prefix may end within a name: the directory above it has all that it can mean.
            let directory = prefix.rfind('/').map_or("", |end| prefix.get(..=end).unwrap_or_default());
            let mut objects = Vec::new();
            for name in tree.files(&r2(directory))? {
                let key = format!("{directory}{name}");
                let stat = if key.starts_with(&prefix) { tree.stat(&r2(&key))? } else { None };
                objects.extend(stat.map(|stat| Object { key, stat }));
            }
            objects.sort_by(|one, other| one.key.cmp(&other.key));
            Ok(objects)
        })
        .await
    }

    async fn delete(&self, key: &ObjectKey) -> Result<(), StoreError> {
        let path = r2(&key.to_string());
        self.run(Attempt::Delete, key.to_string(), move |tree| {
            let _lock = tree.lock()?;
            Ok(tree.remove(&path)?)
        })
        .await
    }

    async fn duplicate(&self, from: &ObjectKey, to: &ObjectKey) -> Result<bool, StoreError> {
        let (from, path) = (r2(&from.to_string()), r2(&to.to_string()));
        self.run(Attempt::Duplicate, to.to_string(), move |tree| {
            let Some(staged) = tree.stage_copy(&from)? else { return Ok(false) };
            let _lock = tree.lock()?;
            tree.place(staged, &path)?;
            Ok(true)
        })
        .await
    }

    async fn mark(&self, key: &ObjectKey) -> Result<(), StoreError> {
        let path = r2(&key.to_string());
        self.run(Attempt::Mark, key.to_string(), move |tree| Ok(tree.place(tree.stage(b"")?, &path)?)).await
    }

    async fn read_copy(&self, key: &DocumentKey) -> Result<Option<Vec<u8>>, StoreError> {
        let path = kv(key);
        self.run(Attempt::ReadCopy, key.to_string(), move |tree| Ok(tree.read(&path)?)).await
    }

    async fn write_copy(&self, key: &DocumentKey, bytes: &[u8]) -> Result<(), StoreError> {
        let (path, bytes) = (kv(key), bytes.to_vec());
        self.run(Attempt::WriteCopy, key.to_string(), move |tree| Ok(tree.place(tree.stage(&bytes)?, &path)?)).await
    }

    async fn delete_copy(&self, name: &str) -> Result<(), StoreError> {
        let path = Path::new("kv").join(name);
        self.run(Attempt::DeleteCopy, name.to_owned(), move |tree| Ok(tree.remove(&path)?)).await
    }

    async fn copies(&self) -> Result<Vec<String>, StoreError> {
        self.run(Attempt::ListCopies, String::new(), move |tree| {
            let mut names = tree.files(Path::new("kv"))?;
            names.sort();
            Ok(names)
        })
        .await
    }

    fn longest_copy(&self) -> Duration {
        LONGEST_COPY
    }

    async fn stat_blob(&self, key: &BlobKey) -> Result<Option<Stat>, StoreError> {
        let path = r2(&key.object());
        self.run(Attempt::Stat, key.object(), move |tree| Ok(tree.stat(&path)?)).await
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
            if existing == Existing::Keep && tree.stat(&path)?.is_some() {
                return Ok(Creation::Exists);
            }
            tree.place(staged, &path)?;
            Ok(Creation::Created)
        })
        .await
    }

    async fn read_blob(&self, key: &BlobKey) -> Result<Option<Pieces>, StoreError> {
        let (path, object) = (r2(&key.object()), key.object());
        let failed = move |error: std::io::Error| StoreError {
            attempt: Attempt::Download,
            key: object.clone(),
            cause: Cause::File(error),
        };
        let opened = self.run(Attempt::Download, key.object(), move |tree| Ok(tree.open(&path)?)).await?;
        Ok(opened.map(|file| {
            let file = tokio::fs::File::from_std(file);
            ReaderStream::with_capacity(file, CHUNK_BYTES).map_err(failed).boxed()
        }))
    }
}
