//! Releases with a single defect each, named for it and for the row of the verification table that finds it.

mod archive;
mod entries;
mod executable;
mod files;
mod key;
mod protocols;
mod signature;
mod sums;

use std::fs;
use std::io;
use std::path::Path;

use jiff::Timestamp;
use yuba::digest::Sha256Digest;
use yuba::document::{KeyRevocation, RevocationPolicy, Standing};

use super::{Entry, Key, Release, Zip, zip};

/// When releases are verified unless a defect says otherwise: a month after they were signed.
const VERIFIED_AT: &str = "2024-03-01T00:00:00Z";

/// The platforms of a release with a defect; the defect, if it is an archive's, is in the first's.
pub const PLATFORMS: [&str; 3] = ["linux_amd64", "darwin_arm64", "windows_amd64"];

/// The platform whose archive has the defect.
const DEFECTIVE: &str = "linux_amd64";

/// How the registry gave up a key.
#[derive(Debug, Clone)]
pub enum GivenUp {
    /// It was retired then.
    Retired(&'static str),
    /// It was revoked.
    Revoked(KeyRevocation),
}

impl GivenUp {
    /// It was revoked with `policy`, for this reason.
    #[must_use]
    pub fn revoked(policy: RevocationPolicy, reason: &str) -> Self {
        let at = "2024-02-15T00:00:00Z".to_owned();
        Self::Revoked(KeyRevocation { reason: reason.to_owned(), policy, at, certified: false })
    }

    /// How a key stands that was given up so, if it was.
    #[must_use]
    pub fn standing(given_up: Option<&Self>) -> Standing<'_> {
        match given_up {
            None => Standing::Active,
            Some(Self::Retired(since)) => Standing::Retired(since),
            Some(Self::Revoked(revocation)) => Standing::Revoked(revocation),
        }
    }
}

/// Does something to the directory of a release that was written.
type Step = Box<dyn Fn(&Path) -> io::Result<()>>;

/// A release before it is written, and what it is verified against.
pub struct Scene {
    /// The release.
    pub release: Release,
    /// The namespace, as somebody typed it.
    pub namespace: String,
    /// The registered keys, and how the registry gave them up.
    pub keys: Vec<(Key, Option<GivenUp>)>,
    /// When it is verified.
    pub now: Timestamp,
    afterwards: Vec<Step>,
}

impl Scene {
    /// A sound release, signed by a registered key.
    #[must_use]
    pub fn new() -> Self {
        let key = Key::new("acme");
        Self {
            release: Release::new("dns", "1.0.0", &key).platforms(&PLATFORMS),
            namespace: "acme".to_owned(),
            keys: vec![(key, None)],
            now: VERIFIED_AT.parse().unwrap(),
            afterwards: Vec::new(),
        }
    }

    /// Writes the release into the directory `dist`.
    ///
    /// # Errors
    /// What the file system says.
    pub fn write(&self, dist: &Path) -> io::Result<()> {
        self.release.write(dist)?;
        self.afterwards.iter().try_for_each(|step| step(dist))
    }

    /// The archive that has the defect.
    fn zip(&mut self) -> &mut Zip {
        self.release.zips.get_mut(DEFECTIVE).unwrap()
    }

    /// The executable in it.
    fn executable(&mut self) -> &mut Entry {
        self.zip().entries.last_mut().unwrap()
    }

    /// Adds an entry to the archive that has the defect.
    fn add(&mut self, entry: Entry) {
        self.zip().entries.insert(0, entry);
    }

    /// Changes SHA256SUMS, as text, before it is signed.
    fn change_sums(&mut self, change: impl Fn(&str) -> String + 'static) {
        self.release.change_sums = Box::new(move |sums| change(std::str::from_utf8(sums).unwrap()).into_bytes());
    }

    /// Adds an archive under any name, and its line.
    fn add_archive(&mut self, name: &'static str, zip: &Zip) {
        let bytes = zip.to_bytes();
        let line = format!("{}  {name}\n", Sha256Digest::of(&bytes));
        self.change_sums(move |sums| format!("{sums}{line}"));
        self.afterwards(move |dist| fs::write(dist.join(name), &bytes));
    }

    /// Signs with another key, which is registered.
    fn sign_with(&mut self, key: Key) {
        self.release.key = key.clone();
        self.keys = vec![(key, None)];
    }

    /// Gives up the key that signs.
    fn give_up(&mut self, given_up: &GivenUp) {
        self.keys.iter_mut().for_each(|(_, standing)| *standing = Some(given_up.clone()));
    }

    /// Does something to the directory after the release is written.
    fn afterwards(&mut self, step: impl Fn(&Path) -> io::Result<()> + 'static) {
        self.afterwards.push(Box::new(step));
    }
}

impl Default for Scene {
    fn default() -> Self {
        Self::new()
    }
}

/// One thing wrong with a release.
pub struct Defect {
    /// The row that finds it.
    pub row: &'static str,
    /// What it is.
    pub name: &'static str,
    make: fn(&mut Scene),
}

impl Defect {
    /// The release that has it.
    #[must_use]
    pub fn scene(&self) -> Scene {
        let mut scene = Scene::new();
        (self.make)(&mut scene);
        scene
    }
}

const fn defect(row: &'static str, name: &'static str, make: fn(&mut Scene)) -> Defect {
    Defect { row, name, make }
}

/// All defects, in the order of the table.
#[must_use]
pub fn all() -> Vec<Defect> {
    let areas = [
        files::defects(),
        sums::defects(),
        signature::defects(),
        key::defects(),
        archive::defects(),
        entries::defects(),
        executable::defects(),
        protocols::defects(),
    ];
    areas.into_iter().flatten().collect()
}
