//! SHA256SUMS as strictly as its most fragile readers need it.
//!
//! A defective line is still understood where its meaning is plain, so that one mistake is one finding and not also a
//! missing line, a missing file and a mismatch.

use std::collections::BTreeMap;

use yuba::digest::Sha256Digest;

use super::check::Check;
use super::checks::sums::{
    SUMS_BINARY_MARK, SUMS_BLANK_LINE, SUMS_BOM, SUMS_BSD, SUMS_COMMENT, SUMS_CRLF, SUMS_DIGEST, SUMS_DIGEST_CASE,
    SUMS_DUPLICATE, SUMS_EMPTY, SUMS_FINAL_NEWLINE, SUMS_LINE, SUMS_LINE_LENGTH, SUMS_PATH, SUMS_TEXT,
};
use super::finding::quote;
use super::limits::MAX_SUMS_LINE_BYTES;

/// What is wrong with a listing, and where.
pub(crate) type Defect = (&'static Check, String);

/// A SHA256SUMS file: each file name and its digest.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Listing {
    /// The digests by file name; none where the line's digest could not be read.
    pub(crate) digests: BTreeMap<String, Option<Sha256Digest>>,
    /// What is wrong.
    pub(crate) defects: Vec<Defect>,
    /// Whether a line could not be understood at all, so that a name may be missing here that the file lists.
    pub(crate) has_unread_lines: bool,
}

impl Listing {
    /// Reads a listing from a file's bytes.
    pub(crate) fn parse(bytes: &[u8]) -> Self {
        let mut listing = Self::default();
        let Ok(text) = std::str::from_utf8(bytes) else {
            listing.defects.push((&SUMS_TEXT, "is not UTF-8 text".to_owned()));
            listing.has_unread_lines = true;
            return listing;
        };
        let lines = text.strip_prefix('\u{feff}').unwrap_or(text);
        if lines.len() < text.len() {
            listing.defects.push((&SUMS_BOM, "starts with a byte order mark".to_owned()));
        }
        if lines.is_empty() {
            listing.defects.push((&SUMS_EMPTY, "has no line".to_owned()));
            listing.has_unread_lines = true;
            return listing;
        }
        let body = lines.strip_suffix('\n').unwrap_or(lines);
        for (index, line) in body.split('\n').enumerate() {
            listing.parse_line(index + 1, line);
        }
        if body.len() == lines.len() {
            listing.defects.push((&SUMS_FINAL_NEWLINE, "has no line feed at its end".to_owned()));
        }
        listing
    }

    fn parse_line(&mut self, number: usize, line: &str) {
        let mut found = |check, what: String| self.defects.push((check, format!("line {number} {what}")));
        if line.len() > MAX_SUMS_LINE_BYTES + 1 {
            self.has_unread_lines = true;
            return found(&SUMS_LINE_LENGTH, format!("has {} bytes, over {MAX_SUMS_LINE_BYTES}", line.len()));
        }
        let line = match line.strip_suffix('\r') {
            Some(line) => {
                found(&SUMS_CRLF, "ends in a carriage return".to_owned());
                line
            }
            None => line,
        };
        if line.trim().is_empty() {
            return found(&SUMS_BLANK_LINE, "is blank".to_owned());
        }
        if line.starts_with('#') {
            return found(&SUMS_COMMENT, format!("is a comment: {}", quote(line)));
        }
        if line.chars().any(|character| character.is_control() && character != '\t') {
            self.has_unread_lines = true;
            return found(&SUMS_TEXT, format!("has a control character: {}", quote(line)));
        }
        let (digest, name) = match read_bsd_line(line) {
            Some(parts) => {
                found(&SUMS_BSD, format!("is in the BSD style: {}", quote(line)));
                parts
            }
            None => {
                if let Some(parts) = read_line(line, &mut found) {
                    parts
                } else {
                    self.has_unread_lines = true;
                    return;
                }
            }
        };
        let digest = read_digest(digest, &mut found);
        let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
        if file.len() < name.len() {
            found(&SUMS_PATH, format!("names a path: {}", quote(name)));
        }
        if self.digests.insert(file.to_owned(), digest).is_some() {
            found(&SUMS_DUPLICATE, format!("names {} again", quote(file)));
        }
    }
}

/// The digest and the name of `SHA256 (name) = digest`, as BSD's tools and `OpenSSL` write it.
fn read_bsd_line(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("SHA256").or_else(|| line.strip_prefix("SHA2-256"))?;
    let (name, digest) = rest.trim_start().strip_prefix('(')?.rsplit_once(')')?;
    Some((digest.trim_start().strip_prefix('=')?.trim(), name))
}

/// The digest and the name of an ordinary line.
fn read_line<'a>(line: &'a str, found: &mut impl FnMut(&'static Check, String)) -> Option<(&'a str, &'a str)> {
    let Some((digest, rest)) = line.split_once([' ', '\t']).filter(|(_, rest)| !rest.trim().is_empty()) else {
        found(&SUMS_LINE, format!("is not a digest, two spaces and a file name: {}", quote(line)));
        return None;
    };
    let exact = rest.strip_prefix(' ');
    let marked = rest.strip_prefix('*').or_else(|| exact.and_then(|name| name.strip_prefix('*')));
    let name = match (marked, exact) {
        (Some(name), _) => {
            found(&SUMS_BINARY_MARK, format!("marks its file name with `*`: {}", quote(line)));
            name
        }
        (None, Some(name)) if !name.starts_with(char::is_whitespace) => name,
        _ => {
            found(&SUMS_LINE, format!("does not part digest and file name with two spaces: {}", quote(line)));
            rest.trim_start()
        }
    };
    let Some((field, _)) = name.split_once(char::is_whitespace) else {
        return Some((digest, name));
    };
    found(&SUMS_LINE, format!("has white space behind its file name or in it: {}", quote(line)));
    Some((digest, field))
}

fn read_digest(text: &str, found: &mut impl FnMut(&'static Check, String)) -> Option<Sha256Digest> {
    if let Ok(digest) = text.parse() {
        return Some(digest);
    }
    let Ok(digest) = text.to_ascii_lowercase().parse() else {
        found(&SUMS_DIGEST, format!("has {}, which is not 64 hexadecimal digits", quote(text)));
        return None;
    };
    found(&SUMS_DIGEST_CASE, format!("has its digest in upper case: {}", quote(text)));
    Some(digest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn codes(bytes: &[u8]) -> Vec<&'static str> {
        Listing::parse(bytes).defects.iter().map(|(check, _)| check.slug).collect()
    }

    #[test]
    fn each_defect_is_found_alone() {
        let hex = "0123456789abcdef".repeat(4);
        let good = format!("{hex}  a.zip\n");
        assert_eq!(codes(good.as_bytes()), [""; 0]);
        let cases: &[(&str, String)] = &[
            ("sums-empty", String::new()),
            ("sums-bom", format!("\u{feff}{good}")),
            ("sums-crlf", format!("{hex}  a.zip\r\n")),
            ("sums-blank-line", format!("{good}\n")),
            ("sums-blank-line", format!("\n{good}")),
            ("sums-blank-line", "\n".to_owned()),
            ("sums-blank-line", format!("{good} \t\n{hex}  b.zip\n")),
            ("sums-comment", format!("# made by hand\n{good}")),
            ("sums-bsd", format!("SHA256 (a.zip) = {hex}\n")),
            ("sums-bsd", format!("SHA2-256(a.zip)= {hex}\n")),
            ("sums-binary-mark", format!("{hex} *a.zip\n")),
            ("sums-binary-mark", format!("{hex}  *a.zip\n")),
            ("sums-line", format!("{hex} a.zip\n")),
            ("sums-line", format!("{hex}\ta.zip\n")),
            ("sums-line", format!("{hex}   a.zip\n")),
            ("sums-line", format!("{hex}  a.zip \n")),
            ("sums-line", format!("{hex}  a b.zip\n")),
            ("sums-line", format!("{hex}  a\u{a0}b.zip\n")),
            ("sums-line", format!("{hex}\n")),
            ("sums-line", format!("{hex}  \n")),
            ("sums-digest", format!("{}  a.zip\n", &hex[1..])),
            ("sums-digest", format!("{hex}{hex}  a.zip\n")),
            ("sums-digest", format!("{}g  a.zip\n", &hex[1..])),
            ("sums-digest-case", format!("{}  a.zip\n", hex.to_uppercase())),
            ("sums-final-newline", good.trim_end().to_owned()),
            ("sums-line-length", format!("{hex}  {}.zip\n", "a".repeat(300))),
            ("sums-line-length", format!("{}\n", "a".repeat(70_000))),
            ("sums-path", format!("{hex}  ./a.zip\n")),
            ("sums-path", format!("{hex}  dist\\a.zip\n")),
            ("sums-duplicate", format!("{good}{good}")),
            ("sums-text", format!("{hex}  a\u{0}.zip\n")),
            ("sums-text", format!("{hex}  a\rb.zip\n")),
        ];
        for (expected, text) in cases {
            assert_eq!(codes(text.as_bytes()), [*expected], "{text:?}");
        }
        assert_eq!(codes(b"\xff\xfe0\0"), ["sums-text"]);
    }

    proptest! {
        #[test]
        fn what_is_rendered_is_read_back(files in prop::collection::btree_map("[a-z0-9_.+-]{1,60}", any::<[u8; 32]>(), 1..20)) {
            let expected: BTreeMap<_, _> =
                files.into_iter().map(|(name, bytes)| (name, Some(Sha256Digest::from(bytes)))).collect();
            let lines: Vec<_> = expected.iter().map(|(name, digest)| format!("{}  {name}\n", digest.unwrap())).collect();
            let listing = Listing::parse(lines.concat().as_bytes());
            prop_assert_eq!(listing, Listing { digests: expected, ..Listing::default() });
        }

        /// What is read without a defect is exactly what clients need: rendering it again gives the same bytes.
        #[test]
        fn nothing_but_the_strict_form_passes(text in "(([0-9a-fA-F]{63,65})([ \t*]{1,3})([a-z./\u{feff} ]{0,6})[\r]?\n?){0,3}") {
            let listing = Listing::parse(text.as_bytes());
            let mut strict: Vec<_> = listing.digests.iter()
                .filter_map(|(name, digest)| digest.map(|digest| format!("{digest}  {name}")))
                .collect();
            let mut lines: Vec<_> = text.strip_suffix('\n').unwrap_or("\0").split('\n').map(str::to_owned).collect();
            strict.sort();
            lines.sort();
            prop_assert_eq!(listing.defects.is_empty(), strict == lines, "{:?}", listing.defects);
        }

        #[test]
        fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            let _ = Listing::parse(&bytes);
        }
    }
}
