//! Defects of entry names and kinds.

use super::{Defect, Entry, Scene, defect};

fn add(scene: &mut Scene, names: &[&str]) {
    for name in names {
        scene.add(Entry::file(name, b"content"));
    }
}

pub(super) fn defects() -> Vec<Defect> {
    vec![
        defect("entry-text", "not UTF-8", |scene| {
            scene.add(Entry { name: b"caf\xe9".to_vec(), ..Entry::file("", b"content") });
        }),
        defect("entry-text", "line break", |scene| add(scene, &["a\nb"])),
        defect("entry-parent", "at the start", |scene| add(scene, &["../evil"])),
        defect("entry-parent", "in the middle", |scene| add(scene, &["a/../../evil"])),
        defect("entry-absolute", "slash", |scene| add(scene, &["/etc/profile"])),
        defect("entry-absolute", "drive letter", |scene| add(scene, &["C:/autoexec.bat"])),
        defect("entry-backslash", "path", |scene| add(scene, &["docs\\index.md"])),
        defect("entry-path", "dot", |scene| add(scene, &["./README"])),
        defect("entry-path", "empty part", |scene| add(scene, &["docs//index.md"])),
        defect("entry-path", "no name", |scene| add(scene, &[""])),
        defect("entry-directory", "by name and mode", |scene| scene.add(Entry::directory("docs/"))),
        defect("entry-directory", "by mode alone", |scene| scene.add(Entry::directory("docs"))),
        defect("entry-duplicate", "a file", |scene| add(scene, &["README", "README"])),
        defect("entry-case", "a file", |scene| add(scene, &["README", "Readme"])),
        defect("entry-case", "a directory", |scene| add(scene, &["docs/a", "Docs/b"])),
        defect("entry-case", "beyond ASCII", |scene| add(scene, &["ÄRGER", "ärger"])),
        defect("entry-inside-file", "a file", |scene| add(scene, &["docs", "docs/index.md"])),
        defect("entry-kind", "symbolic link", |scene| {
            scene.add(Entry { mode: 0o120_777, ..Entry::file("latest", b"LICENSE") });
        }),
        defect("entry-kind", "setuid", |scene| {
            scene.add(Entry { mode: 0o104_755, ..Entry::file("helper", b"content") });
        }),
        defect("entry-kind", "pipe", |scene| scene.add(Entry { mode: 0o010_644, ..Entry::file("pipe", b"") })),
    ]
}
