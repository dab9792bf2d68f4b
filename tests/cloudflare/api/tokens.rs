//! The one token, and what it may do.

use hyper::{Method, Response};
use serde_json::json;

use super::Asked;
use super::reply::{grant, refuse};
use crate::cloudflare::server::Body;
use crate::cloudflare::{TOKEN, TOKEN_ID};

/// Whose token it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A user's.
    User,
    /// The account's.
    Account,
}

/// What a token may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// Nothing.
    None,
    /// Read.
    Read,
    /// Read and write.
    Edit,
}

impl Permission {
    pub(in crate::cloudflare) fn allows(self, is_read: bool) -> bool {
        match self {
            Self::None => false,
            Self::Read => is_read,
            Self::Edit => true,
        }
    }
}

pub(super) struct Tokens {
    kind: TokenKind,
    status: String,
    permission: Permission,
}

impl Default for Tokens {
    fn default() -> Self {
        Self { kind: TokenKind::User, status: "active".to_owned(), permission: Permission::Edit }
    }
}

impl Tokens {
    pub(super) fn set(&mut self, kind: TokenKind, status: &str, permission: Permission) {
        *self = Self { kind, status: status.to_owned(), permission };
    }

    /// The answer where tokens of `kind` are verified.
    pub(super) fn verify(&self, kind: TokenKind, asked: &Asked) -> Response<Body> {
        if !is_known(asked) || kind != self.kind {
            return refuse(401, 1000, "Invalid API Token");
        }
        grant(&json!({ "id": TOKEN_ID, "status": self.status }))
    }

    /// What is refused to the token on KV.
    pub(super) fn refusal(&self, asked: &Asked) -> Option<Response<Body>> {
        if !is_known(asked) || self.status != "active" {
            return Some(refuse(401, 10000, "Authentication error"));
        }
        let allowed = self.permission.allows(asked.method == Method::GET);
        (!allowed).then(|| refuse(403, 10000, "Authentication error"))
    }
}

fn is_known(asked: &Asked) -> bool {
    asked.authorization == format!("Bearer {TOKEN}")
}
