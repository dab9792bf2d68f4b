//! Defects of an archive as a whole.

use super::{DEFECTIVE, Defect, Entry, defect, zip};

pub(super) fn defects() -> Vec<Defect> {
    vec![
        defect("zip-readable", "cut off", |scene| scene.zip().cut = 30),
        defect("zip-readable", "miscounted", |scene| scene.zip().miscount = 1),
        defect("zip-empty", "no entries", |scene| scene.zip().entries.clear()),
        defect("zip-size", "10001 entries", |scene| {
            for number in 0..9_999 {
                let entry = Entry { method: zip::STORE, ..Entry::file(&format!("{number}"), b"") };
                scene.zip().entries.push(entry);
            }
        }),
        defect("zip-size", "33 levels", |scene| {
            scene.add(Entry::file(&format!("{}x", "a/".repeat(32)), b"deep"));
        }),
        defect("zip-size", "6 GiB stated", |scene| {
            for name in ["a", "b"] {
                scene.add(Entry { size: Some(3 << 30), ..Entry::file(name, b"") });
            }
        }),
        defect("zip-ratio", "100 MiB stated", |scene| {
            scene.add(Entry { size: Some(100 << 20), ..Entry::file("a", b"") });
        }),
        defect("zip-end", "comment", |scene| scene.zip().comment = b"made by hand".to_vec()),
        defect("zip-end", "bytes behind", |scene| scene.zip().suffix = vec![0; 100]),
        defect("zip-gaps", "bytes before", |scene| scene.zip().prefix = b"#!/bin/sh\n".to_vec()),
        defect("zip-gaps", "bytes between", |scene| scene.zip().gap = vec![0; 5]),
        defect("zip-overlap", "an entry inside another", |scene| {
            let inner = Entry { inside_previous: true, ..Entry::file("inner", b"content") };
            let outer = Entry { method: zip::STORE, ..Entry::file("outer", &inner.local_bytes()) };
            scene.add(inner);
            scene.add(outer);
        }),
        defect("zip-local-header", "another name", |scene| {
            scene.add(Entry { local_name: Some(b"evil".to_vec()), ..Entry::file("good", b"content") });
        }),
        defect("zip-encrypted", "flagged", |scene| {
            scene.add(Entry { flags: zip::ENCRYPTED, ..Entry::file("secret", b"content") });
        }),
        defect("zip-method", "bzip2", |scene| scene.add(Entry { method: 12, ..Entry::file("packed", b"content") })),
        defect("zip-data", "cut off", |scene| {
            scene.add(Entry { truncated: true, ..Entry::file("notes", b"some longer content that is cut off") });
        }),
        defect("zip-data", "bytes behind the data", |scene| {
            scene.add(Entry { padding: vec![0; 7], ..Entry::file("notes", b"content") });
        }),
        defect("zip-data", "not deflated", |scene| {
            let stored = Entry { method: zip::STORE, ..Entry::file("notes", b"\xff\xff\xff\xff") };
            scene.add(Entry { disguise: Some(zip::DEFLATE), ..stored });
        }),
        defect("zip-entry-size", "too small", |scene| {
            scene.add(Entry { size: Some(6), ..Entry::file("notes", b"content") });
        }),
        defect("zip-entry-size", "too large", |scene| {
            scene.add(Entry { size: Some(8), ..Entry::file("notes", b"content") });
        }),
        defect("zip-entry-size", "of a stored entry", |scene| {
            scene.add(Entry { size: Some(8), method: zip::STORE, ..Entry::file("notes", b"content") });
        }),
        defect("zip-crc", "another", |scene| {
            scene.add(Entry { crc: Some(0x1234_5678), ..Entry::file("notes", b"content") });
        }),
        defect("zip-twins", "two platforms", |scene| {
            let zip = scene.release.zips[DEFECTIVE].clone();
            scene.release.zips.insert("solaris_amd64".to_owned(), zip);
        }),
    ]
}
