//! A verification from its start to its verdict.

use std::collections::BTreeMap;
use std::path::Path;

use yuba::digest::Sha256Digest;
use yuba::name::Namespace;
use yuba::protocol_version::ProtocolVersion;

use super::archive::Archive;
use super::archives::Learned;
use super::checks::archive::ZIP_TWINS;
use super::checks::files::{ARCHIVE_FILE, ARCHIVES, NAMESPACE};
use super::directory::{Directory, file_size};
use super::finding::Findings;
use super::listing::Listing;
use super::names::Names;
use super::progress::Progress;
use super::terms::Terms;
use super::verdict::{Verdict, VerifiedArchive, VerifiedRelease, VerifyError};
use super::{archives, manifest, signature, sums};
use crate::openpgp::Judgement;

/// What the parts of a verification established, before it is known whether all of them did.
struct Established<'a> {
    namespace: Option<Namespace>,
    names: Names,
    archives: &'a [Archive],
    learned: Vec<Learned>,
    protocols: Vec<ProtocolVersion>,
    shasums: Option<Vec<u8>>,
    judgement: Judgement,
}

/// Verifies the release in the directory `dist` and reports all that is wrong with it at once.
///
/// # Errors
/// [`VerifyError`], if the directory, one of its files or a registered key cannot be read.
pub fn verify(dist: &Path, terms: &Terms<'_>, progress: &dyn Progress) -> Result<Verdict, VerifyError> {
    let mut findings = Findings::new(terms.origin);
    let directory = Directory::open(dist)?;
    let namespace = read_namespace(terms, &mut findings);
    let sums = sums::read(&directory, &mut findings)?;
    let sums_name = sums.as_ref().map(|(name, _)| name.as_str());
    let files: Vec<_> = directory.archives().iter().map(|(name, _)| *name).collect();
    let names = Names::read(&files, sums_name, &mut findings);
    let archives = list_archives(&directory, &names, &mut findings)?;
    let learned = archives::verify(&archives, terms.origin, progress, &mut findings)?;
    find_twins(&archives, &learned, &mut findings);
    let listing = read_listing(sums.as_ref(), &mut findings);
    let mut judgement = Judgement::default();
    if let Some((name, bytes)) = &sums {
        let digests: Vec<_> = archives.iter().zip(learned.iter().map(|learned| learned.digest)).collect();
        sums::compare(&directory, name, &listing, &digests, &mut findings)?;
        judgement = signature::verify(&directory, name, bytes, terms, &mut findings)?;
    }
    let protocols = manifest::read(&directory, &listing, terms.manifest, &mut findings)?;
    let shasums = sums.map(|(_, bytes)| bytes);
    let established = Established { namespace, names, archives: &archives, learned, protocols, shasums, judgement };
    let release = if findings.accept() { established.into_release() } else { None };
    Ok(Verdict { findings: findings.finish(), release })
}

impl Established<'_> {
    /// The release, of which every part is there if nothing was found that refuses it.
    fn into_release(self) -> Option<VerifiedRelease> {
        let (r#type, version) = self.names.release?;
        let mut verified = BTreeMap::new();
        for (archive, learned) in self.archives.iter().zip(&self.learned) {
            let platform = archive.purpose.as_ref()?.1.clone();
            let entry = VerifiedArchive {
                path: archive.path.clone(),
                filename: archive.file.clone(),
                size: archive.size,
                zh: learned.digest,
                h1: learned.h1?,
            };
            verified.insert(platform, entry);
        }
        Some(VerifiedRelease {
            namespace: self.namespace?,
            r#type,
            version,
            protocols: self.protocols,
            archives: verified,
            shasums: String::from_utf8(self.shasums?).ok()?,
            signature: Some(self.judgement.binary).filter(|signature| !signature.is_empty())?,
            fingerprint: self.judgement.fingerprint?,
            signed_at: self.judgement.signed_at?,
        })
    }
}

fn read_namespace(terms: &Terms<'_>, findings: &mut Findings) -> Option<Namespace> {
    let namespace = terms.namespace.parse();
    namespace.map_err(|error: yuba::name::NameError| findings.add(&NAMESPACE, "--namespace", error)).ok()
}

pub(super) fn list_archives(
    directory: &Directory,
    names: &Names,
    findings: &mut Findings,
) -> Result<Vec<Archive>, VerifyError> {
    let mut archives = Vec::new();
    let files = directory.archives();
    if files.is_empty() {
        findings.add(&ARCHIVES, &directory.path().display().to_string(), "has no file `….zip`");
    }
    for (name, path) in files {
        let size = file_size(path).map_err(|source| VerifyError::File { path: path.to_owned(), source })?;
        let Some(size) = size else {
            findings.add(&ARCHIVE_FILE, name, "is no regular file");
            continue;
        };
        let purpose = names.archives.get(name).map(|name| (name.r#type.clone(), name.platform.clone()));
        archives.push(Archive { file: name.to_owned(), path: path.to_owned(), size, purpose });
    }
    Ok(archives)
}

pub(super) fn read_listing(sums: Option<&(String, Vec<u8>)>, findings: &mut Findings) -> Listing {
    let Some((name, bytes)) = sums else {
        return Listing::default();
    };
    let mut listing = Listing::parse(bytes);
    for (check, what) in listing.defects.drain(..) {
        findings.add(check, name, what);
    }
    listing
}

/// Finds archives of the same bytes.
pub(super) fn find_twins(archives: &[Archive], learned: &[Learned], findings: &mut Findings) {
    let mut first: BTreeMap<Sha256Digest, &str> = BTreeMap::new();
    for (archive, learned) in archives.iter().zip(learned) {
        match first.get(&learned.digest) {
            Some(other) => findings.add(&ZIP_TWINS, &archive.file, format!("has the same bytes as `{other}`")),
            None => drop(first.insert(learned.digest, &archive.file)),
        }
    }
}
