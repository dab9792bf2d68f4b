//! `yuba key list`.

use std::fmt::Write as _;

use clap::Args;
use jiff::Timestamp;
use serde::Serialize;
use yuba::address::NamespaceAddress;
use yuba::document::NamespaceDocument;
use yuba::keys::DocumentKey;
use yuba::name::Namespace;
use yuba_companion::documents::{self, AccessError};
use yuba_companion::store::{Listing, Store};

use super::Shown;
use crate::cli::failure::{Exit, Failure};
use crate::cli::output::{print, print_json, say};
use crate::cli::{Format, Place, Report};

/// List the registered signing keys
///
/// Without `--namespace`, those of every namespace; with `--hostname`, of that host's namespaces only.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct List {
    /// The namespace whose keys are listed
    #[arg(long, value_name = "NAME")]
    namespace: Option<Namespace>,

    #[command(flatten)]
    place: Place,

    #[command(flatten)]
    report: Report,
}

const EXAMPLES: &str = "\
Examples:
  yuba key list --target local
  yuba key list --namespace acme --target local --format json | jq -r '.namespaces[].keys[].fingerprint'";

#[derive(Serialize)]
struct Listed<'a> {
    target: String,
    namespaces: Vec<ListedNamespace<'a>>,
}

#[derive(Serialize)]
struct ListedNamespace<'a> {
    namespace: String,
    keys: Vec<Shown<'a>>,
}

impl List {
    pub(crate) async fn run(&self) -> Result<Exit, Failure> {
        let place = self.place.find()?;
        place.refuse_no_directory()?;
        let wanted = match &self.namespace {
            Some(namespace) => {
                let (hostname, _) = place.hostname().await?;
                Some(NamespaceAddress { hostname, namespace: namespace.clone() })
            }
            None => None,
        };
        let opened = place.open().await?;
        let found = match &wanted {
            Some(namespace) => find(&*opened.store, &[DocumentKey::Namespace(namespace.clone())]).await,
            None => find_all(&*opened.store).await,
        };
        opened.close().await;
        let mut found =
            found.map_err(|error| Failure::failed(error, "nothing was written: run the same command again"))?;
        if let Some(namespace) = wanted.filter(|_| found.is_empty()) {
            return Err(Failure::refused(
                format!("namespace `{namespace}` is not registered"),
                format!("see which are: {}", place.key_list()),
            ));
        }
        if let Some(hostname) = place.given_hostname() {
            found.retain(|document| document.hostname == *hostname);
        }
        if found.is_empty() {
            match place.given_hostname() {
                Some(hostname) => say(format_args!("no keys are registered for `{hostname}`")),
                None => say("no keys are registered"),
            }
        }
        let now = Timestamp::now();
        let namespaces: Vec<_> = found.iter().map(|document| show(document, now)).collect();
        let printed = match self.report.format {
            Format::Text => {
                namespaces.iter().flat_map(|namespace| &namespace.keys).for_each(Shown::warn);
                print(&text(&namespaces, now))
            }
            Format::Json => print_json(&Listed { target: place.target().to_string(), namespaces }),
        };
        printed.map_err(|error| error.after("nothing was written"))?;
        Ok(Exit::Done)
    }
}

async fn find_all(store: &dyn Store) -> Result<Vec<NamespaceDocument>, AccessError> {
    let keys = store.list(&Listing::Namespaces).await?;
    find(store, &keys).await
}

async fn find(store: &dyn Store, keys: &[DocumentKey]) -> Result<Vec<NamespaceDocument>, AccessError> {
    let mut found = Vec::new();
    for key in keys {
        found.extend(documents::read(store, key).await?);
    }
    Ok(found)
}

fn name(document: &NamespaceDocument) -> String {
    NamespaceAddress { hostname: document.hostname.clone(), namespace: document.namespace.clone() }.to_string()
}

fn show(document: &NamespaceDocument, now: Timestamp) -> ListedNamespace<'_> {
    let keys = document.signing_keys.iter().map(|key| Shown::new(key, now)).collect();
    ListedNamespace { namespace: name(document), keys }
}

fn text(namespaces: &[ListedNamespace<'_>], now: Timestamp) -> String {
    let mut text = String::new();
    for ListedNamespace { namespace, keys } in namespaces {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{namespace}");
        for key in keys {
            let _ = writeln!(text, "  {}", key.line(now));
        }
    }
    text
}
