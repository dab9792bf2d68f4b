//! Attempts: what may be done twice is done again if nobody knows whether it was done.

use fastrand::Rng;

use crate::backoff::Backoff;
use crate::documents::AccessError;

/// Runs `step` until storage answers, or a backoff is used up.
pub(crate) async fn attempt<T, E: Into<AccessError>, F: Future<Output = Result<T, E>>>(
    random: &mut Rng,
    mut step: impl FnMut() -> F,
) -> Result<T, AccessError> {
    let mut backoff = Backoff::new(random.fork());
    loop {
        match step().await.map_err(E::into) {
            Err(AccessError::Store(error)) if error.is_ambiguous() && backoff.wait().await => {}
            done => return done,
        }
    }
}
