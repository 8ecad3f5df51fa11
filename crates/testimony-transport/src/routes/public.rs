//! The routes that agents use, and those that say whether the service is there.

use testimony_domain::Capability;

use super::{
    Door, Handler, Route, context, courtroom, description, get, health, metrics, post, recall,
    reflect, retain, writeback,
};
use crate::metrics::MEDIA;
use crate::wire::shape::{Member, Shape};
use crate::wire::{context as wire_context, courtroom as wire_courtroom};
use crate::wire::{recall as wire_recall, reflect as wire_reflect};
use crate::wire::{retain as wire_retain, writeback as wire_writeback};

const READ: &[u16] = &[200, 401, 403, 404, 413, 415, 422, 429];
/// It reads, and writes where its reply is saved.
const REFLECT: &[u16] = &[200, 401, 403, 404, 409, 413, 415, 422, 429, 507];

/// Anybody is answered, while there is room.
const OPEN: &[u16] = &[200, 429];
/// Operators are answered.
const OPERATOR: &[u16] = &[200, 401, 403, 429];

const ALIVE: &[Member] = &[Member::new(
    "status",
    Shape::Word(&["ok"]),
    "That it is there.",
)];

#[rustfmt::skip]
const READY: &[Member] = &[
    Member::new("status", Shape::Word(&["ready", "degraded"]), "Whether everything is as it should be."),
    Member::new("dependencies", Shape::Map(&Shape::Word(&["healthy", "degraded", "unavailable"])),
        "How each part is: the ledger, and what the service rests on."),
];

/// The routes.
#[rustfmt::skip]
pub(super) const ROUTES: &[Route] = &[
    post("retain", "/api/v2/containers/{container_tag}/retain", wire_retain::FIELDS,
        Handler::Behind(Door::Container(Capability::Write), retain::retain))
        .needing_one_of(&["content", "contents"])
        .giving(wire_retain::ANSWER)
        .saying("Captures evidence, and what it claims."),
    post("recall", "/api/v2/containers/{container_tag}/recall", wire_recall::FIELDS,
        Handler::Behind(Door::Container(Capability::Recall), recall::recall)).answering(READ)
        .giving(wire_recall::ANSWER)
        .saying("Answers a question from memory, or says that it cannot."),
    post("agent_context", "/api/v2/containers/{container_tag}/agent/context", wire_context::FIELDS,
        Handler::Behind(Door::Container(Capability::AgentContext), context::context)).answering(READ)
        .giving(wire_context::ANSWER)
        .saying("Builds the packet of memories for a turn."),
    post("agent_writeback", "/api/v2/containers/{container_tag}/agent/writeback", wire_writeback::FIELDS,
        Handler::Behind(Door::Container(Capability::AgentWriteback), writeback::writeback))
        .giving(wire_writeback::ANSWER)
        .saying("Captures what a turn brought."),
    post("reflect", "/api/v2/containers/{container_tag}/reflect", wire_reflect::FIELDS,
        Handler::Behind(Door::Container(Capability::Reflect), reflect::reflect)).answering(REFLECT)
        .giving(wire_reflect::ANSWER)
        .saying("Answers a question in sentences, with what they rest on."),
    get("courtroom", "/api/v1/memories/{memory_id}/courtroom", wire_courtroom::FIELDS,
        Handler::Behind(Door::Object(Capability::CourtroomRead), courtroom::courtroom))
        .giving(wire_courtroom::ANSWER)
        .saying("Reports what speaks for and against a memory."),
    get("courtroom_v1", "/v1/memories/{memory_id}/courtroom", wire_courtroom::FIELDS,
        Handler::Behind(Door::Object(Capability::CourtroomRead), courtroom::courtroom))
        .giving(wire_courtroom::ANSWER)
        .saying("Reports what speaks for and against a memory."),
    get("healthz", "/healthz", &[], Handler::Open(health::alive)).answering(OPEN)
        .giving(Shape::Object(ALIVE))
        .saying("Says that the process is there."),
    get("readyz", "/readyz", &[], Handler::Open(health::ready)).answering(&[200, 429, 503])
        .giving(Shape::Object(READY))
        .saying("Says whether requests can be served, and how its parts are."),
    get("openapi_public", "/openapi.public.json", &[], Handler::Open(description::public))
        .answering(OPEN).giving(Shape::Map(&Shape::Anything))
        .saying("Describes these routes, as OpenAPI 3.1."),
    get("openapi_operator", "/openapi.operator.json", &[], Handler::Behind(Door::Operator, description::operator))
        .answering(OPERATOR).giving(Shape::Map(&Shape::Anything)).for_operators()
        .saying("Describes the routes for operators, as OpenAPI 3.1."),
    get("metrics", "/metrics", &[], Handler::Behind(Door::Operator, metrics::metrics))
        .answering(OPERATOR).in_media(MEDIA).giving(Shape::Text).for_operators()
        .saying("Tells what is counted and measured, in the text that Prometheus reads."),
    get("docs", "/docs", &[], Handler::Open(description::public_page))
        .answering(OPEN).in_media(description::HTML).giving(Shape::Text).for_browsers()
        .saying("Describes the routes for people."),
    get("docs_style", "/docs/style.css", &[], Handler::Open(description::style))
        .answering(OPEN).in_media(description::CSS).giving(Shape::Text).for_browsers()
        .saying("The style sheet of the description."),
    get("docs_openapi_public", "/docs/openapi.public.json", &[], Handler::Open(description::public))
        .answering(OPEN).giving(Shape::Map(&Shape::Anything)).for_browsers()
        .saying("The same description for programs, beside the one for people."),
    get("docs_operator", "/docs/operator", &[], Handler::Behind(Door::Operator, description::operator_page))
        .answering(OPERATOR).in_media(description::HTML).giving(Shape::Text).for_operators()
        .saying("Describes the routes for operators, for people."),
];
