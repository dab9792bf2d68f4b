//! The part of a pass that reads OCI views: what follows from releases is held against what is there.

use std::collections::BTreeMap;

use futures::StreamExt as _;
use yuba::document::{OciView, ReleaseDocument, VersionEntry};
use yuba::keys::DocumentKey;

use super::{Read, Walk, read};
use crate::documents::AccessError;
use crate::fsck::checks::oci::{OCI_INDEX, OCI_VIEW_MISSING};
use crate::fsck::finding::Subject;
use crate::fsck::judge::{copy, oci_view, stored};
use crate::oci_views::{self, Derived};
use crate::store::StoreError;

/// The views that follow from listed releases, by the names of their keys.
pub(in crate::fsck) type ExpectedViews = BTreeMap<String, (DocumentKey, OciView)>;

impl Walk<'_> {
    /// Takes note of the views of a listed release, and judges the digest that it is listed with.
    pub(super) fn expect_views(&mut self, release: &DocumentKey, document: &ReleaseDocument, entry: &VersionEntry) {
        let Ok(Derived { index, views }): Result<_, AccessError> = oci_views::derive(document) else { return };
        let subject = Subject::document(&DocumentKey::Provider(document.address.clone()));
        let version = &entry.version;
        match entry.oci_index {
            Some(listed) if listed == index => {}
            Some(listed) => {
                let message = format!("lists {version} with the OCI index {listed}, which is not {index}");
                self.findings.add(&OCI_INDEX, &subject, message);
            }
            None => self.findings.add(&OCI_INDEX, &subject, format!("lists {version} without an OCI index")),
        }
        if entry.oci_index != Some(index) {
            self.incomplete.insert(release.clone());
        }
        for (key, view) in views {
            // Of a version without an index, one finding says that all its views may be missing.
            if entry.oci_index.is_some() || self.inventory.views.contains(&key) {
                let expected = self.views.entry(key.to_string()).or_insert_with(|| (key, view.clone()));
                expected.1 = oci_views::merge(&expected.1, &view);
            }
        }
    }

    /// Reads every view that is there or follows from a listed release; `names` is what KV has.
    pub(super) async fn read_views(&mut self, names: &[String]) -> Result<(), StoreError> {
        let expected = self.views.values().map(|(key, _)| key);
        let keys: BTreeMap<_, _> =
            self.inventory.views.iter().chain(expected).map(|key| (key.to_string(), key.clone())).collect();
        let is_copied = |name: &String| names.binary_search(name).is_ok();
        let keys: Vec<_> = keys.into_iter().map(|(name, key)| (key, is_copied(&name))).collect();
        let mut reads = std::pin::pin!(read(self.store, keys));
        while let Some(read) = reads.next().await {
            self.judge_view(&read?);
        }
        Ok(())
    }

    fn judge_view(&mut self, Read { key, document, copy: copied }: &Read) {
        let DocumentKey::OciView(address, _) = key else { return };
        let expected = self.views.get(&key.to_string()).map(|(_, view)| view.clone());
        // What cannot be read may list what the view belongs to.
        let is_unknown = self.is_unknown(address) || self.has_unread_release;
        if expected.is_some() || (is_unknown && copied.is_some()) {
            self.served.insert(key.to_string());
            copy::judge(key, document.as_deref(), copied.as_deref(), &mut self.findings);
        }
        let Some(bytes) = document else {
            let message = "is not there, and follows from a listed release";
            return self.findings.add(&OCI_VIEW_MISSING, &Subject::document(key), message);
        };
        self.documents += 1;
        let Some(view) = stored::judge::<OciView>(key, bytes, &mut self.findings) else { return };
        if expected.is_some() || !is_unknown {
            let provider = self.providers.get(address);
            oci_view::judge(key, &view, expected.as_ref(), provider, &mut self.findings);
        }
    }
}
