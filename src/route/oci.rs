//! The part of the grammar that OCI distribution has: everything below `/v2/`.
//!
//! A repository's name has slashes in it, so a path is read from its end.

use std::fmt;

use crate::digest::Sha256Digest;
use crate::protocol::oci::{parse_digest, spell};
use crate::repository::{Repository, RepositoryError};
use crate::tag::{Tag, TagError};

/// What a request of OCI distribution asks for, all of it below `/v2/`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum OciRoute {
    /// `/v2/`: whether the protocol is spoken at all
    Check,
    /// `/v2/:repository/tags/list`
    Tags(Repository),
    /// `/v2/:repository/manifests/:tag`
    Tagged(Repository, Tag),
    /// `/v2/:repository/manifests/:digest`
    Manifest(Repository, Sha256Digest),
    /// `/v2/:repository/blobs/:digest`
    Blob(Repository, Sha256Digest),
    /// `/v2/:repository/referrers/:digest`
    Referrers(Repository, Sha256Digest),
}

/// Why a path is no route of OCI distribution.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OciError {
    /// The protocol has no such path, or this registry does not answer it.
    #[error("OCI distribution has nothing to pull at `/v2/{0}`")]
    Unknown(String),
    /// The repository is none.
    #[error(transparent)]
    Repository(#[from] RepositoryError),
    /// The tag is none of a version.
    #[error(transparent)]
    Tag(#[from] TagError),
    /// The digest is none.
    #[error("`{0}` is not a digest: `sha256:` and 64 lower-case hexadecimal digits")]
    Digest(String),
}

impl OciRoute {
    /// Parses what follows `/v2/`, in its parts.
    pub(super) fn parse(parts: &[&str]) -> Result<Self, OciError> {
        let repository = |name: &[&str]| name.join("/").parse::<Repository>();
        if parts.iter().any(|part| part.contains('/')) {
            // An encoded slash would be another URL for the same.
            return Err(OciError::Unknown(parts.join("/")));
        }
        match parts {
            [""] => Ok(Self::Check),
            [name @ .., "tags", "list"] => Ok(Self::Tags(repository(name)?)),
            [name @ .., "manifests", reference] if reference.contains(':') => {
                Ok(Self::Manifest(repository(name)?, digest(reference)?))
            }
            [name @ .., "manifests", tag] => Ok(Self::Tagged(repository(name)?, tag.parse()?)),
            [name @ .., "blobs", reference] => Ok(Self::Blob(repository(name)?, digest(reference)?)),
            [name @ .., "referrers", reference] => Ok(Self::Referrers(repository(name)?, digest(reference)?)),
            _ => Err(OciError::Unknown(parts.join("/"))),
        }
    }
}

fn digest(text: &str) -> Result<Sha256Digest, OciError> {
    parse_digest(text).ok_or_else(|| OciError::Digest(text.to_owned()))
}

impl fmt::Display for OciRoute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check => f.write_str("/v2/"),
            Self::Tags(repository) => write!(f, "/v2/{repository}/tags/list"),
            Self::Tagged(repository, tag) => write!(f, "/v2/{repository}/manifests/{tag}"),
            Self::Manifest(repository, digest) => write!(f, "/v2/{repository}/manifests/{}", spell(digest)),
            Self::Blob(repository, digest) => write!(f, "/v2/{repository}/blobs/{}", spell(digest)),
            Self::Referrers(repository, digest) => write!(f, "/v2/{repository}/referrers/{}", spell(digest)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Route, RouteError};
    use super::*;

    const DIGEST: &str = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    fn parse(path: &str) -> Result<OciRoute, OciError> {
        match path.parse() {
            Ok(Route::Oci(route)) => Ok(route),
            Err(RouteError::Oci(error)) => Err(error),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_route_is_rendered_as_it_is_parsed() {
        for name in
            ["registry.example/acme/dns", "acme/dns", "acme/opentofu-provider-dns", "manifests/blobs", "tags/list"]
        {
            for rest in [
                "tags/list",
                "manifests/1.0.0-rc.1_build.7",
                &format!("manifests/{DIGEST}"),
                &format!("blobs/{DIGEST}"),
                &format!("referrers/{DIGEST}"),
            ] {
                let path = format!("/v2/{name}/{rest}");
                assert_eq!(parse(&path).unwrap().to_string(), path);
            }
        }
        assert_eq!(parse("/v2/"), Ok(OciRoute::Check));
        // Clients may encode the colon.
        let encoded = parse(&format!("/v2/acme/dns/blobs/{}", DIGEST.replace(':', "%3A"))).unwrap();
        assert_eq!(encoded.to_string(), format!("/v2/acme/dns/blobs/{DIGEST}"));
    }

    #[test]
    fn paths_outside_the_grammar_are_refused_by_their_own_rule() {
        for (path, message) in [
            ("/v2/_catalog", "OCI distribution has nothing to pull at `/v2/_catalog`"),
            ("/v2//", "OCI distribution has nothing to pull at `/v2//`"),
            ("/v2/acme%2Fdns/tags/list", "OCI distribution has nothing to pull at"),
            ("/v2/acme/dns", "OCI distribution has nothing to pull at `/v2/acme/dns`"),
            ("/v2/acme/dns/tags/", "OCI distribution has nothing to pull at"),
            ("/v2/acme/dns/blobs/uploads/", "OCI distribution has nothing to pull at"),
            ("/v2/tags/list", "repository `` is none of a provider"),
            ("/v2/dns/tags/list", "repository `dns` is none of a provider"),
            ("/v2/Acme/dns/tags/list", "repository `Acme/dns` is none of a provider"),
            ("/v2/acme/%E3%81%BB%E3%81%92/tags/list", "requested provider address `acme/ほげ` contains characters"),
            ("/v2/acme/dns/manifests/latest", "tag `latest` is none of a version"),
            ("/v2/acme/dns/manifests/1.0", "tag `1.0` is none of a version"),
            ("/v2/acme/dns/manifests/sha256:e3b0", "`sha256:e3b0` is not a digest"),
            ("/v2/acme/dns/blobs/e3b0", "`e3b0` is not a digest"),
            ("/v2/acme/dns/referrers/1.0.0", "`1.0.0` is not a digest"),
        ] {
            let refused = parse(path).map(|route| route.to_string());
            let refused = refused.map_err(|error| error.to_string()).unwrap_err();
            assert!(refused.starts_with(message), "{path}: {refused}");
        }
        assert_eq!("/v2".parse::<Route>(), Err(RouteError::Unknown("/v2".to_owned())));
    }
}
