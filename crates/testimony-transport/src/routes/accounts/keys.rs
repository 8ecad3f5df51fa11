//! Keys, which operators make, rotate and revoke.

use std::time::Duration;

use testimony_service::NotFound;

use crate::problem::Problem;
use crate::routes::{Call, Outcome, Reply};
use crate::wire::accounts::keys::{read_list, read_new, read_rotation, sent, sent_with_use, shown};
use crate::wire::page;

pub(super) fn list(call: &Call<'_>) -> Outcome {
    let (page, _) = read_list(call.input).map_err(Problem::invalid)?;
    let found = call.service.keys(page)?;
    let last = found.last().map(|record| record.principal.key);
    Ok(Reply::ok(page::sent(found.iter().map(sent), &page, last)))
}

pub(super) fn make(call: &Call<'_>) -> Outcome {
    let (order, notes) = read_new(call.input, call.service.now()).map_err(Problem::invalid)?;
    call.names_no_secret()?;
    let key = call.service.make_key(call.actor(), order)?;
    let record = call.service.key(key.id)?;
    Ok(call.noted(shown(&key, &record), &notes))
}

pub(super) fn get(call: &Call<'_>) -> Outcome {
    let id = call.id("key_id", NotFound::Key)?;
    let (record, last) = (call.service.key(id)?, call.service.last_use(id)?);
    Ok(Reply::ok(sent_with_use(&record, last)))
}

pub(super) fn rotate(call: &Call<'_>) -> Outcome {
    let (hours, notes) = read_rotation(call.input).map_err(Problem::invalid)?;
    let overlap = Duration::from_secs_f64(hours.get() * 3_600.0);
    let now = call.service.now();
    let until = now.checked_add(overlap).unwrap_or(now);
    let key = call
        .service
        .rotate_key(call.actor(), call.id("key_id", NotFound::Key)?, until)?;
    let record = call.service.key(key.id)?;
    Ok(call.noted(shown(&key, &record), &notes))
}

pub(super) fn revoke(call: &Call<'_>) -> Outcome {
    let id = call.id("key_id", NotFound::Key)?;
    call.service.revoke_key(call.actor(), id)?;
    Ok(Reply::ok(sent(&call.service.key(id)?)))
}
