//! Asking before what cannot be taken back.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

use super::failure::Failure;

/// The only answer that means yes: a line feed from a hasty hand is none.
const YES: &str = "yes";

/// Asks on the terminal whether to do `what`.
///
/// # Errors
/// The refusal, if the answer is no or nobody can answer.
pub(crate) fn confirm(what: &str) -> Result<(), Failure> {
    if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
        return Err(Failure::refused(
            format!("nobody can be asked here whether to {what}"),
            "nothing was written: add `--yes` if you are sure, or `--dry-run` to see what would be written",
        ));
    }
    let mut stderr = io::stderr();
    // That the question cannot be written shows in that it is not answered.
    let _ = write!(stderr, "Type `{YES}` to {what}: ").and_then(|()| stderr.flush());
    let mut answer = String::new();
    let read = io::stdin().lock().read_line(&mut answer);
    if read.is_ok() && answer.trim() == YES {
        return Ok(());
    }
    Err(Failure::refused(
        "the answer was not `yes`",
        "nothing was written: run the same command again to be asked again",
    ))
}
