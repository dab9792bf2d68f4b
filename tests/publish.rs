//! Publishing: one commit point, nothing overwritten, nothing lost.
//!
//! Whatever happens to a publisher, what is listed is whole, what is not listed is not seen, and the same command again
//! completes what was begun (invariants 1 to 3 of the design).

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

#[path = "publish/concurrent.rs"]
mod concurrent;
#[path = "publish/crowd.rs"]
mod crowd;
#[path = "publish/key_age.rs"]
mod key_age;
#[path = "publish/killed.rs"]
mod killed;
#[path = "publish/oci.rs"]
mod oci;
#[path = "publish/removed.rs"]
mod removed;
#[path = "publish/rounds.rs"]
mod rounds;
#[path = "publish/scene.rs"]
mod scene;
#[path = "publish/served.rs"]
mod served;
#[path = "publish/transcripts.rs"]
mod transcripts;
