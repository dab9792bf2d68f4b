//! What `yuba init` says in the end.

use std::fmt::Write as _;
use std::path::Path;

use serde::Serialize;
use yuba_companion::deployment::{Change, Plan, PlannedNamespace, Prepared, Step};

use crate::cli::output::{PrintError, print, print_json, visible};

/// What became of the deployment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Status {
    /// It is prepared now.
    Prepared,
    /// It was prepared before.
    Unchanged,
    /// It would be prepared.
    DryRun,
}

#[derive(Debug, Serialize)]
struct Bucket {
    name: String,
    action: Step,
}

#[derive(Debug, Serialize)]
struct Namespace {
    name: String,
    /// None while it is not created.
    id: Option<String>,
    action: Step,
}

/// A report, whose JSON form is what programs get.
#[derive(Debug, Serialize)]
pub(super) struct Initialisation {
    status: Status,
    configuration: String,
    hostname: String,
    bucket: Bucket,
    kv_namespace: Namespace,
    changes: Vec<Change>,
    next: [&'static str; 3],
}

/// What leads from a prepared deployment to the first release.
const NEXT: [&str; 3] = ["npx wrangler deploy", "yuba doctor", "yuba key add --namespace NAME KEY.asc"];

impl Initialisation {
    /// The report of what would be done.
    pub(super) fn rehearsed(path: &Path, plan: &Plan, changes: Vec<Change>) -> Self {
        let kv_namespace = match &plan.namespace {
            PlannedNamespace::Keep(namespace) => {
                Namespace { name: namespace.title.clone(), id: Some(namespace.id.to_string()), action: Step::Keep }
            }
            PlannedNamespace::Create(title) => Namespace { name: title.to_string(), id: None, action: Step::Create },
        };
        Self::new(Status::DryRun, path, plan, plan.bucket.1, kv_namespace, changes)
    }

    /// The report of what is done.
    pub(super) fn done(path: &Path, plan: &Plan, prepared: Prepared) -> Self {
        let Prepared { bucket, namespace, namespace_step, changes } = prepared;
        let unchanged = (bucket, namespace_step) == (Step::Keep, Step::Keep) && changes.is_empty();
        let status = if unchanged { Status::Unchanged } else { Status::Prepared };
        let kv_namespace =
            Namespace { name: namespace.title, id: Some(namespace.id.to_string()), action: namespace_step };
        Self::new(status, path, plan, bucket, kv_namespace, changes)
    }

    fn new(
        status: Status,
        path: &Path,
        plan: &Plan,
        bucket: Step,
        kv_namespace: Namespace,
        changes: Vec<Change>,
    ) -> Self {
        Self {
            status,
            configuration: path.display().to_string(),
            hostname: plan.domain.to_string(),
            bucket: Bucket { name: plan.bucket.0.to_string(), action: bucket },
            kv_namespace,
            changes,
            next: NEXT,
        }
    }

    pub(super) fn print_json(&self) -> Result<(), PrintError> {
        print_json(self)
    }

    pub(super) fn print_text(&self) -> Result<(), PrintError> {
        let mut text = self.body();
        // Writing to a String cannot fail.
        let _ = match self.status {
            Status::DryRun => writeln!(text, "\ndry run: nothing was created or written"),
            Status::Unchanged => writeln!(text, "\nunchanged: {} is configured already", self.hostname),
            Status::Prepared => writeln!(text, "\nprepared: {} can be deployed", self.hostname),
        };
        if self.status != Status::DryRun {
            let _ = writeln!(text, "\nNext:\n\n  {}", self.next.join("\n  "));
        }
        print(&visible(&text))
    }

    fn body(&self) -> String {
        let (bucket, namespace) = (&self.bucket, &self.kv_namespace);
        let id = namespace.id.as_ref().map(|id| format!("  {id}")).unwrap_or_default();
        let action = |step| if self.status == Status::DryRun { planned_action(step) } else { done_action(step) };
        let write = if self.status == Status::DryRun { "write" } else { "wrote" };
        let mut text = format!(
            "{:<7}  R2 bucket {}\n{:<7}  KV namespace {}{id}\n",
            action(bucket.action),
            bucket.name,
            action(namespace.action),
            namespace.name,
        );
        for Change { setting, from, to } in &self.changes {
            let from = from.as_deref().unwrap_or("(none)");
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{write:<7}  {setting}: {from} -> {to}");
        }
        if namespace.id.is_none() {
            let _ = writeln!(text, "{write:<7}  KV namespace of METADATA: its new id");
        }
        text
    }
}

const fn planned_action(step: Step) -> &'static str {
    match step {
        Step::Keep => "keep",
        Step::Create => "create",
    }
}

const fn done_action(step: Step) -> &'static str {
    match step {
        Step::Keep => "kept",
        Step::Create => "created",
    }
}

/// What is about to be done, for whoever decides it.
pub(super) fn planned(path: &Path, plan: &Plan, changes: &[Change]) -> String {
    Initialisation::rehearsed(path, plan, changes.to_vec()).body()
}
