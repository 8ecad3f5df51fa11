//! People for operators.

use serde_json::{Value, json};
use testimony_service::NotFound;

use crate::problem::Problem;
use crate::routes::{Call, Outcome, Reply};
use crate::wire::accounts::people::{NewPerson, read_change, read_new, sent};

pub(super) fn list(call: &Call<'_>) -> Outcome {
    let people: Vec<Value> = call.service.people()?.iter().map(sent).collect();
    Ok(Reply::ok(json!({ "items": people, "next": null })))
}

pub(super) fn make(call: &Call<'_>) -> Outcome {
    let (
        NewPerson {
            name,
            role,
            password,
        },
        notes,
    ) = read_new(call.input).map_err(Problem::invalid)?;
    let name = name.ok_or_else(|| Problem::invalid(Vec::new()))?;
    call.names_no_secret()?;
    let made = call
        .service
        .make_person(call.actor(), &name, role, &password)?;
    Ok(call.noted(sent(&made), &notes))
}

pub(super) fn get(call: &Call<'_>) -> Outcome {
    Ok(Reply::ok(sent(
        &call
            .service
            .person(call.id("person_id", NotFound::Person)?)?,
    )))
}

pub(super) fn change(call: &Call<'_>) -> Outcome {
    let (change, notes) = read_change(call.input).map_err(Problem::invalid)?;
    let changed = call.service.change_person(
        call.actor(),
        call.id("person_id", NotFound::Person)?,
        &change,
    )?;
    Ok(call.noted(sent(&changed), &notes))
}
