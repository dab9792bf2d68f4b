//! One version: its packages' documents, what is signed, the mirror's word, its OCI manifests, and its archives.

mod archives;

use std::collections::{BTreeMap, BTreeSet};

use futures::{StreamExt as _, stream};
use url::Url;
use yuba::address::ProviderAddress;
use yuba::platform::Platform;
use yuba::version::Version;

use super::checks::package::PACKAGE_STATUS;
use super::checks::signed::{SIGNATURE_STATUS, SUMS_STATUS};
use super::http::Unanswered;
use super::mirror::{MirrorArchive, judge_archives};
use super::oci::OciRepository;
use super::outcome::{Standing, Unchecked};
use super::package::{self, Package};
use super::provider::join;
use super::versions::ListedVersion;
use super::{InspectError, Scene, agreement, refusal, signed};
use crate::verify::Origin;
use crate::verify::check::Check;
use crate::verify::finding::Findings;

/// A version to be inspected.
#[derive(Clone, Copy)]
pub(super) struct Release<'a> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) address: &'a ProviderAddress,
    /// Where the registry has the provider, if it is one of its own.
    pub(super) registry: Option<&'a Url>,
    /// Where the mirror has the provider, if it does.
    pub(super) mirror: Option<&'a Url>,
    /// The provider's OCI repository, if the registry announces one.
    pub(super) oci: Option<&'a OciRepository>,
    pub(super) listed: &'a ListedVersion,
    pub(super) origin: Origin,
}

/// What a package says of the signed files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Signed<'a> {
    sums: &'a Url,
    signature: &'a Url,
    armors: &'a [String],
}

impl<'a> Signed<'a> {
    fn of(package: &'a Package) -> Self {
        Self { sums: &package.sums, signature: &package.signature, armors: &package.armors }
    }
}

/// What was found of it.
pub(super) struct InspectedRelease {
    pub(super) version: Version,
    pub(super) platforms: BTreeMap<Platform, Standing>,
    pub(super) findings: Findings,
    pub(super) unchecked: Vec<Unchecked>,
}

impl InspectedRelease {
    pub(super) fn leave(&mut self, subject: &str, unanswered: &Unanswered) {
        self.unchecked.push(Unchecked { subject: subject.to_owned(), reason: unanswered.reason() });
    }
}

impl Release<'_> {
    pub(super) async fn inspect(self) -> Result<InspectedRelease, InspectError> {
        let mut inspected = InspectedRelease {
            version: self.listed.version.clone(),
            platforms: BTreeMap::new(),
            findings: Findings::new(self.origin),
            unchecked: Vec::new(),
        };
        let packages = self.packages(&mut inspected).await;
        agreement::compare_packages(self.listed, &packages, &self.subject(), &mut inspected.findings);
        self.signed(&packages, &mut inspected).await;
        let mirrored = self.mirrored(&packages, &mut inspected).await;
        let candidates = self.candidates(&packages, mirrored);
        self.oci(&candidates, &mut inspected).await;
        self.archives(candidates, &mut inspected).await?;
        Ok(inspected)
    }

    pub(super) fn subject(&self) -> String {
        format!("{} {}", self.address, self.listed.version)
    }

    pub(super) fn subject_for(&self, platform: &Platform) -> String {
        format!("{} {platform}", self.subject())
    }

    pub(super) fn jobs(&self) -> usize {
        self.scene.request.jobs.max(1)
    }

    /// The packages of all listed platforms that clients get one for.
    async fn packages(&self, inspected: &mut InspectedRelease) -> BTreeMap<Platform, Package> {
        let Some(registry) = self.registry else { return BTreeMap::new() };
        let all = stream::iter(&self.listed.platforms).map(|platform| async move {
            let mut findings = Findings::new(self.origin);
            let package = self.package(registry, platform, &mut findings).await;
            (platform, package, findings)
        });
        let mut all = all.buffered(self.jobs());
        let mut packages = BTreeMap::new();
        while let Some((platform, package, findings)) = all.next().await {
            inspected.findings.append(findings);
            let standing = match package {
                Ok(Some(package)) => {
                    packages.insert(platform.clone(), package);
                    continue;
                }
                Ok(None) => Standing::Faulty,
                Err(unanswered) => {
                    inspected.leave(&self.subject_for(platform), &unanswered);
                    Standing::Unchecked
                }
            };
            inspected.platforms.insert(platform.clone(), standing);
        }
        packages
    }

    async fn package(
        &self,
        registry: &Url,
        platform: &Platform,
        findings: &mut Findings,
    ) -> Result<Option<Package>, Unanswered> {
        let version = self.listed.version.to_string();
        let url = join(registry, &[&version, "download", platform.os(), platform.arch()]);
        let subject = self.subject_for(platform);
        let answer = self.scene.http.read(&url, None).await?;
        if answer.status != 200 {
            findings.add(&PACKAGE_STATUS, &subject, refusal(&url, answer.status, &answer.body));
            return Ok(None);
        }
        Ok(package::judge(&answer.body, &answer.url, platform, &subject, findings))
    }

    /// Inspects SHA256SUMS and its signature. All packages of a version name the same ones and come with the same keys,
    /// unless something is wrong: then each that is named is inspected, with the packages that name it.
    async fn signed(&self, packages: &BTreeMap<Platform, Package>, inspected: &mut InspectedRelease) {
        let named: BTreeSet<_> = packages.values().map(Signed::of).collect();
        for signed in &named {
            let mut of: BTreeMap<_, _> = packages.iter().collect();
            of.retain(|_, package| Signed::of(package) == *signed);
            let subject = match of.first_key_value() {
                Some((platform, _)) if named.len() > 1 => self.subject_for(platform),
                _ => self.subject(),
            };
            if let Err(unanswered) = self.signed_by(*signed, &of, &subject, &mut inspected.findings).await {
                inspected.leave(&subject, &unanswered);
            }
        }
    }

    async fn signed_by(
        &self,
        signed: Signed<'_>,
        packages: &BTreeMap<&Platform, &Package>,
        subject: &str,
        findings: &mut Findings,
    ) -> Result<(), Unanswered> {
        let Some(sums) = self.file(signed.sums, &SUMS_STATUS, subject, findings).await? else { return Ok(()) };
        let listing = signed::judge_sums(&sums, subject, findings);
        agreement::compare_sums(&listing, packages, self.listed, &self.subject(), findings);
        let signature = self.file(signed.signature, &SIGNATURE_STATUS, subject, findings).await?;
        let Some(signature) = signature else { return Ok(()) };
        // A package without a key that can be read is found by its own document.
        let keys = packages.values().map(|package| &package.keys).find(|keys| !keys.is_empty());
        if let Some(keys) = keys {
            signed::judge_signature(&signature, &sums, keys, self.scene.request.now, subject, findings);
        }
        Ok(())
    }

    async fn file(
        &self,
        url: &Url,
        check: &'static Check,
        subject: &str,
        findings: &mut Findings,
    ) -> Result<Option<Vec<u8>>, Unanswered> {
        let answer = self.scene.http.read(url, None).await?;
        if answer.status != 200 {
            findings.add(check, subject, refusal(url, answer.status, &answer.body));
            return Ok(None);
        }
        Ok(Some(answer.body))
    }

    /// The mirror's archives, held against the registry's packages.
    async fn mirrored(
        &self,
        packages: &BTreeMap<Platform, Package>,
        inspected: &mut InspectedRelease,
    ) -> BTreeMap<Platform, MirrorArchive> {
        let Some(mirror) = self.mirror else { return BTreeMap::new() };
        let subject = self.subject();
        let document =
            self.scene.mirror_document(mirror, &self.listed.version, &subject, &mut inspected.findings).await;
        let (body, url) = match document {
            Ok(Some(document)) => document,
            Ok(None) => return BTreeMap::new(),
            Err(unanswered) => {
                inspected.leave(&subject, &unanswered);
                return BTreeMap::new();
            }
        };
        let findings = &mut inspected.findings;
        let Some(archives) = judge_archives(&body, &url, &subject, findings) else { return BTreeMap::new() };
        if self.registry.is_some() {
            agreement::compare_mirror(&archives.named, self.listed, &subject, findings);
            agreement::compare_archives(&archives.archives, packages, &subject, findings);
        } else if archives.named.is_empty() {
            agreement::no_platforms(&subject, findings);
        }
        archives.archives
    }
}
