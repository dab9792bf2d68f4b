//! `yuba yank`.

use clap::Args;
use yuba::version::Version;
use yuba_companion::life_cycle::Statement;

use super::Place;
use super::address::TypedAddress;
use super::failure::{Exit, Failure};
use super::life_cycle::{self, Manner};

/// Say of a version that it should not be installed
///
/// It stays installable, because whoever has it in a lock file fails without it, and clients go on selecting it where it
/// is the newest that they may: publish a fixed version as well. Every `tofu init` and `terraform init` that uses the
/// provider shows the reason as a warning. The same command with another reason replaces it; `yuba restore` takes it
/// back. Versions that are yanked for the same reason share a line, so word it alike.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Yank {
    /// The provider: NAMESPACE/TYPE, or HOSTNAME/NAMESPACE/TYPE
    #[arg(value_name = "ADDRESS")]
    address: TypedAddress,

    /// The version
    #[arg(id = "release", value_name = "VERSION")]
    version: Version,

    /// Why, and what to use instead, in one line that users are shown
    #[arg(long, value_name = "TEXT")]
    reason: String,

    #[command(flatten)]
    place: Place,

    #[command(flatten)]
    manner: Manner,
}

const EXAMPLES: &str = "\
Examples:
  # see first what users would be shown
  yuba yank acme/dns 1.0.0 --reason 'it loses records; use 1.1.0' --target local --dry-run
  yuba yank acme/dns 1.0.0 --reason 'it loses records; use 1.1.0' --target local";

impl Yank {
    pub(crate) async fn run(&self) -> Result<Exit, Failure> {
        let reason = life_cycle::parse_reason(&self.reason)?;
        let place = self.place.find()?;
        let address = self.address.find(&place).await?;
        let statement = Statement::Yanked { version: self.version.clone(), reason };
        life_cycle::run(&place, &address, &statement, &self.manner).await
    }
}
