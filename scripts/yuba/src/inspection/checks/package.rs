//! Rows about the document that describes one package.

use crate::verify::check::area;

area! {
    "Packages";

    PACKAGE_STATUS = "YR014" "package-status", Refuse Refuse,
        proves "Every listed version has a package for every platform that it lists.",
        matters "Clients take the newest version and stop where it lacks their platform.",
        remedy "Publish the version again: what is listed is completed, and nothing else changes.";
    PACKAGE_DOCUMENT = "YR015" "package-document", Refuse Refuse,
        proves "The document of every package is the JSON that the protocol describes.",
        matters "Clients refuse the package; a `null` among its keys crashes them.",
        remedy "Let the registry itself answer this path, unchanged.";
    PACKAGE_PROTOCOLS = "YR016" "package-protocols", Refuse Refuse,
        proves "The plugin protocols are versions, and clients speak one of them.",
        matters "Clients refuse a package of another protocol, and any text that is no version.",
        remedy "Build the provider with protocol 5 or 6, and state it in the manifest.";
    PACKAGE_PLATFORM = "YR017" "package-platform", Refuse Refuse,
        proves "The document names the platform that was asked for.",
        matters "Clients refuse an answer for another one.",
        remedy "Look for a cache before the registry that mixes up paths.";
    PACKAGE_URL = "YR018" "package-url", Refuse Refuse,
        proves "The URLs of the archive, of SHA256SUMS and of its signature are all there, and http or https.",
        matters "Clients fetch all three; without one they ask for the document itself, and stop at what it says.",
        remedy "Let the registry itself answer this path, unchanged.";
    PACKAGE_DIGEST = "YR019" "package-digest", Refuse Refuse,
        proves "`shasum` is 64 lower-case hexadecimal digits.",
        matters "Clients refuse an archive of another digest, and OpenTofu 1.12 compares it as text.",
        remedy "Publish the version again; nobody but the registry should write this document.";
    PACKAGE_HASHES = "YR020" "package-hashes", Refuse Refuse,
        proves "`packages`, if there, names each platform as `OS_ARCH` with a size, a `zh:` hash and no hash without a scheme.",
        matters "OpenTofu 1.12 refuses the package otherwise.",
        remedy "Publish the version again; nobody but the registry should write this document.";
    PACKAGE_AGREES = "YR021" "package-agrees", Refuse Refuse,
        proves "What the documents of one version say of a package is the same in each, and in SHA256SUMS.",
        matters "Clients compare `shasum` with SHA256SUMS and with `packages`, and refuse the package where they differ.",
        remedy "Look for a cache that serves an older document; else publish the version again.";
    PACKAGE_KEYS = "YR022" "package-keys", Refuse Refuse,
        proves "The package comes with at least one signing key, and every key can be read.",
        matters "Clients refuse a package without a key, and stop at the first key that they cannot read.",
        remedy "Register the key again: `yuba key add`.";
}
