//! Rows about the list of versions.

use crate::verify::check::area;

area! {
    "Versions";

    VERSIONS_STATUS = "YR007" "versions-status", Refuse Refuse,
        proves "The list of versions of every published provider is answered with 200.",
        matters "Clients that require the provider stop, those that have it locked and installed included.",
        remedy "See what the registry itself says in its answer, and `wrangler tail` while it is asked.";
    VERSIONS_DOCUMENT = "YR008" "versions-document", Refuse Refuse,
        proves "The list of versions is the JSON that the protocol describes, `warnings` included.",
        matters "Clients refuse the whole provider.",
        remedy "Let the registry itself answer this path, unchanged.";
    VERSIONS_EMPTY = "YR009" "versions-empty", Refuse Refuse,
        proves "The list names a version.",
        matters "Clients say that the provider was not found anywhere.",
        remedy "Publish a version, or answer 404 for a provider that has none.";
    VERSIONS_SYNTAX = "YR010" "versions-syntax", Refuse Refuse,
        proves "Every version is canonical Semantic Versioning that clients survive.",
        matters "One that they cannot read makes all versions of the provider uninstallable; one with too large a number crashes them.",
        remedy "Take the version out of the list: no client has it locked. Publish it again under a canonical one.";
    VERSIONS_TWICE = "YR011" "versions-twice", Refuse Refuse,
        proves "No two listed versions are the same to clients.",
        matters "`1.0` and `1.0.0` are one version to them: which of the two they install is chance.",
        remedy "List it once, in its canonical form.";
    VERSIONS_PROTOCOLS = "YR012" "versions-protocols", Warn Warn,
        proves "Every version lists the plugin protocols that its packages state, each as MAJOR.MINOR.",
        matters "Clients consult this list when they suggest an older version that would fit.",
        remedy "Publish the version again with the manifest's `protocol_versions`.";
    VERSIONS_PLATFORMS = "YR013" "versions-platforms", Refuse Warn,
        proves "Every version lists its platforms by their Go names, each once.",
        matters "Nothing that is not listed here can be checked; clients choose the newest version whatever it runs on.",
        remedy "Publish the version again with an archive for each platform.";
}
