//! What is packed: executables that are what they are said to be, and further files.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use yuba::digest::Sha256Digest;
use yuba::name::ProviderType;
use yuba::platform::Platform;

use super::archive_writer::Item;
use super::problem::Problem;
use crate::verify::digest_file;
use crate::verify::executable::{Judgement, is_candidate, judge};
use crate::verify::limits::HEADER_BYTES;

/// The mode of files that are not started.
const PLAIN_BITS: u32 = 0o644;

/// Checks that every executable is a file that can be read, is for its platform, and for no other one too.
pub(super) fn check_executables(executables: &BTreeMap<Platform, PathBuf>, problems: &mut Vec<Problem>) {
    let mut by_size: BTreeMap<u64, Vec<(&Platform, &PathBuf)>> = BTreeMap::new();
    for (platform, path) in executables {
        match read_head(path) {
            Err(problem) => problems.push(problem),
            Ok((size, head)) => {
                if let Judgement::Contradicts(header) = judge(&head, platform) {
                    problems.push(Problem::OtherPlatform(path.clone(), platform.clone(), header));
                }
                by_size.entry(size).or_default().push((platform, path));
            }
        }
    }
    // Only files of one size can be the same.
    for same in by_size.values().filter(|same| same.len() > 1) {
        let mut first: BTreeMap<Sha256Digest, &Platform> = BTreeMap::new();
        for (platform, path) in same {
            match digest_file(path) {
                Err(error) => problems.push(Problem::Unreadable((*path).clone(), error.to_string())),
                Ok(digest) => match first.get(&digest) {
                    Some(other) => {
                        problems.push(Problem::SameBytes((*platform).clone(), (*other).clone(), (*path).clone()));
                    }
                    None => drop(first.insert(digest, platform)),
                },
            }
        }
    }
}

/// The further files as they stand in every archive's root.
pub(super) fn read_includes(paths: &[PathBuf], r#type: &ProviderType, problems: &mut Vec<Problem>) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    for path in paths {
        match name_include(path, r#type, &items) {
            Ok(name) => items.push(Item { name, path: path.clone(), mode: PLAIN_BITS }),
            Err(problem) => problems.push(problem),
        }
    }
    items
}

fn name_include(path: &Path, r#type: &ProviderType, others: &[Item]) -> Result<String, Problem> {
    let refused = |why: &str| Problem::Include(path.to_owned(), why.to_owned());
    read_head(path)?;
    let name = path.file_name().and_then(|name| name.to_str()).ok_or_else(|| refused("its name is not UTF-8"))?;
    // The zip library would make other names of these.
    if name.contains(['\\', ':']) || name.contains(char::is_control) {
        return Err(refused("its name has a backslash, a colon or a control character"));
    }
    if is_candidate(name, r#type) {
        return Err(refused("clients would take it for the executable by its name"));
    }
    if others.iter().any(|other| other.name.to_lowercase() == name.to_lowercase()) {
        return Err(refused("another file of that name is included"));
    }
    Ok(name.to_owned())
}

/// The size of a regular file, and its first bytes.
fn read_head(path: &Path) -> Result<(u64, Vec<u8>), Problem> {
    let unreadable = |error: io::Error| Problem::Unreadable(path.to_owned(), error.to_string());
    let metadata = fs::metadata(path).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(Problem::NotAFile(path.to_owned()));
    }
    let mut head = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(HEADER_BYTES as u64).read_to_end(&mut head).map_err(unreadable)?;
    Ok((metadata.len(), head))
}
