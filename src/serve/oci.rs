//! OCI distribution: what is pulled, and by whom it may be.
//!
//! 1. the repository names a provider, whose policy is applied first
//! 2. a tag names a version, whose entry names the digest of its index
//! 3. a digest names a view, which names its version, whose entry must be listed
//! 4. the view is the manifest, or says which archive it is

use super::answer::{self, Answer, CacheControl};
use super::archive::{self, Archive};
use super::lookup::Found;
use super::refusal::{Absent, Refusal};
use super::rendered::Rendering;
use super::storage::Storage;
use super::stored::Stored;
use super::{Exchange, Served};
use crate::address::{ProviderAddress, ReleaseAddress};
use crate::digest::Sha256Digest;
use crate::document::{OciContent, OciView};
use crate::keys::BlobKey;
use crate::protocol::oci::error::Code;
use crate::protocol::oci::{self, EMPTY, INDEX, MANIFEST, tags};
use crate::repository::Repository;
use crate::route::{OciRoute, Route};
use crate::tag::Tag;

/// What every answer with content names it by.
const DIGEST: &str = "docker-content-digest";

/// The media type of blobs, whatever is in them (specification, "Pulling blobs").
const BLOB: &str = "application/octet-stream";

/// Nothing refers to what is here (specification, "Listing Referrers").
const NO_REFERRERS: &str =
    r#"{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[]}"#;

impl<S: Storage> Exchange<'_, S> {
    pub(super) async fn oci(&self, route: OciRoute) -> Served<S> {
        match &route {
            OciRoute::Check => Ok(self.fixed(answer::JSON, CacheControl::Configuration, EMPTY)),
            OciRoute::Tags(repository) => self.tags(repository, &self.provider(repository)?).await,
            OciRoute::Tagged(repository, Tag(version)) => {
                let provider = self.provider(repository)?;
                let address = ReleaseAddress { provider, version: version.clone() };
                let (index, view) = self.lookup.tagged(&address).await?;
                self.manifest(&view, &index, CacheControl::Listing, route)
            }
            OciRoute::Manifest(repository, digest) => {
                let (provider, digest) = (self.provider(repository)?, *digest);
                let view = self.lookup.oci_view(&provider, &digest, Absent::Release).await?;
                self.manifest(&view, &digest, CacheControl::Immutable, route)
            }
            OciRoute::Blob(repository, digest) => self.blob(&self.provider(repository)?, digest).await,
            OciRoute::Referrers(repository, _) => {
                self.lookup.provider(&self.provider(repository)?).await?;
                Ok(self.fixed(INDEX, CacheControl::Listing, NO_REFERRERS))
            }
        }
    }

    fn provider(&self, repository: &Repository) -> Result<ProviderAddress, Refusal> {
        Ok(repository.provider(&self.registry.hostname)?)
    }

    async fn tags(&self, repository: &Repository, provider: &ProviderAddress) -> Served<S> {
        let page = page(self.request.query)?;
        let Found { provider, .. } = self.lookup.provider(provider).await?;
        if page == tags::Page::default() {
            // What OpenTofu asks for at each `init`.
            let route = Route::Oci(OciRoute::Tags(repository.clone()));
            let render = || tags::render(repository.to_string(), &provider, &page);
            return self.json(CacheControl::Listing, &route, &[provider.digest()], render);
        }
        let tags = tags::render(repository.to_string(), &provider, &page);
        let next = page.limit.filter(|_| tags.has_more).zip(tags.last());
        let link = next.map(|(limit, last)| {
            let path = OciRoute::Tags(repository.clone());
            format!("<{path}?n={limit}&last={last}>; rel=\"next\"")
        });
        let rendering = Rendering::json(&tags)?;
        let answer = Answer::document(answer::JSON, CacheControl::Listing, &rendering, &self.request.conditions);
        Ok(link.into_iter().fold(answer, |answer, link| answer.with_header("link", link)))
    }

    /// Answers with a manifest; with a layer to no one, because it is a blob.
    fn manifest(
        &self,
        view: &Stored<OciView>,
        digest: &Sha256Digest,
        cache_control: CacheControl,
        route: OciRoute,
    ) -> Served<S> {
        let unknown = |text| Refusal::NotFound(Absent::Release, text);
        let (media_type, text) = oci::manifest(&view.content)
            .ok_or_else(|| unknown(format!("`{}` is a blob, and no manifest", oci::spell(digest))))?;
        if !accepts(self.request.accept) {
            return Err(unknown(format!("the manifest is `{media_type}`, which the request does not accept")));
        }
        let render = || Ok(Rendering::new(text.as_bytes().into()));
        let answer = self.held(media_type, cache_control, &Route::Oci(route), &[view.digest()], render)?;
        Ok(answer.with_header(DIGEST, oci::spell(digest)))
    }

    async fn blob(&self, provider: &ProviderAddress, digest: &Sha256Digest) -> Served<S> {
        let answer = if *digest == Sha256Digest::of(EMPTY.as_bytes()) {
            self.lookup.provider(provider).await?;
            self.fixed(BLOB, CacheControl::Immutable, EMPTY)
        } else {
            let view = self.lookup.oci_view(provider, digest, Absent::Archive).await?;
            let OciContent::Layer { size, .. } = view.content else {
                return Err(Refusal::no_content(Absent::Archive, digest, provider));
            };
            let archive = Archive { name: oci::spell(digest), key: BlobKey(*digest), size, content_type: BLOB };
            archive::serve(self.lookup.storage(), self.request, &archive).await?
        };
        Ok(answer.with_header(DIGEST, oci::spell(digest)))
    }

    /// Answers with what is the same in every registry.
    fn fixed(&self, content_type: &str, cache_control: CacheControl, text: &str) -> Answer<S::Stream> {
        let rendering = Rendering::new(text.as_bytes().into());
        Answer::document(content_type, cache_control, &rendering, &self.request.conditions)
    }
}

/// The part of a list that a query asks for.
fn page(query: &str) -> Result<tags::Page, Refusal> {
    let mut page = tags::Page::default();
    for (name, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
        match name {
            "n" => {
                let limit = value.parse::<u64>().map_err(|_| {
                    Refusal::Malformed(Code::PaginationNumberInvalid, format!("`{value}` is not a number of tags"))
                })?;
                // In the Worker, a larger number than there can be tags does not fit.
                page.limit = Some(usize::try_from(limit).unwrap_or(usize::MAX));
            }
            "last" => page.last = Some(value.to_owned()),
            _ => {}
        }
    }
    Ok(page)
}

/// Whether a client that sends such an `Accept` takes OCI manifests. Without one, it takes any. Whoever takes one kind of
/// them gets the other too: the specification's conformance suite asks for every tag as an image manifest.
fn accepts(accept: Option<&str>) -> bool {
    let Some(accept) = accept else { return true };
    let mut ranges = accept.split(',').map(|range| range.split(';').next().unwrap_or_default().trim());
    ranges.any(|range| ["*/*", "application/*", INDEX, MANIFEST].iter().any(|known| range.eq_ignore_ascii_case(known)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accept_is_honoured() {
        for (accept, expected) in [
            (None, true),
            (Some("*/*"), true),
            (Some("application/*"), true),
            (Some(INDEX), true),
            (Some("text/html, Application/Vnd.Oci.Image.Index.v1+json;q=0.5"), true),
            (Some(MANIFEST), true),
            (Some("application/vnd.docker.distribution.manifest.v2+json"), false),
            (Some("text/*"), false),
            (Some(""), false),
        ] {
            assert_eq!(accepts(accept), expected, "{accept:?}");
        }
    }

    #[test]
    fn pages_are_read_from_the_query() {
        let read = |query| page(query).map(|page| (page.limit, page.last)).map_err(|refusal| refusal.to_string());
        assert_eq!(read(""), Ok((None, None)));
        assert_eq!(read("n=2&last=1.0.0_a&x=y"), Ok((Some(2), Some("1.0.0_a".to_owned()))));
        assert_eq!(read("n=18446744073709551615").map(|(limit, _)| limit.is_some()), Ok(true));
        for (query, value) in [("n=", "``"), ("n=-1", "`-1`"), ("n=all", "`all`")] {
            assert_eq!(read(query), Err(format!("{value} is not a number of tags")));
        }
    }
}
