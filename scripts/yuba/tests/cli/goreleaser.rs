//! What `goreleaser release --snapshot` leaves by docs/goreleaser.yaml is published without a further step.
//!
//! The provider is a Go program without dependencies, so that nothing is downloaded: publishing reads what an executable
//! is for, and does not run it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use yuba_tests::client::{Outcome, goreleaser};

use crate::sandbox::Sandbox;

const CONFIGURATION: &str = include_str!("../../../../docs/goreleaser.yaml");

/// What is not at hand is a reason to skip, and said; the rest must work.
fn tools() -> Result<PathBuf, String> {
    for program in ["go", "git", "gpg"] {
        // Go has no `--version`.
        let found = Command::new(program).arg("help").stdout(Stdio::null()).stderr(Stdio::null()).status();
        found.map_err(|error| format!("{program}: {error}"))?;
    }
    goreleaser()
}

/// A provider's repository, and a home of its own beside it.
struct Repository {
    sandbox: Sandbox,
    /// Short, for GnuPG's sockets.
    home: tempfile::TempDir,
}

impl Repository {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        sandbox.write("provider/.goreleaser.yaml", CONFIGURATION);
        sandbox.write("provider/.gitignore", "dist/\n");
        sandbox.write("provider/LICENSE", "None.\n");
        sandbox.write("provider/README.md", "A provider that does nothing.\n");
        sandbox.write("provider/go.mod", "module git.example/acme/terraform-provider-dns\n\ngo 1.21\n");
        sandbox
            .write("provider/main.go", "package main\n\nvar version = \"dev\"\n\nfunc main() { println(version) }\n");
        let manifest = r#"{ "version": 1, "metadata": { "protocol_versions": ["6.0"] } }"#;
        sandbox.write("provider/terraform-registry-manifest.json", manifest);
        let repository = Self { sandbox, home: tempfile::Builder::new().prefix("g").tempdir().unwrap() };
        repository.run("git", &["init", "--quiet"]);
        repository.run("git", &["remote", "add", "origin", "https://git.example/acme/terraform-provider-dns.git"]);
        repository.run("git", &["add", "--all"]);
        repository.run("git", &["-c", "user.name=acme", "-c", "user.email=a@acme.example", "commit", "-qm", "First"]);
        repository.run("git", &["tag", "v1.2.2"]);
        repository
    }

    fn directory(&self) -> PathBuf {
        self.sandbox.path().join("provider")
    }

    /// Runs `program` in the repository with nothing of this machine's but where Go keeps what it has built.
    fn run(&self, program: impl AsRef<Path>, arguments: &[&str]) -> Outcome {
        let mut command = Command::new(program.as_ref());
        command.args(arguments).current_dir(self.directory()).env_clear().stdin(Stdio::null());
        for variable in ["PATH", "GOCACHE", "GPG_FINGERPRINT"] {
            command.envs(self.variable(variable).map(|value| (variable, value)));
        }
        command.env("HOME", self.home.path()).env("GNUPGHOME", self.home.path()).env("GIT_CONFIG_NOSYSTEM", "1");
        command.env("GOTOOLCHAIN", "local").env("GOPROXY", "off").env("NO_COLOR", "1");
        let outcome = Outcome::of(&mut command);
        outcome.says("");
        outcome
    }

    fn variable(&self, name: &str) -> Option<String> {
        match name {
            "GOCACHE" => {
                let output = Command::new("go").args(["env", "GOCACHE"]).output().unwrap();
                Some(String::from_utf8(output.stdout).unwrap().trim().to_owned())
            }
            "GPG_FINGERPRINT" => fs::read_to_string(self.home.path().join("fingerprint")).ok(),
            name => std::env::var(name).ok(),
        }
    }

    /// Makes a key, exports it, and remembers which it is.
    fn make_key(&self) {
        let new =
            ["--batch", "--passphrase", "", "--quick-gen-key", "acme <a@acme.example>", "rsa2048", "sign", "never"];
        self.run("gpg", &new);
        self.run("gpg", &["--batch", "--armor", "--output", "../KEY.asc", "--export"]);
        let listed = self.run("gpg", &["--batch", "--list-keys", "--with-colons"]).said;
        let fingerprint = listed.split("fpr:::::::::").nth(1).unwrap().split(':').next().unwrap();
        fs::write(self.home.path().join("fingerprint"), fingerprint).unwrap();
    }
}

impl Drop for Repository {
    fn drop(&mut self) {
        let kill = ["--kill", "gpg-agent"];
        let _ = Command::new("gpgconf").arg("--homedir").arg(self.home.path()).args(kill).status();
    }
}

#[test]
fn a_snapshot_is_published_as_goreleaser_leaves_it() {
    let goreleaser = match tools() {
        Ok(goreleaser) => goreleaser,
        Err(reason) => {
            println!("skipped: {reason}");
            return;
        }
    };
    let repository = Repository::new();
    repository.make_key();
    repository.run(goreleaser, &["release", "--snapshot", "--clean"]);
    let place = ["--namespace", "acme", "--hostname", "registry.example", "--target", "dir:registry"];
    let registered = repository.sandbox.run(&[&["key", "add", "KEY.asc"], &place[..]].concat());
    assert!(registered.contains("added: "), "{registered}");
    let published = repository.sandbox.run(&[&["publish", "provider/dist"], &place[..]].concat());
    assert!(published.contains("published: registry.example/acme/dns 1.2.3-SNAPSHOT-"), "{published}");
    assert!(
        published.contains("(darwin_amd64, darwin_arm64, freebsd_amd64, linux_386, linux_amd64, linux_arm, linux_arm64, windows_amd64, windows_arm64)"),
        "{published}"
    );
    assert!(!published.contains("warning: ") && published.ends_with("-- exit 0\n"), "{published}");
    let again = repository.sandbox.run(&[&["publish", "provider/dist"], &place[..]].concat());
    assert!(again.contains("unchanged: "), "{again}");
}
