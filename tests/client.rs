//! Real clients: the `tofu` and `terraform` that `scripts/setup test` found, each run in an environment of its own.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::tools::find;

/// A client's binary, and what distinguishes its behaviour.
#[derive(Debug, Clone)]
pub struct Client {
    /// Its name and version, short enough to be part of a provider's type.
    pub name: &'static str,
    /// Which family it is of.
    pub family: Family,
    binary: PathBuf,
}

/// Which of the two the client is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// `OpenTofu` of this minor version.
    OpenTofu(u32),
    /// Terraform.
    Terraform,
}

/// Every client that can be had here; for each other one, a line that says why not.
#[must_use]
pub fn clients() -> Vec<Client> {
    let known = [
        ("TOFU_1_12", "tofu-1-12", Family::OpenTofu(12)),
        ("TOFU_1_6", "tofu-1-6", Family::OpenTofu(6)),
        ("TERRAFORM", "terraform", Family::Terraform),
    ];
    let client = |(variable, name, family)| match find(variable) {
        Ok(binary) => Some(Client { name, family, binary }),
        Err(reason) => {
            eprintln!("skipped: {reason}");
            None
        }
    };
    known.into_iter().filter_map(client).collect()
}

/// The goreleaser that was found, or why there is none.
///
/// # Errors
/// The reason.
pub fn goreleaser() -> Result<PathBuf, String> {
    find("GORELEASER")
}

/// The directory of the real provider's executables by platform, or why there is none.
///
/// # Errors
/// The reason.
pub fn provider_time() -> Result<PathBuf, String> {
    find("PROVIDER_TIME")
}

/// The real provider's executables by platform, from the directory that [`provider_time`] finds.
///
/// # Errors
/// What the file system says.
pub fn time_executables(directory: &Path) -> io::Result<BTreeMap<String, Vec<u8>>> {
    let mut executables = BTreeMap::new();
    for platform in fs::read_dir(directory)? {
        let platform = platform?;
        for executable in fs::read_dir(platform.path())? {
            executables.insert(platform.file_name().to_string_lossy().into_owned(), fs::read(executable?.path())?);
        }
    }
    Ok(executables)
}

/// What a command said, and how it ended.
#[derive(Debug)]
pub struct Outcome {
    /// Whether it succeeded.
    pub success: bool,
    /// All that it printed, in words: without frames, colours and line breaks.
    pub said: String,
}

impl Outcome {
    /// Runs `command`.
    ///
    /// # Panics
    /// If it cannot be started.
    pub fn of(command: &mut Command) -> Self {
        let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text).replace(['│', '╷', '╵'], " ");
        Self { success: output.status.success(), said: text.split_whitespace().collect::<Vec<_>>().join(" ") }
    }

    /// Asserts that it succeeded and said `words`.
    ///
    /// # Panics
    /// If it did not.
    pub fn says(&self, words: &str) -> &Self {
        assert!(self.success, "failed: {self}");
        assert!(self.said.contains(words), "`{words}` was not said: {self}");
        self
    }

    /// Asserts that it failed and said one of `words`.
    ///
    /// # Panics
    /// If it did not.
    pub fn refuses(&self, words: &[&str]) -> &Self {
        assert!(!self.success, "succeeded: {self}");
        assert!(words.iter().any(|words| self.said.contains(words)), "none of {words:?} was said: {self}");
        self
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said)
    }
}

/// A configuration's directory, with a home and settings that no other client shares.
#[derive(Debug)]
pub struct Workspace {
    client: Client,
    directory: TempDir,
}

impl Workspace {
    /// An empty one for `client`.
    ///
    /// # Panics
    /// If no directory can be made.
    #[must_use]
    pub fn new(client: &Client) -> Self {
        let workspace = Self { client: client.clone(), directory: tempfile::tempdir().expect("a directory") };
        workspace.write("cli.tfrc", "");
        workspace
    }

    /// One that requires `source` at `constraint`.
    #[must_use]
    pub fn requiring(client: &Client, source: &str, constraint: &str) -> Self {
        let workspace = Self::new(client);
        workspace.require(source, constraint);
        workspace
    }

    /// Requires `source` at `constraint` from now on.
    pub fn require(&self, source: &str, constraint: &str) {
        let version = if constraint.is_empty() { String::new() } else { format!(r#", version = "{constraint}""#) };
        let provider = format!(r#"{{ source = "{source}"{version} }}"#);
        self.write("main.tf", &format!("terraform {{\n  required_providers {{\n    sample = {provider}\n  }}\n}}\n"));
    }

    /// The path of a file in it.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Writes a file.
    ///
    /// # Panics
    /// If it cannot be written.
    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file");
    }

    /// The lock file, or nothing.
    #[must_use]
    pub fn lock(&self) -> String {
        fs::read_to_string(self.path(".terraform.lock.hcl")).unwrap_or_default()
    }

    /// The hashes of `scheme` that the lock file holds, in order.
    #[must_use]
    pub fn hashes(&self, scheme: &str) -> Vec<String> {
        let lock = self.lock();
        let quoted = lock.lines().map(|line| line.trim().trim_end_matches(',').trim_matches('"'));
        let mut hashes: Vec<_> = quoted.filter(|line| line.starts_with(scheme)).map(str::to_owned).collect();
        hashes.sort_unstable();
        hashes
    }

    /// The version that the lock file holds.
    ///
    /// # Panics
    /// If it holds none.
    #[must_use]
    pub fn locked_version(&self) -> String {
        let lock = self.lock();
        let line = lock.lines().find_map(|line| line.trim().strip_prefix("version")).expect("a locked version");
        line.trim_matches([' ', '=', '"']).to_owned()
    }

    /// Forgets what is installed, but not what is locked.
    pub fn uninstall(&self) {
        let _ = fs::remove_dir_all(self.path(".terraform"));
    }

    /// Runs the client.
    pub fn run(&self, arguments: &[&str]) -> Outcome {
        let certificates = std::env::var_os("SSL_CERT_FILE").unwrap_or_default();
        let mut command = Command::new(&self.client.binary);
        command.current_dir(self.directory.path()).args(arguments).env_clear();
        command.env("HOME", self.directory.path()).env("TF_CLI_CONFIG_FILE", self.path("cli.tfrc"));
        command.env("SSL_CERT_FILE", certificates).env("SSL_CERT_DIR", self.path("no-certificates"));
        command.env("CHECKPOINT_DISABLE", "1").env("NO_COLOR", "1");
        Outcome::of(&mut command)
    }

    /// Runs `init`.
    pub fn init(&self, arguments: &[&str]) -> Outcome {
        self.run(&[&["init", "-no-color", "-input=false"], arguments].concat())
    }
}
