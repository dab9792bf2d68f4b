//! The first stage: what is proven about a release, from which its document is made.

use std::collections::BTreeMap;
use std::sync::Arc;

use yuba::address::{NamespaceAddress, ProviderAddress, ReleaseAddress};
use yuba::document::release::ProvenRelease;
use yuba::document::{NamespaceDocument, Package, ReleaseDocument};
use yuba::keys::DocumentKey;

use super::store::release;
use super::{Known, Problem, Reason, Refusal, Request, compare, known};
use crate::documents;
use crate::store::Store;
use crate::time;
use crate::verify::checks::key::{KEY_EXPIRED, KEY_RETIRED, KEY_REVOKED};
use crate::verify::checks::signature::SIGNATURE_EXPIRED;
use crate::verify::{
    Finding, KeyAge, RegisteredKey, Severity, Terms, Verdict, VerifiedArchive, VerifiedRelease, verify,
};

/// A release that may be published.
pub(super) struct Proven {
    /// What will be stored about it.
    pub(super) document: ReleaseDocument,
    /// Whether that is what is listed, and so stored.
    pub(super) is_listed: bool,
    /// Its archives.
    pub(super) archives: Vec<VerifiedArchive>,
    /// What was found about it; nothing that refuses it.
    pub(super) findings: Vec<Finding>,
}

/// What a release was proven to be.
pub(super) enum Proof {
    /// It may be published.
    Proven(Proven),
    /// It may not.
    Refused(Refusal),
}

/// Proves a release, or says why it is refused.
pub(super) async fn prove(store: &dyn Store, request: &Request) -> Result<Proof, Problem> {
    let key = DocumentKey::Namespace(request.namespace.clone());
    let Some(namespace) = documents::read::<NamespaceDocument>(store, &key).await? else {
        let reason = Reason::NoNamespace(request.namespace.clone());
        return Ok(Proof::Refused(Refusal { reason, address: None, findings: Vec::new() }));
    };
    let namespace = Arc::new(namespace);
    let judged = judge(request, &namespace, KeyAge::Judge).await?;
    if let Some(release) = judged.release {
        return conclude(request, release, judged.findings);
    }
    if !only_time_refuses(&judged.findings) {
        return Ok(Proof::Refused(Refusal::of_findings(judged.findings)));
    }
    // The key may have expired, or been given up, after this release was stored or listed. Then it was judged when that
    // was done.
    let again = judge(request, &namespace, KeyAge::AlreadyPublished).await?;
    let Some(release) = again.release else { return Ok(Proof::Refused(Refusal::of_findings(again.findings))) };
    match conclude(request, release, again.findings)? {
        Proof::Proven(proven) if !is_published(store, &proven.document).await? => {
            let address = Some(proven.document.release_address());
            Ok(Proof::Refused(Refusal { address, ..Refusal::of_findings(judged.findings) }))
        }
        proof => Ok(proof),
    }
}

/// Whether nothing refuses the release but what time may have done to the key or the signature.
fn only_time_refuses(findings: &[Finding]) -> bool {
    let time = [&KEY_EXPIRED, &KEY_RETIRED, &KEY_REVOKED, &SIGNATURE_EXPIRED];
    findings.iter().filter(|finding| finding.severity == Severity::Refuse).all(|finding| time.contains(&finding.check))
}

/// Runs the verification where blocking is allowed.
async fn judge(request: &Request, namespace: &Arc<NamespaceDocument>, key_age: KeyAge) -> Result<Verdict, Problem> {
    let (request, namespace) = (request.clone(), Arc::clone(namespace));
    let verified = tokio::task::spawn_blocking(move || {
        let keys: Vec<_> = namespace
            .signing_keys
            .iter()
            .map(|key| RegisteredKey { ascii_armor: &key.ascii_armor, standing: key.standing() })
            .collect();
        let terms = Terms {
            namespace: request.namespace.namespace.as_str(),
            origin: request.origin,
            keys: &keys,
            key_age,
            now: request.now,
            manifest: request.manifest.as_deref(),
        };
        verify(&request.directory, &terms, &*request.watch)
    });
    Ok(verified.await.map_err(Problem::Verification)??)
}

/// What a verified release comes to: its document, unless its address is too long.
fn conclude(request: &Request, release: VerifiedRelease, findings: Vec<Finding>) -> Result<Proof, Problem> {
    let NamespaceAddress { hostname, namespace } = request.namespace.clone();
    let provider = match ProviderAddress::new(hostname, namespace, release.r#type.clone()) {
        Ok(provider) => provider,
        Err(error) => {
            return Ok(Proof::Refused(Refusal { reason: Reason::Address(error), address: None, findings }));
        }
    };
    let address = ReleaseAddress { provider, version: release.version.clone() };
    let mut packages = BTreeMap::new();
    for (platform, archive) in &release.archives {
        let filename = archive.filename.parse()?;
        packages.insert(platform.clone(), Package { filename, size: archive.size, zh: archive.zh, h1: archive.h1 });
    }
    let document = ReleaseDocument::new(
        address,
        ProvenRelease {
            protocols: release.protocols,
            created: time::render(release.signed_at),
            packages,
            shasums: release.shasums,
            shasums_signature: release.signature,
            signing_key: release.fingerprint,
        },
    );
    Ok(Proof::Proven(Proven {
        document,
        is_listed: false,
        archives: release.archives.into_values().collect(),
        findings,
    }))
}

/// Whether the same release is listed, or is stored to the byte by a publish that was killed.
async fn is_published(store: &dyn Store, document: &ReleaseDocument) -> Result<bool, Problem> {
    let (key, _) = release(document)?;
    if store.read(&key).await?.is_some() {
        return Ok(true);
    }
    Ok(match known(store, &document.release_address()).await? {
        Known::Listed(listed) => compare::differences(&listed, document).is_empty(),
        Known::Unlisted | Known::Removed(_) => false,
    })
}
