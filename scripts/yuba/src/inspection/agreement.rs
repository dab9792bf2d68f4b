//! Whether all that is said of one version is the same, whoever says it.

use std::collections::{BTreeMap, BTreeSet};

use yuba::digest::Sha256Digest;
use yuba::platform::Platform;

use super::checks::mirror::{MIRROR_HASHES, MIRROR_PLATFORMS};
use super::checks::package::{PACKAGE_AGREES, PACKAGE_HASHES};
use super::checks::versions::VERSIONS_PROTOCOLS;
use super::mirror::MirrorArchive;
use super::package::{Package, Stated};
use super::versions::ListedVersion;
use crate::verify::checks::archive::ZIP_TWINS;
use crate::verify::checks::sums::{SUMS_ABSENT_FILE, SUMS_UNLISTED};
use crate::verify::directory::ARCHIVE_SUFFIX;
use crate::verify::finding::{Findings, quote};
use crate::verify::listing::Listing;

/// Compares the packages of a version with each other and with the list of versions.
pub(super) fn compare_packages(
    listed: &ListedVersion,
    packages: &BTreeMap<Platform, Package>,
    subject: &str,
    findings: &mut Findings,
) {
    let mut first: BTreeMap<Sha256Digest, &Platform> = BTreeMap::new();
    for (platform, package) in packages {
        let subject = format!("{subject} {platform}");
        compare_stated(platform, package, packages, &subject, findings);
        if !package.protocols.is_empty() && !listed.protocols.is_empty() && package.protocols != listed.protocols {
            let message = format!(
                "has protocols {}, and the list of versions {}",
                join(&package.protocols),
                join(&listed.protocols)
            );
            findings.add(&VERSIONS_PROTOCOLS, &subject, message);
        }
        match first.get(&package.zh) {
            Some(other) => findings.add(&ZIP_TWINS, &subject, format!("has the same bytes as `{other}`")),
            None => drop(first.insert(package.zh, platform)),
        }
    }
}

/// What `package` says of itself, against itself and what the other documents say of it.
fn compare_stated(
    platform: &Platform,
    package: &Package,
    packages: &BTreeMap<Platform, Package>,
    subject: &str,
    findings: &mut Findings,
) {
    let own = package.stated.get(platform);
    if let Some(Stated { zh, .. }) = own.filter(|own| own.zh != package.zh) {
        let message = format!("`packages` states `zh:{zh}`, and `shasum` is `{}`", package.zh);
        return findings.add(&PACKAGE_AGREES, subject, message);
    }
    for (other, document) in packages {
        match (own, document.stated.get(platform)) {
            (None, None) => {}
            // What its own document lacks, or says badly, is found there.
            (None, Some(_)) if !package.stated.is_empty() => {}
            (own, said) if own == said => {}
            (_, None) if document.stated.is_empty() => {}
            (_, None) => {
                let message = format!("`packages` in the document of `{other}` does not name `{platform}`");
                findings.add(&PACKAGE_HASHES, subject, message);
            }
            (_, Some(_)) => {
                let message = format!("`packages` in the document of `{other}` says otherwise of `{platform}`");
                findings.add(&PACKAGE_AGREES, subject, message);
            }
        }
    }
}

/// Compares SHA256SUMS with those packages of a version that name it.
pub(super) fn compare_sums(
    listing: &Listing,
    packages: &BTreeMap<&Platform, &Package>,
    listed: &ListedVersion,
    subject: &str,
    findings: &mut Findings,
) {
    for (platform, package) in packages {
        let subject = format!("{subject} {platform}");
        match listing.digests.get(&package.filename) {
            None if listing.has_unread_lines => {}
            None => {
                let message = format!("{} has no line in SHA256SUMS", quote(&package.filename));
                findings.add(&SUMS_UNLISTED, &subject, message);
            }
            // What is wrong with the line is said already.
            Some(None) => {}
            Some(Some(digest)) if *digest == package.zh => {}
            Some(Some(digest)) => {
                let message = format!("SHA256SUMS has `{digest}`, and `shasum` is `{}`", package.zh);
                findings.add(&PACKAGE_AGREES, &subject, message);
            }
        }
    }
    // What is wrong with a listed platform's package is found at its document.
    let ends: Vec<_> = listed.platforms.iter().map(|platform| format!("_{platform}{ARCHIVE_SUFFIX}")).collect();
    let archives = listing.digests.keys().filter(|name| name.ends_with(ARCHIVE_SUFFIX));
    for name in archives.filter(|name| !ends.iter().any(|end| name.ends_with(end))) {
        findings.add(&SUMS_ABSENT_FILE, subject, format!("{} is listed in SHA256SUMS, but not served", quote(name)));
    }
}

/// Compares the mirror's platforms with those that are listed.
pub(super) fn compare_mirror(
    named: &BTreeSet<Platform>,
    listed: &ListedVersion,
    subject: &str,
    findings: &mut Findings,
) {
    for platform in listed.platforms.difference(named) {
        findings.add(&MIRROR_PLATFORMS, subject, format!("the mirror lacks platform `{platform}`"));
    }
    for platform in named.difference(&listed.platforms) {
        findings.add(&MIRROR_PLATFORMS, subject, format!("only the mirror has platform `{platform}`"));
    }
}

/// A version that is mirrored for no platform.
pub(super) fn no_platforms(subject: &str, findings: &mut Findings) {
    findings.add(&MIRROR_PLATFORMS, subject, "the mirror has the version for no platform");
}

/// Compares the mirror's hashes with the registry's.
pub(super) fn compare_archives(
    archives: &BTreeMap<Platform, MirrorArchive>,
    packages: &BTreeMap<Platform, Package>,
    subject: &str,
    findings: &mut Findings,
) {
    for (platform, archive) in archives {
        let Some(package) = packages.get(platform) else { continue };
        let subject = format!("{subject} {platform}");
        if archive.zh != package.zh {
            let message = format!("the mirror states `zh:{}`, and `shasum` is `{}`", archive.zh, package.zh);
            findings.add(&MIRROR_HASHES, &subject, message);
        }
        let stated = package.stated.get(platform).and_then(|stated| stated.h1);
        if let (Some(mirrored), Some(stated)) = (archive.h1, stated)
            && mirrored != stated
        {
            let message = format!("the mirror states `{mirrored}`, and the registry `{stated}`");
            findings.add(&MIRROR_HASHES, &subject, message);
        }
    }
}

fn join(protocols: &BTreeSet<String>) -> String {
    let all: Vec<_> = protocols.iter().map(String::as_str).collect();
    quote(&all.join(", "))
}
