//! Defects of SHA256SUMS.

use std::fs;

use super::{DEFECTIVE, Defect, Entry, Scene, defect};

/// Changes the first line, given as digest and name.
fn change_first(scene: &mut Scene, change: fn(&str, &str) -> String) {
    scene.change_sums(move |sums| {
        let (first, rest) = sums.split_once('\n').unwrap();
        let (digest, name) = first.split_once("  ").unwrap();
        format!("{}\n{rest}", change(digest, name))
    });
}

pub(super) fn defects() -> Vec<Defect> {
    vec![
        defect("sums-text", "not UTF-8", |scene| {
            scene.release.change_sums = Box::new(|sums| [sums, &b"\xff\n"[..]].concat());
        }),
        defect("sums-text", "control character", |scene| {
            change_first(scene, |digest, name| format!("{digest}  {name}\u{8}"));
        }),
        defect("sums-empty", "no bytes", |scene| scene.change_sums(|_| String::new())),
        defect("sums-bom", "byte order mark", |scene| scene.change_sums(|sums| format!("\u{feff}{sums}"))),
        defect("sums-crlf", "every line", |scene| scene.change_sums(|sums| sums.replace('\n', "\r\n"))),
        defect("sums-blank-line", "at the end", |scene| scene.change_sums(|sums| format!("{sums}\n"))),
        defect("sums-blank-line", "at the start", |scene| scene.change_sums(|sums| format!("\n{sums}"))),
        defect("sums-blank-line", "of spaces", |scene| scene.change_sums(|sums| format!("{sums}  \n"))),
        defect("sums-comment", "first line", |scene| scene.change_sums(|sums| format!("# SHA-256\n{sums}"))),
        defect("sums-bsd", "first line", |scene| {
            change_first(scene, |digest, name| format!("SHA256 ({name}) = {digest}"));
        }),
        defect("sums-binary-mark", "first line", |scene| {
            change_first(scene, |digest, name| format!("{digest} *{name}"));
        }),
        defect("sums-line", "one space", |scene| change_first(scene, |digest, name| format!("{digest} {name}"))),
        defect("sums-line", "tab", |scene| change_first(scene, |digest, name| format!("{digest}\t{name}"))),
        defect("sums-line", "third field", |scene| {
            change_first(scene, |digest, name| format!("{digest}  {name} 4711"));
        }),
        defect("sums-line", "no name", |scene| {
            scene.change_sums(|sums| format!("{sums}{}\n", "0".repeat(64)));
        }),
        defect("sums-digest", "63 digits", |scene| {
            change_first(scene, |digest, name| format!("{}  {name}", &digest[1..]));
        }),
        defect("sums-digest", "SHA-512", |scene| {
            change_first(scene, |digest, name| format!("{digest}{digest}  {name}"));
        }),
        defect("sums-digest-case", "upper case", |scene| {
            change_first(scene, |digest, name| format!("{}  {name}", digest.to_uppercase()));
        }),
        defect("sums-final-newline", "missing", |scene| scene.change_sums(|sums| sums.trim_end().to_owned())),
        defect("sums-line-length", "70000 bytes", |scene| {
            scene.change_sums(|sums| format!("{sums}{}  {}.zip\n", "0".repeat(64), "x".repeat(70_000)));
        }),
        defect("sums-path", "dot and slash", |scene| {
            change_first(scene, |digest, name| format!("{digest}  ./{name}"));
        }),
        defect("sums-duplicate", "first line", |scene| {
            change_first(scene, |digest, name| format!("{digest}  {name}\n{digest}  {name}"));
        }),
        defect("sums-unlisted", "first archive", |scene| {
            scene.change_sums(|sums| sums.split_once('\n').unwrap().1.to_owned());
        }),
        defect("sums-absent-file", "an archive", |scene| {
            scene.change_sums(|sums| format!("{sums}{}  terraform-provider-dns_1.0.0_linux_arm.zip\n", "0".repeat(64)));
        }),
        defect("sums-mismatch", "an archive", |scene| {
            let mut zip = scene.zip().clone();
            zip.entries.push(Entry::file("NOTE", b"added later"));
            scene.release.change_archive.insert(DEFECTIVE.to_owned(), Box::new(move |_| zip.to_bytes()));
        }),
        defect("sums-mismatch", "the manifest", |scene| {
            let (name, text) = (scene.release.manifest_name(), scene.release.manifest.clone());
            scene.afterwards(move |dist| fs::write(dist.join(&name), format!("{text} ")));
        }),
    ]
}
