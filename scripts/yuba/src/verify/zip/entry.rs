//! An entry as the central directory describes it.

use rawzip::{CompressionMethod, CreatorSystem, FileReader, ZipArchive, ZipArchiveEntryWayfinder, ZipFileHeaderRecord};

use crate::verify::finding::quote;

/// The bits of a unix mode that say what kind of file it is (POSIX `sys/stat.h`), and the values of interest.
const KIND_MASK: u32 = 0o170_000;
const KIND_DIRECTORY: u32 = 0o040_000;
const KIND_REGULAR: u32 = 0o100_000;
const KIND_SYMLINK: u32 = 0o120_000;

/// The directory bit of MS-DOS attributes (APPNOTE 4.4.15).
const DOS_DIRECTORY: u32 = 0x10;

/// An open archive.
#[derive(Debug)]
pub(crate) struct Zip {
    /// The file, and where its end record is.
    pub(crate) archive: ZipArchive<FileReader>,
    /// All entries in the directory's order.
    pub(crate) entries: Vec<Entry>,
    /// Where the central directory starts.
    pub(crate) directory_offset: u64,
}

/// An entry as the central directory describes it.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// The name as bytes.
    pub(crate) raw_name: Vec<u8>,
    /// The name, if it is UTF-8.
    pub(crate) name: Option<String>,
    /// How the data is compressed.
    pub(crate) method: CompressionMethod,
    /// The general purpose flags.
    pub(crate) flags: u16,
    /// Whether the data is encrypted.
    pub(crate) encrypted: bool,
    /// Whether sizes and CRC follow the data.
    pub(crate) has_descriptor: bool,
    /// The CRC-32 of the content.
    pub(crate) crc: u32,
    /// The size of the data in the archive.
    pub(crate) compressed_size: u64,
    /// The size of the content.
    pub(crate) size: u64,
    /// Where the entry's own header is.
    pub(crate) header_offset: u64,
    /// How to find the data.
    pub(crate) wayfinder: ZipArchiveEntryWayfinder,
    creator: CreatorSystem,
    attributes: u32,
}

impl Entry {
    pub(crate) fn from_record(record: &ZipFileHeaderRecord<'_>) -> Self {
        let path = record.file_path();
        let raw_name: &[u8] = path.as_ref();
        Self {
            raw_name: raw_name.to_vec(),
            name: std::str::from_utf8(raw_name).ok().map(str::to_owned),
            method: record.compression_method(),
            flags: record.flags().bits(),
            encrypted: record.flags().is_encrypted() || record.flags().has_strong_encryption(),
            has_descriptor: record.flags().has_data_descriptor(),
            crc: record.crc32(),
            compressed_size: record.compressed_size_hint(),
            size: record.uncompressed_size_hint(),
            header_offset: record.local_header_offset(),
            wayfinder: record.wayfinder(),
            creator: record.version_made_by().creator_system(),
            attributes: record.external_attributes(),
        }
    }

    /// The name as messages show it.
    pub(crate) fn shown(&self) -> String {
        quote(&String::from_utf8_lossy(&self.raw_name))
    }

    /// The unix mode, where the entry was made on a host whose modes clients honour (Go `archive/zip` `struct.go`).
    pub(crate) fn mode(&self) -> Option<u32> {
        matches!(self.creator, CreatorSystem::UNIX | CreatorSystem::MACOS).then_some(self.attributes >> 16)
    }

    /// The host that the entry was made on.
    pub(crate) fn host(&self) -> String {
        self.creator.name().map_or_else(|| self.creator.as_u8().to_string(), str::to_owned)
    }

    /// Whether clients take the entry for a directory.
    pub(crate) fn is_directory(&self) -> bool {
        let by_mode = match self.mode() {
            Some(mode) => mode & KIND_MASK == KIND_DIRECTORY,
            None => self.attributes & DOS_DIRECTORY != 0,
        };
        by_mode || self.raw_name.ends_with(b"/")
    }

    /// What the entry is instead of an ordinary file or a directory.
    pub(crate) fn special_kind(&self) -> Option<&'static str> {
        let mode = self.mode()?;
        match mode & KIND_MASK {
            KIND_SYMLINK => Some("a symbolic link"),
            0 | KIND_REGULAR | KIND_DIRECTORY if mode & 0o7000 != 0 => {
                Some("a file with a setuid, setgid or sticky bit")
            }
            0 | KIND_REGULAR | KIND_DIRECTORY => None,
            _ => Some("a device, pipe or socket"),
        }
    }
}
