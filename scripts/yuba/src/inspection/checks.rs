//! The table of what is asked of a live registry, area by area. What is asked of a release's files (SHA256SUMS, the
//! signature, archives) stands in the table of [`crate::verify::checks`], and holds here too.

pub mod archive;
pub mod discovery;
pub mod mirror;
pub mod oci;
pub mod package;
pub mod signed;
pub mod versions;

use crate::table;
use crate::verify::check::{Area, Check};

/// The areas of the table.
pub static AREAS: [&Area; 7] =
    [&discovery::AREA, &versions::AREA, &package::AREA, &signed::AREA, &archive::AREA, &mirror::AREA, &oci::AREA];

/// Every row, area by area.
pub fn all() -> impl Iterator<Item = &'static Check> {
    table::rows(&AREAS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        table::assert_sound("YR", &AREAS);
    }

    /// Findings of both tables stand in one report.
    #[test]
    fn slugs_are_unique_in_both_tables() {
        table::assert_slugs(all().chain(crate::verify::checks::all()).map(|check| check.slug).collect());
    }
}
