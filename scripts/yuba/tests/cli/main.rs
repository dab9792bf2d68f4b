//! The `yuba` command as it is typed: what it prints where, and its exit status.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(clippy::too_many_lines, reason = "transcripts are long")]

mod care;
mod cloudflare;
mod doctor;
mod goreleaser;
mod initialising;
mod key_life;
mod keys;
mod life_cycle;
mod packing;
mod publishing;
mod refusals;
mod removing;
mod sandbox;
mod showing;
mod signing;
mod site;
mod verifying;
