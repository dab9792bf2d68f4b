//! What stands for Cloudflare.

use std::io::Read as _;

use serde_json::json;
use yuba::digest::Sha256Digest;
use yuba_tests::cloudflare::{ACCOUNT, Cloudflare, KV_NAMESPACE, TOKEN, TOKEN_ID};

use crate::Failure;

pub(crate) fn serve() -> Result<(), Failure> {
    let cloudflare = Cloudflare::start()?;
    let announcement = json!({
        "api": cloudflare.api.url(),
        "r2": cloudflare.r2.upstream(),
        "buckets": cloudflare.root(),
        "account": ACCOUNT,
        "kv_namespace": KV_NAMESPACE,
        "token": TOKEN,
        "access_key_id": TOKEN_ID,
        "secret_access_key": Sha256Digest::of(TOKEN.as_bytes()),
    });
    println!("{announcement}");
    std::io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}
