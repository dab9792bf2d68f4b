//! Warnings: what clients show of a provider's life at the end of every `init`, whichever version they install.
//!
//! A client shows each line in full, and an old provider may have hundreds of withdrawn versions. So versions that were
//! withdrawn for one reason share a line, and the lines and what they name are bounded, the newest first.

use crate::document::{Deprecation, ProviderDocument, Status};
use crate::version::Version;

/// How many reasons get a line of their own.
const MAX_REASONS: usize = 8;

/// How many versions a line names.
const MAX_NAMED: usize = 20;

/// Renders the warnings of a provider.
#[must_use]
pub fn render(provider: &ProviderDocument) -> Vec<String> {
    let deprecated = provider.deprecation.as_ref().map(|deprecation| warn_of_provider(provider, deprecation));
    deprecated.into_iter().chain(warn_of_versions(provider)).collect()
}

fn warn_of_provider(provider: &ProviderDocument, deprecation: &Deprecation) -> String {
    let Deprecation { reason, successor, at: _ } = deprecation;
    match successor {
        Some(successor) => format!("{} is deprecated, use {successor} instead: {reason}", provider.address),
        None => format!("{} is deprecated: {reason}", provider.address),
    }
}

fn warn_of_versions(provider: &ProviderDocument) -> Vec<String> {
    let (withdrawn, rest) = withdrawn(provider);
    let mut lines: Vec<String> =
        withdrawn.iter().map(|(reason, versions)| format!("{} withdrawn: {reason}", name(versions))).collect();
    if !rest.is_empty() {
        lines.push(format!("{} withdrawn for other reasons", name(&rest)));
    }
    lines
}

/// The withdrawn versions by reason, both in the order of the newest, and those whose reasons get no line of their own.
fn withdrawn(provider: &ProviderDocument) -> (Vec<(&str, Vec<&Version>)>, Vec<&Version>) {
    let mut by_reason: Vec<(&str, Vec<&Version>)> = Vec::new();
    let mut rest = Vec::new();
    for entry in provider.entries().iter().rev() {
        let Status::Yanked { reason, .. } = &entry.status else { continue };
        let position = by_reason.iter().position(|(told, _)| told == reason);
        let has_room = by_reason.len() < MAX_REASONS;
        match position.and_then(|position| by_reason.get_mut(position)) {
            Some((_, versions)) => versions.push(&entry.version),
            None if has_room => by_reason.push((reason, vec![&entry.version])),
            None => rest.push(&entry.version),
        }
    }
    (by_reason, rest)
}

/// The subject of a sentence about `versions`, and its verb.
fn name(versions: &[&Version]) -> String {
    let named: Vec<String> = versions.iter().take(MAX_NAMED).map(ToString::to_string).collect();
    let older = versions.len() - named.len();
    match (named.as_slice(), older) {
        ([version], 0) => format!("version {version} is"),
        ([first @ .., last], 0) => format!("versions {} and {last} are", first.join(", ")),
        (all, older) => format!("versions {} and {older} older are", all.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::digest::Sha256Digest;
    use crate::document::VersionEntry;

    const AT: &str = "2026-01-01T00:00:00Z";

    fn provider(versions: impl IntoIterator<Item = (String, Status)>) -> ProviderDocument {
        let empty = ProviderDocument::new("a.example/acme/dns".parse().unwrap());
        versions.into_iter().fold(empty, |provider, (version, status)| {
            provider.with(VersionEntry {
                version: version.parse().unwrap(),
                protocols: Vec::new(),
                platforms: BTreeSet::new(),
                oci_index: None,
                published: AT.to_owned(),
                status,
                signing_key: "91A6E7F85D05C65630BEF18951852D87348FFC4C".parse().unwrap(),
                release: Sha256Digest::of(b""),
            })
        })
    }

    fn yanked(version: &str, reason: &str) -> (String, Status) {
        (version.to_owned(), Status::Yanked { reason: reason.to_owned(), at: AT.to_owned() })
    }

    #[test]
    fn what_is_listed_or_gone_is_not_warned_of() {
        let removed = Status::Removed { reason: "court order 7".to_owned(), at: AT.to_owned() };
        let provider = provider([("1.0.0".to_owned(), Status::Listed), ("1.1.0".to_owned(), removed)]);
        assert_eq!(render(&provider), <[String; 0]>::default());
    }

    #[test]
    fn a_deprecation_comes_first_and_names_the_successor() {
        let deprecation = |successor: Option<&str>| Deprecation {
            reason: "nobody maintains it".to_owned(),
            successor: successor.map(|successor| successor.parse().unwrap()),
            at: AT.to_owned(),
        };
        let provider = provider([yanked("1.0.0", "it loses records")]);
        assert_eq!(
            render(&provider.deprecated(Some(deprecation(None)))),
            ["a.example/acme/dns is deprecated: nobody maintains it", "version 1.0.0 is withdrawn: it loses records"]
        );
        assert_eq!(
            render(&provider.deprecated(Some(deprecation(Some("b.example/acme/names")))))[0],
            "a.example/acme/dns is deprecated, use b.example/acme/names instead: nobody maintains it"
        );
    }

    #[test]
    fn versions_with_one_reason_share_a_line() {
        let provider = provider([
            yanked("1.0.0", "it loses records"),
            yanked("1.1.0", "it is slow"),
            yanked("1.2.0", "it loses records"),
            yanked("1.3.0", "it loses records"),
        ]);
        assert_eq!(
            render(&provider),
            [
                "versions 1.3.0, 1.2.0 and 1.0.0 are withdrawn: it loses records",
                "version 1.1.0 is withdrawn: it is slow"
            ]
        );
    }

    #[test]
    fn a_thousand_withdrawn_versions_are_a_few_lines() {
        let alike = provider((0..1_000).map(|number| yanked(&format!("1.{number}.0"), "it loses records")));
        let lines = render(&alike);
        assert_eq!(lines.len(), 1);
        assert!(lines[0].starts_with("versions 1.999.0, 1.998.0, "), "{}", lines[0]);
        assert!(lines[0].ends_with(", 1.980.0 and 980 older are withdrawn: it loses records"), "{}", lines[0]);

        let unlike = provider((0..1_000).map(|number| yanked(&format!("1.{number}.0"), &format!("reason {number}"))));
        let lines = render(&unlike);
        assert_eq!(lines.len(), MAX_REASONS + 1);
        assert_eq!(lines[0], "version 1.999.0 is withdrawn: reason 999");
        assert!(lines[8].starts_with("versions 1.991.0, "), "{}", lines[8]);
        assert!(lines[8].ends_with(", 1.972.0 and 972 older are withdrawn for other reasons"), "{}", lines[8]);
    }
}
