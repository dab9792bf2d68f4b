//! Packing: archives made from plain executables, as clients need them, and the manifest beside them.

mod archive_writer;
mod archives;
mod build;
mod item;
mod problem;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use yuba::archive_name::ArchiveName;
use yuba::digest::Sha256Digest;
use yuba::name::ProviderType;
use yuba::platform::Platform;
use yuba::protocol_version::ProtocolVersion;
use yuba::version::Version;

pub use archive_writer::WriteError;
pub use build::{Builds, BuildsError};
pub use problem::Problem;

use crate::signing::FileAction;
use crate::verify::{
    Finding, Progress, UnsignedVerdict, VerifyError, digest_file, is_release_file, manifest, manifest_name,
    verify_unsigned,
};
use crate::whole_file;

/// Where the manifest comes from.
#[derive(Debug, Clone)]
pub enum ManifestSource {
    /// It states these protocol versions.
    Protocols(Vec<ProtocolVersion>),
    /// It is this file.
    File(PathBuf),
}

/// What is to be packed, and where to.
#[derive(Debug)]
pub struct Packing<'a> {
    /// The provider's type.
    pub r#type: &'a ProviderType,
    /// The release's version.
    pub version: &'a Version,
    /// The executables.
    pub builds: &'a [Builds],
    /// Further files, for every archive.
    pub includes: &'a [PathBuf],
    /// The manifest.
    pub manifest: &'a ManifestSource,
    /// The directory that gets the archives.
    pub out: &'a Path,
}

/// Whether anything is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Archives are put into place.
    Write,
    /// They are made in a place for passing things, and forgotten.
    Rehearse,
}

/// Who is told how far the work is.
pub struct Watchers<'a> {
    /// While archives are packed.
    pub packing: &'a dyn Progress,
    /// While they are verified.
    pub verifying: &'a dyn Progress,
}

/// A file that was packed.
#[derive(Debug, Clone, Serialize)]
pub struct PackedFile {
    /// Its name.
    pub name: String,
    /// What becomes of it.
    pub action: FileAction,
    /// Its size in bytes.
    pub size: u64,
    /// Its digest.
    pub sha256: Sha256Digest,
}

/// What came of packing.
#[derive(Debug)]
pub enum Packed {
    /// Everything is there.
    Done {
        /// The archives by name, then the manifest.
        files: Vec<PackedFile>,
        /// What is to be known about them.
        findings: Vec<Finding>,
    },
    /// Nothing was written.
    Refused {
        /// What is wrong with what was to be packed, or with where it should go.
        problems: Vec<Problem>,
        /// What is wrong with the archives that it makes.
        findings: Vec<Finding>,
    },
}

/// Why nothing is packed, where the input may be good.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// The manifest cannot be read.
    #[error("cannot read `{}`", .0.display())]
    Manifest(PathBuf, #[source] io::Error),
    /// A directory or file cannot be made.
    #[error("cannot write `{}`", .0.display())]
    Out(PathBuf, #[source] io::Error),
    /// An archive cannot be written.
    #[error(transparent)]
    Archive(#[from] WriteError),
    /// What was made cannot be read back.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// A thread ended before it was done, which is a bug.
    #[error("an archive was not packed to its end")]
    Lost,
}

impl Packing<'_> {
    /// Packs: everything is made and verified in a directory of its own, and only then put into place.
    ///
    /// # Errors
    /// [`PackError`], if something cannot be read or written.
    pub fn run(&self, mode: Mode, watchers: &Watchers<'_>) -> Result<Packed, PackError> {
        let was_there = self.out.exists();
        let packed = self.pack(mode, watchers);
        if !was_there {
            // Goes only if nothing was put into it.
            let _ = fs::remove_dir(self.out);
        }
        packed
    }

    fn pack(&self, mode: Mode, watchers: &Watchers<'_>) -> Result<Packed, PackError> {
        let refuse = |problems| Ok(Packed::Refused { problems, findings: Vec::new() });
        let mut problems = Vec::new();
        let executables = build::resolve(self.builds, self.r#type, &mut problems);
        item::check_executables(&executables, &mut problems);
        let includes = item::read_includes(self.includes, self.r#type, &mut problems);
        let manifest = match self.manifest {
            ManifestSource::Protocols(protocols) => manifest::render(protocols).into_bytes(),
            ManifestSource::File(path) => fs::read(path).map_err(|error| PackError::Manifest(path.clone(), error))?,
        };
        let mut held = self.list_held()?;
        held.retain(|name| !executables.keys().any(|platform| self.archive_name(platform) == *name));
        let (manifest_name, sums_name) = (manifest_name(self.r#type, self.version), self.sums_name());
        let is_own = |name: &String| *name == manifest_name || *name == sums_name;
        problems.extend(held.iter().filter(|name| !is_own(name)).map(|name| Problem::Foreign(self.out.join(name))));
        if !problems.is_empty() {
            return refuse(problems);
        }
        let out_failed = |error| PackError::Out(self.out.to_owned(), error);
        let staging = match mode {
            Mode::Write => {
                fs::create_dir_all(self.out).map_err(out_failed)?;
                whole_file::staging_directory(self.out)
            }
            Mode::Rehearse => tempfile::tempdir(),
        };
        let staging = staging.map_err(out_failed)?;
        self.write_archives(&executables, &includes, staging.path(), watchers.packing)?;
        fs::write(staging.path().join(&manifest_name), &manifest).map_err(out_failed)?;
        let UnsignedVerdict { findings, release, .. } = verify_unsigned(staging.path(), None, watchers.verifying)?;
        let Some(release) = release else { return Ok(Packed::Refused { problems, findings }) };
        let mut made: Vec<_> = release.archives.into_values().collect();
        made.sort();
        made.push((manifest_name, Sha256Digest::of(&manifest)));
        let files = self.compare(made, staging.path(), &mut problems)?;
        let is_new = |file: &PackedFile| file.action != FileAction::Exists;
        let sums = self.out.join(sums_name);
        if sums.exists() && files.iter().any(is_new) {
            problems.push(Problem::Signed(sums));
        }
        if !problems.is_empty() {
            return refuse(problems);
        }
        if mode == Mode::Write {
            for file in files.iter().filter(|file| is_new(file)) {
                let path = self.out.join(&file.name);
                fs::rename(staging.path().join(&file.name), &path).map_err(|error| PackError::Out(path, error))?;
            }
        }
        Ok(Packed::Done { files, findings })
    }

    /// The files of a release that are where the archives should go.
    fn list_held(&self) -> Result<Vec<String>, PackError> {
        let failed = |error| PackError::Out(self.out.to_owned(), error);
        let entries = match fs::read_dir(self.out) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed(error)),
        };
        let mut names = Vec::new();
        for entry in entries {
            names.push(entry.map_err(failed)?.file_name().to_string_lossy().into_owned());
        }
        names.retain(|name| is_release_file(name));
        names.sort();
        Ok(names)
    }

    /// Compares what was made with what is there.
    fn compare(
        &self,
        made: Vec<(String, Sha256Digest)>,
        staging: &Path,
        problems: &mut Vec<Problem>,
    ) -> Result<Vec<PackedFile>, PackError> {
        let mut files = Vec::new();
        for (name, sha256) in made {
            let path = self.out.join(&name);
            let action = match digest_file(&path) {
                Ok(held) if held == sha256 => FileAction::Exists,
                Ok(_) => {
                    problems.push(Problem::OtherContent(path));
                    FileAction::Exists
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => FileAction::Create,
                Err(error) => return Err(PackError::Out(path, error)),
            };
            let path = staging.join(&name);
            let size = fs::metadata(&path).map_err(|error| PackError::Out(path, error))?.len();
            files.push(PackedFile { name, action, size, sha256 });
        }
        Ok(files)
    }

    fn archive_name(&self, platform: &Platform) -> String {
        let (r#type, version) = (self.r#type.clone(), self.version.clone());
        ArchiveName { r#type, version, platform: platform.clone() }.to_string()
    }

    fn sums_name(&self) -> String {
        crate::verify::sums_name(self.r#type, self.version)
    }
}
