//! The storage contract: what publishing relies on, the same for every store.
//!
//! A store that loses a swap, takes half a blob or spells a key otherwise breaks an invariant of the design somewhere
//! else; here it breaks its own test.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

#[path = "storage/contract.rs"]
mod contract;

use std::path::Path;

use yuba_companion::project::Project;
use yuba_companion::state::State;
use yuba_companion::store::memory::MemoryStore;
use yuba_companion::store::rehearsal::Rehearsal;
use yuba_companion::target::Opened;

#[tokio::test(flavor = "multi_thread")]
async fn memory_keeps_the_contract() {
    contract::check(&MemoryStore::default()).await;
}

/// A dry run is only as true as its store; of blobs it keeps no more than their sizes.
#[tokio::test(flavor = "multi_thread")]
async fn a_rehearsal_keeps_the_contract_of_documents() {
    let store = MemoryStore::default();
    contract::check_documents(&Rehearsal::new(&store, "2026-01-02T03:04:05Z".parse().unwrap())).await;
    assert_eq!(store.writes(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_directory_keeps_the_contract() {
    let directory = tempfile::tempdir().unwrap();
    let opened = Opened::dir(directory.path().join("new"));
    contract::check(&*opened.store).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn local_storage_keeps_the_contract() {
    let project = Project::find(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    if !project.root().join("node_modules/miniflare").exists() {
        println!("skipped: node_modules is missing: run `scripts/setup`");
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let opened = Opened::local(&State::new(directory.path().to_owned()), Some(&project)).await.unwrap();
    contract::check(&*opened.store).await;
    opened.close().await;
}
