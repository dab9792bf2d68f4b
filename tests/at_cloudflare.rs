//! The registry at Cloudflare: an S3 server that behaves as R2 does, and a double of the REST API.
//!
//! Whatever may pass is tried again and leaves no trace; whatever does not is told as what it is, with what would help.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

#[path = "storage/contract.rs"]
mod contract;
#[path = "at_cloudflare/refusals.rs"]
mod refusals;
#[path = "at_cloudflare/retries.rs"]
mod retries;
#[path = "at_cloudflare/transfers.rs"]
mod transfers;

use fastrand::Rng;
use yuba_companion::store::cloudflare::{Access, CloudflareStore};
use yuba_tests::cloudflare::Cloudflare;

/// A fresh account, unless there is no S3 server here.
fn started() -> Option<Cloudflare> {
    Cloudflare::start().map_err(|reason| println!("skipped: {reason}")).ok()
}

async fn connect(access: Access) -> CloudflareStore {
    CloudflareStore::connect(access, Rng::new()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn cloudflare_keeps_the_contract() {
    let Some(cloudflare) = started() else { return };
    contract::check(&connect(cloudflare.access()).await).await;
}
