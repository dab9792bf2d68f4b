//! Versions as clients read them (go-versions `constraints/raw_scan.rl`): more forms than a registry should use.

/// A version as clients know it after reading; two texts that come to the same are one version to them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ClientVersion {
    numbers: [u64; 3],
    prerelease: String,
    build: String,
}

impl ClientVersion {
    /// Reads one to three numbers with optional pre-release and build metadata; nothing, where clients refuse.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (rest, build) = text.split_once('+').unwrap_or((text, ""));
        let (core, prerelease) = rest.split_once('-').unwrap_or((rest, ""));
        let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte));
        if !is_plain(prerelease) || !is_plain(build) {
            return None;
        }
        let mut numbers = [0; 3];
        let mut parts = core.split('.');
        let mut slots = numbers.iter_mut();
        let first = parts.next()?;
        for part in std::iter::once(first).chain(parts) {
            let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            *slots.next()? = part.parse().ok().filter(|_| is_number)?;
        }
        Some(Self { numbers, prerelease: prerelease.to_owned(), build: build.to_owned() })
    }

    /// Whether clients can start a provider that speaks this version of the plugin protocol: `>= 5, < 7` (`OpenTofu`
    /// `registry_client.go`).
    pub(crate) fn is_accepted_protocol(&self) -> bool {
        let [major, ..] = self.numbers;
        (5..7).contains(&major)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_see_one_version_in_several_texts() {
        let same = [("1", "1.0.0"), ("1.0", "1.0.0"), ("01.2.3", "1.2.3"), ("1.0.0+", "1.0.0"), ("1.0.0-", "1.0.0")];
        for (text, canonical) in same {
            assert_eq!(ClientVersion::parse(text).unwrap(), ClientVersion::parse(canonical).unwrap(), "{text}");
        }
        for (text, other) in [("1.0.0-RC1", "1.0.0-rc1"), ("1.0.0+a", "1.0.0+b"), ("1.0.0-a", "1.0.0+a")] {
            assert_ne!(ClientVersion::parse(text).unwrap(), ClientVersion::parse(other).unwrap(), "{text}");
        }
    }

    #[test]
    fn what_clients_cannot_read_is_nothing() {
        for text in [
            "",
            "v1.0.0",
            "1.2.3.4",
            "1.0.0-a_b",
            "1+a+b",
            " 1.0.0",
            "1.0.0 ",
            "1.x",
            "1..2",
            "+1",
            "18446744073709551616",
        ] {
            assert_eq!(ClientVersion::parse(text), None, "{text}");
        }
    }

    #[test]
    fn protocols_5_and_6_are_accepted() {
        for (text, accepted) in
            [("4.9", false), ("5", true), ("5.0", true), ("6.10", true), ("6.0.1", true), ("7.0", false)]
        {
            assert_eq!(ClientVersion::parse(text).unwrap().is_accepted_protocol(), accepted, "{text}");
        }
    }
}
