//! Rows about the files of a release and their names.

use crate::verify::check::area;

area! {
    "Files and names";

    NAMESPACE = "YB001" "namespace", Refuse Refuse,
        proves "The namespace is a name that clients can ask for.",
        matters "Clients normalise the address they were given by IDNA's rules, so another name is never requested.",
        remedy "Use letters, digits and single dashes inside the name, such as `acme` or `acme-labs`.";
    SUMS_FILE = "YB002" "sums-file", Refuse Refuse,
        proves "The directory has exactly one SHA256SUMS file, a regular file of bounded size.",
        matters "Clients look up each archive's digest in it and put all its digests into their lock files.",
        remedy "Run the release tool again on an empty directory, with checksums switched on.";
    SUMS_NAME = "YB003" "sums-name", Refuse Refuse,
        proves "SHA256SUMS is named for the same type and version as the archives.",
        matters "A sums file of another release would vouch for other bytes.",
        remedy "Name it `terraform-provider-TYPE_VERSION_SHA256SUMS`; in goreleaser, set `checksum.name_template` so.";
    SIGNATURE_FILE = "YB004" "signature-file", Refuse Refuse,
        proves "SHA256SUMS has its signature beside it, a regular file of bounded size.",
        matters "Clients fetch the signature before any archive and stop without it.",
        remedy "Sign it: `gpg --detach-sign FILE_SHA256SUMS`; in goreleaser, add `signs` with `artifacts: checksum`.";
    ARCHIVES = "YB005" "archives", Refuse Refuse,
        proves "The directory has at least one archive.",
        matters "A version without archives installs nowhere, and clients would take it as the newest all the same.",
        remedy "Point at the directory that the release tool wrote; for goreleaser that is `dist`.";
    ARCHIVE_FILE = "YB006" "archive-file", Refuse Refuse,
        proves "Every archive is a regular file.",
        matters "What is not a file has no bytes to publish.",
        remedy "Remove what is named like an archive and is none, or build the archive again.";
    ARCHIVE_NAME = "YB007" "archive-name", Refuse Refuse,
        proves "Every zip file is named `terraform-provider-TYPE_VERSION_OS_ARCH.zip`.",
        matters "Type, version and platform are read from the name, and filesystem mirrors of clients read them so too.",
        remedy "Rename it and make SHA256SUMS anew; in goreleaser, set `archives.name_template` so.";
    TYPE = "YB008" "type", Refuse Refuse,
        proves "The provider's type is a name that clients can ask for, in its normalised spelling.",
        matters "Clients ask for the normalised name only, and look for an executable that is named with it.",
        remedy "Name the provider with lower-case letters, digits and single dashes, not starting with `terraform-`.";
    SAME_TYPE = "YB009" "same-type", Refuse Refuse,
        proves "All archives are of one provider.",
        matters "A release has one address; the other archives would never be found.",
        remedy "Publish each provider from a directory of its own.";
    VERSION = "YB010" "version", Refuse Refuse,
        proves "The version is canonical Semantic Versioning, without a leading `v`.",
        matters "One malformed version makes every version of the provider uninstallable.",
        remedy "Tag the release as `v1.2.3` or `v1.2.3-rc.1`, and name files with the version without its `v`.";
    VERSION_LENGTH = "YB011" "version-length", Refuse Refuse,
        proves "The version is at most 128 bytes long.",
        matters "An OCI tag holds no more, so that the version could not be pulled from there.",
        remedy "Shorten the pre-release or the build metadata.";
    VERSION_NUMBER = "YB012" "version-number", Refuse Refuse,
        proves "No number of the version is over 2^64-1.",
        matters "Clients panic on it, whichever version of the provider they want.",
        remedy "Use a smaller number; a time stamp belongs into the build metadata, after `+`.";
    VERSION_ZERO = "YB013" "version-zero", Refuse Refuse,
        proves "The version is not 0.0.0.",
        matters "Clients take it for no version at all and refuse to lock it.",
        remedy "Start at 0.0.1 or 0.1.0.";
    SAME_VERSION = "YB014" "same-version", Refuse Refuse,
        proves "All archives are of one version.",
        matters "Archives of another version were not signed for this one.",
        remedy "Clean the directory before building; goreleaser does with `--clean`.";
    PLATFORM = "YB015" "platform", Refuse Refuse,
        proves "The platform is an operating system and an architecture by their Go names, with one underscore.",
        matters "Clients compare it with their own and stop at a key with another number of underscores.",
        remedy "Name it as `go tool dist list` does, such as `linux_amd64`, without variants such as `v1`.";
}
