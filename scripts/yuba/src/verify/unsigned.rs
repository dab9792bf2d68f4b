//! A release before it is signed: all of the table but the signature.
//!
//! What is signed cannot be mended without signing again, and what was signed and seen cannot be taken back. So all
//! that a publish would refuse is found before.

use std::collections::BTreeMap;
use std::path::Path;

use yuba::archive_name::FILE_PREFIX;
use yuba::digest::Sha256Digest;
use yuba::name::ProviderType;
use yuba::platform::Platform;
use yuba::version::Version;

use super::archive::Archive;
use super::archives::Learned;
use super::checks::protocols::MANIFEST;
use super::directory::{Directory, MANIFEST_SUFFIX, SUMS_SUFFIX};
use super::finding::{Finding, Findings, quote};
use super::listing::Listing;
use super::names::Names;
use super::progress::Progress;
use super::release::{find_twins, list_archives, read_listing};
use super::severity::Origin;
use super::verdict::VerifyError;
use super::{archives, manifest, sums};

/// A release with which nothing is wrong, as far as that can be said before it is signed.
#[derive(Debug, Clone)]
pub struct UnsignedRelease {
    /// The provider's type.
    pub r#type: ProviderType,
    /// The release's version.
    pub version: Version,
    /// The platforms, and the digest of each one's archive.
    pub archives: BTreeMap<Platform, (String, Sha256Digest)>,
    /// The manifest's bytes.
    pub manifest: Vec<u8>,
    /// SHA256SUMS, if it is there already: it lists all archives, and nothing that is not there.
    pub shasums: Option<String>,
}

/// What was found about a release that is not signed yet.
#[derive(Debug)]
pub struct UnsignedVerdict {
    /// All that is wrong, in the order of the table.
    pub findings: Vec<Finding>,
    /// What was proved, unless a finding refuses the release.
    pub release: Option<UnsignedRelease>,
    /// Whether there is a SHA256SUMS already.
    pub has_sums: bool,
}

impl UnsignedRelease {
    /// The name of its SHA256SUMS.
    #[must_use]
    pub fn sums_name(&self) -> String {
        sums_name(&self.r#type, &self.version)
    }

    /// The name of the signature over it.
    #[must_use]
    pub fn signature_name(&self) -> String {
        Directory::signature_name(&self.sums_name())
    }

    /// The name of its manifest.
    #[must_use]
    pub fn manifest_name(&self) -> String {
        manifest_name(&self.r#type, &self.version)
    }
}

/// Verifies what is to be signed in the directory `dist` and reports all that is wrong with it at once. The manifest is
/// looked for where [`verify`](super::verify) looks for it; `named` is where it is otherwise.
///
/// # Errors
/// [`VerifyError`], if the directory or one of its files cannot be read.
pub fn verify_unsigned(
    dist: &Path,
    named: Option<&Path>,
    progress: &dyn Progress,
) -> Result<UnsignedVerdict, VerifyError> {
    let mut findings = Findings::new(Origin::Own);
    let directory = Directory::open(dist)?;
    let has_sums = !directory.sums().is_empty();
    let shasums = if has_sums { sums::read(&directory, &mut findings)? } else { None };
    let sums_name = shasums.as_ref().map(|(name, _)| name.as_str());
    let files: Vec<_> = directory.archives().iter().map(|(name, _)| *name).collect();
    let names = Names::read(&files, sums_name, &mut findings);
    let archives = list_archives(&directory, &names, &mut findings)?;
    let learned = archives::verify(&archives, Origin::Own, progress, &mut findings)?;
    find_twins(&archives, &learned, &mut findings);
    let listing = read_listing(shasums.as_ref(), &mut findings);
    if let Some((name, _)) = &shasums {
        let digests: Vec<_> = archives.iter().zip(learned.iter().map(|learned| learned.digest)).collect();
        sums::compare(&directory, name, &listing, &digests, &mut findings)?;
    }
    let manifest = find_manifest(&directory, &listing, &names, named, &mut findings)?;
    let shasums = shasums.map(|(_, bytes)| bytes);
    let release = if findings.accept() { establish(names, &archives, &learned, manifest, shasums) } else { None };
    Ok(UnsignedVerdict { findings: findings.finish(), release, has_sums })
}

/// The name of a release's SHA256SUMS.
pub(crate) fn sums_name(r#type: &ProviderType, version: &Version) -> String {
    format!("{}{SUMS_SUFFIX}", stem(r#type, version))
}

/// The name of a release's manifest.
pub(crate) fn manifest_name(r#type: &ProviderType, version: &Version) -> String {
    format!("{}{MANIFEST_SUFFIX}", stem(r#type, version))
}

/// What the names of a release's files start with.
fn stem(r#type: &ProviderType, version: &Version) -> String {
    format!("{FILE_PREFIX}{type}_{version}")
}

fn find_manifest(
    directory: &Directory,
    listing: &Listing,
    names: &Names,
    named: Option<&Path>,
    findings: &mut Findings,
) -> Result<Option<Vec<u8>>, VerifyError> {
    if let ([(present, _)], Some((r#type, version))) = (directory.manifests().as_slice(), &names.release) {
        let expected = manifest_name(r#type, version);
        if **present != expected {
            findings.add(&MANIFEST, present, format!("is not named for this release: {}", quote(&expected)));
        }
    }
    let found = manifest::find(directory, listing, named, findings)?;
    if let Some((subject, bytes)) = &found {
        manifest::parse(subject, bytes, findings);
    }
    Ok(found.map(|(_, bytes)| bytes))
}

/// The release, of which every part is there if nothing was found that refuses it.
fn establish(
    names: Names,
    archives: &[Archive],
    learned: &[Learned],
    manifest: Option<Vec<u8>>,
    shasums: Option<Vec<u8>>,
) -> Option<UnsignedRelease> {
    let (r#type, version) = names.release?;
    let mut found = BTreeMap::new();
    for (archive, learned) in archives.iter().zip(learned) {
        let (_, platform) = archive.purpose.as_ref()?;
        found.insert(platform.clone(), (archive.file.clone(), learned.digest));
    }
    let shasums = match shasums {
        Some(bytes) => Some(String::from_utf8(bytes).ok()?),
        None => None,
    };
    Some(UnsignedRelease { r#type, version, archives: found, manifest: manifest?, shasums })
}
