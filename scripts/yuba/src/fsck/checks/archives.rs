//! Rows about archives.

use crate::fsck::check::area;

area! {
    "Archives";

    ARCHIVE_MISSING = "YF024" "archive-missing", Problem IfCopied,
        holds "Every archive of a listed version is there.",
        matters "Clients see the version and cannot install it.",
        remedy "`yuba fsck --repair` restores it from the trash if it is there; else publish the same release again, which stores what is missing.";
    ARCHIVE_SIZE = "YF025" "archive-size", Problem Never,
        holds "Every archive has the size that its release document says.",
        matters "It is cut short or another one; clients refuse it.",
        remedy "Publish the same release again, which stores an archive of another size anew.";
    ARCHIVE_DIGEST = "YF026" "archive-digest", Problem Never,
        holds "Every archive has the SHA-256 that its key says, also one that no document names.",
        matters "It is damaged; clients refuse it.",
        remedy "Delete the object (`wrangler r2 object delete BUCKET/KEY`, or the file) and publish the same release again, which stores what is missing.";
    ARCHIVE_CONTENT = "YF027" "archive-content", Problem Never,
        holds "What an archive holds has the h1 that its release document says.",
        matters "Clients whose lock files have the h1 refuse it.",
        remedy "This was published so, which is a bug: publish the release again under a new version.";
}
