//! Builds: which executable is for which platform, as people say it or as their directories are laid out.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use yuba::archive_name::FILE_PREFIX;
use yuba::name::ProviderType;
use yuba::platform::{Platform, PlatformError};

use super::problem::Problem;
use crate::verify::executable::knows;

/// What names one or several builds: `OS_ARCH=PATH`, or a directory that is laid out by platform.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Builds {
    /// One executable, for this platform.
    One(Platform, PathBuf),
    /// A directory with a directory or a file for each platform.
    Directory(PathBuf),
}

/// Why a text names no build.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BuildsError {
    /// What stands before `=` is no platform.
    #[error("`{0}` is not OS_ARCH=PATH")]
    Platform(String, #[source] PlatformError),
    /// A path is missing.
    #[error("`{0}` names no path")]
    Path(String),
}

impl FromStr for Builds {
    type Err = BuildsError;

    fn from_str(text: &str) -> Result<Self, BuildsError> {
        let (platform, path) = match text.split_once('=') {
            Some((platform, path)) => (Some(platform), path),
            None => (None, text),
        };
        if path.is_empty() {
            return Err(BuildsError::Path(text.to_owned()));
        }
        let Some(platform) = platform else { return Ok(Self::Directory(path.into())) };
        let platform = platform.parse().map_err(|error| BuildsError::Platform(text.to_owned(), error))?;
        Ok(Self::One(platform, path.into()))
    }
}

/// Finds all executables, each platform's one.
pub(super) fn resolve(
    builds: &[Builds],
    r#type: &ProviderType,
    problems: &mut Vec<Problem>,
) -> BTreeMap<Platform, PathBuf> {
    let mut found: BTreeMap<Platform, PathBuf> = BTreeMap::new();
    let mut add = |platform: Platform, path: PathBuf, problems: &mut Vec<Problem>| match found.get(&platform) {
        Some(other) => problems.push(Problem::SamePlatform(platform, other.clone(), path)),
        None => drop(found.insert(platform, path)),
    };
    for build in builds {
        match build {
            Builds::One(platform, path) => add(platform.clone(), path.clone(), problems),
            Builds::Directory(directory) => {
                let entries = match list(directory) {
                    Ok(entries) => entries,
                    Err(error) => {
                        problems.push(Problem::Unreadable(directory.clone(), error.to_string()));
                        continue;
                    }
                };
                if entries.is_empty() {
                    problems.push(Problem::NoBuilds(directory.clone()));
                }
                for path in entries {
                    match read_platform(&path) {
                        Some(platform) => {
                            if let Some(executable) = find_executable(&path, r#type, problems) {
                                add(platform, executable, problems);
                            }
                        }
                        None => problems.push(Problem::NoPlatform(path)),
                    }
                }
            }
        }
    }
    found
}

/// What is in a directory, sorted, but for what systems and editors hide there.
fn list(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if !entry.file_name().as_encoded_bytes().starts_with(b".") {
            paths.push(entry.path());
        }
    }
    paths.sort();
    Ok(paths)
}

/// The platform that a name is, or that it ends in: `linux_amd64`, `dns_linux_amd64`, `dns_v1.0.0_windows_386.exe`.
fn read_platform(path: &Path) -> Option<Platform> {
    let name = path.file_name()?.to_str()?;
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let mut parts = name.rsplit('_');
    let (arch, os) = (parts.next()?, parts.next()?);
    format!("{os}_{arch}").parse().ok().filter(knows)
}

/// The executable that a file is, or the one that a directory has: its only file, or the only one named for a provider.
fn find_executable(path: &Path, r#type: &ProviderType, problems: &mut Vec<Problem>) -> Option<PathBuf> {
    if !path.is_dir() {
        return Some(path.to_owned());
    }
    let files = match list(path) {
        Ok(files) => files,
        Err(error) => {
            problems.push(Problem::Unreadable(path.to_owned(), error.to_string()));
            return None;
        }
    };
    let prefix = format!("{FILE_PREFIX}{type}");
    let is_named = |file: &&PathBuf| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix));
    let named: Vec<_> = files.iter().filter(is_named).collect();
    match (files.as_slice(), named.as_slice()) {
        ([only], _) => Some(only.clone()),
        (_, [only]) => Some((*only).clone()),
        _ => {
            problems.push(Problem::NoExecutable(path.to_owned(), files.len()));
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_are_a_platform_with_its_path_or_a_directory() {
        let one = Builds::One("linux_amd64".parse().unwrap(), "build/a=b".into());
        assert_eq!("linux_amd64=build/a=b".parse(), Ok(one));
        assert_eq!("build".parse(), Ok(Builds::Directory("build".into())));
        for text in ["", "linux_amd64="] {
            assert_eq!(text.parse::<Builds>(), Err(BuildsError::Path(text.to_owned())));
        }
        for text in ["linux=a", "=a", "linux_amd64_v1=a", "Linux_x86=a"] {
            assert!(matches!(text.parse::<Builds>(), Err(BuildsError::Platform(..))), "{text}");
        }
    }

    #[test]
    fn a_name_says_its_platform_at_its_end() {
        let read = |name: &str| read_platform(Path::new(name)).map(|platform| platform.to_string());
        let named =
            ["linux_amd64", "dns_linux_amd64", "terraform-provider-dns_v1.0.0_linux_amd64", "a_linux_amd64.exe"];
        for name in named {
            assert_eq!(read(name).as_deref(), Some("linux_amd64"), "{name}");
        }
        // Release tools mark variants of an architecture so; which of several is meant, nobody can say.
        for name in ["dns_linux_amd64_v1", "dns", "linux-amd64", "my_files", "Linux_amd64", "linux_amd64.zip"] {
            assert_eq!(read(name), None, "{name}");
        }
    }
}
