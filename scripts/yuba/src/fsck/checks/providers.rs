//! Rows about providers, their versions and the index.

use crate::fsck::check::area;

area! {
    "Providers and the index";

    PROVIDER_NAMESPACE = "YF014" "provider-namespace", Problem Never,
        holds "Every provider with a version is in a namespace that has a document.",
        matters "Nothing of a namespace without a document is served.",
        remedy "Register the namespace's keys again with `yuba key add`, or restore its document.";
    PROVIDER_ORDER = "YF015" "provider-order", Problem Never,
        holds "A provider lists each version once, oldest first.",
        matters "Versions are looked up by their order, so some would not be found.",
        remedy "Restore the provider's document from a backup, or from its copy in KV.";
    RELEASE_MISSING = "YF016" "release-missing", Problem IfCopied,
        holds "Every listed version has its release document.",
        matters "Clients see the version and cannot install it.",
        remedy "`yuba fsck --repair` restores it if KV still has it to the byte; else restore the object from a backup.";
    ENTRY_AGREES = "YF017" "entry-agrees", Problem Never,
        holds "A provider lists each version with the platforms, the protocols and the signing key of its release document.",
        matters "Clients choose a version by what is listed and get something else.",
        remedy "Restore the provider's document from a backup, or from its copy in KV: release documents are proven by their digest.";
    REMOVED_LEFT = "YF018" "removed-left", Problem Never,
        holds "Nothing is left of a version that was removed.",
        matters "What had to go is still stored, though it is not served.",
        remedy "Run the same `yuba remove` again: it was interrupted.";
    INDEX = "YF019" "index", Problem Derived,
        holds "The index names every provider.",
        matters "The registry answers that there is no such provider.",
        remedy "`yuba fsck --repair` or `yuba sync` derives the index anew.";
}
