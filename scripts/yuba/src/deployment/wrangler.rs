//! The project's wrangler, which holds the account's credentials and creates what a deployment needs.
//!
//! What it prints was written down from wrangler 4.86: `kv namespace list` is JSON, everything else is for people. So
//! as little as possible is read from it.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use async_trait::async_trait;
use serde::Deserialize;
use tokio::process::Command;

use super::{KvNamespace, NamespaceTitle, Step};
use crate::store::cloudflare::{BucketName, Jurisdiction, KvNamespaceId};

/// Where npm puts it in a project.
const PLACE: &str = "node_modules/.bin/wrangler";

/// Why wrangler did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum WranglerError {
    /// The project has none.
    #[error("the project has no wrangler: `{}` is missing", .0.display())]
    NotInstalled(PathBuf),
    /// It cannot be started.
    #[error("cannot run `{}`", .0.display())]
    Start(PathBuf, #[source] io::Error),
    /// It failed.
    #[error("`wrangler {command}` failed")]
    Failed {
        /// Its arguments.
        command: String,
        /// What kind of failure that is, as far as its words tell.
        trouble: Trouble,
        /// Its own words.
        #[source]
        words: Words,
    },
    /// It answered what cannot be understood.
    #[error("`wrangler {0}` answered without {1}")]
    Malformed(String, &'static str),
}

/// What wrangler said, in its own words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Words(String);

/// A failure that has a remedy of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// Nobody is logged in.
    NotLoggedIn,
    /// The credentials are refused, or allow too little.
    NotPermitted,
    /// They lead to several accounts.
    SeveralAccounts,
    /// The account has not taken up R2.
    NoR2,
    /// Cloudflare is not reached.
    NoNetwork,
    /// What should be created is there.
    Exists,
    /// Anything else.
    Other,
}

/// What gives a failure away, the more telling words first. The numbers are codes of Cloudflare's API.
const TELLING: [(&str, Trouble); 12] = [
    ("[code: 10004]", Trouble::Exists),
    ("already exists", Trouble::Exists),
    ("[code: 10042]", Trouble::NoR2),
    ("More than one account", Trouble::SeveralAccounts),
    ("Authentication error", Trouble::NotPermitted),
    ("[code: 10000]", Trouble::NotPermitted),
    ("[code: 10001]", Trouble::NotPermitted),
    ("[code: 9109]", Trouble::NotPermitted),
    ("set a CLOUDFLARE_API_TOKEN", Trouble::NotLoggedIn),
    ("wrangler login", Trouble::NotLoggedIn),
    ("fetch failed", Trouble::NoNetwork),
    ("ENOTFOUND", Trouble::NoNetwork),
];

impl Trouble {
    fn of(words: &str) -> Self {
        TELLING.into_iter().find(|(telling, _)| words.contains(telling)).map_or(Self::Other, |(_, trouble)| trouble)
    }
}

/// What a deployment needs of an account.
#[async_trait]
pub trait Account: Send + Sync {
    /// The names of its buckets in a jurisdiction. Cloudflare gives the first ones only, where there are many.
    async fn buckets(&self, jurisdiction: Jurisdiction) -> Result<Vec<String>, WranglerError>;

    /// Creates a bucket, unless it turns out to be there. `location` is a hint, in R2's words.
    async fn create_bucket(
        &self,
        name: &BucketName,
        jurisdiction: Jurisdiction,
        location: Option<&str>,
    ) -> Result<Step, WranglerError>;

    /// All its KV namespaces.
    async fn namespaces(&self) -> Result<Vec<KvNamespace>, WranglerError>;

    /// Creates a KV namespace.
    async fn create_namespace(&self, title: &NamespaceTitle) -> Result<KvNamespaceId, WranglerError>;
}

/// A project's wrangler.
#[derive(Debug, Clone)]
pub struct Wrangler {
    program: PathBuf,
    root: PathBuf,
}

#[derive(Deserialize)]
struct Listed {
    id: String,
    title: String,
}

impl Wrangler {
    /// The wrangler of the project at `root`, the one that it is pinned to and no other.
    ///
    /// # Errors
    /// [`WranglerError::NotInstalled`] if it has none.
    pub fn find(root: &Path) -> Result<Self, WranglerError> {
        let program = root.join(PLACE);
        if program.is_file() {
            return Ok(Self { program, root: root.to_owned() });
        }
        Err(WranglerError::NotInstalled(program))
    }

    /// What it prints on standard output. It is asked nothing that it could ask back.
    async fn run(&self, arguments: &[&str]) -> Result<String, WranglerError> {
        let mut command = Command::new(&self.program);
        command.args(arguments).current_dir(&self.root).stdin(Stdio::null()).kill_on_drop(true);
        command.env("WRANGLER_SEND_METRICS", "false");
        let output = command.output().await.map_err(|error| WranglerError::Start(self.program.clone(), error))?;
        if output.status.success() {
            return Ok(plain(&output.stdout));
        }
        let words = words(&output);
        Err(WranglerError::Failed { command: arguments.join(" "), trouble: Trouble::of(&words), words: Words(words) })
    }
}

#[async_trait]
impl Account for Wrangler {
    async fn buckets(&self, jurisdiction: Jurisdiction) -> Result<Vec<String>, WranglerError> {
        let arguments = [&["r2", "bucket", "list"][..], &option("--jurisdiction", jurisdiction.as_str())].concat();
        Ok(bucket_names(&self.run(&arguments).await?))
    }

    async fn create_bucket(
        &self,
        name: &BucketName,
        jurisdiction: Jurisdiction,
        location: Option<&str>,
    ) -> Result<Step, WranglerError> {
        let mut arguments = vec!["r2", "bucket", "create", name.as_str()];
        arguments.extend(option("--jurisdiction", jurisdiction.as_str()));
        arguments.extend(option("--location", location));
        match self.run(&arguments).await {
            // Names are an account's own, so the bucket is this one's.
            Err(WranglerError::Failed { trouble: Trouble::Exists, .. }) => Ok(Step::Keep),
            done => done.map(|_| Step::Create),
        }
    }

    async fn namespaces(&self) -> Result<Vec<KvNamespace>, WranglerError> {
        let command = ["kv", "namespace", "list"];
        let malformed = || WranglerError::Malformed(command.join(" "), "a list of namespaces");
        namespaces(&self.run(&command).await?).ok_or_else(malformed)
    }

    async fn create_namespace(&self, title: &NamespaceTitle) -> Result<KvNamespaceId, WranglerError> {
        let command = ["kv", "namespace", "create", title.as_str()];
        let said = self.run(&command).await?;
        if let Some(id) = created_id(&said) {
            return Ok(id);
        }
        let listed = self.namespaces().await?.into_iter().find(|namespace| namespace.title == title.as_str());
        listed.map(|namespace| namespace.id).ok_or_else(|| WranglerError::Malformed(command.join(" "), "an id"))
    }
}

/// An option's words, if it has a value.
fn option<'a>(name: &'a str, value: Option<&'a str>) -> Vec<&'a str> {
    value.into_iter().flat_map(|value| [name, value]).collect()
}

/// What wrangler printed, without what colours it.
fn plain(bytes: &[u8]) -> String {
    anstream::adapter::strip_str(&String::from_utf8_lossy(bytes)).to_string()
}

/// Why it failed: its errors, without decoration and without where its log is.
fn words(output: &Output) -> String {
    let said = plain(&output.stderr);
    // What it prints there besides is about itself.
    let said = said.find("[ERROR]").and_then(|start| said.get(start..)).unwrap_or(&said);
    let lines = said.lines().map(|line| line.replace("✘", "").replace("[ERROR]", "").trim().to_owned());
    let mut lines: Vec<_> = lines.filter(|line| !line.is_empty() && !line.contains("Logs were written")).collect();
    lines.dedup();
    if lines.is_empty() { format!("it said nothing, and ended with {}", output.status) } else { lines.join("\n") }
}

fn bucket_names(listed: &str) -> Vec<String> {
    let name = |line: &str| line.strip_prefix("name:").map(|name| name.trim().to_owned());
    listed.lines().filter_map(name).collect()
}

/// The namespaces of a JSON list, which a notice may stand before.
fn namespaces(listed: &str) -> Option<Vec<KvNamespace>> {
    let start = if listed.starts_with('[') { 0 } else { listed.find("\n[")? };
    let listed: Vec<Listed> = serde_json::from_str(listed.get(start..)?).ok()?;
    let read = |Listed { id, title }| Some(KvNamespace { id: id.parse().ok()?, title });
    listed.into_iter().map(read).collect()
}

/// The one id among wrangler's words, whichever language its snippet is in.
fn created_id(said: &str) -> Option<KvNamespaceId> {
    said.split(|letter: char| !letter.is_ascii_alphanumeric()).find_map(|word| word.parse().ok())
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::ExitStatus;

    use super::*;

    const ID: &str = "0f2ac74b498b48028cb68387c421e279";

    #[test]
    fn what_wrangler_lists_is_read() {
        let buckets = "\n ⛅️ wrangler 4.86.0\n───────────────────\nListing buckets...\nname:           xyz\n\
                       creation_date:  2026-01-02T03:04:05Z\n\nname:           xyz2\ncreation_date:  2026-01-02T03:04:05Z\n";
        assert_eq!(bucket_names(buckets), ["xyz", "xyz2"]);
        assert_eq!(bucket_names("Listing buckets...\n"), [""; 0]);
        let one = format!(r#"[{{"id": "{ID}", "title": "METADATA", "supports_url_encoding": true}}]"#);
        let expected = [KvNamespace { id: ID.parse().unwrap(), title: "METADATA".to_owned() }];
        assert_eq!(namespaces(&one).unwrap(), expected);
        assert_eq!(namespaces(&format!("a notice [1]\n{one}\n")).unwrap(), expected);
        assert_eq!(namespaces("[]\n").unwrap(), []);
        for malformed in ["", "none", "[", "[{}]", r#"[{"id":"metadata","title":"x"}]"#, "{}"] {
            assert_eq!(namespaces(malformed), None, "{malformed}");
        }
    }

    #[test]
    fn the_id_is_found_in_either_snippet() {
        let toml = format!("✨ Success!\n[[kv_namespaces]]\nbinding = \"METADATA\"\nid = \"{ID}\"\n");
        let json = format!("{{ \"kv_namespaces\": [ {{ \"binding\": \"METADATA\", \"id\": \"{ID}\" }} ] }}");
        for said in [toml, json] {
            assert_eq!(created_id(&said).unwrap().to_string(), ID);
        }
        assert_eq!(created_id("✨ Success!\n"), None);
    }

    #[test]
    fn failures_are_told_in_wranglers_words_and_known_by_them() {
        let failed = |stderr: &str| Output {
            status: ExitStatus::from_raw(0x100),
            stdout: Vec::new(),
            stderr: stderr.as_bytes().to_vec(),
        };
        let cases = [
            (
                "\u{1b}[31m✘ \u{1b}[41;31m[\u{1b}[41;97mERROR\u{1b}[41;31m]\u{1b}[0m \u{1b}[1mIn a non-interactive environment, it's necessary to set a CLOUDFLARE_API_TOKEN environment variable for wrangler to work.\u{1b}[0m\n\n\n🪵  Logs were written to \"/x\"\n",
                "In a non-interactive environment, it's necessary to set a CLOUDFLARE_API_TOKEN environment variable for wrangler to work.",
                Trouble::NotLoggedIn,
            ),
            (
                "✘ [ERROR] A request to the Cloudflare API (/accounts/acc/r2/buckets) failed.\n\n  The bucket you tried to create already exists, and you own it. [code: 10004]\n",
                "A request to the Cloudflare API (/accounts/acc/r2/buckets) failed.\nThe bucket you tried to create already exists, and you own it. [code: 10004]",
                Trouble::Exists,
            ),
            (
                "✘ [ERROR] A\n  Authentication error [code: 10000]\n",
                "A\nAuthentication error [code: 10000]",
                Trouble::NotPermitted,
            ),
            (
                "✘ [ERROR] A\n  Please enable R2 through the Cloudflare Dashboard. [code: 10042]\n",
                "A\nPlease enable R2 through the Cloudflare Dashboard. [code: 10042]",
                Trouble::NoR2,
            ),
            ("a warning\n✘ [ERROR] fetch failed\n", "fetch failed", Trouble::NoNetwork),
            ("node: not found\n", "node: not found", Trouble::Other),
            ("", "it said nothing, and ended with exit status: 1", Trouble::Other),
        ];
        for (stderr, expected, trouble) in cases {
            let words = words(&failed(stderr));
            assert_eq!((words.as_str(), Trouble::of(&words)), (expected, trouble));
        }
    }
}
