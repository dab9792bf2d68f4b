//! The cases of the storage contract. Each has keys of its own, so one store serves them all.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures::TryStreamExt as _;
use yuba::address::{NamespaceAddress, ReleaseAddress};
use yuba::digest::Sha256Digest;
use yuba::keys::{Area, BlobKey, DocumentKey, ObjectKey};
use yuba_companion::store::{Advance, BlobFile, Cause, Creation, ETag, Existing, Listing, Store, Swap};

/// More than any buffer on the way, so that a store which keeps only one piece is found out.
const BIG_BLOB_BYTES: usize = 20 * 1024 * 1024 + 7;

/// How many publishers write at once.
const WRITERS: usize = 16;

pub(crate) async fn check(store: &dyn Store) {
    check_documents(store).await;
    check_blobs(store).await;
}

pub(crate) async fn check_documents(store: &dyn Store) {
    what_was_never_written_is_absent(store).await;
    a_key_is_created_once(store).await;
    a_swap_needs_the_document_as_it_was(store).await;
    a_swap_back_is_a_swap(store).await;
    of_concurrent_creations_one_wins(store).await;
    of_concurrent_swaps_one_wins(store).await;
    documents_of_odd_names_are_kept_apart(store).await;
    a_listing_finds_its_documents_only(store).await;
    a_long_listing_is_whole(store).await;
    copies_are_apart_from_documents(store).await;
    copies_are_listed_and_deleted(store).await;
    marks_come_and_go(store).await;
    what_is_deleted_is_absent(store).await;
}

async fn check_blobs(store: &dyn Store) {
    a_blob_is_read_in_pieces(store).await;
    a_blob_moves_to_the_trash_and_back(store).await;
    a_blob_is_stored_once(store).await;
    a_damaged_blob_can_be_replaced(store).await;
    a_big_blob_arrives_whole(store).await;
    a_file_that_changed_is_no_blob(store).await;
    of_concurrent_puts_all_succeed(store).await;
}

fn provider(text: &str) -> DocumentKey {
    DocumentKey::Provider(text.parse().unwrap())
}

fn release_address(provider: &str, version: &str) -> ReleaseAddress {
    ReleaseAddress { provider: provider.parse().unwrap(), version: version.parse().unwrap() }
}

fn namespace(hostname: &str, namespace: &str) -> DocumentKey {
    DocumentKey::Namespace(NamespaceAddress {
        hostname: hostname.parse().unwrap(),
        namespace: namespace.parse().unwrap(),
    })
}

async fn bytes(store: &dyn Store, key: &DocumentKey) -> Option<Vec<u8>> {
    store.read(key).await.unwrap().map(|stored| stored.bytes)
}

async fn swap(store: &dyn Store, key: &DocumentKey, expected: Option<&ETag>, bytes: &[u8]) -> Option<ETag> {
    match store.swap(key, expected, bytes).await.unwrap() {
        Swap::Swapped(etag) => Some(etag),
        Swap::Conflict => None,
    }
}

async fn what_was_never_written_is_absent(store: &dyn Store) {
    let key = provider("absent.example/acme/dns");
    assert_eq!(store.read(&key).await.unwrap(), None);
    assert_eq!(store.read_copy(&key).await.unwrap(), None);
    assert_eq!(store.stat_blob(&BlobKey(Sha256Digest::of(b"absent"))).await.unwrap(), None);
    assert_eq!(store.list(&Listing::Releases(release_address("absent.example/acme/dns", "1.0.0"))).await.unwrap(), []);
    let some = ETag::new("\"0123456789abcdef0123456789abcdef\"".to_owned());
    assert_eq!(store.swap(&key, Some(&some), b"x").await.unwrap(), Swap::Conflict);
    assert_eq!(bytes(store, &key).await, None);
}

async fn a_key_is_created_once(store: &dyn Store) {
    let key = provider("create.example/acme/dns");
    assert_eq!(store.create(&key, b"first").await.unwrap(), Creation::Created);
    assert_eq!(store.create(&key, b"second").await.unwrap(), Creation::Exists);
    assert_eq!(bytes(store, &key).await.unwrap(), b"first");
}

async fn a_swap_needs_the_document_as_it_was(store: &dyn Store) {
    let key = provider("swap.example/acme/dns");
    let first = swap(store, &key, None, b"1").await.unwrap();
    assert_eq!(store.read(&key).await.unwrap().unwrap().etag, first);
    assert_eq!(swap(store, &key, None, b"2").await, None);
    let second = swap(store, &key, Some(&first), b"2").await.unwrap();
    assert_ne!(first, second);
    assert_eq!(swap(store, &key, Some(&first), b"3").await, None, "a stale ETag must not win");
    assert_eq!(bytes(store, &key).await.unwrap(), b"2");
    assert_eq!(store.read(&key).await.unwrap().unwrap().etag, second);
}

/// The `ETag` of a read serves the next swap, whatever was there in between.
async fn a_swap_back_is_a_swap(store: &dyn Store) {
    let key = provider("back.example/acme/dns");
    for content in [&b"a"[..], b"b", b"a", b""] {
        let held = store.read(&key).await.unwrap().map(|stored| stored.etag);
        assert!(swap(store, &key, held.as_ref(), content).await.is_some());
        assert_eq!(bytes(store, &key).await.unwrap(), content);
    }
}

async fn of_concurrent_creations_one_wins(store: &dyn Store) {
    let key = provider("creations.example/acme/dns");
    let contents: Vec<_> = (0..WRITERS).map(|writer| format!("writer {writer}").into_bytes()).collect();
    let created = futures::future::join_all(contents.iter().map(|content| store.create(&key, content))).await;
    let won: Vec<_> = (0..WRITERS).filter(|writer| *created[*writer].as_ref().unwrap() == Creation::Created).collect();
    assert_eq!(won.len(), 1, "{won:?}");
    assert_eq!(bytes(store, &key).await.unwrap(), contents[won[0]]);
}

async fn of_concurrent_swaps_one_wins(store: &dyn Store) {
    let key = provider("swaps.example/acme/dns");
    let mut held = swap(store, &key, None, b"0").await.unwrap();
    for round in 0..5 {
        let contents: Vec<_> = (0..WRITERS).map(|writer| format!("{round} {writer}").into_bytes()).collect();
        let swaps = contents.iter().map(|content| store.swap(&key, Some(&held), content));
        let swaps: Vec<_> = futures::future::join_all(swaps).await.into_iter().map(Result::unwrap).collect();
        let won: Vec<_> = (0..WRITERS).filter(|writer| swaps[*writer] != Swap::Conflict).collect();
        assert_eq!(won.len(), 1, "round {round}: {won:?}");
        let stored = store.read(&key).await.unwrap().unwrap();
        assert_eq!(stored.bytes, contents[won[0]]);
        assert_eq!(swaps[won[0]], Swap::Swapped(stored.etag.clone()));
        held = stored.etag;
    }
}

async fn documents_of_odd_names_are_kept_apart(store: &dyn Store) {
    let digest = Sha256Digest::of(b"odd");
    let long = format!("{0}.{0}.{0}.example", "a".repeat(63));
    let keys = [
        provider("localhost:8443/straße/dns"),
        provider("localhost:8444/straße/dns"),
        provider("localhost/strasse/dns"),
        provider("bücher.example/ほげ/ふが"),
        provider(&format!("{long}/acme/dns")),
        DocumentKey::Release(release_address("odd.example/acme/dns", "1.0.0-rc.1+build.7"), digest),
        DocumentKey::Release(release_address("odd.example/acme/dns", "1.0.0-rc.1+build-7"), digest),
        DocumentKey::Release(release_address("odd.example/acme/dns", &format!("1.0.0-{}", "a".repeat(122))), digest),
    ];
    for key in &keys {
        let content = key.object().into_bytes();
        assert_eq!(store.create(key, &content).await.unwrap(), Creation::Created, "{key}");
        store.write_copy(key, &content).await.unwrap();
    }
    for key in &keys {
        assert_eq!(bytes(store, key).await.unwrap(), key.object().into_bytes());
        assert_eq!(store.read_copy(key).await.unwrap().unwrap(), key.object().into_bytes());
    }
}

async fn a_listing_finds_its_documents_only(store: &dyn Store) {
    let address = release_address("list.example/acme/dns", "1.0.0+b");
    let mut of_release: Vec<_> =
        (0..3).map(|number| DocumentKey::Release(address.clone(), Sha256Digest::of(&[number]))).collect();
    let others = [
        DocumentKey::Release(release_address("list.example/acme/dns", "1.0.0+b2"), Sha256Digest::of(b"0")),
        DocumentKey::Release(release_address("list.example/acme/dns", "1.0.0"), Sha256Digest::of(b"0")),
    ];
    let mut namespaces = vec![namespace("list.example", "ほげ"), namespace("list.example:81", "acme")];
    for key in of_release.iter().chain(&others).chain(&namespaces) {
        store.create(key, b"{}").await.unwrap();
    }
    of_release.sort_by_key(DocumentKey::object);
    assert_eq!(store.list(&Listing::Releases(address)).await.unwrap(), of_release);
    namespaces.sort_by_key(DocumentKey::object);
    let listed = store.list(&Listing::Namespaces).await.unwrap();
    assert_eq!(listed, namespaces, "{listed:?}");
    let listed_provider = provider("list.example/acme/dns");
    store.create(&listed_provider, b"{}").await.unwrap();
    let listed = store.list(&Listing::Providers(None)).await.unwrap();
    assert!(listed.contains(&listed_provider), "{listed:?}");
    assert!(listed.iter().all(|key| matches!(key, DocumentKey::Provider(_))), "{listed:?}");
}

/// More documents than one answer of R2 may name (1,000).
async fn a_long_listing_is_whole(store: &dyn Store) {
    let address = release_address("long.example/acme/dns", "1.0.0");
    let keys: Vec<_> = (0..1001_u32)
        .map(|number| DocumentKey::Release(address.clone(), Sha256Digest::of(&number.to_le_bytes())))
        .collect();
    for some in keys.chunks(WRITERS) {
        let created = futures::future::join_all(some.iter().map(|key| store.create(key, b"{}"))).await;
        assert!(created.into_iter().all(|created| created.unwrap() == Creation::Created));
    }
    assert_eq!(store.list(&Listing::Releases(address)).await.unwrap().len(), keys.len());
}

async fn copies_are_apart_from_documents(store: &dyn Store) {
    let key = provider("copy.example/acme/dns");
    store.write_copy(&key, b"copy").await.unwrap();
    assert_eq!(bytes(store, &key).await, None);
    store.create(&key, b"document").await.unwrap();
    assert_eq!(store.read_copy(&key).await.unwrap().unwrap(), b"copy");
    store.write_copy(&key, b"").await.unwrap();
    assert_eq!(store.read_copy(&key).await.unwrap().unwrap(), b"");
}

/// A file with its content's digest, until it is dropped.
struct Archive {
    _directory: tempfile::TempDir,
    path: PathBuf,
    key: BlobKey,
    size: u64,
}

impl Archive {
    fn new(content: &[u8]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("archive.zip");
        fs::write(&path, content).unwrap();
        Self { _directory: directory, path, key: BlobKey(Sha256Digest::of(content)), size: content.len() as u64 }
    }

    fn file(&self) -> BlobFile<'_> {
        BlobFile { key: self.key, path: &self.path, size: self.size }
    }
}

fn silent() -> Advance {
    Arc::new(|_| ())
}

async fn copies_are_listed_and_deleted(store: &dyn Store) {
    let keys = ["copies.example/acme/dns", "copies.example/straße/ほげ"].map(provider);
    let copies: Vec<_> = keys.iter().map(|key| (key.clone(), key.to_string().into_bytes())).collect();
    store.write_copies(&copies).await.unwrap();
    let listed = || async {
        let names = store.copies().await.unwrap();
        assert!(names.is_sorted());
        names.into_iter().filter(|name| name.contains("copies.example")).collect::<Vec<_>>()
    };
    assert_eq!(listed().await, keys.each_ref().map(ToString::to_string));
    for (key, bytes) in &copies {
        assert_eq!(store.read_copy(key).await.unwrap().as_ref(), Some(bytes));
    }
    for _ in 0..2 {
        store.delete_copy(&keys[0].to_string()).await.unwrap();
        assert_eq!(listed().await, [keys[1].to_string()]);
        assert_eq!(store.read_copy(&keys[0]).await.unwrap(), None);
    }
}

async fn marks_come_and_go(store: &dyn Store) {
    let key = provider("marks.example/acme/dns");
    let marks = [ObjectKey::Copying(key.clone(), 1), ObjectKey::Copying(key.clone(), u64::MAX)];
    let found = || async {
        let objects = store.objects(&ObjectKey::copying_prefix(&key)).await.unwrap();
        objects.into_iter().map(|object| (object.key.parse().unwrap(), object.stat.size)).collect::<Vec<_>>()
    };
    assert_eq!(found().await, []);
    for mark in marks.iter().chain(&marks) {
        store.mark(mark).await.unwrap();
    }
    assert_eq!(found().await, marks.clone().map(|mark| (mark, 0)));
    for mark in marks.iter().chain(&marks) {
        store.delete(mark).await.unwrap();
    }
    assert_eq!(found().await, []);
    assert_eq!(bytes(store, &key).await, None);
}

async fn what_is_deleted_is_absent(store: &dyn Store) {
    let key = provider("deleted.example/acme/dns");
    store.create(&key, b"first").await.unwrap();
    for _ in 0..2 {
        store.delete(&ObjectKey::Document(key.clone())).await.unwrap();
        assert_eq!(bytes(store, &key).await, None);
    }
    assert_eq!(store.create(&key, b"second").await.unwrap(), Creation::Created);
    assert_eq!(bytes(store, &key).await.unwrap(), b"second");
    assert!(store.list(&Listing::All).await.unwrap().contains(&key));
}

async fn read_blob(store: &dyn Store, key: &BlobKey) -> Option<Vec<u8>> {
    let pieces: Vec<_> = store.read_blob(key).await.unwrap()?.try_collect().await.unwrap();
    Some(pieces.concat())
}

async fn a_blob_is_read_in_pieces(store: &dyn Store) {
    let content: Vec<u8> = (0..253).cycle().take(BIG_BLOB_BYTES).collect();
    let archive = Archive::new(&content);
    assert_eq!(read_blob(store, &archive.key).await, None);
    store.put_blob(archive.file(), Existing::Keep, silent()).await.unwrap();
    assert!(read_blob(store, &archive.key).await.unwrap() == content);
}

async fn a_blob_moves_to_the_trash_and_back(store: &dyn Store) {
    let archive = Archive::new(b"garbage, or not");
    let (blob, trash) = (ObjectKey::Blob(archive.key), ObjectKey::Trash(archive.key));
    assert!(!store.duplicate(&blob, &trash).await.unwrap());
    store.put_blob(archive.file(), Existing::Keep, silent()).await.unwrap();
    assert!(store.duplicate(&blob, &trash).await.unwrap());
    store.delete(&blob).await.unwrap();
    assert_eq!(store.stat_blob(&archive.key).await.unwrap(), None);
    let objects = store.objects(Area::Trash.prefix()).await.unwrap();
    let found = objects.iter().find(|object| object.key == trash.to_string()).unwrap();
    assert_eq!(found.stat.size, archive.size);
    assert!(store.duplicate(&trash, &blob).await.unwrap());
    assert!(store.duplicate(&trash, &blob).await.unwrap(), "over what is there");
    assert_eq!(read_blob(store, &archive.key).await.unwrap(), b"garbage, or not");
}

async fn a_blob_is_stored_once(store: &dyn Store) {
    let archive = Archive::new(b"once");
    assert_eq!(store.put_blob(archive.file(), Existing::Keep, silent()).await.unwrap(), Creation::Created);
    assert_eq!(store.stat_blob(&archive.key).await.unwrap().map(|stat| stat.size), Some(4));
    assert_eq!(store.put_blob(archive.file(), Existing::Keep, silent()).await.unwrap(), Creation::Exists);
}

/// The key alone cannot tell that what it holds is damaged; whoever can may write it again.
async fn a_damaged_blob_can_be_replaced(store: &dyn Store) {
    let archive = Archive::new(b"replaced");
    for existing in [Existing::Replace, Existing::Replace] {
        assert_eq!(store.put_blob(archive.file(), existing, silent()).await.unwrap(), Creation::Created);
    }
    assert_eq!(store.stat_blob(&archive.key).await.unwrap().map(|stat| stat.size), Some(8));
}

async fn a_big_blob_arrives_whole(store: &dyn Store) {
    let content: Vec<u8> = (0..251).cycle().take(BIG_BLOB_BYTES).collect();
    let archive = Archive::new(&content);
    let sent = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&sent);
    let advance: Advance = Arc::new(move |bytes| {
        counter.fetch_add(bytes, Ordering::Relaxed);
    });
    assert_eq!(store.put_blob(archive.file(), Existing::Keep, advance).await.unwrap(), Creation::Created);
    assert_eq!(sent.load(Ordering::Relaxed), archive.size);
    assert_eq!(store.stat_blob(&archive.key).await.unwrap().map(|stat| stat.size), Some(archive.size));
}

/// Between verifying and storing, a build may overwrite its files: other bytes must not come to stand under a digest.
async fn a_file_that_changed_is_no_blob(store: &dyn Store) {
    for (before, after) in
        [(&b"verified"[..], &b"tampered"[..]), (b"verified+", b"verified+ and more"), (b"whole", b"")]
    {
        let archive = Archive::new(before);
        fs::write(&archive.path, after).unwrap();
        for existing in [Existing::Keep, Existing::Replace] {
            let refused = store.put_blob(archive.file(), existing, silent()).await.unwrap_err();
            assert!(matches!(refused.cause, Cause::Changed(_)), "{refused:?}");
            assert_eq!(refused.key, archive.key.object());
        }
        assert_eq!(store.stat_blob(&archive.key).await.unwrap(), None);
    }
    let missing = BlobFile { key: BlobKey(Sha256Digest::of(b"?")), path: Path::new("/nonexistent.zip"), size: 1 };
    let refused = store.put_blob(missing, Existing::Keep, silent()).await.unwrap_err();
    assert!(matches!(refused.cause, Cause::File(_)), "{refused:?}");
}

async fn of_concurrent_puts_all_succeed(store: &dyn Store) {
    let archive = Archive::new(&vec![7; 1024 * 1024]);
    let puts = (0..WRITERS).map(|_| store.put_blob(archive.file(), Existing::Keep, silent()));
    let created = futures::future::join_all(puts).await;
    let created = created.into_iter().filter(|put| *put.as_ref().unwrap() == Creation::Created).count();
    assert_eq!(created, 1);
    assert_eq!(store.stat_blob(&archive.key).await.unwrap().map(|stat| stat.size), Some(archive.size));
}
