//! Erasure: what it would take, what it took, and the list of those that were carried out.

use super::{Call, Outcome, Reply};
use crate::problem::Problem;
use crate::wire::governance::audit::read_part;
use crate::wire::governance::erasure::{listed, read, took, would_take};

pub(super) fn erase(call: &Call<'_>) -> Outcome {
    let asked = read(call.input).map_err(Problem::invalid)?;
    let who = call.principal;
    let body = if asked.dry_run {
        would_take(&call.service.erasure_toll(who, &asked.target)?)
    } else {
        took(&call.service.erase(who, &asked.target, asked.ground)?)
    };
    Ok(Reply::ok(body))
}

pub(super) fn list(call: &Call<'_>) -> Outcome {
    let page = read_part(call.input).map_err(Problem::invalid)?;
    let erasures = call.service.erasures(call.principal, page)?;
    Ok(Reply::ok(listed(&erasures, &page)))
}
