//! `yuba key add`.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use fastrand::Rng;
use jiff::Timestamp;
use serde::Serialize;
use url::Url;
use yuba::address::NamespaceAddress;
use yuba::name::Namespace;
use yuba_companion::documents::AccessError;
use yuba_companion::keyring::signed_versions;
use yuba_companion::openpgp::{PublicKey, parse_key_file};
use yuba_companion::publish::Write;
use yuba_companion::registration::{Outcome, Registered, Registration, RegistrationError, register};
use yuba_companion::store::Store;

use super::Shown;
use super::key_file::{FileError, read_file};
use super::signed::{count_signed, write_signed};
use crate::cli::failure::{Exit, Failure};
use crate::cli::output::{print, print_json, say};
use crate::cli::{Format, Place, Report};

/// Register public keys that may sign releases in a namespace
///
/// The first key makes the namespace. A key that is registered already is updated with what is new about it: user IDs,
/// an extended expiry, subkeys. If the new copy carries its owner's revocation, the key is revoked as `yuba key revoke
/// --policy block` does it, since clients refuse such a key: what it signed cannot be installed any more. A file with a
/// secret key is refused. A warning is given for a key that Terraform 1.5 cannot read, that is short, or that has expired
/// or will within 90 days: it can be registered all the same, since releases of other registries may be signed with it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Add {
    /// A file of public keys, armored or binary
    #[arg(value_name = "KEY.asc")]
    file: PathBuf,

    /// The namespace in which the keys may sign
    #[arg(long, value_name = "NAME")]
    namespace: Namespace,

    /// Who vouches for the keys, as clients of the registry protocol see it
    #[arg(long, value_name = "TEXT", requires = "source_url")]
    source: Option<String>,

    /// Where that can be read
    #[arg(long, value_name = "URL", requires = "source")]
    source_url: Option<Url>,

    #[command(flatten)]
    place: Place,

    #[command(flatten)]
    report: Report,
}

const EXAMPLES: &str = "\
Examples:
  gpg --armor --export you@example.org > KEY.asc
  yuba key add --namespace acme KEY.asc --target local

  # say who vouches for the key
  yuba key add --namespace acme KEY.asc --source \"Acme Inc.\" --source-url https://acme.example/keys --target local";

#[derive(Serialize)]
struct Added<'a> {
    target: String,
    namespace: String,
    keys: Vec<AddedKey<'a>>,
    writes: &'a [Write],
}

#[derive(Serialize)]
struct AddedKey<'a> {
    outcome: &'static str,
    #[serde(flatten)]
    key: Shown<'a>,
}

impl Add {
    pub(crate) async fn run(&self) -> Result<Exit, Failure> {
        let place = self.place.find()?;
        let keys = self.read().map_err(|error| {
            Failure::refused(error, "export the public key: gpg --armor --export you@example.org > KEY.asc")
        })?;
        let (hostname, _) = place.hostname().await?;
        let namespace = NamespaceAddress { hostname, namespace: self.namespace.clone() };
        let registration = Registration {
            namespace: namespace.clone(),
            keys,
            source: self.source.clone(),
            source_url: self.source_url.as_ref().map(ToString::to_string),
        };
        let now = Timestamp::now();
        let opened = place.open().await?;
        let registered = register(&*opened.store, &registration, now, Rng::new()).await;
        let told = match &registered {
            Ok(registered) => warn_of_revoked(&*opened.store, &namespace, registered, now).await,
            Err(_) => Ok(()),
        };
        opened.close().await;
        let registered = registered.map_err(fail)?;
        told.map_err(|error| Failure::failed(error, "the keys are registered all the same"))?;
        let printed = match self.report.format {
            Format::Text => {
                registered.keys.iter().for_each(|(key, _)| Shown::new(key, now).warn());
                print(&text(&registered, &namespace, now))
            }
            Format::Json => print_json(&Added {
                target: place.target().to_string(),
                namespace: namespace.to_string(),
                keys: json(&registered, now),
                writes: &registered.writes,
            }),
        };
        printed.map_err(|error| error.after("the keys are registered all the same"))?;
        Ok(Exit::Done)
    }

    fn read(&self) -> Result<Vec<PublicKey>, FileError> {
        let bytes = read_file(&self.file)?;
        parse_key_file(&bytes).map_err(|error| FileError::Keys(self.file.clone(), error))
    }
}

/// A key whose owner revoked it: clients refuse what it signed from now on.
async fn warn_of_revoked(
    store: &dyn Store,
    namespace: &NamespaceAddress,
    registered: &Registered,
    now: Timestamp,
) -> Result<(), AccessError> {
    let revoked = registered.keys.iter().filter(|(_, outcome)| *outcome == Outcome::Revoked);
    for (key, _) in revoked {
        let signed = signed_versions(store, namespace, &key.fingerprint).await?;
        let (state, count) = (Shown::new(key, now).state(), count_signed(&signed));
        let mut text = format!("warning: key `{}` is {state}\n", key.fingerprint);
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  it signed {count} that nobody can install any more");
        write_signed(&mut text, &signed);
        text.push_str("  hint: publish new versions, signed with another key");
        say(text);
    }
    Ok(())
}

fn json(registered: &Registered, now: Timestamp) -> Vec<AddedKey<'_>> {
    let keys = registered.keys.iter();
    keys.map(|(key, outcome)| AddedKey { outcome: outcome.as_str(), key: Shown::new(key, now) }).collect()
}

fn text(registered: &Registered, namespace: &NamespaceAddress, now: Timestamp) -> String {
    let mut text = String::new();
    for (key, outcome) in &registered.keys {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}: {} in {namespace}", outcome.as_str(), Shown::new(key, now).line(now));
    }
    text
}

fn fail(error: RegistrationError) -> Failure {
    if error.is_refusal() {
        return Failure::refused(
            error,
            "register a key that `gpg --list-keys` marks with `[S]` and that is not revoked",
        );
    }
    Failure::failed(error, "nothing is half done: run the same command again")
}
