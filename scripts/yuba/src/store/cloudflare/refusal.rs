//! What Cloudflare refuses for good: trying again would not help, changing a token or a binding does.

use super::bucket::BucketName;
use super::identifier::{AccountId, KvNamespaceId};

/// What a token needs for R2, as the dashboard names it.
const R2_PERMISSION: &str = "Workers R2 Storage: Edit";

/// What a token needs for KV, as the dashboard names it.
const KV_PERMISSION: &str = "Workers KV Storage: Edit";

/// A refusal, with what Cloudflare said.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The token is none, or not any more.
    #[error("Cloudflare does not accept the API token: {0}")]
    Token(String),
    /// R2 does not know the key pair.
    #[error("R2 does not accept the access key: {0}")]
    AccessKey(String),
    /// The token may not do that to the bucket.
    #[error("R2 refuses this to the token: it lacks the permission `{R2_PERMISSION}` for bucket `{bucket}` ({said})")]
    Bucket {
        /// The bucket.
        bucket: BucketName,
        /// What R2 said.
        said: String,
    },
    /// There is no such bucket.
    #[error("account `{account}` has no bucket `{bucket}`")]
    NoBucket {
        /// The account.
        account: AccountId,
        /// The bucket.
        bucket: BucketName,
    },
    /// The token may not do that to the KV namespace.
    #[error("KV refuses this to the token: it lacks the permission `{KV_PERMISSION}` in account `{account}` ({said})")]
    KvNamespace {
        /// The account.
        account: AccountId,
        /// What KV said.
        said: String,
    },
    /// There is no such KV namespace.
    #[error("account `{account}` has no KV namespace `{namespace}`")]
    NoKvNamespace {
        /// The account.
        account: AccountId,
        /// The KV namespace.
        namespace: KvNamespaceId,
    },
    /// There is no such account, as far as the token can see.
    #[error("Cloudflare has no account `{account}` for this token ({said})")]
    NoAccount {
        /// The account.
        account: AccountId,
        /// What Cloudflare said.
        said: String,
    },
}

impl Refusal {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Token(_) => "check CLOUDFLARE_API_TOKEN: the dashboard shows under My Profile > API Tokens, or the account's, whether it is active".to_owned(),
            Self::AccessKey(_) => "check R2_ACCESS_KEY_ID and R2_SECRET_ACCESS_KEY, or unset both to use the token's own; check this machine's clock too".to_owned(),
            Self::Bucket { .. } => format!(
                "add `{R2_PERMISSION}` to the token (the dashboard: My Profile > API Tokens), or `Object Read & Write` for this bucket to the R2 token; check that the account id is the bucket's"
            ),
            Self::NoBucket { bucket, .. } => format!(
                "check the binding `ARCHIVES` and its jurisdiction, or make the bucket: npx wrangler r2 bucket create {bucket}"
            ),
            Self::KvNamespace { .. } => format!(
                "add `{KV_PERMISSION}` to the token (the dashboard: My Profile > API Tokens), and check that it is for this account"
            ),
            Self::NoKvNamespace { .. } => "check the binding `METADATA`: `npx wrangler kv namespace list` shows the ids there are, `npx wrangler kv namespace create METADATA` makes one".to_owned(),
            Self::NoAccount { .. } => "check CLOUDFLARE_ACCOUNT_ID, or `account_id` in `wrangler.toml`: `npx wrangler whoami` shows the accounts of the token".to_owned(),
        }
    }
}
