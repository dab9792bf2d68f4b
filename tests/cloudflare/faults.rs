//! What goes wrong on the way to a server, and what it was asked.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, StreamBody};
use hyper::Response;
use hyper::body::Frame;

use super::server::{Body, Cut};

/// What happens to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Nothing.
    None,
    /// It is answered with this status, and not done.
    Status(u16),
    /// It is answered with 429 and asked to come again after so many seconds, and not done.
    Busy(u64),
    /// Its connection is cut, and it is not done.
    CutBefore,
    /// It is done, and its connection is cut.
    CutAfter,
    /// It is done, and answered with this status.
    StatusAfter(u16),
    /// It is done, and its connection is cut after so many bytes of the answer's body.
    CutShort(usize),
    /// It is done after a while.
    Delay(Duration),
}

type Decide = dyn Fn(usize, &str) -> Fault + Send + Sync;

/// The faults of a server.
#[derive(Clone)]
pub struct Faults {
    shared: Arc<Shared>,
}

struct Shared {
    decide: Mutex<Arc<Decide>>,
    requests: Mutex<Vec<String>>,
}

impl Default for Faults {
    fn default() -> Self {
        let decide: Arc<Decide> = Arc::new(|_, _| Fault::None);
        Self { shared: Arc::new(Shared { decide: Mutex::new(decide), requests: Mutex::default() }) }
    }
}

impl Faults {
    /// From now on, `decide` says of each request and its number, from 0, what happens to it; a request is its method
    /// and its path with the query. What was asked before is forgotten.
    pub fn set(&self, decide: impl Fn(usize, &str) -> Fault + Send + Sync + 'static) {
        *self.shared.decide.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(decide);
        self.shared.requests.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The requests so far.
    #[must_use]
    pub fn requests(&self) -> Vec<String> {
        self.shared.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes down a request, and says what happens to it.
    pub(super) fn next(&self, request: String) -> Fault {
        let decide = Arc::clone(&self.shared.decide.lock().unwrap_or_else(PoisonError::into_inner));
        let mut requests = self.shared.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let fault = decide(requests.len(), &request);
        requests.push(request);
        fault
    }
}

impl Fault {
    /// What comes of the fault before the request is done; `Ok(None)` if it is to be done. `refuse` makes an answer of a
    /// status and the seconds after which to come again.
    pub(super) async fn before(
        self,
        refuse: impl Fn(u16, Option<u64>) -> Response<Body>,
    ) -> Result<Option<Response<Body>>, Cut> {
        match self {
            Self::Status(status) => Ok(Some(refuse(status, None))),
            Self::Busy(seconds) => Ok(Some(refuse(429, Some(seconds)))),
            Self::CutBefore => Err(Cut),
            Self::Delay(time) => {
                tokio::time::sleep(time).await;
                Ok(None)
            }
            Self::None | Self::CutAfter | Self::CutShort(_) | Self::StatusAfter(_) => Ok(None),
        }
    }

    /// What comes of the fault after the request was done.
    pub(super) fn after(
        self,
        answer: Response<Body>,
        refuse: impl Fn(u16, Option<u64>) -> Response<Body>,
    ) -> Result<Response<Body>, Cut> {
        match self {
            Self::CutAfter => Err(Cut),
            Self::CutShort(bytes) => Ok(answer.map(|body| cut_short(body, bytes))),
            Self::StatusAfter(status) => Ok(refuse(status, None)),
            Self::None | Self::Status(_) | Self::Busy(_) | Self::CutBefore | Self::Delay(_) => Ok(answer),
        }
    }
}

/// A body that breaks off.
fn cut_short(body: Body, bytes: usize) -> Body {
    let pieces = futures_util::stream::unfold((body, bytes), |(mut body, left)| async move {
        if left == 0 {
            return Some((Err(std::io::Error::other(Cut)), (body, left)));
        }
        let piece = body.frame().await?.map(|frame| frame.into_data().unwrap_or_default());
        let piece = piece.map(|piece| piece.slice(..piece.len().min(left)));
        let left = left - piece.as_ref().map_or(0, Bytes::len);
        Some((piece.map(Frame::data), (body, left)))
    });
    StreamBody::new(pieces).boxed_unsync()
}
