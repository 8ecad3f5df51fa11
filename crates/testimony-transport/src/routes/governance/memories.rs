//! Memories for operators.

use testimony_domain::MemoryId;
use testimony_service::NotFound;

use super::{Call, Outcome, Reply};
use crate::problem::Problem;
use crate::wire::governance::memories::{
    CORRECT, RETRACT, file as shown, history as told, listed, read_change, read_list,
};
use crate::wire::governance::memory::memory as row;
use crate::wire::governance::why;

fn memory_in(call: &Call<'_>) -> Result<MemoryId, Problem> {
    call.id("memory_id", NotFound::Memory)
}

pub(super) fn list(call: &Call<'_>) -> Outcome {
    let request = read_list(call.input).map_err(Problem::invalid)?;
    let container = call.tag()?;
    let rows = call
        .service
        .list_memories(call.principal, &container, &request)?;
    Ok(Reply::ok(listed(&rows, &request)))
}

pub(super) fn file(call: &Call<'_>) -> Outcome {
    let found = call.service.memory_file(call.principal, memory_in(call)?)?;
    Ok(Reply::ok(shown(&found)))
}

pub(super) fn history(call: &Call<'_>) -> Outcome {
    let id = memory_in(call)?;
    let lines = call.service.memory_history(call.principal, id)?;
    Ok(Reply::ok(told(&lines)))
}

pub(super) fn correct(call: &Call<'_>) -> Outcome {
    let change = read_change(call.input, CORRECT).map_err(Problem::invalid)?;
    let (content, reason) = (&change.0, &change.1);
    let id = memory_in(call)?;
    let kept = call.service.correct(call.principal, id, content, reason)?;
    Ok(Reply::ok(row(&kept)))
}

pub(super) fn retract(call: &Call<'_>) -> Outcome {
    let change = read_change(call.input, RETRACT).map_err(Problem::invalid)?;
    let id = memory_in(call)?;
    let retracted = call.service.retract(call.principal, id, &change.1)?;
    Ok(Reply::ok(row(&retracted)))
}

pub(super) fn why(call: &Call<'_>) -> Outcome {
    let request = why::read(call.input).map_err(Problem::invalid)?;
    let id = memory_in(call)?;
    let policy = request.options.trust_policy;
    let answer = call.service.why(call.principal, id, &request)?;
    Ok(Reply::ok(why::answer(id, policy, &answer)))
}
