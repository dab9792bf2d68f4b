//! Repository templates: what service discovery announces as `oci-providers.v1`.
//!
//! The value is the address of an OCI repository with `{namespace}` and `{type}` in it, a URI template of level 1
//! (RFC 6570). It names any registry: this one, as it does unless it is configured, or one that has the packages too.

use std::fmt;
use std::str::FromStr;

use crate::name::{Namespace, ProviderType};

/// What stands for the two names.
const NAMESPACE: &str = "{namespace}";
const TYPE: &str = "{type}";

/// Why a text is no template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no template of an OCI repository: HOST/PATH in lower case, with {NAMESPACE} and {TYPE} once each in the path"
)]
pub struct TemplateError(String);

/// The address of an OCI repository, but for a namespace and a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepositoryTemplate(String);

impl RepositoryTemplate {
    /// What this registry answers by itself, reached at `host`, which may have a port.
    #[must_use]
    pub fn of_host(host: &str) -> Self {
        Self(format!("{host}/{NAMESPACE}/{TYPE}"))
    }

    /// The template as it is announced.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The address of a provider's repository.
    #[must_use]
    pub fn expand(&self, namespace: &Namespace, r#type: &ProviderType) -> String {
        self.0.replace(NAMESPACE, namespace.as_str()).replace(TYPE, r#type.as_str())
    }
}

/// Whether a path is one by OCI's grammar: parts of lower-case letters and digits, parted by single dots, underscores
/// (or two) or dashes.
fn is_path(path: &str) -> bool {
    path.split('/').all(|part| {
        let mut runs = part.split(|letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit());
        let is_framed = part.starts_with(|letter: char| letter.is_ascii_alphanumeric())
            && part.ends_with(|letter: char| letter.is_ascii_alphanumeric());
        is_framed && runs.all(|run| matches!(run, "" | "." | "_" | "__") || run.bytes().all(|byte| byte == b'-'))
    })
}

impl FromStr for RepositoryTemplate {
    type Err = TemplateError;

    fn from_str(text: &str) -> Result<Self, TemplateError> {
        let refused = || TemplateError(text.to_owned());
        let (host, path) = text.split_once('/').ok_or_else(refused)?;
        let is_host =
            !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:".contains(&byte));
        let has_one = |name| path.matches(name).count() == 1;
        let example = path.replace(NAMESPACE, "n").replace(TYPE, "t");
        if is_host && has_one(NAMESPACE) && has_one(TYPE) && is_path(&example) {
            return Ok(Self(text.to_owned()));
        }
        Err(refused())
    }
}

impl fmt::Display for RepositoryTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_expanded_to_a_repository() {
        let (namespace, r#type) = ("acme".parse().unwrap(), "dns".parse().unwrap());
        for (template, repository) in [
            ("registry.example/{namespace}/{type}", "registry.example/acme/dns"),
            ("ghcr.io/example-org-otf-providers/{namespace}-{type}", "ghcr.io/example-org-otf-providers/acme-dns"),
            ("localhost:8443/{namespace}/opentofu-provider-{type}", "localhost:8443/acme/opentofu-provider-dns"),
            ("a.example/x__y/{type}.{namespace}", "a.example/x__y/dns.acme"),
        ] {
            let parsed: RepositoryTemplate = template.parse().unwrap();
            assert_eq!(parsed.as_str(), template);
            assert_eq!(parsed.expand(&namespace, &r#type), repository);
        }
        let of_host = RepositoryTemplate::of_host("localhost:8443");
        assert_eq!(of_host.as_str().parse(), Ok(of_host.clone()));
    }

    #[test]
    fn what_is_no_template_is_refused() {
        for template in [
            "",
            "{namespace}/{type}",
            "a.example/{namespace}",
            "a.example/{type}",
            "a.example/{namespace}/{type}/{type}",
            "a.example/{namespace}/{type}/",
            "a.example//{namespace}/{type}",
            "a.example/{hostname}/{namespace}/{type}",
            "a.example/${namespace}/${type}",
            "a.example/Providers/{namespace}/{type}",
            "a.example/{namespace}..{type}",
            "a.example/-{namespace}/{type}",
            "https://a.example/{namespace}/{type}",
            "a_b.example/{namespace}/{type}",
            "{namespace}.a.example/{type}",
        ] {
            assert_eq!(template.parse::<RepositoryTemplate>(), Err(TemplateError(template.to_owned())), "{template}");
        }
    }
}
