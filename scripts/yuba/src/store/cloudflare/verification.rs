//! The token's id, which is also the access key id of its key pair ("Verify Token").

use reqwest::Method;
use serde::Deserialize;

use super::Refusal;
use super::api::{Api, Call, Content, envelope, is_forbidden};
use crate::backoff::TOTAL;
use crate::store::Cause;

/// What the API says about a token.
#[derive(Debug, Deserialize)]
struct Verified {
    id: String,
    status: String,
}

/// The id of the API's token. A token is a user's or an account's, and each kind is known to its own address alone.
pub(super) async fn token_id(api: &Api) -> Result<String, Cause> {
    let account = api.account.to_string();
    let mut refused = None;
    for path in [&["user", "tokens", "verify"][..], &["accounts", &account, "tokens", "verify"]] {
        let call = Call { method: Method::GET, path, query: &[], content: Content::Nothing, limit: TOTAL };
        let answer = api.call(call).await?;
        if answer.status.is_success() {
            let verified = envelope::<Verified>(&answer)?.result.ok_or(Cause::Malformed("the token's id"))?;
            return match verified.status.as_str() {
                "active" => Ok(verified.id),
                status => Err(Refusal::Token(format!("it is {status}")).into()),
            };
        }
        let refusal = api.refusal(&answer, |_, said| is_forbidden(answer.status).then_some(Refusal::Token(said)));
        // What the first address says of an account's token is only that it is no user's.
        refused.get_or_insert(refusal);
    }
    Err(refused.unwrap_or(Cause::Malformed("a token")))
}
