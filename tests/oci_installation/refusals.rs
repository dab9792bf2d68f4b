//! What the conformance client refuses, of answers made by hand that are sound but for one thing.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use yuba::digest::Sha256Digest;
use yuba::platform::Platform;
use yuba::serve::Freshness;

use super::{Installed, OciClient, Stopped};
use crate::content::{Content, Release};
use crate::exchange::{Ask, MemoryServer, Reply, Server};
use crate::memory::MemoryStorage;

const ARCHIVE: &[u8] = b"an archive";
const PING: &str = "GET /v2/";
const TAGS: &str = "GET /v2/acme/dns/tags/list";
const TAGGED: &str = "HEAD /v2/acme/dns/manifests/1.0.0";
const INDEX: &str = "GET the index";
const MANIFEST: &str = "GET the manifest";
const BLOB: &str = "GET the blob";

/// What is wrong with a registry.
#[derive(Clone, Copy)]
enum Defect {
    /// The index is changed, and named by its digest.
    Index(fn(&mut Value)),
    /// The manifest is changed, and named by its digest.
    Manifest(fn(&mut Value)),
    /// The answer to a request is changed.
    Answer(&'static str, fn(&mut Reply)),
}

/// A registry that knows its few answers beforehand.
struct Shelf {
    answers: BTreeMap<String, Reply>,
}

impl Server for Shelf {
    fn name(&self) -> &'static str {
        "shelf"
    }

    fn exchange(&mut self, ask: &Ask) -> Reply {
        let unknown =
            || reply(404, "application/json", br#"{"errors":[{"code":"MANIFEST_UNKNOWN","message":"none"}]}"#);
        self.answers.get(&format!("{} {}", ask.method, ask.path)).cloned().unwrap_or_else(unknown)
    }
}

fn reply(status: u16, content_type: &str, body: &[u8]) -> Reply {
    let mut reply = Reply { status, headers: Vec::new(), body: body.to_vec() };
    reply.set("content-type", content_type);
    reply.set("content-length", &body.len().to_string());
    reply
}

impl Reply {
    fn set(&mut self, name: &str, value: &str) {
        self.remove(name);
        self.headers.push((name.to_owned(), value.to_owned()));
    }

    fn remove(&mut self, name: &str) {
        self.headers.retain(|(header, _)| header != name);
    }

    /// Makes it an error with this code.
    fn fail(&mut self, status: u16, code: &str) {
        let body = json!({ "errors": [{ "code": code, "message": "no" }] }).to_string();
        *self = reply(status, "application/json", body.as_bytes());
    }

    /// Gives it another body, of the length that it states.
    fn say(&mut self, body: &str) {
        self.body = body.into();
        self.set("content-length", &body.len().to_string());
    }
}

fn named(media_type: &str, body: &[u8]) -> (String, Reply) {
    let digest = format!("sha256:{}", Sha256Digest::of(body));
    let mut reply = reply(200, media_type, body);
    reply.set("docker-content-digest", &digest);
    (digest, reply)
}

/// The registry of `acme/dns` 1.0.0 for Linux and Windows, with `defects`.
fn shelf(defects: &[Defect]) -> Shelf {
    let (zip, blob) = named("application/octet-stream", ARCHIVE);
    let mut manifest = json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "artifactType": "application/vnd.opentofu.provider-target",
        "layers": [{ "mediaType": "archive/zip", "digest": zip, "size": ARCHIVE.len() }],
    });
    for defect in defects {
        if let Defect::Manifest(change) = defect {
            change(&mut manifest);
        }
    }
    let manifest = manifest.to_string();
    let (target, manifest) = named("application/vnd.oci.image.manifest.v1+json", manifest.as_bytes());
    let entry = |os: &str| {
        json!({
            "mediaType": "application/vnd.oci.image.manifest.v1+json",
            "artifactType": "application/vnd.opentofu.provider-target",
            "digest": target,
            "size": manifest.body.len(),
            "platform": { "os": os, "architecture": "amd64" },
        })
    };
    let mut index = json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.index.v1+json",
        "artifactType": "application/vnd.opentofu.provider",
        "manifests": [entry("linux"), entry("windows")],
    });
    for defect in defects {
        if let Defect::Index(change) = defect {
            change(&mut index);
        }
    }
    let (root, index) = named("application/vnd.oci.image.index.v1+json", index.to_string().as_bytes());
    let head = Reply { body: Vec::new(), ..index.clone() };
    let mut answers = [
        (PING, PING.to_owned(), reply(200, "application/json", b"{}")),
        (TAGS, TAGS.to_owned(), reply(200, "application/json", br#"{"name":"acme/dns","tags":["1.0.0","latest"]}"#)),
        (TAGGED, TAGGED.to_owned(), head),
        (INDEX, format!("GET /v2/acme/dns/manifests/{root}"), index),
        (MANIFEST, format!("GET /v2/acme/dns/manifests/{target}"), manifest),
        (BLOB, format!("GET /v2/acme/dns/blobs/{zip}"), blob),
    ];
    for defect in defects {
        let Defect::Answer(request, change) = defect else { continue };
        answers.iter_mut().filter(|(name, ..)| name == request).for_each(|(_, _, reply)| change(reply));
    }
    Shelf { answers: answers.into_iter().map(|(_, request, reply)| (request, reply)).collect() }
}

fn linux() -> Platform {
    "linux_amd64".parse().unwrap()
}

/// What installing from a registry with `defects` comes to, and in how many requests.
fn install(defects: &[Defect]) -> (Result<Installed, Stopped>, usize) {
    let mut shelf = shelf(defects);
    let mut client = OciClient::new(&mut shelf, "acme/dns");
    let result = client.install("1.0.0", &linux(), &[]);
    let asked = client.asked.len();
    (result, asked)
}

/// Pads an index to this many bytes.
fn pad(index: &mut Value, bytes: usize) {
    index["annotations"] = json!({ "padding": "" });
    let missing = bytes - index.to_string().len();
    index["annotations"]["padding"] = "x".repeat(missing).into();
}

/// A page of tags of this many bytes, without what follows the value.
fn long_page(bytes: usize) -> String {
    let (start, end) = (r#"{"tags":["1.0.0"],"padding":""#, r#""}"#);
    format!("{start}{}{end}", "x".repeat(bytes - start.len() - end.len()))
}

const MIB: usize = 1024 * 1024;

#[test]
fn what_is_sound_installs_in_six_requests() {
    use Defect::{Answer, Index, Manifest};
    let sound: [(&str, &[Defect]); 14] = [
        ("nothing", &[]),
        ("a parameter", &[Answer(TAGGED, |r| r.set("content-type", "application/vnd.oci.image.index.v1+json; x=y"))]),
        ("no length", &[Answer(INDEX, |r| r.remove("content-length")), Answer(BLOB, |r| r.remove("content-length"))]),
        ("no digest", &[Answer(INDEX, |r| r.remove("docker-content-digest"))]),
        ("ranges", &[Answer(BLOB, |r| r.set("accept-ranges", "bytes"))]),
        ("a blob of any type", &[Answer(BLOB, |r| r.remove("content-type"))]),
        ("the largest index", &[Index(|index| pad(index, 5 * MIB - 1))]),
        ("the largest page", &[Answer(TAGS, |r| r.say(&long_page(4 * MIB)))]),
        ("something after the page", &[Answer(TAGS, |r| r.say(r#"{"tags":["1.0.0"]} and more"#))]),
        ("a signature in the index", &[Index(|index| index["manifests"][1] = json!({ "artifactType": "x/y" }))]),
        ("a variant", &[Index(|index| index["manifests"][0]["platform"]["variant"] = "v1".into())]),
        (
            "a system's version",
            &[Index(|index| {
                let mut entry = index["manifests"][0].clone();
                entry["platform"]["os.version"] = "10".into();
                index["manifests"].as_array_mut().unwrap().push(entry);
            })],
        ),
        (
            "another layer",
            &[Manifest(|manifest| {
                manifest["layers"].as_array_mut().unwrap().push(json!({ "mediaType": "text/plain" }));
            })],
        ),
        (
            "a layer's platform",
            &[Manifest(|manifest| {
                manifest["layers"][0]["platform"] = json!({ "os": "linux", "architecture": "amd64" });
            })],
        ),
    ];
    for (name, defects) in sound {
        let (installed, asked) = install(defects);
        assert_eq!(installed.map(|installed| installed.archive), Ok(ARCHIVE.to_vec()), "{name}");
        assert_eq!(asked, 6, "{name}");
    }
}

#[test]
fn where_the_provider_or_the_platform_is_missing_the_next_source_is_asked() {
    use Defect::{Answer, Index};
    let no_provider = [
        ("no protocol", Answer(PING, |r| r.fail(404, "UNSUPPORTED")), 1),
        ("unknown", Answer(TAGS, |r| r.fail(404, "NAME_UNKNOWN")), 2),
        ("invalid", Answer(TAGS, |r| r.fail(404, "NAME_INVALID")), 2),
        ("unknown, at any status", Answer(TAGS, |r| r.fail(401, "NAME_UNKNOWN")), 2),
        ("no errors", Answer(TAGS, |r| *r = reply(404, "text/html", b"<h1>Not Found</h1>")), 2),
        ("errors without form", Answer(TAGS, |r| *r = reply(404, "application/json", br#"{"errors":["none"]}"#)), 2),
        (
            "errors that are not read to their end",
            Answer(TAGS, |r| {
                r.fail(404, "DENIED");
                r.say(
                    &r#"{"errors":[{"code":"DENIED","message":""}]}"#
                        .replace(r#""""#, &format!("\"{}\"", "x".repeat(9000))),
                );
            }),
            2,
        ),
    ];
    for (name, defect, expected) in no_provider {
        assert_eq!(install(&[defect]), (Err(Stopped::NoProvider), expected), "{name}");
    }
    let no_platform = [
        ("another system", Index(|index| index["manifests"][0]["platform"]["os"] = "plan9".into())),
        ("another architecture", Index(|index| index["manifests"][0]["platform"]["architecture"] = "arm".into())),
        ("a system's version", Index(|index| index["manifests"][0]["platform"]["os.version"] = "10".into())),
    ];
    for (name, defect) in no_platform {
        assert_eq!(install(&[defect]), (Err(Stopped::NoPlatform), 4), "{name}");
    }
    let none = Err(Stopped::NoVersion(vec!["1.1.0".to_owned()]));
    assert_eq!(install(&[Answer(TAGS, |r| r.say(r#"{"tags":["1.1.0","latest","v1.0.0"]}"#))]), (none, 2));
    let null = Answer(TAGS, |r| r.say(r#"{"tags":null}"#));
    assert_eq!(install(&[null]), (Err(Stopped::NoVersion(Vec::new())), 2));
}

/// A defect, the requests until it is met, and what is said of it.
type Row = (&'static str, Defect, usize, &'static str);

fn assert_fatal(rows: &[Row]) {
    for (name, defect, asked, message) in rows {
        let (result, count) = install(&[*defect]);
        let Err(Stopped::Fatal(reason)) = result else { panic!("{name}: {result:?}") };
        assert!(reason.contains(message), "{name}: {reason}");
        assert_eq!(count, *asked, "{name}: {reason}");
    }
}

#[test]
fn what_is_wrong_with_the_list_of_tags_is_fatal() {
    use Defect::Answer;
    assert_fatal(&[
        ("login", Answer(PING, |r| r.fail(401, "UNAUTHORIZED")), 1, "failed to contact the registry: 401 UNAUTHORIZED"),
        ("outage", Answer(PING, |r| r.fail(503, "UNAVAILABLE")), 1, "failed to contact the registry: 503"),
        (
            "another code",
            Answer(TAGS, |r| r.fail(404, "MANIFEST_UNKNOWN")),
            2,
            "listing tags: 404 MANIFEST_UNKNOWN: no",
        ),
        ("denied", Answer(TAGS, |r| r.fail(403, "DENIED")), 2, "listing tags: 403 DENIED: no"),
        ("too many", Answer(TAGS, |r| r.fail(429, "TOOMANYREQUESTS")), 2, "listing tags: 429"),
        ("created", Answer(TAGS, |r| r.status = 201), 2, "listing tags: 201"),
        ("no JSON", Answer(TAGS, |r| r.say("tags")), 2, "a page of tags cannot be read"),
        ("no list", Answer(TAGS, |r| r.say(r#"{"tags":"1.0.0"}"#)), 2, "a page of tags cannot be read"),
        ("empty", Answer(TAGS, |r| r.say("")), 2, "a page of tags cannot be read"),
        ("page too long", Answer(TAGS, |r| r.say(&long_page(4 * MIB + 1))), 2, "cannot be read within 4194304 bytes"),
        ("page without end", Answer(TAGS, |r| r.set("link", "<list>; rel=\"next\"")), 2, "start again at"),
        ("large number", Answer(TAGS, |r| r.say(r#"{"tags":["99999999999999999999"]}"#)), 2, "crashes OpenTofu"),
    ]);
}

#[test]
fn what_is_wrong_with_a_tag_is_fatal() {
    use Defect::Answer;
    assert_fatal(&[
        ("absent", Answer(TAGGED, |r| r.fail(404, "MANIFEST_UNKNOWN")), 3, "resolving tag `1.0.0`: 404"),
        ("outage", Answer(TAGGED, |r| r.fail(503, "UNAVAILABLE")), 3, "resolving tag `1.0.0`: 503"),
        ("no type", Answer(TAGGED, |r| r.remove("content-type")), 3, "no Content-Type"),
        ("no length", Answer(TAGGED, |r| r.remove("content-length")), 3, "no Content-Length"),
        ("no digest", Answer(TAGGED, |r| r.remove("docker-content-digest")), 3, "no Docker-Content-Digest"),
        ("no digest in it", Answer(TAGGED, |r| r.set("docker-content-digest", "md5:00")), 3, "`md5:00` is none"),
        (
            "a manifest",
            Answer(TAGGED, |r| r.set("content-type", "application/vnd.oci.image.manifest.v1+json")),
            3,
            "and no index",
        ),
        (
            "Docker's list",
            Answer(TAGGED, |r| {
                r.set("content-type", "application/vnd.docker.distribution.manifest.list.v2+json");
            }),
            3,
            "and no index",
        ),
        ("too long", Answer(TAGGED, |r| r.set("content-length", "5242880")), 3, "5242880 bytes exceeds 4 MiB"),
        (
            "another digest",
            Answer(TAGGED, |r| {
                r.set("docker-content-digest", &format!("sha256:{}", Sha256Digest::of(b"another")));
            }),
            4,
            "404 MANIFEST_UNKNOWN",
        ),
    ]);
}

#[test]
fn what_is_wrong_with_an_index_is_fatal() {
    use Defect::{Answer, Index};
    assert_fatal(&[
        ("gone", Answer(INDEX, |r| r.fail(404, "MANIFEST_UNKNOWN")), 4, ": 404 MANIFEST_UNKNOWN"),
        ("another type", Answer(INDEX, |r| r.set("content-type", "application/json")), 4, "is `application/json`, not"),
        ("no type", Answer(INDEX, |r| r.remove("content-type")), 4, "no Content-Type"),
        ("another length", Answer(INDEX, |r| r.set("content-length", "7")), 4, "has Content-Length 7"),
        (
            "another digest",
            Answer(INDEX, |r| {
                r.set("docker-content-digest", &format!("sha256:{}", Sha256Digest::of(b"another")));
            }),
            4,
            "has Docker-Content-Digest",
        ),
        (
            "cut short",
            Answer(INDEX, |r| {
                r.remove("content-length");
                r.body.pop();
            }),
            4,
            "were announced",
        ),
        ("another content", Answer(INDEX, |r| r.body[0] = b' '), 4, "content has the SHA-256"),
        ("no JSON", Index(|index| *index = "text".into()), 4, "invalid manifest content"),
        (
            "no media type",
            Index(|index| drop(index.as_object_mut().unwrap().remove("mediaType"))),
            4,
            "says that it is ``",
        ),
        (
            "no artifact type",
            Index(|index| drop(index.as_object_mut().unwrap().remove("artifactType"))),
            4,
            "it is ``, not",
        ),
        (
            "a module",
            Index(|index| index["artifactType"] = "application/vnd.opentofu.modulepkg".into()),
            4,
            "modulepkg",
        ),
        (
            "no platform",
            Index(|index| drop(index["manifests"][1].as_object_mut().unwrap().remove("platform"))),
            4,
            "an entry of the index has no platform",
        ),
        (
            "an index in it",
            Index(|index| {
                index["manifests"][1]["mediaType"] = "application/vnd.oci.image.index.v1+json".into();
            }),
            4,
            "and no manifest",
        ),
        (
            "variants",
            Index(|index| {
                index["manifests"][1] = index["manifests"][0].clone();
                index["manifests"][1]["platform"]["variant"] = "v7".into();
            }),
            4,
            "the index has 2 entries for linux_amd64",
        ),
        ("nothing in it", Index(|index| index["manifests"] = json!([])), 4, "is this a container image?"),
        (
            "entries without type",
            Index(|index| {
                for entry in index["manifests"].as_array_mut().unwrap() {
                    entry.as_object_mut().unwrap().remove("artifactType");
                }
            }),
            4,
            "is this a container image?",
        ),
        (
            "entries of a type",
            Index(|index| {
                for entry in index["manifests"].as_array_mut().unwrap() {
                    entry["artifactType"] = "x/y".into();
                }
            }),
            4,
            "the index is of `x/y`",
        ),
    ]);
}

#[test]
fn what_is_wrong_with_a_manifest_is_fatal() {
    use Defect::{Answer, Index, Manifest};
    assert_fatal(&[
        ("too long", Index(|index| index["manifests"][0]["size"] = 5_242_880.into()), 4, "exceeds 4 MiB"),
        ("another size", Index(|index| index["manifests"][0]["size"] = 7.into()), 5, "and 7 bytes were announced"),
        ("another algorithm", Index(|index| index["manifests"][0]["digest"] = "sha512:00".into()), 5, "404"),
        ("gone", Answer(MANIFEST, |r| r.fail(404, "MANIFEST_UNKNOWN")), 5, ": 404 MANIFEST_UNKNOWN"),
        ("denied", Answer(MANIFEST, |r| r.fail(403, "DENIED")), 5, ": 403 DENIED: no"),
        ("another type", Answer(MANIFEST, |r| r.set("content-type", "text/plain")), 5, "is `text/plain`, not"),
        ("no media type", Manifest(|m| drop(m.as_object_mut().unwrap().remove("mediaType"))), 5, "says that it is ``"),
        ("no artifact type", Manifest(|m| drop(m.as_object_mut().unwrap().remove("artifactType"))), 5, "it is ``, not"),
        ("no layers", Manifest(|m| drop(m.as_object_mut().unwrap().remove("layers"))), 5, "0 of 0 layers are"),
        ("a tar", Manifest(|m| m["layers"][0]["mediaType"] = "application/x-tar".into()), 5, "0 of 1 layers are"),
        (
            "two archives",
            Manifest(|m| {
                m["layers"] = json!([m["layers"][0].clone(), m["layers"][0].clone()]);
            }),
            5,
            "2 of 2 layers are",
        ),
        (
            "a layer for another",
            Manifest(|m| {
                m["layers"][0]["platform"] = json!({ "os": "plan9", "architecture": "386" });
            }),
            5,
            "the layer is for plan9_386, not linux_amd64",
        ),
    ]);
}

#[test]
fn what_is_wrong_with_an_archive_is_fatal() {
    use Defect::{Answer, Manifest};
    assert_fatal(&[
        ("another algorithm", Manifest(|m| m["layers"][0]["digest"] = "sha512:00".into()), 5, "not a SHA-256 digest"),
        (
            "upper case",
            Manifest(|m| {
                m["layers"][0]["digest"] = m["layers"][0]["digest"].as_str().unwrap().to_uppercase().into();
            }),
            5,
            "not a SHA-256 digest",
        ),
        ("gone", Answer(BLOB, |r| r.fail(404, "BLOB_UNKNOWN")), 6, ": 404 BLOB_UNKNOWN"),
        ("a part", Answer(BLOB, |r| r.status = 206), 6, ": 206"),
        ("another length", Answer(BLOB, |r| r.set("content-length", "7")), 6, "has Content-Length 7"),
        ("another size", Manifest(|m| m["layers"][0]["size"] = 11.into()), 6, "and 11 bytes were announced"),
        (
            "cut short",
            Answer(BLOB, |r| {
                r.remove("content-length");
                r.body.pop();
            }),
            6,
            "an answer has 9 bytes, and 10 were announced",
        ),
        ("another content", Answer(BLOB, |r| r.body[0] = b'A'), 6, "content has the SHA-256"),
    ]);
}

#[test]
fn a_floating_tag_is_taken_for_a_version_that_is_not_there() {
    let floating = [
        Defect::Answer(TAGS, |r| r.say(r#"{"tags":["1"]}"#)),
        Defect::Answer(TAGGED, |r| r.fail(404, "MANIFEST_UNKNOWN")),
    ];
    let reason = "resolving tag `1.0.0`: 404 MANIFEST_UNKNOWN: no";
    assert_eq!(install(&floating), (Err(Stopped::Fatal(reason.to_owned())), 3));
}

#[test]
fn what_the_lock_file_does_not_list_is_not_downloaded() {
    let mut shelf = shelf(&[]);
    let zh = format!("zh:{}", Sha256Digest::of(ARCHIVE));
    let mut client = OciClient::new(&mut shelf, "acme/dns");
    assert_eq!(client.install("1.0.0", &linux(), &["h1:any", &zh]).map(|installed| installed.zh), Ok(zh));
    for locked in ["h1:any", "zh:00"] {
        let asked = client.asked.len();
        let result = client.install("1.0.0", &linux(), &[locked]);
        assert!(matches!(&result, Err(Stopped::Fatal(reason)) if reason.contains("lock file")), "{result:?}");
        assert_eq!(client.asked.len() - asked, 5, "no blob");
    }
}

#[test]
fn pages_are_followed_wherever_they_lead() {
    let mut shelf = shelf(&[Defect::Answer(TAGS, |r| {
        r.say(r#"{"tags":["1.1.0"]}"#);
        r.set("link", "<list?last=1.1.0>; rel=\"next\"");
    })]);
    let last = reply(200, "application/json", br#"{"tags":["1.0.0"]}"#);
    shelf.answers.insert(format!("{TAGS}?last=1.1.0"), last);
    let mut client = OciClient::new(&mut shelf, "acme/dns");
    assert!(client.install("1.0.0", &linux(), &[]).is_ok());
    assert_eq!(client.asked[..3], [PING.to_owned(), TAGS.to_owned(), format!("{TAGS}?last=1.1.0")]);
}

/// The registry itself, without a runtime: what `oci_conformance.rs` asks of the Worker.
#[test]
fn the_registry_is_sound_in_every_mapping() {
    let provider = "localhost/acme/dns";
    let release = Release::new(provider, "1.1.0");
    let mut server = MemoryServer::new(MemoryStorage::new(&Content::sample()), Freshness::DEPLOYED);
    for repository in [provider, "acme/dns", "acme/opentofu-provider-dns"] {
        let mut client = OciClient::new(&mut server, repository);
        let installed = client.install("1.1.0", &linux(), &[]).unwrap();
        assert_eq!(installed.archive, release.archive(&linux()), "{repository}");
        assert_eq!(client.asked.len(), 6, "{repository}");
        let built = OciClient::new(&mut server, repository).install("2.0.0-rc.1+build.7", &linux(), &[]);
        assert!(built.is_ok(), "{repository}: {built:?}");
    }
    for repository in
        ["acme/none", "none/dns", "none.example/acme/dns", "dns", "Acme/dns", "acme/dns/or/more", "secret/dns"]
    {
        let result = OciClient::new(&mut server, repository).install("1.1.0", &linux(), &[]);
        assert_eq!(result, Err(Stopped::NoProvider), "{repository}");
    }
}
