//! The names of entries: that they unpack under their own name, everywhere, and each to a file of its own.

use std::collections::BTreeMap;

use super::entry::Entry;
use crate::verify::check::Check;
use crate::verify::checks::archive::ZIP_SIZE;
use crate::verify::checks::entries::{
    ENTRY_ABSOLUTE, ENTRY_BACKSLASH, ENTRY_CASE, ENTRY_DIRECTORY, ENTRY_DUPLICATE, ENTRY_INSIDE_FILE, ENTRY_KIND,
    ENTRY_PARENT, ENTRY_PATH, ENTRY_TEXT,
};
use crate::verify::finding::{Findings, quote};
use crate::verify::limits::MAX_NAME_PARTS;

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

/// The files and directories that the names make, each known by its parent and its lower-case name.
#[derive(Default)]
struct Tree<'a> {
    nodes: BTreeMap<(usize, String), Node<'a>>,
}

/// A file or a directory.
struct Node<'a> {
    number: usize,
    spelling: &'a str,
    /// The first entry that lies below it.
    first_below: Option<&'a Entry>,
    file: Option<&'a Entry>,
}

impl<'a> Tree<'a> {
    /// Adds an entry under its name; what is wrong with the name beside those that are there already.
    fn add(&mut self, name: &'a str, entry: &'a Entry) -> Option<(&'static Check, String)> {
        let path = name.trim_end_matches('/');
        let mut parent = 0;
        let mut parts = path.split('/').peekable();
        while let Some(part) = parts.next() {
            let number = self.nodes.len() + 1;
            let new = || Node { number, spelling: part, first_below: None, file: None };
            let node = self.nodes.entry((parent, part.to_lowercase())).or_insert_with(new);
            if node.spelling != part {
                let what = format!("has {}, which differs in case alone from {}", quote(part), quote(node.spelling));
                return Some((&ENTRY_CASE, what));
            }
            if parts.peek().is_some() {
                node.first_below.get_or_insert(entry);
            } else if node.file.replace(entry).is_some() {
                return Some((&ENTRY_DUPLICATE, "is there twice".to_owned()));
            }
            parent = node.number;
        }
        None
    }

    /// The files that have entries below them, each with the first such entry.
    fn files_with_content(&self) -> impl Iterator<Item = (&'a Entry, &'a Entry)> {
        let both = self.nodes.values().filter_map(|node| Some((node.file?, node.first_below?)));
        both.filter(|(file, _)| !file.is_directory())
    }
}

/// Finds names that cannot all become files of their own.
fn check_collisions(entries: &[Entry], subject: &str, findings: &mut Findings) {
    let mut tree = Tree::default();
    for entry in entries {
        let Some(name) = &entry.name else {
            continue;
        };
        if name.split('/').count() > MAX_NAME_PARTS {
            let message = format!("entry {} is more than {MAX_NAME_PARTS} levels deep", entry.shown());
            findings.add(&ZIP_SIZE, subject, message);
            continue;
        }
        if let Some((check, what)) = tree.add(name, entry) {
            findings.add(check, subject, format!("entry {} {what}", entry.shown()));
        }
    }
    for (file, inside) in tree.files_with_content() {
        let message = format!("entry {} lies below the file {}", inside.shown(), file.shown());
        findings.add(&ENTRY_INSIDE_FILE, subject, message);
    }
}
