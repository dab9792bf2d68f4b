//! The conformance client of OCI distribution: it installs as `OpenTofu` 1.12 does from an `oci_mirror`, request by
//! request, and refuses what that refuses.
//!
//! 1. `GET /v2/`
//! 2. `GET /v2/<name>/tags/list`, and every page that a `Link` names
//! 3. `HEAD /v2/<name>/manifests/<tag>`
//! 4. `GET /v2/<name>/manifests/<digest>`: the index
//! 5. `GET /v2/<name>/manifests/<digest>`: the platform's manifest
//! 6. `GET /v2/<name>/blobs/<digest>`: the archive
//!
//! So the sequence is held where no `OpenTofu` can be built. Its rules are those of
//! `internal/getproviders/oci_registry_mirror_source.go`, `package_location_oci_blob_archive.go` and, below that, of oras-go
//! 2.6.1. Not repeated are its credentials, the following of redirects, digests other than SHA-256, and unpacking.

mod answers;
mod choice;
#[cfg(test)]
mod refusals;
mod tags;

use yuba::digest::Sha256Digest;
use yuba::platform::Platform;
use yuba::protocol::oci::{INDEX, PROVIDER, PROVIDER_TARGET, spell};

use crate::exchange::{Ask, Reply, Server};
use choice::{Descriptor, Index, Manifest};

/// What is accepted where a tag is resolved (oras-go, `defaultManifestMediaTypes`).
const RESOLVABLE: &str = "application/vnd.docker.distribution.manifest.v2+json, \
                          application/vnd.docker.distribution.manifest.list.v2+json, \
                          application/vnd.oci.image.manifest.v1+json, application/vnd.oci.image.index.v1+json, \
                          application/vnd.oci.artifact.manifest.v1+json";

/// A mebibyte, in which `OpenTofu` counts a manifest's size.
const MEBIBYTE: u64 = 1024 * 1024;

/// The most whole mebibytes that a manifest has (`OpenTofu`, `ociImageManifestSizeLimitMiB`).
const MANIFEST_MEBIBYTES: u64 = 4;

/// Why an installation stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stopped {
    /// There is no such provider here. `OpenTofu` goes on to where else it may look.
    NoProvider,
    /// The provider has no such version, but these.
    NoVersion(Vec<String>),
    /// The version has no package for the platform. `OpenTofu` goes on to where else it may look.
    NoPlatform,
    /// `OpenTofu` gives up for this reason, wherever else it might have looked.
    Fatal(String),
}

fn fatal(reason: impl Into<String>) -> Stopped {
    Stopped::Fatal(reason.into())
}

/// What a client has after an installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// The archive.
    pub archive: Vec<u8>,
    /// The digest that the tag stood for.
    pub index: Sha256Digest,
    /// The hash of the archive that is locked.
    pub zh: String,
}

/// A client of one repository.
pub struct OciClient<'s> {
    server: &'s mut dyn Server,
    repository: String,
    /// What was asked so far, as `METHOD PATH`.
    pub asked: Vec<String>,
}

impl<'s> OciClient<'s> {
    /// A client of `repository` at `server`.
    #[must_use]
    pub fn new(server: &'s mut dyn Server, repository: &str) -> Self {
        Self { server, repository: repository.to_owned(), asked: Vec::new() }
    }

    /// The versions that the repository has, in no order.
    ///
    /// # Errors
    /// [`Stopped`], at the first thing that `OpenTofu` would stop at.
    pub fn versions(&mut self) -> Result<Vec<String>, Stopped> {
        let ping = self.ask("GET", "/v2/", None);
        match ping.status {
            200 => {}
            404 => return Err(Stopped::NoProvider),
            _ => return Err(fatal(format!("failed to contact the registry: {}", answers::error(&ping)))),
        }
        let mut versions = Vec::new();
        let mut next = Some(format!("/v2/{}/tags/list", self.repository));
        while let Some(path) = next {
            let reply = self.ask("GET", &path, None);
            if reply.status != 200 && answers::is_unknown_name(&reply) {
                return Err(Stopped::NoProvider);
            }
            if reply.status != 200 {
                return Err(fatal(format!("listing tags: {}", answers::error(&reply))));
            }
            for tag in tags::page(&reply.body).map_err(Stopped::Fatal)? {
                versions.extend(tags::version(&tag).map_err(Stopped::Fatal)?);
            }
            next = tags::next(&reply, &path).map_err(Stopped::Fatal)?;
            if let Some(again) = next.as_ref().filter(|next| self.asked.contains(&format!("GET {next}"))) {
                return Err(fatal(format!("the tags after `{path}` start again at `{again}`, without end")));
            }
        }
        Ok(versions)
    }

    /// Installs `version` for `platform`, of which the lock file has the hashes `locked`, or none.
    ///
    /// # Errors
    /// [`Stopped`], at the first thing that `OpenTofu` would stop at.
    pub fn install(&mut self, version: &str, platform: &Platform, locked: &[&str]) -> Result<Installed, Stopped> {
        let versions = self.versions()?;
        if !versions.iter().any(|listed| listed == version) {
            return Err(Stopped::NoVersion(versions));
        }
        let index = self.resolve(&version.replace('+', "_"))?;
        let entries = self.manifest::<Index>(&index, PROVIDER)?.manifests.unwrap_or_default();
        let target = choice::entry(&entries, platform)?;
        let layers = self.manifest::<Manifest>(&target, PROVIDER_TARGET)?.layers.unwrap_or_default();
        let layer = choice::layer(&layers, platform)?;
        let zh = format!("zh:{}", layer.sha256()?);
        if !locked.is_empty() && !locked.contains(&zh.as_str()) {
            return Err(fatal(format!("`{zh}` is none of the checksums in the lock file, {locked:?}")));
        }
        Ok(Installed { archive: self.blob(&layer)?, index: index.sha256()?, zh })
    }

    /// What `tag` stands for, as far as an answer without a body says.
    fn resolve(&mut self, tag: &str) -> Result<Descriptor, Stopped> {
        let path = format!("/v2/{}/manifests/{tag}", self.repository);
        let reply = self.ask("HEAD", &path, Some(RESOLVABLE));
        if reply.status != 200 {
            return Err(fatal(format!("resolving tag `{tag}`: {}", answers::error(&reply))));
        }
        let media_type = answers::media_type(&reply)?;
        let size = answers::length(&reply).ok_or_else(|| fatal(format!("HEAD {path} has no Content-Length")))?;
        let digest = answers::digest(&reply)?;
        let digest = digest.ok_or_else(|| fatal(format!("HEAD {path} has no Docker-Content-Digest")))?;
        if media_type != INDEX {
            return Err(fatal(format!("tag `{tag}` is `{media_type}`, and no index")));
        }
        Ok(Descriptor { media_type, digest: spell(&digest), size, artifact_type: None, platform: None })
    }

    /// The manifest that `descriptor` names, which must say itself what it is.
    fn manifest<M: choice::Typed>(&mut self, descriptor: &Descriptor, artifact_type: &str) -> Result<M, Stopped> {
        // Whole mebibytes are compared, so the limit is a mebibyte above what it says.
        if descriptor.size / MEBIBYTE > MANIFEST_MEBIBYTES {
            return Err(fatal(format!("a manifest of {} bytes exceeds {MANIFEST_MEBIBYTES} MiB", descriptor.size)));
        }
        let path = format!("/v2/{}/manifests/{}", self.repository, descriptor.digest);
        let reply = self.ask("GET", &path, Some(&descriptor.media_type));
        let media_type = answers::found(&reply, &path).and_then(|()| answers::media_type(&reply))?;
        if media_type != descriptor.media_type {
            return Err(fatal(format!("GET {path} is `{media_type}`, not `{}`", descriptor.media_type)));
        }
        let content = answers::content(&reply, descriptor)?;
        let manifest: M =
            serde_json::from_slice(content).map_err(|error| fatal(format!("invalid manifest content: {error}")))?;
        for (found, expected) in
            [(manifest.media_type(), descriptor.media_type.as_str()), (manifest.artifact_type(), artifact_type)]
        {
            if found != expected {
                return Err(fatal(format!("the manifest says that it is `{found}`, not `{expected}`")));
            }
        }
        Ok(manifest)
    }

    fn blob(&mut self, layer: &Descriptor) -> Result<Vec<u8>, Stopped> {
        let path = format!("/v2/{}/blobs/{}", self.repository, layer.digest);
        let reply = self.ask("GET", &path, None);
        answers::found(&reply, &path)?;
        Ok(answers::content(&reply, layer)?.to_vec())
    }

    fn ask(&mut self, method: &str, path: &str, accept: Option<&str>) -> Reply {
        self.asked.push(format!("{method} {path}"));
        let headers = accept.into_iter().map(|accept| ("accept".to_owned(), accept.to_owned())).collect();
        self.server.exchange(&Ask { method: method.to_owned(), path: path.to_owned(), headers })
    }
}
