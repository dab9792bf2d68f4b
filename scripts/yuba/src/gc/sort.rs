//! The archives of one area of R2, and which of them are garbage.

use std::collections::BTreeMap;

use jiff::Timestamp;
use yuba::keys::{Area, BlobKey, ObjectKey};

use super::Archive;
use super::named::Named;
use crate::store::{Stat, Store, StoreError};

/// The archives of one area.
#[derive(Debug, Default)]
pub(super) struct Archives(BTreeMap<BlobKey, Stat>);

/// Archives that no document names.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Sorted {
    /// Those that are old.
    pub(super) garbage: Vec<Archive>,
    /// Those that may belong to a publish that is under way.
    pub(super) young: Vec<Archive>,
}

impl Archives {
    /// Lists the archives of an area. What has no archive's key is left alone.
    pub(super) async fn list(store: &dyn Store, area: Area) -> Result<Self, StoreError> {
        let objects = store.objects(area.prefix()).await?;
        let archives = objects.into_iter().filter_map(|object| match object.key.parse() {
            Ok(ObjectKey::Blob(key) | ObjectKey::Trash(key)) => Some((key, object.stat)),
            _ => None,
        });
        Ok(Self(archives.collect()))
    }

    pub(super) fn contains(&self, key: BlobKey) -> bool {
        self.0.contains_key(&key)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Archive> {
        self.0.iter().map(|(key, stat)| Archive { key: *key, stat: *stat })
    }

    /// Tells what is garbage: what is not `named`, and was written before `cutoff`.
    pub(super) fn sort(&self, named: &Named, cutoff: Timestamp) -> Sorted {
        let unnamed = self.iter().filter(|archive| !named.contains(archive.key));
        let (garbage, young) = unnamed.partition(|archive| archive.stat.modified < cutoff);
        Sorted { garbage, young }
    }
}

#[cfg(test)]
mod tests {
    use yuba::digest::Sha256Digest;

    use super::*;

    #[test]
    fn garbage_is_old_and_named_by_nobody() {
        let cutoff = Timestamp::from_second(1000).unwrap();
        let archive = |content: &str, seconds| Archive {
            key: BlobKey(Sha256Digest::of(content.as_bytes())),
            stat: Stat { size: 1, modified: Timestamp::from_second(seconds).unwrap() },
        };
        let (old, named, edge, young) = (archive("a", 999), archive("b", 1), archive("c", 1000), archive("d", 2000));
        let archives = Archives([old, named, edge, young].map(|archive| (archive.key, archive.stat)).into());
        let Sorted { garbage, young: mut found } = archives.sort(&Named::from_iter([named.key]), cutoff);
        assert_eq!(garbage, [old]);
        found.sort_by_key(|archive| archive.stat.modified);
        assert_eq!(found, [edge, young]);
    }
}
