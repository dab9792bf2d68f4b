//! What `scripts/bench` measures with.
//!
//! `benchmark content HOSTNAME SHA256 SIZE` prints what a registry stores; SHA256 and SIZE are an archive's. The
//! archives of the other platforms are not stored; what they would hold is text.
//!
//! ```json
//! {
//!   "documents": [{ "object": "meta/index", "copy": "index", "body": "{…}" }],
//!   "requests": [{ "route": "versions", "versions": 50, "path": "/v1/providers/…" }],
//!   "archive": { "object": "blob/sha256/…", "path": "/releases/…" },
//!   "other_archives": ["linux_386"]
//! }
//! ```
//!
//! `benchmark release DIRECTORY BYTES` writes a signed release with an executable of that size into `DIRECTORY/dist`, and
//! the key to `DIRECTORY/KEY.asc`.
//!
//! `benchmark releases DIRECTORY BYTES` does the same for 14 platforms, with executables that do not pack.
//!
//! `benchmark cloudflare` stands for Cloudflare until its standard input ends. It prints one line of what to set:
//!
//! ```json
//! { "api": "http://127.0.0.1:1", "r2": "http://127.0.0.1:2", "buckets": "/tmp/…", "access_key_id": "…", "secret_access_key": "…", … }
//! ```
//!
//! `r2` is the S3 server itself. It serves the directories in `buckets`.

mod cloudflare;
mod content;
mod release;

use std::env;
use std::error::Error;
use std::path::Path;

type Failure = Box<dyn Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["content", hostname, digest, size] => {
            let archive = content::Archive { digest: digest.parse()?, size: size.parse()? };
            println!("{}", content::content(hostname, &archive)?);
        }
        ["release", directory, bytes] => release::write(Path::new(directory), bytes.parse()?)?,
        ["releases", directory, bytes] => release::write_all(Path::new(directory), bytes.parse()?)?,
        ["cloudflare"] => cloudflare::serve()?,
        _ => {
            return Err(
                "name `content HOSTNAME SHA256 SIZE`, `release DIRECTORY BYTES`, `releases DIRECTORY BYTES` or \
                        `cloudflare`"
                    .into(),
            );
        }
    }
    Ok(())
}
