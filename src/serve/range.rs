//! Byte ranges (RFC 9110, section 14).

/// A part of an archive, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByteRange {
    /// The first byte's position.
    pub first: u64,
    /// The last byte's position.
    pub last: u64,
}

/// What a `Range` header asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Selection {
    /// Everything; also what a header that cannot be understood asks for, or one that names several parts.
    Whole,
    /// One part.
    Part(ByteRange),
    /// A part that is not there.
    Unsatisfiable,
}

impl ByteRange {
    /// The number of bytes.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a range has at least one byte")]
    pub const fn len(self) -> u64 {
        self.last - self.first + 1
    }

    /// What the value of a `Range` header asks for of `size` bytes.
    pub(super) fn select(range: &str, size: u64) -> Selection {
        let Some((unit, bounds)) = range.trim().split_once('=') else { return Selection::Whole };
        let Some((first, last)) = bounds.split_once('-') else { return Selection::Whole };
        if !unit.eq_ignore_ascii_case("bytes") {
            return Selection::Whole;
        }
        match (parse(first), parse(last)) {
            (Bound::None, Bound::Position(0)) => Selection::Unsatisfiable,
            (Bound::None, Bound::Position(count)) => part(size.saturating_sub(count), u64::MAX, size),
            (Bound::Position(first), Bound::None) => part(first, u64::MAX, size),
            (Bound::Position(first), Bound::Position(last)) if first <= last => part(first, last, size),
            _ => Selection::Whole,
        }
    }
}

enum Bound {
    None,
    Position(u64),
    Malformed,
}

fn parse(bound: &str) -> Bound {
    match bound {
        "" => Bound::None,
        digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            // A number that does not fit is beyond every archive.
            Bound::Position(digits.parse().unwrap_or(u64::MAX))
        }
        _ => Bound::Malformed,
    }
}

fn part(first: u64, last: u64, size: u64) -> Selection {
    if first >= size {
        return Selection::Unsatisfiable;
    }
    Selection::Part(ByteRange { first, last: last.min(size - 1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_select_what_the_rfc_says() {
        let part = |first, last| Selection::Part(ByteRange { first, last });
        let cases = [
            ("bytes=0-0", part(0, 0)),
            ("bytes=0-9", part(0, 9)),
            ("bytes=2-", part(2, 9)),
            ("bytes=-3", part(7, 9)),
            ("bytes=-100", part(0, 9)),
            ("bytes=5-100", part(5, 9)),
            (" Bytes=5-6 ", part(5, 6)),
            ("bytes= 5 - 6", Selection::Whole),
            ("bytes=0-99999999999999999999999", part(0, 9)),
            ("bytes=10-", Selection::Unsatisfiable),
            ("bytes=10-11", Selection::Unsatisfiable),
            ("bytes=-0", Selection::Unsatisfiable),
            ("bytes=99999999999999999999999-", Selection::Unsatisfiable),
            ("", Selection::Whole),
            ("bytes", Selection::Whole),
            ("bytes=", Selection::Whole),
            ("bytes=-", Selection::Whole),
            ("bytes=3-2", Selection::Whole),
            ("bytes=a-b", Selection::Whole),
            ("bytes=+1-2", Selection::Whole),
            ("bytes=0-1,3-4", Selection::Whole),
            ("items=0-1", Selection::Whole),
        ];
        for (range, selection) in cases {
            assert_eq!(ByteRange::select(range, 10), selection, "{range}");
        }
    }

    #[test]
    fn nothing_can_be_selected_of_nothing() {
        for range in ["bytes=0-", "bytes=0-0", "bytes=-1"] {
            assert_eq!(ByteRange::select(range, 0), Selection::Unsatisfiable, "{range}");
        }
    }
}
