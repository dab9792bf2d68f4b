//! Archives on their way: in parts, whole or not at all, and never other bytes than those that were verified.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures::TryStreamExt as _;
use insta::assert_snapshot;
use yuba::digest::Sha256Digest;
use yuba::keys::BlobKey;
use yuba_companion::store::cloudflare::CloudflareStore;
use yuba_companion::store::{BlobFile, Cause, Creation, Existing, Store, StoreError};
use yuba_tests::cloudflare::{BUCKET, Cloudflare, Fault};
use yuba_tests::digests::number_digests;

use crate::{connect, started};

/// More than goes in one request, and no multiple of a part.
const BYTES: usize = 70 * 1024 * 1024 + 7;

struct Archive {
    _directory: tempfile::TempDir,
    path: PathBuf,
    key: BlobKey,
    size: u64,
}

impl Archive {
    fn new() -> Self {
        let content: Vec<u8> = (0..251).cycle().take(BYTES).collect();
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("archive.zip");
        fs::write(&path, &content).unwrap();
        Self { _directory: directory, path, key: BlobKey(Sha256Digest::of(&content)), size: BYTES as u64 }
    }

    /// Stores it, and says how many bytes were sent.
    async fn put(&self, store: &CloudflareStore, existing: Existing) -> (Result<Creation, StoreError>, u64) {
        let sent = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&sent);
        let file = BlobFile { key: self.key, path: &self.path, size: self.size };
        let advance = Arc::new(move |bytes| {
            counter.fetch_add(bytes, Ordering::Relaxed);
        });
        let put = store.put_blob(file, existing, advance).await;
        (put, sent.load(Ordering::Relaxed))
    }
}

fn is_stored(cloudflare: &Cloudflare, archive: &Archive) -> bool {
    let file = cloudflare.object(BUCKET, &archive.key.object());
    file.exists() && fs::read(file).unwrap() == fs::read(&archive.path).unwrap()
}

/// The requests, in the order of their parts; an upload's id is another each time.
fn requests(cloudflare: &Cloudflare) -> String {
    let mut requests = cloudflare.r2.faults.requests();
    for request in &mut requests {
        if let Some((before, _)) = request.split_once("uploadId=") {
            *request = format!("{before}uploadId=[ID]");
        }
    }
    // Parts are sent at once.
    requests.sort_by_key(|request| request.contains("partNumber").then(|| request.clone()));
    number_digests(&requests.join("\n"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_archive_is_sent_in_parts() {
    let Some(cloudflare) = started() else { return };
    let (store, archive) = (connect(cloudflare.access()).await, Archive::new());
    cloudflare.r2.faults.set(|_, _| Fault::None);
    let (put, sent) = archive.put(&store, Existing::Keep).await;
    assert_eq!((put.unwrap(), sent), (Creation::Created, archive.size));
    assert!(is_stored(&cloudflare, &archive));
    assert_snapshot!(requests(&cloudflare), @r"
    POST /yuba-archives/blob/sha256/[1]?uploads=
    POST /yuba-archives/blob/sha256/[1]?uploadId=[ID]
    PUT /yuba-archives/blob/sha256/[1]?partNumber=1&uploadId=[ID]
    PUT /yuba-archives/blob/sha256/[1]?partNumber=2&uploadId=[ID]
    PUT /yuba-archives/blob/sha256/[1]?partNumber=3&uploadId=[ID]
    PUT /yuba-archives/blob/sha256/[1]?partNumber=4&uploadId=[ID]
    PUT /yuba-archives/blob/sha256/[1]?partNumber=5&uploadId=[ID]
    PUT /yuba-archives/blob/sha256/[1]?partNumber=6&uploadId=[ID]
    PUT /yuba-archives/blob/sha256/[1]?partNumber=7&uploadId=[ID]
    PUT /yuba-archives/blob/sha256/[1]?partNumber=8&uploadId=[ID]
    PUT /yuba-archives/blob/sha256/[1]?partNumber=9&uploadId=[ID]
    ");
    // Somebody who was as far at the same time finds it there when all parts are sent.
    let (put, _) = archive.put(&store, Existing::Keep).await;
    assert_eq!(put.unwrap(), Creation::Exists);
    assert_eq!(cloudflare.open_uploads(), 0);
    let (put, _) = archive.put(&store, Existing::Replace).await;
    assert_eq!(put.unwrap(), Creation::Created);
    assert!(is_stored(&cloudflare, &archive));
}

/// Every request of an upload in parts, failing in every way, once.
#[tokio::test(flavor = "multi_thread")]
async fn an_upload_survives_every_lost_answer() {
    let Some(cloudflare) = started() else { return };
    let (store, archive) = (connect(cloudflare.access()).await, Archive::new());
    for fault in [Fault::CutBefore, Fault::CutAfter, Fault::StatusAfter(500)] {
        for step in ["?uploads", "partNumber=2", "POST "] {
            let failed = Arc::new(AtomicU64::new(0));
            cloudflare.r2.faults.set(move |_, request| {
                let meant = request.contains(step) && (step != "POST " || request.contains("uploadId"));
                if meant && failed.fetch_add(1, Ordering::Relaxed) == 0 { fault } else { Fault::None }
            });
            let (put, sent) = archive.put(&store, Existing::Keep).await;
            assert_eq!((put.unwrap(), sent), (Creation::Created, archive.size), "{fault:?} {step}");
            assert!(is_stored(&cloudflare, &archive), "{fault:?} {step}");
            fs::remove_file(cloudflare.object(BUCKET, &archive.key.object())).unwrap();
        }
    }
}

/// A file that is overwritten while it is sent: all its parts are there, and it is given up.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_changed_is_never_completed() {
    let Some(cloudflare) = started() else { return };
    let (store, archive) = (connect(cloudflare.access()).await, Archive::new());
    let mut content = fs::read(&archive.path).unwrap();
    *content.last_mut().unwrap() ^= 1;
    fs::write(&archive.path, content).unwrap();
    for existing in [Existing::Keep, Existing::Replace] {
        cloudflare.r2.faults.set(|_, _| Fault::None);
        let (put, _) = archive.put(&store, existing).await;
        assert!(matches!(put.unwrap_err().cause, Cause::Changed(_)));
        assert_eq!(store.stat_blob(&archive.key).await.unwrap(), None);
        let completed = |request: &String| request.starts_with("POST") && request.contains("uploadId");
        assert!(!cloudflare.r2.faults.requests().iter().any(completed));
        assert_eq!(cloudflare.open_uploads(), 0, "given up");
    }
}

/// A refusal in the middle: what was begun is given up, and told.
#[tokio::test(flavor = "multi_thread")]
async fn an_upload_that_is_refused_is_given_up() {
    let Some(cloudflare) = started() else { return };
    let (store, archive) = (connect(cloudflare.access()).await, Archive::new());
    cloudflare.r2.faults.set(
        |_, request| {
            if request.contains("partNumber=5") { Fault::Status(403) } else { Fault::None }
        },
    );
    let (put, _) = archive.put(&store, Existing::Keep).await;
    assert!(matches!(put.unwrap_err().cause, Cause::Cloudflare(_)));
    assert_eq!(cloudflare.open_uploads(), 0);
    assert_eq!(store.stat_blob(&archive.key).await.unwrap(), None);
}

/// What breaks off goes on where it broke off, and no byte comes twice.
#[tokio::test(flavor = "multi_thread")]
async fn a_download_survives_lost_connections() {
    let Some(cloudflare) = started() else { return };
    let (store, archive) = (connect(cloudflare.access()).await, Archive::new());
    archive.put(&store, Existing::Keep).await.0.unwrap();
    cloudflare.r2.faults.set(|number, _| match number {
        0 | 3 => Fault::Status(503),
        1 => Fault::CutShort(30 * 1024 * 1024 + 1),
        2 => Fault::CutShort(1),
        _ => Fault::None,
    });
    let pieces: Vec<_> = store.read_blob(&archive.key).await.unwrap().unwrap().try_collect().await.unwrap();
    assert!(pieces.concat() == fs::read(&archive.path).unwrap());
    assert_eq!(cloudflare.r2.faults.requests().len(), 5);
}
