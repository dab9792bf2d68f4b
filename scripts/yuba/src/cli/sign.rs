//! `yuba sign`.

mod report;
mod secret;

use std::path::PathBuf;

use clap::Args;
use jiff::Timestamp;
use yuba::fingerprint::Fingerprint;
use yuba_companion::openpgp::{ChoiceError, PartDefect, SignError, Signer};
use yuba_companion::publish::Stage;
use yuba_companion::signing::{Prepared, SigningError, prepare};
use yuba_companion::verify::VerifyError;

use super::failure::{Exit, Failure};
use super::{Format, progress};
use report::Report;

/// Sign a release: SHA256SUMS, its signature, and the manifest
///
/// DIST holds the release's archives, as `yuba pack` or goreleaser makes them. All that can be wrong with them is found
/// first. Then three files are made: the manifest under the release's name, SHA256SUMS over it and all archives, and the
/// binary OpenPGP signature over SHA256SUMS. GnuPG is not needed.
///
/// The secret key comes from `--key FILE`, or from the environment variable `YUBA_SIGNING_KEY`, which holds it armored, or
/// as base64 of that on one line. Its passphrase comes from `YUBA_SIGNING_PASSPHRASE`, or is asked for on a terminal.
/// Neither is ever an argument. As in GnuPG, the newest signing subkey signs, else the primary key.
///
/// Signing again changes nothing. A SHA256SUMS that is there is signed as it is if it fits the files, and is refused
/// otherwise, by what differs: it is never written over, since somebody may have it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Sign {
    /// The release's directory
    #[arg(value_name = "DIST")]
    directory: PathBuf,

    /// The file with the secret key, armored or binary [default: the environment variable `YUBA_SIGNING_KEY`]
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,

    /// Which key signs, where there are several: a primary key, or one of its subkeys and no other
    #[arg(long, value_name = "FINGERPRINT")]
    fingerprint: Option<Fingerprint>,

    /// The release's manifest, if it is not in DIST [default: DIST/../terraform-registry-manifest.json]
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,

    /// Verify everything, unlock the key and say what would be written, but write nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    report: super::Report,
}

const EXAMPLES: &str = "\
Examples:
  # with a key in a file; its passphrase is asked for
  gpg --armor --export-secret-keys you@example.org > SECRET.asc
  yuba sign dist --key SECRET.asc

  # in a pipeline: both are secrets there, and no GnuPG is needed
  export YUBA_SIGNING_KEY YUBA_SIGNING_PASSPHRASE
  yuba sign dist && yuba publish dist --namespace acme

  # one line for secrets that lose line breaks
  gpg --armor --export-secret-keys you@example.org | base64 -w0";

impl Sign {
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        self.refuse_unreadable()?;
        let now = Timestamp::now();
        let keys = secret::read_keys(self.key.as_deref())?;
        let mut signer = Signer::choose(keys, self.fingerprint.as_ref(), now).map_err(refuse_choice)?;
        secret::unlock(&mut signer)?;
        let watch = progress::watch();
        watch.begin(Stage::Verify);
        let prepared = prepare(&self.directory, self.manifest.as_deref(), &signer, now, &*watch).map_err(fail)?;
        let warnings = signer.warnings(now);
        if let Prepared::Ready(signing) = &prepared
            && !self.dry_run
        {
            signing.write().map_err(fail)?;
        }
        let report = Report::new(&prepared, &signer, &warnings, self.dry_run);
        let printed = match self.report.format {
            Format::Text => report.print_text(),
            Format::Json => report.print_json(),
        };
        printed.map_err(|error| {
            error.after(match prepared {
                Prepared::Ready(_) if !self.dry_run => "the release is signed all the same",
                Prepared::Ready(_) | Prepared::Refused { .. } => "nothing was written",
            })
        })?;
        Ok(match prepared {
            Prepared::Ready(_) => Exit::Done,
            Prepared::Refused { .. } => Exit::Refused,
        })
    }

    /// Refuses what can be refused before a passphrase is asked for.
    fn refuse_unreadable(&self) -> Result<(), Failure> {
        std::fs::read_dir(&self.directory).map_err(|source| {
            let error = VerifyError::Directory { path: self.directory.clone(), source };
            Failure::refused(error, "DIST is the directory with the release's archives: `yuba pack` makes one")
        })?;
        if let Some(manifest) = &self.manifest {
            std::fs::File::open(manifest).map_err(|source| {
                let error = VerifyError::File { path: manifest.clone(), source };
                Failure::refused(error, "`--manifest` is the release's terraform-registry-manifest.json")
            })?;
        }
        Ok(())
    }
}

fn refuse_choice(error: ChoiceError) -> Failure {
    let hint = match &error {
        ChoiceError::Several(_) => "name the one to sign with: --fingerprint FINGERPRINT".to_owned(),
        ChoiceError::Unknown { .. } => "name one of those that are there, or another file".to_owned(),
        ChoiceError::Part(defect) => match defect {
            PartDefect::MayNotSign(_) => "sign with a key or subkey that `gpg --list-keys` marks with `[S]`".to_owned(),
            PartDefect::NoSecret(fingerprint) => {
                format!(
                    "export it with its secret part: gpg --armor --export-secret-keys {fingerprint} (a subkey alone: --export-secret-subkeys {fingerprint}!)"
                )
            }
            PartDefect::Revoked(..) => "clients refuse what a revoked key signs: sign with another key".to_owned(),
            PartDefect::Expired(fingerprint, _) => format!(
                "extend it with `gpg --quick-set-expire {fingerprint} 2y` (a subkey: `gpg --quick-set-expire PRIMARY 2y {fingerprint}`), export it, and register the public key again"
            ),
            PartDefect::Future(..) => "set this machine's clock right".to_owned(),
            PartDefect::Unusable(..) => {
                "sign with a key that every client reads: gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign"
                    .to_owned()
            }
        },
    };
    Failure::refused(error, hint)
}

fn fail(error: SigningError) -> Failure {
    let again = "each file is written whole or not at all: run the same command again to complete it";
    match &error {
        SigningError::Verify(VerifyError::Directory { .. } | VerifyError::File { .. }) | SigningError::Read(..) => {
            Failure::refused(error, "every file of the release must be there and readable")
        }
        SigningError::Sign(SignError::Refused(_)) => Failure::refused(
            error,
            "nothing was written: sign with another key, or mend this one with `gpg --edit-key`",
        ),
        SigningError::Sign(SignError::Clock(_)) => Failure::refused(error, "set this machine's clock right"),
        SigningError::Sign(SignError::Library(..)) => {
            Failure::refused(error, "the key is damaged, or its public and secret parts do not fit: export it again")
        }
        SigningError::Verify(VerifyError::RegisteredKey { .. } | VerifyError::Lost { .. }) => {
            Failure::failed(error, "nothing was written: run the same command again")
        }
        SigningError::Write(..) => Failure::failed(error, again),
    }
}
