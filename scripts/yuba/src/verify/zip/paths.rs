//! The names of entries: that they unpack under their own name, everywhere, and each to a file of its own.

use std::collections::{BTreeMap, BTreeSet};

use super::entry::Entry;
use crate::verify::check::Check;
use crate::verify::checks::entries::{
    ENTRY_ABSOLUTE, ENTRY_BACKSLASH, ENTRY_CASE, ENTRY_DIRECTORY, ENTRY_DUPLICATE, ENTRY_INSIDE_FILE, ENTRY_KIND,
    ENTRY_PARENT, ENTRY_PATH, ENTRY_TEXT,
};
use crate::verify::finding::{Findings, quote};

/// Checks the names and kinds of all entries.
pub(crate) fn check(entries: &[Entry], subject: &str, findings: &mut Findings) {
    for entry in entries {
        if let Some((check, what)) = check_name(entry) {
            findings.add(check, subject, format!("entry {} {what}", entry.shown()));
        }
        if let Some(kind) = entry.special_kind() {
            findings.add(&ENTRY_KIND, subject, format!("entry {} is {kind}", entry.shown()));
        }
        if entry.is_directory() {
            findings.add(&ENTRY_DIRECTORY, subject, format!("entry {} is a directory", entry.shown()));
        }
    }
    check_collisions(entries, subject, findings);
}

/// What is wrong with a name by itself.
fn check_name(entry: &Entry) -> Option<(&'static Check, &'static str)> {
    let Some(name) = &entry.name else {
        return Some((&ENTRY_TEXT, "has a name that is not UTF-8"));
    };
    if name.chars().any(char::is_control) {
        return Some((&ENTRY_TEXT, "has a control character in its name"));
    }
    if name.contains('\\') {
        return Some((&ENTRY_BACKSLASH, "has a backslash in its name"));
    }
    let has_drive = matches!(name.as_bytes(), [drive, b':', ..] if drive.is_ascii_alphabetic());
    if name.starts_with('/') || has_drive {
        return Some((&ENTRY_ABSOLUTE, "has an absolute name"));
    }
    let path = name.strip_suffix('/').filter(|_| entry.is_directory()).unwrap_or(name);
    if path.split('/').any(|part| part == "..") {
        return Some((&ENTRY_PARENT, "has a `..` part in its name"));
    }
    if path.split('/').any(|part| part.is_empty() || part == ".") {
        return Some((&ENTRY_PATH, "has an empty or a `.` part in its name"));
    }
    None
}

/// Finds names that cannot all become files of their own.
fn check_collisions(entries: &[Entry], subject: &str, findings: &mut Findings) {
    let mut spellings: BTreeMap<String, String> = BTreeMap::new();
    let mut files = BTreeSet::new();
    let mut parents = BTreeMap::new();
    for entry in entries {
        let text = String::from_utf8_lossy(&entry.raw_name);
        let name = text.trim_end_matches('/');
        if !files.insert(name.to_owned()) {
            findings.add(&ENTRY_DUPLICATE, subject, format!("entry {} is there twice", entry.shown()));
            continue;
        }
        let cuts = name.match_indices('/').map(|(at, _)| at).chain([name.len()]);
        for path in cuts.filter_map(|cut| name.get(..cut)) {
            let spelling = spellings.entry(path.to_lowercase()).or_insert_with(|| path.to_owned());
            if spelling != path {
                let message = format!("{} and {} differ in case alone", quote(spelling), quote(path));
                findings.add(&ENTRY_CASE, subject, message);
                break;
            }
            if path.len() < name.len() {
                parents.entry(path.to_owned()).or_insert_with(|| entry.shown());
            }
        }
    }
    for entry in entries.iter().filter(|entry| !entry.is_directory()) {
        if let Some(inside) = entry.name.as_ref().and_then(|name| parents.get(name)) {
            findings.add(&ENTRY_INSIDE_FILE, subject, format!("entry {inside} lies below the file {}", entry.shown()));
        }
    }
}
