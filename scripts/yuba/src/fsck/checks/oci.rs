//! Rows about the OCI views, which are derived from release documents.

use crate::fsck::check::area;

area! {
    "OCI views";

    OCI_INDEX = "YF038" "oci-index", Problem Derived,
        holds "Every version is listed with the digest of the OCI index that follows from its release document.",
        matters "OCI clients do not see a version without one, and cannot install a version with another one.",
        remedy "`yuba fsck --repair` or `yuba sync` lists the version with it; versions of before there were views have none until then.";
    OCI_VIEW_MISSING = "YF039" "oci-view-missing", Problem Derived,
        holds "Every listed version has the OCI views that follow from its release document.",
        matters "OCI clients see the version and cannot install it.",
        remedy "`yuba fsck --repair` or `yuba sync` derives them.";
    OCI_VIEW_DIFFERS = "YF040" "oci-view-differs", Problem Derived,
        holds "Every OCI view says what follows from release documents, and names each listed version that it belongs to.",
        matters "OCI clients get something else than what was published, or nothing.",
        remedy "`yuba fsck --repair` derives it again.";
    OCI_VIEW_UNLISTED = "YF041" "oci-view-unlisted", Note Never,
        holds "Every OCI view belongs to a listed version.",
        matters "A few kilobytes are stored that nobody is served; a publisher may be about to list them.",
        remedy "Nothing: publishing that version again uses it.";
}
