//! Keys that are too long for the names of the server's files, which hold them in base64: they have other names there.

use std::sync::PoisonError;

use hyper::Response;
use object_store::aws::{AwsAuthorizer, AwsCredential};
use yuba::digest::Sha256Digest;

use super::asked::Asked;
use super::{Shared, secret};
use crate::cloudflare::TOKEN_ID;
use crate::cloudflare::server::{Body, Cut};

impl Shared {
    /// The request for the name that the key has in the server.
    pub(super) fn renamed(&self, asked: Asked) -> Asked {
        let start = asked.key.char_indices().take_while(|(at, _)| *at < 60).filter(|(_, letter)| *letter == '/').last();
        let start = asked.key.get(..=start.map_or(0, |(at, _)| at)).unwrap_or_default();
        let name = format!("{start}~{}", Sha256Digest::of(asked.key.as_bytes()));
        self.renamed.lock().unwrap_or_else(PoisonError::into_inner).insert(name.clone(), asked.key.clone());
        let path = format!("/{}/{name}", asked.bucket);
        let mut request = http::Request::new(object_store::client::HttpRequestBody::from(asked.body.clone()));
        *request.method_mut() = asked.method.clone();
        *request.uri_mut() = format!("{}{path}{}", self.upstream.url, asked.query).parse().expect("an address");
        for (header, value) in &asked.headers {
            if !["authorization", "host"].contains(&header.as_str()) && !header.as_str().starts_with("x-amz-") {
                request.headers_mut().insert(header, value.clone());
            }
        }
        let credential = AwsCredential { key_id: TOKEN_ID.to_owned(), secret_key: secret(), token: None };
        let signed = AwsAuthorizer::new(&credential, "s3", "auto").try_authorize(&mut request, None);
        signed.expect("a signature");
        Asked { path, headers: request.headers().clone(), ..asked }
    }

    /// A listing with the names that were asked for.
    pub(super) async fn unrenamed(
        &self,
        mut parts: http::response::Parts,
        listing: reqwest::Response,
    ) -> Result<Response<Body>, Cut> {
        let mut text = listing.text().await.map_err(|_| Cut)?;
        for (name, key) in self.renamed.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            text = text.replace(&format!("<Key>{name}</Key>"), &format!("<Key>{key}</Key>"));
        }
        parts.headers.remove("content-length");
        parts.headers.remove("transfer-encoding");
        Ok(Response::from_parts(parts, crate::cloudflare::server::whole(text)))
    }
}
