//! A blob on its way from R2: what breaks off goes on where it broke off.

use bytes::Bytes;
use futures::stream::{self, BoxStream};
use futures::{StreamExt as _, TryStreamExt as _};
use object_store::aws::AmazonS3;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectStore as _, ObjectStoreExt as _};

use super::r2::{R2, found, path, unexpected};
use crate::backoff::Backoff;
use crate::store::Cause;

type Pieces = BoxStream<'static, Result<Bytes, Cause>>;

/// A blob that is being read.
struct Download {
    client: AmazonS3,
    path: Path,
    /// What must not change meanwhile.
    etag: Option<String>,
    size: u64,
    /// How much of it came.
    offset: u64,
    pieces: Pieces,
    backoff: Backoff,
}

impl R2 {
    /// Reads an object, if it is there.
    pub(super) async fn download(&self, key: &str, backoff: Backoff) -> Result<Option<Pieces>, Cause> {
        let (client, path) = (self.documents.clone(), path(key)?);
        let Some(got) = found(client.get(&path).await)? else { return Ok(None) };
        let (etag, size) = (got.meta.e_tag.clone(), got.meta.size);
        let pieces = got.into_stream().map_err(|error| unexpected(error.into())).boxed();
        let download = Download { client, path, etag, size, offset: 0, pieces, backoff };
        Ok(Some(stream::try_unfold(download, Download::next).boxed()))
    }
}

impl Download {
    async fn next(mut self) -> Result<Option<(Bytes, Self)>, Cause> {
        loop {
            match self.pieces.next().await {
                Some(Ok(piece)) => {
                    self.offset += piece.len() as u64;
                    return Ok(Some((piece, self)));
                }
                None => return Ok(None),
                Some(Err(cause)) => {
                    if self.offset >= self.size || !self.backoff.wait().await {
                        return Err(cause);
                    }
                    self.pieces = self.resume().await?;
                }
            }
        }
    }

    /// What is left, of the same object.
    async fn resume(&mut self) -> Result<Pieces, Cause> {
        let range = Some(GetRange::Offset(self.offset));
        let options = GetOptions { range, if_match: self.etag.clone(), ..GetOptions::default() };
        let got = self.client.get_opts(&self.path, options).await.map_err(|error| unexpected(error.into()))?;
        Ok(got.into_stream().map_err(|error| unexpected(error.into())).boxed())
    }
}
