//! Whether the process is there, and whether its parts are.
//!
//! Anybody may ask, so nothing is said that tells how much is kept or how much is going on.

use serde_json::json;
use testimony_service::Service;
use testimony_service::ports::index::IndexState;

use super::{Outcome, Reply};
use crate::problem::{Code, Problem};

#[expect(clippy::unnecessary_wraps, reason = "every handler can refuse")]
pub(super) fn alive(_: &Service) -> Outcome {
    Ok(Reply::ok(json!({ "status": "ok" })))
}

pub(super) fn ready(service: &Service) -> Outcome {
    if let Err(error) = service.ledger().head() {
        tracing::error!(cause = %error, "the ledger cannot be read");
        let detail = "The ledger cannot be read, so nothing can be served.";
        return Err(Problem::new(Code::NotReady, detail));
    }
    let index = match service.index().health().state {
        IndexState::Ready => "ready",
        IndexState::Rebuilding { .. } => "rebuilding",
        IndexState::Degraded { .. } => "degraded",
    };
    let status = if index == "ready" {
        "ready"
    } else {
        "degraded"
    };
    Ok(Reply::ok(json!({
        "status": status,
        "dependencies": { "ledger": "ready", "index": index },
    })))
}
