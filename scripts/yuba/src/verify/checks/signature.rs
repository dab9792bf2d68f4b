//! Rows about the signature over SHA256SUMS.

use crate::verify::check::area;

area! {
    "Signature";

    SIGNATURE_ARMORED = "YB034" "signature-armored", Warn Warn,
        proves "The signature is in OpenPGP's binary form; an armored one is converted.",
        matters "Clients cannot read an armored signature, so the binary form of the same signature is stored.",
        remedy "Nothing needs doing; `gpg --detach-sign` without `--armor` makes the binary form.";
    SIGNATURE_PACKET = "YB035" "signature-packet", Refuse Refuse,
        proves "The signature file holds an OpenPGP signature and nothing else.",
        matters "Clients stop at any other packet.",
        remedy "Sign again: `gpg --detach-sign FILE_SHA256SUMS`; a signed message or a key is no detached signature.";
    SIGNATURE_SINGLE = "YB036" "signature-single", Refuse Warn,
        proves "The signature file holds one signature.",
        matters "Clients judge the first one whose key they know and never look at the others.",
        remedy "Sign with one key: `gpg --local-user KEY --detach-sign FILE_SHA256SUMS`.";
    SIGNATURE_FORMAT = "YB037" "signature-format", Refuse Refuse,
        proves "The signature is of version 4, over a document, by an algorithm that clients know.",
        matters "Clients skip or refuse other versions and types.",
        remedy "Sign again with GnuPG's defaults: `gpg --detach-sign FILE_SHA256SUMS`.";
    SIGNATURE_ISSUER = "YB038" "signature-issuer", Refuse Refuse,
        proves "The signature names one key as its issuer.",
        matters "Clients find the key by it, and refuse a signature without an issuer.",
        remedy "Sign again: `gpg --detach-sign FILE_SHA256SUMS`.";
    SIGNATURE_HASH = "YB039" "signature-hash", Refuse Warn,
        proves "The signature is over a digest that nobody can forge: SHA-256 or better.",
        matters "Two files with one SHA-1 or MD5 can be made, and the signature would cover both.",
        remedy "Sign with `gpg --digest-algo SHA256 --detach-sign FILE_SHA256SUMS`.";
    SIGNATURE_NOTATION = "YB040" "signature-notation", Refuse Refuse,
        proves "Neither the signature nor the key has a critical notation.",
        matters "Clients refuse a critical notation that they do not know, and they know none.",
        remedy "Sign without `--sig-notation !…` and certify without `--cert-notation !…`.";
    SIGNATURE_KEY = "YB041" "signature-key", Refuse Refuse,
        proves "The signature was made by a key that is registered for the namespace.",
        matters "Clients are given the registered keys only, and stop at a signature of any other.",
        remedy "Register the key: `gpg --armor --export KEY > KEY.asc`, then `yuba key add --namespace NAME KEY.asc`.";
    SIGNATURE_VALID = "YB042" "signature-valid", Refuse Refuse,
        proves "The signature is one of the key over exactly these bytes of SHA256SUMS.",
        matters "Clients refuse it.",
        remedy "SHA256SUMS or the signature changed after signing: sign again, and publish both unaltered.";
    SIGNATURE_EXPIRED = "YB043" "signature-expired", Refuse Warn,
        proves "The signature has not expired.",
        matters "Terraform refuses an expired signature for good, and no later key can mend that.",
        remedy "Sign again without `--default-sig-expire`.";
    SIGNATURE_FUTURE = "YB044" "signature-future", Refuse Warn,
        proves "The signature, its key and the key's own signatures are not dated in the future.",
        matters "Clients take what is dated in the future for expired.",
        remedy "Set the clock of the signing machine right and sign again.";
}
