//! SHA256SUMS and its signature as they are served.

use jiff::Timestamp;

use super::checks::signed::{SIGNATURE_AGE, SIGNATURE_BINARY, SIGNATURE_OFFERED_KEY};
use crate::openpgp::{Form, SignatureDefect, SignatureFile, SigningKey};
use crate::verify::finding::Findings;
use crate::verify::listing::Listing;
use crate::verify::signature::check_of;

/// Judges SHA256SUMS as strictly as before it was published.
pub(crate) fn judge_sums(bytes: &[u8], subject: &str, findings: &mut Findings) -> Listing {
    let mut listing = Listing::parse(bytes);
    for (check, what) in listing.defects.drain(..) {
        findings.add(check, subject, format!("SHA256SUMS: {what}"));
    }
    listing
}

/// Judges the signature over `sums` by the keys that packages come with, at the time `now`.
pub(crate) fn judge_signature(
    bytes: &[u8],
    sums: &[u8],
    keys: &[SigningKey],
    now: Timestamp,
    subject: &str,
    findings: &mut Findings,
) {
    let file = match SignatureFile::parse(bytes) {
        Ok(file) => file,
        Err(defect) => return add(&defect, subject, findings),
    };
    if file.form == Form::Armored {
        findings.add(&SIGNATURE_BINARY, subject, "the signature is armored");
    }
    for defect in file.judge(sums, keys, now).defects {
        add(&defect, subject, findings);
    }
}

fn add(defect: &SignatureDefect, subject: &str, findings: &mut Findings) {
    match defect {
        SignatureDefect::UnknownKey(key) => {
            let message = format!("the signature was made by key `{key}`, which the packages do not come with");
            findings.add(&SIGNATURE_OFFERED_KEY, subject, message);
        }
        defect if defect.comes_with_time() => {
            findings.add(&SIGNATURE_AGE, subject, format!("the signature {defect}"));
        }
        defect => findings.add(check_of(defect), subject, format!("the signature {defect}")),
    }
}
