//! Plans: what is done to each storage key, a line each.
//!
//! A release has an OCI view for each of its manifests and archives, and they are written or deleted together: those of
//! one provider are one line. Programs get every key.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use yuba::keys::{DocumentKey, ObjectKey};
use yuba_companion::publish::{Storage, Write};

use super::care::count;
use super::output::visible;

/// What OCI views have in common that are told in one line: where they are, what is done, and what their keys start with.
type Views<'a> = (Storage, &'static str, &'a str);

/// The plan of `writes`, in their order; OCI views stand where the first of them does.
pub(crate) fn render(writes: &[Write]) -> String {
    let mut views: BTreeMap<Views<'_>, usize> = BTreeMap::new();
    for together in writes.iter().filter_map(views_of) {
        *views.entry(together).or_default() += 1;
    }
    let mut text = String::new();
    for write in writes {
        let shown = match views_of(write) {
            None => visible(&write.key),
            Some(together) => match views.remove(&together) {
                Some(number) => format!("{} ({})", together.2, count(number, "OCI view", "OCI views")),
                None => continue,
            },
        };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{:<6}  {}/{shown}", write.action.as_str(), write.storage.as_str());
    }
    text
}

fn views_of(write: &Write) -> Option<Views<'_>> {
    let document = match write.storage {
        Storage::R2 => match write.key.parse() {
            Ok(ObjectKey::Document(key)) => key,
            Ok(_) | Err(_) => return None,
        },
        Storage::Kv => write.key.parse().ok()?,
    };
    let DocumentKey::OciView(_, digest) = document else { return None };
    Some((write.storage, write.action.as_str(), write.key.strip_suffix(&digest.to_string())?))
}

#[cfg(test)]
mod tests {
    use yuba::digest::Sha256Digest;
    use yuba_companion::documents::Action;

    use super::*;

    fn view(storage: Storage, provider: &str, content: &str, action: Action) -> Write {
        let name = format!("oci/{provider}/{}", Sha256Digest::of(content.as_bytes()));
        let key = if storage == Storage::R2 { format!("meta/{name}") } else { name };
        Write { storage, key, action }
    }

    #[test]
    fn views_of_one_storage_provider_and_action_are_one_line() {
        let (dns, tls) = ("a.example/acme/dns", "a.example/acme/tls");
        let index = Write { storage: Storage::R2, key: "meta/index".to_owned(), action: Action::Create };
        let writes = [
            view(Storage::R2, dns, "1", Action::Create),
            index,
            view(Storage::R2, dns, "2", Action::Exists),
            view(Storage::R2, dns, "3", Action::Create),
            view(Storage::Kv, dns, "1", Action::Create),
            view(Storage::R2, tls, "1", Action::Create),
        ];
        insta::assert_snapshot!(render(&writes), @r"
        create  r2/meta/oci/a.example/acme/dns/ (2 OCI views)
        create  r2/meta/index
        exists  r2/meta/oci/a.example/acme/dns/ (1 OCI view)
        create  kv/oci/a.example/acme/dns/ (1 OCI view)
        create  r2/meta/oci/a.example/acme/tls/ (1 OCI view)
        ");
    }

    #[test]
    fn what_is_no_view_is_told_in_full() {
        let keys = ["oci/a.example/acme/dns", "oci/a.example/acme/dns/e3b0", "oci/\u{1b}[31m", "meta/oci/a.example/x"];
        for key in keys {
            for storage in [Storage::R2, Storage::Kv] {
                let write = Write { storage, key: key.to_owned(), action: Action::Delete };
                assert_eq!(render(&[write]), format!("delete  {}/{}\n", storage.as_str(), visible(key)));
            }
        }
    }
}
