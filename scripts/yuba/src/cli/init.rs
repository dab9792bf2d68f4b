//! `yuba init`.

mod report;

use std::io;
use std::path::Path;

use clap::{Args, ValueEnum};
use yuba_companion::deployment::{
    self, Change, Configuration, ConfigurationError, CustomDomain, NamespaceTitle, Plan, PreparationError, Trouble,
    Wish, Wrangler, WranglerError,
};
use yuba_companion::project::Project;
use yuba_companion::store::cloudflare::{BucketName, Jurisdiction, KvNamespaceId};

use super::failure::{Exit, Failure};
use super::output::{say, visible};
use super::question;
use super::{Format, Report};
use report::Initialisation;

/// Prepare a deployment: create what it needs at Cloudflare and write it into wrangler.toml
///
/// Asks for what is not given, shows what it will do, and asks before it does it. The R2 bucket and the KV namespace are
/// created through the project's wrangler, with the account that wrangler is logged in to; those that exist by their
/// name are used as they are. Running it again changes nothing that is configured, and completes what was interrupted.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Init {
    /// The registry's hostname: a name in a zone of your Cloudflare account
    #[arg(long, value_name = "HOST")]
    hostname: Option<CustomDomain>,

    /// The R2 bucket for documents and archives [default: the one in wrangler.toml]
    #[arg(long, value_name = "NAME")]
    bucket: Option<BucketName>,

    /// The KV namespace for copies of the documents [default: yuba-metadata]
    #[arg(long, value_name = "NAME")]
    kv_namespace: Option<NamespaceTitle>,

    /// The jurisdiction that the bucket's content must not leave: `eu` or `fedramp`
    #[arg(long, value_name = "NAME")]
    jurisdiction: Option<Jurisdiction>,

    /// Where a new bucket should be, as a hint to R2 [default: near to whoever creates it]
    #[arg(long, value_enum, value_name = "HINT")]
    location: Option<Location>,

    /// Ask nothing: what is not given is as it is configured, or the default
    #[arg(long)]
    yes: bool,

    /// Look at what is there and say what would be done, but do nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    report: Report,
}

const EXAMPLES: &str = "\
Examples:
  # log in to Cloudflare once, then answer the questions
  npx wrangler login
  yuba init

  # in a pipeline, with CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID set
  yuba init --hostname registry.example --location weur --yes

  # what would be created and written
  yuba init --hostname registry.example --dry-run";

/// What a KV namespace is called if nothing else is asked for: in a shared account, nobody else's is.
const USUAL_TITLE: &str = "yuba-metadata";

/// R2's location hints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Location {
    /// Western Europe
    Weur,
    /// Eastern Europe
    Eeur,
    /// Asia and the Pacific
    Apac,
    /// Western North America
    Wnam,
    /// Eastern North America
    Enam,
    /// Oceania
    Oc,
}

impl Location {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Weur => "weur",
            Self::Eeur => "eeur",
            Self::Apac => "apac",
            Self::Wnam => "wnam",
            Self::Enam => "enam",
            Self::Oc => "oc",
        }
    }
}

impl Init {
    pub(crate) async fn run(&self) -> Result<Exit, Failure> {
        let directory = std::env::current_dir()
            .map_err(|error| Failure::failed(error, "change to a directory that exists and can be read"))?;
        let project = Project::find(&directory).ok_or_else(no_project)?;
        let mut configuration = Configuration::read(project.configuration()).map_err(|error| fail(error.into()))?;
        let wrangler = Wrangler::find(project.root()).map_err(|error| fail(error.into()))?;
        let usual: NamespaceTitle = parsed(USUAL_TITLE)?;
        let wish = self.wish(&configuration, &usual)?;
        let planned = deployment::plan(&configuration, &wish, &wrangler, &usual).await;
        let (plan, changes) = planned.map_err(fail)?;
        let path = configuration.path().to_owned();
        if self.dry_run {
            return self.print(&Initialisation::rehearsed(&path, &plan, changes), "nothing was done");
        }
        let is_done = plan.creates_nothing() && changes.is_empty();
        if !is_done && !self.may_begin(&path, &plan, &changes)? {
            say("nothing was done");
            return Ok(Exit::Refused);
        }
        let prepared = deployment::carry_out(&plan, &mut configuration, &wrangler).await.map_err(fail)?;
        self.print(&Initialisation::done(&path, &plan, prepared), "the deployment is prepared all the same")
    }

    /// What is wished for, asking where that is possible.
    fn wish(&self, configuration: &Configuration, usual: &NamespaceTitle) -> Result<Wish, Failure> {
        let asking = !self.yes && question::somebody_is_there();
        let configured = configuration.hostname().and_then(|hostname| hostname.parse::<CustomDomain>().ok());
        let domain = match (&self.hostname, configured) {
            (Some(domain), _) => domain.clone(),
            (None, Some(domain)) => domain,
            (None, None) if asking => {
                answer(question::ask("the registry's hostname, in a zone of your account", None))?
            }
            (None, None) => return Err(no_hostname()),
        };
        let is_new = configuration.namespace().is_none_or(|id| id.parse::<KvNamespaceId>().is_err());
        let ask = asking && is_new;
        let bucket = match (&self.bucket, configuration.bucket()) {
            (Some(bucket), _) => bucket.clone(),
            (None, Some(bucket)) if ask => answer(question::ask("R2 bucket", bucket.parse().ok()))?,
            (None, Some(bucket)) => parsed(bucket)?,
            (None, None) => return Err(no_bucket()),
        };
        let title = match &self.kv_namespace {
            None if ask => Some(answer(question::ask("KV namespace", Some(usual.clone())))?),
            title => title.clone(),
        };
        let jurisdiction = match (self.jurisdiction, configuration.jurisdiction()) {
            (Some(jurisdiction), _) => jurisdiction,
            (None, Some(configured)) => parsed(configured)?,
            (None, None) => Jurisdiction::Default,
        };
        Ok(Wish { domain, bucket, title, jurisdiction, location: self.location.map(Location::as_str) })
    }

    /// Whether what is planned may be done.
    fn may_begin(&self, path: &Path, plan: &Plan, changes: &[Change]) -> Result<bool, Failure> {
        if self.yes {
            return Ok(true);
        }
        if !question::somebody_is_there() {
            return Err(Failure::refused(
                "nobody can be asked whether that is right",
                "see what would be done with `--dry-run`, then add `--yes`",
            ));
        }
        say(visible(report::planned(path, plan, changes).trim_end()));
        answer(question::agree("do this?"))
    }

    fn print(&self, report: &Initialisation, done: &str) -> Result<Exit, Failure> {
        let printed = match self.report.format {
            Format::Text => report.print_text(),
            Format::Json => report.print_json(),
        };
        printed.map_err(|error| error.after(done))?;
        Ok(Exit::Done)
    }
}

fn answer<T>(answer: io::Result<T>) -> Result<T, Failure> {
    answer.map_err(|error| Failure::refused(error, "answer the question, or give the answers as flags and `--yes`"))
}

fn parsed<T: std::str::FromStr<Err: std::error::Error + Send + Sync + 'static>>(text: &str) -> Result<T, Failure> {
    text.parse().map_err(|error: T::Err| Failure::refused(error, "name another one: see `yuba init --help`"))
}

fn no_project() -> Failure {
    Failure::refused(
        "no `wrangler.toml` is here or above",
        "run this in a checkout of the registry, whose `wrangler.toml` the deployment is written into",
    )
}

fn no_hostname() -> Failure {
    Failure::refused("the registry's hostname is not known", "name it: `--hostname registry.example`")
}

fn no_bucket() -> Failure {
    Failure::refused(
        "`wrangler.toml` has no `r2_buckets` entry with the binding `ARCHIVES`",
        "start from the project's own wrangler.toml: git checkout wrangler.toml",
    )
}

fn fail(error: PreparationError) -> Failure {
    let hint = match &error {
        PreparationError::Conflict(_) => {
            return Failure::refused(
                error,
                "nothing was changed: for another registry use another checkout; to change this one, edit wrangler.toml by hand",
            );
        }
        PreparationError::Configuration(error) => return fail_configuration(error),
        PreparationError::Wrangler(error) => match error {
            WranglerError::NotInstalled(_) => {
                "run `scripts/setup` in the project: it installs what package-lock.json names"
            }
            WranglerError::Start(..) => "install Node.js 20.3 or newer, and run `scripts/setup` in the project",
            WranglerError::Malformed(..) => "run that command yourself: this yuba was written for wrangler 4.86",
            WranglerError::Failed { trouble, .. } => remedy(*trouble),
        },
    };
    Failure::failed(error, format!("{hint}; then run the same command again"))
}

fn fail_configuration(error: &ConfigurationError) -> Failure {
    let text = error.to_string();
    let source = std::error::Error::source(error).map(ToString::to_string);
    let text = source.map_or_else(|| text.clone(), |source| format!("{text}: {}", source.trim_end()));
    match error {
        ConfigurationError::Read(..) | ConfigurationError::Write(..) => {
            Failure::failed(text, "check the file's permissions and run the same command again")
        }
        ConfigurationError::Changed(_) => Failure::failed(text, "look at it, and run the same command again"),
        ConfigurationError::Toml(..) | ConfigurationError::Missing { .. } => {
            Failure::refused(text, "mend the file, or start from the project's own: git checkout wrangler.toml")
        }
    }
}

/// What to do about wrangler's trouble.
const fn remedy(trouble: Trouble) -> &'static str {
    match trouble {
        Trouble::NotLoggedIn => {
            "log in with `npx wrangler login`, or set CLOUDFLARE_API_TOKEN (docs/deploy.md says with which permissions)"
        }
        Trouble::NotPermitted => {
            "log in again with `npx wrangler login`, or give CLOUDFLARE_API_TOKEN the permissions Workers KV Storage: Edit and Workers R2 Storage: Edit, and check CLOUDFLARE_ACCOUNT_ID"
        }
        Trouble::SeveralAccounts => "set CLOUDFLARE_ACCOUNT_ID to the account that the registry belongs to",
        Trouble::NoR2 => "take up R2 once in Cloudflare's dashboard (R2 Object Storage; it has a free tier)",
        Trouble::NoNetwork => "check this machine's way to api.cloudflare.com",
        Trouble::Exists => "name another one, or find out whose it is",
        Trouble::Other => "do what wrangler says",
    }
}
