//! Defects of the manifest and its protocol versions.

use std::fs;

use super::super::{ManifestPlace, manifest};
use super::{Defect, Scene, defect};

fn set(scene: &mut Scene, text: &str) {
    scene.release.manifest = text.into();
}

pub(super) fn defects() -> Vec<Defect> {
    vec![
        defect("manifest", "none", |scene| scene.release.manifest_place = ManifestPlace::Nowhere),
        defect("manifest", "another than listed", |scene| {
            scene.release.manifest_place = ManifestPlace::Parent;
            scene.afterwards(|dist| fs::write(dist.join("../terraform-registry-manifest.json"), manifest(&["5.0"])));
        }),
        defect("manifest-format", "not JSON", |scene| set(scene, "protocols: 6.0\n")),
        defect("manifest-format", "no list", |scene| set(scene, r#"{"version":1,"metadata":{}}"#)),
        defect("manifest-format", "empty list", |scene| set(scene, &manifest(&[]))),
        defect("manifest-format", "version 2", |scene| {
            set(scene, r#"{"version":2,"metadata":{"protocol_versions":["6.0"]}}"#);
        }),
        defect("protocol", "a word", |scene| set(scene, &manifest(&["6.0", "six"]))),
        defect("protocol", "three numbers", |scene| set(scene, &manifest(&["6.0", "5.1.2"]))),
        defect("protocol-accepted", "too old", |scene| set(scene, &manifest(&["4.0"]))),
    ]
}
