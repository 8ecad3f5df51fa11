//! `reflect`: an answer in sentences, with what they rest on.

use testimony_service::{NotFound, ServiceError};

use super::{Call, Outcome, Reply};
use crate::problem::Problem;
use crate::wire::reflect::{answer, read};

pub(super) fn reflect(call: &Call<'_>) -> Outcome {
    let (mut reflect, notes) = read(call.input, &call.sent()).map_err(Problem::invalid)?;
    reflect.request.slip = call.slip.cloned();
    call.names_no_secret()?;
    if reflect.names_nothing {
        return Err(ServiceError::from(NotFound::Priority).into());
    }
    let (query, notes) = (call.redacted(&reflect.request.query), call.said(&notes));
    let reply = call.service.reflect(
        call.principal,
        call.container()?,
        &reflect.request,
        |found| {
            let abstained = found.recall.recall.answer.diagnostics.abstained;
            Reply::ok(answer(&found, &query, &notes)).abstaining(abstained)
        },
    )?;
    Ok(reply)
}
