//! Tags: a version as OCI distribution spells it.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use crate::version::{MAX_VERSION_BYTES, Version};

/// The longest tag in characters (OCI distribution specification, "Pulling manifests").
const MAX_TAG_CHARACTERS: usize = 128;

// Every version has a tag: what a tag could not hold is no version that is taken.
const _: () = assert!(MAX_VERSION_BYTES <= MAX_TAG_CHARACTERS);

/// Why a text is no tag of a version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("tag `{0}` is none of a version, which is written in full, with `_` for `+`")]
pub struct TagError(String);

/// The tag of one version: `+` is written `_`, which no version has. There are no others, such as `latest` or `1.2`:
/// clients would take them for versions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Tag(pub Version);

impl Tag {
    /// How a list of tags is ordered: by letters regardless of their case, and what differs only in case by its bytes.
    #[must_use]
    pub fn order(a: &str, b: &str) -> Ordering {
        let lower = |text: &str| text.to_ascii_lowercase();
        lower(a).cmp(&lower(b)).then_with(|| a.cmp(b))
    }
}

impl FromStr for Tag {
    type Err = TagError;

    fn from_str(text: &str) -> Result<Self, TagError> {
        let version = if text.contains('+') { None } else { text.replace('_', "+").parse().ok() };
        version.map(Self).ok_or_else(|| TagError(text.to_owned()))
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_string().replace('+', "_"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_and_its_tag_are_one() {
        for (version, tag) in
            [("1.0.0", "1.0.0"), ("1.0.0-RC.1", "1.0.0-RC.1"), ("1.0.0-rc.1+build.7", "1.0.0-rc.1_build.7")]
        {
            let parsed: Tag = tag.parse().unwrap();
            assert_eq!((parsed.0.to_string().as_str(), parsed.to_string().as_str()), (version, tag));
        }
        let longest = format!("1.0.0+{}", "a".repeat(MAX_VERSION_BYTES - "1.0.0+".len()));
        assert_eq!(Tag(longest.parse().unwrap()).to_string().len(), MAX_TAG_CHARACTERS);
    }

    #[test]
    fn what_is_no_version_is_no_tag() {
        for tag in ["", "latest", "1", "1.2", "v1.0.0", "1.0.0+build", "1.0.0_a_b", "1.0.0_", "01.0.0", "0.0.0"] {
            assert_eq!(tag.parse::<Tag>(), Err(TagError(tag.to_owned())), "{tag}");
        }
    }

    #[test]
    fn tags_are_ordered_whatever_their_case() {
        let mut tags = ["1.0.0-rc1", "1.0.0-b", "1.0.0-RC1", "1.0.0-A", "1.0.0", "1.0.0_b"];
        tags.sort_by(|a, b| Tag::order(a, b));
        assert_eq!(tags, ["1.0.0", "1.0.0-A", "1.0.0-b", "1.0.0-RC1", "1.0.0-rc1", "1.0.0_b"]);
    }
}
