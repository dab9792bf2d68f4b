//! OCI views in storage: written before their version is listed, and derived from its release document at any time.
//!
//! A manifest names its version, so its view is that version's alone. The view of an archive that several releases have
//! to the byte names all of them: each adds itself before it is listed, and is taken out when it is removed.

use fastrand::Rng;
use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use yuba::digest::Sha256Digest;
use yuba::document::{Document as _, DocumentError, OciContent, OciView, ProviderDocument, ReleaseDocument};
use yuba::keys::{DocumentKey, ObjectKey};
use yuba::protocol::oci::manifest;
use yuba::version::Version;

use crate::attempt::attempt;
use crate::backoff::Backoff;
use crate::documents::{self, AccessError, Action, Changed, Next};
use crate::store::Store;

/// How many views are worked on at once.
const AT_ONCE: usize = 8;

/// The views of one release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Derived {
    /// The digest of the index, which the version is listed with.
    pub index: Sha256Digest,
    /// All of them, as if no other version had the same archives.
    pub views: Vec<(DocumentKey, OciView)>,
}

/// Derives the views of `release`.
///
/// # Errors
/// [`AccessError`] if a manifest cannot be rendered, which is a bug.
pub fn derive(release: &ReleaseDocument) -> Result<Derived, AccessError> {
    let failed = |source| {
        let key = DocumentKey::Provider(release.address.clone()).object();
        AccessError::Document { key, source }
    };
    let manifest::Views { index, views } = manifest::render(release).map_err(failed)?;
    let views = views.into_iter().map(|(digest, view)| (DocumentKey::OciView(release.address.clone(), digest), view));
    Ok(Derived { index, views: views.collect() })
}

/// What is to be stored where `held` is, and `derived` follows from releases: other releases that `held` names stay if
/// they can have the same. Any release may have the same archive, but a manifest has its version in it.
#[must_use]
pub fn merge(held: &OciView, derived: &OciView) -> OciView {
    if held.content != derived.content {
        return derived.clone();
    }
    let is_layer = matches!(held.content, OciContent::Layer { .. });
    let is_own = |version: &Version| derived.releases.iter().any(|(own, _)| own == version);
    let others = held.releases.iter().filter(|(version, _)| is_layer || is_own(version));
    others.cloned().fold(derived.clone(), OciView::with)
}

/// A view that is stored now.
#[derive(Debug)]
pub struct Placed {
    /// Its key.
    pub key: DocumentKey,
    /// What it says, other versions included.
    pub view: OciView,
    /// What was done for it.
    pub action: Action,
}

/// Stores the views of a version where they are not there yet.
///
/// # Errors
/// [`AccessError`] if storage fails, or holds something else. Running it again completes it.
pub async fn place(store: &dyn Store, derived: &Derived, random: &mut Rng) -> Result<Vec<Placed>, AccessError> {
    let places: Vec<_> = derived.views.iter().map(|(key, view)| place_one(store, key, view, random.fork())).collect();
    stream::iter(places).buffered(AT_ONCE).try_collect().await
}

/// Stores one view where it is not there yet.
///
/// # Errors
/// As [`place`].
pub async fn place_one(
    store: &dyn Store,
    key: &DocumentKey,
    view: &OciView,
    mut random: Rng,
) -> Result<Placed, AccessError> {
    let placed = match merge_into(store, key, view, &mut random).await {
        Err(AccessError::Document { source: DocumentError::Json(_), .. }) => {
            replace_damaged(store, key, view).await?;
            merge_into(store, key, view, &mut random).await?
        }
        placed => placed?,
    };
    Ok(Placed { key: key.clone(), view: placed.document, action: placed.action })
}

/// Makes what is stored under `key` say what `view` does.
async fn merge_into(
    store: &dyn Store,
    key: &DocumentKey,
    view: &OciView,
    random: &mut Rng,
) -> Result<Changed<OciView>, AccessError> {
    documents::change(store, key, Backoff::new(random.fork()), |held: Option<OciView>| {
        let Some(held) = held else { return Ok(Next::Write(view.clone())) };
        let merged = merge(&held, view);
        Ok(if merged == held { Next::Keep(held) } else { Next::Write(merged) })
    })
    .await
}

/// Puts a view in the place of one that cannot be read, which is derived and so no loss. What a newer yuba wrote stays.
async fn replace_damaged(store: &dyn Store, key: &DocumentKey, view: &OciView) -> Result<(), AccessError> {
    let Some(stored) = store.read(key).await? else { return Ok(()) };
    if let Err(DocumentError::Json(_)) = OciView::from_json(&stored.bytes) {
        // Whoever was faster put the same there.
        store.swap(key, Some(&stored.etag), &documents::render(key, view)?).await?;
    }
    Ok(())
}

/// Gives the version of a release that is listed already what it lacks: its views, and the digest of its index.
///
/// # Errors
/// As [`place`].
pub async fn complete(store: &dyn Store, release: &ReleaseDocument, random: &mut Rng) -> Result<(), AccessError> {
    let derived = derive(release)?;
    place(store, &derived, random).await?;
    let key = DocumentKey::Provider(release.address.clone());
    let document = Sha256Digest::of(&documents::render(&key, release)?);
    let changed = documents::change(store, &key, Backoff::new(random.fork()), |held: Option<ProviderDocument>| {
        let held = held.ok_or_else(|| AccessError::Missing(key.object()))?;
        // It may have been removed meanwhile.
        let indexed = held.with_oci_index(&release.version, &document, derived.index);
        Ok::<_, AccessError>(indexed.map_or(Next::Keep(held), Next::Write))
    });
    changed.await.map(drop)
}

/// Copies views to KV, all of them in as few requests as possible.
///
/// # Errors
/// [`AccessError`] if storage fails. Running it again completes it.
pub async fn copy(store: &dyn Store, placed: &[Placed], random: &mut Rng) -> Result<(), AccessError> {
    let copies = placed.iter().map(|Placed { key, view, .. }| Ok((key.clone(), documents::render(key, view)?)));
    let copies: Vec<_> = copies.collect::<Result<_, AccessError>>()?;
    attempt(random, || store.write_copies(&copies)).await
}

/// What is left of a view.
#[derive(Debug)]
pub enum Left {
    /// It was not there.
    Nothing,
    /// It was that version's alone, and is gone.
    Deleted,
    /// Other versions have it; these are its bytes now.
    Others(Vec<u8>),
}

/// Takes a version out of the view under `key`, in R2.
///
/// # Errors
/// [`AccessError`] if storage fails, or holds something else. Running it again completes it.
pub async fn withdraw(
    store: &dyn Store,
    key: &DocumentKey,
    version: &Version,
    mut random: Rng,
) -> Result<Left, AccessError> {
    let Some(stored) = store.read(key).await? else { return Ok(Left::Nothing) };
    let view = match OciView::from_json(&stored.bytes) {
        Ok(view) => Some(view),
        // It is derived: whoever else has the archive gets it anew.
        Err(DocumentError::Json(_)) => None,
        Err(source @ DocumentError::NewerFormat { .. }) => {
            return Err(AccessError::Document { key: key.object(), source });
        }
    };
    if view.and_then(|view| view.without(version)).is_none() {
        store.delete(&ObjectKey::Document(key.clone())).await?;
        return Ok(Left::Deleted);
    }
    let changed = documents::change(store, key, Backoff::new(random.fork()), |held: Option<OciView>| {
        let held = held.ok_or_else(|| AccessError::Missing(key.object()))?;
        Ok::<_, AccessError>(match held.clone().without(version) {
            Some(left) if left != held => Next::Write(left),
            _ => Next::Keep(held),
        })
    });
    Ok(Left::Others(documents::render(key, &changed.await?.document)?))
}
