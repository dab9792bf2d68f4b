//! What Cloudflare's REST API wraps its answers in ("Make API calls": responses).

use serde::Deserialize;

/// An answer that is not a value.
#[derive(Debug, Deserialize)]
pub(super) struct Envelope<T> {
    /// What was asked for.
    pub(super) result: Option<T>,
    /// Why it is not there.
    #[serde(default)]
    pub(super) errors: Vec<ApiError>,
    /// Where a listing goes on.
    pub(super) result_info: Option<ResultInfo>,
}

/// One thing that is wrong.
#[derive(Debug, Deserialize)]
pub(super) struct ApiError {
    pub(super) code: u32,
    #[serde(default)]
    message: String,
}

/// What a listing says about itself.
#[derive(Debug, Deserialize)]
pub(super) struct ResultInfo {
    #[serde(default)]
    pub(super) cursor: String,
}

/// The errors of an answer that refuses; none if it is not in the API's form.
pub(super) fn errors(body: &[u8]) -> Vec<ApiError> {
    serde_json::from_slice::<Envelope<serde::de::IgnoredAny>>(body).map_or_else(|_| Vec::new(), |it| it.errors)
}

/// Errors in one line.
pub(super) fn said(errors: &[ApiError]) -> String {
    errors.iter().map(|error| format!("{}: {}", error.code, error.message)).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_found_where_there_are_any() {
        let body = br#"{"success":false,"errors":[{"code":10009,"message":"get: 'key not found'"}],"messages":[],"result":null}"#;
        assert_eq!(said(&errors(body)), "10009: get: 'key not found'");
        for body in [&b"<html>"[..], b"", b"{}", br#"{"success":true,"result":{"a":1},"errors":[]}"#] {
            assert!(errors(body).is_empty());
        }
    }
}
