//! Releases as a release tool leaves them, made at test time: sound ones to publish and install, and ones with a
//! single defect each.
//!
//! ```no_run
//! # use yuba_tests::releases::{Key, Release};
//! let key = Key::new("acme");
//! let dist = std::path::Path::new("dist");
//! Release::new("dns", "1.0.0", &key).platforms(&["linux_amd64", "darwin_arm64"]).write(dist).unwrap();
//! std::fs::write("KEY.asc", key.ascii_armor()).unwrap();
//! ```

pub mod defects;
pub mod executables;
pub mod keys;
pub mod zip;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use yuba::digest::Sha256Digest;

pub use executables::executable;
pub use keys::{Key, KeySpec, SignatureSpec};
pub use zip::{Entry, Zip};

/// When releases are signed unless a test says otherwise.
pub const SIGNED_AT: &str = "2024-02-01T00:00:00Z";

/// Where the manifest is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ManifestPlace {
    /// In the release's directory, under the release's name, and listed.
    Dist,
    /// In the directory above, under the name that repositories use, and listed: this is what goreleaser leaves.
    Parent,
    /// Nowhere, and not listed.
    Nowhere,
}

/// Changes the bytes of a file before it is written.
type Change = Box<dyn Fn(&[u8]) -> Vec<u8>>;

/// A release to be written.
pub struct Release {
    /// The provider's type, as file names have it.
    pub r#type: String,
    /// The version, as file names have it.
    pub version: String,
    /// The archives by platform.
    pub zips: BTreeMap<String, Zip>,
    /// The manifest's text.
    pub manifest: String,
    /// Where the manifest goes.
    pub manifest_place: ManifestPlace,
    /// The key that signs.
    pub key: Key,
    /// How it signs.
    pub signature: SignatureSpec,
    /// Changes SHA256SUMS before it is signed.
    pub change_sums: Change,
    /// Changes the signature.
    pub change_signature: Change,
    /// Changes archives after SHA256SUMS was made, by platform.
    pub change_archive: BTreeMap<String, Change>,
}

impl Release {
    /// A sound release of `type` for nothing yet, signed by `key`.
    #[must_use]
    pub fn new(r#type: &str, version: &str, key: &Key) -> Self {
        Self {
            r#type: r#type.to_owned(),
            version: version.to_owned(),
            zips: BTreeMap::new(),
            manifest: manifest(&["6.0"]),
            manifest_place: ManifestPlace::Dist,
            key: key.clone(),
            signature: SignatureSpec::at(SIGNED_AT.parse().unwrap()),
            change_sums: Box::new(<[u8]>::to_vec),
            change_signature: Box::new(<[u8]>::to_vec),
            change_archive: BTreeMap::new(),
        }
    }

    /// Adds `platforms`, each with an executable that has the right header and runs nowhere.
    #[must_use]
    pub fn platforms(mut self, platforms: &[&str]) -> Self {
        for platform in platforms {
            let label = format!("{} {}", self.r#type, self.version);
            self = self.platform(platform, &executable(platform, &label));
        }
        self
    }

    /// Adds one platform with this executable.
    #[must_use]
    pub fn platform(self, platform: &str, executable: &[u8]) -> Self {
        let suffix = if platform.starts_with("windows") { ".exe" } else { "" };
        let name = format!("terraform-provider-{}_v{}{suffix}", self.r#type, self.version);
        self.platform_named(platform, &name, executable)
    }

    /// Adds one platform with an executable of this name; with one that has no version in it, two versions may have the
    /// same archive.
    #[must_use]
    pub fn platform_named(mut self, platform: &str, name: &str, executable: &[u8]) -> Self {
        let entries = vec![
            Entry::file("LICENSE", b"Public domain.\n"),
            Entry { flags: zip::DESCRIPTOR, ..Entry::executable(name, executable) },
        ];
        self.zips.insert(platform.to_owned(), Zip { entries, ..Zip::default() });
        self
    }

    /// States these protocol versions.
    #[must_use]
    pub fn protocols(mut self, protocols: &[&str]) -> Self {
        self.manifest = manifest(protocols);
        self
    }

    /// Signs at this time.
    #[must_use]
    pub fn signed_at(mut self, at: Timestamp) -> Self {
        self.signature.at = at;
        self
    }

    /// Puts the manifest elsewhere.
    #[must_use]
    pub fn manifest_place(mut self, place: ManifestPlace) -> Self {
        self.manifest_place = place;
        self
    }

    /// What the names of all files start with.
    #[must_use]
    pub fn stem(&self) -> String {
        format!("terraform-provider-{}_{}", self.r#type, self.version)
    }

    /// The name of a platform's archive.
    #[must_use]
    pub fn archive_name(&self, platform: &str) -> String {
        format!("{}_{platform}.zip", self.stem())
    }

    /// The name of the manifest.
    #[must_use]
    pub fn manifest_name(&self) -> String {
        format!("{}_manifest.json", self.stem())
    }

    /// The path of SHA256SUMS in `dist`.
    #[must_use]
    pub fn sums_path(&self, dist: &Path) -> PathBuf {
        dist.join(format!("{}_SHA256SUMS", self.stem()))
    }

    /// SHA256SUMS before any change.
    #[must_use]
    pub fn sums(&self) -> String {
        let archives = self.zips.iter().map(|(platform, zip)| (self.archive_name(platform), zip.to_bytes()));
        let listed = self.manifest_place != ManifestPlace::Nowhere;
        let manifest = listed.then(|| (self.manifest_name(), self.manifest.clone().into_bytes()));
        let line = |(name, bytes): (String, Vec<u8>)| format!("{}  {name}\n", Sha256Digest::of(&bytes));
        archives.chain(manifest).map(line).collect()
    }

    /// Writes everything into the directory `dist`, which is made if it is not there.
    ///
    /// # Errors
    /// What the file system says.
    pub fn write(&self, dist: &Path) -> io::Result<()> {
        fs::create_dir_all(dist)?;
        for (platform, zip) in &self.zips {
            let bytes = zip.to_bytes();
            let bytes = self.change_archive.get(platform).map_or_else(|| bytes.clone(), |change| change(&bytes));
            fs::write(dist.join(self.archive_name(platform)), bytes)?;
        }
        match self.manifest_place {
            ManifestPlace::Dist => fs::write(dist.join(self.manifest_name()), &self.manifest)?,
            ManifestPlace::Parent => fs::write(dist.join("../terraform-registry-manifest.json"), &self.manifest)?,
            ManifestPlace::Nowhere => {}
        }
        let sums = (self.change_sums)(self.sums().as_bytes());
        let signature = (self.change_signature)(&self.key.sign(&sums, &self.signature));
        let path = self.sums_path(dist);
        fs::write(path.with_added_extension("sig"), signature)?;
        fs::write(path, sums)?;
        // What else goreleaser leaves.
        for name in ["artifacts.json", "metadata.json", "config.yaml", "CHANGELOG.md"] {
            fs::write(dist.join(name), "{}")?;
        }
        fs::create_dir_all(dist.join("provider_linux_amd64_v1"))
    }
}

/// A manifest that states these protocol versions.
#[must_use]
pub fn manifest(protocols: &[&str]) -> String {
    format!("{}\n", serde_json::json!({ "version": 1, "metadata": { "protocol_versions": protocols } }))
}
