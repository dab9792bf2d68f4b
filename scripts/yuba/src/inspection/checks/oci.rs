//! Rows about OCI distribution, where discovery announces repositories of the registry itself.

use crate::verify::check::area;

area! {
    "OCI distribution";

    OCI_TAGS_STATUS = "YR044" "oci-tags-status", Refuse Refuse,
        proves "The tags of the provider's repository are answered with 200.",
        matters "OpenTofu takes the error `NAME_UNKNOWN` for a provider that is not there, and stops at anything else.",
        remedy "See what the registry itself says in its answer, and `wrangler tail` while it is asked.";
    OCI_TAGS = "YR045" "oci-tags", Refuse Refuse,
        proves "The tags are the listed versions, with `_` for `+`, and there are no others.",
        matters "A version without a tag cannot be installed; OpenTofu takes `1.2` for 1.2.0, asks for that tag, and stops.",
        remedy "Run `yuba sync`, which derives what a listed version lacks; take away tags that name no version.";
    OCI_HEAD = "YR046" "oci-head", Refuse Refuse,
        proves "The head of a tag is answered with 200, the media type of an image index, its size and its digest.",
        matters "OpenTofu asks for nothing but the head of a tag, and stops where one of these is missing.",
        remedy "Let HEAD, `Content-Type`, `Content-Length` and `Docker-Content-Digest` pass unchanged.";
    OCI_MANIFEST_STATUS = "YR047" "oci-manifest-status", Refuse Refuse,
        proves "Every index and every manifest is answered with 200 by its digest.",
        matters "Clients stop there, even where another source has the version.",
        remedy "Run `yuba fsck`, which says what is missing in storage.";
    OCI_DIGEST = "YR048" "oci-digest", Refuse Refuse,
        proves "Every index and every manifest has the digest that it is asked for by.",
        matters "Clients refuse it: it is damaged, or somebody has replaced it.",
        remedy "Look for what changes answers on their way; else run `yuba fsck`.";
    OCI_MEDIA_TYPE = "YR049" "oci-media-type", Refuse Refuse,
        proves "Indexes and manifests have the media types of OCI, in `Content-Type` and in themselves, and the artifact types of a provider.",
        matters "OpenTofu refuses any other, and ignores manifests of another artifact type.",
        remedy "Let the registry itself answer this path, unchanged.";
    OCI_DOCUMENT = "YR050" "oci-document", Refuse Refuse,
        proves "Tags, indexes and manifests are the JSON that OCI's specifications describe, and a manifest has one layer that is an archive.",
        matters "Clients refuse them.",
        remedy "Let the registry itself answer this path, unchanged.";
    OCI_PLATFORMS = "YR051" "oci-platforms", Refuse Refuse,
        proves "An index has one manifest for every platform of the version, by its Go names, and for no other.",
        matters "Clients on a platform that it lacks go on to their next source, or stop; two for one are ambiguous to them.",
        remedy "Look for a cache that serves an older document: both are rendered from one.";
    OCI_AGREES = "YR052" "oci-agrees", Refuse Refuse,
        proves "The layer of a manifest is the archive that the registry or the mirror states: by its digest, and by its size.",
        matters "Clients that have the archive in their lock file refuse another one.",
        remedy "Run `yuba fsck`, which says what does not follow from the release document.";
    OCI_BLOB = "YR053" "oci-blob", Refuse Refuse,
        proves "The layer of every manifest is answered with 200 and its size.",
        matters "Clients install nothing for this platform.",
        remedy "Publish the version again: an archive that is gone is stored anew.";
}
