//! `recall`: a question answered from memory, or the answer that it cannot be.

use testimony_service::{NotFound, ServiceError};

use super::{Call, Outcome, Reply};
use crate::problem::Problem;
use crate::wire::recall::{answer, read};

pub(super) fn recall(call: &Call<'_>) -> Outcome {
    let (mut recall, notes) = read(call.input).map_err(Problem::invalid)?;
    recall.request.slip = call.slip.cloned();
    call.names_no_secret()?;
    if recall.names_nothing {
        return Err(ServiceError::from(NotFound::Priority).into());
    }
    let (query, notes) = (call.redacted(&recall.request.query), call.said(&notes));
    let reply = call.service.recall(
        call.principal,
        call.container()?,
        &recall.request,
        |found| {
            let abstained = found.recall.answer.diagnostics.abstained;
            Reply::written(&answer(&recall, &found, &query, &notes)).abstaining(abstained)
        },
    )?;
    Ok(reply)
}
