//! Lists of tags (specification, "Listing Tags").

use serde::Serialize;

use crate::document::ProviderDocument;
use crate::tag::Tag;

/// Which part of a list is asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// How many tags at most.
    pub limit: Option<usize>,
    /// The tag after which they start, be it there or not.
    pub last: Option<String>,
}

/// The tags of a repository, or a part of them.
#[derive(Debug, Serialize)]
#[expect(clippy::struct_field_names, reason = "the specification's field names")]
pub struct Tags {
    name: String,
    tags: Vec<String>,
    /// Whether there are more.
    #[serde(skip)]
    pub has_more: bool,
}

impl Tags {
    /// The last tag of this part.
    #[must_use]
    pub fn last(&self) -> Option<&str> {
        self.tags.last().map(String::as_str)
    }
}

/// Renders the tags of the versions of `provider` that have views, as the repository `name`.
#[must_use]
pub fn render(name: String, provider: &ProviderDocument, page: &Page) -> Tags {
    let versions = provider.versions().filter(|entry| entry.oci_index.is_some());
    let mut tags: Vec<_> = versions.map(|entry| Tag(entry.version.clone()).to_string()).collect();
    tags.sort_unstable_by(|a, b| Tag::order(a, b));
    if let Some(last) = &page.last {
        tags.retain(|tag| Tag::order(tag, last).is_gt());
    }
    let limit = page.limit.unwrap_or(tags.len());
    let has_more = tags.len() > limit;
    tags.truncate(limit);
    Tags { name, tags, has_more }
}
