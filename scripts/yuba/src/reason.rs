//! Reasons: why something was withdrawn, in a line that clients print to terminals.

use std::fmt;
use std::str::FromStr;

/// The most characters of a reason: two lines of a terminal, which every `init` of every user shows.
pub const MAX_REASON_CHARACTERS: usize = 200;

/// Why a text is no reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReasonError {
    /// The text says nothing.
    #[error("a reason cannot be empty: say what is wrong and what to do")]
    Empty,
    /// The text is longer than anybody reads.
    #[error("a reason has at most {MAX_REASON_CHARACTERS} characters, and this has {0}")]
    TooLong(usize),
    /// The text has more than one line.
    #[error("a reason is one line: `{0}`")]
    Lines(String),
    /// The text holds what a terminal would obey, or what shows it in another order than it is read.
    #[error("a reason cannot hold the invisible character {character:?}: `{text}`")]
    Invisible {
        /// The character.
        character: char,
        /// The text, made visible.
        text: String,
    },
}

/// Why something was withdrawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason(String);

impl Reason {
    /// The words of somebody who did not write for clients, in as much of a line as there is.
    #[must_use]
    pub fn quote(text: &str) -> Self {
        let plain = text.chars().map(|letter| if is_invisible(letter) || ends_line(letter) { ' ' } else { letter });
        Self(plain.take(MAX_REASON_CHARACTERS).collect::<String>().trim().to_owned())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Reason {
    type Err = ReasonError;

    fn from_str(text: &str) -> Result<Self, ReasonError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(ReasonError::Empty);
        }
        let escaped = || text.escape_debug().to_string();
        if text.contains(ends_line) {
            return Err(ReasonError::Lines(escaped()));
        }
        if let Some(character) = text.chars().find(|character| is_invisible(*character)) {
            return Err(ReasonError::Invisible { character, text: escaped() });
        }
        match text.chars().count() {
            characters @ 0..=MAX_REASON_CHARACTERS => Ok(characters),
            characters => Err(ReasonError::TooLong(characters)),
        }?;
        Ok(Self(text.to_owned()))
    }
}

/// Whether what follows `character` is on another line (Unicode, section 5.8).
fn ends_line(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether `character` is a control character, or one that changes the direction or hides (Unicode Standard Annex 9,
/// section 2, and the zero-width ones).
fn is_invisible(character: char) -> bool {
    let formats = matches!(
        character,
        '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    );
    character.is_control() || formats
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_reason() {
        for text in ["it loses records; use 1.1.0", "größer als erlaubt", "ほげ", &"x".repeat(200)] {
            assert_eq!(text.parse::<Reason>().unwrap().as_str(), text);
        }
        assert_eq!("  spaced \n".parse::<Reason>().unwrap().as_str(), "spaced");
    }

    #[test]
    fn what_others_wrote_is_made_to_fit() {
        let quoted = Reason::quote(&format!("compromised: one\ntwo{}", "x".repeat(1000)));
        assert!(quoted.as_str().starts_with("compromised: one twox"));
        assert_eq!(quoted.as_str().parse::<Reason>().unwrap(), quoted);
    }

    #[test]
    fn what_is_no_line_or_obeyed_by_terminals_is_refused() {
        let parse = |text: &str| text.parse::<Reason>();
        for text in ["", " ", "\n"] {
            assert_eq!(parse(text), Err(ReasonError::Empty));
        }
        for text in ["a\nb", "a\r\nb", "a\u{2028}b", "a\u{85}b"] {
            assert_eq!(parse(text), Err(ReasonError::Lines(text.escape_debug().to_string())));
        }
        for character in ['\u{1b}', '\u{7}', '\t', '\u{9b}', '\u{202e}', '\u{2066}', '\u{200b}', '\u{feff}'] {
            let text = format!("a{character}b");
            let error = parse(&text).unwrap_err();
            assert_eq!(error, ReasonError::Invisible { character, text: text.escape_debug().to_string() });
            assert!(!error.to_string().contains(character), "{error}");
        }
        assert_eq!(parse(&"ü".repeat(201)), Err(ReasonError::TooLong(201)));
    }
}
