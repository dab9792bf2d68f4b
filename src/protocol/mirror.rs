//! The provider network mirror protocol.
//!
//! | route | answers |
//! |---|---|
//! | `/mirror/:hostname/:namespace/:type/index.json` | [`Index`] |
//! | `/mirror/:hostname/:namespace/:type/:version.json` | [`Archives`] |
//!
//! ```json
//! {"versions":{"1.0.0":{}}}
//! {"archives":{"linux_amd64":{"url":"https://…","hashes":["zh:…","h1:…"]}}}
//! ```
//!
//! A client that has a mirror beside `direct` asks the mirror for versions that it never listed, and stops at a 404. So
//! an unknown version (of a known provider or not) has no archives, which lets the client go on to its next source.
//! Signatures are out of scope: no client looks for one here.

use serde::Serialize;

use super::{as_map, hashes};
use crate::document::{Package, ProviderDocument, ReleaseDocument};
use crate::platform::Platform;
use crate::route::Route;
use crate::version::Version;

/// The versions of a provider (protocol section "List Available Versions").
#[derive(Debug, Serialize)]
pub struct Index<'a> {
    #[serde(serialize_with = "as_map")]
    versions: Vec<(&'a Version, Empty)>,
}

#[derive(Debug, Serialize)]
struct Empty {}

/// The packages of a version (protocol section "List Available Installation Packages").
#[derive(Debug, Default, Serialize)]
pub struct Archives<'a> {
    #[serde(serialize_with = "as_map")]
    archives: Vec<(&'a Platform, Archive)>,
}

#[derive(Debug, Serialize)]
struct Archive {
    url: String,
    hashes: [String; 2],
}

/// Renders the versions of a provider.
#[must_use]
pub fn index(provider: &ProviderDocument) -> Index<'_> {
    Index { versions: provider.versions().map(|entry| (&entry.version, Empty {})).collect() }
}

/// Renders the packages of `release`, with absolute URLs under `origin`.
#[must_use]
pub fn archives<'a>(origin: &str, release: &'a ReleaseDocument) -> Archives<'a> {
    let address = release.release_address();
    let archive = |package: &Package| {
        let route = Route::Archive(address.clone(), package.zh, package.filename.clone());
        Archive { url: format!("{origin}{route}"), hashes: hashes(package) }
    };
    Archives { archives: release.packages.iter().map(|(platform, package)| (platform, archive(package))).collect() }
}

/// The packages of a version that is not here: none.
#[must_use]
pub fn no_archives() -> Archives<'static> {
    Archives::default()
}
