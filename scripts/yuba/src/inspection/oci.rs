//! The OCI face of a registry, where discovery announces it: the same versions, platforms and archives.
//!
//! It asks what `OpenTofu` asks, in its order: the tags, the head of each tag, the index, each manifest, and, instead of
//! the blob, its head: the archive was read where the registry protocol has it.

mod judge;

use std::collections::{BTreeMap, BTreeSet};

use futures::{StreamExt as _, stream};
use reqwest::Method;
use url::Url;
use yuba::address::ProviderAddress;
use yuba::digest::Sha256Digest;
use yuba::platform::Platform;
use yuba::protocol::oci::{INDEX, MANIFEST, parse_digest, spell};
use yuba::repository::{Repository, RepositoryTemplate};
use yuba::tag::Tag;

use super::archive::Candidate;
use super::checks::oci::{OCI_BLOB, OCI_DIGEST, OCI_HEAD, OCI_MANIFEST_STATUS, OCI_MEDIA_TYPE, OCI_TAGS_STATUS};
use super::http::{Answer, Unanswered};
use super::provider::{Inspected, join};
use super::release::{InspectedRelease, Release};
use super::versions::ListedVersion;
use super::{RegistryUrl, Scene, refusal};
use crate::discovery::resolve;
use crate::verify::Origin;
use crate::verify::finding::{Findings, quote};
use judge::Layer;

/// What names the content of an answer.
const DIGEST: &str = "docker-content-digest";

/// How many pages of tags are read: a list that goes on for longer does not end.
const MAX_PAGES: usize = 1000;

/// The OCI repository of a provider.
pub(super) struct OciRepository {
    /// Where it is; ends in a slash.
    url: Url,
    tags: BTreeSet<String>,
}

/// Whether the repositories that are announced are those of the registry that announces them.
pub(super) fn is_of(template: &RepositoryTemplate, registry: &RegistryUrl) -> bool {
    let own = registry.url();
    let host = template.as_str().split('/').next().unwrap_or_default();
    let url = format!("{}://{host}/", own.scheme()).parse::<Url>();
    url.is_ok_and(|url| url.host() == own.host() && url.port_or_known_default() == own.port_or_known_default())
}

impl Scene<'_> {
    /// The repository of a provider with its tags, which are held against the listed versions; nothing, if none is
    /// announced, or its tags cannot be read.
    pub(super) async fn oci_repository(
        &self,
        address: &ProviderAddress,
        origin: Origin,
        versions: &[ListedVersion],
        inspected: &mut Inspected,
    ) -> Option<OciRepository> {
        let name = repository_name(self.repositories.as_ref()?, address, origin)?;
        let mut url = self.request.registry.url().clone();
        url.set_path(&format!("/v2/{name}/"));
        inspected.provider.oci = true;
        let subject = address.to_string();
        let tags = match self.tags(&url, &subject, &mut inspected.findings).await {
            Ok(tags) => tags?,
            Err(unanswered) => {
                inspected.leave(&subject, &unanswered);
                return None;
            }
        };
        let expected = versions.iter().map(|listed| Tag(listed.version.clone()).to_string()).collect();
        judge::compare_tags(&tags, &expected, &subject, &mut inspected.findings);
        Some(OciRepository { url, tags })
    }

    /// All tags, page by page.
    async fn tags(
        &self,
        repository: &Url,
        subject: &str,
        findings: &mut Findings,
    ) -> Result<Option<BTreeSet<String>>, Unanswered> {
        let mut tags = BTreeSet::new();
        let mut next = Some(join(repository, &["tags", "list"]));
        for _ in 0..MAX_PAGES {
            let Some(url) = next else { break };
            let answer = self.http.read(&url, Some("application/json")).await?;
            if answer.status != 200 {
                findings.add(&OCI_TAGS_STATUS, subject, refusal(&url, answer.status, &answer.body));
                return Ok(None);
            }
            let Some(page) = judge::read_tags(&answer.body, subject, findings) else { return Ok(None) };
            tags.extend(page);
            next = next_page(&answer);
        }
        Ok(Some(tags))
    }
}

/// The repository's name on its host; nothing, if OCI's grammar cannot hold it.
fn repository_name(template: &RepositoryTemplate, address: &ProviderAddress, origin: Origin) -> Option<String> {
    match origin {
        Origin::Own => {
            let repository = template.expand(address.namespace(), address.r#type());
            repository.split_once('/').map(|(_, name)| name.to_owned()).filter(|name| name.is_ascii())
        }
        Origin::Other => Repository::of_mirror(address.clone()).ok().map(|repository| repository.to_string()),
    }
}

/// Where a list goes on (OCI distribution, "Listing Tags").
fn next_page(answer: &Answer) -> Option<Url> {
    let (target, relation) = answer.header("link")?.trim().strip_prefix('<')?.split_once('>')?;
    resolve(&answer.url, target).filter(|_| relation.contains("next"))
}

impl Release<'_> {
    /// Inspects the version as OCI clients find it; `candidates` are its archives as they are stated elsewhere. A version
    /// without a tag is found where the tags are.
    pub(super) async fn oci(&self, candidates: &[(Platform, Candidate)], inspected: &mut InspectedRelease) {
        let tag = Tag(self.listed.version.clone()).to_string();
        let Some(repository) = self.oci.filter(|repository| repository.tags.contains(&tag)) else { return };
        let subject = self.subject();
        let manifests = match self.index(repository, &tag, &subject, &mut inspected.findings).await {
            Ok(Some(manifests)) => manifests,
            Ok(None) => return,
            Err(unanswered) => return inspected.leave(&subject, &unanswered),
        };
        let mut stated = BTreeMap::new();
        for (platform, Candidate { zh, size, .. }) in candidates {
            // The registry's own word comes first, and the mirror's after it.
            stated.entry(platform).or_insert(Layer { digest: *zh, size: *size });
        }
        let platforms = match self.origin {
            Origin::Own => self.listed.platforms.clone(),
            Origin::Other => stated.keys().map(|platform| (*platform).clone()).collect(),
        };
        judge::compare_platforms(&manifests, &platforms, &subject, &mut inspected.findings);
        let all = stream::iter(&manifests).map(|(platform, digest)| {
            let stated = stated.get(platform).copied();
            async move {
                let (subject, mut findings) = (self.subject_for(platform), Findings::new(self.origin));
                let done = self.layer(repository, digest, stated, &subject, &mut findings).await;
                (subject, done, findings)
            }
        });
        let mut all = all.buffered(self.jobs());
        while let Some((subject, done, findings)) = all.next().await {
            inspected.findings.append(findings);
            if let Err(unanswered) = done {
                inspected.leave(&subject, &unanswered);
            }
        }
    }

    /// The manifests of the index that `tag` names.
    async fn index(
        &self,
        repository: &OciRepository,
        tag: &str,
        subject: &str,
        findings: &mut Findings,
    ) -> Result<Option<BTreeMap<Platform, Sha256Digest>>, Unanswered> {
        let url = join(&repository.url, &["manifests", tag]);
        let head = self.scene.http.ask(&Method::HEAD, &url, Some(&format!("{INDEX}, {MANIFEST}"))).await?;
        if head.status != 200 {
            findings.add(&OCI_HEAD, subject, format!("HEAD of `{url}` is answered with {}", head.status));
            return Ok(None);
        }
        let mut lack = |what: &str| findings.add(&OCI_HEAD, subject, format!("HEAD of tag {} {what}", quote(tag)));
        if head.content_type.as_deref() != Some(INDEX) {
            let content_type = head.content_type.as_deref().unwrap_or_default();
            lack(&format!("has content type {}, not `{INDEX}`", quote(content_type)));
        }
        if head.header("content-length").is_none() {
            lack("states no size");
        }
        let named = head.header(DIGEST).unwrap_or_default();
        let Some(digest) = parse_digest(named) else {
            lack(&format!("names the digest {}, which is none", quote(named)));
            return Ok(None);
        };
        let index = self.manifest(repository, &digest, INDEX, subject, findings).await?;
        Ok(index.and_then(|index| judge::judge_index(&index, subject, findings)))
    }

    /// Inspects the manifest of one platform and the head of its layer.
    async fn layer(
        &self,
        repository: &OciRepository,
        digest: &Sha256Digest,
        stated: Option<Layer>,
        subject: &str,
        findings: &mut Findings,
    ) -> Result<(), Unanswered> {
        let manifest = self.manifest(repository, digest, MANIFEST, subject, findings).await?;
        let Some(layer) = manifest.and_then(|text| judge::judge_manifest(&text, subject, findings)) else {
            return Ok(());
        };
        if let Some(stated) = stated {
            judge::compare_layer(layer, stated, subject, findings);
        }
        let url = join(&repository.url, &["blobs", &spell(&layer.digest)]);
        let head = self.scene.http.ask(&Method::HEAD, &url, None).await?;
        let size = head.header("content-length").and_then(|length| length.parse().ok());
        if head.status != 200 {
            findings.add(&OCI_BLOB, subject, format!("HEAD of `{url}` is answered with {}", head.status));
        } else if size != layer.size {
            let size = size.map_or("no size".to_owned(), |size: u64| format!("{size} bytes"));
            let stated = layer.size.unwrap_or_default();
            findings.add(&OCI_BLOB, subject, format!("the blob has {size}, where the manifest states {stated} bytes"));
        }
        Ok(())
    }

    /// A manifest of either kind by its digest, if it is what that says.
    async fn manifest(
        &self,
        repository: &OciRepository,
        digest: &Sha256Digest,
        media_type: &str,
        subject: &str,
        findings: &mut Findings,
    ) -> Result<Option<Vec<u8>>, Unanswered> {
        let spelled = spell(digest);
        let url = join(&repository.url, &["manifests", &spelled]);
        let answer = self.scene.http.read(&url, Some(media_type)).await?;
        if answer.status != 200 {
            findings.add(&OCI_MANIFEST_STATUS, subject, refusal(&url, answer.status, &answer.body));
            return Ok(None);
        }
        let found = Sha256Digest::of(&answer.body);
        if found != *digest {
            findings.add(&OCI_DIGEST, subject, format!("what `{url}` answers has the SHA-256 `{found}`"));
            return Ok(None);
        }
        if let Some(named) = answer.header(DIGEST).filter(|named| *named != spelled) {
            findings.add(&OCI_DIGEST, subject, format!("what `{url}` answers is named {}", quote(named)));
        }
        if answer.content_type.as_deref() != Some(media_type) {
            let content_type = quote(answer.content_type.as_deref().unwrap_or_default());
            findings.add(
                &OCI_MEDIA_TYPE,
                subject,
                format!("`{url}` has content type {content_type}, not `{media_type}`"),
            );
        }
        Ok(Some(answer.body))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_registry_s_own_repositories_are_told_from_others() {
        let is_of =
            |template: &str, registry: &str| super::is_of(&template.parse().unwrap(), &registry.parse().unwrap());
        for (template, registry) in [
            ("registry.example/{namespace}/{type}", "https://registry.example"),
            ("Registry.Example:443/x/{namespace}-{type}", "https://registry.example"),
            ("xn--bcher-kva.example/{namespace}/{type}", "https://bücher.example"),
            ("localhost:8443/{namespace}/{type}", "https://localhost:8443"),
            ("127.0.0.1:80/{namespace}/{type}", "http://127.0.0.1"),
        ] {
            assert!(is_of(template, registry), "{template} {registry}");
        }
        for (template, registry) in [
            ("ghcr.example/{namespace}/{type}", "https://registry.example"),
            ("registry.example:8443/{namespace}/{type}", "https://registry.example"),
            ("localhost/{namespace}/{type}", "https://localhost:8443"),
            ("registry.example.evil/{namespace}/{type}", "https://registry.example"),
            ("a:b/{namespace}/{type}", "https://a"),
        ] {
            assert!(!is_of(template, registry), "{template} {registry}");
        }
    }

    #[test]
    fn a_provider_s_repository_is_named_as_its_origin_says() {
        let template = "registry.example/x/{namespace}-{type}".parse().unwrap();
        let name = |address: &str, origin| repository_name(&template, &address.parse().unwrap(), origin);
        assert_eq!(name("registry.example/acme/dns", Origin::Own).as_deref(), Some("x/acme-dns"));
        assert_eq!(name("a.example/acme/dns", Origin::Other).as_deref(), Some("a.example/acme/dns"));
        for (address, origin) in [
            ("registry.example/acme/ほげ", Origin::Own),
            ("a.example/straße/dns", Origin::Other),
            ("a.example:8443/acme/dns", Origin::Other),
        ] {
            assert_eq!(name(address, origin), None, "{address}");
        }
    }
}
