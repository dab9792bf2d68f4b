//! What `wrangler.toml` says, and whether that can be deployed.

use yuba::repository::RepositoryTemplate;

use super::{Check, Finding};
use crate::deployment::{ARCHIVES, Configuration, CustomDomain, METADATA, OCI_PROVIDERS, REGISTRY_HOSTNAME};
use crate::store::cloudflare::{BucketName, KvNamespaceId};

const INIT: &str = "run `yuba init`, which creates what is missing and writes it into wrangler.toml";

/// What to do about a variable that is no template.
const TEMPLATE: &str = "take it out, which announces the registry's own repositories, or name others: `oci.example/acme/{namespace}-{type}`";

/// Judges a configuration; with it, the hostname that it deploys.
#[must_use]
pub fn judge(configuration: &Configuration) -> (Vec<Finding>, Option<CustomDomain>) {
    let problem = |message: String| Finding::problem(Check::Configuration, message, INIT);
    let mut findings = Vec::new();
    let domain = match configuration.hostname().map(str::parse::<CustomDomain>) {
        Some(Ok(domain)) => Some(domain),
        Some(Err(error)) => {
            findings.push(problem(format!("{REGISTRY_HOSTNAME}: {error}")));
            None
        }
        None => {
            findings.push(problem(format!("{REGISTRY_HOSTNAME} is not set")));
            None
        }
    };
    match configuration.namespace().map(str::parse::<KvNamespaceId>) {
        Some(Ok(_)) => {}
        Some(Err(error)) => findings.push(problem(format!("binding {METADATA}: {error}"))),
        None => findings.push(problem(format!("no KV namespace is bound as {METADATA}"))),
    }
    match configuration.bucket().map(str::parse::<BucketName>) {
        Some(Ok(_)) => {}
        Some(Err(error)) => findings.push(problem(format!("binding {ARCHIVES}: {error}"))),
        None => findings.push(problem(format!("no R2 bucket is bound as {ARCHIVES}"))),
    }
    if let Some(Err(error)) = configuration.repositories().map(str::parse::<RepositoryTemplate>) {
        // With such a variable, the Worker answers nothing at all.
        findings.push(Finding::problem(Check::Configuration, format!("{OCI_PROVIDERS}: {error}"), TEMPLATE));
    }
    if findings.is_empty() {
        let bound = format!("{ARCHIVES} and {METADATA} are bound");
        findings.push(Finding::ok(Check::Configuration, bound));
    }
    if let Some(domain) = &domain {
        findings.push(judge_route(configuration, domain));
    }
    (findings, domain)
}

fn judge_route(configuration: &Configuration, domain: &CustomDomain) -> Finding {
    let domain = domain.as_str();
    if configuration.custom_domains().contains(&domain) {
        return Finding::ok(Check::Route, format!("{domain} is a custom domain of the Worker"));
    }
    let leads_here = |pattern: &&str| pattern.split('/').next() == Some(domain);
    if let Some(pattern) = configuration.patterns().into_iter().find(leads_here) {
        return Finding::ok(Check::Route, format!("`{pattern}` leads to the Worker"));
    }
    let message = format!("nothing in wrangler.toml leads {domain} to the Worker");
    Finding::warning(Check::Route, message, "run `yuba init`, unless the custom domain is set in the dashboard")
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMITTED: &str = include_str!("../../tests/wrangler.toml");

    fn told(text: &str) -> Vec<String> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("wrangler.toml");
        std::fs::write(&path, text).unwrap();
        let (findings, _) = judge(&Configuration::read(&path).unwrap());
        findings.iter().map(|finding| format!("{}: {}", finding.outcome.as_str(), finding.message)).collect()
    }

    #[test]
    fn placeholders_and_gaps_are_problems() {
        assert_eq!(
            told(COMMITTED),
            [
                "problem: REGISTRY_HOSTNAME: `localhost` is no domain that clients elsewhere can reach",
                "problem: binding METADATA: `metadata` is no KV namespace id: 32 hexadecimal digits",
            ]
        );
        assert_eq!(
            told("[[r2_buckets]]\nbinding = \"ARCHIVES\"\nbucket_name = \"A\"\n[vars]\nREGISTRY_HOSTNAME = \"a_b\"\n"),
            [
                "problem: REGISTRY_HOSTNAME: `a_b` is not a hostname",
                "problem: no KV namespace is bound as METADATA",
                "problem: binding ARCHIVES: `A` is no bucket name: 3 to 63 lower-case letters, digits and inner dashes",
            ]
        );
        assert_eq!(
            told(""),
            [
                "problem: REGISTRY_HOSTNAME is not set",
                "problem: no KV namespace is bound as METADATA",
                "problem: no R2 bucket is bound as ARCHIVES",
            ]
        );
    }

    #[test]
    fn oci_repositories_elsewhere_are_a_template() {
        let configured = |template: &str| {
            let deployed = COMMITTED.replace("\"localhost\"", &format!("\"registry.example\"\n{template}"));
            told(&deployed.replace("\"metadata\"", "\"0f2ac74b498b48028cb68387c421e279\""))
        };
        let bound = "ok: ARCHIVES and METADATA are bound";
        assert_eq!(configured("OCI_PROVIDERS = \"oci.example/acme/{namespace}-{type}\"")[0], bound);
        for template in
            ["", "oci.example/acme", "https://oci.example/{namespace}/{type}", "oci.example/${namespace}/${type}"]
        {
            let told = configured(&format!("OCI_PROVIDERS = \"{template}\""));
            let problem = format!("problem: OCI_PROVIDERS: `{template}` is no template of an OCI repository");
            assert!(told[0].starts_with(&problem), "{told:?}");
        }
    }

    #[test]
    fn a_deployment_is_led_to_in_one_way_or_another() {
        let deployed = COMMITTED.replace("\"localhost\"", "\"registry.example\"");
        let deployed = deployed.replace("\"metadata\"", "\"0f2ac74b498b48028cb68387c421e279\"");
        let bound = "ok: ARCHIVES and METADATA are bound";
        let cases = [
            ("", "warning: nothing in wrangler.toml leads registry.example to the Worker"),
            (
                "routes = [{ pattern = \"registry.example\", custom_domain = true }]",
                "ok: registry.example is a custom domain of the Worker",
            ),
            ("route = \"registry.example/*\"", "ok: `registry.example/*` leads to the Worker"),
            (
                "routes = [\"other.example/*\"]",
                "warning: nothing in wrangler.toml leads registry.example to the Worker",
            ),
        ];
        for (route, finding) in cases {
            assert_eq!(told(&format!("{route}\n{deployed}")), [bound, finding]);
        }
    }
}
