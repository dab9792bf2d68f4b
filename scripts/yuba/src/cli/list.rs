//! `yuba list`.

use clap::Args;
use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use serde::Serialize;
use yuba::document::{Deprecation, ProviderDocument, Status};
use yuba::keys::DocumentKey;
use yuba::name::Namespace;
use yuba::version::Version;
use yuba_companion::documents::{self, AccessError};
use yuba_companion::store::{Listing, Store};

use super::failure::{Exit, Failure};
use super::output::{print, print_json, say};
use super::{Format, Place, Report, table};

/// How many documents are read at once.
const READERS: usize = 16;

/// List the providers
///
/// Of every hostname that the registry stores, its own and those it mirrors; `--hostname` and `--namespace` narrow it
/// down. NEWEST is the version that clients select where none is asked for.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct List {
    /// Only the providers of this namespace
    #[arg(long, value_name = "NAME")]
    namespace: Option<Namespace>,

    #[command(flatten)]
    place: Place,

    #[command(flatten)]
    report: Report,
}

const EXAMPLES: &str = "\
Examples:
  yuba list --target local
  yuba list --namespace acme --target local --format json | jq -r '.providers[] | select(.deprecation) | .address'";

#[derive(Serialize)]
struct Listed<'a> {
    target: String,
    providers: Vec<Shown<'a>>,
}

/// A provider in a line.
#[derive(Serialize)]
struct Shown<'a> {
    address: String,
    newest: Option<&'a Version>,
    /// How many versions are listed, the yanked ones included.
    versions: usize,
    yanked: usize,
    removed: usize,
    deprecation: Option<&'a Deprecation>,
}

impl<'a> Shown<'a> {
    fn new(provider: &'a ProviderDocument) -> Self {
        let count =
            |matches: fn(&Status) -> bool| provider.entries().iter().filter(|entry| matches(&entry.status)).count();
        Self {
            address: provider.address.to_string(),
            newest: provider.newest().map(|entry| &entry.version),
            versions: provider.versions().count(),
            yanked: count(|status| matches!(status, Status::Yanked { .. })),
            removed: count(|status| matches!(status, Status::Removed { .. })),
            deprecation: provider.deprecation.as_ref(),
        }
    }

    fn row(self) -> [String; 4] {
        let newest = self.newest.map_or_else(|| "-".to_owned(), ToString::to_string);
        let mut status = Vec::new();
        if self.deprecation.is_some() {
            status.push("deprecated".to_owned());
        }
        for (count, word) in [(self.yanked, "yanked"), (self.removed, "removed")] {
            if count > 0 {
                status.push(format!("{count} {word}"));
            }
        }
        [self.address, newest, self.versions.to_string(), status.join(", ")]
    }
}

impl List {
    pub(crate) async fn run(&self) -> Result<Exit, Failure> {
        let place = self.place.find()?;
        place.refuse_no_directory()?;
        let opened = place.open().await?;
        let found = find(&*opened.store).await;
        opened.close().await;
        let mut found =
            found.map_err(|error| Failure::failed(error, "nothing was written: run the same command again"))?;
        found.retain(|provider| {
            let address = &provider.address;
            self.namespace.as_ref().is_none_or(|namespace| namespace == address.namespace())
                && place.given_hostname().is_none_or(|hostname| hostname == address.hostname())
        });
        if found.is_empty() {
            say("no such provider was published yet");
        }
        let shown = found.iter().map(Shown::new);
        let printed = match self.report.format {
            Format::Text if found.is_empty() => Ok(()),
            Format::Text => {
                let heading = ["PROVIDER", "NEWEST", "VERSIONS", "STATUS"].map(str::to_owned);
                print(&table::render(&[heading].into_iter().chain(shown.map(Shown::row)).collect::<Vec<_>>()))
            }
            Format::Json => print_json(&Listed { target: place.target().to_string(), providers: shown.collect() }),
        };
        printed.map_err(|error| error.after("nothing was written"))?;
        Ok(Exit::Done)
    }
}

/// Every provider, by its own document: the index is only derived from them.
async fn find(store: &dyn Store) -> Result<Vec<ProviderDocument>, AccessError> {
    let keys = store.list(&Listing::Providers(None)).await?;
    let reads =
        keys.iter().map(|key: &DocumentKey| documents::read::<ProviderDocument>(store, key)).collect::<Vec<_>>();
    let found: Vec<_> = stream::iter(reads).buffered(READERS).try_collect().await?;
    Ok(found.into_iter().flatten().collect())
}
