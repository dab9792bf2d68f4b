//! The table as a document.

use super::checks::AREAS;
use crate::table;

/// Renders the table in Markdown, which is what `docs/fsck.md` holds.
#[must_use]
pub fn render() -> String {
    table::render(HEAD, &AREAS)
}

const HEAD: &str = "\
# What `yuba fsck` looks at

Generated from the table in `scripts/yuba/src/fsck/checks/`; `UPDATE=1 cargo test --package yuba-tests --test care`
writes it anew. `yuba fsck` reads everything in R2 and KV, archives included, and holds it against every row. A finding
names its row's code, the object in R2 or the key in KV, what is wrong and what to do. A problem makes the exit status 1;
a note does not: it is what a running or an interrupted command leaves, and harms nobody.

It may run beside publishers. What seems wrong is looked at a second time after a while, and only what is wrong both
times, in the same way, is told. What is in the trash is listed and not read. `--repair` writes what follows from the
rest of storage and deletes nothing but the marks of the killed.
";
