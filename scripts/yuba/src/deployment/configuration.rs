//! `wrangler.toml`: what it says of a deployment, and writing that into it without touching the rest.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use tempfile::NamedTempFile;
use toml_edit::{Array, DocumentMut, Formatted, InlineTable, Item, Table, TableLike, TomlError, Value};

use super::{ARCHIVES, CustomDomain, METADATA, OCI_PROVIDERS, REGISTRY_HOSTNAME};
use crate::store::cloudflare::{BucketName, Jurisdiction, KvNamespaceId};

/// Why the configuration cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ConfigurationError {
    /// It cannot be read.
    #[error("cannot read `{}`", .0.display())]
    Read(PathBuf, #[source] io::Error),
    /// It is not TOML.
    #[error("cannot understand `{}`", .0.display())]
    Toml(PathBuf, #[source] TomlError),
    /// It lacks what everything else is written into.
    #[error("`{}` has no {what}", path.display())]
    Missing {
        /// Where it is.
        path: PathBuf,
        /// What it lacks.
        what: &'static str,
    },
    /// Somebody else wrote it meanwhile.
    #[error("`{}` was changed by somebody else meanwhile", .0.display())]
    Changed(PathBuf),
    /// It cannot be written.
    #[error("cannot write `{}`", .0.display())]
    Write(PathBuf, #[source] io::Error),
}

/// What a deployment is bound to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The hostname of the registry's own providers, on which it is served.
    pub domain: CustomDomain,
    /// The bucket of the documents and archives.
    pub bucket: BucketName,
    /// Where the bucket must stay.
    pub jurisdiction: Jurisdiction,
    /// The namespace of the copies; none while it has no id.
    pub namespace: Option<KvNamespaceId>,
}

/// One setting that becomes another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// What is set.
    pub setting: &'static str,
    /// What it was, if there was any.
    pub from: Option<String>,
    /// What it becomes.
    pub to: String,
}

/// A `wrangler.toml`.
#[derive(Debug, Clone)]
pub struct Configuration {
    path: PathBuf,
    text: String,
    document: DocumentMut,
}

impl Configuration {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// [`ConfigurationError`] if it cannot be read or is not TOML.
    pub fn read(path: &Path) -> Result<Self, ConfigurationError> {
        let read = |error| ConfigurationError::Read(path.to_owned(), error);
        // A link stays one: what it leads to is written.
        let path = path.canonicalize().map_err(read)?;
        let text = fs::read_to_string(&path).map_err(|error| ConfigurationError::Read(path.clone(), error))?;
        Self::parse(path, text)
    }

    fn parse(path: PathBuf, text: String) -> Result<Self, ConfigurationError> {
        match text.parse() {
            Ok(document) => Ok(Self { path, text, document }),
            Err(error) => Err(ConfigurationError::Toml(path, error)),
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it says is the registry's own hostname.
    #[must_use]
    pub fn hostname(&self) -> Option<&str> {
        self.document.get("vars")?.get(REGISTRY_HOSTNAME)?.as_str()
    }

    /// The OCI repositories that discovery is to announce, if they are not the registry's own.
    #[must_use]
    pub fn repositories(&self) -> Option<&str> {
        self.document.get("vars")?.get(OCI_PROVIDERS)?.as_str()
    }

    /// The name of the bucket that is bound.
    #[must_use]
    pub fn bucket(&self) -> Option<&str> {
        bound(&self.document, "r2_buckets", ARCHIVES)?.get("bucket_name")?.as_str()
    }

    /// The jurisdiction of the bucket that is bound.
    #[must_use]
    pub fn jurisdiction(&self) -> Option<&str> {
        bound(&self.document, "r2_buckets", ARCHIVES)?.get("jurisdiction")?.as_str()
    }

    /// The id of the KV namespace that is bound, which may be a placeholder.
    #[must_use]
    pub fn namespace(&self) -> Option<&str> {
        bound(&self.document, "kv_namespaces", METADATA)?.get("id")?.as_str()
    }

    /// The hostnames that the Worker is a custom domain of.
    #[must_use]
    pub fn custom_domains(&self) -> Vec<&str> {
        let of = |route: &dyn TableLike| -> Option<bool> { route.get("custom_domain")?.as_bool() };
        let routes = self.routes().into_iter();
        routes.filter(|route| of(*route) == Some(true)).filter_map(|route| route.get("pattern")?.as_str()).collect()
    }

    /// Every pattern that leads to the Worker.
    #[must_use]
    pub fn patterns(&self) -> Vec<&str> {
        let plain = ["route", "routes"].into_iter().filter_map(|key| self.document.get(key));
        let plain = plain.flat_map(|item| match item {
            Item::Value(Value::Array(array)) => array.iter().filter_map(Value::as_str).collect(),
            item => item.as_str().into_iter().collect::<Vec<_>>(),
        });
        let tables = self.routes().into_iter().filter_map(|route| route.get("pattern")?.as_str());
        plain.chain(tables).collect()
    }

    fn routes(&self) -> Vec<&dyn TableLike> {
        let single = self.document.get("route").and_then(Item::as_table_like);
        single.into_iter().chain(tables(self.document.get("routes"))).collect()
    }

    /// Sets what a deployment is bound to, leaving every comment and blank line where it is.
    ///
    /// # Errors
    /// [`ConfigurationError::Missing`] if a binding is not there.
    pub fn set(&mut self, settings: &Settings) -> Result<Vec<Change>, ConfigurationError> {
        let Settings { domain, bucket, jurisdiction, namespace } = settings;
        let mut changes = Vec::new();
        let missing = |what| ConfigurationError::Missing { path: self.path.clone(), what };
        if !self.patterns().contains(&domain.as_str()) {
            add_route(&mut self.document, domain).ok_or_else(|| missing("`routes` that another could be added to"))?;
            changes.push(Change { setting: "custom domain", from: None, to: domain.to_string() });
        }
        let vars = self.document.entry("vars").or_insert_with(|| Item::Table(Table::new()));
        let vars = vars.as_table_like_mut().ok_or_else(|| missing("table `vars`"))?;
        changes.extend(replace(vars, REGISTRY_HOSTNAME, REGISTRY_HOSTNAME, domain.as_str()));
        let table = bound_mut(&mut self.document, "kv_namespaces", METADATA);
        let table = table.ok_or_else(|| missing("`kv_namespaces` entry with the binding `METADATA`"))?;
        if let Some(namespace) = namespace {
            changes.extend(replace(table, "id", "KV namespace of METADATA", &namespace.to_string()));
        }
        let table = bound_mut(&mut self.document, "r2_buckets", ARCHIVES);
        let table = table.ok_or_else(|| missing("`r2_buckets` entry with the binding `ARCHIVES`"))?;
        changes.extend(replace(table, "bucket_name", "R2 bucket of ARCHIVES", bucket.as_str()));
        if let Some(jurisdiction) = jurisdiction.as_str() {
            changes.extend(replace(table, "jurisdiction", "jurisdiction of ARCHIVES", jurisdiction));
        }
        Ok(changes)
    }

    /// Writes the file whole: whoever reads it sees what it was or what it is.
    ///
    /// # Errors
    /// [`ConfigurationError`] if it cannot be written, or is not what was read any more.
    pub fn write(&self) -> Result<(), ConfigurationError> {
        let found =
            fs::read_to_string(&self.path).map_err(|error| ConfigurationError::Read(self.path.clone(), error))?;
        if found != self.text {
            return Err(ConfigurationError::Changed(self.path.clone()));
        }
        self.replace_file().map_err(|error| ConfigurationError::Write(self.path.clone(), error))
    }

    fn replace_file(&self) -> io::Result<()> {
        let directory = self.path.parent().unwrap_or(Path::new("."));
        let mut file = NamedTempFile::new_in(directory)?;
        file.write_all(self.document.to_string().as_bytes())?;
        file.as_file().set_permissions(fs::metadata(&self.path)?.permissions())?;
        file.as_file().sync_all()?;
        file.persist(&self.path)?;
        Ok(())
    }
}

/// The tables of a list, in whichever of TOML's two forms.
fn tables(item: Option<&Item>) -> Vec<&dyn TableLike> {
    match item {
        Some(Item::ArrayOfTables(array)) => array.iter().map(|table| table as &dyn TableLike).collect(),
        Some(Item::Value(Value::Array(array))) => {
            array.iter().filter_map(Value::as_inline_table).map(|table| table as &dyn TableLike).collect()
        }
        Some(Item::Value(_) | Item::Table(_) | Item::None) | None => Vec::new(),
    }
}

fn is_bound(table: &dyn TableLike, binding: &str) -> bool {
    table.get("binding").and_then(Item::as_str) == Some(binding)
}

fn bound<'a>(document: &'a DocumentMut, list: &str, binding: &str) -> Option<&'a dyn TableLike> {
    tables(document.get(list)).into_iter().find(|table| is_bound(*table, binding))
}

fn bound_mut<'a>(document: &'a mut DocumentMut, list: &str, binding: &str) -> Option<&'a mut dyn TableLike> {
    match document.get_mut(list)? {
        Item::ArrayOfTables(array) => {
            let mut tables = array.iter_mut().map(|table| table as &mut dyn TableLike);
            tables.find(|table| is_bound(*table, binding))
        }
        Item::Value(Value::Array(array)) => {
            let tables = array.iter_mut().filter_map(Value::as_inline_table_mut);
            tables.map(|table| table as &mut dyn TableLike).find(|table| is_bound(*table, binding))
        }
        Item::Value(_) | Item::Table(_) | Item::None => None,
    }
}

/// Sets `key` to `to`, keeping the space and the comments around it.
fn replace(table: &mut dyn TableLike, key: &str, setting: &'static str, to: &str) -> Option<Change> {
    let from = table.get(key).and_then(Item::as_str).map(str::to_owned);
    if from.as_deref() == Some(to) {
        return None;
    }
    let mut value = Formatted::new(to.to_owned());
    match table.get_mut(key) {
        Some(Item::Value(old)) => {
            *value.decor_mut() = old.decor().clone();
            *old = Value::String(value);
        }
        Some(_) | None => drop(table.insert(key, Item::Value(Value::String(value)))),
    }
    Some(Change { setting, from, to: to.to_owned() })
}

/// Adds the custom domain to what leads to the Worker; none, if `routes` has a form that takes no other.
fn add_route(document: &mut DocumentMut, domain: &CustomDomain) -> Option<()> {
    let pattern = ("pattern", Value::from(domain.as_str()));
    let custom_domain = ("custom_domain", Value::from(true));
    let single = document.contains_key("route");
    match document.get_mut("routes") {
        Some(Item::ArrayOfTables(routes)) => routes.push(Table::from_iter([pattern, custom_domain])),
        Some(Item::Value(Value::Array(routes))) => routes.push(InlineTable::from_iter([pattern, custom_domain])),
        Some(Item::Value(_) | Item::Table(_) | Item::None) => return None,
        None if single => return None,
        None => {
            let routes = Array::from_iter([InlineTable::from_iter([pattern, custom_domain])]);
            drop(document.insert("routes", Item::Value(Value::Array(routes))));
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn configuration(text: &str) -> Configuration {
        Configuration::parse(PathBuf::from("wrangler.toml"), text.to_owned()).unwrap()
    }

    fn settings() -> Settings {
        Settings {
            domain: "registry.example".parse().unwrap(),
            bucket: "acme-archives".parse().unwrap(),
            jurisdiction: Jurisdiction::Default,
            namespace: Some("0f2ac74b498b48028cb68387c421e279".parse().unwrap()),
        }
    }

    /// The file of this project as it is checked out, when it serves local use alone.
    const COMMITTED: &str = include_str!("../../tests/wrangler.toml");

    #[test]
    fn the_tests_have_the_projects_file_unless_that_has_a_deployment() {
        let project = include_str!("../../../../wrangler.toml");
        if configuration(project).hostname() == Some("localhost") {
            assert_eq!(project, COMMITTED);
        }
    }

    #[test]
    fn everything_else_stays_as_it_was_typed() {
        let text = "# mine\nname = 'yuba'   # aligned\n\n[vars]\n# whose\nREGISTRY_HOSTNAME = \"localhost\" # here\n\
                    OTHER = \"x\"\n\n[[kv_namespaces]]\nid = \"metadata\"     # a placeholder\nbinding = \"METADATA\"\n\n\
                    [[r2_buckets]]\nbinding = \"OTHER\"\nbucket_name = \"other\"\n\n\
                    [[r2_buckets]]\nbinding = \"ARCHIVES\"\nbucket_name = \"yuba-archives\"\n# the end\n";
        let mut configuration = configuration(text);
        configuration.set(&settings()).unwrap();
        insta::assert_snapshot!(configuration.document, @r#"
        # mine
        name = 'yuba'   # aligned
        routes = [{ pattern = "registry.example", custom_domain = true }]

        [vars]
        # whose
        REGISTRY_HOSTNAME = "registry.example" # here
        OTHER = "x"

        [[kv_namespaces]]
        id = "0f2ac74b498b48028cb68387c421e279"     # a placeholder
        binding = "METADATA"

        [[r2_buckets]]
        binding = "OTHER"
        bucket_name = "other"

        [[r2_buckets]]
        binding = "ARCHIVES"
        bucket_name = "acme-archives"
        # the end
        "#);
    }

    #[test]
    fn the_committed_file_serves_local_use_and_takes_a_deployment() {
        let mut committed = configuration(COMMITTED);
        assert_eq!((committed.hostname(), committed.namespace()), (Some("localhost"), Some("metadata")));
        assert_eq!((committed.bucket(), committed.custom_domains()), (Some("yuba-archives"), Vec::new()));
        assert_eq!(committed.set(&settings()).unwrap().len(), 4);
        let mut written = configuration(&committed.document.to_string());
        assert_eq!(written.hostname(), Some("registry.example"));
        assert_eq!(written.namespace(), Some("0f2ac74b498b48028cb68387c421e279"));
        assert_eq!((written.bucket(), written.custom_domains()), (Some("acme-archives"), vec!["registry.example"]));
        assert_eq!(written.set(&settings()).unwrap(), []);
        assert_eq!(written.document.to_string(), written.text);
    }

    #[test]
    fn lists_may_have_either_form() {
        let text = "routes = [\"other.example/*\"]\nvars = { REGISTRY_HOSTNAME = \"localhost\" }\n\
                    kv_namespaces = [{ binding = \"METADATA\", id = \"metadata\" }]\n\
                    r2_buckets = [{ binding = \"ARCHIVES\", bucket_name = \"x-y\" }]\n";
        let mut configuration = configuration(text);
        configuration.set(&Settings { jurisdiction: Jurisdiction::Eu, ..settings() }).unwrap();
        assert_eq!(configuration.jurisdiction(), Some("eu"));
        insta::assert_snapshot!(configuration.document, @r#"
        routes = ["other.example/*", { pattern = "registry.example", custom_domain = true }]
        vars = { REGISTRY_HOSTNAME = "registry.example" }
        kv_namespaces = [{ binding = "METADATA", id = "0f2ac74b498b48028cb68387c421e279" }]
        r2_buckets = [{ binding = "ARCHIVES", bucket_name = "acme-archives" , jurisdiction = "eu" }]
        "#);
        let tables = format!("{COMMITTED}\n[[routes]]\npattern = \"registry.example\"\ncustom_domain = true\n");
        let mut tables = self::configuration(&tables);
        assert_eq!(tables.custom_domains(), ["registry.example"]);
        assert!(tables.set(&settings()).unwrap().iter().all(|change| change.setting != "custom domain"));
    }

    #[test]
    fn what_lacks_a_place_for_the_settings_is_refused() {
        let without = |what: &str| COMMITTED.replace(what, "OTHER");
        let cases = [
            (without("METADATA"), "`wrangler.toml` has no `kv_namespaces` entry with the binding `METADATA`"),
            (without("ARCHIVES"), "`wrangler.toml` has no `r2_buckets` entry with the binding `ARCHIVES`"),
            ("vars = 1".to_owned(), "`wrangler.toml` has no table `vars`"),
            ("routes = 1".to_owned(), "`wrangler.toml` has no `routes` that another could be added to"),
            ("route = \"a.example/*\"".to_owned(), "`wrangler.toml` has no `routes` that another could be added to"),
        ];
        for (text, message) in cases {
            assert_eq!(configuration(&text).set(&settings()).unwrap_err().to_string(), message);
        }
        let broken = Configuration::parse(PathBuf::from("wrangler.toml"), "a = ".to_owned());
        assert!(matches!(broken, Err(ConfigurationError::Toml(..))));
    }

    #[test]
    fn nobody_elses_change_is_lost() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("wrangler.toml");
        fs::write(&path, COMMITTED).unwrap();
        let mut mine = Configuration::read(&path).unwrap();
        mine.set(&settings()).unwrap();
        fs::write(&path, "name = \"theirs\"\n").unwrap();
        assert!(matches!(mine.write(), Err(ConfigurationError::Changed(_))));
        assert_eq!(fs::read_to_string(&path).unwrap(), "name = \"theirs\"\n");
        fs::write(&path, COMMITTED).unwrap();
        mine.write().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), mine.document.to_string());
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }
}
