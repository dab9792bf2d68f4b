//! Serving: a request in, an answer out, whatever the storage.
//!
//! [`Registry`] lives as long as its isolate and holds what it has read; [`Storage`] is what one request may use. Every
//! failure becomes a protocol-shaped answer, so [`Registry::serve`] is total.

mod answer;
mod archive;
mod bounded;
mod condition;
mod documents;
mod freshness;
mod lookup;
mod oci;
mod range;
mod refusal;
mod rendered;
mod shelf;
mod storage;
mod stored;

pub use answer::{Answer, Body};
pub use condition::Conditions;
pub use freshness::Freshness;
pub use range::ByteRange;
pub use refusal::unavailable;
pub use storage::{Archive, Deferred, Storage, StorageError};

use crate::address::{AddressError, ProviderAddress, ReleaseAddress};
use crate::digest::Sha256Digest;
use crate::hostname::Hostname;
use crate::name::{Namespace, ProviderType};
use crate::platform::Platform;
use crate::protocol::{discovery, mirror, registry};
use crate::repository::RepositoryTemplate;
use crate::route::{Route, RouteError};
use answer::{CacheControl, Dialect};
use documents::Shelves;
use lookup::{Audience, Found, Lookup};
use refusal::{Absent, Refusal};
use rendered::{Rendering, Renderings};

/// What a client sent, as far as any route looks at it.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The method, in upper case.
    pub method: &'a str,
    /// Scheme, host and port of the URL: what absolute URLs in the answer start with.
    pub origin: &'a str,
    /// The path of the URL, still percent-encoded.
    pub path: &'a str,
    /// The query of the URL, which only lists of tags look at.
    pub query: &'a str,
    /// The conditions and the range.
    pub conditions: Conditions,
    /// `Accept`, which only manifests look at.
    pub accept: Option<&'a str>,
}

impl<'a> Request<'a> {
    /// The request for an absolute `url`.
    #[must_use]
    pub fn new(method: &'a str, url: &'a str, conditions: Conditions) -> Self {
        let host = url.find("://").map_or(0, |scheme| scheme + "://".len());
        let path = url.get(host..).and_then(|rest| rest.find('/')).map_or(url.len(), |path| host + path);
        let (origin, path) = url.split_at(path);
        let path = path.split('#').next().unwrap_or_default();
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        Self { method, origin, path, query, conditions, accept: None }
    }

    /// The host and port that the request came to.
    fn host(&self) -> &'a str {
        self.origin.split_once("://").map_or(self.origin, |(_, host)| host)
    }
}

/// The registry of one host, with all it holds in memory.
#[derive(Debug)]
pub struct Registry {
    hostname: Hostname,
    /// What discovery announces as the OCI repositories of providers, unless it is this registry itself.
    repositories: Option<RepositoryTemplate>,
    freshness: Freshness,
    shelves: Shelves,
    renderings: Renderings,
}

/// One request on its way: the registry, the storage it may use, and what was asked.
struct Exchange<'a, S> {
    registry: &'a Registry,
    lookup: Lookup<'a, S>,
    request: &'a Request<'a>,
}

/// The body of the answer that everything is well.
const HEALTHY: &str = r#"{"status":"ok"}"#;

type Served<S> = Result<Answer<<S as Storage>::Stream>, Refusal>;

impl Registry {
    /// The registry of `hostname`, holding nothing yet.
    #[must_use]
    pub fn new(hostname: Hostname, freshness: Freshness) -> Self {
        let (shelves, renderings) = (Shelves::default(), Renderings::default());
        Self { hostname, repositories: None, freshness, shelves, renderings }
    }

    /// The same, announcing `repositories` as the OCI repositories of its providers.
    #[must_use]
    pub fn with_repositories(self, repositories: RepositoryTemplate) -> Self {
        Self { repositories: Some(repositories), ..self }
    }

    /// Answers `request` from what is held and from `storage`.
    pub async fn serve<S: Storage>(&self, storage: &S, request: &Request<'_>) -> Answer<S::Stream> {
        let lookup = Lookup::new(&self.shelves, &self.freshness, storage);
        let exchange = Exchange { registry: self, lookup, request };
        let route = request.path.parse();
        let dialect = Dialect::of(&route);
        let answer = match exchange.answer(route).await {
            Ok(answer) => answer,
            Err(refusal) => refusal.into_answer(dialect),
        };
        if request.method == "HEAD" { answer.without_body() } else { answer }
    }
}

impl<S: Storage> Exchange<'_, S> {
    async fn answer(&self, route: Result<Route, RouteError>) -> Served<S> {
        if !matches!(self.request.method, "GET" | "HEAD") {
            return Err(Refusal::MethodNotAllowed(self.request.method.to_owned()));
        }
        match route? {
            Route::Discovery => self.discovery(),
            Route::Health => self.health().await,
            Route::Versions(namespace, r#type) => self.versions(namespace, r#type).await,
            Route::Download(namespace, r#type, version, platform) => {
                let provider = self.own(namespace, r#type)?;
                self.download(&ReleaseAddress { provider, version }, &platform).await
            }
            Route::MirrorIndex(provider) => self.mirror_index(provider).await,
            Route::MirrorVersion(release) => self.mirror_version(&release).await,
            Route::MirrorUnlistable(..) => self.no_archives(),
            Route::Shasums(release) => self.shasums(release).await,
            Route::ShasumsSignature(release) => self.shasums_signature(release).await,
            Route::Archive(release, digest, filename) => {
                let package = self.lookup.archive(&release, &digest, &filename).await?;
                archive::serve(self.lookup.storage(), self.request, &archive::Archive::of(&package)).await
            }
            Route::Oci(route) => self.oci(route).await,
        }
    }

    fn own(&self, namespace: Namespace, r#type: ProviderType) -> Result<ProviderAddress, Refusal> {
        let address = ProviderAddress::new(self.registry.hostname.clone(), namespace, r#type);
        address.map_err(|error: AddressError| Refusal::NotFound(Absent::Provider, error.to_string()))
    }

    fn discovery(&self) -> Served<S> {
        let own = || RepositoryTemplate::of_host(self.request.host());
        let payload = || discovery::render(&self.registry.repositories.clone().unwrap_or_else(own));
        self.json(CacheControl::Configuration, &Route::Discovery, &[], payload)
    }

    async fn health(&self) -> Served<S> {
        self.lookup.storage().probe().await?;
        let health = Rendering::new(HEALTHY.as_bytes().into());
        // No condition is looked at: health is never "not modified".
        Ok(Answer::document(answer::JSON, CacheControl::Never, &health, &Conditions::default()))
    }

    async fn versions(&self, namespace: Namespace, r#type: ProviderType) -> Served<S> {
        let address = self.own(namespace.clone(), r#type.clone())?;
        let Found { namespace: policy, provider } = self.lookup.provider(&address).await?;
        let route = Route::Versions(namespace, r#type);
        let sources = [provider.digest(), policy.digest()];
        self.json(CacheControl::Listing, &route, &sources, || registry::versions(&provider, &policy))
    }

    async fn download(&self, address: &ReleaseAddress, platform: &Platform) -> Served<S> {
        let release = self.lookup.release(address, Some(platform), Audience::Verifying).await?;
        let package = release.packages.get(platform).ok_or_else(|| Refusal::no_package(address, platform))?;
        let namespace = self.lookup.namespace_with_key(address, &release.signing_key).await?;
        let key = namespace.signing_key(&release.signing_key).ok_or_else(|| Refusal::no_key(address))?;
        let provider = &address.provider;
        let (namespace_name, r#type) = (provider.namespace().clone(), provider.r#type().clone());
        let route = Route::Download(namespace_name, r#type, address.version.clone(), platform.clone());
        let sources = [release.digest(), namespace.digest()];
        let origin = self.request.origin;
        let render = || registry::download(origin, &release, platform, package, key);
        self.json(CacheControl::Listing, &route, &sources, render)
    }

    async fn mirror_index(&self, address: ProviderAddress) -> Served<S> {
        let Found { provider, .. } = self.lookup.provider(&address).await?;
        let route = Route::MirrorIndex(address);
        self.json(CacheControl::Listing, &route, &[provider.digest()], || mirror::index(&provider))
    }

    /// A version that is not here, or is blocked, has no archives; a 404 would stop a client that has other sources too.
    async fn mirror_version(&self, address: &ReleaseAddress) -> Served<S> {
        let release = match self.lookup.release(address, None, Audience::Trusting).await {
            Ok(release) => release,
            Err(Refusal::NotFound(..) | Refusal::Blocked(_)) => return self.no_archives(),
            Err(refusal) => return Err(refusal),
        };
        let route = Route::MirrorVersion(address.clone());
        let origin = self.request.origin;
        self.json(CacheControl::Listing, &route, &[release.digest()], || mirror::archives(origin, &release))
    }

    fn no_archives(&self) -> Served<S> {
        let rendering = Rendering::json(&mirror::no_archives())?;
        Ok(Answer::document(answer::JSON, CacheControl::Listing, &rendering, &self.request.conditions))
    }

    async fn shasums(&self, address: ReleaseAddress) -> Served<S> {
        let release = self.lookup.release(&address, None, Audience::Verifying).await?;
        let route = Route::Shasums(address);
        self.held("text/plain; charset=utf-8", CacheControl::Listing, &route, &[release.digest()], || {
            Ok(Rendering::new(release.shasums.as_bytes().into()))
        })
    }

    async fn shasums_signature(&self, address: ReleaseAddress) -> Served<S> {
        let release = self.lookup.release(&address, None, Audience::Verifying).await?;
        let route = Route::ShasumsSignature(address);
        self.held("application/pgp-signature", CacheControl::Listing, &route, &[release.digest()], || {
            Ok(Rendering::new(release.shasums_signature.as_slice().into()))
        })
    }

    /// Answers with a payload that depends on the request's URL and the documents of `sources` alone, and so is held.
    fn json<P: serde::Serialize>(
        &self,
        cache_control: CacheControl,
        route: &Route,
        sources: &[Sha256Digest],
        payload: impl FnOnce() -> P,
    ) -> Served<S> {
        self.held(answer::JSON, cache_control, route, sources, || Rendering::json(&payload()))
    }

    fn held(
        &self,
        content_type: &str,
        cache_control: CacheControl,
        route: &Route,
        sources: &[Sha256Digest],
        render: impl FnOnce() -> serde_json::Result<Rendering>,
    ) -> Served<S> {
        let url = format!("{}{route}", self.request.origin);
        let rendering = self.registry.renderings.find_or_render(url, sources, render)?;
        Ok(Answer::document(content_type, cache_control, &rendering, &self.request.conditions))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_split_into_origin_and_path() {
        let cases = [
            ("https://a.example/x/y?z=/#/", ("https://a.example", "/x/y", "z=/")),
            ("https://a.example:8443/", ("https://a.example:8443", "/", "")),
            ("https://a.example", ("https://a.example", "", "")),
            ("https://a.example/x//y#?z", ("https://a.example", "/x//y", "")),
            ("nonsense", ("nonsense", "", "")),
        ];
        for (url, expected) in cases {
            let request = Request::new("GET", url, Conditions::default());
            assert_eq!((request.origin, request.path, request.query), expected);
        }
    }
}
