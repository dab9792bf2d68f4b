//! The discovery document with the remedies of whoever deployed it: one mistake in it, and no provider of the host can be
//! installed. What clients make of it is judged by [`crate::discovery`].

use url::Url;

use super::{Answer, Check, Finding};
use crate::discovery::{self, DiscoveryDefect};

/// How many redirects every client follows: Terraform, and `OpenTofu` before 1.11, no more.
const MAX_REDIRECTS: usize = 3;

const RULES: &str = "look for a redirect rule or another Worker's route for this hostname in the dashboard";
const DEPLOY: &str = "deploy the Worker again: `npx wrangler deploy`";
const TEMPLATE: &str = "set OCI_PROVIDERS in wrangler.toml to HOST/PATH with {namespace} and {type} in its path, or take it out, and deploy: `npx wrangler deploy`";

fn problem(message: impl Into<String>, hint: &str) -> Finding {
    Finding::problem(Check::Discovery, message, hint)
}

/// Judges an answer to a request for [`discovery::PATH`]; with it, the URL that the provider registry protocol starts from, if clients
/// find one.
#[must_use]
pub fn judge(answer: &Answer) -> (Vec<Finding>, Option<Url>) {
    let mut findings = judge_redirects(&answer.urls);
    let Some(base) = answer.url() else { return (findings, None) };
    let (status, content_type) = (answer.status, answer.content_type.as_deref());
    let found = discovery::judge(&discovery::Answer { status, content_type, url: base, body: &answer.body });
    findings.extend(found.defects.iter().map(|defect| explain(defect, answer)));
    // Clients would go on without a slash, and ask for what is not there.
    let is_found = found.defects.iter().all(DiscoveryDefect::is_of_repositories);
    let Some(url) = found.registry.filter(|_| is_found) else { return (findings, None) };
    findings.extend(judge_risks(base, &url));
    if findings.is_empty() {
        findings.push(Finding::ok(Check::Discovery, format!("clients find the provider registry at {url}")));
    }
    if let Some(template) = found.repositories {
        findings.push(Finding::ok(Check::Discovery, format!("announces OCI repositories as {template}")));
    }
    (findings, Some(url))
}

fn judge_redirects(urls: &[Url]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let redirects = urls.len().saturating_sub(1);
    if redirects > MAX_REDIRECTS {
        findings
            .push(problem(format!("comes after {redirects} redirects; some clients follow {MAX_REDIRECTS}"), RULES));
    }
    if let Some(url) = urls.iter().find(|url| url.scheme() != "https") {
        findings.push(problem(format!("a redirect leads to `{url}`, which anybody on the way can change"), RULES));
    }
    let hosts = (urls.first().and_then(Url::host_str), urls.last().and_then(Url::host_str));
    if let (Some(first), Some(last)) = hosts
        && first != last
    {
        let message = format!("a redirect leads from `{first}` to `{last}`, to which clients do not send credentials");
        findings.push(Finding::warning(Check::Discovery, message, RULES));
    }
    findings
}

/// A defect, with what was answered instead and what to do about it.
fn explain(defect: &DiscoveryDefect, answer: &Answer) -> Finding {
    use DiscoveryDefect as D;
    let hint = match defect {
        D::NoServices => "another Worker or site has this hostname: see its domains and routes in the dashboard",
        D::Status(401 | 403) => {
            "let clients pass: look for Access, a firewall rule or bot protection for this hostname in the dashboard"
        }
        D::Status(_) => {
            "see what the Worker says with `npx wrangler tail`; with 503, a binding or REGISTRY_HOSTNAME is wrong"
        }
        D::RepositoriesNotText | D::Repositories(_) => TEMPLATE,
        D::ContentType(_) | D::TooLong | D::Json(_) | D::NoRegistry | D::NotText | D::Url(_) | D::NoSlash(_) => DEPLOY,
    };
    let excerpt = answer.excerpt();
    match defect {
        D::NoServices | D::Status(_) if !excerpt.is_empty() => problem(format!("{defect}; it says: {excerpt}"), hint),
        // No client looks at these yet.
        D::RepositoriesNotText | D::Repositories(_) => Finding::warning(Check::Discovery, defect.to_string(), hint),
        defect => problem(defect.to_string(), hint),
    }
}

/// What is wrong about where the registry is without keeping clients away.
fn judge_risks(base: &Url, url: &Url) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut warn = |message: String| findings.push(Finding::warning(Check::Discovery, message, DEPLOY));
    if url.scheme() == "http" {
        warn(format!("announces `{url}`, which anybody on the way can change"));
    }
    if url.query().is_some() {
        warn(format!("announces `{url}`, whose query clients drop"));
    }
    if url.host_str() != base.host_str() {
        warn(format!("announces `{url}`, on another host, which gets the credentials of this one"));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, content_type: &str, body: &str) -> Answer {
        Answer {
            urls: vec!["https://registry.example/.well-known/terraform.json".parse().unwrap()],
            status,
            content_type: Some(content_type.to_owned()).filter(|content_type| !content_type.is_empty()),
            date: None,
            body: body.as_bytes().to_vec(),
        }
    }

    fn json(body: &str) -> Answer {
        answer(200, "application/json", body)
    }

    fn redirected(urls: &[&str]) -> Answer {
        let urls = urls.iter().map(|url| url.parse().unwrap()).collect();
        Answer { urls, ..json(r#"{"providers.v1":"/v1/providers/"}"#) }
    }

    fn told(answer: &Answer) -> Vec<String> {
        let (findings, url) = judge(answer);
        let told = findings.iter().map(|finding| format!("{}: {}", finding.outcome.as_str(), finding.message));
        told.chain(url.map(String::from)).collect()
    }

    #[test]
    fn what_clients_take_is_taken() {
        for (body, url) in [
            (r#"{"providers.v1":"/v1/providers/"}"#, "https://registry.example/v1/providers/"),
            (r#"{"modules.v1":1,"providers.v1":"https://registry.example/p/"}"#, "https://registry.example/p/"),
            // Relative to the document, as clients resolve it.
            (r#"{"providers.v1":"v1/"}"#, "https://registry.example/.well-known/v1/"),
        ] {
            assert_eq!(told(&json(body)), [format!("ok: clients find the provider registry at {url}"), url.to_owned()]);
        }
        let parameters = answer(200, "Application/JSON; charset=utf-8", r#"{"providers.v1":"/v1/"}"#);
        assert_eq!(told(&parameters).len(), 2);
    }

    /// What is a defect is tested where it is judged; here, what is said of it and what is advised.
    #[test]
    fn what_keeps_clients_away_is_a_problem() {
        let cases = [
            (
                answer(404, "text/html", "<h1>nothing\nhere"),
                "is answered with 404: the host offers no services; it says: <h1>nothing here",
                "another Worker",
            ),
            (answer(403, "", ""), "is answered with 403, not with 200", "let clients pass"),
            (
                answer(503, "application/json", r#"{"errors":["x"]}"#),
                r#"is answered with 503, not with 200; it says: {"errors":["x"]}"#,
                "see what the Worker says",
            ),
            (answer(200, "text/plain", "{}"), "has content type `text/plain`, not `application/json`", "deploy"),
            (json("{}"), "announces no `providers.v1`", "deploy"),
            (
                json(r#"{"providers.v1":"/v1/providers"}"#),
                "announces `/v1/providers` without a slash at its end",
                "deploy",
            ),
        ];
        for (answer, message, advice) in cases {
            assert_eq!(told(&answer), [format!("problem: {message}")]);
            let hint = judge(&answer).0.into_iter().find_map(|finding| finding.hint);
            assert!(hint.as_ref().is_some_and(|hint| hint.starts_with(advice)), "{message}: {hint:?}");
        }
    }

    #[test]
    fn oci_repositories_are_told_whatever_else_is_announced() {
        let found = |value: &str| told(&json(&format!(r#"{{"providers.v1":"/v1/","oci-providers.v1":{value}}}"#)));
        let (registry, url) = ("ok: clients find the provider registry at", "https://registry.example/v1/");
        assert_eq!(
            found(r#""b.example/{namespace}/{type}""#),
            [&format!("{registry} {url}"), "ok: announces OCI repositories as b.example/{namespace}/{type}", url]
        );
        for (value, said) in
            [("7", "` as something that is no text"), (r#""b.example/""#, "`, but `b.example/` is no ")]
        {
            let told = found(value);
            assert!(told[0].starts_with(&format!("warning: announces `oci-providers.v1{said}")), "{told:?}");
            assert_eq!(told[1..], [url], "clients find the registry all the same");
        }
        let hint = judge(&json(r#"{"providers.v1":"/v1/","oci-providers.v1":7}"#)).0[0].hint.clone();
        assert!(hint.is_some_and(|hint| hint.starts_with("set OCI_PROVIDERS in wrangler.toml")));
        let alone = told(&json(r#"{"oci-providers.v1":"b.example/{namespace}/{type}"}"#));
        assert_eq!(alone, ["problem: announces no `providers.v1`"]);
    }

    #[test]
    fn what_is_risky_is_told() {
        let (a, b) = ("https://a.example/", "https://b.example/");
        let cases = [
            (
                redirected(&[a, b]),
                "warning: a redirect leads from `a.example` to `b.example`, to which clients do not send credentials",
            ),
            (
                redirected(&[a, "http://a.example/", a]),
                "problem: a redirect leads to `http://a.example/`, which anybody on the way can change",
            ),
            (redirected(&[a; 5]), "problem: comes after 4 redirects; some clients follow 3"),
            (
                json(r#"{"providers.v1":"http://registry.example/"}"#),
                "warning: announces `http://registry.example/`, which anybody on the way can change",
            ),
            (
                json(r#"{"providers.v1":"/v1/?a=b"}"#),
                "warning: announces `https://registry.example/v1/?a=b`, whose query clients drop",
            ),
            (
                json(r#"{"providers.v1":"https://b.example/"}"#),
                "warning: announces `https://b.example/`, on another host, which gets the credentials of this one",
            ),
        ];
        for (answer, message) in cases {
            assert_eq!(told(&answer).first().unwrap(), message);
        }
        assert_eq!(told(&redirected(&[a; 4])).len(), 2);
    }
}
