//! The table of what `yuba fsck` looks at, area by area.

pub mod archives;
pub mod copies;
pub mod documents;
pub mod leftovers;
pub mod namespaces;
pub mod providers;
pub mod releases;

use super::check::{Area, Check};

/// The areas of the table, in the order of their codes.
pub static AREAS: [&Area; 7] = [
    &documents::AREA,
    &namespaces::AREA,
    &providers::AREA,
    &releases::AREA,
    &archives::AREA,
    &copies::AREA,
    &leftovers::AREA,
];

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
        let expected: Vec<_> = (1..=codes.len()).map(|number| format!("YF{number:03}")).collect();
        assert_eq!(codes, expected);
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
            for text in [check.holds, check.matters, check.remedy] {
                let complete = text.ends_with('.') && text.chars().next().is_some_and(|first| !first.is_lowercase());
                assert!(complete, "{}: {text}", check.code);
            }
        }
    }
}
