//! Moving memory: pages of an export, lines that are taken in, and what other services exported.
//!
//! Files are streamed by whoever asks: an export page by page, an import batch by batch.

use super::{Call, Door, Handler, Outcome, Reply, Route, get, post};
use crate::problem::Problem;
use crate::wire::shape::Shape;
use crate::wire::transfer as wire;
use testimony_service::ports::ledger::audit::Actor;

const EXPORT: &[u16] = &[200, 401, 403, 404, 422, 429];
const IMPORT: &[u16] = &[200, 401, 403, 404, 413, 415, 422, 429, 507];

/// The routes.
#[rustfmt::skip]
pub(super) const ROUTES: &[Route] = &[
    get("export", "/api/v1/admin/export", wire::EXPORT, Handler::Behind(Door::Operator, export))
        .answering(EXPORT).for_operators().giving(Shape::Object(wire::PAGE_OF_LINES))
        .saying("Gives the lines of an export, page by page."),
    post("import", "/api/v1/admin/import", wire::IMPORT, Handler::Behind(Door::Operator, import))
        .answering(IMPORT).for_operators().giving(Shape::Object(wire::IMPORTED))
        .saying("Takes lines of an export in."),
    post("import_from", "/api/v1/admin/import/{origin}", wire::FOREIGN, Handler::Behind(Door::Operator, import_from))
        .answering(IMPORT).for_operators().giving(Shape::Object(wire::FOREIGN_IMPORTED))
        .saying("Takes in what mem0, supermemory, hindsight or chatgpt exported."),
];

fn export(call: &Call<'_>) -> Outcome {
    let request = wire::read_export(call.input).map_err(Problem::invalid)?;
    call.names_no_secret()?;
    let page = call.service.export(&request)?;
    Ok(Reply::ok(wire::page(&page)))
}

fn import(call: &Call<'_>) -> Outcome {
    let request = wire::read_import(call.input).map_err(Problem::invalid)?;
    let actor = Actor::by(call.principal.kind, call.principal.key);
    let answer = call.service.import(actor, &request)?;
    Ok(Reply::ok(wire::imported(&answer)))
}

fn import_from(call: &Call<'_>) -> Outcome {
    let origin = call.named.get("origin");
    let request = wire::read_foreign(origin, call.input).map_err(Problem::invalid)?;
    let answer = call.service.import_from(call.principal, &request)?;
    Ok(Reply::ok(wire::foreign_imported(&answer)))
}
