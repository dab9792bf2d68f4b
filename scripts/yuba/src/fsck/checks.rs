//! The table of what `yuba fsck` looks at, area by area.

pub mod archives;
pub mod copies;
pub mod documents;
pub mod leftovers;
pub mod namespaces;
pub mod oci;
pub mod providers;
pub mod releases;

use super::check::{Area, Check};
use crate::table;

/// The areas of the table.
pub static AREAS: [&Area; 8] = [
    &documents::AREA,
    &namespaces::AREA,
    &providers::AREA,
    &releases::AREA,
    &archives::AREA,
    &copies::AREA,
    &leftovers::AREA,
    &oci::AREA,
];

/// Every row, area by area.
pub fn all() -> impl Iterator<Item = &'static Check> {
    table::rows(&AREAS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        table::assert_sound("YF", &AREAS);
    }
}
