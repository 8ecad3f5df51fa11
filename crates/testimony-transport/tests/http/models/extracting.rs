//! Statements that a model draws from texts: behind an answer, with the class of a model, and only where it is chosen.

use std::sync::Arc;

use serde_json::{Value, json};
use testimony_domain::{Clock, SourceClass};
use testimony_service::ports::ledger::jobs::{JobEnd, JobKind};
use testimony_service::ports::models::ModelUse;
use testimony_service::upkeep::{Retention, Upkeep};
use testimony_service::work::{Distill, Handler, Step, WorkRules, Worker};
use testimony_service::{Models, RULES_VERSION};

use super::scripted::{Scripted, error, says};
use crate::support::Harness;

/// A text that says more than one of its sentences.
const TEXT: &str = "Yesterday was long. The bakery of Porto Alto moved its ovens into the hall by the river, where Mara keeps the keys, \
    and nobody minds the noise there.";
const DRAWN: &str = r#"{"statements": ["Mara keeps the keys of the hall by the river.", "The ovens cost 9000 euros."]}"#;

fn worker(harness: &Harness) -> Worker {
    let ledger = Arc::clone(harness.service.ledger());
    let handlers: Vec<Box<dyn Handler>> = vec![Box::new(Distill::new(harness.service.clone()))];
    let upkeep = Upkeep::new(ledger.clone(), Retention::default(), 10, RULES_VERSION);
    let clock: Arc<dyn Clock + Send + Sync> = harness.clock.clone();
    Worker::new(
        ledger,
        clock,
        handlers,
        upkeep,
        WorkRules::new(RULES_VERSION),
    )
}

/// Works until a job ends or there is nothing to do.
fn work(worker: &Worker) -> Option<JobEnd> {
    loop {
        match worker.run_once().unwrap() {
            Step::Kept(_) => {}
            Step::Worked { ended, .. } => return ended.into_iter().next().map(|(_, end)| end),
            Step::Idle(_) => return None,
        }
    }
}

fn drawing(model: &Arc<Scripted>) -> Harness {
    let harness = Harness::start();
    let models = Models::default().asking(ModelUse::Extraction, model.clone());
    harness.service.ask_models(models);
    harness
}

fn retain(harness: &Harness, key: &str, more: &Value) -> Value {
    let mut body = json!({ "content": TEXT, "tags": ["bakery"] });
    body.as_object_mut()
        .unwrap()
        .extend(more.as_object().cloned().unwrap());
    harness.retain(key, &body).expect(200).body
}

#[test]
fn a_text_is_read_by_a_model_later_and_what_it_draws_waits() {
    let model = Scripted::saying(DRAWN);
    let harness = drawing(&model);
    let key = harness.agent();
    let answer = retain(&harness, &key, &json!({}));
    assert_eq!(answer["pending_jobs"], json!(["distill"]), "{answer:#}");
    assert_eq!(
        answer["runtime_fanout"],
        json!({ "queued": true, "routes": ["distill"] })
    );
    assert_eq!(answer["enrichment_status"], "queued");
    assert_eq!(model.times_asked(), 0, "nobody waits for it");
    assert_eq!(work(&worker(&harness)), Some(JobEnd::Done));
    let shown: Value = serde_json::from_str(&model.last_asked().material).unwrap();
    assert_eq!(shown["text"], TEXT);
    let listed = "/api/v1/admin/containers/workspace/memories?limit=50";
    let rows = harness.get(&harness.operator(), listed).expect(200).body;
    let rows = rows["items"].as_array().unwrap().clone();
    let drawn = |text: &str| {
        rows.iter()
            .find(|row| row["content"].as_str().is_some_and(|it| it.contains(text)))
            .cloned()
    };
    let keys = drawn("keeps the keys of the hall").unwrap();
    assert_eq!(keys["source_class"], "model_inference", "{keys:#}");
    assert_eq!(keys["lifecycle_state"], "pending");
    assert_eq!(keys["tags"], json!(["bakery"]));
    assert!(drawn("9000").is_none(), "it is not in the text");
    assert_eq!(
        work(&worker(&harness)),
        None,
        "what was drawn is not drawn from again"
    );
}

#[test]
fn nothing_is_drawn_where_nobody_chose_a_model_or_asked_for_it() {
    let harness = Harness::start();
    let key = harness.agent();
    assert_eq!(
        retain(&harness, &key, &json!({}))["pending_jobs"],
        json!([])
    );
    let model = Scripted::saying(DRAWN);
    let harness = drawing(&model);
    let key = harness.agent();
    let verbatim = retain(&harness, &key, &json!({ "auto_extract": false }));
    assert_eq!(verbatim["pending_jobs"], json!([]));
    let short = harness
        .retain(&key, &json!({ "content": "Mara likes tea." }))
        .expect(200)
        .body;
    assert_eq!(short["pending_jobs"], json!([]));
    assert_eq!(work(&worker(&harness)), None);
    assert_eq!(model.times_asked(), 0);
}

#[test]
fn what_fails_is_tried_again_and_what_is_gone_is_left_alone() {
    let ended = |script: Vec<_>| {
        let harness = drawing(&Scripted::of(script));
        retain(&harness, &harness.agent(), &json!({}));
        work(&worker(&harness)).unwrap()
    };
    assert!(matches!(
        ended(vec![Err(error("unreachable"))]),
        JobEnd::Back {
            waits_for: Some(_),
            ..
        }
    ));
    assert!(matches!(
        ended(vec![Err(error("busy"))]),
        JobEnd::Back { .. }
    ));
    assert!(matches!(
        ended(vec![Err(error("refused"))]),
        JobEnd::Retry { .. }
    ));
    assert!(matches!(
        ended(vec![says("I would rather not.")]),
        JobEnd::Retry { .. }
    ));
    assert_eq!(ended(vec![says("{\"statements\": []}")]), JobEnd::Done);
}

#[test]
fn the_class_of_what_is_drawn_is_the_weakest_of_its_lineage() {
    let harness = drawing(&Scripted::saying(DRAWN));
    let key = harness.key(|order| order.class = SourceClass::ExternalDocument);
    retain(&harness, &key, &json!({}));
    assert_eq!(work(&worker(&harness)), Some(JobEnd::Done));
    let listed = "/api/v1/admin/containers/workspace/memories?limit=50";
    let rows = harness.get(&harness.operator(), listed).expect(200).body;
    for row in rows["items"].as_array().unwrap() {
        assert_eq!(row["source_class"], "external_document", "{row:#}");
    }
}

#[test]
fn a_statement_goes_with_the_text_it_was_drawn_from() {
    let harness = drawing(&Scripted::saying(DRAWN));
    let (key, operator) = (harness.agent(), harness.operator());
    let answer = retain(&harness, &key, &json!({}));
    assert_eq!(work(&worker(&harness)), Some(JobEnd::Done));
    let listed = "/api/v1/admin/containers/workspace/memories?limit=50";
    let before = harness.get(&operator, listed).expect(200).body;
    let count = |body: &Value| {
        let rows = body["items"].as_array().unwrap().iter();
        rows.filter(|row| row["lifecycle_state"] != "erased")
            .count()
    };
    let made = answer["memories"].as_array().unwrap().len();
    assert!(count(&before) > made, "{before:#}");
    let evidence = answer["memories"][0]["evidence_id"].as_str().unwrap();
    let id: testimony_domain::EvidenceId = evidence.parse().unwrap();
    let reader = harness.service.ledger().reader().unwrap();
    assert_eq!(
        reader.resting_on(id).unwrap().len(),
        count(&before),
        "all of them rest on it"
    );
}

#[test]
fn waiting_for_a_model_is_told() {
    let harness = Harness::start();
    let handler = Distill::new(harness.service.clone());
    assert_eq!(handler.kind(), JobKind::Distill);
    assert!(
        handler
            .readiness()
            .missing()
            .is_some_and(|it| it.contains("no model"))
    );
}
