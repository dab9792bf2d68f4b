//! The signature over SHA256SUMS, as findings.

use std::path::Path;

use super::check::Check;
use super::checks::files::SIGNATURE_FILE;
use super::checks::key::{
    KEY_ALGORITHM, KEY_BINDING, KEY_EXPIRED, KEY_MAY_SIGN, KEY_RETIRED, KEY_REVOKED, KEY_STRENGTH, KEY_USER_ID,
};
use super::checks::signature::{
    SIGNATURE_ARMORED, SIGNATURE_EXPIRED, SIGNATURE_FORMAT, SIGNATURE_FUTURE, SIGNATURE_HASH, SIGNATURE_ISSUER,
    SIGNATURE_KEY, SIGNATURE_NOTATION, SIGNATURE_PACKET, SIGNATURE_SINGLE, SIGNATURE_VALID,
};
use super::directory::{Directory, SmallFile, read_small};
use super::finding::Findings;
use super::limits::MAX_SIGNATURE_BYTES;
use super::terms::{KeyAge, Terms};
use super::verdict::VerifyError;
use crate::openpgp::{Form, Judgement, KeyDefect, SignatureDefect, SignatureFile, SigningKey};

/// Verifies the signature beside the SHA256SUMS file `sums`, over its bytes `document`.
pub(crate) fn verify(
    directory: &Directory,
    sums: &str,
    document: &[u8],
    terms: &Terms<'_>,
    findings: &mut Findings,
) -> Result<Judgement, VerifyError> {
    let name = Directory::signature_name(sums);
    let Some(path) = directory.file(&name) else {
        findings.add(&SIGNATURE_FILE, &name, "is not there");
        return Ok(Judgement::default());
    };
    let keys = read_keys(terms)?;
    let Some(bytes) = read(path, &name, findings)? else {
        return Ok(Judgement::default());
    };
    let file = match SignatureFile::parse(&bytes) {
        Ok(file) => file,
        Err(defect) => {
            findings.add(check_of(&defect), &name, &defect);
            return Ok(Judgement::default());
        }
    };
    if file.form == Form::Armored {
        findings.add(&SIGNATURE_ARMORED, &name, "is armored; its binary form is stored");
    }
    let judgement = file.judge(document, &keys, terms.now);
    let judged = |defect: &&SignatureDefect| terms.key_age == KeyAge::Judge || !defect.comes_with_time();
    for defect in judgement.defects.iter().filter(judged) {
        findings.add(check_of(defect), &name, defect);
    }
    Ok(judgement)
}

fn read_keys(terms: &Terms<'_>) -> Result<Vec<SigningKey>, VerifyError> {
    let parse = |(index, key): (usize, &super::terms::RegisteredKey<'_>)| {
        SigningKey::parse(key.ascii_armor, key.standing).map_err(|source| VerifyError::RegisteredKey {
            namespace: terms.namespace.to_owned(),
            number: index + 1,
            source,
        })
    };
    terms.keys.iter().enumerate().map(parse).collect()
}

fn read(path: &Path, name: &str, findings: &mut Findings) -> Result<Option<Vec<u8>>, VerifyError> {
    match read_small(path, MAX_SIGNATURE_BYTES)? {
        SmallFile::Read(bytes) => return Ok(Some(bytes)),
        SmallFile::NotAFile => findings.add(&SIGNATURE_FILE, name, "is no regular file"),
        SmallFile::TooLarge(size) => {
            findings.add(&SIGNATURE_FILE, name, format!("has {size} bytes, over {MAX_SIGNATURE_BYTES}"));
        }
    }
    Ok(None)
}

/// The row that a defect breaks.
pub(crate) fn check_of(defect: &SignatureDefect) -> &'static Check {
    match defect {
        SignatureDefect::NotASignature => &SIGNATURE_PACKET,
        SignatureDefect::Several(_) => &SIGNATURE_SINGLE,
        SignatureDefect::Format(_) => &SIGNATURE_FORMAT,
        SignatureDefect::Issuer(_) => &SIGNATURE_ISSUER,
        SignatureDefect::Hash(_) => &SIGNATURE_HASH,
        SignatureDefect::Notation(_) => &SIGNATURE_NOTATION,
        SignatureDefect::UnknownKey(_) => &SIGNATURE_KEY,
        SignatureDefect::Invalid(_) => &SIGNATURE_VALID,
        SignatureDefect::Expired(_) => &SIGNATURE_EXPIRED,
        SignatureDefect::Future(..) => &SIGNATURE_FUTURE,
        SignatureDefect::MayNotSign(_) => &KEY_MAY_SIGN,
        SignatureDefect::KeyExpired(..) => &KEY_EXPIRED,
        SignatureDefect::KeyRetired(..) => &KEY_RETIRED,
        SignatureDefect::KeyRevoked(..) | SignatureDefect::KeyDistrusted(..) => &KEY_REVOKED,
        SignatureDefect::Key(_, defect) => match defect {
            KeyDefect::NoUserId | KeyDefect::UserIdSignature(_) | KeyDefect::OnlyRevokedUserId(_) => &KEY_USER_ID,
            KeyDefect::UnboundSubkey(_) | KeyDefect::SubkeySignature(_) | KeyDefect::CrossCertification(_) => {
                &KEY_BINDING
            }
            KeyDefect::ForeignRevocation => &KEY_REVOKED,
            KeyDefect::PrimaryCannotSign => &KEY_MAY_SIGN,
            KeyDefect::Algorithm(_) => &KEY_ALGORITHM,
            KeyDefect::Bits(_) => &KEY_STRENGTH,
        },
    }
}
