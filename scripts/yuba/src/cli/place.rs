//! Where a command works: which storage, and whose hostname.

mod cloudflare;

use std::ffi::OsString;
use std::path::PathBuf;

use fastrand::Rng;
use yuba::address::NamespaceAddress;
use yuba::hostname::Hostname;
use yuba_companion::project::Project;
use yuba_companion::state::State;
use yuba_companion::store::cloudflare::Access;
use yuba_companion::store::local::ServerError;
use yuba_companion::target::{OpenError, Opened, Target};
use yuba_companion::verify::Origin;

use super::Place;
use super::failure::Failure;
use super::output::{quoted, say, visible};

/// The environment variable that `scripts/dev -- COMMAND` sets for COMMAND: the state that it serves.
const STATE_VARIABLE: &str = "YUBA_STATE";

/// A place that was found.
#[derive(Debug)]
pub(crate) struct Found {
    target: Target,
    given_hostname: Option<Hostname>,
    project: Option<Project>,
    /// The state to work on, or whose hostname counts.
    state: Option<State>,
    /// Whether the state is the one that `scripts/dev` set, so that its record counts even while nothing answers.
    inside_dev: bool,
    /// The way to Cloudflare, if that is the target.
    access: Option<Access>,
    /// The configuration that was typed.
    given_config: Option<String>,
}

impl Place {
    /// The target that was typed, or that the environment means, if any.
    pub(crate) fn sought(&self) -> Option<Target> {
        let meant = || match (state_variable(), cloudflare::has_credentials()) {
            (Some(_), _) => Some(Target::Local),
            (None, true) => Some(Target::Cloudflare),
            (None, false) => None,
        };
        self.target.clone().or_else(meant)
    }

    /// The project that was typed, else the nearest one.
    pub(crate) fn project(&self) -> Result<Option<Project>, Failure> {
        let directory = directory()?;
        Ok(match &self.config {
            Some(config) => Some(Project::with_configuration(directory.join(config))),
            None => Project::find(&directory),
        })
    }

    /// Finds the target, and says on standard error which it is.
    pub(crate) fn find(&self) -> Result<Found, Failure> {
        let directory = directory()?;
        let set = state_variable();
        let inside_dev = set.is_some();
        let target = self.sought().ok_or_else(no_target)?;
        let project = self.project()?;
        let state = match (set, &target, &project) {
            // What is served on this machine says nothing about what is at Cloudflare.
            (_, Target::Cloudflare, _) | (None, Target::Dir(_), _) => None,
            (Some(set), Target::Local | Target::Dir(_), _) => Some(directory.join(set)),
            (None, Target::Local, Some(project)) => Some(project.state()),
            (None, Target::Local, None) => return Err(no_project()),
        };
        let state = state.map(State::new);
        if let (Target::Local, true, Some(state)) = (&target, inside_dev, &state)
            && !state.directory().is_dir()
        {
            return Err(no_state(state));
        }
        let access = match target {
            Target::Cloudflare => Some(cloudflare::access(project.as_ref())?),
            Target::Local | Target::Dir(_) => None,
        };
        let target = match target {
            Target::Cloudflare => Target::Cloudflare,
            Target::Local => Target::Local,
            Target::Dir(path) => Target::Dir(directory.join(path)),
        };
        let detail = match (&access, &state) {
            (Some(access), _) => format!(" ({})", access.bindings),
            (None, Some(state)) if target == Target::Local => format!(" ({})", state.directory().display()),
            (None, _) => String::new(),
        };
        say(format_args!("target: {}", visible(&format!("{target}{detail}"))));
        let given_config = self.config.as_ref().map(|config| config.display().to_string());
        let given_hostname = self.hostname.clone();
        Ok(Found { target, given_hostname, project, state, inside_dev, access, given_config })
    }
}

impl Found {
    /// The target.
    pub(crate) fn target(&self) -> &Target {
        &self.target
    }

    /// Refuses a directory that is not there, in which nothing can be found.
    pub(crate) fn refuse_no_directory(&self) -> Result<(), Failure> {
        match &self.target {
            Target::Dir(path) if !path.is_dir() => Err(Failure::refused(
                format!("`{}` is no directory", path.display()),
                "`--target dir:PATH` names the registry's files: the first `yuba key add` makes them",
            )),
            Target::Dir(_) | Target::Local | Target::Cloudflare => Ok(()),
        }
    }

    /// A command that works on this target.
    pub(crate) fn command(&self, command: &str) -> String {
        format!("{command} --target {}", self.quoted_target())
    }

    /// The command that lists the keys of what was typed.
    pub(crate) fn key_list(&self) -> String {
        let hostname = self.given_hostname.as_ref().map(|hostname| format!(" --hostname {hostname}"));
        format!("yuba key list{} --target {}", hostname.unwrap_or_default(), self.quoted_target())
    }

    /// The command that registers a key in `namespace` of this target.
    pub(crate) fn key_add(&self, namespace: &NamespaceAddress) -> String {
        let NamespaceAddress { hostname, namespace } = namespace;
        format!("yuba key add --namespace {namespace} --hostname {hostname} KEY.asc --target {}", self.quoted_target())
    }

    /// The target as it is typed, with the configuration that was typed beside it.
    pub(crate) fn quoted_target(&self) -> String {
        let config = self.given_config.as_ref().map(|config| format!(" --config {}", quoted(config)));
        format!("{}{}", quoted(&self.target.to_string()), config.unwrap_or_default())
    }

    /// The hostname that was typed.
    pub(crate) fn given_hostname(&self) -> Option<&Hostname> {
        self.given_hostname.as_ref()
    }

    /// The hostname to work on, and whether the registry's own providers have it.
    pub(crate) async fn hostname(&self) -> Result<(Hostname, Origin), Failure> {
        match (self.own_hostname().await?, &self.given_hostname) {
            (Some(own), None) => Ok((own, Origin::Own)),
            (Some(own), Some(given)) if own == *given => Ok((own, Origin::Own)),
            // Where nobody says which registry this is, the release is published as the registry's own: the strict way.
            (None, Some(given)) => Ok((given.clone(), Origin::Own)),
            (Some(_), Some(given)) => Ok((given.clone(), Origin::Other)),
            (None, None) => Err(Failure::refused(
                "the registry's hostname is not known",
                "name it with `--hostname HOST`, or run this where `wrangler.toml` with its `REGISTRY_HOSTNAME` is here or above",
            )),
        }
    }

    /// The hostname of the registry's own providers, if anything says it.
    pub(crate) async fn own_hostname(&self) -> Result<Option<Hostname>, Failure> {
        if let Some(state) = &self.state {
            if let Some(served) = state.served().await {
                return Ok(Some(served.hostname));
            }
            if let Some(hostname) = state.hostname().filter(|_| self.inside_dev) {
                return Ok(Some(hostname));
            }
            // A deployment's hostname in the project is not this machine's.
            return Ok(State::usual_hostname());
        }
        let Some(project) = &self.project else { return Ok(None) };
        let hostname = project.registry_hostname();
        hostname.map_err(|error| Failure::refused(error, "mend the file, or name the hostname with `--hostname HOST`"))
    }

    /// The host and port where clients reach the registry's own providers right now, if that is this machine.
    pub(crate) async fn served_host(&self) -> Option<String> {
        if self.target != Target::Local {
            return None;
        }
        let served = self.state.as_ref()?.served().await?;
        served.url.strip_prefix("https://").map(|host| host.trim_end_matches('/').to_owned())
    }

    /// The state that is worked on, if it is one of this machine.
    pub(crate) fn state(&self) -> Option<&State> {
        self.state.as_ref()
    }

    /// Opens the storage.
    pub(crate) async fn open(&self) -> Result<Opened, Failure> {
        match (&self.target, &self.state, &self.access) {
            (Target::Dir(path), ..) => Ok(Opened::dir(path.clone())),
            (Target::Local, Some(state), _) => {
                let opened = Opened::local(state, self.project.as_ref()).await;
                opened.map_err(fail)
            }
            (Target::Local, None, _) => Err(no_project()),
            (Target::Cloudflare, _, Some(access)) => {
                let opened = Opened::cloudflare(access.clone(), Rng::new()).await;
                opened.map_err(cloudflare::fail)
            }
            (Target::Cloudflare, _, None) => Err(no_target()),
        }
    }
}

fn state_variable() -> Option<OsString> {
    std::env::var_os(STATE_VARIABLE).filter(|state| !state.is_empty())
}

fn directory() -> Result<PathBuf, Failure> {
    std::env::current_dir().map_err(|error| Failure::failed(error, "change to a directory that exists and can be read"))
}

fn no_target() -> Failure {
    Failure::refused(
        "no target is named",
        "set CLOUDFLARE_API_TOKEN (the registry at Cloudflare), or add `--target local` (what `scripts/dev` serves) or `--target dir:PATH` (plain files); inside `scripts/dev -- COMMAND` it is known",
    )
}

fn no_state(state: &State) -> Failure {
    let directory = state.directory().display().to_string();
    Failure::refused(
        format!("{STATE_VARIABLE} is `{directory}`, which is no directory"),
        format!("unset {STATE_VARIABLE}, or make that state: scripts/dev --state {}", quoted(&directory)),
    )
}

fn no_project() -> Failure {
    Failure::refused(
        "target `local` belongs to a project, and no `wrangler.toml` is here or above",
        "change to the project's directory, or name another target: `--target dir:PATH`",
    )
}

fn fail(error: OpenError) -> Failure {
    let hint = match &error {
        OpenError::NoProject(_) => {
            return Failure::refused(
                error,
                "start `scripts/dev` in the project, or run this in the project's directory",
            );
        }
        OpenError::Server(error) => match error {
            ServerError::NoNode(_) => "install Node.js 20 or newer, or start `scripts/dev`, which says what it needs",
            ServerError::NoScript(_) => "check out the whole project: its `scripts/` serve the local storage",
            ServerError::NotInstalled(_) => "run `scripts/setup` in the project",
            ServerError::Lock(..) => "check the permissions of the state directory",
            ServerError::Late => "try again when the machine is less busy",
            ServerError::Run(_) | ServerError::NotStarted(_) | ServerError::Connection(_) => {
                "start `scripts/dev` in the project: it says what is wrong"
            }
        },
    };
    Failure::failed(error, hint)
}
