//! Quarantine, and what a container lets through.

use super::{Call, Outcome, Reply};
use crate::problem::Problem;
use crate::wire::governance::quarantine::{
    FINGERPRINT, RULE, exemptions as told, listed, read_exemption, read_list,
};

pub(super) fn list(call: &Call<'_>) -> Outcome {
    let request = read_list(call.input).map_err(Problem::invalid)?;
    let container = call.tag()?;
    let (policy, rows) = call
        .service
        .quarantine(call.principal, &container, &request)?;
    Ok(Reply::ok(listed(&policy, &rows, &request)))
}

pub(super) fn exemptions(call: &Call<'_>) -> Outcome {
    let container = call.tag()?;
    let policy = call.service.exemptions(call.principal, &container)?;
    Ok(Reply::ok(told(&policy)))
}

pub(super) fn allow(call: &Call<'_>) -> Outcome {
    let (fingerprint, allowed) =
        read_exemption(call.input, FINGERPRINT).map_err(Problem::invalid)?;
    let container = call.tag()?;
    let who = call.principal;
    let policy = call
        .service
        .allow_fingerprint(who, &container, &fingerprint, allowed)?;
    Ok(Reply::ok(told(&policy)))
}

pub(super) fn exempt(call: &Call<'_>) -> Outcome {
    let (rule, exempt) = read_exemption(call.input, RULE).map_err(Problem::invalid)?;
    let container = call.tag()?;
    let policy = call
        .service
        .exempt_rule(call.principal, &container, &rule, exempt)?;
    Ok(Reply::ok(told(&policy)))
}
