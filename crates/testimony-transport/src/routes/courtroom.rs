//! The case report of a memory.

use testimony_service::read::CourtroomRequest;

use super::{Call, Outcome, Reply};
use crate::problem::Problem;
use crate::wire::courtroom::{answer, read};

pub(super) fn courtroom(call: &Call<'_>) -> Outcome {
    let (case, notes) = read(call.input).map_err(Problem::invalid)?;
    let request = CourtroomRequest {
        claim: case.claim,
        id: call.named.get("memory_id").to_owned(),
        query: case.query,
        include_ai: case.include_ai,
        refresh: case.refresh,
    };
    let case = call.service.courtroom(call.principal, &request)?;
    Ok(Reply::ok(answer(&case, &call.said(&notes))))
}
