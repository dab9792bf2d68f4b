//! Rows about namespaces and their signing keys.

use crate::fsck::check::area;

area! {
    "Namespaces and signing keys";

    SIGNING_KEY = "YF010" "signing-key", Problem Never,
        holds "Every registered key is one public key that can be read, written as yuba writes it.",
        matters "Clients get the key as it is and refuse everything that it signed.",
        remedy "Register the key again with `yuba key add`; if that is refused too, restore the namespace's document.";
    SIGNING_KEY_FACTS = "YF011" "signing-key-facts", Problem Never,
        holds "What is recorded of a key is what the key says.",
        matters "Key lists and the choice of keys for a version go by what is recorded.",
        remedy "Register the key again with `yuba key add`, which records it anew; if the fingerprint is wrong, restore the namespace's document.";
    SIGNING_KEY_TWICE = "YF012" "signing-key-twice", Problem Never,
        holds "No key is registered twice in a namespace.",
        matters "Only the first record of it counts, and a revocation of the other is lost.",
        remedy "Restore the namespace's document from a backup, or from its copy in KV.";
    SIGNING_KEY_REVOCATION = "YF013" "signing-key-revocation", Problem Never,
        holds "A key that its owner has revoked is recorded as revoked.",
        matters "Clients refuse what it signed, and the registry does not say why.",
        remedy "Record it with `yuba key revoke`.";
}
