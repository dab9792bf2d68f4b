//! Rows about SHA256SUMS, whose reader in clients is anything but tolerant.

use crate::verify::check::area;

area! {
    "SHA256SUMS";

    SUMS_TEXT = "YB016" "sums-text", Refuse Refuse,
        proves "SHA256SUMS is UTF-8 text without control characters.",
        matters "It is stored and served as text, byte for byte as signed.",
        remedy "Make it again in the archives' directory: `sha256sum *.zip > FILE_SHA256SUMS`, then sign it again.";
    SUMS_EMPTY = "YB017" "sums-empty", Refuse Refuse,
        proves "SHA256SUMS has a line.",
        matters "A client that finds no digest for its archive stops.",
        remedy "Make it again in the archives' directory: `sha256sum *.zip > FILE_SHA256SUMS`, then sign it again.";
    SUMS_BOM = "YB018" "sums-bom", Refuse Refuse,
        proves "SHA256SUMS does not start with a byte order mark.",
        matters "Clients then drop all signed digests silently, and lock files hold one platform only.",
        remedy "Write it as UTF-8 without a mark; PowerShell's `>` writes one, `sha256sum` does not. Then sign it again.";
    SUMS_CRLF = "YB019" "sums-crlf", Refuse Refuse,
        proves "Lines end in a line feed alone.",
        matters "The carriage return becomes part of the file name for stricter readers than today's clients.",
        remedy "Convert it with `sed -i 's/\\r$//' FILE_SHA256SUMS`, and sign it again.";
    SUMS_BLANK_LINE = "YB020" "sums-blank-line", Refuse Refuse,
        proves "No line is blank, the last one included.",
        matters "OpenTofu and Terraform crash on a blank line.",
        remedy "Remove it with `sed -i '/^[[:space:]]*$/d' FILE_SHA256SUMS`, and sign it again.";
    SUMS_COMMENT = "YB021" "sums-comment", Refuse Refuse,
        proves "No line is a comment.",
        matters "Clients then drop all signed digests silently, and lock files hold one platform only.",
        remedy "Remove it with `sed -i '/^#/d' FILE_SHA256SUMS`, and sign it again.";
    SUMS_BSD = "YB022" "sums-bsd", Refuse Refuse,
        proves "No line is in the BSD style, `SHA256 (name) = digest`.",
        matters "Clients then drop all signed digests silently, and find none for their archive.",
        remedy "Make it with `sha256sum`, not with `sha256sum --tag`, `shasum --tag` or `openssl`, and sign it again.";
    SUMS_BINARY_MARK = "YB023" "sums-binary-mark", Refuse Refuse,
        proves "No file name is marked with `*`.",
        matters "Clients take the mark for a part of the name and find no digest for their archive.",
        remedy "Make it with `sha256sum` without `-b`, and sign it again.";
    SUMS_LINE = "YB024" "sums-line", Refuse Refuse,
        proves "Each line is a digest, exactly two spaces and a file name, and nothing else.",
        matters "Clients split a line at white space and compare the second field with the file name.",
        remedy "Make it again in the archives' directory: `sha256sum *.zip > FILE_SHA256SUMS`, then sign it again.";
    SUMS_DIGEST = "YB025" "sums-digest", Refuse Refuse,
        proves "Each digest is 64 hexadecimal digits.",
        matters "Clients drop all signed digests if one is anything else.",
        remedy "Make it with SHA-256: `sha256sum *.zip > FILE_SHA256SUMS`, then sign it again.";
    SUMS_DIGEST_CASE = "YB026" "sums-digest-case", Refuse Warn,
        proves "Each digest is in lower case.",
        matters "OpenTofu compares it, as text, with a digest in lower case.",
        remedy "Make it with `sha256sum`, which writes lower case, and sign it again.";
    SUMS_FINAL_NEWLINE = "YB027" "sums-final-newline", Refuse Warn,
        proves "The last line ends in a line feed.",
        matters "A tool that appends a line joins it to the last one.",
        remedy "End it with `echo >> FILE_SHA256SUMS`, and sign it again.";
    SUMS_LINE_LENGTH = "YB028" "sums-line-length", Refuse Refuse,
        proves "No line is longer than a file name can be.",
        matters "Clients stop reading at a line over 64 KiB, silently, and lose the digests behind it.",
        remedy "Make it again in the archives' directory: `sha256sum *.zip > FILE_SHA256SUMS`, then sign it again.";
    SUMS_PATH = "YB029" "sums-path", Refuse Refuse,
        proves "File names have no directory part.",
        matters "Clients compare the whole field with the file name and find no digest for their archive.",
        remedy "Make it inside the archives' directory: `(cd dist && sha256sum *.zip)`, and sign it again.";
    SUMS_DUPLICATE = "YB030" "sums-duplicate", Refuse Refuse,
        proves "No file name stands on two lines.",
        matters "Clients take the first and put both digests into lock files.",
        remedy "Make it again; `>>` onto an older file leaves two lines for a name. Then sign it again.";
    SUMS_UNLISTED = "YB031" "sums-unlisted", Refuse Refuse,
        proves "Every archive has its line.",
        matters "A client on that platform finds no digest and stops.",
        remedy "Make it again over all archives: `sha256sum *.zip > FILE_SHA256SUMS`, then sign it again.";
    SUMS_ABSENT_FILE = "YB032" "sums-absent-file", Refuse Warn,
        proves "Every line's file is there.",
        matters "Lock files would list the digest of a package that nobody can install.",
        remedy "Add the missing file, or remove its line and sign again.";
    SUMS_MISMATCH = "YB033" "sums-mismatch", Refuse Refuse,
        proves "Every listed file has the digest of its line.",
        matters "Clients refuse an archive with another digest.",
        remedy "The file changed after SHA256SUMS was made: build the release again, or make SHA256SUMS anew and sign it.";
}
