//! Defects of files and names.

use std::fs;

use super::super::Release;
use super::{DEFECTIVE, Defect, PLATFORMS, Scene, defect};

fn rename(scene: &mut Scene, r#type: &str, version: &str) {
    let key = scene.release.key.clone();
    scene.release = Release::new(r#type, version, &key).platforms(&PLATFORMS);
}

pub(super) fn defects() -> Vec<Defect> {
    vec![
        defect("namespace", "underscore", |scene| scene.namespace = "acme_labs".into()),
        defect("namespace", "two dashes", |scene| scene.namespace = "acme--labs".into()),
        defect("sums-file", "missing", |scene| {
            let path = scene.release.sums_path("".as_ref());
            scene.afterwards(move |dist| fs::remove_file(dist.join(&path)));
        }),
        defect("sums-file", "two", |scene| {
            scene.afterwards(|dist| fs::write(dist.join("terraform-provider-dns_0.9.0_SHA256SUMS"), ""));
        }),
        defect("sums-name", "another version", |scene| {
            let path = scene.release.sums_path("".as_ref());
            scene.afterwards(move |dist| {
                let other = dist.join("terraform-provider-dns_1.0.1_SHA256SUMS");
                fs::rename(dist.join(path.with_added_extension("sig")), other.with_added_extension("sig"))?;
                fs::rename(dist.join(&path), other)
            });
        }),
        defect("signature-file", "missing", |scene| {
            let path = scene.release.sums_path("".as_ref()).with_added_extension("sig");
            scene.afterwards(move |dist| fs::remove_file(dist.join(&path)));
        }),
        defect("signature-file", "huge", |scene| {
            scene.release.change_signature = Box::new(|_| vec![0x88; 1 << 17]);
        }),
        defect("archives", "none", |scene| scene.release.zips.clear()),
        defect("archive-file", "a directory", |scene| {
            let name = scene.release.archive_name(DEFECTIVE);
            scene.afterwards(move |dist| {
                fs::remove_file(dist.join(&name))?;
                fs::create_dir(dist.join(&name))
            });
        }),
        #[cfg(unix)]
        defect("archive-file", "a link to nothing", |scene| {
            let name = scene.release.archive_name(DEFECTIVE);
            scene.afterwards(move |dist| {
                fs::remove_file(dist.join(&name))?;
                std::os::unix::fs::symlink("nowhere", dist.join(&name))
            });
        }),
        defect("archive-name", "dashes for underscores", |scene| {
            let name = scene.release.archive_name(DEFECTIVE);
            let other = "terraform-provider-dns-1.0.0-linux-amd64.zip";
            let listed = name.clone();
            scene.change_sums(move |sums| sums.replace(&listed, other));
            scene.afterwards(move |dist| fs::rename(dist.join(&name), dist.join(other)));
        }),
        defect("archive-name", "another file", |scene| {
            let zip = scene.zip().clone();
            scene.add_archive("source.zip", &zip_with_note(zip));
        }),
        defect("type", "upper case", |scene| rename(scene, "DNS", "1.0.0")),
        defect("type", "terraform in it", |scene| rename(scene, "terraform-dns", "1.0.0")),
        defect("same-type", "two types", |scene| {
            let other = Release::new("http", "1.0.0", &scene.release.key).platforms(&["linux_arm64"]);
            scene.add_archive("terraform-provider-http_1.0.0_linux_arm64.zip", &other.zips["linux_arm64"]);
        }),
        defect("version", "leading v", |scene| rename(scene, "dns", "v1.0.0")),
        defect("version", "two numbers", |scene| rename(scene, "dns", "1.0")),
        defect("version", "leading zero", |scene| rename(scene, "dns", "1.00.0")),
        defect("version-length", "142 bytes", |scene| {
            rename(scene, "dns", &format!("1.0.0-rc.{}", "1a".repeat(66)));
        }),
        defect("version-number", "2^64", |scene| rename(scene, "dns", "1.0.18446744073709551616")),
        defect("version-number", "2^64 in the pre-release", |scene| {
            rename(scene, "dns", "1.0.0-rc.18446744073709551616");
        }),
        defect("version-zero", "0.0.0", |scene| rename(scene, "dns", "0.0.0")),
        defect("same-version", "two versions", |scene| {
            let other = Release::new("dns", "0.9.0", &scene.release.key).platforms(&["linux_arm64"]);
            scene.add_archive("terraform-provider-dns_0.9.0_linux_arm64.zip", &other.zips["linux_arm64"]);
        }),
        defect("platform", "a variant", |scene| {
            let zip = scene.release.zips.remove(DEFECTIVE).unwrap();
            scene.release.zips.insert("linux_amd64_v1".to_owned(), zip);
        }),
        defect("platform", "upper case", |scene| {
            let zip = scene.release.zips.remove(DEFECTIVE).unwrap();
            scene.release.zips.insert("Linux_x86".to_owned(), zip);
        }),
    ]
}

fn zip_with_note(mut zip: super::Zip) -> super::Zip {
    zip.entries.push(super::Entry::file("NOTE", b"another archive"));
    zip
}
