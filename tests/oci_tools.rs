//! Tools that know nothing of providers pull what `yuba` published: skopeo and crane, from the Worker in workerd, over TLS.
//!
//! Runs inside `scripts/dev --empty --log FILE -- …`, with FILE in `YUBA_REQUEST_LOG`. Every case has a provider of its
//! own for every tool, so that the log tells which requests it caused. Crane asks for no part of a blob, and skopeo only
//! where a connection breaks, so that a download is resumed here by a client without a name.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use serde_json::Value;
use tempfile::TempDir;
use yuba::digest::Sha256Digest;
use yuba::document::{Document as _, ProviderDocument, VersionEntry};
use yuba::keys::DocumentKey;
use yuba::tag::Tag;
use yuba_tests::exchange::{Ask, Reply};
use yuba_tests::publisher::{Publisher, Release};
use yuba_tests::tools::find;
use yuba_tests::workerd::Workerd;

const PLATFORMS: [&str; 3] = ["linux_amd64", "windows_386", "freebsd_arm"];

/// A tool, with a home that it shares with nothing.
struct Tool {
    name: &'static str,
    binary: PathBuf,
    home: TempDir,
    host: String,
}

impl Tool {
    /// What it prints.
    fn run(&self, arguments: &[&str]) -> Vec<u8> {
        let mut command = Command::new(&self.binary);
        command.args(arguments).current_dir(&self.home).env_clear();
        command.env("HOME", self.home.path()).env("XDG_RUNTIME_DIR", self.home.path());
        command.env("SSL_CERT_FILE", std::env::var_os("SSL_CERT_FILE").unwrap_or_default());
        command.env("SSL_CERT_DIR", self.home.path().join("no-certificates"));
        let output = command.output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    }

    /// The manifest that `repository` has under `:TAG` or `@DIGEST`.
    fn manifest(&self, repository: &str, reference: &str) -> Vec<u8> {
        let reference = format!("{}/{repository}{reference}", self.host);
        match self.name {
            "crane" => self.run(&["manifest", &reference]),
            _ => self.run(&["inspect", "--raw", &format!("docker://{reference}")]),
        }
    }

    /// The one layer of the manifest `digest`.
    fn layer(&self, repository: &str, manifest: &str, layer: &str) -> Vec<u8> {
        if self.name == "crane" {
            return self.run(&["blob", &format!("{}/{repository}@{layer}", self.host)]);
        }
        let from = format!("docker://{}/{repository}@{manifest}", self.host);
        // The system's policy on signatures is another matter, and may not be there.
        self.run(&["--insecure-policy", "copy", "--preserve-digests", &from, "dir:copied"]);
        let copied = self.home.path().join("copied");
        assert_eq!(named(&fs::read(copied.join("manifest.json")).unwrap()), manifest);
        fs::read(copied.join(layer.trim_start_matches("sha256:"))).unwrap()
    }

    /// The tags, in the order in which they come.
    fn tags(&self, repository: &str) -> Vec<String> {
        if self.name == "crane" {
            let printed = self.run(&["ls", &format!("{}/{repository}", without_tls())]);
            return String::from_utf8(printed).unwrap().lines().map(str::to_owned).collect();
        }
        let printed = self.run(&["list-tags", &format!("docker://{}/{repository}", self.host)]);
        let printed: Value = serde_json::from_slice(&printed).unwrap();
        printed["Tags"].as_array().unwrap().iter().map(|tag| tag.as_str().unwrap().to_owned()).collect()
    }
}

/// Runs a case for every tool that can be had here.
fn for_each_tool(run: impl Fn(&Publisher, &Tool)) {
    let publisher = match Publisher::find() {
        Ok(publisher) => publisher,
        Err(reason) => return eprintln!("skipped: {reason}"),
    };
    for (variable, name) in [("SKOPEO", "skopeo"), ("CRANE", "crane")] {
        let host = publisher.url().trim_start_matches("https://").to_owned();
        match find(variable) {
            Ok(binary) => run(&publisher, &Tool { name, binary, home: tempfile::tempdir().unwrap(), host }),
            Err(reason) => eprintln!("skipped: {reason}"),
        }
    }
}

/// Where the registry is without TLS: crane takes any name of this machine for a registry that has none, and refuses to
/// follow a `Link` from https, which it found there, to https.
fn without_tls() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            // Crane tries TLS first, which is no request.
            thread::spawn(move || drop(relay(&connection)));
        }
    });
    format!("127.0.0.1:{port}")
}

/// Answers the one request that a connection is used for, as the registry does.
fn relay(mut connection: &TcpStream) -> io::Result<()> {
    let mut lines = BufReader::new(connection).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let Some((request, _)) = request.rsplit_once(' ') else { return Ok(()) };
    let reply = ask(request);
    let kept = reply.headers.iter().filter(|(name, _)| ["content-type", "link"].contains(&name.as_str()));
    let headers: Vec<String> = kept.map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let framing = format!("content-length: {}\r\nconnection: close\r\n\r\n", reply.body.len());
    write!(connection, "HTTP/1.1 {} \r\n{}{framing}", reply.status, headers.concat())?;
    connection.write_all(&reply.body)
}

/// The digest of `content`, as OCI spells it.
fn named(content: &[u8]) -> String {
    format!("sha256:{}", Sha256Digest::of(content))
}

fn ask(text: &str) -> Reply {
    Workerd::find().unwrap().ask(&Ask::new(text))
}

fn digest_at(manifest: &[u8], pointer: &str) -> String {
    let manifest: Value = serde_json::from_slice(manifest).unwrap();
    manifest.pointer(pointer).and_then(Value::as_str).unwrap().to_owned()
}

#[test]
fn an_index_its_manifests_and_their_layers_are_pulled_byte_for_byte() {
    for_each_tool(|registry, tool| {
        let r#type = format!("bytes-{}", tool.name);
        let published = registry.publish(&Release::new(&r#type, "1.0.0-rc.1+build.7").platforms(&PLATFORMS));
        let archives = published.digests().len() - 1;
        assert_eq!(archives, PLATFORMS.len(), "the manifest of the provider is no archive");
        for repository in
            [format!("localhost/acme/{type}"), format!("acme/{type}"), format!("acme/opentofu-provider-{type}")]
        {
            let served = ask(&format!("GET /v2/{repository}/manifests/1.0.0-rc.1_build.7"));
            let index = tool.manifest(&repository, ":1.0.0-rc.1_build.7");
            assert_eq!(index, served.body, "{repository}");
            assert_eq!(served.header("docker-content-digest"), Some(&*named(&index)), "{repository}");
            assert_eq!(tool.manifest(&repository, &format!("@{}", named(&index))), index, "{repository}");
            for entry in 0..archives {
                let name = digest_at(&index, &format!("/manifests/{entry}/digest"));
                let manifest = tool.manifest(&repository, &format!("@{name}"));
                assert_eq!(named(&manifest), name, "{repository}");
                let platform = ["os", "architecture"]
                    .map(|part| digest_at(&index, &format!("/manifests/{entry}/platform/{part}")));
                let archive = published.archive(&platform.join("_"));
                let layer = digest_at(&manifest, "/layers/0/digest");
                assert_eq!(layer, named(&archive), "{repository}");
                assert!(
                    tool.layer(&repository, &name, &layer) == archive,
                    "{repository}: the archive as it was signed"
                );
            }
        }
    });
}

/// Everything that an index leads to, configurations included, as one layout on disk.
#[test]
fn a_whole_release_is_pulled_into_a_layout() {
    for_each_tool(|registry, tool| {
        if tool.name != "crane" {
            // Debian's writes an index anew, without the artifact type, and stops where digests are to be preserved.
            return;
        }
        let published = registry.publish(&Release::new("layout", "1.0.0").platforms(&PLATFORMS));
        tool.run(&["pull", "--format=oci", &format!("{}/acme/layout:1.0.0", tool.host), "layout"]);
        let blobs = tool.home.path().join("layout/blobs/sha256");
        let mut found: Vec<String> = fs::read_dir(&blobs).unwrap().map(|blob| checked(&blob.unwrap().path())).collect();
        found.sort_unstable();
        for platform in PLATFORMS {
            assert!(found.contains(&published.digest(platform).to_string()), "{platform}: {found:?}");
        }
        let (index, manifests, configuration) = (1, PLATFORMS.len(), 1);
        assert_eq!(found.len(), index + manifests + PLATFORMS.len() + configuration, "{found:?}");
    });
}

/// The name of a blob, which its content has.
fn checked(blob: &Path) -> String {
    let name = blob.file_name().unwrap().to_string_lossy().into_owned();
    assert_eq!(Sha256Digest::of(&fs::read(blob).unwrap()).to_string(), name);
    name
}

/// Lists `versions` of a provider beside its one, as if each were the same release: publishing so many takes minutes.
fn list_too(provider: &str, versions: &[String]) {
    let workerd = Workerd::find().unwrap();
    let key = DocumentKey::Provider(provider.parse().unwrap());
    let document = workerd.get(&format!("r2/{}", key.object())).unwrap();
    let document = ProviderDocument::from_json(&document).unwrap();
    let entry = document.versions().next().unwrap().clone();
    let document = versions.iter().fold(document, |document, version| {
        document.with(VersionEntry { version: version.parse().unwrap(), ..entry.clone() })
    });
    let bytes = document.to_json().unwrap();
    workerd.put(&format!("r2/{}", key.object()), &bytes);
    workerd.put(&format!("kv/{key}"), &bytes);
}

/// Crane asks for a thousand at a time and follows `Link`; skopeo asks for all and gets them.
#[test]
fn tags_are_listed_page_by_page() {
    for_each_tool(|registry, tool| {
        let r#type = format!("tags-{}", tool.name);
        registry.publish(&Release::new(&r#type, "1.0.0-RC1+build.7"));
        let mut versions: Vec<String> = (0..2001).map(|number| format!("1.{}.{}", number / 50, number % 50)).collect();
        list_too(&format!("localhost/acme/{type}"), &versions);
        versions.push("1.0.0-RC1+build.7".to_owned());

        let mut expected: Vec<String> = versions.iter().map(|version| version.replace('+', "_")).collect();
        expected.sort_unstable_by(|a, b| Tag::order(a, b));
        assert!(tool.tags(&format!("acme/{type}")) == expected, "{} tags, in the registry's order", tool.name);

        let asked = registry.requests(&r#type);
        let path = format!("GET /v2/acme/{type}/tags/list");
        let pages = match tool.name {
            "crane" => vec![
                format!("{path}?n=1000 200"),
                format!("{path}?n=1000&last={} 200", expected[999]),
                format!("{path}?n=1000&last={} 200", expected[1999]),
            ],
            _ => vec![format!("{path} 200")],
        };
        assert_eq!(asked, pages);
    });
}

#[test]
fn a_download_that_broke_off_is_resumed() {
    let publisher = match Publisher::find() {
        Ok(publisher) => publisher,
        Err(reason) => return eprintln!("skipped: {reason}"),
    };
    let published = publisher.publish(&Release::new("resumed", "1.0.0").platforms(&PLATFORMS));
    let archive = published.archive("linux_amd64");
    for repository in ["localhost/acme/resumed", "acme/resumed", "acme/opentofu-provider-resumed"] {
        let path = format!("/v2/{repository}/blobs/{}", named(&archive));
        let head = ask(&format!("HEAD {path}"));
        assert_eq!(head.header("accept-ranges"), Some("bytes"));
        assert_eq!(head.header("content-length"), Some(&*archive.len().to_string()));
        let (tag, half) = (head.header("etag").unwrap().to_owned(), archive.len() / 2);

        let mut received = ask(&format!("GET {path} | range: bytes=0-{}", half - 1));
        assert_eq!((received.status, received.body.len()), (206, half));
        let rest = ask(&format!("GET {path} | range: bytes={half}- | if-range: {tag}"));
        let range = format!("bytes {half}-{}/{}", archive.len() - 1, archive.len());
        assert_eq!((rest.status, rest.header("content-range")), (206, Some(&*range)));
        assert_eq!(rest.header("docker-content-digest"), Some(&*named(&archive)), "of the whole");
        received.body.extend(rest.body);
        assert!(received.body == archive, "{repository}");

        let other = ask(&format!("GET {path} | range: bytes={half}- | if-range: \"another\""));
        assert!((other.status, other.body) == (200, archive.clone()), "all of it, where it is not the same");
        let behind = ask(&format!("GET {path} | range: bytes={}-", archive.len()));
        assert_eq!(behind.status, 416);
        let error: Value = serde_json::from_slice(&behind.body).unwrap();
        assert_eq!(error.pointer("/errors/0/code"), Some(&"SIZE_INVALID".into()));
    }
}
