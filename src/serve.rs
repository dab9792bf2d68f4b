//! Serving: a request in, an answer out, whatever the storage.
//!
//! [`Registry`] lives as long as its isolate and holds what it has read; [`Storage`] is what one request may use. Every
//! failure becomes a protocol-shaped answer, so [`Registry::serve`] is total.

mod answer;
mod archive;
mod condition;
mod documents;
mod freshness;
mod lookup;
mod range;
mod refusal;
mod rendered;
mod shelf;
mod storage;

pub use answer::{Answer, Body};
pub use condition::Conditions;
pub use freshness::Freshness;
pub use range::ByteRange;
pub use storage::{Archive, Deferred, Storage, StorageError};

use crate::address::{AddressError, ProviderAddress, ReleaseAddress};
use crate::hostname::Hostname;
use crate::name::{Namespace, ProviderType};
use crate::platform::Platform;
use crate::protocol::{discovery, mirror, registry};
use crate::route::{Route, RouteError};
use answer::CacheControl;
use documents::Shelves;
use lookup::Lookup;
use refusal::Refusal;
use rendered::Renderings;

/// What a client sent, as far as any route looks at it.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The method, in upper case.
    pub method: &'a str,
    /// Scheme, host and port of the URL: what absolute URLs in the answer start with.
    pub origin: &'a str,
    /// The path of the URL, still percent-encoded.
    pub path: &'a str,
    /// The conditions and the range.
    pub conditions: Conditions,
}

/// The registry of one host, with all it holds in memory.
#[derive(Debug)]
pub struct Registry {
    hostname: Hostname,
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

type Served<S> = Result<Answer<<S as Storage>::Stream>, Refusal>;

impl Registry {
    /// The registry of `hostname`, holding nothing yet.
    #[must_use]
    pub fn new(hostname: Hostname, freshness: Freshness) -> Self {
        Self { hostname, freshness, shelves: Shelves::default(), renderings: Renderings::default() }
    }

    /// Answers `request` from what is held and from `storage`.
    pub async fn serve<S: Storage>(&self, storage: &S, request: &Request<'_>) -> Answer<S::Stream> {
        let lookup = Lookup::new(&self.shelves, &self.freshness, storage);
        let exchange = Exchange { registry: self, lookup, request };
        let answer = match exchange.answer().await {
            Ok(answer) => answer,
            Err(refusal) => refusal.into_answer(),
        };
        if request.method == "HEAD" { answer.without_body() } else { answer }
    }
}

impl<S: Storage> Exchange<'_, S> {
    async fn answer(&self) -> Served<S> {
        if !matches!(self.request.method, "GET" | "HEAD") {
            return Err(Refusal::MethodNotAllowed(self.request.method.to_owned()));
        }
        match self.request.path.parse().map_err(|error: RouteError| Refusal::NotFound(error.to_string()))? {
            Route::Discovery => self.json(CacheControl::Configuration, &discovery::render()),
            Route::Health => self.health().await,
            Route::Versions(namespace, r#type) => self.versions(namespace, r#type).await,
            Route::Download(namespace, r#type, version, platform) => {
                let provider = self.own(namespace, r#type)?;
                self.download(&ReleaseAddress { provider, version }, &platform).await
            }
            Route::MirrorIndex(provider) => self.mirror_index(&provider).await,
            Route::MirrorVersion(release) => self.mirror_version(&release).await,
            Route::Shasums(release) => self.shasums(&release).await,
            Route::ShasumsSignature(release) => self.shasums_signature(&release).await,
            Route::Archive(release, digest, filename) => {
                let package = self.lookup.archive(&release, &digest, &filename).await?;
                archive::serve(self.lookup.storage(), self.request, &package).await
            }
        }
    }

    fn own(&self, namespace: Namespace, r#type: ProviderType) -> Result<ProviderAddress, Refusal> {
        let address = ProviderAddress::new(self.registry.hostname.clone(), namespace, r#type);
        address.map_err(|error: AddressError| Refusal::NotFound(error.to_string()))
    }

    async fn health(&self) -> Served<S> {
        self.lookup.storage().probe().await?;
        let bytes = rendered::render(&serde_json::json!({ "status": "ok" }))?;
        // No condition is looked at: health is never "not modified".
        Ok(Answer::document(answer::JSON, CacheControl::Never, bytes, &Conditions::default()))
    }

    async fn versions(&self, namespace: Namespace, r#type: ProviderType) -> Served<S> {
        let provider = self.lookup.provider(&self.own(namespace, r#type)?).await?;
        self.rendered(CacheControl::Listing, &[provider.digest()], || registry::versions(&provider))
    }

    async fn download(&self, address: &ReleaseAddress, platform: &Platform) -> Served<S> {
        let release = self.lookup.release(address, Some(platform)).await?;
        let package = release.packages.get(platform).ok_or_else(|| Refusal::no_platform(address, platform))?;
        let namespace = self.lookup.namespace_with_key(address, &release.signing_key).await?;
        let key = namespace.signing_key(&release.signing_key).ok_or_else(|| Refusal::no_key(address))?;
        let sources = [release.digest(), namespace.digest()];
        let origin = self.request.origin;
        self.rendered(CacheControl::Listing, &sources, || registry::download(origin, &release, platform, package, key))
    }

    async fn mirror_index(&self, address: &ProviderAddress) -> Served<S> {
        let provider = self.lookup.provider(address).await?;
        self.rendered(CacheControl::Listing, &[provider.digest()], || mirror::index(&provider))
    }

    /// A version that is not here has no archives; a 404 would stop a client that has other sources too.
    async fn mirror_version(&self, address: &ReleaseAddress) -> Served<S> {
        match self.lookup.release(address, None).await {
            Ok(release) => self.rendered(CacheControl::Listing, &[release.digest()], || {
                mirror::archives(self.request.origin, &release)
            }),
            Err(Refusal::NotFound(_)) => self.json(CacheControl::Listing, &mirror::no_archives()),
            Err(refusal) => Err(refusal),
        }
    }

    async fn shasums(&self, address: &ReleaseAddress) -> Served<S> {
        let release = self.lookup.release(address, None).await?;
        let bytes = release.shasums.as_bytes().into();
        Ok(Answer::document("text/plain; charset=utf-8", CacheControl::Listing, bytes, &self.request.conditions))
    }

    async fn shasums_signature(&self, address: &ReleaseAddress) -> Served<S> {
        let release = self.lookup.release(address, None).await?;
        let bytes = release.shasums_signature.as_slice().into();
        Ok(Answer::document("application/pgp-signature", CacheControl::Listing, bytes, &self.request.conditions))
    }

    /// Answers with `payload`, rendered for this request alone.
    fn json(&self, cache_control: CacheControl, payload: &impl serde::Serialize) -> Served<S> {
        let bytes = rendered::render(payload)?;
        Ok(Answer::document(answer::JSON, cache_control, bytes, &self.request.conditions))
    }

    /// Answers with a payload that depends on the request's URL and the documents of `sources` alone, and so is held.
    fn rendered<P: serde::Serialize>(
        &self,
        cache_control: CacheControl,
        sources: &[crate::digest::Sha256Digest],
        payload: impl FnOnce() -> P,
    ) -> Served<S> {
        let rendering = self.registry.renderings.find_or_render(self.request, sources, payload)?;
        Ok(Answer::rendered(answer::JSON, cache_control, &rendering, &self.request.conditions))
    }
}
