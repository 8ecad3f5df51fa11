//! What only the host may have done, who is at the machine anyway: backups and examinations of what is kept there.

use testimony_domain::{Capability, PrincipalKind, Refusal};
use testimony_service::ServiceError;

use super::{Call, Door, Handle, Handler, Outcome, Reply, Route, post};
use crate::caretaker::Caretaker;
use crate::problem::{Code, Problem};
use crate::wire::field::Table;
use crate::wire::machine::{self as wire, read_backup, read_examination};
use crate::wire::shape::{Member, Shape};

const HERE: &[u16] = &[200, 401, 403, 404, 409, 413, 415, 422, 429];

const fn doing(
    name: &'static str,
    pattern: &'static str,
    body: Table,
    handle: Handle,
    answer: &'static [Member],
) -> Route {
    post(name, pattern, body, Handler::Behind(Door::Operator, handle))
        .answering(HERE)
        .giving(Shape::Object(answer))
        .for_operators()
}

/// The routes.
#[rustfmt::skip]
pub(super) const ROUTES: &[Route] = &[
    doing("back_up", "/api/v1/admin/backups", wire::BACK_UP, back_up, wire::BACKED_UP)
        .saying("Copies the ledger into a file of the machine, and verifies the copy; only for whoever is at the machine."),
    doing("examine", "/api/v1/admin/doctor", wire::EXAMINE, examine, wire::EXAMINED)
        .saying("Looks for everything that can be wrong with ledger and index."),
];

fn back_up(call: &Call<'_>) -> Outcome {
    if call.principal.kind != PrincipalKind::Host {
        // A key is for what is kept, and not for the files of the machine.
        let needed = Capability::Admin;
        let refused = Problem::from(ServiceError::from(Refusal::Capability { needed }));
        let detail = "Only a command at the machine itself can have a backup made.";
        return Err(Problem::new(refused.code, detail));
    }
    let path = read_backup(call.input).map_err(Problem::invalid)?;
    let made = caretaker(call)?.back_up(&path).map_err(not_done)?;
    let path = path.display().to_string();
    Ok(Reply::ok(wire::backed_up(&path, &made)))
}

fn examine(call: &Call<'_>) -> Outcome {
    let (against, repair) = read_examination(call.input).map_err(Problem::invalid)?;
    let found = caretaker(call)?.examine(against, repair);
    Ok(Reply::ok(wire::examined(&found.map_err(not_done)?)))
}

fn caretaker<'c>(call: &'c Call<'_>) -> Result<&'c dyn Caretaker, Problem> {
    let found = call
        .running
        .and_then(|running| running.caretaker.as_deref());
    found.ok_or_else(|| {
        let detail = "Nobody looks after what this service is kept in.";
        Problem::new(Code::RouteNotFound, detail)
    })
}

fn not_done(why: String) -> Problem {
    Problem::new(Code::NotDone, why)
}
