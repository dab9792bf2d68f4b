//! The table as a document.

use std::fmt::Write as _;

use super::check::{Mend, Weight};
use super::checks::AREAS;

/// Renders the table in Markdown, which is what `docs/fsck.md` holds.
#[must_use]
pub fn render() -> String {
    let mut text = String::from(HEAD);
    for area in AREAS {
        // Writing into a string cannot fail.
        let _ = write!(text, "\n## {}\n", area.title);
        for check in area.checks {
            let weight = match check.weight {
                Weight::Problem => "A problem",
                Weight::Note => "A note",
            };
            let mend = match check.mend {
                Mend::Derived => "`--repair` mends it",
                Mend::IfCopied => "`--repair` mends it where a good copy is left",
                Mend::Never => "`--repair` leaves it alone",
            };
            let _ = write!(
                text,
                "\n### {} {}\n\n{}\n\n- Why: {}\n- What to do: {}\n- {weight}; {mend}.\n",
                check.code, check.slug, check.holds, check.matters, check.remedy,
            );
        }
    }
    text
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
