//! A file on its way to R2: at once, or in parts, and never one byte that was not verified.

use std::fs::File;
use std::io::Read as _;
use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use object_store::aws::AmazonS3;
use object_store::multipart::{MultipartStore as _, PartId};
use object_store::path::Path;
use object_store::{ObjectStore as _, PutMode, PutOptions, PutPayload};
use sha2::{Digest as _, Sha256};
use tokio::task::JoinSet;
use yuba::digest::Sha256Digest;

use super::memory::{BUFFER_BYTES, BUFFERS, Buffer};
use super::r2::{R2, path, unexpected};
use super::service::Failure;
use crate::store::{Advance, BlobFile, Cause, Creation, Existing};

/// The largest file that is sent in one request. It fits into the memory there is.
const WHOLE_BYTES: u64 = (BUFFERS * BUFFER_BYTES) as u64;

/// A file that is read once, from its start to its end.
struct Source {
    file: File,
    path: PathBuf,
    digest: Sha256,
    left: u64,
}

impl Source {
    /// The file, if it has the size that was verified.
    async fn open(blob: BlobFile<'_>) -> Result<Self, Cause> {
        let (path, size) = (blob.path.to_owned(), blob.size);
        blocking(move || {
            let file = File::open(&path)?;
            if file.metadata()?.len() != size {
                return Err(Cause::Changed(path));
            }
            Ok(Self { file, path, digest: Sha256::new(), left: size })
        })
        .await
    }

    /// The next bytes, as many as `buffer` has.
    async fn read(mut self, mut buffer: Buffer) -> Result<(Self, Bytes), Cause> {
        blocking(move || {
            self.file.read_exact(buffer.bytes()).map_err(|error| match error.kind() {
                std::io::ErrorKind::UnexpectedEof => Cause::Changed(self.path.clone()),
                _ => error.into(),
            })?;
            self.digest.update(buffer.as_ref());
            self.left -= buffer.as_ref().len() as u64;
            Ok((self, buffer.freeze()))
        })
        .await
    }

    /// Whether all that was read, and nothing more, is what was verified.
    async fn check(mut self, expected: Sha256Digest) -> Result<(), Cause> {
        blocking(move || {
            let is_more = self.file.read(&mut [0])? > 0;
            let digest: [u8; 32] = self.digest.finalize().into();
            if is_more || Sha256Digest::from(digest) != expected { Err(Cause::Changed(self.path)) } else { Ok(()) }
        })
        .await
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T, Cause> + Send + 'static) -> Result<T, Cause> {
    let worked = tokio::task::spawn_blocking(work).await;
    worked.unwrap_or_else(|stopped| Err(Cause::File(stopped.into())))
}

impl R2 {
    /// Stores a file, if it is what was verified.
    pub(super) async fn upload(
        &self,
        blob: BlobFile<'_>,
        existing: Existing,
        advance: Advance,
    ) -> Result<Creation, Cause> {
        let source = Source::open(blob).await?;
        if blob.size <= WHOLE_BYTES {
            return self.upload_whole(source, blob, existing, &advance).await;
        }
        let upload =
            Upload { client: self.blobs(existing).clone(), path: path(&blob.key.object())?, id: String::new() };
        let upload = upload.begin().await?;
        let done = self.upload_parts(&upload, source, blob, &advance).await;
        match done {
            Ok(creation) => Ok(creation),
            Err(cause) => {
                // R2 forgets an upload that is left behind after a week, so that this may fail.
                let _ = upload.client.abort_multipart(&upload.path, &upload.id).await;
                Err(cause)
            }
        }
    }

    async fn upload_whole(
        &self,
        mut source: Source,
        blob: BlobFile<'_>,
        existing: Existing,
        advance: &Advance,
    ) -> Result<Creation, Cause> {
        let mut pieces = Vec::new();
        for buffer in self.memory.take(blob.size).await? {
            let piece;
            (source, piece) = source.read(buffer).await?;
            pieces.push(piece);
        }
        source.check(blob.key.0).await?;
        let mode = match existing {
            Existing::Keep => PutMode::Create,
            Existing::Replace => PutMode::Overwrite,
        };
        let put = self
            .blobs(existing)
            .put_opts(&path(&blob.key.object())?, PutPayload::from_iter(pieces), PutOptions::from(mode))
            .await;
        match put.map_err(Failure::from) {
            Ok(_) => {
                advance(blob.size);
                Ok(Creation::Created)
            }
            Err(failure) => self.settle(failure, blob).await,
        }
    }

    async fn upload_parts(
        &self,
        upload: &Upload,
        mut source: Source,
        blob: BlobFile<'_>,
        advance: &Advance,
    ) -> Result<Creation, Cause> {
        let mut sending = JoinSet::new();
        let mut sent = Vec::new();
        while source.left > 0 {
            let part = source.left.min(BUFFER_BYTES as u64);
            for buffer in self.memory.take(part).await? {
                let bytes;
                (source, bytes) = source.read(buffer).await?;
                sending.spawn(upload.clone().send(sending.len() + sent.len(), bytes, Arc::clone(advance)));
            }
            while let Some(part) = sending.try_join_next() {
                sent.push(joined(part)?);
            }
        }
        source.check(blob.key.0).await?;
        while let Some(part) = sending.join_next().await {
            sent.push(joined(part)?);
        }
        sent.sort_by_key(|(number, _)| *number);
        let parts = sent.into_iter().map(|(_, part)| part).collect();
        match upload.client.complete_multipart(&upload.path, &upload.id, parts).await.map_err(Failure::from) {
            Ok(_) => Ok(Creation::Created),
            Err(Failure::Precondition) => {
                // Somebody else was faster; whether R2 keeps the parts then is not said.
                let _ = upload.client.abort_multipart(&upload.path, &upload.id).await;
                Ok(Creation::Exists)
            }
            Err(failure) => self.settle(failure, blob).await,
        }
    }

    /// What a failed write came to. Where an answer was lost, the blob that is there is the answer: its key is its
    /// content, whoever wrote it.
    async fn settle(&self, failure: Failure, blob: BlobFile<'_>) -> Result<Creation, Cause> {
        match failure {
            Failure::Precondition => Ok(Creation::Exists),
            Failure::Doubt => match self.stat(&blob.key.object()).await? {
                Some(stat) if stat.size == blob.size => Ok(Creation::Created),
                _ => Err(unexpected(Failure::Doubt)),
            },
            failure @ (Failure::NotFound | Failure::Cause(_)) => Err(unexpected(failure)),
        }
    }
}

/// An upload in parts.
#[derive(Clone)]
struct Upload {
    client: AmazonS3,
    path: Path,
    id: String,
}

impl Upload {
    async fn begin(mut self) -> Result<Self, Cause> {
        self.id = self.client.create_multipart(&self.path).await.map_err(|error| unexpected(error.into()))?;
        Ok(self)
    }

    /// Sends one part, whose memory is free again afterwards.
    async fn send(self, number: usize, bytes: Bytes, advance: Advance) -> Result<(usize, PartId), Cause> {
        let length = bytes.len() as u64;
        let put = self.client.put_part(&self.path, &self.id, number, PutPayload::from(bytes)).await;
        let part = put.map_err(|error| unexpected(error.into()))?;
        advance(length);
        Ok((number, part))
    }
}

type Joined = Result<Result<(usize, PartId), Cause>, tokio::task::JoinError>;

fn joined(part: Joined) -> Result<(usize, PartId), Cause> {
    part.unwrap_or_else(|stopped| Err(Cause::File(stopped.into())))
}
