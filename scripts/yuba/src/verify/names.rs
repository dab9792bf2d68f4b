//! File names: that they are legal, and that they agree on type and version.

use std::collections::BTreeMap;

use yuba::archive_name::{ArchiveName, ArchiveNameError, FILE_PREFIX};
use yuba::name::ProviderType;
use yuba::version::{Version, VersionError};

use super::check::Check;
use super::checks::files::{
    ARCHIVE_NAME, PLATFORM, SAME_TYPE, SAME_VERSION, SUMS_NAME, TYPE, VERSION, VERSION_LENGTH, VERSION_NUMBER,
    VERSION_ZERO,
};
use super::finding::Findings;

/// What the file names say.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// The archives whose names are legal, by their file names.
    pub(crate) archives: BTreeMap<String, ArchiveName>,
    /// The type and the version that the release is taken for.
    pub(crate) release: Option<(ProviderType, Version)>,
}

impl Names {
    /// Reads the names of `archives` and of the SHA256SUMS file.
    pub(crate) fn read(archives: &[&str], sums: Option<&str>, findings: &mut Findings) -> Self {
        let mut names = Self::default();
        for file in archives {
            match file.parse::<ArchiveName>() {
                Ok(name) => drop(names.archives.insert((*file).to_owned(), name)),
                Err(error) => findings.add(check_of(&error), file, describe(&error)),
            }
        }
        names.release = names.choose_release(sums);
        if let Some((r#type, version)) = &names.release {
            for (file, name) in &names.archives {
                if name.r#type != *r#type {
                    findings.add(&SAME_TYPE, file, format!("is of type `{}`, others of `{type}`", name.r#type));
                }
                if name.version != *version {
                    findings.add(
                        &SAME_VERSION,
                        file,
                        format!("is of version `{}`, others of `{version}`", name.version),
                    );
                }
            }
        }
        if let Some(sums) = sums.filter(|sums| !is_named_like(sums, archives)) {
            findings.add(&SUMS_NAME, sums, format!("is not named as the archives are, such as {}", example(archives)));
        }
        names
    }

    /// The type and version that SHA256SUMS is named for if an archive is too, else those of most archives.
    fn choose_release(&self, sums: Option<&str>) -> Option<(ProviderType, Version)> {
        let mut counts: BTreeMap<_, usize> = BTreeMap::new();
        for name in self.archives.values() {
            *counts.entry((&name.r#type, &name.version)).or_default() += 1;
        }
        let named = |(r#type, version): &(&ProviderType, &Version)| {
            sums == Some(&format!("{FILE_PREFIX}{type}_{version}_SHA256SUMS"))
        };
        let chosen = counts.iter().max_by_key(|(release, count)| (named(release), **count))?;
        Some((chosen.0.0.clone(), chosen.0.1.clone()))
    }
}

/// The part of an archive's name before its platform, legal or not.
fn stem(archive: &str) -> Option<&str> {
    let second = archive.match_indices('_').nth(1)?.0;
    archive.get(..second)
}

fn is_named_like(sums: &str, archives: &[&str]) -> bool {
    let named = sums.strip_suffix("_SHA256SUMS");
    archives.is_empty() || archives.iter().any(|archive| stem(archive) == named)
}

fn example(archives: &[&str]) -> String {
    let stem = archives.iter().find_map(|archive| stem(archive)).unwrap_or("terraform-provider-TYPE_VERSION");
    format!("`{stem}_SHA256SUMS`")
}

/// What is wrong with a file name, without repeating the name.
fn describe(error: &ArchiveNameError) -> String {
    match error {
        ArchiveNameError::Shape(_) => "is not named `terraform-provider-TYPE_VERSION_OS_ARCH.zip`".to_owned(),
        ArchiveNameError::Type(_, error) => error.to_string(),
        ArchiveNameError::TypeNotNormalised(_, r#type) => {
            format!("spells its type otherwise than clients do: `{type}`")
        }
        ArchiveNameError::Version(_, error) => error.to_string(),
        ArchiveNameError::Platform(_, error) => error.to_string(),
    }
}

fn check_of(error: &ArchiveNameError) -> &'static Check {
    match error {
        ArchiveNameError::Shape(_) => &ARCHIVE_NAME,
        ArchiveNameError::Type(..) | ArchiveNameError::TypeNotNormalised(..) => &TYPE,
        ArchiveNameError::Platform(..) => &PLATFORM,
        ArchiveNameError::Version(_, error) => match error {
            VersionError::TooLong(_) => &VERSION_LENGTH,
            VersionError::NotSemver(_) => &VERSION,
            VersionError::NumberTooLarge(_) => &VERSION_NUMBER,
            VersionError::Zero(_) => &VERSION_ZERO,
        },
    }
}
