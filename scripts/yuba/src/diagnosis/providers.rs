//! The Worker behind the hostname: that it reaches its storage, and that the registry's own providers are its own.

use serde::Deserialize;
use url::Url;
use yuba::address::ProviderAddress;
use yuba::hostname::Hostname;
use yuba::version::Version;

use super::{Answer, Check, Finding};

/// A provider that is never there, by namespace and type: what the Worker says of it shows whose it would be.
pub const UNKNOWN: (&str, &str) = ("yuba-doctor", "nothing");

const DEPLOY: &str = "deploy what wrangler.toml says: `npx wrangler deploy`";

/// A version that storage lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Whose it is.
    pub address: ProviderAddress,
    /// Which.
    pub version: Version,
}

#[derive(Deserialize)]
struct Refused {
    errors: Vec<String>,
}

#[derive(Deserialize)]
struct Versions {
    versions: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    version: String,
}

/// Where a client asks for the versions of a provider.
#[must_use]
pub fn versions_url(service: &Url, namespace: &str, r#type: &str) -> Option<Url> {
    service.join(&format!("{namespace}/{type}/versions")).ok()
}

/// Judges an answer to `/healthz`.
#[must_use]
pub fn judge_health(answer: &Answer) -> Finding {
    match answer.status {
        200 => Finding::ok(Check::Health, "the Worker reaches KV and R2"),
        503 => Finding::problem(
            Check::Health,
            format!("the Worker does not reach its storage: {}", answer.excerpt()),
            "see what it says with `npx wrangler tail`: the bucket and the namespace that wrangler.toml binds must exist",
        ),
        status => Finding::problem(
            Check::Health,
            format!("/healthz is answered with {status}: it is not yuba that answers"),
            "another Worker or site has this hostname: see its domains and routes in the dashboard",
        ),
    }
}

/// Judges an answer about the provider [`UNKNOWN`]: the Worker names its own hostname in it.
#[must_use]
pub fn judge_hostname(answer: &Answer, hostname: &Hostname) -> Finding {
    let (namespace, r#type) = UNKNOWN;
    let refused = serde_json::from_slice::<Refused>(&answer.body).ok();
    let said = refused.and_then(|refused| refused.errors.into_iter().next());
    let (404, Some(said)) = (answer.status, said) else {
        let message = format!("an unknown provider is answered with {}: {}", answer.status, answer.excerpt());
        return Finding::problem(Check::Providers, message, "see what the Worker says with `npx wrangler tail`");
    };
    let named = said.split('`').find_map(|word| word.strip_suffix(&format!("/{namespace}/{type}")));
    match named {
        Some(named) if named == hostname.as_str() => {
            Finding::ok(Check::Providers, format!("the Worker answers for {hostname}"))
        }
        Some(named) => Finding::problem(
            Check::Providers,
            format!("the Worker answers for `{named}`, not for `{hostname}`"),
            DEPLOY,
        ),
        None => {
            let message = format!("an unknown provider is refused otherwise than yuba does: {said}");
            Finding::problem(Check::Providers, message, DEPLOY)
        }
    }
}

/// Judges an answer about a provider that storage lists.
#[must_use]
pub fn judge_listing(answer: &Answer, listed: &Listed) -> Finding {
    let Listed { address, version } = listed;
    let versions = serde_json::from_slice::<Versions>(&answer.body).ok();
    let (200, Some(Versions { versions })) = (answer.status, versions) else {
        let message = format!("{address} is stored, but answered with {}: {}", answer.status, answer.excerpt());
        return Finding::problem(Check::Providers, message, format!("the Worker has another bucket: {DEPLOY}"));
    };
    if versions.iter().any(|entry| entry.version == version.to_string()) {
        return Finding::ok(Check::Providers, format!("{address} {version} is listed"));
    }
    Finding::problem(
        Check::Providers,
        format!("{address} {version} is stored, but not listed"),
        format!("wait a minute if it was published just now; else the Worker has another bucket: {DEPLOY}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, body: &str) -> Answer {
        Answer {
            urls: vec!["https://registry.example/".parse().unwrap()],
            status,
            content_type: None,
            date: None,
            body: body.as_bytes().to_vec(),
        }
    }

    fn told(finding: &Finding) -> String {
        format!("{}: {}", finding.outcome.as_str(), finding.message)
    }

    #[test]
    fn only_yubas_word_for_its_health_counts() {
        assert_eq!(told(&judge_health(&answer(200, "{}"))), "ok: the Worker reaches KV and R2");
        let unwell = judge_health(&answer(503, r#"{"errors":["x"]}"#));
        assert_eq!(told(&unwell), r#"problem: the Worker does not reach its storage: {"errors":["x"]}"#);
        for status in [404, 301, 403, 500] {
            let other = judge_health(&answer(status, ""));
            assert!(other.message.ends_with("it is not yuba that answers"), "{status}");
        }
    }

    #[test]
    fn the_worker_names_its_hostname() {
        let hostname = "registry.example".parse().unwrap();
        let not_found = |text: &str| answer(404, &format!(r#"{{"errors":["{text}"]}}"#));
        let cases = [
            (
                not_found("provider `registry.example/yuba-doctor/nothing` was not found"),
                "ok: the Worker answers for registry.example",
            ),
            (
                not_found("provider `localhost/yuba-doctor/nothing` was not found"),
                "problem: the Worker answers for `localhost`, not for `registry.example`",
            ),
            (not_found("Not Found"), "problem: an unknown provider is refused otherwise than yuba does: Not Found"),
            (answer(404, "<html>"), "problem: an unknown provider is answered with 404: <html>"),
            (answer(404, r#"{"errors":[]}"#), r#"problem: an unknown provider is answered with 404: {"errors":[]}"#),
            (
                answer(200, r#"{"versions":[]}"#),
                r#"problem: an unknown provider is answered with 200: {"versions":[]}"#,
            ),
            (
                answer(503, r#"{"errors":["x"]}"#),
                r#"problem: an unknown provider is answered with 503: {"errors":["x"]}"#,
            ),
        ];
        for (answer, expected) in cases {
            assert_eq!(told(&judge_hostname(&answer, &hostname)), expected);
        }
    }

    #[test]
    fn what_is_stored_is_listed() {
        let listed = Listed { address: "a.example/acme/dns".parse().unwrap(), version: "1.0.0".parse().unwrap() };
        let cases = [
            (
                answer(200, r#"{"versions":[{"version":"0.9.0"},{"version":"1.0.0"}]}"#),
                "ok: a.example/acme/dns 1.0.0 is listed",
            ),
            (
                answer(200, r#"{"versions":[{"version":"0.9.0"}]}"#),
                "problem: a.example/acme/dns 1.0.0 is stored, but not listed",
            ),
            (
                answer(200, r#"{"versions":[{"version":"1.0.0-rc1"}]}"#),
                "problem: a.example/acme/dns 1.0.0 is stored, but not listed",
            ),
            (
                answer(404, r#"{"errors":[]}"#),
                r#"problem: a.example/acme/dns is stored, but answered with 404: {"errors":[]}"#,
            ),
            (answer(200, "[]"), "problem: a.example/acme/dns is stored, but answered with 200: []"),
        ];
        for (answer, expected) in cases {
            assert_eq!(told(&judge_listing(&answer, &listed)), expected);
        }
    }
}
