//! One version: its packages' documents, what is signed, the mirror's word, and its archives.

use std::collections::{BTreeMap, BTreeSet};

use futures::{StreamExt as _, TryStreamExt as _, stream};
use url::Url;
use yuba::address::ProviderAddress;
use yuba::platform::Platform;
use yuba::version::Version;

use super::archive::Candidate;
use super::checks::package::PACKAGE_STATUS;
use super::checks::signed::{SIGNATURE_STATUS, SUMS_STATUS};
use super::http::Unanswered;
use super::ledger::{Facts, Verified};
use super::mirror::{MirrorArchive, judge_archives};
use super::outcome::{ArchiveFacts, Standing, Unchecked};
use super::package::{self, Package};
use super::provider::join;
use super::versions::ListedVersion;
use super::{Archives, InspectError, Scene, agreement, refusal, signed};
use crate::time;
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
    pub(super) listed: &'a ListedVersion,
    pub(super) origin: Origin,
}

/// What was found of it.
pub(super) struct InspectedRelease {
    pub(super) version: Version,
    pub(super) platforms: BTreeMap<Platform, Standing>,
    pub(super) findings: Findings,
    pub(super) unchecked: Vec<Unchecked>,
}

impl InspectedRelease {
    fn leave(&mut self, subject: &str, unanswered: &Unanswered) {
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
        self.archives(candidates, &mut inspected).await?;
        Ok(inspected)
    }

    fn subject(&self) -> String {
        format!("{} {}", self.address, self.listed.version)
    }

    fn subject_for(&self, platform: &Platform) -> String {
        format!("{} {platform}", self.subject())
    }

    fn jobs(&self) -> usize {
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

    /// Inspects SHA256SUMS and its signature. All packages of a version name the same, unless something is wrong: each
    /// that is named is inspected, with the packages that name it.
    async fn signed(&self, packages: &BTreeMap<Platform, Package>, inspected: &mut InspectedRelease) {
        let named: BTreeSet<_> = packages.values().map(|package| (&package.sums, &package.signature)).collect();
        for (sums, signature) in named {
            let mut of: BTreeMap<_, _> = packages.iter().collect();
            of.retain(|_, package| (&package.sums, &package.signature) == (sums, signature));
            if let Err(unanswered) = self.signed_by(sums, signature, &of, &mut inspected.findings).await {
                inspected.leave(&self.subject(), &unanswered);
            }
        }
    }

    async fn signed_by(
        &self,
        sums: &Url,
        signature: &Url,
        packages: &BTreeMap<&Platform, &Package>,
        findings: &mut Findings,
    ) -> Result<(), Unanswered> {
        let subject = self.subject();
        let Some(sums) = self.file(sums, &SUMS_STATUS, findings).await? else { return Ok(()) };
        let listing = signed::judge_sums(&sums, &subject, findings);
        agreement::compare_sums(&listing, packages, &subject, findings);
        let Some(signature) = self.file(signature, &SIGNATURE_STATUS, findings).await? else { return Ok(()) };
        // The packages of a version come with the same keys; where one does not, it is found by its own document.
        let keys = packages.values().map(|package| &package.keys).find(|keys| !keys.is_empty());
        if let Some(keys) = keys {
            signed::judge_signature(&signature, &sums, keys, self.scene.request.now, &subject, findings);
        }
        Ok(())
    }

    async fn file(
        &self,
        url: &Url,
        check: &'static Check,
        findings: &mut Findings,
    ) -> Result<Option<Vec<u8>>, Unanswered> {
        let answer = self.scene.http.read(url, None).await?;
        if answer.status != 200 {
            findings.add(check, &self.subject(), refusal(url, answer.status, &answer.body));
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

    /// The archives to be inspected: the registry's, and the mirror's where it has others.
    fn candidates(
        &self,
        packages: &BTreeMap<Platform, Package>,
        mirrored: BTreeMap<Platform, MirrorArchive>,
    ) -> Vec<(Platform, Candidate)> {
        let mut candidates = Vec::new();
        for (platform, package) in packages {
            let stated = package.stated.get(platform);
            candidates.push((
                platform.clone(),
                Candidate {
                    subject: self.subject_for(platform),
                    purpose: (self.address.r#type().clone(), platform.clone()),
                    url: package.url.clone(),
                    zh: package.zh,
                    h1: stated.and_then(|stated| stated.h1),
                    size: stated.map(|stated| stated.size),
                },
            ));
        }
        for (platform, archive) in mirrored {
            let same = packages.get(&platform).is_some_and(|package| package.url == archive.url);
            if !same {
                let candidate = Candidate {
                    subject: self.subject_for(&platform),
                    purpose: (self.address.r#type().clone(), platform.clone()),
                    url: archive.url,
                    zh: archive.zh,
                    h1: archive.h1,
                    size: None,
                };
                candidates.push((platform, candidate));
            }
        }
        candidates
    }

    async fn archives(
        &self,
        candidates: Vec<(Platform, Candidate)>,
        inspected: &mut InspectedRelease,
    ) -> Result<(), InspectError> {
        let all = stream::iter(candidates).map(|(platform, candidate)| async move {
            let mut findings = Findings::new(self.origin);
            let standing = self.archive(&platform, &candidate, &mut findings).await?;
            Ok::<_, InspectError>((platform, candidate, standing, findings))
        });
        let mut all = all.buffered(self.jobs());
        while let Some((platform, candidate, standing, findings)) = all.try_next().await? {
            inspected.findings.append(findings);
            let standing = standing.unwrap_or_else(|unanswered| {
                let reason = unanswered.reason();
                inspected.unchecked.push(Unchecked { subject: candidate.subject, reason });
                Standing::Unchecked
            });
            let worse = |known: &Standing| !matches!(known, Standing::Faulty | Standing::Unchecked);
            // The mirror's own archive does not make good what is wrong with the registry's.
            if inspected.platforms.get(&platform).is_none_or(worse) {
                inspected.platforms.insert(platform, standing);
            }
        }
        Ok(())
    }

    /// Inspects one archive, unless an earlier run has, and writes down that it is sound.
    async fn archive(
        &self,
        platform: &Platform,
        candidate: &Candidate,
        findings: &mut Findings,
    ) -> Result<Result<Standing, Unanswered>, InspectError> {
        let request = self.scene.request;
        if request.archives == Archives::LeaveOut {
            return Ok(Ok(Standing::LeftOut));
        }
        let verified = Verified {
            address: self.address.clone(),
            version: self.listed.version.clone(),
            platform: platform.clone(),
            url: candidate.url.clone(),
            zh: candidate.zh,
        };
        match self.known(&verified, candidate).await {
            Ok(Some(known)) => return Ok(Ok(known)),
            Ok(None) => {}
            Err(unanswered) => return Ok(Err(unanswered)),
        }
        let inspection = candidate.inspect(&self.scene.http, &*request.progress, findings).await;
        let facts = match inspection {
            Ok(Some(facts)) if findings.is_empty() => facts,
            Ok(_) => return Ok(Ok(Standing::Faulty)),
            Err(unanswered) => return Ok(Err(unanswered)),
        };
        if let Some(ledger) = &request.ledger {
            let at = time::render(request.now);
            ledger.record(verified, Facts { h1: facts.h1, size: facts.size, at })?;
        }
        Ok(Ok(Standing::Verified(facts)))
    }

    /// What an earlier run found, if the registry states the same today and the archive is still there.
    async fn known(&self, verified: &Verified, candidate: &Candidate) -> Result<Option<Standing>, Unanswered> {
        let Some(facts) = self.scene.request.ledger.as_ref().and_then(|ledger| ledger.find(verified)) else {
            return Ok(None);
        };
        let same = candidate.h1.is_none_or(|h1| h1 == facts.h1) && candidate.size.is_none_or(|size| size == facts.size);
        if !same || !candidate.is_there(&self.scene.http, facts.size).await? {
            return Ok(None);
        }
        let Facts { h1, size, at } = facts;
        Ok(Some(Standing::VerifiedBefore(ArchiveFacts { zh: verified.zh, h1: *h1, size: *size }, at.clone())))
    }
}
