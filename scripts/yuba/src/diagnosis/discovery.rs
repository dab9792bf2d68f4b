//! The discovery document, as each client reads it: one mistake in it, and no provider of the host can be installed.

use serde_json::Value;
use url::Url;

use super::visit::MAX_BODY_BYTES;
use super::{Answer, Check, Finding};

/// Where clients look.
pub const DISCOVERY_PATH: &str = "/.well-known/terraform.json";

/// The service that providers are installed from.
const SERVICE: &str = "providers.v1";

/// How many redirects every client follows: Terraform, and `OpenTofu` before 1.11, no more.
const MAX_REDIRECTS: usize = 3;

const RULES: &str = "look for a redirect rule or another Worker's route for this hostname in the dashboard";
const DEPLOY: &str = "deploy the Worker again: `npx wrangler deploy`";

fn problem(message: impl Into<String>, hint: &str) -> Finding {
    Finding::problem(Check::Discovery, message, hint)
}

/// Judges an answer to [`DISCOVERY_PATH`]; with it, the URL that the provider registry protocol starts from, if clients
/// find one.
#[must_use]
pub fn judge(answer: &Answer) -> (Vec<Finding>, Option<Url>) {
    let mut findings = judge_redirects(&answer.urls);
    let services = read(answer).and_then(|document| locate(answer, &document));
    match services {
        Ok((url, found)) => {
            findings.extend(found);
            if findings.is_empty() {
                findings.push(Finding::ok(Check::Discovery, format!("clients find {SERVICE} at {url}")));
            }
            (findings, Some(url))
        }
        Err(finding) => {
            findings.push(*finding);
            (findings, None)
        }
    }
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

/// The document, if clients take the answer for one.
fn read(answer: &Answer) -> Result<Value, Box<Finding>> {
    let refused = |message: String, hint: &str| Err(Box::new(problem(message, hint)));
    match answer.status {
        200 => {}
        404 => {
            return refused(
                format!("is not there (404): {}", answer.excerpt()),
                "another Worker or site has this hostname: see its domains and routes in the dashboard",
            );
        }
        401 | 403 => {
            return refused(
                format!("is answered with {}", answer.status),
                "let clients pass: look for Access, a firewall rule or bot protection for this hostname in the dashboard",
            );
        }
        503 => {
            return refused(
                format!("is answered with 503: {}", answer.excerpt()),
                "see what the Worker says with `npx wrangler tail`: a binding or REGISTRY_HOSTNAME is wrong",
            );
        }
        status => {
            return refused(format!("is answered with {status}"), "see what the Worker says with `npx wrangler tail`");
        }
    }
    let content_type = answer.content_type.as_deref().unwrap_or_default();
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    if !media_type.eq_ignore_ascii_case("application/json") {
        return refused(format!("has the content type `{content_type}`, not `application/json`"), DEPLOY);
    }
    if answer.body.len() > MAX_BODY_BYTES {
        return refused(format!("has more than {MAX_BODY_BYTES} bytes, which is as much as clients read"), DEPLOY);
    }
    match serde_json::from_slice(&answer.body) {
        Ok(document @ Value::Object(_)) => Ok(document),
        Ok(_) => refused(format!("is no JSON object: {}", answer.excerpt()), DEPLOY),
        Err(error) => refused(format!("is no JSON: {error}"), DEPLOY),
    }
}

/// Where the service is, and what is wrong about that without keeping clients away.
fn locate(answer: &Answer, document: &Value) -> Result<(Url, Vec<Finding>), Box<Finding>> {
    let refused = |message: String| Box::new(problem(message, DEPLOY));
    let service = match document.get(SERVICE) {
        Some(Value::String(service)) => service,
        Some(other) => return Err(refused(format!("`{SERVICE}` is `{other}`, not a text"))),
        None => return Err(refused(format!("offers no `{SERVICE}`"))),
    };
    let url = answer.url().and_then(|base| base.join(service).ok());
    let url = url.filter(|url| matches!(url.scheme(), "https" | "http"));
    let url = url.ok_or_else(|| refused(format!("`{SERVICE}` is `{service}`, which is no http URL")))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(refused(format!("`{SERVICE}` has a user in its URL, which clients refuse")));
    }
    if !url.path().ends_with('/') {
        let asked = url.join("NAMESPACE/TYPE/versions").map(String::from).unwrap_or_default();
        return Err(refused(format!(
            "`{SERVICE}` is `{service}`, without a slash at its end: clients ask for {asked}"
        )));
    }
    let mut findings = Vec::new();
    let mut warn = |message: String| findings.push(Finding::warning(Check::Discovery, message, DEPLOY));
    if url.scheme() == "http" {
        warn(format!("`{SERVICE}` is `{url}`, which anybody on the way can change"));
    }
    if url.query().is_some() {
        warn(format!("`{SERVICE}` is `{url}`, whose query clients drop"));
    }
    if url.host_str() != answer.url().and_then(Url::host_str) {
        warn(format!("`{SERVICE}` is `{url}`, on another host, which gets the credentials of this one"));
    }
    Ok((url, findings))
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
            assert_eq!(told(&json(body)), [format!("ok: clients find providers.v1 at {url}"), url.to_owned()]);
        }
        let parameters = answer(200, "Application/JSON; charset=utf-8", r#"{"providers.v1":"/v1/"}"#);
        assert_eq!(told(&parameters).len(), 2);
    }

    #[test]
    fn what_keeps_clients_away_is_a_problem() {
        let large = format!("{{\"a\":\"{}\"}}", "a".repeat(MAX_BODY_BYTES));
        let cases = [
            (answer(404, "text/html", "<h1>nothing\nhere"), "is not there (404): <h1>nothing here"),
            (answer(403, "", ""), "is answered with 403"),
            (answer(503, "application/json", r#"{"errors":["x"]}"#), r#"is answered with 503: {"errors":["x"]}"#),
            (answer(500, "", ""), "is answered with 500"),
            (answer(204, "", ""), "is answered with 204"),
            (answer(200, "text/plain", "{}"), "has the content type `text/plain`, not `application/json`"),
            (
                answer(200, "application/json+x", "{}"),
                "has the content type `application/json+x`, not `application/json`",
            ),
            (answer(200, "", "{}"), "has the content type ``, not `application/json`"),
            (json(&large), "has more than 1048576 bytes, which is as much as clients read"),
            (json("[]"), "is no JSON object: []"),
            (json("{"), "is no JSON: EOF while parsing an object at line 1 column 1"),
            (json("{}"), "offers no `providers.v1`"),
            (json(r#"{"providers.v2":"/v2/"}"#), "offers no `providers.v1`"),
            (json(r#"{"providers.v1":{}}"#), "`providers.v1` is `{}`, not a text"),
            (json(r#"{"providers.v1":null}"#), "`providers.v1` is `null`, not a text"),
            (json(r#"{"providers.v1":"ftp://a/"}"#), "`providers.v1` is `ftp://a/`, which is no http URL"),
            (json(r#"{"providers.v1":"https://"}"#), "`providers.v1` is `https://`, which is no http URL"),
            (
                json(r#"{"providers.v1":"https://a:b@c/"}"#),
                "`providers.v1` has a user in its URL, which clients refuse",
            ),
            (
                json(r#"{"providers.v1":"/v1/providers"}"#),
                "`providers.v1` is `/v1/providers`, without a slash at its end: clients ask for https://registry.example/v1/NAMESPACE/TYPE/versions",
            ),
        ];
        for (answer, message) in cases {
            assert_eq!(told(&answer), [format!("problem: {message}")]);
        }
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
                "warning: `providers.v1` is `http://registry.example/`, which anybody on the way can change",
            ),
            (
                json(r#"{"providers.v1":"/v1/?a=b"}"#),
                "warning: `providers.v1` is `https://registry.example/v1/?a=b`, whose query clients drop",
            ),
            (
                json(r#"{"providers.v1":"https://b.example/"}"#),
                "warning: `providers.v1` is `https://b.example/`, on another host, which gets the credentials of this one",
            ),
        ];
        for (answer, message) in cases {
            assert_eq!(told(&answer).first().unwrap(), message);
        }
        assert_eq!(told(&redirected(&[a; 4])).len(), 2);
    }
}
