//! The project: the directory with `wrangler.toml`, which says what the registry is.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use yuba::hostname::{Hostname, HostnameError};

/// The file that makes a directory the project's root.
const CONFIGURATION: &str = "wrangler.toml";

/// Why the project's configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// The configuration cannot be read.
    #[error("cannot read `{}`", .0.display())]
    Read(PathBuf, #[source] io::Error),
    /// The configuration is not TOML, or a variable is no text.
    #[error("cannot understand `{}`", .0.display())]
    Toml(PathBuf, #[source] toml::de::Error),
    /// The registry's hostname is none.
    #[error("cannot use `REGISTRY_HOSTNAME` in `{}`", .0.display())]
    Hostname(PathBuf, #[source] HostnameError),
}

/// A project on this machine.
#[derive(Debug, Clone)]
pub struct Project {
    root: PathBuf,
    configuration: PathBuf,
}

#[derive(Deserialize)]
struct Configuration {
    #[serde(default)]
    vars: Variables,
    #[serde(flatten)]
    cloudflare: Cloudflare,
}

/// What the configuration says about Cloudflare.
#[derive(Debug, Deserialize)]
pub struct Cloudflare {
    /// The account.
    pub account_id: Option<String>,
    /// The KV namespaces that are bound.
    #[serde(default)]
    pub kv_namespaces: Vec<KvNamespace>,
    /// The buckets that are bound.
    #[serde(default)]
    pub r2_buckets: Vec<Bucket>,
}

/// A KV namespace's binding.
#[derive(Debug, Deserialize)]
pub struct KvNamespace {
    /// The name that the Worker knows it by.
    pub binding: String,
    /// Its identifier.
    pub id: Option<String>,
}

/// A bucket's binding.
#[derive(Debug, Deserialize)]
pub struct Bucket {
    /// The name that the Worker knows it by.
    pub binding: String,
    /// Its name.
    pub bucket_name: Option<String>,
    /// Where it lies, if that is not anywhere.
    pub jurisdiction: Option<String>,
}

#[derive(Deserialize, Default)]
struct Variables {
    #[serde(rename = "REGISTRY_HOSTNAME")]
    registry_hostname: Option<String>,
}

impl Project {
    /// The project that `directory` is in: the nearest of it and its parents that has a `wrangler.toml`.
    #[must_use]
    pub fn find(directory: &Path) -> Option<Self> {
        let root = directory.ancestors().find(|ancestor| ancestor.join(CONFIGURATION).is_file())?;
        Some(Self { root: root.to_owned(), configuration: root.join(CONFIGURATION) })
    }

    /// The project with this configuration; its root is the directory of that.
    #[must_use]
    pub fn with_configuration(configuration: PathBuf) -> Self {
        let root = configuration.parent().map_or_else(PathBuf::new, Path::to_owned);
        Self { root, configuration }
    }

    /// Its configuration.
    #[must_use]
    pub fn configuration(&self) -> &Path {
        &self.configuration
    }

    /// Its root.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where `scripts/dev` and `wrangler dev` keep their state unless they are told otherwise.
    #[must_use]
    pub fn state(&self) -> PathBuf {
        self.root.join(".wrangler/state")
    }

    /// The hostname of the registry's own providers, if the configuration says it.
    ///
    /// # Errors
    /// [`ProjectError`] if the configuration cannot be read or the hostname is illegal.
    pub fn registry_hostname(&self) -> Result<Option<Hostname>, ProjectError> {
        let hostname = self.read()?.vars.registry_hostname.map(|hostname| hostname.parse()).transpose();
        hostname.map_err(|error| ProjectError::Hostname(self.configuration.clone(), error))
    }

    /// What the configuration says about Cloudflare.
    ///
    /// # Errors
    /// [`ProjectError`] if the configuration cannot be read.
    pub fn cloudflare(&self) -> Result<Cloudflare, ProjectError> {
        Ok(self.read()?.cloudflare)
    }

    fn read(&self) -> Result<Configuration, ProjectError> {
        let path = &self.configuration;
        let text = fs::read_to_string(path).map_err(|error| ProjectError::Read(path.clone(), error))?;
        toml::from_str(&text).map_err(|error| ProjectError::Toml(path.clone(), error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(configuration: &str) -> (tempfile::TempDir, Project) {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir_all(directory.path().join("a/b")).unwrap();
        fs::write(directory.path().join(CONFIGURATION), configuration).unwrap();
        let project = Project::find(&directory.path().join("a/b")).unwrap();
        (directory, project)
    }

    #[test]
    fn the_project_is_found_from_below() {
        let (directory, project) = project("[vars]\nREGISTRY_HOSTNAME = \"Registry.Example\"\n");
        assert_eq!(project.root(), directory.path());
        assert_eq!(project.registry_hostname().unwrap().unwrap().as_str(), "registry.example");
    }

    #[test]
    fn a_configuration_may_say_nothing_but_must_be_one() {
        assert_eq!(project("name = \"x\"\n").1.registry_hostname().unwrap(), None);
        assert!(matches!(project("vars = 1").1.registry_hostname(), Err(ProjectError::Toml(..))));
        let illegal = project("[vars]\nREGISTRY_HOSTNAME = \"a_b\"\n").1.registry_hostname();
        assert!(matches!(illegal, Err(ProjectError::Hostname(..))));
    }
}
