//! The table of an inspection as a document.

use super::checks::AREAS;
use crate::table;

/// Renders the table in Markdown, which is what `docs/inspection.md` holds.
#[must_use]
pub fn render() -> String {
    table::render(HEAD, &AREAS)
}

const HEAD: &str = "\
# What is asked of a live registry

Generated from the table in `scripts/yuba/src/inspection/checks/`; `UPDATE=1 cargo test --package yuba-tests --test
inspection` writes it anew. `yuba verify URL` asks a registry what clients ask, in their order, and holds every answer
against these rows. What is in SHA256SUMS, in its signature and in the archives is held against the rows of
[verification.md](verification.md), as before it was published. A finding either refuses, because a client would, or
warns: of the registry's own providers more is asked than of those of other hostnames, which it mirrors.
";
