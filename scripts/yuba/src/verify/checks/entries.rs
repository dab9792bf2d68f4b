//! Rows about the names and kinds of an archive's entries.

use crate::verify::check::area;

area! {
    "Entries";

    ENTRY_TEXT = "YB066" "entry-text", Refuse Refuse,
        proves "Entry names are UTF-8 without control characters.",
        matters "Clients cannot compute the hash for lock files over a name with a line break.",
        remedy "Rename the file.";
    ENTRY_PARENT = "YB067" "entry-parent", Refuse Refuse,
        proves "No entry name has a `..` part.",
        matters "Clients refuse the archive, since such an entry would land outside the package.",
        remedy "Build the archive from inside the directory that it packs.";
    ENTRY_ABSOLUTE = "YB068" "entry-absolute", Refuse Refuse,
        proves "No entry name starts with `/` or a drive letter.",
        matters "Clients unpack it elsewhere than named, so that the hash in lock files no longer matches.",
        remedy "Build the archive with relative names.";
    ENTRY_BACKSLASH = "YB069" "entry-backslash", Refuse Refuse,
        proves "No entry name has a backslash.",
        matters "It parts directories on Windows only, so that the package differs between platforms.",
        remedy "Build the archive with a tool that writes `/`, as the zip format demands.";
    ENTRY_PATH = "YB070" "entry-path", Refuse Refuse,
        proves "No entry name has an empty or a `.` part.",
        matters "It unpacks under another name, so that the hash in lock files no longer matches.",
        remedy "Name files `a/b`, not `./a/b` or `a//b`.";
    ENTRY_DIRECTORY = "YB071" "entry-directory", Refuse Warn,
        proves "No entry is a directory.",
        matters "The hash of the archive then differs from the hash of what it unpacks to, and a locked install fails.",
        remedy "Leave directories out: `zip -D`; goreleaser does not write them unless a `files` entry is a directory.";
    ENTRY_DUPLICATE = "YB072" "entry-duplicate", Refuse Refuse,
        proves "No two entries have the same name.",
        matters "Some readers unpack the first, others the last.",
        remedy "Build the archive again on an empty file; adding to an old one can leave both.";
    ENTRY_CASE = "YB073" "entry-case", Refuse Refuse,
        proves "No two names, or directories in them, differ in case alone.",
        matters "On macOS and Windows the one overwrites the other.",
        remedy "Rename one of them.";
    ENTRY_INSIDE_FILE = "YB074" "entry-inside-file", Refuse Refuse,
        proves "No entry lies below another entry that is a file.",
        matters "A path cannot be a file and a directory, so that unpacking fails.",
        remedy "Rename one of them.";
    ENTRY_KIND = "YB075" "entry-kind", Refuse Refuse,
        proves "Every entry is an ordinary file, without setuid, setgid or sticky bit.",
        matters "Clients unpack a link as a file with the link's target as its text.",
        remedy "Pack the file itself: `zip` without `-y`.";
}
