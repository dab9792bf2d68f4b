//! ASCII armor: finding the blocks in a text, and their bytes.

use std::io::Read;

use pgp::armor::{BlockType, Dearmor};

/// What every armored block starts with.
const BEGIN: &str = "-----BEGIN ";

/// What a block of a secret key starts with.
const BEGIN_SECRET: &str = "-----BEGIN PGP PRIVATE KEY BLOCK";

/// Whether the bytes are armored rather than binary: in OpenPGP's binary form, the first bit of every packet is set.
pub(super) fn is_armored(bytes: &[u8]) -> bool {
    bytes.first().is_some_and(|first| first & 0x80 == 0)
}

/// Whether a text has a secret key in it.
pub(super) fn has_secret_block(bytes: &[u8]) -> bool {
    bytes.windows(BEGIN_SECRET.len()).any(|window| window == BEGIN_SECRET.as_bytes())
}

/// The bytes of every block of kind `wanted`, in order; nothing, if a block is damaged or none is there.
pub(super) fn read_blocks(bytes: &[u8], wanted: &BlockType) -> Option<Vec<Vec<u8>>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let starts: Vec<_> = text.match_indices(BEGIN).map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let mut blocks = Vec::new();
    for (start, end) in starts.iter().zip(ends) {
        let block = text.get(*start..end)?;
        let mut dearmor = Dearmor::new(block.as_bytes());
        dearmor.read_header().ok()?;
        if dearmor.typ.as_ref() != Some(wanted) {
            return None;
        }
        let mut bytes = Vec::new();
        dearmor.read_to_end(&mut bytes).ok()?;
        blocks.push(bytes);
    }
    Some(blocks).filter(|blocks| !blocks.is_empty())
}
