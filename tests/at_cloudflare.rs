//! The registry at Cloudflare: an S3 server that behaves as R2 does, and a double of the REST API.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

#[path = "storage/contract.rs"]
mod contract;

use fastrand::Rng;
use yuba_companion::store::cloudflare::CloudflareStore;
use yuba_tests::cloudflare::Cloudflare;

#[tokio::test(flavor = "multi_thread")]
async fn cloudflare_keeps_the_contract() {
    let cloudflare = match Cloudflare::start() {
        Ok(cloudflare) => cloudflare,
        Err(reason) => return println!("skipped: {reason}"),
    };
    let store = CloudflareStore::connect(cloudflare.access(), Rng::new()).await.unwrap();
    contract::check(&store).await;
}
