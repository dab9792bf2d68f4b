//! Rows about the network mirror.

use crate::verify::check::area;

area! {
    "Mirror";

    MIRROR_INDEX = "YR034" "mirror-index", Warn Refuse,
        proves "The mirror has the provider: its `index.json` is answered with 200.",
        matters "Clients that are told to use the mirror do not find the provider there.",
        remedy "Name the mirror with `--mirror URL` if it is elsewhere; else publish the provider again.";
    MIRROR_STATUS = "YR035" "mirror-status", Refuse Refuse,
        proves "The archives of every version, `VERSION.json`, are answered with 200.",
        matters "Clients stop at a 404 here, even where another source has the version.",
        remedy "See what the registry itself says in its answer, and `wrangler tail` while it is asked.";
    MIRROR_TYPE = "YR036" "mirror-type", Refuse Refuse,
        proves "The mirror's documents have the content type `application/json`.",
        matters "Clients read no other.",
        remedy "Find what sits before the registry and changes `Content-Type`: yuba sends the right one.";
    MIRROR_DOCUMENT = "YR037" "mirror-document", Refuse Refuse,
        proves "The mirror's documents are the JSON that the protocol describes.",
        matters "Clients refuse the provider, or the version.",
        remedy "Let the registry itself answer this path, unchanged.";
    MIRROR_VERSIONS = "YR038" "mirror-versions", Refuse Refuse,
        proves "The mirror has the versions that the registry lists, and no others.",
        matters "A locked version that one of the two lacks cannot be installed through it.",
        remedy "Look for a cache that serves an older document: both are rendered from one.";
    MIRROR_PLATFORMS = "YR039" "mirror-platforms", Refuse Refuse,
        proves "The mirror has the platforms of a version that the registry lists, and no others.",
        matters "Clients on a platform that it lacks go on to their next source, or stop.",
        remedy "Look for a cache that serves an older document: both are rendered from one.";
    MIRROR_URL = "YR040" "mirror-url", Refuse Refuse,
        proves "Every archive has an http or https URL.",
        matters "Clients cannot download it.",
        remedy "Let the registry itself answer this path, unchanged.";
    MIRROR_HASHES = "YR041" "mirror-hashes", Refuse Refuse,
        proves "Every archive has its `zh:` and `h1:` hashes, those that the registry states.",
        matters "Clients refuse a hash without a scheme, and install without hashes what nobody vouches for.",
        remedy "Look for a cache that serves an older document: both are rendered from one.";
    MIRROR_UNKNOWN = "YR042" "mirror-unknown", Warn Warn,
        proves "A version that the mirror does not have is answered with 200 and no archives.",
        matters "At a 404, clients stop instead of going on to `direct`.",
        remedy "Let the registry itself answer this path: yuba answers `{\"archives\":{}}`.";
}
