//! `yuba pack`.

mod report;

use std::path::{Path, PathBuf};

use clap::Args;
use yuba::name::ProviderType;
use yuba::protocol_version::ProtocolVersion;
use yuba::version::Version;
use yuba_companion::packing::{Builds, ManifestSource, Mode, PackError, Packed, Packing, Watchers, WriteError};
use yuba_companion::publish::Stage;
use yuba_companion::verify::VerifyError;

use super::failure::{Exit, Failure};
use super::{Format, progress};
use report::Report;

/// The manifest's name in a repository, where it stands beside the directory of archives.
const MANIFEST: &str = "terraform-registry-manifest.json";

/// Pack executables into the archives of a release
///
/// Makes `terraform-provider-TYPE_VERSION_OS_ARCH.zip` for each platform, with the executable as
/// `terraform-provider-TYPE_vVERSION` in it (with .exe for windows) that may be started, and without directories. The same
/// files make the same bytes on every machine and at every time, with the same version of yuba. The archives are verified
/// before they are put into place, next to the manifest; then `yuba sign` signs them.
///
/// A BUILD is `OS_ARCH=PATH`, or a directory of builds: in it, what is named `OS_ARCH`, or ends in `_OS_ARCH`, is an
/// executable or a directory with one. OS and ARCH are Go's names. What the executable's own header says must not
/// contradict it, and no executable is packed twice. Nothing that is there is written over.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, disable_version_flag = true)]
pub(crate) struct Pack {
    /// The executables: `OS_ARCH=PATH`, or a directory of them
    #[arg(value_name = "BUILD", required = true)]
    builds: Vec<Builds>,

    /// The provider's type, such as `dns`
    #[arg(long, value_name = "TYPE")]
    provider: ProviderType,

    /// The release's version, without a leading `v`
    #[arg(long, value_name = "VERSION")]
    version: Version,

    /// The directory that gets the archives; it is made if it is not there
    #[arg(long, value_name = "DIST")]
    out: PathBuf,

    /// The plugin protocol that the provider speaks, for the manifest: 6.0 for most of terraform-plugin-framework's,
    /// 5.0 for `terraform-plugin-sdk`'s; several times for several
    #[arg(long, value_name = "VERSION", conflicts_with = "manifest")]
    protocol: Vec<ProtocolVersion>,

    /// The manifest, if there is one already [default: DIST/../terraform-registry-manifest.json]
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,

    /// A further file for every archive, such as the licence; several times for several
    #[arg(long, value_name = "FILE")]
    include: Vec<PathBuf>,

    /// Pack and verify in a temporary directory and say what would be written, but write nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    report: super::Report,
}

const EXAMPLES: &str = "\
Examples:
  # build/linux_amd64/terraform-provider-dns, build/windows_amd64/terraform-provider-dns.exe, …
  yuba pack build --provider dns --version 1.2.0 --protocol 6.0 --include LICENSE --out dist

  # each executable by name
  yuba pack linux_amd64=out/dns-linux darwin_arm64=out/dns-mac --provider dns --version 1.2.0 --protocol 6.0 --out dist

  # then
  yuba sign dist --key SECRET.asc && yuba publish dist --namespace acme --target local";

impl Pack {
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let manifest = self.manifest()?;
        let packing = Packing {
            r#type: &self.provider,
            version: &self.version,
            builds: &self.builds,
            includes: &self.include,
            manifest: &manifest,
            out: &self.out,
        };
        let mode = if self.dry_run { Mode::Rehearse } else { Mode::Write };
        let (bars, verifying) = (progress::watch_doing("packing"), progress::watch());
        verifying.begin(Stage::Verify);
        let packed = packing.run(mode, &Watchers { packing: &*bars, verifying: &*verifying }).map_err(fail)?;
        let report = Report::new(&packed, &self.provider, &self.version, mode);
        let printed = match self.report.format {
            Format::Text => report.print_text(&self.out),
            Format::Json => report.print_json(),
        };
        printed.map_err(|error| {
            error.after(match packed {
                Packed::Done { .. } if !self.dry_run => "the archives are packed all the same",
                Packed::Done { .. } | Packed::Refused { .. } => "nothing was written",
            })
        })?;
        Ok(match packed {
            Packed::Done { .. } => Exit::Done,
            Packed::Refused { .. } => Exit::Refused,
        })
    }

    fn manifest(&self) -> Result<ManifestSource, Failure> {
        if !self.protocol.is_empty() {
            return Ok(ManifestSource::Protocols(self.protocol.clone()));
        }
        if let Some(path) = &self.manifest {
            return Ok(ManifestSource::File(path.clone()));
        }
        // The directory may not be there yet, so that `DIST/..` is nowhere.
        let beside = self.out.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(beside.join(MANIFEST)).filter(|path| path.is_file()).map(ManifestSource::File).ok_or_else(|| {
            Failure::refused(
                "nothing says which plugin protocol the provider speaks",
                format!("say it: `--protocol 6.0` (terraform-plugin-framework) or `--protocol 5.0` (terraform-plugin-sdk), or have a {MANIFEST}"),
            )
        })
    }
}

fn fail(error: PackError) -> Failure {
    match &error {
        PackError::Manifest(..) => {
            Failure::refused(error, "`--manifest` is the release's terraform-registry-manifest.json")
        }
        PackError::Archive(WriteError::Read(..)) => Failure::refused(error, "every file to be packed must be readable"),
        PackError::Out(..) | PackError::Archive(WriteError::Write(..)) => Failure::failed(
            error,
            "see that there is room and that you may write there, and run the same command again",
        ),
        PackError::Verify(
            VerifyError::Directory { .. }
            | VerifyError::File { .. }
            | VerifyError::RegisteredKey { .. }
            | VerifyError::Lost { .. },
        )
        | PackError::Lost => Failure::failed(error, "nothing was put into place: run the same command again"),
    }
}
