//! What is printed, and where.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write as _};

use serde::Serialize;

use super::failure::Failure;

/// Prints `text` on standard output. A reader that has seen enough is no failure.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::failed(error, "standard output cannot be written: check where it goes"))
        }
        _ => Ok(()),
    }
}

/// Says `text` on standard error, in a line of its own. That nobody can read it is no reason to stop.
pub(crate) fn say(text: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Text as one word of a command that a shell reads.
pub(crate) fn quoted(text: &str) -> Cow<'_, str> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./:@%+=,".contains(letter);
    if !text.is_empty() && text.chars().all(plain) {
        return text.into();
    }
    format!("'{}'", text.replace('\'', r"'\''")).into()
}

/// Text with what a terminal would obey made visible: file names and user IDs may hold anything.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::new();
    for letter in text.chars() {
        if letter.is_control() && letter != '\n' {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    shown
}

/// Prints one JSON document on standard output.
pub(crate) fn print_json(document: &impl Serialize) -> Result<(), Failure> {
    let json = serde_json::to_string_pretty(document);
    let json = json.map_err(|error| Failure::failed(error, "this is a bug: please report it"))?;
    print(&format!("{json}\n"))
}
