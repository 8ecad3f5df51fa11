//! The routes of reviewers and operators.

mod audit;
mod erasure;
mod jobs;
mod memories;
mod quarantine;
mod review;
mod statistics;

use testimony_domain::Capability;

use super::{Call, Door, Handle, Handler, Outcome, Reply, Route, get, post};
use crate::wire::field::Table;
use crate::wire::governance::{
    audit as wire_audit, erasure as wire_erasure, jobs as wire_jobs, memories as wire_memories,
    memory as wire_memory, quarantine as wire_quarantine, review as wire_review,
    statistics as wire_statistics, why as wire_why,
};
use crate::wire::shape::{Member, Shape};

const READ: &[u16] = &[200, 401, 403, 404, 422, 429];
/// It reads, and is asked with a body.
const ASKING: &[u16] = &[200, 401, 403, 404, 413, 415, 422, 429];

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
    reading("memories", "/api/v1/admin/containers/{container_tag}/memories", wire_memories::LIST, Door::Operator,
        memories::list, wire_memories::MEMORIES)
        .saying("Lists the memories of a container, whatever their state."),
    reading("memory", "/api/v1/admin/memories/{memory_id}", &[], Door::Operator,
        memories::file, wire_memories::FILE)
        .saying("Shows a memory with all that hangs on it."),
    reading("memory_history", "/api/v1/admin/memories/{memory_id}/history", &[], Door::Operator,
        memories::history, wire_memories::HISTORY)
        .saying("Tells what happened to a memory."),
    doing("correct_memory", "/api/v1/admin/memories/{memory_id}/correct", wire_memories::CORRECT, Door::Operator,
        memories::correct, wire_memory::MEMORY)
        .saying("Says something in place of a memory, as its next revision."),
    doing("retract_memory", "/api/v1/admin/memories/{memory_id}/retract", wire_memories::RETRACT, Door::Operator,
        memories::retract, wire_memory::MEMORY)
        .saying("Takes a memory back."),
    doing("why_memory", "/api/v1/admin/memories/{memory_id}/why", wire_why::WHY, Door::Operator,
        memories::why, wire_why::ANSWER).answering(ASKING)
        .saying("Tells why a memory is recalled for a question, or is not."),
    reading("quarantine", "/api/v1/admin/containers/{container_tag}/quarantine", wire_quarantine::LIST, Door::Operator,
        quarantine::list, wire_quarantine::QUARANTINE)
        .saying("Lists what is held in a container, and by which rules."),
    reading("exemptions", "/api/v1/admin/containers/{container_tag}/exemptions", &[], Door::Operator,
        quarantine::exemptions, wire_quarantine::EXEMPTIONS)
        .saying("Lists what a container lets through."),
    doing("allow_fingerprint", "/api/v1/admin/containers/{container_tag}/exemptions/fingerprints", wire_quarantine::FINGERPRINT,
        Door::Operator, quarantine::allow, wire_quarantine::EXEMPTIONS)
        .saying("Allows a secret in a container by its fingerprint, or allows it no longer."),
    doing("exempt_rule", "/api/v1/admin/containers/{container_tag}/exemptions/rules", wire_quarantine::RULE,
        Door::Operator, quarantine::exempt, wire_quarantine::EXEMPTIONS)
        .saying("Exempts a container from a rule about secrets, or does so no longer."),
    reading("statistics", "/api/v1/admin/containers/{container_tag}/statistics", wire_statistics::ASKED, Door::Operator,
        statistics::statistics, wire_statistics::STATISTICS)
        .saying("Counts what a container holds, what waits in it, and how it is read."),
    reading("audit_reads", "/api/v1/admin/containers/{container_tag}/reads", wire_audit::READS, Door::Operator,
        audit::reads, wire_audit::READ_ROWS)
        .saying("Lists requests that read in a container, by ids alone."),
    reading("audit_rollups", "/api/v1/admin/audit/rollups", wire_audit::ROLLUPS, Door::Operator,
        audit::rollups, wire_audit::HOURS)
        .saying("Counts what was read by the hour."),
    reading("audit_events", "/api/v1/admin/audit/events", wire_audit::EVENTS, Door::Operator,
        audit::events, wire_audit::TRAIL)
        .saying("Lists events of the trail."),
    reading("audit_export", "/api/v1/admin/audit/export", wire_audit::PART, Door::Operator,
        audit::export, wire_audit::TRAIL)
        .saying("Hands out the whole trail part by part; each item is a line of an export."),
    reading("audit_head", "/api/v1/admin/audit/head", &[], Door::Operator,
        audit::head, wire_audit::HEAD)
        .saying("Tells the end of the chain, to be kept elsewhere."),
    doing("verify_audit", "/api/v1/admin/audit/verify", wire_audit::VERIFY, Door::Operator,
        audit::verify, wire_audit::VERIFIED).answering(ASKING)
        .saying("Follows the chain of the trail, and holds it against a head that was kept elsewhere."),
    reading("jobs", "/api/v1/admin/jobs", wire_jobs::LIST, Door::Operator,
        jobs::list, wire_jobs::JOBS)
        .saying("Lists jobs in a state."),
    reading("job_census", "/api/v1/admin/jobs/census", &[], Door::Operator,
        jobs::census, wire_jobs::CENSUS)
        .saying("Counts jobs by kind and state."),
    doing("revive_job", "/api/v1/admin/jobs/{job_id}/revive", &[], Door::Operator,
        jobs::revive, wire_jobs::JOB)
        .saying("Puts a dead job back into the queue."),
    reading("erasures", "/api/v1/admin/erasures", wire_audit::PART, Door::Operator,
        erasure::list, wire_erasure::ERASURES)
        .saying("Lists erasures that were carried out."),
    doing("erase", "/api/v1/admin/erasures", wire_erasure::ERASE, Door::Operator,
        erasure::erase, wire_erasure::TOLL)
        .saying("Erases, or tells what would go."),
];
