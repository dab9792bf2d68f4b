//! A directory of its own for each test, in which the real command runs.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;
use yuba::document::{ProviderDocument, VersionEntry};
use yuba_tests::cloudflare::{Cloudflare, TOKEN};
use yuba_tests::digests::number_digests;
use yuba_tests::releases::{Key, Release};

pub(crate) struct Sandbox {
    directory: TempDir,
    environment: Vec<(&'static str, String)>,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self { directory: tempfile::tempdir().unwrap(), environment: Vec::new() }
    }

    /// A sandbox in which a key is registered in `dir:registry`, for `registry.example/acme`.
    pub(crate) fn with_registry() -> Self {
        let sandbox = Self::new();
        sandbox.write("wrangler.toml", "[vars]\nREGISTRY_HOSTNAME = \"registry.example\"\n");
        sandbox.write("KEY.asc", &Key::new("acme").ascii_armor());
        sandbox.run(&["key", "add", "--namespace", "acme", "--target", "dir:registry", "KEY.asc"]);
        sandbox
    }

    pub(crate) fn set(mut self, variable: &'static str, value: &str) -> Self {
        self.environment.push((variable, value.to_owned()));
        self
    }

    /// The sandbox with an environment in which `cloudflare` stands for Cloudflare.
    pub(crate) fn at(self, cloudflare: &Cloudflare) -> Self {
        self.set("CLOUDFLARE_API_TOKEN", TOKEN)
            .set("YUBA_CLOUDFLARE_API_URL", cloudflare.api.url())
            .set("YUBA_R2_URL", cloudflare.r2.url())
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        self.write_bytes(name, text.as_bytes());
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    pub(crate) fn write_bytes(&self, name: &str, bytes: &[u8]) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Writes a release into `name`.
    pub(crate) fn release(&self, name: &str, release: Release) {
        release.platforms(&["darwin_arm64", "linux_amd64"]).write(&self.path().join(name)).unwrap();
    }

    /// The command, not yet run.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_yuba"));
        command.args(arguments).current_dir(self.path());
        // What this machine has set must not lead a test to storage that somebody uses.
        for (name, _) in std::env::vars() {
            if ["YUBA_", "CLOUDFLARE_", "R2_", "SSL_CERT_"].iter().any(|prefix| name.starts_with(prefix)) {
                command.env_remove(name);
            }
        }
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    pub(crate) fn output(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// What a command prints and how it ends; directories and digests under names of their own.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        let output = self.output(arguments);
        let mut text = format!("$ yuba {}\n", arguments.join(" ").escape_debug());
        for (name, bytes) in [("stdout", output.stdout), ("stderr", output.stderr)] {
            let printed = String::from_utf8(bytes).unwrap();
            assert!(!printed.contains('\u{1b}'), "a pipe gets no escapes: {printed}");
            if !printed.is_empty() {
                write!(text, "-- {name}\n{printed}").unwrap();
            }
        }
        writeln!(text, "-- exit {}", output.status.code().unwrap()).unwrap();
        let canonical = self.path().canonicalize().unwrap();
        let text = text.replace(canonical.to_str().unwrap(), "[DIR]").replace(self.path().to_str().unwrap(), "[DIR]");
        number_digests(&text)
    }

    /// The same, with what depends on the day made alike.
    pub(crate) fn run_today(&self, arguments: &[&str]) -> String {
        timeless(&self.run(arguments))
    }

    /// A sandbox in whose registry these versions of `registry.example/acme/dns` are published.
    pub(crate) fn with_versions(versions: &[&str]) -> Self {
        let sandbox = Self::with_registry();
        for version in versions {
            sandbox.release(version, Release::new("dns", version, &Key::new("acme")));
            let publish = ["publish", version, "--namespace", "acme", "--target", "dir:registry"];
            assert!(sandbox.output(&publish).status.success());
        }
        sandbox
    }

    /// Makes the registry one whose versions were listed before there were OCI views.
    pub(crate) fn forget_oci(&self) {
        for (path, bytes) in self.files() {
            if path.contains("/oci/") {
                fs::remove_file(path).unwrap();
            } else if path.contains("/provider/") {
                let mut provider: ProviderDocument = serde_json::from_slice(&bytes).unwrap();
                for entry in provider.clone().entries() {
                    let revision = provider.revision;
                    provider = provider.with(VersionEntry { oci_index: None, ..entry.clone() });
                    provider.revision = revision;
                }
                fs::write(path, serde_json::to_vec(&provider).unwrap()).unwrap();
            }
        }
    }

    /// Every file in the sandbox's registry.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut pending = vec![self.path().join("registry")];
        while let Some(path) = pending.pop() {
            for entry in fs::read_dir(path).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    pending.push(path);
                } else {
                    files.insert(path.to_str().unwrap().to_owned(), fs::read(path).unwrap());
                }
            }
        }
        files
    }
}

/// Text whose dates and times are named for what they are.
fn timeless(text: &str) -> String {
    let shape = |text: &str| text.chars().map(|letter| if letter.is_ascii_digit() { '0' } else { letter }).collect();
    let mut alike = String::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let starts = |pattern: &str| rest.get(..pattern.len()).map(shape) == Some(pattern.to_owned());
        let (shown, taken) = if starts("0000-00-00T00:00:00Z") {
            ("[TIME]", 20)
        } else if starts("0000-00-00") {
            ("[DATE]", 10)
        } else {
            (&rest[..letter.len_utf8()], letter.len_utf8())
        };
        alike += shown;
        rest = &rest[taken..];
    }
    alike
}
