//! The archives of one version: each once, unless an earlier run has verified it.

use std::collections::BTreeMap;

use futures::{StreamExt as _, TryStreamExt as _, stream};
use yuba::platform::Platform;

use super::{InspectedRelease, Release};
use crate::inspection::archive::Candidate;
use crate::inspection::http::Unanswered;
use crate::inspection::ledger::{Facts, Verified};
use crate::inspection::mirror::MirrorArchive;
use crate::inspection::outcome::{ArchiveFacts, Standing, Unchecked};
use crate::inspection::package::Package;
use crate::inspection::{Archives, InspectError};
use crate::time;
use crate::verify::finding::Findings;

impl Release<'_> {
    /// The archives to be inspected: the registry's, and the mirror's where it has others.
    pub(super) fn candidates(
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
                    h1: stated.and_then(|stated| stated.h1).or_else(|| mirrored.get(platform)?.h1),
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

    /// Inspects them, several at a time.
    pub(super) async fn archives(
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
