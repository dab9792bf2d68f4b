//! A storage worker of one's own, for as long as nobody else serves the state.

use std::fmt;
use std::fs::{File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde::Deserialize;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, BufReader};
use tokio::process::{Child, Command};

use super::connection::{Connection, ConnectionError, Token};

/// The script that serves storage, from the project's root.
const SCRIPT: &str = "scripts/local/storage.mjs";

/// How long the storage worker may take to start: workerd takes a second, a busy machine ten.
const START_TIMEOUT: Duration = Duration::from_mins(1);

/// How long the storage worker may take to end.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

/// The most bytes of the storage worker's complaint that are kept.
const MAX_COMPLAINT_BYTES: u64 = 64 * 1024;

/// Why storage cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The project is not there, or is not whole.
    #[error("`{}` is missing", .0.display())]
    NoScript(PathBuf),
    /// What the script needs is not installed.
    #[error("`{}` is missing", .0.display())]
    NotInstalled(PathBuf),
    /// There is no Node.js.
    #[error("`node` is not on the PATH")]
    NoNode(#[source] io::Error),
    /// The state cannot be made one's own.
    #[error("cannot lock `{}`", .0.display())]
    Lock(PathBuf, #[source] io::Error),
    /// The process could not be run.
    #[error("cannot run `node {SCRIPT}`")]
    Run(#[source] io::Error),
    /// The process ended, or said something else than where it listens.
    #[error("`node {SCRIPT}` did not start: {0}")]
    NotStarted(String),
    /// The process is silent.
    #[error("`node {SCRIPT}` did not start within {} seconds", START_TIMEOUT.as_secs())]
    Late,
    /// What the process said leads nowhere.
    #[error("`node {SCRIPT}` cannot be reached")]
    Connection(#[from] ConnectionError),
}

/// A running storage worker, which ends when this does: its standard input closes.
#[derive(Debug)]
pub struct Server {
    child: Child,
    _lock: File,
}

#[derive(Deserialize)]
struct Announcement {
    url: String,
    token: Token,
}

/// Makes this process the only one that serves `state`, waiting for others to be done.
///
/// # Errors
/// [`ServerError::Lock`] if the lock file cannot be made or locked.
pub(crate) async fn lock(state: &Path) -> Result<File, ServerError> {
    let path = state.join("yuba.lock");
    let (state, lock) = (state.to_owned(), path.clone());
    let locked = tokio::task::spawn_blocking(move || {
        std::fs::create_dir_all(&state)?;
        let file = File::options().create(true).append(true).open(lock)?;
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            say(format_args!("waiting for another yuba that works on `{}`", state.display()));
        }
        file.lock()?;
        Ok(file)
    });
    locked.await.unwrap_or_else(|stopped| Err(stopped.into())).map_err(|error| ServerError::Lock(path, error))
}

impl Server {
    /// Starts a storage worker over `state` with the script of the project in `root`, and connects to it.
    ///
    /// # Errors
    /// [`ServerError`] if it cannot be started or does not say where it listens.
    pub(crate) async fn start(root: &Path, state: &Path, lock: File) -> Result<(Self, Connection), ServerError> {
        for (path, missing) in [
            (root.join(SCRIPT), ServerError::NoScript as fn(_) -> _),
            (root.join("node_modules/miniflare"), ServerError::NotInstalled),
        ] {
            if !path.exists() {
                return Err(missing(path));
            }
        }
        let mut command = Command::new("node");
        command.arg(root.join(SCRIPT)).arg("--state").arg(state).current_dir(root).kill_on_drop(false);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C is for this process alone: the storage worker ends in order when its standard input does.
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.spawn().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => ServerError::NoNode(error),
            _ => ServerError::Run(error),
        })?;
        let announced = tokio::time::timeout(START_TIMEOUT, announcement(&mut child)).await;
        let Announcement { url, token } = announced.map_err(|_| ServerError::Late)??;
        let connection = Connection::new(&url, &token)?;
        Ok((Self { child, _lock: lock }, connection))
    }

    /// Ends the storage worker and waits for it, so that what it holds is on the disk.
    pub async fn stop(mut self) {
        drop(self.child.stdin.take());
        if tokio::time::timeout(STOP_TIMEOUT, self.child.wait()).await.is_err() {
            // It holds nothing that was promised: every write it answered is on the disk.
            let _ = self.child.kill().await;
        }
    }
}

/// Says `text` on standard error, in a line of its own. That nobody can read it is no reason to stop.
fn say(text: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// The one line that the storage worker prints once it answers.
async fn announcement(child: &mut Child) -> Result<Announcement, ServerError> {
    let (Some(stdout), Some(mut stderr)) = (child.stdout.take(), child.stderr.take()) else {
        return Err(ServerError::NotStarted("its output is not there".to_owned()));
    };
    let mut stdout = BufReader::new(stdout);
    let mut line = String::new();
    stdout.read_line(&mut line).await.map_err(ServerError::Run)?;
    let Ok(announced) = serde_json::from_str(&line) else {
        return Err(ServerError::NotStarted(complaint(&mut stderr, &line).await));
    };
    // What it says from now on is nobody's, but it must be able to say it.
    tokio::spawn(async move { tokio::io::copy(&mut stdout, &mut tokio::io::sink()).await });
    tokio::spawn(async move {
        let mut lines = BufReader::new(stderr).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            say(format_args!("storage: {line}"));
        }
    });
    Ok(announced)
}

/// What a process that did not start says about it, in one line: its own error line, or the last one.
async fn complaint(stderr: &mut (impl AsyncRead + Unpin), line: &str) -> String {
    let mut bytes = Vec::new();
    // A process that closed its output but not its errors would keep this waiting.
    let _ = tokio::time::timeout(STOP_TIMEOUT, stderr.take(MAX_COMPLAINT_BYTES).read_to_end(&mut bytes)).await;
    let text = String::from_utf8_lossy(&bytes);
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let error = lines().find_map(|line| line.strip_prefix("error: ")).or_else(|| lines().next_back());
    error.unwrap_or_else(|| if line.is_empty() { "it said nothing" } else { line.trim_end() }).to_owned()
}
