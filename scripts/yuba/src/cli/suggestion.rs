//! Suggestions: what was probably meant by an address or a version that is not there.

use yuba::address::ProviderAddress;
use yuba::document::ProviderDocument;
use yuba::keys::DocumentKey;
use yuba::version::Version;
use yuba_companion::store::{Listing, Store};

use super::place::Found;

/// How alike two addresses are, from 0 to 1, where one may be meant by the other.
const ALIKE: f64 = 0.85;

/// How many addresses are suggested.
const MOST: usize = 3;

/// What to do about a provider that is not there.
pub(crate) async fn of_provider(store: &dyn Store, place: &Found, address: &ProviderAddress) -> String {
    let list = place.command("yuba list");
    let like = nearest(&providers(store).await, address);
    match like.as_slice() {
        [] => format!("see which there are: {list}"),
        like => format!("did you mean {}? See which there are: {list}", like.join(" or ")),
    }
}

/// The providers there are. That they cannot be listed is no reason not to say that one is not there.
async fn providers(store: &dyn Store) -> Vec<ProviderAddress> {
    let keys = store.list(&Listing::Providers(None)).await.unwrap_or_default();
    let provider = |key| match key {
        DocumentKey::Provider(address) => Some(address),
        DocumentKey::Index | DocumentKey::Namespace(_) | DocumentKey::Release(..) | DocumentKey::OciView(..) => None,
    };
    keys.into_iter().filter_map(provider).collect()
}

/// Those of `providers` that are most like `address`: of the same name elsewhere, or of a similar one.
fn nearest(providers: &[ProviderAddress], address: &ProviderAddress) -> Vec<String> {
    let likeness = |other: &ProviderAddress| {
        if other.namespace() == address.namespace() && other.r#type() == address.r#type() {
            return 1.0;
        }
        let name = |address: &ProviderAddress| format!("{}/{}", address.namespace(), address.r#type());
        strsim::normalized_damerau_levenshtein(&name(other), &name(address))
    };
    let mut like: Vec<_> = providers.iter().map(|other| (likeness(other), other)).collect();
    like.retain(|(likeness, _)| *likeness >= ALIKE);
    like.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    like.into_iter().take(MOST).map(|(_, address)| format!("`{address}`")).collect()
}

/// What to do about a version that a provider lacks.
pub(crate) fn of_version(place: &Found, provider: &ProviderDocument, version: &Version) -> String {
    let show = place.command(&format!("yuba show {}", provider.address));
    let below = provider.versions().filter(|entry| entry.version < *version).last();
    let above = provider.versions().find(|entry| entry.version > *version);
    let near: Vec<_> = below.into_iter().chain(above).map(|entry| format!("`{}`", entry.version)).collect();
    match near.as_slice() {
        [] => format!("it has none: {show}"),
        [version] => format!("the nearest is {version}; see all: {show}"),
        near => format!("the nearest are {}; see all: {show}", near.join(" and ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_like_an_address_is_suggested() {
        let providers = ["a.example/acme/dns", "a.example/acme/tls", "a.example/acme/cloud-run", "b.example/acme/dns"];
        let suggest =
            |text: &str| nearest(&providers.map(|text| text.parse().unwrap()), &text.parse().unwrap()).join(" ");
        assert_eq!(suggest("c.example/acme/dns"), "`a.example/acme/dns` `b.example/acme/dns`");
        assert_eq!(suggest("a.example/acme/dsn"), "`a.example/acme/dns` `b.example/acme/dns`");
        assert_eq!(suggest("a.example/acme/cloudrun"), "`a.example/acme/cloud-run`");
        assert_eq!(suggest("a.example/other/thing"), "");
    }
}
