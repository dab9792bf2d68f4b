//! The table of what is asked of a live registry, area by area. What is asked of a release's files (SHA256SUMS, the
//! signature, archives) stands in the table of [`crate::verify::checks`], and holds here too.

pub mod archive;
pub mod discovery;
pub mod mirror;
pub mod package;
pub mod signed;
pub mod versions;

use crate::verify::check::{Area, Check};

/// The areas of the table, in the order of their codes.
pub static AREAS: [&Area; 6] =
    [&discovery::AREA, &versions::AREA, &package::AREA, &signed::AREA, &archive::AREA, &mirror::AREA];

/// Every row, in the order of the codes.
pub fn all() -> impl Iterator<Item = &'static Check> {
    AREAS.iter().flat_map(|area| area.checks.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_ordered_and_gapless() {
        let codes: Vec<_> = all().map(|check| check.code.to_owned()).collect();
        let expected: Vec<_> = (1..=codes.len()).map(|number| format!("YR{number:03}")).collect();
        assert_eq!(codes, expected);
    }

    #[test]
    fn slugs_are_unique_in_both_tables() {
        let mut slugs: Vec<_> = all().chain(crate::verify::checks::all()).map(|check| check.slug).collect();
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
}
