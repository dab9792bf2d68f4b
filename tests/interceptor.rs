//! Something between `yuba` and its storage that counts what it asks for, and kills it at a chosen moment.

use std::io::{self, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How often the process is looked after.
const LOOK: Duration = Duration::from_millis(2);

/// When a process is killed, by its request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Before storage hears of the request.
    Before,
    /// When storage has half of the request's body.
    During,
    /// After storage has done it, and before the process hears of that.
    After,
}

/// A request to storage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// The method.
    pub method: String,
    /// The path and the query.
    pub path: String,
    /// How storage answered, if it was asked.
    pub status: Option<u16>,
}

impl Operation {
    /// Whether it is the upload of an archive.
    #[must_use]
    pub fn is_upload(&self) -> bool {
        self.method == "PUT" && self.path.starts_with("/r2/blob/")
    }
}

/// What became of a process.
#[derive(Debug)]
pub struct Run {
    /// How it ended.
    pub status: ExitStatus,
    /// What it asked of storage.
    pub operations: Vec<Operation>,
    /// What it said on standard error.
    pub said: String,
}

#[derive(Default)]
struct Watched {
    child: Option<Child>,
    kill: Option<(usize, Moment)>,
    operations: Vec<Operation>,
}

/// A way to the storage at `upstream` that watches one process at a time.
pub struct Interceptor {
    address: SocketAddr,
    watched: Arc<Mutex<Watched>>,
}

/// A panic elsewhere leaves this whole.
fn locked(watched: &Mutex<Watched>) -> MutexGuard<'_, Watched> {
    watched.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Interceptor {
    /// Listens on this machine for what goes to `upstream`.
    ///
    /// # Panics
    /// If nothing can listen here.
    #[must_use]
    pub fn new(upstream: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let watched = Arc::new(Mutex::new(Watched::default()));
        let shared = Arc::clone(&watched);
        thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let shared = Arc::clone(&shared);
                // A connection that breaks is the point.
                thread::spawn(move || drop(serve(connection, upstream, &shared)));
            }
        });
        Self { address, watched }
    }

    /// Where it listens.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Runs `command` to its end, which is SIGKILL at the request of the given number, from 0, if there is one.
    ///
    /// # Panics
    /// If it cannot be started.
    pub fn run(&self, command: &mut Command, kill: Option<(usize, Moment)>) -> Run {
        let mut watched = locked(&self.watched);
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        *watched = Watched { child: Some(child.expect("a process")), kill, operations: Vec::new() };
        drop(watched);
        loop {
            let mut watched = locked(&self.watched);
            let ended = watched.child.as_mut().and_then(|child| child.try_wait().expect("a child"));
            if let Some(status) = ended {
                let mut said = String::new();
                // What it says fits into the pipe, and a killed one is done with it.
                let stderr = watched.child.take().and_then(|child| child.stderr);
                let _ = stderr.map(|mut stderr| stderr.read_to_string(&mut said));
                return Run { status, operations: std::mem::take(&mut watched.operations), said };
            }
            drop(watched);
            thread::sleep(LOOK);
        }
    }
}

/// Serves the one request that a connection is used for.
fn serve(connection: TcpStream, upstream: SocketAddr, watched: &Mutex<Watched>) -> io::Result<()> {
    let mut reader = BufReader::new(connection);
    let lines = read_head(&mut reader)?;
    let words: Vec<&str> = lines.first().map(|line| line.split(' ').collect()).unwrap_or_default();
    let [method, path, ..] = words.as_slice() else { return Ok(()) };
    let number = count(watched, method, path);
    let moment = locked(watched).kill.filter(|(at, _)| Some(*at) == number).map(|(_, moment)| moment);
    if moment == Some(Moment::Before) {
        return kill(watched);
    }
    let length = header(&lines, "content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut storage = TcpStream::connect(upstream)?;
    storage.write_all(lines.concat().as_bytes())?;
    storage.write_all(b"\r\n")?;
    if moment == Some(Moment::During) {
        io::copy(&mut reader.by_ref().take(length / 2), &mut storage)?;
        return kill(watched);
    }
    io::copy(&mut reader.by_ref().take(length), &mut storage)?;
    let (status, answer) = read_answer(&mut BufReader::new(storage), method)?;
    if let Some(number) = number
        // A run may have ended meanwhile, and taken its operations along.
        && let Some(operation) = locked(watched).operations.get_mut(number)
    {
        operation.status = status;
    }
    if moment == Some(Moment::After) {
        return kill(watched);
    }
    reader.get_mut().write_all(&answer)
}

/// The lines before the body, the empty one excluded.
fn read_head(reader: &mut impl io::BufRead) -> io::Result<Vec<String>> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line == "\r\n" {
            return Ok(lines);
        }
        lines.push(line);
    }
}

/// The status and the bytes of an answer, after which the connection is closed (RFC 9112, section 6.3).
fn read_answer(reader: &mut impl io::BufRead, method: &str) -> io::Result<(Option<u16>, Vec<u8>)> {
    let lines = read_head(reader)?;
    let status = lines.first().and_then(|line| line.split(' ').nth(1)?.parse().ok());
    let mut answer = lines.concat().into_bytes();
    answer.extend(b"connection: close\r\n\r\n");
    if method == "HEAD" || status == Some(204) {
        return Ok((status, answer));
    }
    if let Some(length) = header(&lines, "content-length").and_then(|length| length.parse().ok()) {
        io::copy(&mut reader.take(length), &mut answer)?;
        return Ok((status, answer));
    }
    // In chunks, each after its length; the last one is empty, and nothing follows it here.
    loop {
        let mut size = String::new();
        reader.read_line(&mut size)?;
        answer.extend(size.as_bytes());
        let length = u64::from_str_radix(size.trim(), 16).map_err(io::Error::other)?;
        io::copy(&mut reader.take(length + 2), &mut answer)?;
        if length == 0 {
            return Ok((status, answer));
        }
    }
}

/// Notes a request about a key, and gives its number.
fn count(watched: &Mutex<Watched>, method: &str, path: &str) -> Option<usize> {
    if path == "/" {
        return None;
    }
    let mut watched = locked(watched);
    watched.operations.push(Operation { method: method.to_owned(), path: path.to_owned(), status: None });
    Some(watched.operations.len() - 1)
}

fn header<'l>(lines: &'l [String], name: &str) -> Option<&'l str> {
    let fields = lines.iter().filter_map(|line| line.split_once(':'));
    fields.filter(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim()).next_back()
}

/// Ends the process as nothing can be prepared for: by SIGKILL.
fn kill(watched: &Mutex<Watched>) -> io::Result<()> {
    // The process may be quicker to ask than `run` is to note it; the lock is held until it has.
    locked(watched).child.as_mut().map_or(Ok(()), Child::kill)
}
