//! Registries with one thing wrong, by the row that finds it.

use serde_json::{Value, json};
use yuba_tests::double::{Act, Wrong};
use yuba_tests::exchange::{Ask, Reply};
use yuba_tests::releases::keys::armor_signature;
use yuba_tests::releases::{Key, KeySpec, SIGNED_AT, SignatureSpec};

use crate::{KEY, MIRRORED, OWN, oci_cases};

/// A registry with one thing wrong.
pub(crate) struct Case {
    /// The row that finds it.
    pub(crate) row: &'static str,
    /// What is wrong.
    pub(crate) name: &'static str,
    /// Rows that it breaks as well.
    pub(crate) also: &'static [&'static str],
    /// Which providers are inspected.
    pub(crate) providers: &'static [&'static str],
    /// What is wrong, once more.
    pub(crate) wrong: Box<dyn FnOnce(&str) -> Wrong>,
}

impl Case {
    pub(crate) fn also(mut self, rows: &'static [&'static str]) -> Self {
        self.also = rows;
        self
    }

    pub(crate) fn of(mut self, providers: &'static [&'static str]) -> Self {
        self.providers = providers;
        self
    }
}

/// Changes the answers to requests whose `METHOD PATH` ends in `end`.
pub(crate) fn reply(row: &'static str, name: &'static str, end: &'static str, change: fn(Reply) -> Reply) -> Case {
    let wrong = move |ask: &Ask, reply: Reply| {
        let hit = format!("{} {}", ask.method, ask.path).ends_with(end);
        Act::Answer(if hit { change(reply) } else { reply })
    };
    Case { row, name, also: &[], providers: &[OWN], wrong: Box::new(move |_| Box::new(wrong)) }
}

/// Changes the JSON in such answers.
pub(crate) fn json_at(row: &'static str, name: &'static str, end: &'static str, change: fn(&mut Value)) -> Case {
    let wrong = move |ask: &Ask, reply: Reply| {
        if !format!("{} {}", ask.method, ask.path).ends_with(end) {
            return Act::Answer(reply);
        }
        let mut value: Value = serde_json::from_slice(&reply.body).unwrap();
        change(&mut value);
        Act::Answer(reply.with_body(value.to_string()))
    };
    Case { row, name, also: &[], providers: &[OWN], wrong: Box::new(move |_| Box::new(wrong)) }
}

/// Signs SHA256SUMS of 1.0.0 anew, after `sums` changed it, by the key that packages then come with.
fn signed(
    row: &'static str,
    name: &'static str,
    signer: fn() -> Key,
    sums: fn(Vec<u8>) -> Vec<u8>,
    signature: fn(Vec<u8>) -> Vec<u8>,
) -> Case {
    let wrong = move |_: &str| -> Wrong {
        let key = signer();
        let mut document = Vec::new();
        Box::new(move |ask: &Ask, reply: Reply| {
            if ask.path.contains("/1.0.0/download/") {
                let mut value: Value = serde_json::from_slice(&reply.body).unwrap();
                value["signing_keys"]["gpg_public_keys"][0]["ascii_armor"] = json!(key.ascii_armor());
                return Act::Answer(reply.with_body(value.to_string()));
            }
            if ask.path.ends_with("1.0.0_SHA256SUMS") {
                document = sums(reply.body.clone());
                return Act::Answer(reply.with_body(document.clone()));
            }
            if ask.path.ends_with("1.0.0_SHA256SUMS.sig") {
                let binary = key.sign(&document, &SignatureSpec::at(SIGNED_AT.parse().unwrap()));
                return Act::Answer(reply.with_body(signature(binary)));
            }
            Act::Answer(reply)
        })
    };
    Case { row, name, also: &[], providers: &[OWN], wrong: Box::new(wrong) }
}

fn acme() -> Key {
    KEY.clone()
}

fn same(bytes: Vec<u8>) -> Vec<u8> {
    bytes
}

fn short_lived() -> Key {
    let lifetime = Some(jiff::SignedDuration::from_hours(60 * 24));
    KeySpec { lifetime, ..KeySpec::new("short-lived") }.build()
}

fn packages_of(value: &mut Value, platform: &str) -> Value {
    value["packages"][platform].clone()
}

const WELL_KNOWN: &str = "/.well-known/terraform.json";
const VERSIONS: &str = "/v1/providers/acme/dns/versions";
const LINUX: &str = "/1.0.0/download/linux/amd64";
const DARWIN: &str = "/1.0.0/download/darwin/arm64";
const SUMS: &str = "/1.0.0/terraform-provider-dns_1.0.0_SHA256SUMS";
const SIGNATURE: &str = "/1.0.0/terraform-provider-dns_1.0.0_SHA256SUMS.sig";
const ARCHIVE: &str = "terraform-provider-dns_1.0.0_linux_amd64.zip";
const INDEX: &str = "/mirror/127.0.0.1/acme/dns/index.json";
const MIRROR: &str = "/mirror/127.0.0.1/acme/dns/1.0.0.json";

/// Every case, in the order of the rows.
pub(crate) fn all() -> Vec<Case> {
    [discovery(), versions(), packages(), signed_files(), archives(), mirror(), oci_cases::all()]
        .into_iter()
        .flatten()
        .collect()
}

fn discovery() -> Vec<Case> {
    vec![
        reply("discovery-status", "not found", WELL_KNOWN, |reply| reply.with_status(404)),
        reply("discovery-status", "login", WELL_KNOWN, |reply| reply.with_status(403)),
        reply("discovery-type", "text", WELL_KNOWN, |reply| reply.with_header("content-type", "text/plain")),
        reply("discovery-document", "a page", WELL_KNOWN, |reply| reply.with_body("<html>")),
        json_at("discovery-service", "modules alone", WELL_KNOWN, |value| *value = json!({"modules.v1": "/"})),
        json_at("discovery-url", "ftp", WELL_KNOWN, |value| value["providers.v1"] = json!("ftp://a.example/")),
        json_at("discovery-slash", "no slash", WELL_KNOWN, |value| value["providers.v1"] = json!("/v1/providers"))
            .also(&["versions-status"]),
        json_at("discovery-oci", "a URL", WELL_KNOWN, |value| {
            value["oci-providers.v1"] = json!("https://a.example/{namespace}/{type}");
        }),
        json_at("discovery-oci", "a number", WELL_KNOWN, |value| value["oci-providers.v1"] = json!(1)),
    ]
}

fn versions() -> Vec<Case> {
    vec![
        reply("versions-status", "not found", VERSIONS, |reply| reply.with_status(404)),
        reply("versions-status", "login", VERSIONS, |reply| reply.with_status(401)),
        json_at("versions-document", "a number among the warnings", VERSIONS, |value| value["warnings"] = json!([1])),
        json_at("versions-empty", "null", VERSIONS, |value| value["versions"] = Value::Null)
            .also(&["mirror-versions", "oci-tags"]),
        json_at("versions-syntax", "leading v", VERSIONS, |value| {
            let mut entry = value["versions"][0].clone();
            entry["version"] = json!("v3.0.0");
            value["versions"].as_array_mut().unwrap().push(entry);
        }),
        json_at("versions-twice", "the same", VERSIONS, |value| {
            let entry = value["versions"][0].clone();
            value["versions"].as_array_mut().unwrap().push(entry);
        }),
        json_at("versions-protocols", "others than the package's", VERSIONS, |value| {
            value["versions"][0]["protocols"] = json!(["5.0"]);
        }),
        json_at("versions-protocols", "none", VERSIONS, |value| value["versions"][0]["protocols"] = json!([])),
        json_at("versions-platforms", "a variant", VERSIONS, |value| {
            let platforms = value["versions"][0]["platforms"].as_array_mut().unwrap();
            platforms.push(json!({"os": "linux", "arch": "amd64_v1"}));
        }),
        json_at("versions-platforms", "none", VERSIONS, |value| value["versions"][0]["platforms"] = json!([]))
            .also(&["mirror-platforms", "oci-platforms"]),
    ]
}

fn packages() -> Vec<Case> {
    vec![
        reply("package-status", "not found", LINUX, |reply| reply.with_status(404)),
        json_at("package-document", "a null among the keys", LINUX, |value| {
            value["signing_keys"]["gpg_public_keys"] = json!([null]);
        }),
        json_at("package-protocols", "4.0 alone", LINUX, |value| value["protocols"] = json!(["4.0"]))
            .also(&["versions-protocols"]),
        json_at("package-protocols", "a word", LINUX, |value| value["protocols"] = json!(["banana", "6.0"]))
            .also(&["versions-protocols"]),
        json_at("package-platform", "another", LINUX, |value| value["arch"] = json!("arm64")),
        json_at("package-url", "no sums", LINUX, |value| drop(value.as_object_mut().unwrap().remove("shasums_url"))),
        json_at("package-url", "a file", LINUX, |value| value["download_url"] = json!("file:///etc/passwd")),
        json_at("package-digest", "upper case", LINUX, |value| {
            value["shasum"] = json!(value["shasum"].as_str().unwrap().to_uppercase());
        }),
        json_at("package-hashes", "no scheme", LINUX, |value| {
            value["packages"]["linux_amd64"]["hashes"] = json!(["abc"]);
        }),
        json_at("package-hashes", "no size", LINUX, |value| {
            value["packages"]["linux_amd64"]["package_size"] = json!(0);
        }),
        json_at("package-hashes", "another platform only", LINUX, |value| {
            value["packages"] = json!({ "darwin_arm64": packages_of(value, "darwin_arm64") });
        }),
        json_at("package-agrees", "another shasum", LINUX, |value| value["shasum"] = json!("0".repeat(64))).also(&[
            "archive-digest",
            "mirror-hashes",
            "oci-agrees",
        ]),
        json_at("package-agrees", "another size elsewhere", DARWIN, |value| {
            value["packages"]["linux_amd64"]["package_size"] = json!(7);
        }),
        json_at("package-keys", "none", LINUX, |value| value["signing_keys"]["gpg_public_keys"] = json!([])),
        json_at("package-keys", "damaged", LINUX, |value| {
            value["signing_keys"]["gpg_public_keys"][0]["ascii_armor"] = json!("-----BEGIN PGP");
        }),
        json_at("zip-twins", "one package for two", LINUX, |value| {
            let twin = packages_of(value, "darwin_arm64");
            let zh = twin["hashes"][0].as_str().unwrap().trim_start_matches("zh:").to_owned();
            value["filename"] = json!(value["filename"].as_str().unwrap().replace("linux_amd64", "darwin_arm64"));
            value["shasum"] = json!(zh);
            value["packages"]["linux_amd64"] = twin;
        })
        .also(&["archive-digest", "mirror-hashes", "oci-agrees", "package-agrees"]),
    ]
}

fn signed_files() -> Vec<Case> {
    vec![
        reply("sums-status", "not found", SUMS, |reply| reply.with_status(404)),
        reply("signature-status", "not found", SIGNATURE, |reply| reply.with_status(404)),
        signed("signature-binary", "armored", acme, same, |binary| armor_signature(&binary)),
        signed("signature-valid", "another's bytes", acme, same, |_| {
            KEY.sign(b"another", &SignatureSpec::at(SIGNED_AT.parse().unwrap()))
        }),
        signed("signature-packet", "a page", acme, same, |_| b"<html>".to_vec()),
        signed("signature-offered-key", "another key", acme, same, |_| {
            Key::new("stranger").sign(b"another", &SignatureSpec::at(SIGNED_AT.parse().unwrap()))
        }),
        json_at("signature-offered-key", "another key for one platform", LINUX, |value| {
            value["signing_keys"]["gpg_public_keys"][0]["ascii_armor"] = json!(Key::new("stranger").ascii_armor());
        }),
        signed("signature-age", "an expired key", short_lived, same, same),
        signed("sums-blank-line", "at the end", acme, |sums| [sums, b"\n".to_vec()].concat(), same),
        signed(
            "sums-binary-mark",
            "every line",
            acme,
            |sums| String::from_utf8(sums).unwrap().replace("  ", " *").into_bytes(),
            same,
        ),
        signed(
            "sums-unlisted",
            "one line less",
            acme,
            |sums| {
                let text = String::from_utf8(sums).unwrap();
                text.split_inclusive('\n').filter(|line| !line.contains("linux")).collect::<String>().into_bytes()
            },
            same,
        ),
        signed(
            "sums-absent-file",
            "one line more",
            acme,
            |sums| {
                let line = format!("{}  terraform-provider-dns_1.0.0_windows_386.zip\n", "0".repeat(64));
                [sums, line.into_bytes()].concat()
            },
            same,
        ),
    ]
}

fn archives() -> Vec<Case> {
    vec![
        reply("archive-status", "not found", ARCHIVE, |reply| reply.with_status(404)),
        json_at("archive-size", "another everywhere", "/download/linux/amd64", |value| {
            value["packages"]["linux_amd64"]["package_size"] = json!(7);
        })
        .also(&["oci-agrees", "package-agrees"]),
        reply("archive-digest", "one byte", ARCHIVE, |mut reply| {
            if let Some(byte) = reply.body.get_mut(100) {
                *byte ^= 1;
            }
            reply
        }),
        json_at("archive-content-hash", "another", LINUX, |value| {
            value["packages"]["linux_amd64"]["hashes"][1] = packages_of(value, "darwin_arm64")["hashes"][1].clone();
        })
        .also(&["mirror-hashes", "package-agrees"]),
        head("refused", |reply| reply.with_status(405)),
        head("without a size", |reply| reply.with_header("content-length", "")),
        range("ignored", |reply| reply.with_status(200)),
        range("other bytes", |mut reply| {
            reply.body.reverse();
            reply
        }),
        range("another part", |reply| reply.with_header("content-range", "bytes 0-63/64")),
    ]
}

/// Changes the answer to the archive's HEAD.
fn head(name: &'static str, change: fn(Reply) -> Reply) -> Case {
    asked("archive-head", name, |ask| ask.method == "HEAD", change)
}

/// Changes the answer to a range of the archive.
fn range(name: &'static str, change: fn(Reply) -> Reply) -> Case {
    asked("archive-range", name, |ask| ask.header("range").is_some(), change)
}

fn asked(row: &'static str, name: &'static str, is_it: fn(&Ask) -> bool, change: fn(Reply) -> Reply) -> Case {
    let wrong = move |ask: &Ask, reply: Reply| {
        let hit = ask.path.ends_with(ARCHIVE) && is_it(ask);
        Act::Answer(if hit { change(reply) } else { reply })
    };
    Case { row, name, also: &[], providers: &[OWN], wrong: Box::new(move |_| Box::new(wrong)) }
}

fn mirror() -> Vec<Case> {
    vec![
        reply("mirror-index", "not found", INDEX, |reply| reply.with_status(404)),
        reply("mirror-index", "of a mirrored provider", "mirrored.example/acme/dns/index.json", |reply| {
            reply.with_status(404)
        })
        .of(&[MIRRORED]),
        reply("mirror-status", "not found", MIRROR, |reply| reply.with_status(404)),
        reply("mirror-type", "text", MIRROR, |reply| reply.with_header("content-type", "text/json")),
        reply("mirror-type", "of the index", INDEX, |reply| reply.with_header("content-type", "")),
        json_at("mirror-document", "a list", MIRROR, |value| value["archives"] = json!([])),
        json_at("mirror-versions", "one less", INDEX, |value| {
            value["versions"].as_object_mut().unwrap().remove("2.0.0-rc.1+build.7");
        }),
        json_at("mirror-versions", "one more", INDEX, |value| value["versions"]["9.0.0"] = json!({})),
        json_at("mirror-platforms", "one less", MIRROR, |value| {
            value["archives"].as_object_mut().unwrap().remove("linux_amd64");
        }),
        json_at("mirror-platforms", "one more", MIRROR, |value| {
            value["archives"]["linux_arm"] = value["archives"]["linux_amd64"].clone();
        })
        .also(&["executable-platform"]),
        json_at("mirror-platforms", "none of a mirrored provider", "mirrored.example/acme/dns/3.0.0.json", |value| {
            value["archives"] = json!({});
        })
        .of(&[MIRRORED])
        .also(&["oci-platforms"]),
        json_at("mirror-url", "ftp", MIRROR, |value| {
            value["archives"]["linux_amd64"]["url"] = json!("ftp://a.example/a.zip");
        }),
        json_at("mirror-hashes", "no scheme", MIRROR, |value| {
            value["archives"]["linux_amd64"]["hashes"] = json!(["abc"]);
        }),
        json_at("mirror-hashes", "no h1", MIRROR, |value| {
            value["archives"]["linux_amd64"]["hashes"].as_array_mut().unwrap().pop();
        }),
        json_at("mirror-hashes", "another zh", MIRROR, |value| {
            value["archives"]["linux_amd64"]["hashes"][0] = value["archives"]["darwin_arm64"]["hashes"][0].clone();
        }),
        reply("mirror-unknown", "not found", "0.0.0-yuba.verify.json", |reply| reply.with_status(404)),
        reply("archive-digest", "of a mirrored provider", "dns_3.0.0_linux_amd64.zip", |mut reply| {
            reply.body.reverse();
            reply
        })
        .of(&[MIRRORED]),
    ]
}
