//! How much a release may ask of whoever reads it, and where each limit comes from.

/// The largest archive: the largest providers ship a fifth of it, and it fits into memory-bound clients' downloads.
pub const MAX_ARCHIVE_BYTES: u64 = 1 << 30;

/// The most that an archive may unpack to: six times the largest providers of 2026, which unpack to 700 MB.
pub const MAX_CONTENT_BYTES: u64 = 4 << 30;

/// The most entries of an archive; a provider is an executable, a licence and a change log.
pub const MAX_ENTRIES: u64 = 10_000;

/// The largest central directory: room for [`MAX_ENTRIES`] with names of some 150 bytes.
pub const MAX_DIRECTORY_BYTES: u64 = 2 << 20;

/// The most directories that an entry may lie in, counted with its own name: finding names that collide takes memory
/// for each.
pub const MAX_NAME_PARTS: usize = 32;

/// The content may be this many times larger than the archive; executables come to about 5, deflate's limit is 1032.
pub const MAX_RATIO: u64 = 100;

/// Content up to this size is not held against [`MAX_RATIO`]: it harms nobody.
pub const FREE_CONTENT_BYTES: u64 = 64 << 20;

/// The largest SHA256SUMS: 10,000 lines, and small enough to stand in a release document.
pub const MAX_SUMS_BYTES: u64 = 1 << 20;

/// The longest line of SHA256SUMS: a digest, two spaces and a name of 255 bytes, the most that file systems allow.
pub const MAX_SUMS_LINE_BYTES: usize = 64 + 2 + 255;

/// The largest signature file: an armored RSA signature of 16384 bits takes 3 KiB.
pub const MAX_SIGNATURE_BYTES: u64 = 64 << 10;

/// The largest manifest, which holds a short list.
pub const MAX_MANIFEST_BYTES: u64 = 64 << 10;

/// The buffer of one read or one step of unpacking.
pub const BUFFER_BYTES: usize = 128 << 10;

/// How much of an executable's start is kept to read its header; fat Mach-O lists its architectures there too.
pub const HEADER_BYTES: usize = 4 << 10;
