//! Rows about what interrupted commands leave.

use crate::fsck::check::area;

area! {
    "What is left over";

    MARK = "YF033" "mark", Problem Derived,
        holds "Nobody who was killed while copying to KV has left a mark.",
        matters "What it wrote last may be older than R2, and whoever copies next has to wait.",
        remedy "`yuba fsck --repair` copies once more and takes the mark away; so does the next publish.";
    RELEASE_UNLISTED = "YF034" "release-unlisted", Note Never,
        holds "Every release document is listed.",
        matters "A publish is under way, or was interrupted before its version existed.",
        remedy "Publish the same release again to complete it, or leave it: it is small and nobody is served it.";
    ARCHIVE_UNNAMED = "YF035" "archive-unnamed", Note Never,
        holds "Every archive is named by a document.",
        matters "A publish is under way, or an interrupted one left it.",
        remedy "`yuba gc` collects it once it is old.";
    TRASH = "YF036" "trash", Note Never,
        holds "The trash is empty.",
        matters "Garbage collection moved it there.",
        remedy "`yuba gc` deletes it once it has been there for a grace period.";
    INDEX_MORE = "YF037" "index-more", Note Never,
        holds "The index names no provider without a document.",
        matters "A first publish is under way, or was interrupted; the registry answers 404 for it.",
        remedy "Publish the release again to complete it, or leave it.";
}
