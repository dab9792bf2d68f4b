//! Which registries have an OCI face, and what of it is inspected.

use serde_json::json;
use yuba_tests::double::{Act, Double, HOSTNAME, publish_all};
use yuba_tests::releases::Release;

use crate::{KEY, MIRRORED, OWN, content, inspect_with, show};

/// Older registries announce no OCI repositories, and others announce somebody else's.
#[tokio::test(flavor = "multi_thread")]
async fn oci_repositories_are_inspected_where_the_registry_announces_its_own() {
    for repositories in [None, Some("oci.example/{namespace}/{type}"), Some("127.0.0.1:1/{namespace}/{type}")] {
        let double = Double::start(content(), |_| {
            Box::new(move |ask, reply| {
                if !ask.path.ends_with("/terraform.json") {
                    return Act::Answer(reply);
                }
                let mut value = json!({ "providers.v1": "/v1/providers/" });
                if let Some(repositories) = repositories {
                    value["oci-providers.v1"] = json!(repositories);
                }
                Act::Answer(reply.with_body(value.to_string()))
            })
        });
        let inspection = inspect_with(&double, &[OWN, MIRRORED], None).await;
        assert_eq!(show(&inspection), [""; 0]);
        assert!(inspection.providers.iter().all(|provider| !provider.oci));
        assert!(double.take_requests().iter().all(|line| !line.contains(" /v2/")));
    }
}

/// A registry may hand out its tags in parts (OCI distribution, "Listing Tags").
#[tokio::test(flavor = "multi_thread")]
async fn tags_are_read_page_by_page() {
    let double = Double::start(content(), |_| {
        Box::new(|ask, reply| {
            let body = reply.body.clone();
            Act::Answer(match ask.path.as_str() {
                "/v2/acme/dns/tags/list" => reply
                    .with_body(r#"{"name":"acme/dns","tags":["1.0.0"]}"#)
                    .with_header("link", "</v2/acme/dns/tags/list?n=1&last=1.0.0>; rel=\"next\""),
                "/v2/acme/dns/tags/list?n=1&last=1.0.0" => reply.with_body(body).with_header("link", ""),
                _ => reply,
            })
        })
    });
    let inspection = inspect_with(&double, &[OWN], None).await;
    assert_eq!(show(&inspection), [""; 0]);
    assert!(double.take_requests().contains(&"GET /v2/acme/dns/tags/list?n=1&last=1.0.0".to_owned()));
}

/// What OCI's grammar cannot hold has no repository, which is nothing wrong.
#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_oci_cannot_hold_is_inspected_without_it() {
    let content =
        publish_all(&KEY, vec![(HOSTNAME, |key| Release::new("ほげ", "1.0.0", key).platforms(&["linux_amd64"]))]);
    let double = Double::sound(content);
    let inspection = inspect_with(&double, &["127.0.0.1/acme/ほげ"], None).await;
    assert_eq!(show(&inspection), [""; 0]);
    assert!(!inspection.providers[0].oci && inspection.providers[0].mirrored);
}
