//! Jobs, and dead ones that get another chance.

use serde_json::json;
use testimony_service::NotFound;

use super::{Call, Outcome, Reply};
use crate::problem::Problem;
use crate::wire::governance::jobs::{counts, job, listed, read_list};

pub(super) fn list(call: &Call<'_>) -> Outcome {
    let request = read_list(call.input).map_err(Problem::invalid)?;
    let jobs = call.service.list_jobs(call.principal, &request)?;
    Ok(Reply::ok(listed(&jobs, &request.page)))
}

pub(super) fn census(call: &Call<'_>) -> Outcome {
    let census = call.service.job_census(call.principal)?;
    Ok(Reply::ok(json!({ "items": counts(&census), "next": null })))
}

pub(super) fn revive(call: &Call<'_>) -> Outcome {
    let id = call.id("job_id", NotFound::Job)?;
    let revived = call.service.revive_job(call.principal, id)?;
    Ok(Reply::ok(job(&revived)))
}
