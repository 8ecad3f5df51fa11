//! The review queue, and the decisions about its cases.

use serde_json::Value;
use testimony_service::NotFound;
use testimony_service::review::Alike;

use super::{Call, Outcome, Reply};
use crate::problem::Problem;
use crate::wire::governance::review::{
    DECIDE, DECIDE_GROUP, case as shown, cases, decided, groups as listed_groups, read_decision,
    read_queue,
};

pub(super) fn queue(call: &Call<'_>) -> Outcome {
    let request = read_queue(call.input).map_err(Problem::invalid)?;
    let container = call.container()?;
    let found = call
        .service
        .review_queue(call.principal, container, &request)?;
    Ok(Reply::ok(cases(&found, &request.page)))
}

pub(super) fn groups(call: &Call<'_>) -> Outcome {
    let request = read_queue(call.input).map_err(Problem::invalid)?;
    let container = call.container()?;
    let found = call
        .service
        .review_groups(call.principal, container, &request)?;
    Ok(Reply::ok(listed_groups(&found, &request.page)))
}

pub(super) fn case(call: &Call<'_>) -> Outcome {
    let id = call.id("case_id", NotFound::Case)?;
    let found = call
        .service
        .review_case(call.principal, call.container()?, id)?;
    Ok(Reply::ok(shown(&found)))
}

pub(super) fn decide(call: &Call<'_>) -> Outcome {
    let ruling = read_decision(call.input, DECIDE).map_err(Problem::invalid)?;
    let id = call.id("case_id", NotFound::Case)?;
    let (decision, reason) = (&ruling.decision, ruling.reason.as_deref());
    let container = call.container()?;
    let came = call
        .service
        .decide(call.principal, container, id, decision, reason)?;
    Ok(Reply::ok(decided(&came)))
}

pub(super) fn decide_group(call: &Call<'_>) -> Outcome {
    let ruling = read_decision(call.input, DECIDE_GROUP).map_err(Problem::invalid)?;
    let (decision, reason) = (&ruling.decision, ruling.reason.as_deref());
    let container = call.container()?;
    let alike = Alike {
        group: &ruling.group,
        kind: ruling.kind,
    };
    let came = call
        .service
        .decide_group(call.principal, container, alike, decision, reason)?;
    let items: Vec<Value> = came.iter().map(decided).collect();
    Ok(Reply::ok(
        serde_json::json!({ "items": items, "next": null }),
    ))
}
