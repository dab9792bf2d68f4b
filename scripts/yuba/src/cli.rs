//! The command line: what may be typed, and where each command is.
//!
//! Data goes to standard output and everything else to standard error. The exit status is 0 if it is done, 1 if the
//! input is refused, 2 if something else failed.

mod address;
mod care;
mod confirmation;
mod deprecate;
mod doctor;
mod failure;
mod finding;
mod fsck;
mod gc;
mod init;
mod key;
mod key_warning;
mod life_cycle;
mod list;
mod output;
mod pack;
mod place;
mod plan;
mod progress;
mod publish;
mod question;
mod remove;
mod restore;
mod show;
mod sign;
mod suggestion;
mod sync;
mod table;
mod verify;
mod yank;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};
use yuba::hostname::Hostname;
use yuba_companion::target::Target;

use failure::{Exit, Failure};

/// Verifies signed provider releases and publishes them.
///
/// Everything that can be proven about a release is proven before one byte of it is visible. Commands may be
/// interrupted at any time: what is listed stays whole, and the same command again completes what was begun.
#[derive(Debug, Parser)]
#[command(name = "yuba", version, propagate_version = true, after_help = EXAMPLES)]
struct Yuba {
    #[command(subcommand)]
    command: Command,
}

/// What the help of the whole command ends with.
const EXAMPLES: &str = "\
Examples:
  # once: register the key that signs your releases
  gpg --armor --export you@example.org > KEY.asc
  yuba key add --namespace acme KEY.asc --target local

  # see what would be written, then publish what goreleaser left in dist/
  yuba publish dist --namespace acme --target local --dry-run
  yuba publish dist --namespace acme --target local

  # see what clients see, down to the bytes of every archive
  yuba verify https://registry.example acme/dns

  # at Cloudflare: the token needs `Workers R2 Storage: Edit` and `Workers KV Storage: Edit`
  export CLOUDFLARE_API_TOKEN=… CLOUDFLARE_ACCOUNT_ID=…
  yuba publish dist --namespace acme --config ../registry/wrangler.toml

Environment, for `--target cloudflare`:
  CLOUDFLARE_API_TOKEN   the token, as wrangler uses it; R2's key pair is derived from it
  CLOUDFLARE_ACCOUNT_ID  the account, unless wrangler.toml names it
  R2_ACCESS_KEY_ID, R2_SECRET_ACCESS_KEY
                         a key pair of R2 to use instead of the token's own
  YUBA_R2_BUCKET, YUBA_R2_JURISDICTION, YUBA_KV_NAMESPACE_ID
                         what to work on where no wrangler.toml is here or above

Exit status: 0 done, 1 the input is refused, 2 something else failed.";

#[derive(Debug, Subcommand)]
enum Command {
    Init(init::Init),
    Doctor(doctor::Doctor),
    Pack(pack::Pack),
    Sign(sign::Sign),
    #[command(subcommand)]
    Key(key::Key),
    Publish(publish::Publish),
    List(list::List),
    Show(show::Show),
    Deprecate(deprecate::Deprecate),
    Yank(yank::Yank),
    Restore(restore::Restore),
    Remove(remove::Remove),
    Verify(verify::Verify),
    Sync(sync::Sync),
    Fsck(fsck::Fsck),
    Gc(gc::Gc),
}

/// Where a command works. Without `--target` it works on the registry that `scripts/dev` serves, if it runs inside
/// `scripts/dev -- COMMAND`; else at Cloudflare, if there are credentials for it; and nowhere else.
#[derive(Debug, Args)]
struct Place {
    /// The storage: `cloudflare`, the registry's R2 bucket and KV namespace; `local`, what `scripts/dev` serves, also
    /// while it does not run; or `dir:PATH`, plain files [default: inside `scripts/dev -- COMMAND`, what that serves;
    /// else `cloudflare` if `CLOUDFLARE_API_TOKEN` is set]
    #[arg(long, value_name = "TARGET")]
    target: Option<Target>,

    /// The registry's `wrangler.toml`, which names its bucket, KV namespace and hostname [default: the nearest one here
    /// or above]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// The hostname in the provider's address [default: this registry's own]
    #[arg(long, value_name = "HOST")]
    hostname: Option<Hostname>,
}

/// How a command reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// One document for programs
    Json,
}

#[derive(Debug, Args)]
struct Report {
    /// How to report on standard output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Runs the command that was typed.
pub(crate) fn main() -> ExitCode {
    let typed = match Yuba::try_parse() {
        Ok(typed) => typed,
        Err(error) => {
            // Help is an answer; anything else is refused input, whatever status clap would give.
            let exit = if error.use_stderr() { Exit::Refused } else { Exit::Done };
            let _ = error.print();
            return exit.into();
        }
    };
    output::say_notes();
    let done = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::failed(error, "check the limits of this machine (`ulimit -a`)"))
        .and_then(|runtime| runtime.block_on(run(typed.command)));
    match done {
        Ok(exit) => exit.into(),
        Err(failure) => failure.report().into(),
    }
}

async fn run(command: Command) -> Result<Exit, Failure> {
    match command {
        Command::Init(init) => init.run().await,
        Command::Doctor(doctor) => doctor.run().await,
        Command::Pack(pack) => pack.run(),
        Command::Sign(sign) => sign.run(),
        Command::Key(key) => key.run().await,
        Command::Publish(publish) => publish.run().await,
        Command::List(list) => list.run().await,
        Command::Show(show) => show.run().await,
        Command::Deprecate(deprecate) => deprecate.run().await,
        Command::Yank(yank) => yank.run().await,
        Command::Restore(restore) => restore.run().await,
        Command::Remove(remove) => remove.run().await,
        Command::Verify(verify) => verify.run().await,
        Command::Sync(sync) => sync.run().await,
        Command::Fsck(fsck) => fsck.run().await,
        Command::Gc(gc) => gc.run().await,
    }
}
