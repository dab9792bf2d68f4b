//! Rows about the key that signed.

use crate::verify::check::area;

area! {
    "Signing key";

    KEY_MAY_SIGN = "YB045" "key-may-sign", Refuse Refuse,
        proves "The key's flags, in its own newest self-signature, allow signing.",
        matters "Clients look for a key with the signing flag only, and report an unknown issuer.",
        remedy "Sign with a key or subkey that `gpg --list-keys` marks with `[S]`.";
    KEY_USER_ID = "YB046" "key-user-id", Refuse Refuse,
        proves "The key has a user id that it signed itself and has not revoked, and no self-signature of it is broken.",
        matters "Clients cannot read a key without one, and crash on some that have none.",
        remedy "Export the key anew: `gpg --armor --export KEY`, with `--export-options export-clean`.";
    KEY_BINDING = "YB047" "key-binding", Refuse Refuse,
        proves "Every subkey is bound by the primary key, and a signing subkey binds itself to the primary key in return.",
        matters "Clients discard a key with one unbound subkey as a whole.",
        remedy "Mend the subkey in `gpg --edit-key KEY` with `cross-certify`, export the key and register it again.";
    KEY_EXPIRED = "YB048" "key-expired", Refuse Warn,
        proves "Neither the primary key nor the subkey that signed has expired.",
        matters "OpenTofu warns at every install, and refuses where it is told to enforce expiry.",
        remedy "Extend it with `gpg --quick-set-expire FINGERPRINT 2y`, export it and register it again with `yuba key add`.";
    KEY_REVOKED = "YB049" "key-revoked", Refuse Refuse,
        proves "Neither the primary key, nor its main user id, nor the subkey that signed is revoked, by the owner or with `yuba key revoke`.",
        matters "Clients refuse every release of a key that its owner revoked, whatever the reason; the registry blocks what it revoked, or warns of it.",
        remedy "Sign with another key and register that one.";
    KEY_STRENGTH = "YB050" "key-strength", Refuse Warn,
        proves "An RSA or DSA key has at least 2048 bits.",
        matters "Newer clients refuse RSA keys under 1024 bits, and shorter keys than 2048 bits can be forged by the able.",
        remedy "Sign with a new key: `gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign`.";
    KEY_ALGORITHM = "YB051" "key-algorithm", Refuse Warn,
        proves "The key's algorithm is RSA, DSA, ECDSA or `EdDSA`, as version 4 keys have had it for years.",
        matters "Clients in use do not know newer algorithm numbers and cannot read the key.",
        remedy "Sign with an RSA key, which every client reads: `gpg --quick-generate-key 'NAME <MAIL>' rsa4096 sign`.";
    KEY_RETIRED = "YB086" "key-retired", Refuse Warn,
        proves "The key was not retired with `yuba key retire`; what it signed before that is completed and served as ever.",
        matters "Whoever still has a key that was given up could sign in its owner's name.",
        remedy "Sign with a key that is in use, or take the retirement back: `yuba key retire FINGERPRINT --namespace NAME --undo`.";
}
