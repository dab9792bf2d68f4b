//! The edge: the Cloudflare Worker around [`serve`](crate::serve). Only here is Cloudflare known by name.

mod http;
mod storage;

use std::cell::OnceCell;
use std::rc::Rc;

use worker::{Context, Env, Request, Response, console_error, event};

use crate::serve::{Freshness, Registry, unavailable};
use storage::EdgeStorage;

/// The variable that holds the registry's own hostname.
const REGISTRY_HOSTNAME: &str = "REGISTRY_HOSTNAME";

/// The variable that names the OCI repositories that discovery announces; without it, they are this registry's.
const OCI_PROVIDERS: &str = "OCI_PROVIDERS";

/// The variable that sets for how many seconds documents are held; without it, [`Freshness::DEPLOYED`].
const METADATA_FRESH_SECONDS: &str = "METADATA_FRESH_SECONDS";

thread_local! {
    /// The registry of this isolate, with all that it holds.
    static REGISTRY: OnceCell<Rc<Registry>> = const { OnceCell::new() };
}

#[event(start)]
fn start() {
    console_error_panic_hook::set_once();
}

/// Answers one request.
#[event(fetch)]
async fn fetch(request: Request, env: Env, context: Context) -> worker::Result<Response> {
    let received = http::Received::new(request.inner());
    let answer = match registry(&env) {
        Ok(registry) => registry.serve(&EdgeStorage::new(env, context), &received.request()).await,
        Err(error) => unavailable(error.to_string()),
    };
    if let Some(cause) = &answer.cause {
        console_error!("{} {}: {cause}", received.method, received.url);
    }
    http::respond(answer)
}

/// The registry of this isolate, which the first request opens.
fn registry(env: &Env) -> worker::Result<Rc<Registry>> {
    let held = REGISTRY.with(|registry| registry.get().cloned());
    held.map_or_else(|| open(env), Ok)
}

fn open(env: &Env) -> worker::Result<Rc<Registry>> {
    let hostname = env.var(REGISTRY_HOSTNAME)?.to_string();
    let hostname = hostname.parse().map_err(|error| misconfigured(REGISTRY_HOSTNAME, &error))?;
    let freshness = match env.var(METADATA_FRESH_SECONDS) {
        Ok(seconds) => {
            let seconds = seconds.to_string().parse();
            Freshness::of_seconds(seconds.map_err(|error| misconfigured(METADATA_FRESH_SECONDS, &error))?)
        }
        Err(_) => Freshness::DEPLOYED,
    };
    let mut registry = Registry::new(hostname, freshness);
    if let Ok(template) = env.var(OCI_PROVIDERS) {
        let template = template.to_string().parse().map_err(|error| misconfigured(OCI_PROVIDERS, &error))?;
        registry = registry.with_repositories(template);
    }
    let registry = Rc::new(registry);
    Ok(REGISTRY.with(|held| held.get_or_init(|| registry).clone()))
}

fn misconfigured(variable: &str, reason: &dyn std::fmt::Display) -> worker::Error {
    worker::Error::RustError(format!("{variable}: {reason}"))
}
