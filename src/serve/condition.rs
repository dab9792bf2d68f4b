//! Conditional requests (RFC 9110, sections 13 and 14).

use super::range::{ByteRange, Selection};

/// The conditions and the range of a request, as its headers state them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Conditions {
    /// `If-None-Match`.
    pub if_none_match: Option<String>,
    /// `If-Range`.
    pub if_range: Option<String>,
    /// `Range`.
    pub range: Option<String>,
}

/// The opaque part of an entity tag, which is what weak comparison compares.
fn opaque(tag: &str) -> &str {
    let tag = tag.trim();
    tag.strip_prefix("W/").unwrap_or(tag)
}

impl Conditions {
    /// Whether the client has what `etag` tags already.
    pub(super) fn none_match(&self, etag: &str) -> bool {
        let Some(tags) = &self.if_none_match else { return false };
        tags.trim() == "*" || tags.split(',').any(|tag| opaque(tag) == etag)
    }

    /// Which part of `size` bytes tagged `etag` the client wants. `If-Range` compares strongly, and one that does not
    /// match asks for the whole.
    pub(super) fn select(&self, etag: &str, size: u64) -> Selection {
        match (&self.range, &self.if_range) {
            (None, _) => Selection::Whole,
            (Some(_), Some(tag)) if tag.trim() != etag => Selection::Whole,
            (Some(range), _) => ByteRange::select(range, size),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn if_none_match_compares_weakly() {
        let cases = [
            (None, false),
            (Some("*"), true),
            (Some("\"a\""), true),
            (Some("W/\"a\""), true),
            (Some("\"b\", W/\"a\""), true),
            (Some("\"b\""), false),
            (Some("a"), false),
            (Some(""), false),
        ];
        for (tags, matches) in cases {
            let conditions = Conditions { if_none_match: tags.map(str::to_owned), ..Conditions::default() };
            assert_eq!(conditions.none_match("\"a\""), matches, "{tags:?}");
        }
    }

    #[test]
    fn if_range_that_does_not_match_asks_for_the_whole() {
        let part = Selection::Part(ByteRange { first: 0, last: 0 });
        let cases = [
            (None, part),
            (Some("\"a\""), part),
            (Some("\"b\""), Selection::Whole),
            (Some("W/\"a\""), Selection::Whole),
        ];
        for (tag, selection) in cases {
            let conditions = Conditions {
                range: Some("bytes=0-0".to_owned()),
                if_range: tag.map(str::to_owned),
                ..Conditions::default()
            };
            assert_eq!(conditions.select("\"a\"", 10), selection, "{tag:?}");
        }
    }
}
