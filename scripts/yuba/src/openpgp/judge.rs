//! The rules for a signature and its key, in the words and the order of go-crypto's `checkMessageSignatureDetails`.

use jiff::Timestamp;
use pgp::crypto::hash::HashAlgorithm;
use pgp::packet::{Signature, SignatureType, SignatureVersion};
use pgp::types::KeyDetails;

use super::certificate::{
    Certificate, KeyDefect, Subkey, created, critical_notations, cross_certification, is_issued_by, judge_algorithm,
};
use super::key_file::show_revocation;
use super::signature::SignatureDefect;
use super::{has_passed, to_expiry, to_time};

/// The key that a signature names: a registered primary key, or one of its subkeys.
pub(super) struct Issuer<'c> {
    certificate: &'c Certificate<'c>,
    subkey: Option<&'c Subkey<'c>>,
}

impl<'c> Issuer<'c> {
    /// The key of `certificate` that `signature` names.
    pub(super) fn find(signature: &Signature, certificate: &'c Certificate<'c>) -> Option<Self> {
        let subkey = certificate.subkeys.iter().find(|subkey| is_issued_by(signature, &subkey.key.key));
        let primary = is_issued_by(signature, &certificate.key.primary_key);
        // A subkey that is not bound is not among the certificate's, and yet the signature names this certificate.
        let unbound = || {
            let mut subkeys = certificate.key.public_subkeys.iter();
            !certificate.defects.is_empty() && subkeys.any(|subkey| is_issued_by(signature, &subkey.key))
        };
        (primary || subkey.is_some() || unbound()).then_some(Self { certificate, subkey })
    }

    fn shown(&self) -> String {
        match self.subkey {
            Some(subkey) => subkey.key.fingerprint().to_string().to_uppercase(),
            None => self.certificate.key.fingerprint().to_string().to_uppercase(),
        }
    }

    fn may_sign(&self) -> bool {
        match (self.subkey, &self.certificate.primary) {
            (Some(subkey), _) => subkey.can_sign(),
            (None, Some(primary)) => primary.signature.key_flags().sign(),
            // What is wrong with such a key is said elsewhere.
            (None, None) => true,
        }
    }
}

/// What is wrong with a signature whoever made it.
pub(super) fn judge_form(signature: &Signature) -> Vec<SignatureDefect> {
    if signature.version() != SignatureVersion::V4 {
        return vec![SignatureDefect::Format(format!("of version {}", u8::from(signature.version())))];
    }
    let mut defects = Vec::new();
    let mut refuse = |what: String| defects.push(SignatureDefect::Format(what));
    if let Some(kind) = signature.typ().filter(|kind| !matches!(kind, SignatureType::Binary | SignatureType::Text)) {
        refuse(format!("of type {:#04x}", u8::from(kind)));
    }
    if created(signature).is_none() {
        refuse("without a date".to_owned());
    }
    if let Some(hash) = signature.hash_alg() {
        use HashAlgorithm as H;
        if matches!(hash, H::Md5 | H::Sha1 | H::Ripemd160) {
            defects.push(SignatureDefect::Hash(hash.to_string()));
        }
    }
    for number in unknown_critical_subpackets(signature) {
        defects.push(SignatureDefect::Format(format!("with a critical subpacket of type {number}")));
    }
    let mut names: Vec<_> = signature.issuer_key_id().iter().map(|id| id.to_string().to_uppercase()).collect();
    names.extend(signature.issuer_fingerprint().iter().filter_map(|fingerprint| {
        // Clients make the key id out of the fingerprint.
        fingerprint.to_string().to_uppercase().get(24..).map(str::to_owned)
    }));
    names.sort();
    names.dedup();
    match names.as_slice() {
        [_] => {}
        [] => defects.push(SignatureDefect::Issuer("names no issuer".to_owned())),
        several => defects.push(SignatureDefect::Issuer(format!("names several issuers: `{}`", several.join("`, `")))),
    }
    defects.extend(critical_notations(signature).into_iter().map(SignatureDefect::Notation));
    defects
}

/// The types of the critical subpackets that go-crypto does not know (`packet/signature.go`).
fn unknown_critical_subpackets(signature: &Signature) -> Vec<u8> {
    const KNOWN: [u8; 23] = [2, 3, 4, 5, 6, 9, 11, 16, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 32, 33, 35, 39];
    let hashed = signature.config().into_iter().flat_map(pgp::packet::SignatureConfig::hashed_subpackets);
    let critical = hashed.filter(|subpacket| subpacket.is_critical).map(|subpacket| subpacket.typ().as_u8(false));
    critical.filter(|number| !KNOWN.contains(number)).collect()
}

/// The key that a signature names, as messages show it.
pub(super) fn name_issuer(signature: &Signature) -> Option<String> {
    let fingerprint = signature.issuer_fingerprint().first().map(ToString::to_string);
    let id = || signature.issuer_key_id().first().map(ToString::to_string);
    fingerprint.or_else(id).map(|name| name.to_uppercase())
}

/// What is wrong with a signature by a registered key at the time `now`, and over `document` if that is to be computed.
pub(super) fn judge_known(
    signature: &Signature,
    document: Option<&[u8]>,
    issuer: &Issuer<'_>,
    now: Timestamp,
) -> Vec<SignatureDefect> {
    let mut defects = judge_key(issuer);
    if document.is_some_and(|document| !is_valid(signature, document, issuer)) {
        defects.push(SignatureDefect::Invalid(issuer.shown()));
    }
    defects.extend(judge_revocation(issuer));
    defects.extend(judge_time(signature, issuer, now));
    defects
}

/// What is wrong with the key, whatever it signed and when.
fn judge_key(issuer: &Issuer<'_>) -> Vec<SignatureDefect> {
    let certificate = issuer.certificate;
    let mut found: Vec<KeyDefect> = certificate.defects.clone();
    found.extend(judge_algorithm(certificate.key));
    if let Some(subkey) = issuer.subkey {
        let same = |defect: &KeyDefect| !found.contains(defect);
        found.extend(judge_algorithm(&subkey.key.key).filter(same));
    }
    let shown = issuer.shown();
    let mut defects: Vec<_> = found.into_iter().map(|defect| SignatureDefect::Key(shown.clone(), defect)).collect();
    if !issuer.may_sign() {
        defects.push(SignatureDefect::MayNotSign(shown));
    }
    let own = certificate.primary.iter().map(|primary| primary.signature);
    for signature in own.chain(binding_signatures(issuer)) {
        defects.extend(critical_notations(signature).into_iter().map(SignatureDefect::Notation));
    }
    defects
}

/// The binding signature of the subkey that signed, and its cross-certification.
fn binding_signatures<'c>(issuer: &Issuer<'c>) -> impl Iterator<Item = &'c Signature> {
    let binding = issuer.subkey.map(|subkey| subkey.binding);
    binding.into_iter().chain(binding.and_then(cross_certification))
}

/// Whether the signature is the key's over the document.
fn is_valid(signature: &Signature, document: &[u8], issuer: &Issuer<'_>) -> bool {
    if let Some(subkey) = issuer.subkey {
        signature.verify(&subkey.key.key, document).is_ok()
    } else {
        let key = issuer.certificate.key;
        let by_subkey = || key.public_subkeys.iter().any(|subkey| signature.verify(&subkey.key, document).is_ok());
        signature.verify(&key.primary_key, document).is_ok() || by_subkey()
    }
}

/// Clients make no difference between revocations, hard or soft, before or after the signature.
fn judge_revocation(issuer: &Issuer<'_>) -> Vec<SignatureDefect> {
    let identity = issuer.certificate.primary.iter().flat_map(|primary| &primary.revocations);
    let subkey = issuer.subkey.iter().flat_map(|subkey| &subkey.revocations);
    let all = issuer.certificate.revocations.iter().chain(identity).chain(subkey);
    all.map(|revocation| SignatureDefect::KeyRevoked(issuer.shown(), show_revocation(revocation))).collect()
}

/// Expiry, and dates in the future, of the signature, the keys and the signatures that bind them.
fn judge_time(signature: &Signature, issuer: &Issuer<'_>, now: Timestamp) -> Vec<SignatureDefect> {
    let mut defects = Vec::new();
    let certificate = issuer.certificate;
    let expiries = [certificate.expires(), issuer.subkey.and_then(Subkey::expires)];
    let own = certificate.primary.iter().map(|primary| primary.signature);
    let binding: Vec<_> = own.chain(binding_signatures(issuer)).collect();
    let expiries = expiries.into_iter().chain(binding.iter().map(|signature| expiry_of(signature)));
    if let Some(expiry) = expiries.flatten().filter(|expiry| has_passed(Some(*expiry), now)).min() {
        defects.push(SignatureDefect::KeyExpired(issuer.shown(), expiry));
    }
    if let Some(expiry) = expiry_of(signature).filter(|expiry| has_passed(Some(*expiry), now)) {
        defects.push(SignatureDefect::Expired(expiry));
    }
    let keys = [Some(certificate.key.created_at()), issuer.subkey.map(|subkey| subkey.key.created_at())];
    let keys = keys.into_iter().flatten().map(|created| ("its key", to_time(created.as_secs())));
    let bindings =
        binding.iter().filter_map(|signature| Some(("a signature that its key is bound by", created(signature)?)));
    let itself = created(signature).map(|created| ("the signature", created));
    let dates = itself.into_iter().chain(keys).chain(bindings);
    for (what, date) in dates.filter(|(_, date)| date.as_second() > now.as_second()) {
        defects.push(SignatureDefect::Future(what.to_owned(), date));
    }
    defects
}

/// When a signature expires.
fn expiry_of(signature: &Signature) -> Option<Timestamp> {
    to_expiry(signature.created()?, signature.signature_expiration_time())
}
