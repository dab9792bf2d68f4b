//! The verification table as a document.

use super::checks::AREAS;
use crate::table;

/// Renders the table in Markdown, which is what `docs/verification.md` holds.
#[must_use]
pub fn render() -> String {
    table::render(HEAD, &AREAS)
}

const HEAD: &str = "\
# What is verified before a release is visible

Generated from the table in `scripts/yuba/src/verify/checks/`; `UPDATE=1 cargo test --package yuba-tests --test
verification` writes it anew. `yuba publish` proves every row and reports all findings of a release at once; a finding
names its row's code, the file, the offending value and what to do. A row either refuses the release or warns: of one's
own releases more is asked than of those that another registry published long ago.
";
