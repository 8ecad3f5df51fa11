//! How a credential with a limit stands, in headers on every answer to it.
//!
//! The three headers are what clients know; `RateLimit-Policy` and `RateLimit` say the same in the form of the later
//! drafts of the IETF.

use std::sync::{Arc, OnceLock};

use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use testimony_service::access::Standing;

use crate::problem::whole_seconds;

/// How the credential of a request stands, once it is known.
pub(super) type Told = Arc<OnceLock<Standing>>;

/// Says how a credential stands, where it has a limit.
pub(super) fn tell_standing(headers: &mut HeaderMap, standing: Option<&Standing>) {
    let Some(standing) = standing else { return };
    let (limit, left) = (standing.limit, standing.remaining);
    let reset = whole_seconds(standing.wait.unwrap_or(standing.full_in));
    for (name, value) in [
        ("ratelimit-limit", limit.to_string()),
        ("ratelimit-remaining", left.to_string()),
        ("ratelimit-reset", reset.to_string()),
        ("ratelimit-policy", format!("\"key\";q={limit};w=60")),
        ("ratelimit", format!("\"key\";r={left};t={reset}")),
    ] {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(HeaderName::from_static(name), value);
        }
    }
}
