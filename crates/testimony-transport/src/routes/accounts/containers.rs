//! Containers for operators.

use testimony_service::ports::ledger::containers::ContainerPolicy;

use crate::problem::Problem;
use crate::routes::{Call, Outcome, Reply};
use crate::wire::accounts::containers::{NewContainer, read_change, read_list, read_new, sent};
use crate::wire::page;

pub(super) fn list(call: &Call<'_>) -> Outcome {
    let (page, _) = read_list(call.input).map_err(Problem::invalid)?;
    let found = call.service.containers(page.clone())?;
    let last = found.last().map(|container| container.tag.clone());
    let rows = found.iter().map(sent);
    Ok(Reply::ok(page::sent(rows, &page, last)))
}

pub(super) fn make(call: &Call<'_>) -> Outcome {
    let (NewContainer { tag, change }, notes) = read_new(call.input).map_err(Problem::invalid)?;
    let tag = tag.ok_or_else(Problem::no_container)?;
    let mut policy = ContainerPolicy::default();
    change.carry_out(&mut policy);
    let made = call.service.make_container(call.actor(), tag, policy)?;
    Ok(call.noted(sent(&made), &notes))
}

pub(super) fn get(call: &Call<'_>) -> Outcome {
    let found = call.service.container(&call.tag()?)?;
    Ok(Reply::ok(sent(&found)))
}

pub(super) fn change(call: &Call<'_>) -> Outcome {
    let (change, notes) = read_change(call.input).map_err(Problem::invalid)?;
    let changed = call
        .service
        .change_policy(call.actor(), &call.tag()?, move |policy| {
            change.carry_out(policy);
        })?;
    Ok(call.noted(sent(&changed), &notes))
}
