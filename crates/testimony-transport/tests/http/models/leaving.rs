//! Callers who leave before a model has answered: it is waited for no longer, and what does not need it goes on.

use std::io::Write as _;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use testimony_service::Models;
use testimony_service::ports::caller::Caller;
use testimony_service::ports::health::Health;
use testimony_service::ports::models::{
    ChatModel, ModelError, ModelIdentity, ModelQuestion, ModelReply, ModelUse,
};
use testimony_transport::http::Limits;

use super::scripted::error;
use crate::support::{Harness, QUESTION, Sent, fact, limits};
use crate::tools;

/// For so long a test waits for what has to come.
const PATIENCE: Duration = Duration::from_secs(20);

/// A model that answers nothing until whoever waits for it has left.
struct Mute {
    identity: ModelIdentity,
    /// Says that it is asked.
    asked: Mutex<Sender<()>>,
    /// Says that whoever waited has left.
    left: Mutex<Sender<()>>,
}

/// A harness with such a model for both uses that callers wait for.
struct Before {
    harness: Harness,
    asked: Receiver<()>,
    left: Receiver<()>,
}

impl Before {
    fn with(limits: Limits) -> Self {
        let ((says_asked, asked), (says_left, left)) = (channel(), channel());
        let model = Arc::new(Mute {
            identity: ModelIdentity {
                provider: "house".to_owned(),
                model: "mute-1".to_owned(),
            },
            asked: Mutex::new(says_asked),
            left: Mutex::new(says_left),
        });
        let harness = Harness::with(limits);
        let models = Models::default()
            .asking(ModelUse::Synthesis, model.clone())
            .asking(ModelUse::Judge, model);
        assert!(harness.service.ask_models(models));
        Self {
            harness,
            asked,
            left,
        }
    }

    fn asked(&self) {
        self.asked.recv_timeout(PATIENCE).unwrap();
    }

    fn left(&self) {
        self.left.recv_timeout(PATIENCE).unwrap();
    }
}

impl ChatModel for Mute {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn complete(&self, _: &ModelQuestion<'_>) -> Result<ModelReply, ModelError> {
        let (gone, goes) = channel::<()>();
        let caller = Caller::current().unwrap();
        caller.on_leaving(move || drop(gone));
        self.asked.lock().unwrap().send(()).unwrap();
        // It ends when the other end goes, or after longer than any test waits.
        let _ = goes.recv_timeout(PATIENCE * 2);
        if caller.has_left() {
            // The test may be over.
            let _ = self.left.lock().unwrap().send(());
        }
        Err(error("unreachable"))
    }

    fn health(&self) -> Health {
        Health::Healthy
    }
}

const REFLECT: &str = "/api/v2/containers/workspace/reflect";

#[test]
fn a_model_is_left_by_reflections_and_judges_whose_caller_leaves() {
    let before = Before::with(limits());
    let key = before.harness.agent();
    let retained = before.harness.retain(&key, &fact()).expect(200);
    let id = retained.body["memories"][0]["id"].as_str().unwrap();
    let case = format!("/api/v1/memories/{id}/courtroom?include_ai=true");
    let reflect = Sent::post(REFLECT).json(&json!({ "query": QUESTION }));
    for sent in [reflect, Sent::new("GET", &case)] {
        let mut caller = before.harness.connect();
        caller.write_all(&sent.key(&key).bytes()).unwrap();
        before.asked();
        drop(caller);
        before.left();
    }
    // The case is free again: nobody hears it.
    let report = before
        .harness
        .get(&key, case.trim_end_matches("?include_ai=true"));
    assert_eq!(report.expect(200).body["ai_judgment"]["status"], "omitted");
}

#[test]
fn a_model_is_left_when_the_time_of_a_request_is_over() {
    let before = Before::with(Limits {
        request_time: Duration::from_millis(1_500),
        ..limits()
    });
    let key = before.harness.agent();
    while before.harness.retain(&key, &fact()).status != 200 {}
    let body = json!({ "query": QUESTION });
    let answer = before.harness.post(&key, REFLECT, &body).expect(429);
    assert_eq!(answer.code(), "overloaded");
    before.left();
}

#[test]
fn a_call_of_a_tool_is_taken_back_by_its_own_key_alone() {
    let before = Before::with(limits());
    let harness = &before.harness;
    let (key, other) = (tools::agent(harness), tools::agent(harness));
    harness.retain(&key, &fact()).expect(200);
    let call = json!({
        "jsonrpc": "2.0", "id": "r-1", "method": "tools/call",
        "params": { "name": "memory_reflect", "arguments": { "query": QUESTION } },
    });
    let take_back = |key: &str, id: Value| {
        let params = json!({ "requestId": id, "reason": "The user went on." });
        let cancelled =
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
        harness.post(key, "/mcp", &cancelled).expect(202);
    };
    std::thread::scope(|scope| {
        let calling = scope.spawn(|| harness.post(&key, "/mcp", &call));
        before.asked();
        take_back(&other, json!("r-1"));
        take_back(&key, json!("r-2"));
        assert!(before.left.try_recv().is_err());
        take_back(&key, json!("r-1"));
        before.left();
        let answer = calling.join().unwrap();
        let told = answer.body["error"]["message"].as_str();
        let told = told.unwrap_or_else(|| panic!("{}: {:#}", answer.status, answer.body));
        assert!(told.contains("cancelled"), "{told}");
    });
}

#[test]
fn one_credential_takes_its_share_of_the_room_and_no_more() {
    let before = Before::with(Limits {
        at_once: 4,
        share: 50,
        ..limits()
    });
    let harness = &before.harness;
    let (key, other) = (harness.agent(), harness.agent());
    harness.retain(&key, &fact()).expect(200);
    let question = json!({ "query": QUESTION });
    let reflect = Sent::post(REFLECT).key(&key).json(&question);
    let held = [0, 1].map(|_| {
        let mut caller = harness.connect();
        caller.write_all(&reflect.bytes()).unwrap();
        before.asked();
        caller
    });
    let refused = harness.recall(&key, &question).expect(429);
    assert_eq!(refused.code(), "overloaded");
    assert_eq!(refused.header("retry-after"), Some("1"));
    let told = refused.body["detail"].as_str().unwrap();
    assert!(told.contains("has 2 requests under way"), "{told}");
    harness.recall(&other, &question).expect(200);
    drop(held);
    before.left();
    before.left();
    // Its places are given back when what it asked for has ended, which is a little later.
    while harness.recall(&key, &question).status != 200 {
        std::thread::yield_now();
    }
}
