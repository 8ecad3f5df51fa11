//! A bank that fails: its jobs wait or are tried again, lie with the dead in the end, and all of it is said.

use std::time::Duration;

use serde_json::json;
use testimony_models::BreakerRules;
use testimony_service::ports::ledger::jobs::{JobEnd, JobKind};
use testimony_service::work::{Compare, Handler as _};

use super::scripted::{Line, good};
use super::{Compared, KEY, answer, id_of};
use crate::support::{Harness, Sent};

const ROW: &str = "The staging database of Harborlight runs on port 6543.";

fn status(status: u16) -> Line {
    Line::Answer(status, &[], format!("{{\"detail\": \"not with {KEY}\"}}"))
}

/// How the one job of a row ended.
fn ended(compared: &Compared) -> JobEnd {
    compared.retain(&compared.harness.agent(), ROW);
    let ends = compared.work();
    assert_eq!(ends.len(), 1, "{ends:?}");
    ends.into_iter().next().unwrap()
}

#[test]
fn what_fails_is_tried_again_and_told_without_a_word_of_content() {
    let giant = "a".repeat(300 << 10);
    for (line, told) in [
        (status(401), "see the key"),
        (status(404), "`url`, `bank` and `protocol`"),
        (status(422), "422"),
        (status(500), "status 500"),
        (status(302), "302"),
        (good("<html>Harborlight</html>"), "no JSON"),
        (good("{\"results\": {\"0\": 1}}"), "no list"),
        (good("{\"results\": [{\"id\": \"h-1\"}]}"), "no words"),
        (good(&giant), "longer than any"),
        (Line::Half(vec!["{\"results\"".to_owned()]), "broke off"),
        (Line::Silence, "no whole answer"),
    ] {
        let slow = matches!(line, Line::Silence);
        let compared = Compared::about(vec![line], &["workspace"], |settings| {
            if slow {
                settings.patience.total = Duration::from_millis(300);
            }
        });
        let end = ended(&compared);
        let JobEnd::Retry { failure, .. } = end else {
            panic!("{told}: {end:?}");
        };
        assert!(failure.contains(told), "{told}: {failure}");
        assert!(failure.contains("elsewhere"), "{failure}");
        let (_, health) = compared.harness.service.bank_health().unwrap();
        let said = format!("{failure} {health:?}");
        assert!(
            !said.contains(KEY) && !said.contains("Harborlight"),
            "{said}"
        );
    }
}

#[test]
fn a_bank_that_asks_for_time_gets_it_and_no_attempt_is_counted() {
    let busy = Line::Answer(429, &[("retry-after", "40")], String::new());
    let compared = Compared::with(vec![busy, answer(&[])]);
    let JobEnd::Back { waits_for, .. } = ended(&compared) else {
        panic!("it waits");
    };
    assert!(waits_for.unwrap().contains("too often"));
    compared.harness.clock.pass(60);
    assert_eq!(compared.work(), [JobEnd::Done]);
}

#[test]
fn a_bank_that_failed_repeatedly_rests() {
    let compared = Compared::about(vec![status(500)], &["workspace"], |settings| {
        settings.breaker = BreakerRules {
            failures: 1,
            rest: Duration::from_secs(3_600),
            longest_rest: Duration::from_secs(3_600),
        };
    });
    assert!(matches!(ended(&compared), JobEnd::Retry { .. }));
    compared.harness.clock.pass(10);
    let ends = compared.work();
    assert!(matches!(ends.as_slice(), [JobEnd::Back { .. }]), "{ends:?}");
    assert_eq!(compared.bank.bodies().len(), 1, "it is left alone");
    let ready = Sent::new("GET", "/readyz");
    let ready = compared.harness.send(&ready).expect(200).body;
    assert_eq!(
        ready["dependencies"]["memory_banks"], "degraded",
        "{ready:#}"
    );
}

#[test]
fn a_bank_that_never_comes_back_leaves_a_dead_job_that_can_be_revived() {
    let mut script = vec![status(503); 7];
    script.push(answer(&[(ROW, "2026-01-05T10:00:00Z")]));
    let compared = Compared::with(script);
    let (key, operator) = (compared.harness.agent(), compared.harness.operator());
    let id = id_of(&compared.retain(&key, ROW));
    let mut ends = Vec::new();
    while !matches!(ends.last(), Some(JobEnd::Dead { .. })) {
        ends.extend(compared.work());
        assert!(ends.len() <= 7, "{ends:?}");
        compared.harness.clock.pass(7 * 60 * 60);
    }
    assert_eq!(ends.len(), 7);
    let health = compared.worker.health();
    assert!(
        health.because().unwrap().contains("1 jobs failed for good"),
        "{health:?}"
    );
    let jobs = compared
        .harness
        .get(&operator, "/api/v1/admin/jobs?kind=compare");
    let job = &jobs.expect(200).body["items"][0];
    assert!(
        job["failure"].as_str().unwrap().contains("elsewhere"),
        "{job:#}"
    );
    assert_eq!(job["memory_id"], json!(id));
    assert_eq!(compared.report(&key, &id)["bank_comparisons"], json!([]));
    let path = format!("/api/v1/admin/jobs/{}/revive", job["id"].as_str().unwrap());
    let revived = compared
        .harness
        .ask(&operator, "revive_job", &path, &json!({}));
    revived.expect(200);
    assert_eq!(compared.work(), [JobEnd::Done]);
    assert_eq!(
        compared.report(&key, &id)["bank_comparisons"][0]["outcome"],
        "agrees"
    );
}

#[test]
fn jobs_wait_while_no_bank_is_configured_and_it_is_said() {
    let handler = Compare::new(Harness::start().service.clone());
    assert_eq!(handler.kind(), JobKind::Compare);
    let missing = handler.readiness();
    assert!(
        missing
            .missing()
            .is_some_and(|it| it.contains("no memory bank"))
    );
}
