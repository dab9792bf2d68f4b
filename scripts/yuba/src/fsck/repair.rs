//! Repair: what follows from the rest of storage is written; nothing is deleted but the marks of the killed.

use std::collections::BTreeSet;

use fastrand::Rng;
use serde::Serialize;
use yuba::document::{Document, IndexDocument, NamespaceDocument, ProviderDocument, ReleaseDocument};
use yuba::keys::{DocumentKey, ObjectKey};

use super::archives::blob_of;
use super::checks::archives::ARCHIVE_MISSING;
use super::checks::copies::{COPY_DAMAGED, COPY_MISSING, COPY_OLDER};
use super::checks::documents::{
    DOCUMENT_ADDRESS, DOCUMENT_CANONICAL, DOCUMENT_LOST, DOCUMENT_READABLE, DOCUMENT_REVISION, RELEASE_DIGEST,
};
use super::checks::leftovers::MARK;
use super::checks::oci::{OCI_INDEX, OCI_VIEW_DIFFERS, OCI_VIEW_MISSING};
use super::checks::providers::{INDEX, RELEASE_MISSING};
use super::finding::{Finding, Subject};
use super::pass::Pass;
use crate::backoff::Backoff;
use crate::documents::{self, AccessError, Action, Next};
use crate::store::{Creation, Store, Swap};
use crate::{copies, index, oci_views};

/// Something that was mended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Repair {
    /// What was written.
    #[serde(flatten)]
    pub subject: Subject,
    /// How it came to be right.
    pub how: &'static str,
}

/// What a finding asks for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Order {
    DeriveIndex,
    DeriveView(DocumentKey),
    ListWithIndex(DocumentKey),
    Rewrite(DocumentKey),
    RestoreFromCopy(DocumentKey),
    RestoreFromTrash(yuba::keys::BlobKey),
    Copy(DocumentKey),
}

/// Mends what can be mended of `findings`, truth before copies.
pub(super) async fn repair(
    store: &dyn Store,
    pass: &Pass,
    findings: &[Finding],
    random: &mut Rng,
) -> Result<Vec<Repair>, AccessError> {
    let mut orders: Vec<Order> = Vec::new();
    let lists: Vec<_> = pass.incomplete.iter().cloned().map(Order::ListWithIndex).collect();
    let is_incomplete = findings.iter().any(|finding| finding.check == &OCI_INDEX);
    for order in findings.iter().filter_map(order).chain(lists.into_iter().filter(|_| is_incomplete)) {
        if !orders.contains(&order) {
            orders.push(order);
        }
    }
    // What was written in R2 has to be copied too.
    let written: Vec<_> = orders.iter().filter_map(Order::written).map(Order::Copy).collect();
    let (copying, mut all): (Vec<_>, Vec<_>) = orders.into_iter().partition(|order| matches!(order, Order::Copy(_)));
    all.extend(copying.into_iter().chain(written));
    let (mut repairs, mut done) = (Vec::new(), BTreeSet::new());
    for order in all {
        if let Some(repair) = carry_out(store, pass, order, random).await?
            && done.insert(repair.subject.clone())
        {
            repairs.push(repair);
        }
    }
    Ok(repairs)
}

fn order(finding: &Finding) -> Option<Order> {
    let check = finding.check;
    let document = || finding.subject.document_key();
    let is = |checks: &[&'static super::check::Check]| checks.contains(&check);
    if is(&[&COPY_MISSING, &COPY_OLDER, &COPY_DAMAGED, &MARK]) {
        return document().map(Order::Copy);
    }
    if is(&[&INDEX]) {
        return Some(Order::DeriveIndex);
    }
    if is(&[&ARCHIVE_MISSING]) {
        return blob_of(finding).map(Order::RestoreFromTrash);
    }
    if is(&[&DOCUMENT_LOST, &RELEASE_MISSING, &RELEASE_DIGEST]) {
        return document().map(Order::RestoreFromCopy);
    }
    if is(&[&OCI_VIEW_MISSING, &OCI_VIEW_DIFFERS]) {
        return document().map(Order::DeriveView);
    }
    if is(&[&DOCUMENT_READABLE, &DOCUMENT_ADDRESS]) {
        return document().and_then(|key| match key {
            DocumentKey::Index => Some(Order::DeriveIndex),
            DocumentKey::OciView(..) => Some(Order::DeriveView(key)),
            DocumentKey::Namespace(_) | DocumentKey::Provider(_) | DocumentKey::Release(..) => None,
        });
    }
    if is(&[&DOCUMENT_CANONICAL, &DOCUMENT_REVISION]) {
        return document().and_then(|key| match key {
            DocumentKey::OciView(..) => Some(Order::DeriveView(key)),
            key => Some(key).filter(DocumentKey::is_mutable).map(Order::Rewrite),
        });
    }
    None
}

impl Order {
    /// The document that it writes in R2.
    fn written(&self) -> Option<DocumentKey> {
        match self {
            Self::DeriveIndex => Some(DocumentKey::Index),
            Self::Rewrite(key) | Self::DeriveView(key) => Some(key.clone()),
            Self::ListWithIndex(key) => match key {
                DocumentKey::Release(release, _) => Some(DocumentKey::Provider(release.provider.clone())),
                DocumentKey::Index
                | DocumentKey::Namespace(_)
                | DocumentKey::Provider(_)
                | DocumentKey::OciView(..) => None,
            },
            Self::RestoreFromCopy(_) | Self::RestoreFromTrash(_) | Self::Copy(_) => None,
        }
    }
}

async fn carry_out(
    store: &dyn Store,
    pass: &Pass,
    order: Order,
    random: &mut Rng,
) -> Result<Option<Repair>, AccessError> {
    let (done, subject, how) = match order {
        Order::DeriveIndex => {
            let action = index::rebuild(store, &pass.inventory.providers, random).await?;
            (action != Action::Exists, Subject::document(&DocumentKey::Index), "derived from the providers")
        }
        Order::DeriveView(key) => {
            (derive(store, pass, &key, random).await?, Subject::document(&key), "derived from the release documents")
        }
        Order::ListWithIndex(key) => {
            let release = documents::read::<ReleaseDocument>(store, &key).await?;
            let Some(release) = release else { return Ok(None) };
            oci_views::complete(store, &release, random).await?;
            (true, Subject::document(&DocumentKey::Provider(release.address)), "listed with its OCI indexes")
        }
        Order::Rewrite(key) => {
            (rewrite(store, &key, random).await?, Subject::document(&key), "written in its own form")
        }
        Order::RestoreFromCopy(key) => {
            (restore(store, &key).await?, Subject::document(&key), "restored from its copy in KV")
        }
        Order::RestoreFromTrash(key) => {
            let restored = store.duplicate(&ObjectKey::Trash(key), &ObjectKey::Blob(key)).await?;
            (restored, Subject::object(key.object()), "restored from the trash")
        }
        Order::Copy(key) => (copy(store, &key, random).await?, Subject::copy(key.to_string()), "copied from R2"),
    };
    Ok(done.then_some(Repair { subject, how }))
}

/// Copies a document, unless it is damaged: then its copy may be the last of it.
async fn copy(store: &dyn Store, key: &DocumentKey, random: &mut Rng) -> Result<bool, AccessError> {
    let Some(stored) = store.read(key).await? else { return Ok(false) };
    if documents::check(key, &stored.bytes).is_err() {
        return Ok(false);
    }
    copies::copy(store, key, random).await?;
    Ok(true)
}

/// Puts a document's copy in its place: a release if it is the very document, which its digest proves; what can change
/// only where there is nothing.
async fn restore(store: &dyn Store, key: &DocumentKey) -> Result<bool, AccessError> {
    let Some(copy) = store.read_copy(key).await? else { return Ok(false) };
    if documents::check(key, &copy).is_err() {
        return Ok(false);
    }
    if key.is_mutable() {
        return Ok(store.create(key, &copy).await? == Creation::Created);
    }
    let held = store.read(key).await?;
    let swapped = store.swap(key, held.as_ref().map(|stored| &stored.etag), &copy).await?;
    Ok(matches!(swapped, Swap::Swapped(_)))
}

/// Writes an OCI view as it follows from release documents, if it follows from any.
async fn derive(store: &dyn Store, pass: &Pass, key: &DocumentKey, random: &mut Rng) -> Result<bool, AccessError> {
    let Some((_, view)) = pass.views.get(&key.to_string()) else { return Ok(false) };
    let placed = oci_views::place_one(store, key, view, random.fork()).await?;
    Ok(placed.action != Action::Exists)
}

/// Writes what a document says as its next revision.
async fn rewrite(store: &dyn Store, key: &DocumentKey, random: &mut Rng) -> Result<bool, AccessError> {
    let backoff = Backoff::new(random.fork());
    match key {
        DocumentKey::Index => write(store, key, backoff, |index: &mut IndexDocument| *index = index.with_all([])).await,
        DocumentKey::Namespace(_) => {
            write(store, key, backoff, |namespace: &mut NamespaceDocument| namespace.revision += 1).await
        }
        DocumentKey::Provider(_) => {
            write(store, key, backoff, |provider: &mut ProviderDocument| provider.revision += 1).await
        }
        DocumentKey::Release(..) | DocumentKey::OciView(..) => Ok(false),
    }
}

async fn write<D: Document>(
    store: &dyn Store,
    key: &DocumentKey,
    backoff: Backoff,
    next: impl Fn(&mut D),
) -> Result<bool, AccessError> {
    let changed = documents::change(store, key, backoff, |held: Option<D>| {
        let mut held = held.ok_or_else(|| AccessError::Missing(key.object()))?;
        next(&mut held);
        Ok::<_, AccessError>(Next::Write(held))
    });
    Ok(changed.await?.action == Action::Swap)
}
