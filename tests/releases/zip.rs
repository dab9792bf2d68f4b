//! Zip files, sound ones and ones that lie: every field can be set against the others.

use std::io::Write as _;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

/// The number of the unix host in an entry's "made by" (APPNOTE 4.4.2.2).
pub const UNIX: u8 = 3;

/// The number of the MS-DOS host.
pub const DOS: u8 = 0;

/// The method numbers (APPNOTE 4.4.5).
pub const STORE: u16 = 0;
/// Deflate.
pub const DEFLATE: u16 = 8;

/// The flag bits (APPNOTE 4.4.4).
pub const ENCRYPTED: u16 = 1;
/// Sizes and CRC follow the data.
pub const DESCRIPTOR: u16 = 1 << 3;

/// The fixed part of an entry's own header (APPNOTE 4.3.7).
const LOCAL_HEADER_BYTES: u32 = 30;

/// An entry, with what it says about itself.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its name in the directory.
    pub name: Vec<u8>,
    /// Its name in its own header, if that is another.
    pub local_name: Option<Vec<u8>>,
    /// Its content.
    pub content: Vec<u8>,
    /// The host that it was made on.
    pub host: u8,
    /// Its unix mode, with the kind of file.
    pub mode: u32,
    /// The method that it states.
    pub method: u16,
    /// Its flags.
    pub flags: u16,
    /// The CRC that it states, if that is not its own.
    pub crc: Option<u32>,
    /// The size that it states, if that is not its own.
    pub size: Option<u32>,
    /// Bytes to be put behind its data, as a part of it.
    pub padding: Vec<u8>,
    /// The method that it states, if its data is packed by another.
    pub disguise: Option<u16>,
    /// Whether its data is cut off by half.
    pub truncated: bool,
    /// Whether it lies in the content of the entry before it, which must be [`Entry::local_bytes`] and stored.
    pub inside_previous: bool,
}

impl Entry {
    /// A deflated file with mode 0644.
    #[must_use]
    pub fn file(name: &str, content: &[u8]) -> Self {
        Self {
            name: name.as_bytes().to_vec(),
            local_name: None,
            content: content.to_vec(),
            host: UNIX,
            mode: 0o100_644,
            method: DEFLATE,
            flags: 0,
            crc: None,
            size: None,
            padding: Vec::new(),
            disguise: None,
            truncated: false,
            inside_previous: false,
        }
    }

    /// A deflated file with mode 0755.
    #[must_use]
    pub fn executable(name: &str, content: &[u8]) -> Self {
        Self { mode: 0o100_755, ..Self::file(name, content) }
    }

    /// A directory.
    #[must_use]
    pub fn directory(name: &str) -> Self {
        Self { mode: 0o040_755, method: STORE, ..Self::file(name, b"") }
    }

    /// Its header and data as they stand in an archive.
    #[must_use]
    pub fn local_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let data = self.data();
        let sizes = [self.stated_crc(), data.len().try_into().unwrap(), self.stated_size()];
        write_local(&mut bytes, self, &data, sizes);
        bytes
    }

    fn data(&self) -> Vec<u8> {
        let mut data = match self.method {
            DEFLATE => {
                let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(6));
                encoder.write_all(&self.content).unwrap();
                encoder.finish().unwrap()
            }
            _ => self.content.clone(),
        };
        if self.truncated {
            data.truncate(data.len() / 2);
        }
        data.extend_from_slice(&self.padding);
        data
    }

    fn stated_method(&self) -> u16 {
        self.disguise.unwrap_or(self.method)
    }

    fn stated_crc(&self) -> u32 {
        let mut crc = Crc::new();
        crc.update(&self.content);
        self.crc.unwrap_or_else(|| crc.sum())
    }

    fn stated_size(&self) -> u32 {
        self.size.unwrap_or_else(|| self.content.len().try_into().unwrap())
    }
}

/// A zip file, with what may surround its entries.
#[derive(Debug, Clone, Default)]
pub struct Zip {
    /// The entries in order.
    pub entries: Vec<Entry>,
    /// Bytes before the first entry.
    pub prefix: Vec<u8>,
    /// Bytes between the last entry and the directory.
    pub gap: Vec<u8>,
    /// The comment behind the end record.
    pub comment: Vec<u8>,
    /// Bytes behind everything.
    pub suffix: Vec<u8>,
    /// How many entries the end record counts too many.
    pub miscount: u16,
    /// How many bytes are cut off at the end.
    pub cut: usize,
    /// A byte to be changed: where, modulo the file's length, and which bits.
    pub flip: Option<(usize, u8)>,
}

impl Zip {
    /// The bytes of the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.prefix.clone();
        let mut directory = Vec::new();
        let mut previous = 0;
        for entry in &self.entries {
            let offset = if entry.inside_previous { previous } else { u32::try_from(bytes.len()).unwrap() };
            previous = offset + LOCAL_HEADER_BYTES + u32::try_from(entry.name.len()).unwrap();
            let data = entry.data();
            let length = u32::try_from(data.len()).unwrap();
            let sizes = [entry.stated_crc(), length, entry.stated_size()];
            let name_length = u16::try_from(entry.name.len()).unwrap();
            if !entry.inside_previous {
                write_local(&mut bytes, entry, &data, sizes);
            }
            directory.extend(b"PK\x01\x02");
            for half in [u16::from_le_bytes([20, entry.host]), 20, entry.flags, entry.stated_method(), 0, 0x58a1] {
                directory.extend(half.to_le_bytes());
            }
            directory.extend(sizes.iter().flat_map(|size| size.to_le_bytes()));
            for half in [name_length, 0, 0, 0, 0] {
                directory.extend(half.to_le_bytes());
            }
            let attributes = if entry.host == UNIX { entry.mode << 16 } else { 0 };
            directory.extend(attributes.to_le_bytes());
            directory.extend(offset.to_le_bytes());
            directory.extend(&entry.name);
        }
        bytes.extend(&self.gap);
        let start = u32::try_from(bytes.len()).unwrap();
        bytes.extend(&directory);
        let count = u16::try_from(self.entries.len()).unwrap() + self.miscount;
        bytes.extend(b"PK\x05\x06");
        for half in [0, 0, count, count] {
            bytes.extend(half.to_le_bytes());
        }
        for word in [u32::try_from(directory.len()).unwrap(), start] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(u16::try_from(self.comment.len()).unwrap().to_le_bytes());
        bytes.extend(&self.comment);
        bytes.extend(&self.suffix);
        bytes.truncate(bytes.len() - self.cut);
        if let Some((position, mask)) = self.flip {
            let position = position % bytes.len();
            bytes[position] ^= mask;
        }
        bytes
    }
}

fn write_local(bytes: &mut Vec<u8>, entry: &Entry, data: &[u8], sizes: [u32; 3]) {
    let deferred = entry.flags & DESCRIPTOR != 0;
    let name = entry.local_name.as_ref().unwrap_or(&entry.name);
    bytes.extend(b"PK\x03\x04");
    for half in [20, entry.flags, entry.stated_method(), 0, 0x58a1] {
        bytes.extend(half.to_le_bytes());
    }
    for size in sizes {
        bytes.extend(if deferred { 0 } else { size }.to_le_bytes());
    }
    for half in [u16::try_from(name.len()).unwrap(), 0] {
        bytes.extend(half.to_le_bytes());
    }
    bytes.extend(name);
    bytes.extend(data);
    if deferred {
        bytes.extend(b"PK\x07\x08");
        bytes.extend(sizes.iter().flat_map(|size| size.to_le_bytes()));
    }
}
