//! The verification table as a document.

use std::fmt::Write as _;

use super::check::Area;
use super::checks::AREAS;

/// Renders the table in Markdown, which is what `docs/verification.md` holds.
#[must_use]
pub fn render() -> String {
    render_table(HEAD, &AREAS)
}

/// Renders the rows of `areas` below `head`.
pub(crate) fn render_table(head: &str, areas: &[&Area]) -> String {
    let mut text = String::from(head);
    for area in areas {
        // Writing into a string cannot fail.
        let _ = write!(text, "\n## {}\n", area.title);
        for check in area.checks {
            let _ = write!(
                text,
                "\n### {} {}\n\n{}\n\n- Why: {}\n- What to do: {}\n- Own release: {}. Another origin's: {}.\n",
                check.code,
                check.slug,
                check.proves,
                check.matters,
                check.remedy,
                check.own.as_str(),
                check.other.as_str()
            );
        }
    }
    text
}

const HEAD: &str = "\
# What is verified before a release is visible

Generated from the table in `scripts/yuba/src/verify/checks/`; `UPDATE=1 cargo test --package yuba-tests --test
verification` writes it anew. `yuba publish` proves every row and reports all findings of a release at once; a finding
names its row's code, the file, the offending value and what to do. A row either refuses the release or warns: of one's
own releases more is asked than of those that another registry published long ago.
";
