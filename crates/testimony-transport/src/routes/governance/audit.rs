//! The trail, its chain, and what was read.

use testimony_service::ports::ledger::audit::EventFilter;

use super::{Call, Outcome, Reply};
use crate::problem::Problem;
use crate::wire::governance::audit::{
    READS, ROLLUPS, chain_head, events as told, hours, read_events, read_part, read_reads,
    read_rows, read_verify, verified,
};

pub(super) fn events(call: &Call<'_>) -> Outcome {
    let (filter, page) = read_events(call.input).map_err(Problem::invalid)?;
    let found = call.service.audit_events(call.principal, &filter, page)?;
    Ok(Reply::ok(told(&found, &page)))
}

pub(super) fn export(call: &Call<'_>) -> Outcome {
    let page = read_part(call.input).map_err(Problem::invalid)?;
    let whole = EventFilter::default();
    let found = call.service.audit_events(call.principal, &whole, page)?;
    Ok(Reply::ok(told(&found, &page)))
}

pub(super) fn head(call: &Call<'_>) -> Outcome {
    let head = call.service.audit_head(call.principal)?;
    Ok(Reply::ok(chain_head(head)))
}

pub(super) fn verify(call: &Call<'_>) -> Outcome {
    let request = read_verify(call.input).map_err(Problem::invalid)?;
    let found = call.service.verify_audit(call.principal, &request)?;
    Ok(Reply::ok(verified(&found)))
}

pub(super) fn reads(call: &Call<'_>) -> Outcome {
    let (since, _, page) = read_reads(call.input, READS).map_err(Problem::invalid)?;
    let container = call.tag()?;
    let rows = call
        .service
        .audit_reads(call.principal, &container, since, page)?;
    Ok(Reply::ok(read_rows(&rows, &page)))
}

pub(super) fn rollups(call: &Call<'_>) -> Outcome {
    let (since, container, page) = read_reads(call.input, ROLLUPS).map_err(Problem::invalid)?;
    let (who, container) = (call.principal, container.as_ref());
    let (rows, last) = call.service.audit_rollups(who, container, since, page)?;
    Ok(Reply::ok(hours(&rows, last)))
}
