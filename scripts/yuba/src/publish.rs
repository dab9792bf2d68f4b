//! Publishing: a release is verified, stored and announced, in an order that may end anywhere.
//!
//! 1. verify: everything that can be proven is proven before one byte is written
//! 2. store: the archives, then the release document under its own digest, then a look that garbage collection cannot
//!    have taken the archives, then the OCI views that follow from the document. Nothing is listed yet
//! 3. announce: the index, then the provider document by compare-and-swap, which alone makes the version exist; then
//!    the KV copies
//!
//! Whatever was done already is found and skipped, so the same command again completes a publish that was killed.

mod announce;
mod compare;
mod error;
mod fresh;
mod prove;
mod refusal;
mod report;
mod store;

use std::path::PathBuf;
use std::sync::Arc;

use fastrand::Rng;
use yuba::address::{NamespaceAddress, ReleaseAddress};
use yuba::document::{ProviderDocument, ReleaseDocument};
use yuba::keys::DocumentKey;

use crate::backoff::Backoff;
use crate::documents;
use crate::removal;
use crate::store::Store;
use crate::verify::{Finding, Origin, Progress};

use announce::Announced;
use prove::{Proof, Proven};

pub use compare::Difference;
pub use error::{Problem, PublishError, Stage};
pub use refusal::{Reason, Refusal};
pub use report::{Storage, Write};

/// Something that watches a publish.
pub trait Watch: Progress + Send + Sync {
    /// A stage begins.
    fn begin(&self, stage: Stage);
}

/// What is to be published, and when.
#[derive(Clone)]
pub struct Request {
    /// The release's directory.
    pub directory: PathBuf,
    /// Its manifest, where that is elsewhere.
    pub manifest: Option<PathBuf>,
    /// The namespace it is published in.
    pub namespace: NamespaceAddress,
    /// Where it comes from.
    pub origin: Origin,
    /// The time.
    pub now: jiff::Timestamp,
    /// What spreads the publishers that meet.
    pub random: Rng,
    /// Who watches.
    pub watch: Arc<dyn Watch>,
}

/// A version that is listed.
#[derive(Debug)]
pub struct Publication {
    /// Which it is.
    pub address: ReleaseAddress,
    /// Its document.
    pub document: ReleaseDocument,
    /// Whether it was listed before.
    pub listed_before: bool,
    /// What was found about it; nothing that refuses it.
    pub findings: Vec<Finding>,
    /// What was done to each key, in the order of time.
    pub writes: Vec<Write>,
}

/// How a publish ends that storage did not fail.
#[derive(Debug)]
pub enum Ending {
    /// The version is listed.
    Published(Box<Publication>),
    /// The release is not one that can be published.
    Refused(Box<Refusal>),
}

/// Publishes a release.
///
/// # Errors
/// [`PublishError`] if something other than the release is at fault. Running it again completes what it began.
pub async fn publish(store: &dyn Store, request: &Request) -> Result<Ending, PublishError> {
    let mut random = request.random.clone();
    request.watch.begin(Stage::Verify);
    let mut proven = match prove::prove(store, request).await.map_err(Stage::Verify.failed())? {
        Proof::Proven(proven) => proven,
        Proof::Refused(refusal) => return Ok(Ending::Refused(Box::new(refusal))),
    };
    let address = proven.document.release_address();
    let mut listed_before = None;
    let mut writes = Vec::new();
    loop {
        let known = known(store, &address).await.map_err(Stage::Verify.failed())?;
        listed_before.get_or_insert(matches!(known, Known::Listed(_)));
        if let Known::Removed(listed) = known {
            if !writes.is_empty() {
                // It was removed while this publisher stored it, perhaps after the removal had looked for all of it.
                let cleared = removal::clear(store, &address, &listed, &mut random, &mut writes).await;
                cleared.map_err(|error| Stage::Store.failed()(error.into()))?;
            }
            let (reason, findings) = (Reason::Removed(address.clone()), proven.findings);
            return Ok(Ending::Refused(Box::new(Refusal { reason, address: Some(address), findings })));
        }
        if let Known::Listed(listed) = known {
            let listed = *listed;
            let differences = compare::differences(&listed, &proven.document);
            if !differences.is_empty() {
                let reason = Reason::OtherContent(address.clone(), differences);
                let findings = proven.findings;
                return Ok(Ending::Refused(Box::new(Refusal { reason, address: Some(address), findings })));
            }
            // Its signature may be another: what is listed stays.
            proven.document = listed;
            proven.is_listed = true;
        }
        request.watch.begin(Stage::Store);
        let placed = store::store(store, &proven, request, &mut random, &mut writes).await;
        let stored = (&proven.document, placed.map_err(Stage::Store.failed())?);
        request.watch.begin(Stage::Announce);
        let announced = announce::announce(store, stored, request.now, &mut random, &mut writes).await;
        match announced.map_err(Stage::Announce.failed())? {
            Announced::Listed => break,
            // Somebody listed this version a moment ago: look at what they listed.
            Announced::ListedByAnother => {}
        }
    }
    let listed_before = listed_before.unwrap_or_default();
    let Proven { document, findings, .. } = proven;
    Ok(Ending::Published(Box::new(Publication { address, document, listed_before, findings, writes })))
}

/// What the registry knows of a version.
enum Known {
    /// Nothing.
    Unlisted,
    /// It is listed, with this document.
    Listed(Box<ReleaseDocument>),
    /// It was removed, and its number is used up. This is what was listed.
    Removed(DocumentKey),
}

async fn known(store: &dyn Store, address: &ReleaseAddress) -> Result<Known, Problem> {
    let key = DocumentKey::Provider(address.provider.clone());
    let mut missing = None;
    loop {
        let provider = documents::read::<ProviderDocument>(store, &key).await?;
        let Some(entry) = provider.as_ref().and_then(|provider| provider.find_entry(&address.version)) else {
            return Ok(Known::Unlisted);
        };
        let release = DocumentKey::Release(address.clone(), entry.release);
        if entry.is_removed() {
            return Ok(Known::Removed(release));
        }
        if let Some(document) = documents::read(store, &release).await? {
            return Ok(Known::Listed(Box::new(document)));
        }
        // It may have been removed after the provider was read.
        if missing.as_ref() == Some(&release) {
            return Err(Problem::Missing(release.object()));
        }
        missing = Some(release);
    }
}

/// A fresh backoff, which does not repeat what another one draws.
fn backoff(random: &mut Rng) -> Backoff {
    Backoff::new(random.fork())
}
