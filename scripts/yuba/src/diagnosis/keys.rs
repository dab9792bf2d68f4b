//! How long the signing keys of the registry's own namespaces last.

use jiff::{SignedDuration, Timestamp};
use yuba::document::{NamespaceDocument, SigningKey};

use super::{Check, Finding};

/// How long before its end a key is warned of.
const NOTICE: SignedDuration = SignedDuration::from_hours(90 * 24);

/// Judges the keys of one namespace at `now`. A retired or revoked key signs nothing new, so its end is no news.
#[must_use]
pub fn judge(namespace: &NamespaceDocument, now: Timestamp) -> Vec<Finding> {
    let name = &namespace.namespace;
    let active = |key: &&SigningKey| key.retired.is_none() && key.revoked.is_none();
    let active: Vec<_> = namespace.signing_keys.iter().filter(active).map(|key| (key, end(key))).collect();
    let add = format!("register one: yuba key add --namespace {name} KEY.asc");
    if active.is_empty() {
        return vec![Finding::warning(Check::Keys, format!("namespace `{name}` has no key that may sign"), add)];
    }
    let lasting = |end: Option<Timestamp>| end.is_none_or(|end| end > now);
    let usable = active.iter().filter(|(_, end)| lasting(*end)).count();
    let mut findings = Vec::new();
    for (key, end) in &active {
        let Some(end) = end.filter(|end| end.duration_since(now) <= NOTICE) else { continue };
        let fingerprint = &key.fingerprint;
        let extend = format!(
            "extend it (gpg --quick-set-expire {fingerprint} 2y), export it, and register it again: yuba key add --namespace {name} KEY.asc"
        );
        let date = end.strftime("%Y-%m-%d");
        let at = format!("key `{fingerprint}` of namespace `{name}`");
        findings.push(match (lasting(Some(end)), usable) {
            (true, _) => Finding::warning(Check::Keys, format!("{at} expires on {date}"), extend),
            (false, 0) => {
                Finding::problem(Check::Keys, format!("{at} expired on {date}, and no other may sign"), extend)
            }
            (false, _) => Finding::warning(Check::Keys, format!("{at} expired on {date}"), extend),
        });
    }
    if findings.is_empty() {
        let first = active.iter().filter_map(|(_, end)| *end).min();
        let until = first.map_or_else(|| "for ever".to_owned(), |first| first.strftime("until %Y-%m-%d").to_string());
        let keys = if usable == 1 { "1 key".to_owned() } else { format!("{usable} keys") };
        findings.push(Finding::ok(Check::Keys, format!("namespace `{name}` has {keys}, good {until}")));
    }
    findings
}

/// When the key ends. What cannot be read ends at once: it can be used for nothing.
fn end(key: &SigningKey) -> Option<Timestamp> {
    key.expires.as_ref().map(|expires| expires.parse().unwrap_or(Timestamp::UNIX_EPOCH))
}

#[cfg(test)]
mod tests {
    use yuba::address::NamespaceAddress;
    use yuba::document::Visibility;

    use super::*;

    const NOW: &str = "2026-01-01T00:00:00Z";

    /// A key by the first digit of its fingerprint and its end.
    fn key((digit, expires): (u8, &str)) -> SigningKey {
        SigningKey {
            fingerprint: digit.to_string().repeat(40).parse().unwrap(),
            user_ids: Vec::new(),
            algorithm: "RSA 4096".to_owned(),
            created: NOW.to_owned(),
            expires: Some(expires.to_owned()).filter(|expires| !expires.is_empty()),
            added: NOW.to_owned(),
            retired: None,
            revoked: None,
            ascii_armor: String::new(),
            source: String::new(),
            source_url: String::new(),
        }
    }

    fn told(keys: Vec<SigningKey>) -> Vec<String> {
        let (hostname, namespace) = ("registry.example".parse().unwrap(), "acme".parse().unwrap());
        let mut document = NamespaceDocument::new(&NamespaceAddress { hostname, namespace }, Visibility::Public);
        document.signing_keys = keys;
        let findings = judge(&document, NOW.parse().unwrap());
        findings.iter().map(|finding| format!("{}: {}", finding.outcome.as_str(), finding.message)).collect()
    }

    #[test]
    fn a_key_is_told_of_before_it_ends_and_after() {
        let one = "1111111111111111111111111111111111111111";
        let cases = [
            (vec![], "warning: namespace `acme` has no key that may sign".to_owned()),
            (vec![(1, "")], "ok: namespace `acme` has 1 key, good for ever".to_owned()),
            (
                vec![(1, "2027-01-01T00:00:00Z"), (2, "")],
                "ok: namespace `acme` has 2 keys, good until 2027-01-01".to_owned(),
            ),
            (vec![(1, "2026-04-01T00:00:01Z")], "ok: namespace `acme` has 1 key, good until 2026-04-01".to_owned()),
            (
                vec![(1, "2026-04-01T00:00:00Z")],
                format!("warning: key `{one}` of namespace `acme` expires on 2026-04-01"),
            ),
            (
                vec![(1, "2026-01-01T00:00:01Z")],
                format!("warning: key `{one}` of namespace `acme` expires on 2026-01-01"),
            ),
            (
                vec![(1, NOW)],
                format!("problem: key `{one}` of namespace `acme` expired on 2026-01-01, and no other may sign"),
            ),
            (
                vec![(1, "2025-01-01T00:00:00Z"), (2, "")],
                format!("warning: key `{one}` of namespace `acme` expired on 2025-01-01"),
            ),
            (
                vec![(1, "some day")],
                format!("problem: key `{one}` of namespace `acme` expired on 1970-01-01, and no other may sign"),
            ),
        ];
        for (keys, expected) in cases {
            assert_eq!(told(keys.into_iter().map(key).collect()), [expected]);
        }
    }

    #[test]
    fn the_end_of_a_retired_key_is_no_news() {
        let retired = SigningKey { retired: Some(NOW.to_owned()), ..key((1, "2025-01-01T00:00:00Z")) };
        assert_eq!(told(vec![retired.clone()]), ["warning: namespace `acme` has no key that may sign"]);
        assert_eq!(told(vec![retired, key((2, ""))]), ["ok: namespace `acme` has 1 key, good for ever"]);
    }
}
