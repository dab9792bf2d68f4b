//! A server on this machine, on a runtime of its own, so that it answers while a test waits for a process.

use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::net::TcpListener;
use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::runtime::Runtime;

/// The body of an answer.
pub(super) type Body = UnsyncBoxBody<Bytes, std::io::Error>;

/// That a connection is cut without an answer.
#[derive(Debug)]
pub(super) struct Cut;

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cut")
    }
}

impl std::error::Error for Cut {}

/// What a request comes to.
pub(super) type Outcome = Pin<Box<dyn Future<Output = Result<Response<Body>, Cut>> + Send>>;

/// A server that ends with its value.
pub(super) struct Server {
    pub(super) url: String,
    runtime: Option<Runtime>,
}

impl Server {
    pub(super) fn start(answer: impl Fn(Request<Incoming>) -> Outcome + Send + Sync + 'static) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.expect("a runtime");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.set_nonblocking(true).expect("a listener that does not block");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let answer = Arc::new(answer);
        runtime.spawn(async move {
            let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
            while let Ok((stream, _)) = listener.accept().await {
                let answer = Arc::clone(&answer);
                tokio::spawn(async move {
                    let service = service_fn(move |request| answer(request));
                    // A connection that is cut is what was asked for.
                    let _ = hyper::server::conn::http1::Builder::new()
                        .serve_connection(TokioIo::new(stream), service)
                        .await;
                });
            }
        });
        Self { url, runtime: Some(runtime) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// A body in one piece.
pub(super) fn whole(bytes: impl Into<Bytes>) -> Body {
    Full::new(bytes.into()).map_err(|never: Infallible| match never {}).boxed_unsync()
}

/// An answer in one piece.
pub(super) fn answer(status: u16, content_type: &str, body: impl Into<Bytes>) -> Response<Body> {
    let mut answer = Response::new(whole(body));
    *answer.status_mut() = StatusCode::from_u16(status).expect("a status");
    answer.headers_mut().insert("content-type", content_type.parse().expect("a content type"));
    answer
}
