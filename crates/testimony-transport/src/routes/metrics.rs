//! What is counted, for whoever watches the service.

use std::borrow::Cow;

use super::{Body, Call, Outcome, Reply};
use crate::problem::{Code, Problem};

pub(super) fn metrics(call: &Call<'_>) -> Outcome {
    let Some(running) = call.running else {
        let detail = "Only a running server counts; ask one.";
        return Err(Problem::new(Code::RouteNotFound, detail));
    };
    let text = running.metrics.told(call.service, running);
    Ok(Reply::holding(Body::Text(Cow::Owned(text))))
}
