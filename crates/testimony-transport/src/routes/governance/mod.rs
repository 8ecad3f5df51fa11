//! The routes of reviewers and operators.

mod review;

use std::str::FromStr;

use testimony_domain::Capability;
use testimony_service::NotFound;

use super::{Call, Door, Handle, Handler, Outcome, Reply, Route, get, post};
use crate::problem::Problem;
use crate::wire::field::Table;
use crate::wire::governance::review as wire_review;
use crate::wire::shape::{Member, Shape};

const READ: &[u16] = &[200, 401, 403, 404, 422, 429];

const fn reading(
    name: &'static str,
    pattern: &'static str,
    query: Table,
    door: Door,
    handle: Handle,
    answer: &'static [Member],
) -> Route {
    get(name, pattern, query, Handler::Behind(door, handle))
        .answering(READ)
        .giving(Shape::Object(answer))
        .for_operators()
}

const fn doing(
    name: &'static str,
    pattern: &'static str,
    body: Table,
    door: Door,
    handle: Handle,
    answer: &'static [Member],
) -> Route {
    post(name, pattern, body, Handler::Behind(door, handle))
        .giving(Shape::Object(answer))
        .for_operators()
}

const REVIEW: Door = Door::Container(Capability::Review);

/// The routes.
#[rustfmt::skip]
pub(super) const ROUTES: &[Route] = &[
    reading("reviews", "/api/v1/containers/{container_tag}/reviews", wire_review::QUEUE, REVIEW,
        review::queue, wire_review::QUEUED)
        .saying("Lists review cases."),
    reading("review_groups", "/api/v1/containers/{container_tag}/reviews/groups", wire_review::QUEUE, REVIEW,
        review::groups, wire_review::GROUPS)
        .saying("Lists groups of review cases that one decision can serve, with counts."),
    doing("decide_reviews", "/api/v1/containers/{container_tag}/reviews/decide", wire_review::DECIDE_GROUP, REVIEW,
        review::decide_group, wire_review::DECIDED_GROUP)
        .saying("Decides every open case of a group in the same way."),
    reading("review", "/api/v1/containers/{container_tag}/reviews/{case_id}", &[], REVIEW,
        review::case, wire_review::CASE)
        .saying("Shows a review case with its rows."),
    doing("decide_review", "/api/v1/containers/{container_tag}/reviews/{case_id}/decide", wire_review::DECIDE, REVIEW,
        review::decide, wire_review::DECIDED)
        .saying("Decides a review case."),
];

/// The id that a path holds; what is none is not there.
fn id_in<T: FromStr>(call: &Call<'_>, name: &str, missing: NotFound) -> Result<T, Problem> {
    let id = call.named.get(name).parse();
    id.map_err(|_| Problem::from(testimony_service::ServiceError::from(missing)))
}
