//! The sample answers that the protocols' documents print: what is rendered here has their shape, field for field, and
//! their values where the facts are the same.

use serde_json::Value;
use yuba::document::Visibility;
use yuba::serve::Freshness;
use yuba_tests::content::{Content, Release};
use yuba_tests::exchange::{Ask, MemoryServer, Server};
use yuba_tests::memory::MemoryStorage;

/// What the registry answers that has the samples' provider.
fn answer(path: &str) -> Value {
    let provider = "localhost/examplecorp/random";
    let platforms = ["darwin_amd64", "linux_amd64", "linux_arm", "windows_amd64"];
    let content = Content::default()
        .namespace("localhost/examplecorp", Visibility::Public)
        .release(&Release::new(provider, "2.0.0").platforms(&platforms).protocols(&["4.0", "5.1"]))
        .release(&Release::new(provider, "2.0.1").platforms(&platforms).protocols(&["5.2"]));
    let mut server = MemoryServer::new(MemoryStorage::new(&content), Freshness::DEPLOYED);
    let reply = server.exchange(&Ask::new(&format!("GET {path}")));
    assert_eq!(reply.status, 200);
    serde_json::from_slice(&reply.body).unwrap()
}

/// Asserts that `ours` has every field of `sample` with a value of its kind. Keys that are facts (platforms, versions)
/// have to be there as well, so the samples' facts are ours.
fn assert_shape(at: &str, sample: &Value, ours: &Value) {
    match (sample, ours) {
        (Value::Object(sample), Value::Object(ours)) => {
            for (field, sample) in sample {
                let ours = ours.get(field).unwrap_or_else(|| panic!("{at}.{field} is missing"));
                assert_shape(&format!("{at}.{field}"), sample, ours);
            }
        }
        (Value::Array(sample), Value::Array(ours)) => {
            assert!(ours.len() >= sample.len(), "{at} has {} of {}", ours.len(), sample.len());
            for (position, (sample, ours)) in sample.iter().zip(ours).enumerate() {
                assert_shape(&format!("{at}[{position}]"), sample, ours);
            }
        }
        (sample, ours) => {
            let same = std::mem::discriminant(sample) == std::mem::discriminant(ours);
            assert!(same, "{at}: {ours} is not of the kind of {sample}");
        }
    }
}

fn vector(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn discovery_has_the_sample_s_shape() {
    assert_shape("", &vector(include_str!("vectors/discovery.json")), &answer("/.well-known/terraform.json"));
}

#[test]
fn versions_are_the_sample_s() {
    let ours = answer("/v1/providers/examplecorp/random/versions");
    assert_eq!(ours["versions"], vector(include_str!("vectors/versions.json"))["versions"]);
}

#[test]
fn download_has_the_samples_shape() {
    let ours = answer("/v1/providers/examplecorp/random/2.0.0/download/linux/amd64");
    let sample = vector(include_str!("vectors/download.json"));
    assert_shape("", &sample, &ours);
    for field in ["protocols", "os", "arch", "filename"] {
        assert_eq!(ours[field], sample[field]);
    }
    assert_eq!(ours["signing_keys"]["gpg_public_keys"][0]["key_id"], "51852D87348FFC4C");
    assert_shape("", &vector(include_str!("vectors/packages.json")), &ours);
}

#[test]
fn the_mirror_has_the_samples_shape() {
    let ours = answer("/mirror/localhost/examplecorp/random/index.json");
    assert_eq!(ours, vector(include_str!("vectors/index.json")));
    let ours = answer("/mirror/localhost/examplecorp/random/2.0.0.json");
    assert_shape("", &vector(include_str!("vectors/archives.json")), &ours);
}
