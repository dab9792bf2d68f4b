//! Digests in transcripts: what they are follows from the fixtures, which of them are the same is what matters.

use std::collections::BTreeMap;

/// How many digits a SHA-256 has, and the name of whoever is copying a document to KV.
const DIGITS: [usize; 2] = [64, 16];

/// Writes `[1]`, `[2]` for the SHA-256 digests and the random names in `text`, in the order of their appearance.
#[must_use]
pub fn number_digests(text: &str) -> String {
    let mut numbers = BTreeMap::new();
    let is_digest = |word: &str| DIGITS.contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let pieces = text.split_inclusive(|letter: char| !letter.is_ascii_alphanumeric()).map(|piece| {
        let word = piece.trim_end_matches(|letter: char| !letter.is_ascii_alphanumeric());
        if !is_digest(word) {
            return piece.to_owned();
        }
        let next = numbers.len() + 1;
        piece.replace(word, &format!("[{}]", numbers.entry(word.to_owned()).or_insert(next)))
    });
    pieces.collect()
}
