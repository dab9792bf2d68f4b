//! The verification table, area by area.

pub mod archive;
pub mod entries;
pub mod executable;
pub mod files;
pub mod key;
pub mod protocols;
pub mod signature;
pub mod sums;

use super::check::{Area, Check};
use crate::table;

/// The areas of the table.
pub static AREAS: [&Area; 8] = [
    &files::AREA,
    &sums::AREA,
    &signature::AREA,
    &key::AREA,
    &archive::AREA,
    &entries::AREA,
    &executable::AREA,
    &protocols::AREA,
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
        table::assert_sound("YB", &AREAS);
    }

    #[test]
    fn another_origin_is_never_judged_more_strictly() {
        assert!(all().all(|check| check.other >= check.own));
    }
}
