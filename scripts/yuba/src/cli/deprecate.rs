//! `yuba deprecate`.

use clap::Args;
use yuba_companion::life_cycle::Statement;

use super::Place;
use super::address::TypedAddress;
use super::failure::{Exit, Failure};
use super::life_cycle::{self, Manner};

/// Say of a provider that it is given up, and what to use instead
///
/// Every version stays installable, and every `tofu init` and `terraform init` that uses the provider shows the reason
/// as a warning. The same command with another reason replaces it; `yuba restore` takes it back.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Deprecate {
    /// The provider: NAMESPACE/TYPE, or HOSTNAME/NAMESPACE/TYPE
    #[arg(value_name = "ADDRESS")]
    address: TypedAddress,

    /// Why, in one line that users are shown
    #[arg(long, value_name = "TEXT")]
    reason: String,

    /// The provider to use instead, in this registry or another
    #[arg(long, value_name = "ADDRESS")]
    successor: Option<TypedAddress>,

    #[command(flatten)]
    place: Place,

    #[command(flatten)]
    manner: Manner,
}

const EXAMPLES: &str = "\
Examples:
  yuba deprecate acme/dns --reason 'nobody maintains it since 2026' --target local

  # say what to use instead, and see first what users would be shown
  yuba deprecate acme/dns --reason 'it moved' --successor acme/names --target local --dry-run
  yuba deprecate acme/dns --reason 'it moved' --successor registry.example/acme/names --target local";

impl Deprecate {
    pub(crate) async fn run(&self) -> Result<Exit, Failure> {
        let reason = life_cycle::parse_reason(&self.reason)?;
        let place = self.place.find()?;
        let address = self.address.find(&place).await?;
        let successor = self.successor.as_ref().map(|successor| successor.on(address.hostname())).transpose()?;
        let statement = Statement::Deprecated { reason, successor };
        life_cycle::run(&place, &address, &statement, &self.manner).await
    }
}
