//! Rows about an archive as a whole.

use crate::verify::check::area;

area! {
    "Archive";

    ZIP_READABLE = "YB052" "zip-readable", Refuse Refuse,
        proves "The archive is a whole zip file on one disk, and its directory holds the entries that it counts.",
        matters "Clients unpack nothing else.",
        remedy "Build the archive again and check it with `unzip -t`.";
    ZIP_EMPTY = "YB053" "zip-empty", Refuse Refuse,
        proves "The archive has an entry.",
        matters "Clients refuse an empty archive.",
        remedy "Put the provider's executable into it.";
    ZIP_SIZE = "YB054" "zip-size", Refuse Refuse,
        proves "The archive is at most 1 GiB, its directory at most 2 MiB with 10000 entries, each at most 32 levels deep, and its content at most 4 GiB.",
        matters "Clients have no limits of their own: what fills a disk here fills theirs.",
        remedy "Leave out what the provider does not need to run; strip the executable with `-ldflags '-s -w'`.";
    ZIP_RATIO = "YB055" "zip-ratio", Refuse Refuse,
        proves "The content is at most 100 times larger than the archive, where it is over 64 MiB.",
        matters "Deflate reaches 1000 times for zeros only: such an archive is made to fill disks.",
        remedy "Build the executable without large blank sections.";
    ZIP_END = "YB056" "zip-end", Refuse Warn,
        proves "The archive ends with its end record, without a comment or further bytes.",
        matters "Readers search for the end record from behind and can be made to find another one.",
        remedy "Build the archive again without a comment, and append nothing to it.";
    ZIP_GAPS = "YB057" "zip-gaps", Refuse Warn,
        proves "The archive starts with its first entry, and no bytes lie between entries.",
        matters "Bytes that no entry covers can be another archive, which other readers find instead.",
        remedy "Build the archive again; a self-extracting stub does not belong into it.";
    ZIP_OVERLAP = "YB058" "zip-overlap", Refuse Refuse,
        proves "No two entries share bytes, and all lie before the directory.",
        matters "Overlapping entries unpack to far more than an archive of its size can hold.",
        remedy "Build the archive again with an ordinary zip tool.";
    ZIP_LOCAL_HEADER = "YB059" "zip-local-header", Refuse Refuse,
        proves "Each entry's own header says what the directory says.",
        matters "Readers that stream believe the one, others the other: they would unpack different files.",
        remedy "Build the archive again with an ordinary zip tool.";
    ZIP_ENCRYPTED = "YB060" "zip-encrypted", Refuse Refuse,
        proves "No entry is encrypted.",
        matters "Clients know no password.",
        remedy "Build the archive again without a password.";
    ZIP_METHOD = "YB061" "zip-method", Refuse Refuse,
        proves "Each entry is stored or deflated.",
        matters "Clients know no other method.",
        remedy "Build the archive again with deflate, the default of every zip tool.";
    ZIP_DATA = "YB062" "zip-data", Refuse Refuse,
        proves "Each entry's data unpacks.",
        matters "Clients stop in the middle of unpacking.",
        remedy "The archive is damaged: build it again and check it with `unzip -t`.";
    ZIP_ENTRY_SIZE = "YB063" "zip-entry-size", Refuse Refuse,
        proves "Each entry unpacks to the size that the directory says.",
        matters "Clients stop in the middle of unpacking, or never stop.",
        remedy "Build the archive again with an ordinary zip tool.";
    ZIP_CRC = "YB064" "zip-crc", Refuse Refuse,
        proves "Each entry has the CRC-32 that the directory says.",
        matters "Clients refuse the archive after they have downloaded and unpacked it.",
        remedy "The archive is damaged: build it again and check it with `unzip -t`.";
    ZIP_TWINS = "YB065" "zip-twins", Refuse Warn,
        proves "No two platforms have archives of the same bytes.",
        matters "OpenTofu 1.12 crashes on two platforms with one digest.",
        remedy "Each platform needs its own executable; check the build matrix for a platform that was built twice.";
}
