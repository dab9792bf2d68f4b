//! Registries whose OCI face has one thing wrong, by the row that finds it.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use yuba::digest::Sha256Digest;
use yuba::document::{OciContent, OciView, ProviderDocument};
use yuba::keys::DocumentKey;
use yuba::protocol::oci::{INDEX, MANIFEST, manifest, parse_digest, spell};
use yuba_tests::double::{Act, Wrong};
use yuba_tests::exchange::{Ask, Reply};

use crate::cases::{Case, json_at, reply};
use crate::{MIRRORED, OWN, content};

const TAGS: &str = "/v2/acme/dns/tags/list";
const HEAD: &str = "HEAD /v2/acme/dns/manifests/1.0.0";
const DIGEST: &str = "docker-content-digest";

/// The index of 1.0.0, and the manifest of its `linux_amd64`.
struct Manifests {
    index: Value,
    linux: Value,
}

/// Every case, in the order of the rows.
pub(crate) fn all() -> Vec<Case> {
    [answers(), documents()].into_iter().flatten().collect()
}

/// What is wrong with how something is answered.
fn answers() -> Vec<Case> {
    vec![
        reply("oci-tags-status", "not found", TAGS, |reply| reply.with_status(404)),
        reply("oci-tags-status", "login", TAGS, |reply| reply.with_status(401)),
        json_at("oci-tags", "one less", TAGS, |value| drop(value["tags"].as_array_mut().unwrap().remove(0))),
        json_at("oci-tags", "null", TAGS, |value| value["tags"] = Value::Null),
        json_at("oci-tags", "one more", TAGS, |value| value["tags"].as_array_mut().unwrap().push(json!("latest"))),
        json_at("oci-tags", "a plus", TAGS, |value| value["tags"][1] = json!("2.0.0-rc.1+build.7")),
        json_at("oci-tags", "of a mirrored provider", "/v2/mirrored.example/acme/dns/tags/list", |value| {
            value["tags"] = json!(["3.0.0", "3"]);
        })
        .of(&[MIRRORED]),
        reply("oci-head", "not found", HEAD, |reply| reply.with_status(404)),
        reply("oci-head", "without a size", HEAD, |reply| reply.with_header("content-length", "")),
        reply("oci-head", "without a digest", HEAD, |reply| reply.with_header(DIGEST, "")),
        reply("oci-head", "another digest", HEAD, |reply| reply.with_header(DIGEST, "sha512:00")),
        reply("oci-head", "a docker list", HEAD, |reply| {
            reply.with_header("content-type", "application/vnd.docker.distribution.manifest.list.v2+json")
        }),
        content_of("oci-manifest-status", "the index", INDEX, |reply| reply.with_status(404)),
        content_of("oci-manifest-status", "a manifest", MANIFEST, |reply| reply.with_status(404)),
        content_of("oci-digest", "one byte of the index", INDEX, one_byte),
        content_of("oci-digest", "one byte of a manifest", MANIFEST, one_byte),
        content_of("oci-digest", "another name", MANIFEST, |reply| reply.with_header(DIGEST, &spell(&none()))),
        content_of("oci-media-type", "JSON", INDEX, |reply| reply.with_header("content-type", "application/json")),
        content_of("oci-media-type", "nothing", MANIFEST, |reply| reply.with_header("content-type", "")),
        json_at("oci-document", "tags as an object", TAGS, |value| value["tags"] = json!({})),
        blob("oci-blob", "not found", |reply| reply.with_status(404)),
        blob("oci-blob", "without a size", |reply| reply.with_header("content-length", "")),
        blob("oci-blob", "another size", |reply| reply.with_header("content-length", "7")),
    ]
}

/// What is wrong with manifests whose digests are right.
fn documents() -> Vec<Case> {
    vec![
        rebuilt("oci-media-type", "none in the index", |it| {
            drop(it.index.as_object_mut().unwrap().remove("mediaType"));
        }),
        rebuilt("oci-media-type", "another artifact", |it| it.index["artifactType"] = json!("application/x")),
        rebuilt("oci-media-type", "an image of an index", |it| it.linux["mediaType"] = json!(INDEX)),
        rebuilt("oci-media-type", "no artifact", |it| drop(it.linux.as_object_mut().unwrap().remove("artifactType"))),
        rebuilt("oci-media-type", "of a descriptor", |it| it.index["manifests"][1]["mediaType"] = json!(INDEX)),
        rebuilt("oci-document", "no layer", |it| it.linux["layers"] = json!([])),
        rebuilt("oci-document", "two layers", |it| {
            let layer = it.linux["layers"][0].clone();
            it.linux["layers"].as_array_mut().unwrap().push(layer);
        }),
        rebuilt("oci-document", "a tarball", |it| it.linux["layers"][0]["mediaType"] = json!("application/gzip")),
        rebuilt("oci-document", "another algorithm", |it| it.linux["layers"][0]["digest"] = json!("sha512:00")),
        rebuilt("oci-document", "layers as an object", |it| it.linux["layers"] = json!({})),
        rebuilt("oci-document", "manifests as an object", |it| it.index["manifests"] = json!({})),
        rebuilt("oci-platforms", "one less", |it| drop(it.index["manifests"].as_array_mut().unwrap().pop())),
        rebuilt("oci-platforms", "another artifact type", |it| {
            it.index["manifests"][1]["artifactType"] = json!("application/vnd.example.sbom");
        }),
        rebuilt("oci-platforms", "a word", |it| it.index["manifests"][1]["platform"]["os"] = json!("Linux")),
        rebuilt("oci-platforms", "one more", |it| {
            let mut manifest = it.index["manifests"][1].clone();
            manifest["platform"]["architecture"] = json!("arm64");
            it.index["manifests"].as_array_mut().unwrap().push(manifest);
        }),
        rebuilt("oci-platforms", "a variant", |it| {
            let mut manifest = it.index["manifests"][1].clone();
            manifest["platform"]["variant"] = json!("v2");
            it.index["manifests"].as_array_mut().unwrap().push(manifest);
        }),
        rebuilt("oci-platforms", "without one", |it| {
            let mut manifest = it.index["manifests"][1].clone();
            manifest.as_object_mut().unwrap().remove("platform");
            manifest["artifactType"] = json!("application/vnd.example.sbom");
            it.index["manifests"].as_array_mut().unwrap().push(manifest);
        }),
        rebuilt("oci-agrees", "another size", |it| it.linux["layers"][0]["size"] = json!(7)).also(&["oci-blob"]),
        rebuilt("oci-agrees", "another platform's archive", |it| {
            it.index["manifests"][1]["digest"] = it.index["manifests"][0]["digest"].clone();
        }),
    ]
}

fn none() -> Sha256Digest {
    Sha256Digest::of(b"")
}

fn one_byte(reply: Reply) -> Reply {
    let mut body = reply.body.clone();
    if let Some(byte) = body.get_mut(20) {
        *byte ^= 1;
    }
    reply.with_body(body)
}

/// Changes the answers that a manifest of `media_type` is given by its digest.
fn content_of(row: &'static str, name: &'static str, media_type: &'static str, change: fn(Reply) -> Reply) -> Case {
    let wrong = move |ask: &Ask, reply: Reply| {
        let hit = ask.path.contains("/manifests/sha256:") && reply.header("content-type") == Some(media_type);
        Act::Answer(if hit { change(reply) } else { reply })
    };
    Case { row, name, also: &[], providers: &[OWN], wrong: Box::new(move |_| Box::new(wrong)) }
}

/// Changes the heads of blobs.
fn blob(row: &'static str, name: &'static str, change: fn(Reply) -> Reply) -> Case {
    let wrong = move |ask: &Ask, reply: Reply| {
        let hit = ask.method == "HEAD" && ask.path.contains("/blobs/sha256:");
        Act::Answer(if hit { change(reply) } else { reply })
    };
    Case { row, name, also: &[], providers: &[OWN], wrong: Box::new(move |_| Box::new(wrong)) }
}

/// Changes manifests of 1.0.0, with the digests that name them.
fn rebuilt(row: &'static str, name: &'static str, change: fn(&mut Manifests)) -> Case {
    let wrong = move |_: &str| -> Wrong {
        let (index, texts) = rebuild(change);
        Box::new(move |ask: &Ask, reply: Reply| {
            if format!("{} {}", ask.method, ask.path) == HEAD {
                return Act::Answer(reply.with_header(DIGEST, &spell(&index)));
            }
            let digest = ask.path.strip_prefix("/v2/acme/dns/manifests/").and_then(parse_digest);
            let Some((media_type, text)) = digest.and_then(|digest| texts.get(&digest)) else {
                return Act::Answer(reply);
            };
            let headers = vec![("content-type".to_owned(), (*media_type).to_owned())];
            Act::Answer(Reply { status: 200, headers, body: Vec::new() }.with_body(text.clone()))
        })
    };
    Case { row, name, also: &[], providers: &[OWN], wrong: Box::new(wrong) }
}

/// The digest of the changed index, and the texts that are new.
fn rebuild(change: fn(&mut Manifests)) -> (Sha256Digest, BTreeMap<Sha256Digest, (&'static str, String)>) {
    let content = content();
    let provider: yuba::address::ProviderAddress = OWN.parse().unwrap();
    let listed: ProviderDocument = content.get(&DocumentKey::Provider(provider.clone())).unwrap();
    let entry = listed.find(&"1.0.0".parse().unwrap()).unwrap();
    let read = |digest| -> Value {
        let view: OciView = content.get(&DocumentKey::OciView(provider.clone(), digest)).unwrap();
        assert!(!matches!(view.content, OciContent::Layer { .. }));
        serde_json::from_str(manifest(&view.content).unwrap().1).unwrap()
    };
    let index = read(entry.oci_index.unwrap());
    let linux = index["manifests"][1]["digest"].as_str().and_then(parse_digest).unwrap();
    let mut manifests = Manifests { index, linux: read(linux) };
    let before = manifests.linux.clone();
    change(&mut manifests);
    let mut texts = BTreeMap::new();
    if manifests.linux != before {
        let text = manifests.linux.to_string();
        let digest = Sha256Digest::of(text.as_bytes());
        manifests.index["manifests"][1]["digest"] = json!(spell(&digest));
        texts.insert(digest, (MANIFEST, text));
    }
    let text = manifests.index.to_string();
    let index = Sha256Digest::of(text.as_bytes());
    texts.insert(index, (INDEX, text));
    (index, texts)
}
