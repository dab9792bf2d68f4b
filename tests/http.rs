//! What every route answers, to the byte, from memory and from the Worker in workerd alike.

use yuba_tests::content::Content;
use yuba_tests::exchange::{servers, transcript};

/// Asks every registry the same, and holds each against the same transcript.
macro_rules! assert_transcript {
    ([$($ask:expr),+ $(,)?], @$snapshot:literal) => {
        for mut server in crate::servers(&crate::Content::sample()) {
            eprintln!("{}", server.name());
            let transcript = crate::transcript(server.as_mut(), &[$($ask),+]);
            insta::allow_duplicates! { insta::assert_snapshot!(transcript, @$snapshot) };
        }
    };
}

#[path = "http/absent.rs"]
mod absent;
#[path = "http/archives.rs"]
mod archives;
#[path = "http/keys.rs"]
mod keys;
#[path = "http/life_cycle.rs"]
mod life_cycle;
#[path = "http/mirror.rs"]
mod mirror;
#[path = "http/oci.rs"]
mod oci;
#[path = "http/oci_refusals.rs"]
mod oci_refusals;
#[path = "http/refusals.rs"]
mod refusals;
#[path = "http/registry.rs"]
mod registry;
