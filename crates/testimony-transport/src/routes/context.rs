//! `agent/context`: the packet of memories for a turn, built before it.

use super::{Call, Outcome, Reply};
use crate::problem::Problem;
use crate::wire::context::{answer, read};

pub(super) fn context(call: &Call<'_>) -> Outcome {
    let (mut context, notes) = read(call.input).map_err(Problem::invalid)?;
    context.request.slip = call.slip.cloned();
    call.names_no_secret()?;
    let said = call.redacted(&context.request.user_message);
    let notes = call.said(&notes);
    let reply = call.service.context(
        call.principal,
        call.container()?,
        &context.request,
        |found| {
            let abstained = found.recall.answer.diagnostics.abstained;
            Reply::written(&answer(&context, &found, &said, &notes)).abstaining(abstained)
        },
    )?;
    Ok(reply)
}
