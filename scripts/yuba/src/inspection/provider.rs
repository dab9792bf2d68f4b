//! One provider: its versions in the registry and in the mirror, and then each of them.

use std::collections::BTreeSet;

use futures::{StreamExt as _, TryStreamExt as _, stream};
use url::Url;
use yuba::address::ProviderAddress;
use yuba::version::Version;

use super::checks::mirror::{MIRROR_INDEX, MIRROR_STATUS, MIRROR_TYPE, MIRROR_UNKNOWN};
use super::checks::versions::VERSIONS_STATUS;
use super::http::Unanswered;
use super::outcome::{InspectedProvider, InspectedVersion, Unchecked};
use super::release::{InspectedRelease, Release};
use super::versions::{Listed, ListedVersion, judge};
use super::{InspectError, Scene, mirror, refusal};
use crate::discovery::is_json;
use crate::verify::Origin;
use crate::verify::finding::Findings;

/// A version that no registry lists: how a mirror answers for what it does not have.
const UNKNOWN_VERSION: &str = "0.0.0-yuba.verify";

/// What the mirror says of a provider's versions.
enum Index {
    /// It has these.
    Versions(BTreeSet<Version>),
    /// It does not have the provider.
    Absent,
    /// What it says is found to be wrong.
    Wrong,
}

/// What was found of a provider.
pub(super) struct Inspected {
    pub(super) provider: InspectedProvider,
    pub(super) findings: Findings,
    pub(super) unchecked: Vec<Unchecked>,
}

impl Inspected {
    fn new(address: &ProviderAddress, origin: Origin) -> Self {
        let provider = InspectedProvider {
            address: address.clone(),
            absent: false,
            mirrored: false,
            oci: false,
            warnings: Vec::new(),
            versions: Vec::new(),
        };
        Self { provider, findings: Findings::new(origin), unchecked: Vec::new() }
    }

    pub(super) fn leave(&mut self, subject: &str, unanswered: &Unanswered) {
        self.unchecked.push(Unchecked { subject: subject.to_owned(), reason: unanswered.reason() });
    }
}

impl Scene<'_> {
    /// Inspects one of the registry's own providers.
    pub(super) async fn own_provider(
        &self,
        registry: &Url,
        address: &ProviderAddress,
    ) -> Result<Inspected, InspectError> {
        let mut inspected = Inspected::new(address, Origin::Own);
        let subject = address.to_string();
        let base = join(registry, &[address.namespace().as_str(), address.r#type().as_str(), ""]);
        let listed = match self.list(&join(&base, &["versions"]), &subject, &mut inspected).await {
            Ok(Some(listed)) => listed,
            Ok(None) => return Ok(inspected),
            Err(unanswered) => {
                inspected.leave(&subject, &unanswered);
                return Ok(inspected);
            }
        };
        let mirror = self.mirror_base(address);
        if let Some(mirror) = &mirror {
            let versions = listed.versions.iter().map(|listed| listed.version.clone()).collect();
            match self.compare_index(mirror, &versions, &subject, &mut inspected.findings).await {
                Ok(there) => inspected.provider.mirrored = there,
                Err(unanswered) => inspected.leave(&subject, &unanswered),
            }
        }
        let mirror = mirror.filter(|_| inspected.provider.mirrored);
        inspected.provider.warnings.clone_from(&listed.warnings);
        self.releases(address, Some(&base), mirror.as_ref(), &listed.versions, inspected).await
    }

    /// Inspects a provider of another hostname, which the mirror alone has.
    pub(super) async fn mirrored_provider(&self, address: &ProviderAddress) -> Result<Inspected, InspectError> {
        let mut inspected = Inspected::new(address, Origin::Other);
        let subject = address.to_string();
        let Some(mirror) = self.mirror_base(address) else { return Ok(inspected) };
        let versions = match self.index(&mirror, &subject, &mut inspected.findings).await {
            Ok(Index::Versions(versions)) => versions,
            Ok(Index::Wrong) => return Ok(inspected),
            Ok(Index::Absent) => {
                inspected.provider.absent = true;
                return Ok(inspected);
            }
            Err(unanswered) => {
                inspected.leave(&subject, &unanswered);
                return Ok(inspected);
            }
        };
        inspected.provider.mirrored = true;
        let listed = |version| ListedVersion { version, protocols: BTreeSet::new(), platforms: BTreeSet::new() };
        let versions: Vec<_> = versions.into_iter().map(listed).collect();
        self.releases(address, None, Some(&mirror), &versions, inspected).await
    }

    /// Inspects the versions, several at a time.
    async fn releases(
        &self,
        address: &ProviderAddress,
        registry: Option<&Url>,
        mirror: Option<&Url>,
        versions: &[ListedVersion],
        mut inspected: Inspected,
    ) -> Result<Inspected, InspectError> {
        let subject = address.to_string();
        if let Some(mirror) = mirror
            && let Err(unanswered) = self.ask_unknown(mirror, &subject, &mut inspected.findings).await
        {
            inspected.leave(&subject, &unanswered);
        }
        let origin = if registry.is_some() { Origin::Own } else { Origin::Other };
        let oci = self.oci_repository(address, origin, versions, &mut inspected).await;
        let oci = oci.as_ref();
        let release = |listed| Release { scene: self, address, registry, mirror, oci, listed, origin };
        let all = stream::iter(versions).map(|listed| async move { release(listed).inspect().await });
        let mut all = all.buffered(self.request.jobs.max(1));
        while let Some(InspectedRelease { version, platforms, findings, unchecked }) = all.try_next().await? {
            inspected.provider.versions.push(InspectedVersion { version, platforms });
            inspected.findings.append(findings);
            inspected.unchecked.extend(unchecked);
        }
        drop(all);
        Ok(inspected)
    }

    /// The list of versions; nothing, if there is none that clients can read.
    async fn list(&self, url: &Url, subject: &str, inspected: &mut Inspected) -> Result<Option<Listed>, Unanswered> {
        let answer = self.http.read(url, None).await?;
        if answer.status != 200 {
            inspected.provider.absent = answer.status == 404;
            inspected.findings.add(&VERSIONS_STATUS, subject, refusal(url, answer.status, &answer.body));
            return Ok(None);
        }
        Ok(judge(&answer.body, subject, &mut inspected.findings))
    }

    /// Where the mirror has `address`.
    fn mirror_base(&self, address: &ProviderAddress) -> Option<Url> {
        let parts = [address.hostname().as_str(), address.namespace().as_str(), address.r#type().as_str(), ""];
        Some(join(self.request.mirror.as_ref()?, &parts))
    }

    /// Compares the mirror's index with what is listed; whether the mirror has the provider.
    async fn compare_index(
        &self,
        mirror: &Url,
        listed: &BTreeSet<Version>,
        subject: &str,
        findings: &mut Findings,
    ) -> Result<bool, Unanswered> {
        match self.index(mirror, subject, findings).await? {
            Index::Versions(mirrored) => mirror::compare_versions(&mirrored, listed, subject, findings),
            Index::Absent => return Ok(false),
            Index::Wrong => {}
        }
        Ok(true)
    }

    async fn index(&self, mirror: &Url, subject: &str, findings: &mut Findings) -> Result<Index, Unanswered> {
        let url = join(mirror, &["index.json"]);
        let answer = self.http.read(&url, None).await?;
        if answer.status != 200 {
            findings.add(&MIRROR_INDEX, subject, refusal(&url, answer.status, &answer.body));
            return Ok(if answer.status == 404 { Index::Absent } else { Index::Wrong });
        }
        judge_type(answer.content_type.as_deref(), "index.json", subject, findings);
        let versions = mirror::judge_index(&answer.body, subject, findings);
        Ok(versions.map_or(Index::Wrong, Index::Versions))
    }

    /// Asks the mirror for a version that it does not have.
    async fn ask_unknown(&self, mirror: &Url, subject: &str, findings: &mut Findings) -> Result<(), Unanswered> {
        let url = join(mirror, &[&format!("{UNKNOWN_VERSION}.json")]);
        let answer = self.http.read(&url, None).await?;
        if answer.status != 200 || !mirror::is_no_archives(&answer.body) {
            findings.add(&MIRROR_UNKNOWN, subject, refusal(&url, answer.status, &answer.body));
        }
        Ok(())
    }

    /// The mirror's document of one version, if it is answered.
    pub(super) async fn mirror_document(
        &self,
        mirror: &Url,
        version: &Version,
        subject: &str,
        findings: &mut Findings,
    ) -> Result<Option<(Vec<u8>, Url)>, Unanswered> {
        let file = format!("{version}.json");
        let url = join(mirror, &[&file]);
        let answer = self.http.read(&url, None).await?;
        if answer.status != 200 {
            findings.add(&MIRROR_STATUS, subject, refusal(&url, answer.status, &answer.body));
            return Ok(None);
        }
        judge_type(answer.content_type.as_deref(), &file, subject, findings);
        Ok(Some((answer.body, answer.url)))
    }
}

fn judge_type(content_type: Option<&str>, file: &str, subject: &str, findings: &mut Findings) {
    if !is_json(content_type) {
        let shown = content_type.unwrap_or_default();
        findings.add(&MIRROR_TYPE, subject, format!("the mirror's `{file}` has content type `{shown}`"));
    }
}

/// The URL that clients make: `parts` behind the last slash of `base`.
pub(super) fn join(base: &Url, parts: &[&str]) -> Url {
    let mut url = base.clone();
    url.set_query(None);
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop().extend(parts);
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_that_clients_ask_for() {
        let base: Url = "https://a.example/v1/providers/".parse().unwrap();
        let cases = [
            (["straße", "dns", "versions"], "https://a.example/v1/providers/stra%C3%9Fe/dns/versions"),
            (["acme", "1.0.0+7", ""], "https://a.example/v1/providers/acme/1.0.0+7/"),
            (["localhost:8443", "a", "index.json"], "https://a.example/v1/providers/localhost:8443/a/index.json"),
        ];
        for (parts, url) in cases {
            assert_eq!(join(&base, &parts).as_str(), url);
        }
        let without_slash: Url = "https://a.example/v1/providers".parse().unwrap();
        assert_eq!(join(&without_slash, &["acme"]).as_str(), "https://a.example/v1/acme");
    }
}
