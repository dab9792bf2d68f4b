//! The life-cycle of providers and versions: what is said against them, and taken back. Nothing here unlists anything,
//! because a locked client fails without its version; what is said reaches clients as warnings.

use fastrand::Rng;
use jiff::Timestamp;
use yuba::address::{ProviderAddress, ReleaseAddress};
use yuba::document::{Deprecation, ProviderDocument, Status, VersionEntry};
use yuba::keys::DocumentKey;
use yuba::version::Version;

use crate::backoff::Backoff;
use crate::copies;
use crate::documents::{self, AccessError, Next};
use crate::publish::Write;
use crate::reason::Reason;
use crate::store::Store;
use crate::time;

/// Why a provider or a version cannot be spoken of.
#[derive(Debug, thiserror::Error)]
pub enum LifeCycleError {
    /// No such provider has ever listed a version.
    #[error("provider `{0}` is not in this registry")]
    NoProvider(ProviderAddress),
    /// The provider has no such version.
    #[error("provider `{}` has no version `{}`", .0.provider, .0.version)]
    NoVersion(ReleaseAddress),
    /// The version was removed, which cannot be taken back.
    #[error("version `{}` of provider `{}` was removed on {at} ({reason}), which is for good", .release.version, .release.provider)]
    Removed {
        /// Which it is.
        release: Box<ReleaseAddress>,
        /// Why it was removed.
        reason: String,
        /// When.
        at: String,
    },
    /// A provider cannot be its own successor.
    #[error("`{0}` cannot be its own successor")]
    OwnSuccessor(ProviderAddress),
    /// The provider document could not be worked on.
    #[error(transparent)]
    Access(#[from] AccessError),
}

/// What is to be said, and of what.
#[derive(Debug, Clone)]
pub enum Statement {
    /// The provider is given up.
    Deprecated {
        /// Why.
        reason: Reason,
        /// What to use instead.
        successor: Option<ProviderAddress>,
    },
    /// The provider is not given up any more.
    NotDeprecated,
    /// The version should not be installed.
    Yanked {
        /// Which.
        version: Version,
        /// Why.
        reason: Reason,
    },
    /// Nothing speaks against the version any more.
    NotYanked {
        /// Which.
        version: Version,
    },
}

/// What came of a statement.
#[derive(Debug)]
pub struct Stated {
    /// The provider as it is now.
    pub provider: ProviderDocument,
    /// Whether it was like that before.
    pub unchanged: bool,
    /// What was done to each storage key.
    pub writes: Vec<Write>,
}

/// States something of a provider or a version: the provider document by compare-and-swap, then its KV copy.
///
/// # Errors
/// [`LifeCycleError`] if there is no such provider or version, or storage fails. Running it again completes it.
pub async fn state(
    store: &dyn Store,
    address: &ProviderAddress,
    statement: &Statement,
    now: Timestamp,
    mut random: Rng,
) -> Result<Stated, LifeCycleError> {
    let key = DocumentKey::Provider(address.clone());
    let mut before = None;
    let changed = documents::change(store, &key, Backoff::new(random.fork()), |held: Option<ProviderDocument>| {
        let held = held.ok_or_else(|| LifeCycleError::NoProvider(address.clone()))?;
        let next = next(&held, statement, &time::render(now))?;
        // After a lost answer, what is held may be what this very command stored.
        before.get_or_insert_with(|| held.clone());
        Ok::<_, LifeCycleError>(next.map_or(Next::Keep(held), Next::Write))
    });
    let changed = changed.await?;
    let unchanged = before.is_some_and(|before| is_alike(&before, &changed.document, statement));
    let mut writes = vec![Write::document(&key, changed.action)];
    writes.push(Write::copy(&key, copies::copy(store, &key, &mut random).await?));
    Ok(Stated { provider: changed.document, unchanged, writes })
}

/// Whether `statement` was true already.
fn is_alike(before: &ProviderDocument, after: &ProviderDocument, statement: &Statement) -> bool {
    match statement {
        Statement::Deprecated { .. } | Statement::NotDeprecated => before.deprecation == after.deprecation,
        Statement::Yanked { version, .. } | Statement::NotYanked { version } => {
            before.find(version).map(|entry| &entry.status) == after.find(version).map(|entry| &entry.status)
        }
    }
}

/// The provider of which `statement` is true, if it is not yet.
fn next(held: &ProviderDocument, statement: &Statement, now: &str) -> Result<Option<ProviderDocument>, LifeCycleError> {
    match statement {
        Statement::Deprecated { reason, successor } => {
            if successor.as_ref() == Some(&held.address) {
                return Err(LifeCycleError::OwnSuccessor(held.address.clone()));
            }
            // It is given up since it first was, whatever is said about it later.
            let since = held.deprecation.as_ref().map_or(now, |deprecation| &deprecation.at);
            let (reason, at) = (reason.to_string(), since.to_owned());
            let deprecation = Some(Deprecation { reason, successor: successor.clone(), at });
            Ok((held.deprecation != deprecation).then(|| held.deprecated(deprecation)))
        }
        Statement::NotDeprecated => Ok(held.deprecation.is_some().then(|| held.deprecated(None))),
        Statement::Yanked { version, reason } => {
            let entry = find(held, version)?;
            let since = match &entry.status {
                Status::Yanked { at, .. } => at,
                Status::Listed | Status::Removed { .. } => now,
            };
            Ok(with_status(held, entry, Status::Yanked { reason: reason.to_string(), at: since.to_owned() }))
        }
        Statement::NotYanked { version } => Ok(with_status(held, find(held, version)?, Status::Listed)),
    }
}

fn with_status(held: &ProviderDocument, entry: &VersionEntry, status: Status) -> Option<ProviderDocument> {
    (entry.status != status).then(|| held.with(VersionEntry { status, ..entry.clone() }))
}

/// The entry of a version that is there and not removed.
fn find<'a>(held: &'a ProviderDocument, version: &Version) -> Result<&'a VersionEntry, LifeCycleError> {
    let release = || ReleaseAddress { provider: held.address.clone(), version: version.clone() };
    let entry = held.find_entry(version).ok_or_else(|| LifeCycleError::NoVersion(release()))?;
    match &entry.status {
        Status::Listed | Status::Yanked { .. } => Ok(entry),
        Status::Removed { reason, at } => {
            Err(LifeCycleError::Removed { release: Box::new(release()), reason: reason.clone(), at: at.clone() })
        }
    }
}
