//! What operators do about who comes in and where: containers, keys, connector tokens and people.

mod connectors;
mod containers;
mod keys;
mod people;

use serde_json::Value;
use testimony_service::ports::ledger::audit::Actor;

use super::{Call, Door, Handle, Handler, Method, Reply, Route, get};
use crate::wire::Notes;
use crate::wire::accounts::{
    connectors as wire_connectors, containers as wire_containers, keys as wire_keys,
    people as wire_people,
};
use crate::wire::field::Table;
use crate::wire::shape::{Member, Shape};
use crate::wire::written::note;

const READ: &[u16] = &[200, 401, 403, 422, 429];
const READ_ONE: &[u16] = &[200, 401, 403, 404, 422, 429];
const MAKE: &[u16] = &[200, 401, 403, 409, 413, 415, 422, 429, 507];
const CHANGE: &[u16] = &[200, 401, 403, 404, 409, 413, 415, 422, 429, 507];
const EXCHANGE: &[u16] = &[200, 404, 413, 415, 422, 429, 507];
const END: &[u16] = &[200, 401, 403, 404, 409, 422, 429, 507];

const fn route(name: &'static str, method: Method, pattern: &'static str, handle: Handle) -> Route {
    let handler = Handler::Behind(Door::Operator, handle);
    answered_by(handler, name, method, pattern).for_operators()
}

const fn answered_by(
    handler: Handler,
    name: &'static str,
    method: Method,
    pattern: &'static str,
) -> Route {
    Route {
        method,
        statuses: READ_ONE,
        ..get(name, pattern, &[], handler)
    }
}

impl Route {
    const fn taking(mut self, body: Table) -> Self {
        self.body = Some(body);
        self
    }

    const fn asking(mut self, query: Table) -> Self {
        self.query = query;
        self
    }

    const fn of(self, members: &'static [Member]) -> Self {
        self.giving(Shape::Object(members))
    }
}

/// The routes.
#[rustfmt::skip]
pub(super) const ROUTES: &[Route] = &[
    route("list_containers", Method::Get, "/api/v1/admin/containers", containers::list)
        .asking(wire_containers::LIST).answering(READ).of(wire_containers::CONTAINERS)
        .saying("Lists the containers."),
    route("make_container", Method::Post, "/api/v1/admin/containers", containers::make)
        .taking(wire_containers::MAKE).answering(MAKE).of(wire_containers::CONTAINER)
        .saying("Makes a container."),
    route("get_container", Method::Get, "/api/v1/admin/containers/{container_tag}", containers::get)
        .of(wire_containers::CONTAINER)
        .saying("Says what holds in a container."),
    route("change_container", Method::Patch, "/api/v1/admin/containers/{container_tag}", containers::change)
        .taking(wire_containers::CHANGE).answering(CHANGE).of(wire_containers::CONTAINER)
        .saying("Changes what holds in a container."),
    route("list_keys", Method::Get, "/api/v1/admin/keys", keys::list)
        .asking(wire_keys::LIST).answering(READ).of(wire_keys::KEYS)
        .saying("Lists the keys, without their secrets."),
    route("make_key", Method::Post, "/api/v1/admin/keys", keys::make)
        .taking(wire_keys::MAKE).answering(MAKE).of(wire_keys::NEW)
        .saying("Makes a key, and shows it once."),
    route("get_key", Method::Get, "/api/v1/admin/keys/{key_id}", keys::get)
        .of(wire_keys::KEY)
        .saying("Says what a key lets its holder do."),
    route("rotate_key", Method::Post, "/api/v1/admin/keys/{key_id}/rotate", keys::rotate)
        .taking(wire_keys::ROTATE).answering(CHANGE).of(wire_keys::NEW)
        .saying("Gives a key a new secret, and shows it once."),
    route("revoke_key", Method::Delete, "/api/v1/admin/keys/{key_id}", keys::revoke)
        .answering(END).of(wire_keys::KEY)
        .saying("Revokes a key, from the next request on."),
    route("list_connectors", Method::Get, "/api/v1/admin/connectors", connectors::list)
        .asking(wire_connectors::LIST).answering(READ).of(wire_connectors::CONNECTORS)
        .saying("Lists the connector tokens, without their words."),
    route("make_connector", Method::Post, "/api/v1/admin/connectors", connectors::make)
        .taking(wire_connectors::MAKE).answering(MAKE).of(wire_connectors::NEW)
        .saying("Makes a connector token, and shows it once."),
    route("withdraw_connector", Method::Delete, "/api/v1/admin/connectors/{connector_id}", connectors::withdraw)
        .answering(END).of(wire_connectors::CONNECTOR)
        .saying("Withdraws a connector token that nobody has exchanged."),
    answered_by(Handler::Stranger(connectors::exchange), "exchange_connector", Method::Post, "/mcp/connect/{connector_token}")
        .taking(wire_connectors::EXCHANGE).answering(EXCHANGE).of(wire_connectors::EXCHANGED)
        .saying("Exchanges a connector token, once, for a key and what a client needs to connect."),
    route("list_people", Method::Get, "/api/v1/admin/people", people::list)
        .answering(READ).of(wire_people::PEOPLE)
        .saying("Lists the people who may sign in."),
    route("make_person", Method::Post, "/api/v1/admin/people", people::make)
        .taking(wire_people::MAKE).answering(MAKE).of(wire_people::PERSON)
        .saying("Names a person who may sign in."),
    route("get_person", Method::Get, "/api/v1/admin/people/{person_id}", people::get)
        .of(wire_people::PERSON)
        .saying("Says who a person is."),
    route("change_person", Method::Patch, "/api/v1/admin/people/{person_id}", people::change)
        .taking(wire_people::CHANGE).answering(CHANGE).of(wire_people::PERSON)
        .saying("Gives a person another role or password, or shuts one out; every session of theirs ends."),
];

impl Call<'_> {
    /// Who acts.
    pub(super) fn actor(&self) -> Actor {
        Actor::by(self.principal.kind, self.principal.key)
    }

    /// An answer, with what is worth a word about its request.
    fn noted(&self, body: Value, notes: &Notes) -> Reply {
        let Value::Object(mut body) = body else {
            return Reply::ok(body);
        };
        note(&mut body, &self.said(notes));
        Reply::ok(Value::Object(body))
    }
}
