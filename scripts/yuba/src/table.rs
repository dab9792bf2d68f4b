//! Tables of checks: rows that a code names for ever, in areas. Findings, documents and tests all derive from them.

use std::fmt::Write as _;

/// One row of a table.
pub trait Row {
    /// The code that names the row for ever, such as `YB012`.
    fn code(&self) -> &'static str;

    /// The row's short name.
    fn slug(&self) -> &'static str;

    /// What holds where there is no finding, why that matters, and what to do about a finding: a sentence each.
    fn sentences(&self) -> [&'static str; 3];

    /// What a finding comes to, as a document says it.
    fn consequence(&self) -> String;
}

/// The rows about one part of what is looked at.
#[derive(Debug)]
pub struct Area<R: 'static> {
    /// The part's title.
    pub title: &'static str,
    /// Its rows, in the order of their codes.
    pub checks: &'static [&'static R],
}

/// Every row, area by area.
pub fn rows<R>(areas: &'static [&'static Area<R>]) -> impl Iterator<Item = &'static R> {
    areas.iter().flat_map(|area| area.checks.iter().copied())
}

/// Renders a table in Markdown, below `head`.
pub(crate) fn render<R: Row>(head: &str, areas: &[&Area<R>]) -> String {
    let mut text = String::from(head);
    for area in areas {
        // Writing into a string cannot fail.
        let _ = write!(text, "\n## {}\n", area.title);
        for check in area.checks {
            let [holds, matters, remedy] = check.sentences();
            let (code, slug, consequence) = (check.code(), check.slug(), check.consequence());
            let _ = write!(
                text,
                "\n### {code} {slug}\n\n{holds}\n\n- Why: {matters}\n- What to do: {remedy}\n- {consequence}\n"
            );
        }
    }
    text
}

/// Asserts what holds of every table: a row that came later has the next code that was free, wherever it stands.
#[cfg(test)]
pub(crate) fn assert_sound<R: Row>(prefix: &str, areas: &'static [&'static Area<R>]) {
    let mut codes: Vec<_> = rows(areas).map(|row| row.code().to_owned()).collect();
    codes.sort_unstable();
    let expected: Vec<_> = (1..=codes.len()).map(|number| format!("{prefix}{number:03}")).collect();
    assert_eq!(codes, expected);
    for area in areas {
        assert!(area.checks.iter().map(|row| row.code()).is_sorted(), "{}", area.title);
    }
    assert_slugs(rows(areas).map(Row::slug).collect());
    for row in rows(areas) {
        for text in row.sentences() {
            let complete = text.ends_with('.') && text.chars().next().is_some_and(|first| !first.is_lowercase());
            assert!(complete, "{}: {text}", row.code());
        }
    }
}

/// Asserts that short names are unique and plain.
#[cfg(test)]
pub(crate) fn assert_slugs(mut slugs: Vec<&str>) {
    assert!(slugs.iter().all(|slug| slug.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')));
    slugs.sort_unstable();
    let count = slugs.len();
    slugs.dedup();
    assert_eq!(slugs.len(), count);
}
