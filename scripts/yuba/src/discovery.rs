//! Remote service discovery as a client judges it: where a host's provider registry is.
//!
//! Pure: an answer in, a URL or what is wrong out. The rules are `OpenTofu`'s (svchost `disco/disco.go`, `disco/host.go`).

use serde_json::Value;
use url::Url;

/// The path that clients ask for.
pub const PATH: &str = "/.well-known/terraform.json";

/// The most bytes of a discovery document that clients read.
pub const MAX_BYTES: usize = 1 << 20;

/// The service that a provider registry is announced as.
const SERVICE: &str = "providers.v1";

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
}

/// What a host announces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discovered {
    /// The base of the provider registry protocol, as clients resolve it; nothing, if they find none.
    pub registry: Option<Url>,
    /// What is wrong. Clients go on after [`DiscoveryDefect::NoSlash`] alone, and ask for the wrong paths.
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
    match find_registry(answer) {
        Ok((registry, text)) => {
            let slash = registry.path().ends_with('/');
            let defects = if slash { Vec::new() } else { vec![DiscoveryDefect::NoSlash(text)] };
            Discovered { registry: Some(registry), defects }
        }
        Err(defect) => Discovered { registry: None, defects: vec![defect] },
    }
}

fn find_registry(answer: &Answer<'_>) -> Result<(Url, String), DiscoveryDefect> {
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
    let services: serde_json::Map<String, Value> =
        serde_json::from_slice(answer.body).map_err(|error| DiscoveryDefect::Json(error.to_string()))?;
    let text = match services.get(SERVICE) {
        None => return Err(DiscoveryDefect::NoRegistry),
        Some(Value::String(text)) => text,
        Some(_) => return Err(DiscoveryDefect::NotText),
    };
    let url = resolve(answer.url, text).ok_or_else(|| DiscoveryDefect::Url(text.clone()))?;
    Ok((url, text.clone()))
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
            assert_eq!(found, Discovered { registry: Some(url.parse().unwrap()), defects: vec![] }, "{text}");
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
            assert_eq!(found, Discovered { registry: None, defects: vec![defect] });
        }
    }
}
