//! One flipped byte in an archive is found, or changes nothing that a client unpacks.

use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;
use yuba::digest::H1;
use yuba::document::Standing;
use yuba_companion::openpgp::{SignatureFile, SigningKey, parse_key_file};
use yuba_companion::verify::{KeyAge, Origin, Verdict, VerifiedRelease};
use yuba_tests::releases::defects::Scene;
use yuba_tests::releases::keys::SubkeySpec;
use yuba_tests::releases::{Key, KeySpec, Release, SignatureSpec, executable};

use super::judge;

/// Verifies a release whose archive has one byte changed before SHA256SUMS was made.
fn judge_flipped(flip: Option<(usize, u8)>, dist: &Path) -> Verdict {
    let mut scene = Scene::new();
    let key = scene.release.key.clone();
    scene.release = Release::new("dns", "1.0.0", &key).platform("linux_amd64", &executable("linux_amd64", "x"));
    scene.release.zips.get_mut("linux_amd64").unwrap().flip = flip;
    judge(&scene, dist, Origin::Own, KeyAge::Judge)
}

#[test]
fn a_sound_archive_is_as_long_as_the_property_below_supposes() {
    let directory = tempfile::tempdir().unwrap();
    let release = judge_flipped(None, directory.path()).release.unwrap();
    assert!(release.archives.values().all(|archive| (300..600).contains(&archive.size)));
}

fn h1(release: &VerifiedRelease) -> Vec<H1> {
    release.archives.values().map(|archive| archive.h1).collect()
}

static SOUND: LazyLock<Vec<H1>> = LazyLock::new(|| {
    let directory = tempfile::tempdir().unwrap();
    h1(&judge_flipped(None, directory.path()).release.unwrap())
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_flipped_byte_is_found_or_changes_nothing(position in 0_usize..600, mask in 1_u8..=255) {
        let directory = tempfile::tempdir().unwrap();
        if let Some(release) = judge_flipped(Some((position, mask)), directory.path()).release {
            prop_assert_eq!(&h1(&release), &*SOUND);
        }
    }

    /// Not all of a signature is signed, so that some changes are none.
    #[test]
    fn a_flipped_byte_of_a_signature_never_panics(position in 0_usize..200, mask in 1_u8..=255) {
        let signature = Key::new("acme").sign(b"text", &SignatureSpec::at(Scene::new().now));
        let mut flipped = signature.clone();
        let position = position % flipped.len();
        flipped[position] ^= mask;
        let key = SigningKey::parse(&Key::new("acme").ascii_armor(), Standing::Active).unwrap();
        if let Ok(file) = SignatureFile::parse(&flipped) {
            let judgement = file.judge(b"other text", &[key], Scene::new().now);
            prop_assert!(!judgement.defects.is_empty());
        }
    }

    #[test]
    fn a_flipped_byte_of_a_key_never_panics(position in 0_usize..300, mask in 1_u8..=255) {
        let mut key = KeySpec { subkey: Some(SubkeySpec::default()), ..KeySpec::new("acme") }.build().to_bytes();
        let position = position % key.len();
        key[position] ^= mask;
        let now = Scene::new().now;
        for key in parse_key_file(&key).into_iter().flatten() {
            let _ = key.facts(now);
        }
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = (SignatureFile::parse(&bytes).is_ok(), parse_key_file(&bytes).is_ok());
    }
}
