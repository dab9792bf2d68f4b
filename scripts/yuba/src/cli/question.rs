//! Questions to whoever sits at the terminal.

use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal as _, Write};
use std::str::FromStr;

/// Whether somebody is there to be asked.
pub(crate) fn somebody_is_there() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks for a value until there is a legal one. An empty answer means `default`; the end of input, that nobody answers.
pub(crate) fn ask<T>(question: &str, default: Option<T>) -> io::Result<T>
where
    T: FromStr<Err: Display> + Display,
{
    ask_through(&mut io::stdin().lock(), &mut io::stderr(), question, default)
}

/// Asks for consent, which an empty answer gives.
pub(crate) fn agree(question: &str) -> io::Result<bool> {
    agree_through(&mut io::stdin().lock(), &mut io::stderr(), question)
}

fn ask_through<T>(input: &mut dyn BufRead, output: &mut dyn Write, question: &str, default: Option<T>) -> io::Result<T>
where
    T: FromStr<Err: Display> + Display,
{
    loop {
        match &default {
            Some(default) => write!(output, "{question} [{default}]: ")?,
            None => write!(output, "{question}: ")?,
        }
        let answer = read_line(input, output)?;
        if answer.is_empty() {
            match default {
                Some(default) => return Ok(default),
                None => continue,
            }
        }
        match answer.parse() {
            Ok(value) => return Ok(value),
            Err(error) => writeln!(output, "{error}")?,
        }
    }
}

fn agree_through(input: &mut dyn BufRead, output: &mut dyn Write, question: &str) -> io::Result<bool> {
    loop {
        write!(output, "{question} [Y/n]: ")?;
        match read_line(input, output)?.to_ascii_lowercase().as_str() {
            "" | "y" | "yes" => return Ok(true),
            "n" | "no" => return Ok(false),
            _ => writeln!(output, "answer y or n")?,
        }
    }
}

fn read_line(input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<String> {
    output.flush()?;
    let mut line = String::new();
    if input.read_line(&mut line)? == 0 {
        writeln!(output)?;
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use yuba_companion::store::cloudflare::BucketName;

    use super::*;

    fn asked(input: &str, default: Option<&str>) -> (Option<String>, String) {
        let mut output = Vec::new();
        let default = default.map(|default| default.parse::<BucketName>().unwrap());
        let answer = ask_through(&mut input.as_bytes(), &mut output, "bucket", default);
        (answer.ok().map(|name| name.to_string()), String::from_utf8(output).unwrap())
    }

    #[test]
    fn a_question_is_asked_until_it_is_answered() {
        assert_eq!(asked("abc\n", None), (Some("abc".to_owned()), "bucket: ".to_owned()));
        assert_eq!(asked("\n", Some("abc")), (Some("abc".to_owned()), "bucket [abc]: ".to_owned()));
        assert_eq!(asked("\n\nabc", None), (Some("abc".to_owned()), "bucket: bucket: bucket: ".to_owned()));
        let (answer, said) = asked("A\nabc\n", None);
        assert_eq!(answer.as_deref(), Some("abc"));
        assert!(said.contains("\nbucket: ") && said.contains("`A` is no bucket name"), "{said}");
        assert_eq!(asked("", Some("abc")).0, None);
        assert_eq!(asked("A\n", None).0, None);
    }

    #[test]
    fn consent_is_yes_or_no() {
        let agreed = |input: &str| agree_through(&mut input.as_bytes(), &mut Vec::new(), "write it?").ok();
        for (input, expected) in
            [("\n", Some(true)), ("Yes\n", Some(true)), ("maybe\ny\n", Some(true)), ("n\n", Some(false)), ("", None)]
        {
            assert_eq!(agreed(input), expected, "{input:?}");
        }
    }
}
