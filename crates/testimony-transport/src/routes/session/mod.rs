//! The session of a person in a browser: signing in and out, who one is, and another password.

use std::time::Duration;

use serde_json::json;
use testimony_service::ServiceError;
use testimony_service::access::{NoEntry, SignedIn};

use super::{Call, Door, Handler, Kept, Method, Outcome, Reply, Route, Stranger};
use crate::problem::Problem;
use crate::wire::accounts::people::{
    PASSWORD, SESSION, SIGN_IN, SIGNED_OUT, read_password, read_sign_in, sent_session,
};
use crate::wire::field::Table;
use crate::wire::shape::{Member, Shape};

const SIGNING_IN: &[u16] = &[200, 401, 413, 415, 422, 429, 507];
const READING: &[u16] = &[200, 401, 422, 429];
const ENDING: &[u16] = &[200, 401, 403, 422, 429, 507];
const CHANGING: &[u16] = &[200, 401, 403, 413, 415, 422, 429, 507];

const fn route(
    name: &'static str,
    (method, pattern): (Method, &'static str),
    body: Option<Table>,
    handler: Handler,
    answer: &'static [Member],
) -> Route {
    Route {
        method,
        body,
        statuses: READING,
        ..super::get(name, pattern, &[], handler)
    }
    .for_operators()
    .giving(Shape::Object(answer))
}

const PATH: &str = "/api/v1/session";

/// The routes.
#[rustfmt::skip]
pub(super) const ROUTES: &[Route] = &[
    route("sign_in", (Method::Post, PATH), Some(SIGN_IN), Handler::Stranger(sign_in), SESSION)
        .answering(SIGNING_IN)
        .saying("Signs a person in, and has the browser keep the session."),
    route("get_session", (Method::Get, PATH), None, Handler::Behind(Door::Person, get), SESSION)
        .saying("Says who is signed in."),
    route("sign_out", (Method::Delete, PATH), None, Handler::Behind(Door::Person, sign_out), SIGNED_OUT)
        .answering(ENDING)
        .saying("Ends the session."),
    route("change_password", (Method::Post, "/api/v1/session/password"), Some(PASSWORD), Handler::Behind(Door::Person, change_password), SIGNED_OUT)
        .answering(CHANGING)
        .saying("Gives the person who is signed in another password, and ends every session of theirs."),
];

fn sign_in(stranger: &Stranger<'_>) -> Outcome {
    let [name, password] = read_sign_in(stranger.input).map_err(Problem::invalid)?;
    let signed_in = stranger.service.sign_in(&name, &password, stranger.from)?;
    let session = &signed_in.session;
    let life = session.expires_at.duration_since(session.opened_at);
    let life = Duration::try_from(life).unwrap_or_default();
    let reply = Reply::ok(sent_session(&signed_in));
    Ok(reply.keeping(Kept::Token(signed_in.token, life)))
}

fn get(call: &Call<'_>) -> Outcome {
    Ok(Reply::ok(sent_session(session(call)?)))
}

fn sign_out(call: &Call<'_>) -> Outcome {
    call.service.sign_out(session(call)?)?;
    Ok(nobody())
}

fn change_password(call: &Call<'_>) -> Outcome {
    let [old, new] = read_password(call.input).map_err(Problem::invalid)?;
    call.service
        .change_password(session(call)?, (&old, &new), call.from)?;
    Ok(nobody())
}

fn nobody() -> Reply {
    Reply::ok(json!({ "signed_in": false })).keeping(Kept::Nothing)
}

fn session<'a>(call: &Call<'a>) -> Result<&'a SignedIn, Problem> {
    let session = call.session;
    session.ok_or_else(|| ServiceError::from(NoEntry::Session).into())
}
