//! Finding what OCI distribution names: the index of a tag, and what a digest belongs to.

use std::time::Duration;

use super::{Audience, Found, Lookup, admit};
use crate::address::{ProviderAddress, ReleaseAddress};
use crate::digest::Sha256Digest;
use crate::document::{NamespaceDocument, OciView, ProviderDocument};
use crate::keys::DocumentKey;
use crate::serve::refusal::{Absent, Refusal};
use crate::serve::storage::Storage;
use crate::serve::stored::Stored;

impl<S: Storage> Lookup<'_, S> {
    /// The index of the release at `address` and its digest, if it is listed with one and not blocked.
    pub(in crate::serve) async fn tagged(
        &self,
        address: &ReleaseAddress,
    ) -> Result<(Sha256Digest, Stored<OciView>), Refusal> {
        let listed = self.listed(address, None, Audience::Trusting).await?;
        if let Some(index) = listed.oci_index {
            let key = DocumentKey::OciView(address.provider.clone(), index);
            if let Some(view) = self.reader.immutable(&key).await? {
                return Ok((index, view));
            }
        }
        // It may have got its index, or been removed, after what says that it is listed was read.
        let Found { namespace, .. } = self.provider(&address.provider).await?;
        let listed = self.listed_now(address, None, &namespace, Audience::Trusting).await?;
        let index = listed.oci_index.ok_or_else(|| Refusal::no_index(address))?;
        let key = DocumentKey::OciView(address.provider.clone(), index);
        // That there was none is no answer if it was given before the version was listed.
        let view = self.reader.reread(&key, Duration::ZERO).await?;
        Ok((index, view.ok_or_else(|| Refusal::Missing(Box::new(key)))?))
    }

    /// What `digest` names in the repositories of `provider`, if that belongs to a release that is listed and not
    /// blocked.
    pub(in crate::serve) async fn oci_view(
        &self,
        provider: &ProviderAddress,
        digest: &Sha256Digest,
        what: Absent,
    ) -> Result<Stored<OciView>, Refusal> {
        let Found { namespace, provider: listed } = self.provider(provider).await?;
        let key = DocumentKey::OciView(provider.clone(), *digest);
        let absent = || Refusal::no_content(what, digest, provider);
        if self.reader.is_absent(&key) {
            return Err(absent());
        }
        let view: Stored<OciView> = self.reader.immutable(&key).await?.ok_or_else(absent)?;
        if judge(&namespace, &listed, &view).is_ok() {
            return Ok(view);
        }
        // A later release may have the same archive, and what is at hand may be older.
        let listed = self.reader.recheck(&DocumentKey::Provider(provider.clone())).await?;
        let listed: Stored<ProviderDocument> = listed.ok_or_else(|| Refusal::no_provider(provider))?;
        let view: Stored<OciView> = self.reader.recheck(&key).await?.ok_or_else(absent)?;
        judge(&namespace, &listed, &view).map_err(|refused| refused.unwrap_or_else(absent))?;
        Ok(view)
    }
}

/// Lets a view pass one of whose releases is listed and not blocked; else says what blocks it, if anything does.
fn judge(namespace: &NamespaceDocument, listed: &ProviderDocument, view: &OciView) -> Result<(), Option<Refusal>> {
    let mut refused = None;
    for (version, document) in &view.releases {
        let Some(entry) = listed.find(version).filter(|entry| entry.release == *document) else { continue };
        let address = ReleaseAddress { provider: listed.address.clone(), version: version.clone() };
        match admit(namespace, &entry.signing_key, &address, Audience::Trusting) {
            Ok(()) => return Ok(()),
            Err(refusal) => refused = Some(refusal),
        }
    }
    Err(refused)
}
