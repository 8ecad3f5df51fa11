//! Jobs for operators: lists by state, a census, and a dead one that gets another chance.

use serde_json::{Value, json};
use testimony_domain::{ContainerGrant, ContainerTag, JobId, Timestamp};
use testimony_service::access::KeyOrder;
use testimony_service::ports::ledger::Fate;
use testimony_service::ports::ledger::audit::{Act, Actor};
use testimony_service::ports::ledger::jobs::{Job, JobEnd, JobKind};

use crate::support::Harness;

/// A job that failed for good.
pub(crate) fn dead_job(harness: &Harness) -> String {
    let now = Timestamp::from_second(1_790_000_900).unwrap();
    let act = Act {
        actor: Actor::Service,
        at: now,
        request: None,
        rules: "test",
    };
    let id: JobId = "job_00000000000070008000000000000077".parse().unwrap();
    let place = ContainerTag::new("container", "workspace").unwrap();
    let work = move |writer: &mut dyn testimony_service::ports::ledger::Writer| {
        writer.queue_job(&Job::new(id, JobKind::Distill, place, None, now))?;
        let leased = writer.lease_jobs(JobKind::Distill, 1, now)?;
        let failure = "model: it never answered".to_owned();
        writer.end_job(id, leased[0].attempts, &JobEnd::Dead { failure })?;
        Ok((Fate::Keep, ()))
    };
    harness.service.ledger().write(act, work).unwrap();
    id.to_string()
}

#[test]
fn a_dead_job_is_listed_and_revived() {
    let harness = Harness::start();
    harness.agent();
    let operator = harness.operator();
    let id = dead_job(&harness);
    let list = |key: &str, query: &str| {
        let path = format!("/api/v1/admin/jobs{query}");
        let found = harness
            .ask(key, "jobs", &path, &Value::Null)
            .expect(200)
            .body;
        found["items"].as_array().unwrap().clone()
    };
    let dead = list(&operator, "");
    assert_eq!((dead.len(), &dead[0]["id"]), (1, &json!(id)));
    assert_eq!(dead[0]["failure"], "model: it never answered");
    for (query, count) in [
        ("?kind=distill", 1),
        ("?kind=embed", 0),
        ("?container_tag=workspace", 1),
        ("?container_tag=elsewhere", 0),
        ("?state=queued", 0),
    ] {
        assert_eq!(list(&operator, query).len(), count, "{query}");
    }
    let census = harness.ask(
        &operator,
        "job_census",
        "/api/v1/admin/jobs/census",
        &Value::Null,
    );
    let expected = json!([{ "kind": "distill", "state": "dead", "jobs": 1 }]);
    assert_eq!(census.expect(200).body["items"], expected);

    let narrow = harness.key(|order| {
        *order = KeyOrder::operator("elsewhere");
        order.containers = ContainerGrant::parse("containers", &["elsewhere"]).unwrap();
    });
    let census = harness.ask(
        &narrow,
        "job_census",
        "/api/v1/admin/jobs/census",
        &Value::Null,
    );
    census.expect(403);
    let revive = |key: &str, id: &str| {
        let path = format!("/api/v1/admin/jobs/{id}/revive");
        harness.ask(key, "revive_job", &path, &json!({}))
    };
    for id in ["nonsense", "job_00000000000070008000000000000000"] {
        assert_eq!(revive(&operator, id).expect(404).code(), "job_not_found");
    }
    revive(&narrow, &id).expect(403);
    let revived = revive(&operator, &id).expect(200).body;
    assert_eq!(
        (&revived["state"], &revived["attempts"]),
        (&json!("queued"), &json!(0))
    );
    assert_eq!(revive(&operator, &id).expect(409).code(), "undecidable");
    let path = format!("/api/v1/admin/audit/events?object={id}");
    let events = harness
        .ask(&operator, "audit_events", &path, &Value::Null)
        .expect(200)
        .body;
    let last = events["items"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(last["action"], "job.changed");
    assert!(last["actor"].as_str().unwrap().starts_with("key_"));
}
