//! Remote service discovery as a client judges it: where a host's provider registry is, and its OCI repositories.
//!
//! Pure: an answer in, a URL or what is wrong out. The rules are `OpenTofu`'s (svchost `disco/disco.go`, `disco/host.go`),
//! and for OCI repositories its RFC's: no client looks at those yet, so what is wrong with them keeps nobody away.

use serde_json::Value;
use url::Url;
use yuba::repository::{RepositoryTemplate, TemplateError};

/// The path that clients ask for.
pub const PATH: &str = "/.well-known/terraform.json";

/// The most bytes of a discovery document that clients read.
pub const MAX_BYTES: usize = 1 << 20;

/// The service that a provider registry is announced as.
const SERVICE: &str = "providers.v1";

/// The service that OCI repositories are announced as (RFC, "OCI Registry as an implementation detail").
const OCI_SERVICE: &str = "oci-providers.v1";

/// The answer to a request for [`PATH`].
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    /// The status.
    pub status: u16,
    /// The header of that name.
    pub content_type: Option<&'a str>,
    /// The URL after redirects, which relative service URLs are resolved against.
    pub url: &'a Url,
    /// The body.
    pub body: &'a [u8],
}

/// What is wrong with a host's discovery.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DiscoveryDefect {
    /// The host has no discovery document.
    #[error("is answered with 404: the host offers no services")]
    NoServices,
    /// The host does not give it out.
    #[error("is answered with {0}, not with 200")]
    Status(u16),
    /// The content type is none that clients read.
    #[error("has content type `{0}`, not `application/json`")]
    ContentType(String),
    /// Clients do not read so much.
    #[error("has more than {MAX_BYTES} bytes")]
    TooLong,
    /// It is no JSON object.
    #[error("is no JSON object: {0}")]
    Json(String),
    /// No provider registry is announced.
    #[error("announces no `{SERVICE}`")]
    NoRegistry,
    /// The service is no text.
    #[error("announces `{SERVICE}` as something that is no text")]
    NotText,
    /// The URL is none that clients use.
    #[error("announces `{0}`, which is no http or https URL that clients use")]
    Url(String),
    /// Clients would drop the last part of the URL's path.
    #[error("announces `{0}` without a slash at its end")]
    NoSlash(String),
    /// The OCI repositories are no text.
    #[error("announces `{OCI_SERVICE}` as something that is no text")]
    RepositoriesNotText,
    /// The OCI repositories are no template.
    #[error("announces `{OCI_SERVICE}`, but {0}")]
    Repositories(TemplateError),
}

impl DiscoveryDefect {
    /// Whether it is about the OCI repositories alone.
    #[must_use]
    pub const fn is_of_repositories(&self) -> bool {
        matches!(self, Self::RepositoriesNotText | Self::Repositories(_))
    }
}

/// What a host announces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discovered {
    /// The base of the provider registry protocol, as clients resolve it; nothing, if they find none.
    pub registry: Option<Url>,
    /// The OCI repositories of the host's providers; nothing, if none are announced, as older registries do not.
    pub repositories: Option<RepositoryTemplate>,
    /// What is wrong. Clients go on after [`DiscoveryDefect::NoSlash`] alone, and ask for the wrong paths; but for what
    /// [is of repositories](DiscoveryDefect::is_of_repositories).
    pub defects: Vec<DiscoveryDefect>,
}

/// Whether a `Content-Type` is one that clients take for JSON; parameters do not matter.
#[must_use]
pub fn is_json(content_type: Option<&str>) -> bool {
    let media_type = content_type.and_then(|text| text.split(';').next()).unwrap_or_default();
    media_type.trim().eq_ignore_ascii_case("application/json")
}

/// Judges an answer as clients do.
#[must_use]
pub fn judge(answer: &Answer<'_>) -> Discovered {
    let services = match read_services(answer) {
        Ok(services) => services,
        Err(defect) => return Discovered { registry: None, repositories: None, defects: vec![defect] },
    };
    let mut defects = Vec::new();
    let registry = match find_registry(answer.url, &services) {
        Ok((registry, text)) => {
            if !registry.path().ends_with('/') {
                defects.push(DiscoveryDefect::NoSlash(text));
            }
            Some(registry)
        }
        Err(defect) => {
            defects.push(defect);
            None
        }
    };
    let repositories = find_repositories(&services).unwrap_or_else(|defect| {
        defects.push(defect);
        None
    });
    Discovered { registry, repositories, defects }
}

type Services = serde_json::Map<String, Value>;

fn read_services(answer: &Answer<'_>) -> Result<Services, DiscoveryDefect> {
    match answer.status {
        200 => {}
        404 => return Err(DiscoveryDefect::NoServices),
        status => return Err(DiscoveryDefect::Status(status)),
    }
    if !is_json(answer.content_type) {
        return Err(DiscoveryDefect::ContentType(answer.content_type.unwrap_or_default().to_owned()));
    }
    if answer.body.len() > MAX_BYTES {
        return Err(DiscoveryDefect::TooLong);
    }
    serde_json::from_slice(answer.body).map_err(|error| DiscoveryDefect::Json(error.to_string()))
}

fn find_registry(base: &Url, services: &Services) -> Result<(Url, String), DiscoveryDefect> {
    let text = match services.get(SERVICE) {
        None => return Err(DiscoveryDefect::NoRegistry),
        Some(Value::String(text)) => text,
        Some(_) => return Err(DiscoveryDefect::NotText),
    };
    let url = resolve(base, text).ok_or_else(|| DiscoveryDefect::Url(text.clone()))?;
    Ok((url, text.clone()))
}

fn find_repositories(services: &Services) -> Result<Option<RepositoryTemplate>, DiscoveryDefect> {
    match services.get(OCI_SERVICE) {
        None => Ok(None),
        Some(Value::String(text)) => text.parse().map(Some).map_err(DiscoveryDefect::Repositories),
        Some(_) => Err(DiscoveryDefect::RepositoriesNotText),
    }
}

/// A URL in an answer from `base`, as clients resolve it: absolute or relative, http or https, nobody's password in it.
#[must_use]
pub fn resolve(base: &Url, text: &str) -> Option<Url> {
    let mut url = base.join(text).ok()?;
    url.set_fragment(None);
    let is_usable = matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none();
    is_usable.then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn discover(status: u16, content_type: Option<&str>, body: &str) -> Discovered {
        let url = "https://a.example/elsewhere/terraform.json".parse().unwrap();
        judge(&Answer { status, content_type, url: &url, body: body.as_bytes() })
    }

    fn json(body: &str) -> Discovered {
        discover(200, Some("application/json"), body)
    }

    #[test]
    fn the_registry_is_found_against_the_final_url() {
        let cases = [
            ("/v1/providers/", "https://a.example/v1/providers/"),
            ("v1/", "https://a.example/elsewhere/v1/"),
            ("https://b.example:8443/x/", "https://b.example:8443/x/"),
            ("http://b.example/", "http://b.example/"),
            ("//b.example/#there", "https://b.example/"),
        ];
        for (text, url) in cases {
            let found = json(&format!(r#"{{"providers.v1":"{text}","modules.v1":1}}"#));
            let registry = Some(url.parse().unwrap());
            assert_eq!(found, Discovered { registry, repositories: None, defects: vec![] }, "{text}");
        }
        let parameters = discover(200, Some("Application/JSON ; charset=utf-8"), r#"{"providers.v1":"/"}"#);
        assert_eq!(parameters.defects, []);
    }

    #[test]
    fn a_missing_slash_is_told_and_followed() {
        let found = json(r#"{"providers.v1":"/v1/providers"}"#);
        assert_eq!(found.registry.unwrap().join("acme/").unwrap().as_str(), "https://a.example/v1/acme/");
        assert_eq!(found.defects, [DiscoveryDefect::NoSlash("/v1/providers".to_owned())]);
    }

    #[test]
    fn what_clients_refuse_is_a_defect() {
        use DiscoveryDefect as D;
        let url = |text: &str| json(&format!(r#"{{"providers.v1":"{text}"}}"#));
        let good = r#"{"providers.v1":"/"}"#;
        let long = format!("{good}{}", " ".repeat(MAX_BYTES));
        let cases = [
            (discover(404, None, ""), D::NoServices),
            (discover(401, None, ""), D::Status(401)),
            (discover(200, None, good), D::ContentType(String::new())),
            (discover(200, Some("text/json"), good), D::ContentType("text/json".to_owned())),
            (discover(200, Some("application/json+x"), good), D::ContentType("application/json+x".to_owned())),
            (json(&long), D::TooLong),
            (json("[]"), D::Json("invalid type: sequence, expected a map at line 1 column 0".to_owned())),
            (json(""), D::Json("EOF while parsing a value at line 1 column 0".to_owned())),
            (json(r#"{"providers.v2":"/"}"#), D::NoRegistry),
            (json(r#"{"providers.v1":{}}"#), D::NotText),
            (url("ftp://a.example/"), D::Url("ftp://a.example/".to_owned())),
            (url("https://me:secret@a.example/"), D::Url("https://me:secret@a.example/".to_owned())),
            (url("https://"), D::Url("https://".to_owned())),
        ];
        for (found, defect) in cases {
            assert_eq!(found, Discovered { registry: None, repositories: None, defects: vec![defect] });
        }
    }

    #[test]
    fn oci_repositories_may_be_announced_beside_a_registry_or_alone() {
        let template = "b.example:5000/x/{namespace}-{type}";
        let both = json(&format!(r#"{{"providers.v1":"/","oci-providers.v1":"{template}"}}"#));
        assert_eq!(both.repositories.unwrap().as_str(), template);
        assert_eq!((both.registry.unwrap().as_str(), both.defects), ("https://a.example/", vec![]));
        let alone = json(&format!(r#"{{"oci-providers.v1":"{template}"}}"#));
        assert_eq!(alone.repositories.unwrap().as_str(), template);
        assert_eq!((alone.registry, alone.defects), (None, vec![DiscoveryDefect::NoRegistry]));
    }

    #[test]
    fn what_announces_no_oci_repositories_leaves_the_registry_alone() {
        let found = |value: &str| json(&format!(r#"{{"providers.v1":"/","oci-providers.v1":{value}}}"#));
        for (value, message) in [
            ("null", "announces `oci-providers.v1` as something that is no text"),
            (r#"["a.example/{namespace}/{type}"]"#, "announces `oci-providers.v1` as something that is no text"),
            (r#""""#, "announces `oci-providers.v1`, but `` is no template of an OCI repository"),
            (r#""/v2/""#, "announces `oci-providers.v1`, but `/v2/` is no template"),
            (r#""https://a.example/{namespace}/{type}""#, "announces `oci-providers.v1`, but `https://a.example"),
            (r#""a.example/{namespace}""#, "announces `oci-providers.v1`, but `a.example/{namespace}` is no"),
            (r#""a.example/${namespace}/${type}""#, "announces `oci-providers.v1`, but `a.example/${namespace}"),
        ] {
            let Discovered { registry, repositories, defects } = found(value);
            assert_eq!((registry.unwrap().as_str(), repositories), ("https://a.example/", None), "{value}");
            let [defect] = defects.as_slice() else { panic!("{value}: {defects:?}") };
            assert!(defect.is_of_repositories() && defect.to_string().starts_with(message), "{value}: {defect}");
        }
    }
}
