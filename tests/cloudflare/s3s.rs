//! A process of `s3s-fs`, an S3 server over a directory.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::tools;

/// What the server says before its address.
const ANNOUNCEMENT: &str = "server is running at ";

/// A running server, which ends with its value.
pub(super) struct S3s {
    process: Child,
    pub(super) url: String,
}

impl S3s {
    /// Serves the directories in `root` as buckets, to whoever has the key pair.
    pub(super) fn start(root: &Path, access_key: &str, secret_key: &str) -> Result<Self, String> {
        let binary = tools::find("S3S_FS")?;
        let mut command = Command::new(&binary);
        command.args(["--host", "127.0.0.1", "--port", "0"]);
        command.args(["--access-key", access_key, "--secret-key", secret_key]).arg(root);
        // It says where it listens in its log and nowhere else.
        command.env("RUST_LOG", "s3s_fs=info").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().map_err(|error| format!("{}: {error}", binary.display()))?;
        let mut lines = BufReader::new(process.stdout.take().expect("its output")).lines();
        let url = lines.by_ref().map_while(Result::ok).find_map(|line| address(&line));
        let Some(url) = url else {
            let _ = process.kill();
            return Err("s3s-fs did not say where it listens".to_owned());
        };
        // What it says from now on is nobody's, but it must be able to say it.
        std::thread::spawn(move || lines.for_each(drop));
        Ok(Self { process, url })
    }
}

fn address(line: &str) -> Option<String> {
    let (_, rest) = line.split_once(ANNOUNCEMENT)?;
    Some(rest.split([',', ' ']).next().unwrap_or_default().trim().to_owned())
}

impl Drop for S3s {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
