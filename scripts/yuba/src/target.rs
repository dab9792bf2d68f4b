//! The target: which storage a command works on.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use fastrand::Rng;

use crate::project::Project;
use crate::state::State;
use crate::store::Store;
use crate::store::cloudflare::{Access, CloudflareStore, ConnectError};
use crate::store::dir::DirStore;
use crate::store::local::{LocalStore, Server, ServerError, lock};

/// Why a text is no target.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// The text is none of the targets there are.
    #[error("target `{0}` is neither `cloudflare` nor `local` nor `dir:PATH`")]
    Unknown(String),
    /// The directory is not named.
    #[error("target `{0}` names no directory")]
    NoDirectory(String),
}

/// What `--target` may say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// The registry at Cloudflare.
    Cloudflare,
    /// The storage of this machine's registry.
    Local,
    /// Plain files.
    Dir(PathBuf),
}

impl FromStr for Target {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<Self, TargetError> {
        match text.split_once(':') {
            None if text == "cloudflare" => Ok(Self::Cloudflare),
            None if text == "local" => Ok(Self::Local),
            Some(("dir", "")) => Err(TargetError::NoDirectory(text.to_owned())),
            Some(("dir", path)) => Ok(Self::Dir(PathBuf::from(path))),
            _ => Err(TargetError::Unknown(text.to_owned())),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cloudflare => f.write_str("cloudflare"),
            Self::Local => f.write_str("local"),
            Self::Dir(path) => write!(f, "dir:{}", path.display()),
        }
    }
}

/// Why a target cannot be worked on.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The local storage has no project to be served from.
    #[error("nothing serves `{}`, and no `wrangler.toml` is here or above to serve it from", .0.display())]
    NoProject(PathBuf),
    /// The local storage cannot be served.
    #[error(transparent)]
    Server(#[from] ServerError),
}

/// Storage that is ready for work.
pub struct Opened {
    /// The storage.
    pub store: Box<dyn Store>,
    server: Option<Server>,
}

impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opened").field("server", &self.server).finish_non_exhaustive()
    }
}

impl Opened {
    /// The storage in a directory.
    #[must_use]
    pub fn dir(root: PathBuf) -> Self {
        Self { store: Box::new(DirStore::new(root)), server: None }
    }

    /// The storage at Cloudflare.
    ///
    /// # Errors
    /// [`ConnectError`] if the credentials cannot be used.
    pub async fn cloudflare(access: Access, random: Rng) -> Result<Self, ConnectError> {
        let store = CloudflareStore::connect(access, random).await?;
        Ok(Self { store: Box::new(store), server: None })
    }

    /// The storage of `state`: through whoever serves it, or else through a storage worker of one's own, which the
    /// project's scripts start. Only one process at a time does that; others wait for it.
    ///
    /// # Errors
    /// [`OpenError`] if nobody serves the state and it cannot be served from here.
    pub async fn local(state: &State, project: Option<&Project>) -> Result<Self, OpenError> {
        if let Some(served) = state.served().await {
            return Ok(Self { store: Box::new(LocalStore::new(served.storage)), server: None });
        }
        let project = project.ok_or_else(|| OpenError::NoProject(state.directory().to_owned()))?;
        let lock = lock(state.directory()).await?;
        // Somebody may have begun to serve it while the lock was waited for.
        if let Some(served) = state.served().await {
            return Ok(Self { store: Box::new(LocalStore::new(served.storage)), server: None });
        }
        let (server, connection) = Server::start(project.root(), state.directory(), lock).await?;
        Ok(Self { store: Box::new(LocalStore::new(connection)), server: Some(server) })
    }

    /// Ends what was started for this storage.
    pub async fn close(self) {
        if let Some(server) = self.server {
            server.stop().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_round_trip() {
        for text in ["cloudflare", "local", "dir:x", "dir:/a b/c:d"] {
            assert_eq!(text.parse::<Target>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_target_is_named() {
        for text in ["", "Local", "local:", "Cloudflare", "cloudflare:x", "dir", "dri:x", "r2:x", "/tmp"] {
            assert_eq!(text.parse::<Target>(), Err(TargetError::Unknown(text.to_owned())));
        }
        assert_eq!("dir:".parse::<Target>(), Err(TargetError::NoDirectory("dir:".to_owned())));
    }
}
