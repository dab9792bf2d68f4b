//! Every row of fsck's table has a damage that it finds.

use pgp::packet::RevocationCode;
use yuba::digest::Sha256Digest;
use yuba::document::{Document as _, ProviderDocument, Status, VersionEntry};
use yuba::keys::DocumentKey;
use yuba_companion::fsck::{Depth, Request, checks, fsck};
use yuba_companion::store::memory::MemoryStore;
use yuba_companion::verify::Silent;
use yuba_tests::releases::KeySpec;

use crate::scene::{Registry, Release, release};

const INDEX: &str = "meta/index";
const NAMESPACE: &str = "meta/namespace/registry.example/acme";
const PROVIDER: &str = "meta/provider/registry.example/acme/dns";

/// Changes the text of an object.
fn edit(store: &MemoryStore, key: &str, from: &str, to: &str) {
    let text = String::from_utf8(store.r2()[key].clone()).unwrap();
    let edited = text.replacen(from, to, 1);
    assert_ne!(text, edited, "{key} has no {from}");
    store.damage(key, edited.as_bytes());
}

/// The key of something in R2, by a part of it.
fn find(store: &MemoryStore, part: &str) -> String {
    store.r2().into_keys().find(|key| key.contains(part)).unwrap()
}

/// The key of an archive's view.
fn layer(store: &MemoryStore) -> String {
    let is_layer = |bytes: &[u8]| bytes.windows(7).any(|window| window == b"\"layer\"");
    store.r2().into_iter().find(|(key, bytes)| key.starts_with("meta/oci/") && is_layer(bytes)).unwrap().0
}

/// Changes the text of a release document and lists it, as a publisher with a bug would have.
fn misbuild(store: &MemoryStore, from: &str, to: &str) {
    let key = find(store, "/1.0.0/");
    edit(store, &key, from, to);
    let bytes = store.r2()[&key].clone();
    let digest = Sha256Digest::of(&bytes).to_string();
    let (prefix, old) = key.rsplit_once('/').unwrap();
    store.lose(&key);
    store.damage(&format!("{prefix}/{digest}"), &bytes);
    edit(store, PROVIDER, old, &digest);
}

/// Takes the first version down without taking anything away.
fn bury(store: &MemoryStore) {
    let provider = ProviderDocument::from_json(&store.r2()[PROVIDER]).unwrap();
    let (reason, at) = ("court order 7".to_owned(), "2026-03-01T12:00:00Z".to_owned());
    let entry = VersionEntry { status: Status::Removed { reason, at }, ..provider.entries()[0].clone() };
    store.damage(PROVIDER, &provider.with(entry).to_json().unwrap());
}

/// Registers every key once more.
fn double(store: &MemoryStore) {
    let text = String::from_utf8(store.r2()[NAMESPACE].clone()).unwrap();
    let start = text.find("\"signing_keys\":[").unwrap() + "\"signing_keys\":[".len();
    let keys = &text[start..text.rfind(']').unwrap()];
    edit(store, NAMESPACE, keys, &format!("{keys},{keys}"));
}

/// Another first digit of the first h1.
fn wrong_h1(store: &MemoryStore) {
    let text = String::from_utf8(store.r2()[&find(store, "/1.0.0/")].clone()).unwrap();
    let start = text.find("\"h1:").unwrap() + 1;
    let h1 = &text[start..start + 4];
    misbuild(store, h1, if h1.ends_with('A') { "h1:B" } else { "h1:A" });
}

/// Damages something so that the row `slug` has to find it.
#[allow(clippy::too_many_lines, reason = "the damages of all rows stand here to be read together")]
async fn damage(registry: &Registry, slug: &str) {
    let store = &registry.store;
    match slug {
        "stray-object" => store.damage("x", b""),
        "document-readable" => store.damage(INDEX, b"{"),
        "document-newer" => edit(store, INDEX, "\"format\":1", "\"format\":2"),
        "document-canonical" => edit(store, INDEX, ",", ", "),
        "document-address" => edit(store, NAMESPACE, "\"acme\"", "\"acne\""),
        "document-revision" => edit(store, PROVIDER, "\"revision\":2", "\"revision\":0"),
        "document-time" => edit(store, NAMESPACE, "\"added\":\"2026", "\"added\":\"2O26"),
        "release-digest" => edit(store, &find(store, "/1.0.0/"), "5.0", "6.0"),
        "document-lost" => store.lose(PROVIDER),
        "signing-key" => edit(store, NAMESPACE, "BEGIN PGP", "BEGUN PGP"),
        "signing-key-facts" => edit(store, NAMESPACE, "\"Ed25519\"", "\"RSA 4096\""),
        "signing-key-twice" => double(store),
        "signing-key-revocation" => {
            let key = KeySpec { revoked: Some(RevocationCode::KeyRetired), ..KeySpec::new("acme") }.build();
            let again = Registry { store: MemoryStore::default(), now: registry.now, key };
            again.register(store).await;
            let text = String::from_utf8(store.r2()[NAMESPACE].clone()).unwrap();
            let start = text.find("\"revoked\":{").unwrap();
            let end = start + text[start..].find('}').unwrap() + 1;
            edit(store, NAMESPACE, &text[start..end], "\"revoked\":null");
        }
        "provider-namespace" => {
            store.lose(NAMESPACE);
            store.damage_copy("namespace/registry.example/acme", None);
        }
        "provider-order" => edit(store, PROVIDER, "\"version\":\"1.0.0\"", "\"version\":\"9.0.0\""),
        "release-missing" => store.lose(&find(store, "/1.0.0/")),
        "entry-agrees" => edit(store, PROVIDER, "\"5.0\"", "\"6.0\""),
        "removed-left" => bury(store),
        "index" => edit(store, INDEX, "dns", "dnt"),
        "release-packages" => misbuild(store, "linux_amd64.zip\",\"size", "linux_arm64.zip\",\"size"),
        "release-sums" => misbuild(store, "linux_amd64.zip\\n", "linux_arm64.zip\\n"),
        "signature" => misbuild(store, "\"created\":\"2026-02-01", "\"created\":\"2026-02-02"),
        "signature-key" => {
            let text = String::from_utf8(store.r2()[NAMESPACE].clone()).unwrap();
            let start = text.find("\"signing_keys\":[").unwrap() + "\"signing_keys\":[".len();
            edit(store, NAMESPACE, &text[start..text.rfind(']').unwrap()], "");
        }
        "archive-missing" => store.lose(&find(store, "blob/")),
        "archive-size" | "archive-digest" => {
            let key = find(store, "blob/");
            store.damage(&key, &[&store.r2()[&key], &b" "[..]].concat());
        }
        "archive-content" => wrong_h1(store),
        "copy-missing" => store.damage_copy("index", None),
        "copy-older" => edit(store, PROVIDER, "\"revision\":2", "\"revision\":3"),
        "copy-damaged" => store.damage_copy("index", Some(b"{}")),
        "copy-contradicts" => edit(store, PROVIDER, "2026-03-01T12:00:00Z", "2026-03-01T12:00:01Z"),
        "copy-stray" => store.damage_copy("x", Some(b"")),
        "mark" => store.damage("copying/index/00000000000000ff", b""),
        "release-unlisted" => {
            let bytes = b"{}";
            let key = DocumentKey::Release(release("3.0.0"), Sha256Digest::of(bytes));
            store.damage(&key.object(), bytes);
        }
        "oci-index" => {
            let text = String::from_utf8(store.r2()[PROVIDER].clone()).unwrap();
            let (_, digest) = text.split_once("\"oci_index\":\"").unwrap();
            edit(store, PROVIDER, &format!("\"{}\"", &digest[..64]), "null");
        }
        "oci-view-missing" => store.lose(&find(store, "meta/oci/")),
        "oci-view-differs" => edit(store, &layer(store), "\"size\":", "\"size\":1"),
        "oci-view-unlisted" => {
            let key = format!("meta/oci/registry.example/acme/dns/{}", Sha256Digest::of(b"x"));
            let json = r#"{"format":1,"releases":[["3.0.0","DIGEST"]],"content":{"manifest":"x"}}"#;
            store.damage(&key, json.replace("DIGEST", &Sha256Digest::of(b"").to_string()).as_bytes());
        }
        "archive-unnamed" => store.damage(&format!("blob/sha256/{}", Sha256Digest::of(b"x")), b"x"),
        "trash" => store.damage(&format!("trash/sha256/{}", Sha256Digest::of(b"x")), b"x"),
        "index-more" => edit(store, INDEX, "\"dns\"", "\"dns\",\"zone\""),
        other => panic!("no damage is known that the row {other} finds"),
    }
}

#[tokio::test(start_paused = true)]
async fn every_row_finds_something() {
    let mut rows = 0;
    for check in checks::all() {
        let registry = Registry::new().await;
        for version in ["1.0.0", "1.1.0"] {
            registry.publish(&Release { label: version, ..Release::new(version) }).await;
        }
        damage(&registry, check.slug).await;
        let request = Request { depth: Depth::Read, now: "2026-03-02T12:00:00Z".parse().unwrap() };
        let found = fsck(&registry.store, request, &Silent).await.unwrap();
        let slugs: Vec<_> = found.findings.iter().map(|finding| finding.check.slug).collect();
        assert!(slugs.contains(&check.slug), "{}: {slugs:?}", check.slug);
        rows += 1;
    }
    println!("{rows} rows, each with a damage that it finds");
}
