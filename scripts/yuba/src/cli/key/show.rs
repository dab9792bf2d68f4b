//! `yuba key show`.

use std::fmt::Write as _;

use clap::Args;
use jiff::Timestamp;
use serde::Serialize;
use yuba::address::NamespaceAddress;
use yuba::document::SigningKey;
use yuba::fingerprint::Fingerprint;
use yuba::name::Namespace;
use yuba_companion::keyring::{KeyName, KeyringError, SignedVersions, find, signed_versions};
use yuba_companion::openpgp::{PublicKey, SignerFacts, parse_key_file};
use yuba_companion::store::Store;
use yuba_companion::time;

use super::fail;
use super::shown::Shown;
use super::signed::write_signed;
use crate::cli::failure::{Exit, Failure};
use crate::cli::output::{print, print_json, visible};
use crate::cli::{Format, Place, Report};

/// Show one registered key: its record, the parts of it that may sign, and what it signed
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Show {
    /// The key's fingerprint, or its key ID: the last 16 digits
    #[arg(value_name = "FINGERPRINT")]
    key: KeyName,

    /// The namespace that the key is registered in
    #[arg(long, value_name = "NAME")]
    namespace: Namespace,

    #[command(flatten)]
    place: Place,

    #[command(flatten)]
    report: Report,
}

const EXAMPLES: &str = "\
Examples:
  yuba key show 51852D87348FFC4C --namespace acme --target local

  # the public key, as clients get it
  yuba key show 51852D87348FFC4C --namespace acme --target local --format json | jq -r .ascii_armor | gpg --show-keys";

/// What a report holds about a key.
#[derive(Serialize)]
struct Whole<'a> {
    target: String,
    namespace: String,
    #[serde(flatten)]
    key: Shown<'a>,
    signers: Vec<Signer>,
    signed: &'a [SignedVersions],
    ascii_armor: &'a str,
}

/// A part of a key that may sign.
#[derive(Serialize)]
struct Signer {
    fingerprint: Fingerprint,
    part: &'static str,
    algorithm: String,
    created: String,
    expires: Option<String>,
    revoked: Option<String>,
}

impl Signer {
    fn new(facts: SignerFacts, primary: &Fingerprint) -> Self {
        Self {
            part: if facts.fingerprint == *primary { "primary key" } else { "subkey" },
            fingerprint: facts.fingerprint,
            algorithm: facts.algorithm.to_string(),
            created: time::render(facts.created),
            expires: facts.expires.map(time::render),
            revoked: facts.revoked,
        }
    }

    fn line(&self) -> String {
        let expires = self.expires.as_ref().map(|expires| format!(", expires {expires}"));
        let revoked = self.revoked.as_ref().map(|revoked| format!(", revoked ({})", visible(revoked)));
        let (expires, revoked) = (expires.unwrap_or_default(), revoked.unwrap_or_default());
        format!("{} {} ({}{expires}{revoked})", self.part, self.fingerprint, self.algorithm)
    }
}

impl Show {
    pub(crate) async fn run(&self) -> Result<Exit, Failure> {
        let place = self.place.find()?;
        let (hostname, _) = place.hostname().await?;
        let namespace = NamespaceAddress { hostname, namespace: self.namespace.clone() };
        let opened = place.open().await?;
        let found = read(&*opened.store, &namespace, &self.key).await;
        opened.close().await;
        let (key, signed) = found.map_err(|error| fail(error, &place.key_list()))?;
        let parsed = parse_key_file(key.ascii_armor.as_bytes());
        let parsed = parsed.map_err(|error| fail(registered(&key, error), &place.key_list()))?;
        let signers = parsed.iter().flat_map(PublicKey::signers);
        let whole = Whole {
            target: place.target().to_string(),
            namespace: namespace.to_string(),
            key: Shown::new(&key, Timestamp::now()),
            signers: signers.map(|facts| Signer::new(facts, &key.fingerprint)).collect(),
            signed: &signed,
            ascii_armor: &key.ascii_armor,
        };
        let printed = match self.report.format {
            Format::Text => print(&whole.text()),
            Format::Json => print_json(&whole),
        };
        printed.map_err(|error| error.after("nothing was written"))?;
        Ok(Exit::Done)
    }
}

fn registered(key: &SigningKey, error: yuba_companion::openpgp::KeyFileError) -> KeyringError {
    KeyringError::Registered(key.fingerprint.clone(), error)
}

async fn read(
    store: &dyn Store,
    namespace: &NamespaceAddress,
    name: &KeyName,
) -> Result<(SigningKey, Vec<SignedVersions>), KeyringError> {
    let key = find(store, namespace, name).await?;
    let signed = signed_versions(store, namespace, &key.fingerprint).await?;
    Ok((key, signed))
}

impl Whole<'_> {
    /// A line for each fact that there is.
    fn text(&self) -> String {
        let mut text = format!("{} in {}\n", self.key.fingerprint, self.namespace);
        let mut line = |name: &str, value: &str| {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "  {name:<9}  {value}");
        };
        line("state", &self.key.state());
        for user_id in self.key.user_ids {
            line("user ID", &visible(user_id));
        }
        line("algorithm", self.key.algorithm);
        line("created", self.key.created);
        line("expires", self.key.expires.unwrap_or("never"));
        line("added", self.key.added);
        for signer in &self.signers {
            line("signs by", &signer.line());
        }
        if !self.key.source.is_empty() {
            line("source", &visible(&format!("{} {}", self.key.source, self.key.source_url)));
        }
        if self.signed.is_empty() {
            line("signed", "nothing that is listed");
        } else {
            line("signed", "");
        }
        write_signed(&mut text, self.signed);
        text.lines().map(|line| [line.trim_end(), "\n"].concat()).collect()
    }
}
