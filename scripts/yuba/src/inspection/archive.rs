//! An archive: its head, all of its bytes, and what is in it.

use std::fs::File;
use std::io::{Seek as _, SeekFrom, Write as _};

use reqwest::{Method, Response};
use sha2::{Digest as _, Sha256};
use url::Url;
use yuba::digest::{H1, Sha256Digest};
use yuba::name::ProviderType;
use yuba::platform::Platform;

use super::checks::archive::{ARCHIVE_DIGEST, ARCHIVE_H1, ARCHIVE_HEAD, ARCHIVE_RANGE, ARCHIVE_SIZE, ARCHIVE_STATUS};
use super::http::{Http, Unanswered, header};
use super::outcome::ArchiveFacts;
use crate::verify::Progress;
use crate::verify::archive::Contents;
use crate::verify::finding::Findings;
use crate::verify::limits::MAX_ARCHIVE_BYTES;

/// How many of an archive's last bytes are asked for by a range. Few are enough to tell a wrong one.
const TAIL_BYTES: usize = 64;

/// An archive and what is said of it.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    /// What findings are about.
    pub(crate) subject: String,
    /// What it should be for.
    pub(crate) purpose: (ProviderType, Platform),
    /// Where it is.
    pub(crate) url: Url,
    /// The SHA-256 that it should have.
    pub(crate) zh: Sha256Digest,
    /// The hash that its content should have, if somebody says.
    pub(crate) h1: Option<H1>,
    /// The size that it should have, if somebody says.
    pub(crate) size: Option<u64>,
}

/// What was received.
struct Received {
    /// A file that has no name, so that nothing is left of it, whatever happens to this process.
    file: File,
    size: u64,
    digest: Sha256Digest,
    tail: Vec<u8>,
    offers_ranges: bool,
}

impl Candidate {
    /// Whether the archive is still there, by its head alone.
    pub(crate) async fn is_there(&self, http: &Http, size: u64) -> Result<bool, Unanswered> {
        let _permit = http.permit().await;
        let head = http.open(Method::HEAD, &self.url, None, &mut http.tries(&self.url)).await?;
        Ok(head.status().as_u16() == 200 && length(&head) == Some(size))
    }

    /// Inspects the archive; its facts, if all of it could be read and is what it should be.
    pub(crate) async fn inspect(
        &self,
        http: &Http,
        progress: &dyn Progress,
        findings: &mut Findings,
    ) -> Result<Option<ArchiveFacts>, Unanswered> {
        let _permit = http.permit().await;
        let Some(received) = self.download(http, progress, findings).await? else { return Ok(None) };
        let size = received.size;
        if received.digest != self.zh {
            let message = format!("the archive has {size} bytes and SHA-256 `{}`, not `{}`", received.digest, self.zh);
            findings.add(&ARCHIVE_DIGEST, &self.subject, message);
            return Ok(None);
        }
        if let Some(stated) = self.size.filter(|stated| *stated != size) {
            let message = format!("the archive has {size} bytes, where `packages` states {stated}");
            findings.add(&ARCHIVE_SIZE, &self.subject, message);
        }
        self.inspect_head(http, size, findings).await?;
        if received.offers_ranges {
            self.inspect_range(http, &received, findings).await?;
        }
        let h1 = self.inspect_content(received, findings).await?;
        if let (Some(found), Some(stated)) = (h1, self.h1)
            && found != stated
        {
            findings.add(&ARCHIVE_H1, &self.subject, format!("the content has `{found}`, not `{stated}`"));
        }
        Ok(h1.map(|h1| ArchiveFacts { zh: self.zh, h1, size }))
    }

    async fn download(
        &self,
        http: &Http,
        progress: &dyn Progress,
        findings: &mut Findings,
    ) -> Result<Option<Received>, Unanswered> {
        let mut tries = http.tries(&self.url);
        loop {
            let response = http.open(Method::GET, &self.url, None, &mut tries).await?;
            let status = response.status().as_u16();
            if status != 200 {
                findings.add(&ARCHIVE_STATUS, &self.subject, format!("`{}` is answered with {status}", self.url));
                return Ok(None);
            }
            progress.start(&self.subject, self.size.or(length(&response)).unwrap_or_default());
            let received = self.receive(response, progress).await;
            progress.finish(&self.subject);
            match received? {
                Ok(received) => return Ok(Some(received)),
                Err(cut) => tries.again_after(cut).await?,
            }
        }
    }

    /// Receives the body; the inner error is one that another try may mend.
    async fn receive(
        &self,
        mut response: Response,
        progress: &dyn Progress,
    ) -> Result<Result<Received, reqwest::Error>, Unanswered> {
        let fail = |source| Unanswered::File { url: self.url.clone(), source };
        let offers_ranges = header(&response, "accept-ranges").is_some_and(|unit| unit.trim() == "bytes");
        let mut file = tempfile::tempfile().map_err(fail)?;
        let (mut size, mut digest, mut tail) = (0, Sha256::new(), Vec::new());
        loop {
            let chunk = match response.chunk().await {
                Ok(Some(chunk)) => chunk,
                Ok(None) => break,
                Err(error) => return Ok(Err(error)),
            };
            size += chunk.len() as u64;
            if size > MAX_ARCHIVE_BYTES {
                return Err(Unanswered::TooLong { url: self.url.clone(), limit: MAX_ARCHIVE_BYTES });
            }
            digest.update(&chunk);
            // What arrives in one piece is written at once: that takes no longer than to hand it to another thread.
            file.write_all(&chunk).map_err(fail)?;
            tail.extend(chunk.iter().skip(chunk.len().saturating_sub(TAIL_BYTES)));
            tail.drain(..tail.len().saturating_sub(TAIL_BYTES));
            progress.advance(&self.subject, chunk.len() as u64);
        }
        file.seek(SeekFrom::Start(0)).map_err(fail)?;
        let digest: [u8; 32] = digest.finalize().into();
        Ok(Ok(Received { file, size, digest: digest.into(), tail, offers_ranges }))
    }

    async fn inspect_head(&self, http: &Http, size: u64, findings: &mut Findings) -> Result<(), Unanswered> {
        let head = http.open(Method::HEAD, &self.url, None, &mut http.tries(&self.url)).await?;
        let (status, length) = (head.status().as_u16(), length(&head));
        if status != 200 {
            findings.add(&ARCHIVE_HEAD, &self.subject, format!("HEAD is answered with {status}"));
        } else if length != Some(size) {
            let stated = length.map_or("no size".to_owned(), |length| format!("size {length}"));
            findings.add(
                &ARCHIVE_HEAD,
                &self.subject,
                format!("HEAD states {stated}, and the archive has {size} bytes"),
            );
        }
        Ok(())
    }

    async fn inspect_range(&self, http: &Http, whole: &Received, findings: &mut Findings) -> Result<(), Unanswered> {
        let first = whole.size - whole.tail.len() as u64;
        if whole.tail.is_empty() {
            return Ok(());
        }
        let range = Some(format!("bytes={first}-"));
        let mut tries = http.tries(&self.url);
        let (status, stated, part) = loop {
            let mut response = http.open(Method::GET, &self.url, range.clone(), &mut tries).await?;
            let (status, stated) = (response.status().as_u16(), header(&response, "content-range"));
            if status != 206 {
                break (status, stated, Vec::new());
            }
            let mut part = Vec::new();
            let ended = loop {
                match response.chunk().await {
                    // A whole archive instead of its end is not read to its own.
                    Ok(Some(chunk)) if part.len() <= TAIL_BYTES => part.extend_from_slice(&chunk),
                    Ok(_) => break Ok(()),
                    Err(error) => break Err(error),
                }
            };
            match ended {
                Ok(()) => break (status, stated, part),
                Err(error) => tries.again_after(error).await?,
            }
        };
        let expected = format!("bytes {first}-{}/{}", whole.size - 1, whole.size);
        let wrong = if status != 206 {
            format!("is answered with {status}")
        } else if stated.as_deref() != Some(&expected) {
            format!("is answered as `{}`", stated.unwrap_or_default())
        } else if part != whole.tail {
            "is answered with other bytes".to_owned()
        } else {
            return Ok(());
        };
        findings.add(&ARCHIVE_RANGE, &self.subject, format!("the range `{expected}` {wrong}"));
        Ok(())
    }

    /// Reads what is in the archive, on a thread that may be busy for long.
    async fn inspect_content(&self, received: Received, findings: &mut Findings) -> Result<Option<H1>, Unanswered> {
        let (subject, purpose) = (self.subject.clone(), self.purpose.clone());
        let mut found = findings.like();
        let inspected = tokio::task::spawn_blocking(move || {
            let contents = Contents { file: &subject, size: received.size, purpose: Some(&purpose) };
            let h1 = contents.inspect(received.file, &|_| {}, &mut found);
            (h1, found)
        });
        let fail = |source| Unanswered::File { url: self.url.clone(), source };
        let (h1, found) = inspected.await.map_err(|error| fail(error.into()))?;
        findings.append(found);
        h1.map_err(fail)
    }
}

/// The size that an answer states; of a HEAD, the library's own notion of it is that there is no body.
fn length(response: &Response) -> Option<u64> {
    header(response, "content-length")?.parse().ok()
}
