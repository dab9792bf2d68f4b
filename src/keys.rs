//! Storage keys: the only place that knows where anything is stored.
//!
//! | what | R2 | KV |
//! |---|---|---|
//! | a document | `meta/` and its name | its name |
//! | an archive | `blob/sha256/<hex>` | not there |
//! | an archive that no document named when garbage was collected | `trash/sha256/<hex>` | not there |
//! | that somebody is copying a document to KV | `copying/`, its name, `/` and who | not there |

use std::fmt;
use std::str::FromStr;

use crate::address::{NamespaceAddress, ProviderAddress, ReleaseAddress};
use crate::digest::Sha256Digest;
use crate::hostname::Hostname;

/// Where R2 keeps what it keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Area {
    /// Documents.
    Documents,
    /// Archives.
    Blobs,
    /// Archives that were collected as garbage.
    Trash,
    /// Marks of whoever is copying a document to KV.
    Copying,
}

impl Area {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Documents, Self::Blobs, Self::Trash, Self::Copying];

    /// What the R2 keys of the area start with.
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Documents => "meta/",
            Self::Blobs => "blob/sha256/",
            Self::Trash => "trash/sha256/",
            Self::Copying => "copying/",
        }
    }
}

/// Why a text is no storage key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no key of this storage")]
pub struct KeyError(String);

/// Where a document is stored. `Display` gives its name, which is its key in KV.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum DocumentKey {
    /// The providers there are.
    Index,
    /// A namespace.
    Namespace(NamespaceAddress),
    /// A provider.
    Provider(ProviderAddress),
    /// A release, by the SHA-256 of its document: what is under this key never changes.
    Release(ReleaseAddress, Sha256Digest),
    /// What an OCI digest names in the repositories of a provider.
    OciView(ProviderAddress, Sha256Digest),
}

impl DocumentKey {
    /// The key in R2.
    #[must_use]
    pub fn object(&self) -> String {
        format!("{}{self}", Area::Documents.prefix())
    }

    /// Whether what is under the key may change.
    #[must_use]
    pub const fn is_mutable(&self) -> bool {
        match self {
            Self::Index | Self::Namespace(_) | Self::Provider(_) => true,
            Self::Release(..) | Self::OciView(..) => false,
        }
    }

    /// The prefix in R2 of all namespaces.
    #[must_use]
    pub fn namespaces_prefix() -> String {
        format!("{}namespace/", Area::Documents.prefix())
    }

    /// The prefix in R2 of all providers, or of all of one host.
    #[must_use]
    pub fn providers_prefix(hostname: Option<&Hostname>) -> String {
        let host = hostname.map(|hostname| format!("{hostname}/"));
        format!("{}provider/{}", Area::Documents.prefix(), host.unwrap_or_default())
    }

    /// The prefix in R2 of all OCI views of a provider.
    #[must_use]
    pub fn oci_views_prefix(provider: &ProviderAddress) -> String {
        format!("{}{}", Area::Documents.prefix(), oci_prefix(provider))
    }

    /// The prefix in R2 of all documents of one release, listed or not.
    #[must_use]
    pub fn releases_prefix(address: &ReleaseAddress) -> String {
        format!("{}{}", Area::Documents.prefix(), release_prefix(address))
    }
}

fn oci_prefix(provider: &ProviderAddress) -> String {
    format!("oci/{provider}/")
}

fn release_prefix(address: &ReleaseAddress) -> String {
    format!("release/{}/{}/", address.provider, address.version)
}

impl fmt::Display for DocumentKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index => f.write_str("index"),
            Self::Namespace(address) => write!(f, "namespace/{address}"),
            Self::Provider(address) => write!(f, "provider/{address}"),
            Self::Release(address, digest) => write!(f, "{}{digest}", release_prefix(address)),
            Self::OciView(provider, digest) => write!(f, "{}{digest}", oci_prefix(provider)),
        }
    }
}

impl FromStr for DocumentKey {
    type Err = KeyError;

    /// Parses a name as it is spelled when it is written, and no other spelling of it.
    fn from_str(text: &str) -> Result<Self, KeyError> {
        let parts: Vec<&str> = text.split('/').collect();
        parse_document(&parts).filter(|key| key.to_string() == text).ok_or_else(|| KeyError(text.to_owned()))
    }
}

fn parse_document(parts: &[&str]) -> Option<DocumentKey> {
    let provider = |hostname, namespace, r#type| format!("{hostname}/{namespace}/{type}").parse().ok();
    match parts {
        ["index"] => Some(DocumentKey::Index),
        ["namespace", hostname, namespace] => {
            let (hostname, namespace) = (hostname.parse().ok()?, namespace.parse().ok()?);
            Some(DocumentKey::Namespace(NamespaceAddress { hostname, namespace }))
        }
        ["provider", hostname, namespace, r#type] => {
            Some(DocumentKey::Provider(provider(hostname, namespace, r#type)?))
        }
        ["release", hostname, namespace, r#type, version, digest] => {
            let provider = provider(hostname, namespace, r#type)?;
            let release = ReleaseAddress { provider, version: version.parse().ok()? };
            Some(DocumentKey::Release(release, digest.parse().ok()?))
        }
        ["oci", hostname, namespace, r#type, digest] => {
            Some(DocumentKey::OciView(provider(hostname, namespace, r#type)?, digest.parse().ok()?))
        }
        _ => None,
    }
}

/// Where an archive is stored: by its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlobKey(pub Sha256Digest);

impl BlobKey {
    /// The key in R2.
    #[must_use]
    pub fn object(&self) -> String {
        format!("{}{}", Area::Blobs.prefix(), self.0)
    }
}

/// Anything that R2 holds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ObjectKey {
    /// A document.
    Document(DocumentKey),
    /// An archive.
    Blob(BlobKey),
    /// An archive that was collected as garbage.
    Trash(BlobKey),
    /// The mark of somebody, named by a number, who is copying a document to KV.
    Copying(DocumentKey, u64),
}

impl ObjectKey {
    /// The prefix in R2 of the marks of all who are copying `document`.
    #[must_use]
    pub fn copying_prefix(document: &DocumentKey) -> String {
        format!("{}{document}/", Area::Copying.prefix())
    }
}

/// The key in R2.
impl fmt::Display for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Document(key) => f.write_str(&key.object()),
            Self::Blob(key) => f.write_str(&key.object()),
            Self::Trash(BlobKey(digest)) => write!(f, "{}{digest}", Area::Trash.prefix()),
            Self::Copying(document, who) => write!(f, "{}{who:016x}", Self::copying_prefix(document)),
        }
    }
}

impl FromStr for ObjectKey {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let parsed = Area::ALL.into_iter().find_map(|area| parse_object(area, text.strip_prefix(area.prefix())?));
        parsed.filter(|key| key.to_string() == text).ok_or_else(|| KeyError(text.to_owned()))
    }
}

fn parse_object(area: Area, name: &str) -> Option<ObjectKey> {
    match area {
        Area::Documents => Some(ObjectKey::Document(name.parse().ok()?)),
        Area::Blobs => Some(ObjectKey::Blob(BlobKey(name.parse().ok()?))),
        Area::Trash => Some(ObjectKey::Trash(BlobKey(name.parse().ok()?))),
        Area::Copying => {
            let (document, who) = name.rsplit_once('/')?;
            Some(ObjectKey::Copying(document.parse().ok()?, u64::from_str_radix(who, 16).ok()?))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::MAX_ADDRESS_BYTES;
    use crate::version::MAX_VERSION_BYTES;

    /// The longest key that Workers KV takes, in bytes (Cloudflare's KV limits).
    const MAX_KEY_BYTES: usize = 512;

    fn release() -> ReleaseAddress {
        let provider = "localhost:8443/straße/dns".parse().unwrap();
        ReleaseAddress { provider, version: "1.0.0-RC1+7".parse().unwrap() }
    }

    #[test]
    fn keys_are_the_design_s() {
        let release = release();
        let digest = Sha256Digest::of(b"");
        let namespace = release.provider.namespace_address().clone();
        assert_eq!(DocumentKey::Index.to_string(), "index");
        assert_eq!(DocumentKey::Namespace(namespace).object(), "meta/namespace/localhost:8443/straße");
        assert_eq!(DocumentKey::Provider(release.provider.clone()).to_string(), "provider/localhost:8443/straße/dns");
        assert_eq!(DocumentKey::releases_prefix(&release), "meta/release/localhost:8443/straße/dns/1.0.0-RC1+7/");
        assert_eq!(
            DocumentKey::Release(release, digest).to_string(),
            format!("release/localhost:8443/straße/dns/1.0.0-RC1+7/{digest}")
        );
        let view = DocumentKey::OciView("localhost:8443/straße/dns".parse().unwrap(), digest);
        assert_eq!(view.object(), format!("meta/oci/localhost:8443/straße/dns/{digest}"));
        assert_eq!(BlobKey(digest).object(), format!("blob/sha256/{digest}"));
        assert_eq!(ObjectKey::Trash(BlobKey(digest)).to_string(), format!("trash/sha256/{digest}"));
        assert_eq!(ObjectKey::Copying(DocumentKey::Index, 7).to_string(), "copying/index/0000000000000007");
    }

    #[test]
    fn keys_round_trip() {
        let (release, digest) = (release(), Sha256Digest::of(b""));
        let documents = [
            DocumentKey::Index,
            DocumentKey::Namespace(release.provider.namespace_address().clone()),
            DocumentKey::Provider(release.provider.clone()),
            DocumentKey::OciView(release.provider.clone(), digest),
            DocumentKey::Release(release, digest),
        ];
        for document in documents {
            assert_eq!(document.to_string().parse(), Ok(document.clone()));
            for key in [ObjectKey::Copying(document.clone(), u64::MAX), ObjectKey::Document(document)] {
                assert_eq!(key.to_string().parse(), Ok(key));
            }
        }
        for key in [ObjectKey::Blob(BlobKey(digest)), ObjectKey::Trash(BlobKey(digest))] {
            assert_eq!(key.to_string().parse(), Ok(key));
        }
    }

    #[test]
    fn strays_are_no_keys() {
        let upper = Sha256Digest::of(b"").to_string().to_uppercase();
        for stray in [
            "",
            "meta/",
            "meta/Index",
            "meta/index/",
            "meta/namespace/a.example",
            "meta/provider/A.example/acme/dns",
            "meta/release/a.example/acme/dns/1.0.0/.DS_Store",
            "meta/token/x",
            "blob/sha256/0",
            &format!("blob/sha256/{upper}"),
            "copying/index/7",
            "index",
        ] {
            assert_eq!(stray.parse::<ObjectKey>(), Err(KeyError(stray.to_owned())));
        }
    }

    #[test]
    fn the_longest_key_fits_into_kv() {
        let frame = "meta/release/".len() + "/".len() + "/".len() + Sha256Digest::of(b"").to_string().len();
        assert!(frame + MAX_ADDRESS_BYTES + MAX_VERSION_BYTES <= MAX_KEY_BYTES);
    }
}
