//! The registry at Cloudflare, as the environment and `wrangler.toml` name it.

use std::env;

use yuba_companion::project::Project;
use yuba_companion::store::cloudflare::{
    ACCESS_KEY_VARIABLE, ACCOUNT_VARIABLE, Access, BUCKET_VARIABLE, Bindings, ConnectError, Endpoint,
    JURISDICTION_VARIABLE, KV_NAMESPACE_VARIABLE, KeyPair, SECRET_KEY_VARIABLE, TOKEN_VARIABLE, Token, Variables,
};

use crate::cli::failure::Failure;

/// A stand-in for Cloudflare's REST API on this machine: for tests.
const API_VARIABLE: &str = "YUBA_CLOUDFLARE_API_URL";

/// A stand-in for R2's S3 API on this machine: for tests.
const R2_VARIABLE: &str = "YUBA_R2_URL";

/// Whether there are credentials for Cloudflare.
pub(super) fn has_credentials() -> bool {
    variable(TOKEN_VARIABLE).is_some()
}

/// The way to the registry that `project` configures; without a project, that the environment names.
pub(super) fn access(project: Option<&Project>) -> Result<Access, Failure> {
    let token = Token::new(variable(TOKEN_VARIABLE).unwrap_or_default());
    let token = token.map_err(|error| Failure::refused(error, error.hint()))?;
    let keys = KeyPair::given(variable(ACCESS_KEY_VARIABLE), variable(SECRET_KEY_VARIABLE));
    let keys = keys.map_err(|error| Failure::refused(error, error.hint()))?;
    let variables = Variables {
        account: variable(ACCOUNT_VARIABLE),
        bucket: variable(BUCKET_VARIABLE),
        jurisdiction: variable(JURISDICTION_VARIABLE),
        kv_namespace: variable(KV_NAMESPACE_VARIABLE),
    };
    let bindings = Bindings::find(project, &variables).map_err(|error| {
        let hint = error.hint();
        Failure::refused(error, hint)
    })?;
    Ok(Access { bindings, token, keys, api: stand_in(API_VARIABLE)?, r2: stand_in(R2_VARIABLE)? })
}

/// Why Cloudflare cannot be worked with.
pub(super) fn fail(error: ConnectError) -> Failure {
    match error {
        ConnectError::Credentials(error) => Failure::refused(error, error.hint()),
        ConnectError::Verify(_) => {
            Failure::failed(error, "check the connection to api.cloudflare.com; nothing was written")
        }
        ConnectError::Client(_) | ConnectError::R2(_) => {
            Failure::failed(error, "check that this machine has TLS root certificates (Debian: ca-certificates)")
        }
    }
}

fn stand_in(name: &'static str) -> Result<Option<Endpoint>, Failure> {
    let Some(url) = variable(name) else { return Ok(None) };
    let endpoint = Endpoint::local(&url);
    endpoint.map(Some).map_err(|error| Failure::refused(error, format!("unset {name}, which is for tests")))
}

/// The value of a variable, if it has any; what is not Unicode is no value of these.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}
