//! Routes: the whole URL grammar, parsed and rendered.
//!
//! Parsing is by hand: the grammar is small, and one enum says more than a table of patterns. A path is accepted only in
//! the form in which clients send it (normalised names, canonical versions), so that each document has one URL; what the
//! grammar refuses costs no storage read.

pub mod oci;

use std::fmt;
use std::str::FromStr;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::address::{ProviderAddress, ReleaseAddress};
use crate::archive_name::{ArchiveName, FILE_PREFIX};
use crate::digest::Sha256Digest;
use crate::hostname::Hostname;
use crate::name::{Namespace, ProviderType};
use crate::platform::Platform;
use crate::version::Version;

pub use oci::{OciError, OciRoute};

/// Where the provider registry protocol lives; the trailing slash is part of what discovery must announce.
pub const REGISTRY_PATH: &str = "/v1/providers/";

/// Where OCI distribution lives; the specification leaves no choice.
pub const OCI_PATH: &str = "/v2/";

/// What a path segment keeps as it is; `+` and `:` are legal there, and clients send both literally.
const SEGMENT: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'+').remove(b':');

/// What ends the names of a release's signed files.
const SHASUMS: &str = "SHA256SUMS";
const SIGNATURE_SUFFIX: &str = ".sig";

/// Why a path is no route.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RouteError {
    /// No document has such a path.
    #[error("there is nothing at `{0}`")]
    Unknown(String),
    /// The path is below `/v2/`, and no route of OCI distribution.
    #[error(transparent)]
    Oci(#[from] OciError),
    /// A part of the path is no legal name.
    #[error("`{path}`: {reason}")]
    Illegal {
        /// The whole path.
        path: String,
        /// What its part lacks.
        reason: String,
    },
    /// A part of the path is a legal name, but written otherwise than clients write it.
    #[error("`{path}`: `{given}` is written `{normalised}`")]
    NotNormalised {
        /// The whole path.
        path: String,
        /// The part.
        given: String,
        /// How clients write it.
        normalised: String,
    },
}

/// What a request asks for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Route {
    /// `/.well-known/terraform.json`
    Discovery,
    /// `/healthz`
    Health,
    /// `/v1/providers/:namespace/:type/versions`
    Versions(Namespace, ProviderType),
    /// `/v1/providers/:namespace/:type/:version/download/:os/:arch`
    Download(Namespace, ProviderType, Version, Platform),
    /// `/mirror/:hostname/:namespace/:type/index.json`
    MirrorIndex(ProviderAddress),
    /// `/mirror/:hostname/:namespace/:type/:version.json`
    MirrorVersion(ReleaseAddress),
    /// `/mirror/:hostname/:namespace/:type/:version.json` of a version that clients accept and no registry lists here,
    /// such as `1.0` or one that is too long
    MirrorUnlistable(ProviderAddress, String),
    /// `/releases/:hostname/:namespace/:type/:version/terraform-provider-TYPE_VERSION_SHA256SUMS`
    Shasums(ReleaseAddress),
    /// `/releases/:hostname/:namespace/:type/:version/terraform-provider-TYPE_VERSION_SHA256SUMS.sig`
    ShasumsSignature(ReleaseAddress),
    /// `/releases/:hostname/:namespace/:type/:version/:sha256/terraform-provider-TYPE_VERSION_OS_ARCH.zip`
    Archive(ReleaseAddress, Sha256Digest, ArchiveName),
    /// `/v2/…`: OCI distribution
    Oci(OciRoute),
}

/// A path under parsing: its text, for messages, and its parts.
struct Path<'a>(&'a str);

impl Path<'_> {
    fn unknown(&self) -> RouteError {
        RouteError::Unknown(self.0.to_owned())
    }

    fn illegal(&self, reason: impl fmt::Display) -> RouteError {
        RouteError::Illegal { path: self.0.to_owned(), reason: reason.to_string() }
    }

    fn segments(&self) -> Result<Vec<String>, RouteError> {
        let path = self.0.strip_prefix('/').ok_or_else(|| self.unknown())?;
        let decode = |segment| percent_decode_str(segment).decode_utf8().map(String::from);
        path.split('/').map(decode).collect::<Result<_, _>>().map_err(|_| self.unknown())
    }

    /// Parses one part, which must be in its normalised form already.
    fn parse<T>(&self, given: &str) -> Result<T, RouteError>
    where
        T: FromStr<Err: fmt::Display> + fmt::Display,
    {
        let part: T = given.parse().map_err(|error| self.illegal(error))?;
        let normalised = part.to_string();
        if normalised != given {
            return Err(RouteError::NotNormalised { path: self.0.to_owned(), given: given.to_owned(), normalised });
        }
        Ok(part)
    }

    fn provider(&self, hostname: &str, namespace: &str, r#type: &str) -> Result<ProviderAddress, RouteError> {
        let hostname: Hostname = self.parse(hostname)?;
        let address = ProviderAddress::new(hostname, self.parse(namespace)?, self.parse(r#type)?);
        address.map_err(|error| self.illegal(error))
    }

    fn mirror(&self, provider: ProviderAddress, file: &str) -> Result<Route, RouteError> {
        match file.strip_suffix(".json") {
            Some("index") => Ok(Route::MirrorIndex(provider)),
            // A client asks for versions that another source has, and stops at a refusal.
            Some(version) => Ok(match self.parse(version) {
                Ok(version) => Route::MirrorVersion(ReleaseAddress { provider, version }),
                Err(_) => Route::MirrorUnlistable(provider, version.to_owned()),
            }),
            None => Err(self.unknown()),
        }
    }

    fn archive(&self, release: ReleaseAddress, digest: &str, filename: &str) -> Result<Route, RouteError> {
        let filename: ArchiveName = self.parse(filename)?;
        if filename.r#type != *release.provider.r#type() || filename.version != release.version {
            return Err(self.unknown());
        }
        Ok(Route::Archive(release, self.parse(digest)?, filename))
    }

    fn signed_file(&self, release: ReleaseAddress, file: &str) -> Result<Route, RouteError> {
        let shasums = shasums_name(&release);
        match file.strip_prefix(&shasums) {
            Some("") => Ok(Route::Shasums(release)),
            Some(SIGNATURE_SUFFIX) => Ok(Route::ShasumsSignature(release)),
            _ => Err(self.unknown()),
        }
    }
}

impl FromStr for Route {
    type Err = RouteError;

    /// Parses the path of a URL, still percent-encoded and without its query.
    fn from_str(path: &str) -> Result<Self, RouteError> {
        let path = Path(path);
        let segments = path.segments()?;
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        match *segments.as_slice() {
            [".well-known", "terraform.json"] => Ok(Self::Discovery),
            ["healthz"] => Ok(Self::Health),
            ["v2", ref rest @ ..] if !rest.is_empty() => Ok(Self::Oci(OciRoute::parse(rest)?)),
            ["v1", "providers", namespace, r#type, "versions"] => {
                Ok(Self::Versions(path.parse(namespace)?, path.parse(r#type)?))
            }
            ["v1", "providers", namespace, r#type, version, "download", os, arch] => Ok(Self::Download(
                path.parse(namespace)?,
                path.parse(r#type)?,
                path.parse(version)?,
                path.parse(&format!("{os}_{arch}"))?,
            )),
            ["mirror", hostname, namespace, r#type, file] => {
                path.mirror(path.provider(hostname, namespace, r#type)?, file)
            }
            ["releases", hostname, namespace, r#type, version, file] => {
                let provider = path.provider(hostname, namespace, r#type)?;
                path.signed_file(ReleaseAddress { provider, version: path.parse(version)? }, file)
            }
            ["releases", hostname, namespace, r#type, version, digest, filename] => {
                let provider = path.provider(hostname, namespace, r#type)?;
                let release = ReleaseAddress { provider, version: path.parse(version)? };
                path.archive(release, digest, filename)
            }
            _ => Err(path.unknown()),
        }
    }
}

/// The name of a release's checksums, as release tools write it.
fn shasums_name(release: &ReleaseAddress) -> String {
    format!("{FILE_PREFIX}{}_{}_{SHASUMS}", release.provider.r#type(), release.version)
}

/// One segment, percent-encoded where a URL needs it.
struct Segment<T>(T);

impl<T: fmt::Display> fmt::Display for Segment<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string();
        utf8_percent_encode(&text, SEGMENT).try_for_each(|part| f.write_str(part))
    }
}

fn write_provider(f: &mut fmt::Formatter<'_>, tree: &str, address: &ProviderAddress) -> fmt::Result {
    let (hostname, namespace, r#type) = (address.hostname(), address.namespace(), address.r#type());
    write!(f, "/{tree}/{}/{}/{}/", Segment(hostname), Segment(namespace), Segment(r#type))
}

fn write_release(f: &mut fmt::Formatter<'_>, release: &ReleaseAddress) -> fmt::Result {
    write_provider(f, "releases", &release.provider)?;
    write!(f, "{}/", Segment(&release.version))
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Discovery => f.write_str("/.well-known/terraform.json"),
            Self::Health => f.write_str("/healthz"),
            Self::Versions(namespace, r#type) => {
                write!(f, "{REGISTRY_PATH}{}/{}/versions", Segment(namespace), Segment(r#type))
            }
            Self::Download(namespace, r#type, version, platform) => {
                write!(f, "{REGISTRY_PATH}{}/{}/{}", Segment(namespace), Segment(r#type), Segment(version))?;
                write!(f, "/download/{}/{}", platform.os(), platform.arch())
            }
            Self::MirrorIndex(provider) => {
                write_provider(f, "mirror", provider)?;
                f.write_str("index.json")
            }
            Self::MirrorVersion(release) => {
                write_provider(f, "mirror", &release.provider)?;
                write!(f, "{}.json", Segment(&release.version))
            }
            Self::MirrorUnlistable(provider, version) => {
                write_provider(f, "mirror", provider)?;
                write!(f, "{}.json", Segment(version))
            }
            Self::Shasums(release) => {
                write_release(f, release)?;
                write!(f, "{}", Segment(shasums_name(release)))
            }
            Self::ShasumsSignature(release) => {
                write_release(f, release)?;
                write!(f, "{}{SIGNATURE_SUFFIX}", Segment(shasums_name(release)))
            }
            Self::Archive(release, digest, filename) => {
                write_release(f, release)?;
                write!(f, "{digest}/{}", Segment(filename))
            }
            Self::Oci(route) => write!(f, "{route}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGEST: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    #[test]
    fn every_route_is_rendered_as_it_is_parsed() {
        let archive =
            format!("/releases/a.example/acme/dns/1.0.0/{DIGEST}/terraform-provider-dns_1.0.0_linux_amd64.zip");
        let paths = [
            "/.well-known/terraform.json",
            "/healthz",
            "/v1/providers/acme/dns/versions",
            "/v1/providers/%E3%81%BB%E3%81%92/stra%C3%9Fe/versions",
            "/v1/providers/acme/dns/1.0.0-rc.1+build.7/download/linux/amd64",
            "/mirror/localhost:8443/acme/dns/index.json",
            "/mirror/xn--bcher-kva.example/acme/dns/1.0.0+7.json",
            "/mirror/localhost:8443/acme/dns/1.0.0-01.json",
            "/releases/a.example/acme/dns/1.0.0/terraform-provider-dns_1.0.0_SHA256SUMS",
            "/releases/a.example/acme/stra%C3%9Fe/1.0.0/terraform-provider-stra%C3%9Fe_1.0.0_SHA256SUMS.sig",
            archive.as_str(),
        ];
        for path in paths {
            assert_eq!(path.parse::<Route>().unwrap().to_string(), path);
        }
    }

    #[test]
    fn names_arrive_percent_encoded_in_more_than_one_way() {
        let encoded = "/v1/providers/acme/dns/1.0.0%2Bbuild/download/linux/amd64".parse::<Route>().unwrap();
        assert_eq!(encoded.to_string(), "/v1/providers/acme/dns/1.0.0+build/download/linux/amd64");
        let encoded = "/mirror/localhost%3A8443/%61cme/dns/index.json".parse::<Route>().unwrap();
        assert_eq!(encoded.to_string(), "/mirror/localhost:8443/acme/dns/index.json");
    }

    #[test]
    fn paths_outside_the_grammar_are_refused() {
        let unknown = [
            "",
            "/",
            "//",
            "v1",
            "/v1",
            "/v1/providers",
            "/v1/providers/",
            "/v1/providers/acme/dns",
            "/healthz/",
            "/v1/providers/acme/dns/versions/",
            "/v1/providers//acme/dns/versions",
            "/v3/providers/acme/dns/versions",
            "/v1/providers/-/dns/versions/x",
            "/mirror/a.example/acme/dns/index",
            "/mirror/a.example/acme/dns/1.0.0",
            "/releases/a.example/acme/dns/1.0.0/terraform-provider-tls_1.0.0_SHA256SUMS",
            "/releases/a.example/acme/dns/1.0.0/terraform-provider-dns_1.0.0_SHA256SUMS.asc",
            "/v1/providers/%FF/dns/versions",
        ];
        for path in unknown {
            assert_eq!(path.parse::<Route>(), Err(RouteError::Unknown(path.to_owned())), "{path}");
        }
    }

    #[test]
    fn parts_that_are_illegal_are_refused_by_their_own_rule() {
        let cases = [
            ("/v1/providers/a_b/dns/versions", "`/v1/providers/a_b/dns/versions`: name `a_b` must be letters"),
            ("/v1/providers/acme/terraform-dns/versions", "`/v1/providers/acme/terraform-dns/versions`: type"),
            ("/v1/providers/acme/a%2Fb/versions", "`/v1/providers/acme/a%2Fb/versions`: name `a/b` must be"),
            (
                "/v1/providers/acme/dns/v1.0.0/download/linux/amd64",
                "`/v1/providers/acme/dns/v1.0.0/download/linux/amd64`: version",
            ),
            (
                "/v1/providers/acme/dns/1.0.0/download/linux/amd_64",
                "`/v1/providers/acme/dns/1.0.0/download/linux/amd_64`: platform",
            ),
            (
                "/v1/providers/acme/dns/1.0.0/download//amd64",
                "`/v1/providers/acme/dns/1.0.0/download//amd64`: platform",
            ),
            ("/mirror/a_b/acme/dns/index.json", "`/mirror/a_b/acme/dns/index.json`: `a_b` is not a hostname"),
            (
                "/releases/a.example/acme/dns/1.0.0/e3b0/terraform-provider-dns_1.0.0_linux_amd64.zip",
                "`/releases/a.example/acme/dns/1.0.0/e3b0/terraform-provider-dns_1.0.0_linux_amd64.zip`: `e3b0`",
            ),
        ];
        for (path, message) in cases {
            let refused = path.parse::<Route>().unwrap_err().to_string();
            assert!(refused.starts_with(message), "{refused}");
        }
    }

    #[test]
    fn an_archive_s_name_agrees_with_its_address() {
        for (version, filename) in [("1.0.0", "tls_1.0.0"), ("1.0.0", "dns_1.0.1")] {
            let filename = format!("terraform-provider-{filename}_linux_amd64.zip");
            let path = format!("/releases/a.example/acme/dns/{version}/{DIGEST}/{filename}");
            assert_eq!(path.parse::<Route>(), Err(RouteError::Unknown(path.clone())));
        }
    }

    #[test]
    fn a_document_has_one_url() {
        let cases = [
            ("/v1/providers/Acme/dns/versions", "Acme", "acme"),
            ("/mirror/A.example/acme/dns/index.json", "A.example", "a.example"),
            ("/mirror/a.example:443/acme/dns/index.json", "a.example:443", "a.example"),
            ("/mirror/b%C3%BCcher.example/acme/dns/index.json", "bücher.example", "xn--bcher-kva.example"),
        ];
        for (path, given, normalised) in cases {
            let (path, given, normalised) = (path.to_owned(), given.to_owned(), normalised.to_owned());
            assert_eq!(path.parse::<Route>(), Err(RouteError::NotNormalised { path, given, normalised }));
        }
    }
}
