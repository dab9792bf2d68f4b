//! Care: a registry is looked after while publishers are at work, and nothing that is listed is lost by it (invariants 3,
//! 4 and 9 of the design).

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

#[path = "care/aside.rs"]
mod aside;
#[path = "care/fsck.rs"]
mod fsck;
#[path = "care/gc.rs"]
mod gc;
#[path = "care/rows.rs"]
mod rows;
#[path = "publish/scene.rs"]
#[allow(dead_code, reason = "the scene of the publishing tests has more than these need")]
mod scene;
#[path = "care/sync.rs"]
mod sync;
