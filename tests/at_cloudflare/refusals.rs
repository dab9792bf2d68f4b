//! What Cloudflare refuses for good is told once, as what it is.

use std::error::Error;
use std::fmt::Write as _;

use fastrand::Rng;
use insta::assert_snapshot;
use yuba::keys::DocumentKey;
use yuba_companion::store::cloudflare::{Access, CloudflareStore, KeyPair, Token};
use yuba_companion::store::{Cause, Store};
use yuba_tests::cloudflare::{Cloudflare, Permission, TokenKind};

use crate::{connect, started};

const KEY: DocumentKey = DocumentKey::Index;

/// An error with its causes and what would help.
fn told(error: &(dyn Error + 'static)) -> String {
    let mut text = String::new();
    let mut cause = Some(error);
    while let Some(error) = cause {
        writeln!(text, "{error}").unwrap();
        if let Some(hint) = error.downcast_ref::<Cause>().and_then(Cause::hint) {
            write!(text, "hint: {hint}").unwrap();
            break;
        }
        cause = error.source();
    }
    text
}

async fn refused(access: Access) -> String {
    told(&CloudflareStore::connect(access, Rng::new()).await.unwrap_err())
}

/// What reading and writing R2 and KV come to, where they come to an error, each after one request.
async fn refusals(cloudflare: &Cloudflare, store: &CloudflareStore) -> String {
    cloudflare.r2.faults.set(|_, _| yuba_tests::cloudflare::Fault::None);
    let mut text = String::new();
    for error in [
        store.read(&KEY).await.err(),
        store.swap(&KEY, None, b"x").await.err(),
        store.read_copy(&KEY).await.err(),
        store.write_copy(&KEY, b"x").await.err(),
    ]
    .iter()
    .flatten()
    {
        writeln!(text, "{}", told(error)).unwrap();
    }
    assert!(cloudflare.r2.faults.requests().len() <= 2, "{:?}", cloudflare.r2.faults.requests());
    text
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_s_token_and_an_account_s_are_both_known() {
    let Some(cloudflare) = started() else { return };
    for kind in [TokenKind::User, TokenKind::Account] {
        cloudflare.api.set_token(kind, "active", Permission::Edit);
        let store = connect(cloudflare.access()).await;
        // The S3 server checks the signature, and so the derived secret.
        assert_eq!(store.read(&KEY).await.unwrap(), None);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_is_none_any_more_is_told() {
    let Some(cloudflare) = started() else { return };
    let wrong = Access { token: Token::new("another".to_owned()).unwrap(), ..cloudflare.access() };
    assert_snapshot!(refused(wrong).await, @r"
    cannot verify the API token
    Cloudflare does not accept the API token: 1000: Invalid API Token
    hint: check CLOUDFLARE_API_TOKEN: the dashboard shows under My Profile > API Tokens, or the account's, whether it is active
    ");
    for status in ["expired", "disabled"] {
        cloudflare.api.set_token(TokenKind::User, status, Permission::Edit);
        let told = refused(cloudflare.access()).await;
        assert!(told.contains(&format!("Cloudflare does not accept the API token: it is {status}")), "{told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_is_another_is_told() {
    let Some(cloudflare) = started() else { return };
    let mut access = cloudflare.access();
    access.bindings.account = "00000000000000000000000000000000".parse().unwrap();
    let store = connect(access).await;
    assert_snapshot!(told(&store.read_copy(&KEY).await.unwrap_err()), @r"
    cannot read the KV copy `index`
    Cloudflare has no account `00000000000000000000000000000000` for this token (7003: Could not route to /accounts/00000000000000000000000000000000, perhaps your object identifier is invalid?)
    hint: check CLOUDFLARE_ACCOUNT_ID, or `account_id` in `wrangler.toml`: `npx wrangler whoami` shows the accounts of the token
    ");
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_permissions_are_named() {
    let Some(cloudflare) = started() else { return };
    let store = connect(cloudflare.access()).await;
    cloudflare.r2.permit(Permission::Read);
    cloudflare.api.set_token(TokenKind::User, "active", Permission::Read);
    assert_snapshot!(refusals(&cloudflare, &store).await, @r"
    cannot write `meta/index`
    R2 refuses this to the token: it lacks the permission `Workers R2 Storage: Edit` for bucket `yuba-archives` (AccessDenied: Access Denied)
    hint: add `Workers R2 Storage: Edit` to the token (the dashboard: My Profile > API Tokens), or `Object Read & Write` for this bucket to the R2 token; check that the account id is the bucket's
    cannot write the KV copy `index`
    KV refuses this to the token: it lacks the permission `Workers KV Storage: Edit` in account `023e105f4ecef8ad9ca31a8372d0c353` (10000: Authentication error)
    hint: add `Workers KV Storage: Edit` to the token (the dashboard: My Profile > API Tokens), and check that it is for this account
    ");
    cloudflare.r2.permit(Permission::None);
    cloudflare.api.set_token(TokenKind::User, "active", Permission::None);
    let nothing = refusals(&cloudflare, &store).await;
    assert_eq!(nothing.matches("`Workers R2 Storage: Edit`").count(), 4, "{nothing}");
    assert_eq!(nothing.matches("`Workers KV Storage: Edit`").count(), 4, "{nothing}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_and_a_namespace_that_are_missing_are_told() {
    let Some(cloudflare) = started() else { return };
    let store = connect(cloudflare.access_to("no-such-bucket", "00000000000000000000000000000000")).await;
    assert_snapshot!(refusals(&cloudflare, &store).await, @r"
    cannot read `meta/index`
    account `023e105f4ecef8ad9ca31a8372d0c353` has no bucket `no-such-bucket`
    hint: check the binding `ARCHIVES` and its jurisdiction, or make the bucket: npx wrangler r2 bucket create no-such-bucket
    cannot write `meta/index`
    account `023e105f4ecef8ad9ca31a8372d0c353` has no bucket `no-such-bucket`
    hint: check the binding `ARCHIVES` and its jurisdiction, or make the bucket: npx wrangler r2 bucket create no-such-bucket
    cannot read the KV copy `index`
    account `023e105f4ecef8ad9ca31a8372d0c353` has no KV namespace `00000000000000000000000000000000`
    hint: check the binding `METADATA`: `npx wrangler kv namespace list` shows the ids there are, `npx wrangler kv namespace create METADATA` makes one
    cannot write the KV copy `index`
    account `023e105f4ecef8ad9ca31a8372d0c353` has no KV namespace `00000000000000000000000000000000`
    hint: check the binding `METADATA`: `npx wrangler kv namespace list` shows the ids there are, `npx wrangler kv namespace create METADATA` makes one
    ");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_pair_that_is_given_wins_and_is_told_if_it_is_wrong() {
    let Some(cloudflare) = started() else { return };
    let given = |id: &str, secret: &str| KeyPair::given(Some(id.to_owned()), Some(secret.to_owned())).unwrap();
    let store = connect(Access { keys: given("another", "secret"), ..cloudflare.access() }).await;
    // Nobody is asked what the token's id is.
    assert_eq!(cloudflare.api.faults.requests(), [""; 0]);
    assert_snapshot!(told(&store.read(&KEY).await.unwrap_err()), @r"
    cannot read `meta/index`
    R2 does not accept the access key: Unauthorized: Unauthorized
    hint: check R2_ACCESS_KEY_ID and R2_SECRET_ACCESS_KEY, or unset both to use the token's own; check this machine's clock too
    ");
    // The right id with a wrong secret is the S3 server's to refuse.
    let store = connect(Access { keys: given(yuba_tests::cloudflare::TOKEN_ID, "wrong"), ..cloudflare.access() }).await;
    assert_snapshot!(told(&store.read(&KEY).await.unwrap_err()), @r"
    cannot read `meta/index`
    R2 does not accept the access key: SignatureDoesNotMatch
    hint: check R2_ACCESS_KEY_ID and R2_SECRET_ACCESS_KEY, or unset both to use the token's own; check this machine's clock too
    ");
}

/// A proxy's page in place of an answer, or an API that has changed.
#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_understood_is_told() {
    let Some(cloudflare) = started() else { return };
    let store = connect(cloudflare.access()).await;
    cloudflare.api.faults.set(|_, _| yuba_tests::cloudflare::Fault::Status(418));
    cloudflare.r2.faults.set(|_, _| yuba_tests::cloudflare::Fault::Status(418));
    let errors = [store.read(&KEY).await.unwrap_err(), store.read_copy(&KEY).await.unwrap_err()];
    assert_snapshot!(errors.map(|error| told(&error)).concat(), @r"
    cannot read `meta/index`
    storage answered 418: InternalError: We encountered an internal error. Please try again.
    cannot read the KV copy `index`
    storage answered 418: <html>upstream error
    ");
}
