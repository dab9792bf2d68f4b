//! `yuba publish`.

mod report;

use std::path::PathBuf;

use clap::Args;
use fastrand::Rng;
use yuba::address::NamespaceAddress;
use yuba::name::Namespace;
use yuba_companion::documents::AccessError;
use yuba_companion::publish::{Ending, Problem, PublishError, Request, Stage, publish};
use yuba_companion::store::Store;
use yuba_companion::store::rehearsal::Rehearsal;
use yuba_companion::target::Target;
use yuba_companion::verify::{Origin, VerifyError};

use super::failure::{Exit, Failure};
use super::{Format, Place, progress};
use report::{Publishing, Reach};

/// Verify a signed release and publish it
///
/// DIST is what goreleaser leaves: terraform-provider-TYPE_VERSION_OS_ARCH.zip files, their SHA256SUMS, its binary
/// signature SHA256SUMS.sig, and the manifest. All problems of a release are reported at once, and nothing is written
/// unless there are none. Publishing the same release again changes nothing; other content under a listed version is
/// refused.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Publish {
    /// The release's directory
    #[arg(value_name = "DIST")]
    directory: PathBuf,

    /// The namespace to publish in; its signing keys are the only ones accepted
    #[arg(long, value_name = "NAME")]
    namespace: Namespace,

    /// The release's manifest, if it is not in DIST [default: DIST/../terraform-registry-manifest.json]
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,

    /// Verify everything and say what would be written, but write nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    place: Place,

    #[command(flatten)]
    report: super::Report,
}

const EXAMPLES: &str = "\
Examples:
  # verify dist/ against the registered keys and see what would be written
  yuba publish dist --namespace acme --target local --dry-run

  # publish it into plain files, under another hostname than the project's
  yuba publish dist --namespace acme --hostname registry.example --target dir:/srv/yuba

  # in a pipeline: one JSON document on standard output, also when the release is refused
  yuba publish dist --namespace acme --target local --format json | jq -r .status";

impl Publish {
    pub(crate) async fn run(&self) -> Result<Exit, Failure> {
        let place = self.place.find()?;
        self.refuse_unreadable()?;
        let (hostname, origin) = place.hostname().await?;
        let request = Request {
            directory: self.directory.clone(),
            manifest: self.manifest.clone(),
            namespace: NamespaceAddress { hostname, namespace: self.namespace.clone() },
            origin,
            now: jiff::Timestamp::now(),
            random: Rng::new(),
            watch: progress::watch(),
        };
        let opened = place.open().await?;
        let ending = self.publish(&*opened.store, &request).await;
        opened.close().await;
        let key_add = place.key_add(&request.namespace);
        let ending = ending.map_err(|error| fail(error, &key_add))?;
        let reach = match (place.target(), origin) {
            (Target::Local, Origin::Own) => place.served_host().await.map_or(Reach::Nowhere, Reach::Host),
            _ => Reach::Hostname,
        };
        let publishing = Publishing::new(&ending, place.target(), self.dry_run, reach, &key_add);
        let printed = match self.report.format {
            Format::Text => publishing.print_text(),
            Format::Json => publishing.print_json(),
        };
        printed.map_err(|error| {
            error.after(match ending {
                Ending::Published(_) if !self.dry_run => "the release is published all the same",
                _ => "nothing was written",
            })
        })?;
        Ok(match ending {
            Ending::Published(_) => Exit::Done,
            Ending::Refused(_) => Exit::Refused,
        })
    }

    async fn publish(&self, store: &dyn Store, request: &Request) -> Result<Ending, PublishError> {
        if self.dry_run {
            publish(&Rehearsal::new(store, request.now), request).await
        } else {
            publish(store, request).await
        }
    }

    /// Refuses what can be refused before any storage is opened.
    fn refuse_unreadable(&self) -> Result<(), Failure> {
        let refused = |path: &PathBuf, error| {
            let error = VerifyError::Directory { path: path.clone(), source: error };
            Failure::refused(error, HINT)
        };
        std::fs::read_dir(&self.directory).map_err(|error| refused(&self.directory, error))?;
        if let Some(manifest) = &self.manifest {
            std::fs::File::open(manifest).map_err(|source| {
                let error = VerifyError::File { path: manifest.clone(), source };
                Failure::refused(error, "`--manifest` is the release's terraform-registry-manifest.json")
            })?;
        }
        Ok(())
    }
}

const HINT: &str = "DIST is the directory with the release's archives and SHA256SUMS: goreleaser's is `dist`";

/// The failure; `key_add` is the command that registers a key where the release should go.
fn fail(error: PublishError, key_add: &str) -> Failure {
    let hint = match (&error.problem, error.stage) {
        (Problem::Verify(VerifyError::Directory { .. } | VerifyError::File { .. }), _) => {
            return Failure::refused(error, "every file of the release must be there and readable");
        }
        (Problem::Verify(VerifyError::RegisteredKey { .. }), _) => {
            let hint = format!("register the key again: {key_add}");
            return Failure::failed(error, hint);
        }
        (Problem::Access(AccessError::Document { .. }), _) => {
            "a newer yuba wrote this, or storage is damaged: update yuba, and run the same command again"
        }
        (_, Stage::Verify) => "nothing was written: run the same command again",
        (_, Stage::Store) => "nothing is listed yet, and nothing is lost: run the same command again to complete it",
        (_, Stage::Announce) => {
            "the release is stored, and listed or not as a whole: run the same command again to complete it"
        }
    };
    Failure::failed(error, hint)
}
