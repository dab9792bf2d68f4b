//! Rows about how archives are served. What must hold of their content stands in the verification table.

use crate::verify::check::area;

area! {
    "Archives";

    ARCHIVE_STATUS = "YR028" "archive-status", Refuse Refuse,
        proves "Every archive is answered with 200.",
        matters "Clients install nothing for this platform.",
        remedy "Publish the version again: an archive that is gone is stored anew.";
    ARCHIVE_SIZE = "YR029" "archive-size", Refuse Refuse,
        proves "The archive has the size that `packages` states.",
        matters "OpenTofu 1.12 refuses it otherwise.",
        remedy "Look for what changes archives on their way; else restore the archive in storage from the release.";
    ARCHIVE_DIGEST = "YR030" "archive-digest", Refuse Refuse,
        proves "The archive has the SHA-256 that the registry states.",
        matters "Clients refuse it: it is damaged, or somebody has replaced it.",
        remedy "Restore the archive in storage from the release, and find out who or what changed it.";
    ARCHIVE_H1 = "YR031" "archive-content-hash", Refuse Refuse,
        proves "The archive's content has the `h1:` hash that the registry states.",
        matters "Whoever locks the provider by it, through `tofu providers mirror` or a bot, cannot install it.",
        remedy "Publish the version again; nobody but the registry should write this document.";
    ARCHIVE_HEAD = "YR032" "archive-head", Warn Warn,
        proves "A HEAD request for the archive is answered with 200 and its size.",
        matters "Terraform up to 1.12.0 asks for the head first; proxies and mirrors do too.",
        remedy "Let HEAD pass through to the registry.";
    ARCHIVE_RANGE = "YR033" "archive-range", Warn Warn,
        proves "Where ranges are offered, the end of the archive can be asked for alone.",
        matters "Downloads that were interrupted are continued by ranges: a wrong one makes a damaged archive.",
        remedy "Let `Range` and `Content-Range` pass unchanged, or do not send `Accept-Ranges`.";
}
