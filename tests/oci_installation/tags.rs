//! Lists of tags, and the versions that `OpenTofu` takes tags for.

use serde::Deserialize;
use url::Url;

use super::answers::first_value;
use crate::exchange::{ORIGIN, Reply};

/// How much of a page is read (oras-go, `defaultMaxMetadataBytes`).
const PAGE_BYTES: usize = 4 * 1024 * 1024;

#[derive(Deserialize)]
struct Page {
    tags: Option<Vec<String>>,
}

/// The tags of a page.
pub(super) fn page(body: &[u8]) -> Result<Vec<String>, String> {
    let page: Page = first_value(&body[..body.len().min(PAGE_BYTES)])
        .map_err(|error| format!("a page of tags cannot be read within {PAGE_BYTES} bytes: {error}"))?;
    Ok(page.tags.unwrap_or_default())
}

/// The path of the page after the one at `path`. Whatever a `Link` is for, it is taken for the next page.
pub(super) fn next(reply: &Reply, path: &str) -> Result<Option<String>, String> {
    let Some(link) = reply.header("link").filter(|link| !link.is_empty()) else { return Ok(None) };
    let target = link.strip_prefix('<').and_then(|rest| rest.split_once('>'));
    let (target, _) = target.ok_or_else(|| format!("Link `{link}` is not in angle brackets"))?;
    let page = Url::parse(&format!("{ORIGIN}{path}")).and_then(|page| Ok((page.join(target)?, page)));
    let (next, page) = page.map_err(|error| format!("Link `{link}` leads nowhere: {error}"))?;
    // oras-go 2.6.1 goes there, 2.6.2 refuses; for a registry, neither will do.
    if next.origin() != page.origin() {
        return Err(format!("Link `{link}` leads to another origin"));
    }
    let query = next.query().map(|query| format!("?{query}")).unwrap_or_default();
    Ok(Some(format!("{}{query}", next.path())))
}

/// The version that `tag` is taken for, in full; none, if it is ignored.
///
/// The grammar is that of go-versions 1.0.3: up to three numbers, of which absent ones are 0, then anything.
pub(super) fn version(tag: &str) -> Result<Option<String>, String> {
    let text = tag.replace('_', "+");
    let is_extra = |extra: &str| {
        !extra.is_empty() && extra.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte))
    };
    let (rest, metadata) = text.split_once('+').map_or((&*text, None), |(rest, extra)| (rest, Some(extra)));
    let (core, prerelease) = rest.split_once('-').map_or((rest, None), |(core, extra)| (core, Some(extra)));
    let numbers: Vec<&str> = core.split('.').collect();
    let is_number = |number: &&str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    if numbers.len() > 3
        || !numbers.iter().all(is_number)
        || ![prerelease, metadata].into_iter().flatten().all(is_extra)
    {
        return Ok(None);
    }
    let mut full = [0_u64; 3];
    for (place, number) in full.iter_mut().zip(numbers) {
        *place = number.parse().map_err(|_| format!("tag `{tag}` has a number over 2^64-1, which crashes OpenTofu"))?;
    }
    let [major, minor, patch] = full;
    let extra = |mark: &str, extra: Option<&str>| extra.map(|extra| format!("{mark}{extra}")).unwrap_or_default();
    Ok(Some(format!("{major}.{minor}.{patch}{}{}", extra("-", prerelease), extra("+", metadata))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_taken_for_versions() {
        for (tag, taken) in [
            ("1.0.0", Some("1.0.0")),
            ("1.0.0-rc.1_build.7", Some("1.0.0-rc.1+build.7")),
            ("1.0.0_a-b", Some("1.0.0+a-b")),
            ("1", Some("1.0.0")),
            ("1.2", Some("1.2.0")),
            ("01.2.3", Some("1.2.3")),
            ("latest", None),
            ("v1.0.0", None),
            ("1.0.0_a_b", None),
            ("1.0.0.0", None),
            ("1..0", None),
            ("1.0.0-", None),
            ("1.0.0_", None),
            ("1.x", None),
            ("", None),
        ] {
            assert_eq!(version(tag), Ok(taken.map(str::to_owned)), "{tag}");
        }
        let crash = "tag `18446744073709551616` has a number over 2^64-1, which crashes OpenTofu";
        assert_eq!(version("18446744073709551616"), Err(crash.to_owned()));
    }

    #[test]
    fn links_are_resolved_against_the_request() {
        let linked = |link: &str| {
            let reply = Reply { status: 200, headers: vec![("link".to_owned(), link.to_owned())], body: Vec::new() };
            next(&reply, "/v2/acme/dns/tags/list?n=1")
        };
        for (link, path) in [
            ("</v2/acme/dns/tags/list?n=1&last=1.0.0>; rel=\"next\"", "/v2/acme/dns/tags/list?n=1&last=1.0.0"),
            ("<?n=1&last=1.0.0>; rel=next", "/v2/acme/dns/tags/list?n=1&last=1.0.0"),
            ("<list>", "/v2/acme/dns/tags/list"),
            ("<https://registry.example/v2/x/tags/list>", "/v2/x/tags/list"),
        ] {
            assert_eq!(linked(link), Ok(Some(path.to_owned())), "{link}");
        }
        assert_eq!(linked(""), Ok(None));
        for link in [
            "/v2/",
            "</v2/",
            "rel=next; </v2/>",
            "<https://[>",
            "<https://elsewhere.example/v2/>",
            "<http://registry.example/>",
        ] {
            assert!(linked(link).is_err(), "{link}");
        }
    }
}
