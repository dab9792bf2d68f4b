//! What is printed, and where.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write as _};
use std::sync::LazyLock;

use indicatif::MultiProgress;
use log::{LevelFilter, Log, Metadata, Record};
use serde::Serialize;

use super::failure::Failure;

/// Standard error where it is a terminal: progress bars, and lines above them.
pub(crate) static SCREEN: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::default);

/// Why a report does not reach its reader.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PrintError {
    /// Nothing takes it.
    #[error("standard output cannot be written")]
    Write(#[source] io::Error),
    /// It has no JSON form.
    #[error("the report cannot be written as JSON: this is a bug")]
    Json(#[source] serde_json::Error),
}

impl PrintError {
    /// The failure of a command that could not report what it did: `done`.
    pub(crate) fn after(self, done: &str) -> Failure {
        Failure::failed(self, format!("{done}: check where standard output goes"))
    }
}

/// Prints `text` on standard output. A reader that has seen enough is no failure.
pub(crate) fn print(text: &str) -> Result<(), PrintError> {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(PrintError::Write(error)),
        _ => Ok(()),
    }
}

/// Says `text` on standard error, in a line of its own. That nobody can read it is no reason to stop.
pub(crate) fn say(text: impl fmt::Display) {
    SCREEN.suspend(|| {
        let _ = writeln!(io::stderr(), "{text}");
    });
}

/// Says what goes on underneath where it takes long.
struct Notes;

impl Log for Notes {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("yuba")
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            say(format_args!("note: {}", visible(&record.args().to_string())));
        }
    }

    fn flush(&self) {}
}

/// Lets long waits be told on standard error.
pub(crate) fn say_notes() {
    // It fails only if it was done before.
    if log::set_logger(&Notes).is_ok() {
        log::set_max_level(LevelFilter::Info);
    }
}

/// Says on standard error what is the matter, and what to do about it; `word` is how bad it is.
pub(crate) fn say_matter(word: &str, matter: &str, hint: &str) {
    say(format_args!("{word}: {}\n  hint: {}", visible(matter), visible(hint)));
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
pub(crate) fn print_json(document: &impl Serialize) -> Result<(), PrintError> {
    let json = serde_json::to_string_pretty(document).map_err(PrintError::Json)?;
    print(&format!("{json}\n"))
}
