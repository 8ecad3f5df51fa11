//! Connector tokens: for operators, and for the client that exchanges one.

use testimony_service::NotFound;

use crate::problem::Problem;
use crate::routes::{Call, Outcome, Reply, Stranger};
use crate::wire::accounts::connectors::{
    exchanged, read_exchange, read_list, read_new, sent, shown,
};
use crate::wire::page;

pub(super) fn list(call: &Call<'_>) -> Outcome {
    let (page, _) = read_list(call.input).map_err(Problem::invalid)?;
    let found = call.service.connectors(page)?;
    let (now, last) = (call.service.now(), found.last().map(|it| it.id));
    let rows = found.iter().map(|connector| sent(connector, now));
    Ok(Reply::ok(page::sent(rows, &page, last)))
}

pub(super) fn make(call: &Call<'_>) -> Outcome {
    let now = call.service.now();
    let ((order, life), notes) = read_new(call.input, now).map_err(Problem::invalid)?;
    call.names_no_secret()?;
    let new = call.service.make_connector(call.actor(), order, life)?;
    Ok(call.noted(shown(&new, now), &notes))
}

pub(super) fn withdraw(call: &Call<'_>) -> Outcome {
    let id = call.id("connector_id", NotFound::Connector)?;
    let withdrawn = call.service.withdraw_connector(call.actor(), id)?;
    Ok(Reply::ok(sent(&withdrawn, call.service.now())))
}

/// The client is read first: a body that is wrong must not use the token up.
pub(super) fn exchange(stranger: &Stranger<'_>) -> Outcome {
    let (client, _) = read_exchange(stranger.input).map_err(Problem::invalid)?;
    let token = stranger.named.get("connector_token");
    let (key, record) = stranger.service.exchange_connector(token)?;
    Ok(Reply::ok(exchanged(
        &key,
        &record,
        &client,
        stranger.address,
    )))
}
