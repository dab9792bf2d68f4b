//! Rows about objects and documents, each by itself.

use crate::fsck::check::area;

area! {
    "Objects and documents";

    STRAY_OBJECT = "YF001" "stray-object", Problem Never,
        holds "Every object in R2 has a key that yuba gives.",
        matters "Nobody reads the object, but it costs, and garbage collection refuses to guess what it means under `meta/`.",
        remedy "Find out who put it there and delete it; a newer yuba may have, and then update this one.";
    DOCUMENT_READABLE = "YF002" "document-readable", Problem IfCopied,
        holds "Every document can be read.",
        matters "What it says is answered with 503, or not at all.",
        remedy "`yuba fsck --repair` mends the index, and a release that KV still has to the byte. A namespace or a provider: restore the object from a backup, or from its copy in KV if no later change was made.";
    DOCUMENT_NEWER = "YF003" "document-newer", Problem Never,
        holds "Every document is of a format that this yuba knows.",
        matters "This yuba cannot tell what it means, and neither can a registry of the same version.",
        remedy "Update yuba, and deploy the registry of the same version.";
    DOCUMENT_CANONICAL = "YF004" "document-canonical", Problem Derived,
        holds "Every document has exactly the bytes that yuba writes for what it says.",
        matters "It was changed by something else, which may have changed what it says too.",
        remedy "Look at what it says; `yuba fsck --repair` then writes the same in yuba's own form.";
    DOCUMENT_ADDRESS = "YF005" "document-address", Problem Never,
        holds "Every document is about what its key names.",
        matters "The registry would answer for one provider with what belongs to another.",
        remedy "Restore the object from a backup, or from its copy in KV.";
    DOCUMENT_REVISION = "YF006" "document-revision", Problem Derived,
        holds "Every document that changes counts its changes, from 1.",
        matters "The newer of two copies could not be told.",
        remedy "`yuba fsck --repair` writes it as its next revision.";
    DOCUMENT_TIME = "YF007" "document-time", Problem Never,
        holds "Every time in a document is one, in UTC and to the second.",
        matters "What depends on it, such as the expiry of a key, is taken for unknown.",
        remedy "Restore the object from a backup, or from its copy in KV.";
    RELEASE_DIGEST = "YF008" "release-digest", Problem IfCopied,
        holds "Every release document has the SHA-256 that its key ends in.",
        matters "It is not what was published.",
        remedy "`yuba fsck --repair` restores it if KV still has it to the byte; else publish the same release again after deleting the object.";
    DOCUMENT_LOST = "YF009" "document-lost", Problem IfCopied,
        holds "Every namespace and provider whose providers or releases are there has its document.",
        matters "Nothing of it is served.",
        remedy "`yuba fsck --repair` restores it from its copy in KV; publish again what was published after that copy.";
}
