//! Rows about the copies in KV.

use crate::fsck::check::area;

area! {
    "Copies in KV";

    COPY_MISSING = "YF028" "copy-missing", Problem Derived,
        holds "KV has a copy of every document that is served.",
        matters "The registry asks R2 instead, which is slower.",
        remedy "`yuba fsck --repair` or `yuba sync` writes it.";
    COPY_OLDER = "YF029" "copy-older", Problem Derived,
        holds "No copy is older than its document.",
        matters "Where R2 does not answer soon, clients see what was before.",
        remedy "`yuba fsck --repair` or `yuba sync` writes it again.";
    COPY_DAMAGED = "YF030" "copy-damaged", Problem Derived,
        holds "Every copy can be read and is about what its key names.",
        matters "The registry takes it for missing, and asks R2 instead.",
        remedy "`yuba fsck --repair` or `yuba sync` writes it again.";
    COPY_CONTRADICTS = "YF031" "copy-contradicts", Problem Never,
        holds "No copy of a revision says anything else than the document of that revision.",
        matters "One of the two was changed by something else than yuba, and nobody can tell which.",
        remedy "Look at both. If R2 is right, `yuba sync` writes the copy again; if KV is, put its bytes in the object's place.";
    COPY_STRAY = "YF032" "copy-stray", Problem Never,
        holds "KV has no key but those of documents that are served.",
        matters "What was never listed, or was removed, should not be near to clients.",
        remedy "`yuba sync` deletes it.";
}
