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

/// The areas of the table. A row that came later has the next code that was free, wherever it stands.
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
    AREAS.iter().flat_map(|area| area.checks.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_gapless_and_ordered_in_their_area() {
        let mut codes: Vec<_> = all().map(|check| check.code.to_owned()).collect();
        codes.sort_unstable();
        let expected: Vec<_> = (1..=codes.len()).map(|number| format!("YB{number:03}")).collect();
        assert_eq!(codes, expected);
        for area in AREAS {
            assert!(area.checks.iter().map(|check| check.code).is_sorted(), "{}", area.title);
        }
    }

    #[test]
    fn slugs_are_unique_and_plain() {
        let mut slugs: Vec<_> = all().map(|check| check.slug).collect();
        assert!(slugs.iter().all(|slug| slug.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')));
        slugs.sort_unstable();
        let count = slugs.len();
        slugs.dedup();
        assert_eq!(slugs.len(), count);
    }

    #[test]
    fn every_row_says_what_why_and_how() {
        for check in all() {
            for text in [check.proves, check.matters, check.remedy] {
                let complete = text.ends_with('.') && text.chars().next().is_some_and(|first| !first.is_lowercase());
                assert!(complete, "{}: {text}", check.code);
            }
        }
    }

    #[test]
    fn another_origin_is_never_judged_more_strictly() {
        assert!(all().all(|check| check.other >= check.own));
    }
}
