//! `yuba restore`.

use clap::Args;
use yuba::version::Version;
use yuba_companion::life_cycle::Statement;

use super::Place;
use super::address::TypedAddress;
use super::failure::{Exit, Failure};
use super::life_cycle::{self, Manner};

/// Take back a deprecation or a yank
///
/// With a VERSION it takes back that the version is yanked, and without one that the provider is deprecated. What was
/// removed stays removed.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Restore {
    /// The provider: NAMESPACE/TYPE, or HOSTNAME/NAMESPACE/TYPE
    #[arg(value_name = "ADDRESS")]
    address: TypedAddress,

    /// The version [default: the provider as a whole]
    #[arg(id = "release", value_name = "VERSION")]
    version: Option<Version>,

    #[command(flatten)]
    place: Place,

    #[command(flatten)]
    manner: Manner,
}

const EXAMPLES: &str = "\
Examples:
  # the provider is maintained again; versions that are yanked stay so
  yuba restore acme/dns --target local

  # the version is sound after all
  yuba restore acme/dns 1.0.0 --target local";

impl Restore {
    pub(crate) async fn run(&self) -> Result<Exit, Failure> {
        let place = self.place.find()?;
        let address = self.address.find(&place).await?;
        let statement = match &self.version {
            Some(version) => Statement::NotYanked { version: version.clone() },
            None => Statement::NotDeprecated,
        };
        life_cycle::run(&place, &address, &statement, &self.manner).await
    }
}
