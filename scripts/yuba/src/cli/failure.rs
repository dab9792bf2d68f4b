//! How a command ends, and what it says when it could not do what it was asked.

use std::error::Error;
use std::process::ExitCode;

use yuba_companion::store::Cause;

use yuba_companion::diagnosis::chain;

use super::output::{say, visible};

/// How a command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// What was asked is done.
    Done,
    /// The input is refused.
    Refused,
    /// Something other than the input is at fault.
    Failed,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::Refused => 1,
            Exit::Failed => 2,
        })
    }
}

/// An error with what to do about it.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    error: Box<dyn Error + Send + Sync>,
    hint: String,
}

impl Failure {
    /// The input is at fault.
    pub(crate) fn refused(error: impl Into<Box<dyn Error + Send + Sync>>, hint: impl Into<String>) -> Self {
        Self { exit: Exit::Refused, error: error.into(), hint: hint.into() }
    }

    /// Something else is at fault. Where storage says what would help, that is the hint.
    pub(crate) fn failed(error: impl Into<Box<dyn Error + Send + Sync>>, hint: impl Into<String>) -> Self {
        let error = error.into();
        let hint = remedy(&*error).unwrap_or_else(|| hint.into());
        Self { exit: Exit::Failed, error, hint }
    }

    /// The error and its causes in one line.
    pub(crate) fn message(&self) -> String {
        let error: &(dyn Error + 'static) = self.error.as_ref();
        chain(error)
    }

    /// What to do about it.
    pub(crate) fn hint(&self) -> &str {
        &self.hint
    }

    /// Prints it on standard error.
    pub(crate) fn report(&self) -> Exit {
        say(format_args!("error: {}", visible(&self.error.to_string())));
        let mut said = self.error.to_string();
        let mut cause = self.error.source();
        while let Some(error) = cause {
            let text = error.to_string();
            // Some libraries repeat their cause in their own message.
            if !said.ends_with(&text) {
                say(format_args!("caused by: {}", visible(&text)));
            }
            said = text;
            cause = error.source();
        }
        say(format_args!("hint: {}", visible(&self.hint)));
        self.exit
    }
}

/// What storage says would help.
fn remedy(error: &(dyn Error + 'static)) -> Option<String> {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(hint) = error.downcast_ref::<Cause>().and_then(Cause::hint) {
            return Some(hint);
        }
        cause = error.source();
    }
    None
}
