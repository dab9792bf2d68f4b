//! Where the secret key and its passphrase come from: files, variables and a terminal, never an argument.

use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IsTerminal as _, Read as _};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use yuba_companion::openpgp::{Passphrase, SecretKey, SecretKeyError, Signer, UnlockError, parse_secret_keys};
use zeroize::Zeroizing;

use crate::cli::failure::Failure;

/// The environment variable with the secret key, armored, or that in base64, or the binary form in base64.
pub(super) const KEY_VARIABLE: &str = "YUBA_SIGNING_KEY";

/// The environment variable with the passphrase.
pub(super) const PASSPHRASE_VARIABLE: &str = "YUBA_SIGNING_PASSPHRASE";

/// The largest file that is read as a key; one with many signatures has some 100 KiB.
const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;

/// What armor starts with, and no base64 does.
const ARMOR: &[u8] = b"-----";

/// What to do about a source that holds no secret key.
const EXPORT: &str = "export the secret key: gpg --armor --export-secret-keys you@example.org";

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
enum SourceError {
    #[error("no key to sign with is named")]
    Nothing,
    #[error("cannot read `{}`", .0.display())]
    Read(PathBuf, #[source] io::Error),
    #[error("`{}` is larger than {MAX_FILE_BYTES} bytes, and no key file is", .0.display())]
    TooLarge(PathBuf),
    #[error("cannot use the key in `{}`", .0.display())]
    File(PathBuf, #[source] SecretKeyError),
    #[error("cannot use the key in the environment variable {KEY_VARIABLE}")]
    Variable(#[source] SecretKeyError),
}

/// Reads the secret keys of `file`, or of the environment variable if no file is named.
pub(super) fn read_keys(file: Option<&Path>) -> Result<Vec<SecretKey>, Failure> {
    let keys = match (file, variable(KEY_VARIABLE)) {
        (Some(path), _) => read_file(path)
            .and_then(|bytes| parse_secret_keys(&bytes).map_err(|error| SourceError::File(path.to_owned(), error))),
        (None, Some(value)) => {
            let bytes = decode(&Zeroizing::new(value.into_encoded_bytes()));
            bytes.and_then(|bytes| parse_secret_keys(&bytes)).map_err(SourceError::Variable)
        }
        (None, None) => Err(SourceError::Nothing),
    };
    keys.map_err(|error| match error {
        SourceError::Nothing => Failure::refused(
            error,
            format!("name a file with `--key FILE`, or set {KEY_VARIABLE} to the armored secret key"),
        ),
        _ => Failure::refused(error, EXPORT),
    })
}

/// Unlocks a key that is protected: by the environment variable, or by what is typed where somebody is there to.
pub(super) fn unlock(signer: &mut Signer) -> Result<(), Failure> {
    if !signer.is_locked() {
        return Ok(());
    }
    let passphrase = match variable(PASSPHRASE_VARIABLE).map(OsString::into_string) {
        Some(Ok(passphrase)) => passphrase,
        Some(Err(_)) => {
            return Err(Failure::refused(
                format!("{PASSPHRASE_VARIABLE} is not UTF-8"),
                "set it to the key's passphrase",
            ));
        }
        None if io::stdin().is_terminal() => {
            let prompt = format!("Passphrase of key {}: ", signer.fingerprint());
            rpassword::prompt_password(prompt)
                .map_err(|error| Failure::failed(error, format!("set {PASSPHRASE_VARIABLE} instead of typing")))?
        }
        None => {
            return Err(Failure::refused(
                format!("key `{}` is protected by a passphrase, and nobody is there to type it", signer.fingerprint()),
                format!("set {PASSPHRASE_VARIABLE}, or run this in a terminal"),
            ));
        }
    };
    signer.unlock(&Passphrase::new(passphrase)).map_err(|error| {
        let hint = match &error {
            UnlockError::Passphrase(_) => format!("check {PASSPHRASE_VARIABLE}, or unset it to type the passphrase"),
            UnlockError::Protection(..) => {
                "export the key with GnuPG 2.1 or newer, which protects it by AES".to_owned()
            }
        };
        Failure::refused(error, hint)
    })
}

/// A variable that is set to something: pipelines set those of missing secrets to nothing.
fn variable(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

fn read_file(path: &Path) -> Result<Zeroizing<Vec<u8>>, SourceError> {
    let failed = |error| SourceError::Read(path.to_owned(), error);
    let mut bytes = Zeroizing::new(Vec::new());
    let file = File::open(path).map_err(failed)?;
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(SourceError::TooLarge(path.to_owned()));
    }
    Ok(bytes)
}

/// The key in a variable's value, which is armor or base64 with any white space in it.
fn decode(value: &[u8]) -> Result<Zeroizing<Vec<u8>>, SecretKeyError> {
    if value.trim_ascii_start().starts_with(ARMOR) {
        return Ok(Zeroizing::new(value.trim_ascii_start().to_vec()));
    }
    let text: Zeroizing<Vec<u8>> =
        Zeroizing::new(value.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect());
    BASE64.decode(&*text).map(Zeroizing::new).map_err(|_| SecretKeyError::NotAKey)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_holds_armor_or_base64() {
        let decoded = |text: &str| decode(text.as_bytes()).map(|bytes| bytes.to_vec());
        assert_eq!(decoded("\n -----BEGIN x"), Ok(b"-----BEGIN x".to_vec()));
        assert_eq!(decoded(" LS0tLS1C\r\nRUdJTg== \n"), Ok(b"-----BEGIN".to_vec()));
        for text in ["gpg", "LS0tLS1CRUdJTg", "file://key.asc", "\u{e4}"] {
            assert_eq!(decoded(text), Err(SecretKeyError::NotAKey), "{text}");
        }
    }
}
