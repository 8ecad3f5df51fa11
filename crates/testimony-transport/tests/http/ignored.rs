//! What does nothing is said: fields that are only recorded, fields without effect, candidates that cannot be read.

use serde_json::{Value, json};
use testimony_transport::routes::{Audience, all};
use testimony_transport::wire::field::{Effect, Field, Kind, each};

use crate::support::{Harness, QUESTION, Sent, fact};

/// Something that a field can be.
fn some(field: &Field) -> Value {
    match field.kind {
        Kind::Flag => json!(true),
        Kind::Word(words) => json!(words[0]),
        Kind::Whole(_) | Kind::Number(_) => json!(field.kind.bound().unwrap().max),
        Kind::Object => json!({ "page": 2 }),
        Kind::Text(_) | Kind::TextOrWhole(_) | Kind::Label(_) | Kind::Form(_) | Kind::Item(_) => {
            json!("some")
        }
        Kind::List(..) | Kind::OneOrMore(..) | Kind::TextOrList(..) => json!([]),
        Kind::Record(_) => json!({}),
    }
}

/// Under which name the answer lists fields of this effect, where they are listed.
const fn list_of(effect: Effect) -> Option<&'static str> {
    match effect {
        Effect::Counts => None,
        Effect::Recorded(_) => Some("recorded_only_fields"),
        Effect::Ignored(_) => Some("ignored_fields"),
    }
}

#[test]
fn what_does_nothing_is_named_on_every_route() {
    let harness = Harness::start();
    let key = harness.agent();
    let known = harness.retain(&key, &fact()).expect(200).body;
    let id = known["memories"][0]["id"].as_str().unwrap();
    let mut named = 0;
    for route in all().filter(|route| route.audience == Audience::Public) {
        let path = route.pattern.replace("{container_tag}", "workspace");
        let path = path.replace("{memory_id}", id);
        for field in each(route.query).chain(route.body.into_iter().flat_map(each)) {
            let Some(list) = list_of(field.effect) else {
                continue;
            };
            let sent = if route.body.is_some() {
                let mut body =
                    json!({ "content": QUESTION, "query": QUESTION, "user_message": QUESTION });
                body[field.name] = some(field);
                Sent::post(&path).json(&body)
            } else {
                let value = some(field);
                let value = value.as_str().unwrap();
                Sent::new("GET", &format!("{path}?{}={value}", field.name))
            };
            let answer = harness.send(&sent.key(&key)).expect(200).body;
            let listed = answer["diagnostics"][list].as_array().unwrap();
            let found = listed.iter().find(|it| it["field"] == field.name);
            let reason = found.and_then(|it| it["reason"].as_str());
            assert!(
                reason.is_some_and(|it| it.ends_with('.')),
                "{} {}",
                route.name,
                field.name
            );
            named += 1;
        }
    }
    assert!(named > 10, "{named}");
}

#[test]
fn a_wrong_candidate_is_named_beside_the_others() {
    let harness = Harness::start();
    let turn =
        json!({ "observed_facts": [fact()["content"], 7], "decisions": [{ "content": "" }] });
    let answer = harness.writeback(&harness.agent(), &turn).expect(200).body;
    assert_eq!(answer["retained_memories"].as_array().unwrap().len(), 1);
    let errors = answer["errors"].as_array().unwrap();
    let places: Vec<&str> = errors
        .iter()
        .filter_map(|it| it["pointer"].as_str())
        .collect();
    assert_eq!(places, ["/observed_facts/1", "/decisions/0"]);
}
