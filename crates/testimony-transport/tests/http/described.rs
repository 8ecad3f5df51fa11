//! What is described is what is there: the committed descriptions, the examples in them, and the page for people.
//!
//! `UPDATE_EXPECT=1` writes descriptions and examples anew; `cargo xtask openapi` is the same in one word.

use expect_test::expect_file;
use serde_json::{Map, Value, json};
use testimony_transport::openapi::{document, written};
use testimony_transport::routes::{Audience, Handler, all};

use crate::support::{Harness, Sent};

#[test]
fn the_committed_descriptions_say_what_the_routes_say() {
    expect_file!["../../../../docs/openapi.public.json"].assert_eq(&written(Audience::Public));
    expect_file!["../../../../docs/openapi.operator.json"].assert_eq(&written(Audience::Operator));
}

const CONTAINER: &str = "/api/v2/containers/workspace";

/// What is asked, in this order, by a new agent of a new service.
fn requests() -> [(&'static str, &'static str, Value); 5] {
    [
        (
            "retain",
            "/retain",
            json!({
                "contents": [
                    "The staging database of Harborlight runs on port 6543.",
                    { "content": "Releases of Harborlight go out on Tuesdays.", "tags": ["release"] },
                ],
                "source": "runbook",
                "request_id": "import-0042",
            }),
        ),
        (
            "recall",
            "/recall",
            json!({ "query": "On which port does the staging database of Harborlight run?", "trust_policy": "balanced" }),
        ),
        (
            "agent_context",
            "/agent/context",
            json!({
                "user_message": "When does the next release of Harborlight go out?",
                "max_context_tokens": 600,
            }),
        ),
        (
            "agent_writeback",
            "/agent/writeback",
            json!({
                "user_message": "Please answer in Portuguese from now on.",
                "preferences": ["The user prefers answers in Portuguese."],
                "observed_facts": ["The login page of Harborlight takes two seconds to load."],
                "request_id": "turn-0107",
            }),
        ),
        (
            "reflect",
            "/reflect",
            json!({ "query": "On which port does the staging database of Harborlight run?", "recall_limit": 3 }),
        ),
    ]
}

#[test]
fn the_examples_are_what_comes_when_they_are_asked() {
    let harness = Harness::start();
    let key = harness.agent();
    let mut examples = Map::new();
    for (name, path, request) in requests() {
        let answer = harness.post(&key, &format!("{CONTAINER}{path}"), &request);
        let answer = answer.expect(200).body;
        examples.insert(
            name.to_owned(),
            json!({ "request": request, "answer": answer }),
        );
    }
    let url = examples["retain"]["answer"]["memories"][0]["courtroom_url"].clone();
    let report = harness.get(&key, url.as_str().unwrap()).expect(200).body;
    for name in ["courtroom", "courtroom_v1"] {
        examples.insert(
            name.to_owned(),
            json!({ "request": null, "answer": report }),
        );
    }
    let mut text = serde_json::to_string_pretty(&Value::Object(examples)).unwrap();
    text.push('\n');
    expect_file!["../../src/openapi/examples.json"].assert_eq(&text);
}

/// Every reference of a description, as a pointer into it.
fn references<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
    match value {
        Value::Object(object) => {
            found.extend(object.get("$ref").and_then(Value::as_str));
            object.values().for_each(|value| references(value, found));
        }
        Value::Array(list) => list.iter().for_each(|value| references(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn every_route_is_described_once_with_all_that_it_names() {
    for audience in [Audience::Public, Audience::Operator] {
        let document = document(audience);
        let mut found = Vec::new();
        references(&document, &mut found);
        for reference in found {
            let pointer = reference.strip_prefix('#').unwrap();
            assert!(document.pointer(pointer).is_some(), "{reference}");
        }
        let names = document["components"]["schemas"].as_object().unwrap();
        let numbered = |name: &&String| name.ends_with(|last: char| last.is_ascii_digit());
        assert_eq!(names.keys().find(numbered), None, "two shapes share a name");
        for route in all().filter(|route| route.audience == audience) {
            let method = route.method.as_str().to_ascii_lowercase();
            let operation = &document["paths"][route.pattern][method];
            assert_eq!(operation["operationId"], route.name);
            for status in route.all_statuses() {
                let response = &operation["responses"][status.to_string()];
                assert_ne!(response["description"], "", "{} {status}", route.name);
                assert!(response["content"].is_object(), "{} {status}", route.name);
            }
        }
    }
}

#[test]
fn the_public_description_holds_no_route_of_operators() {
    let public = document(Audience::Public);
    for (path, _) in public["paths"].as_object().unwrap() {
        assert!(!path.contains("/admin/"), "{path}");
    }
    let closed = all().filter(|route| {
        let by_operators = matches!(
            route.handler,
            Handler::Behind(testimony_transport::routes::Door::Operator, _)
        );
        by_operators && route.audience == Audience::Public
    });
    assert_eq!(closed.count(), 0);
}

#[test]
fn the_public_description_is_served_to_anybody_and_the_other_to_operators() {
    let harness = Harness::start();
    for path in ["/openapi.public.json", "/docs/openapi.public.json"] {
        let served = harness.send(&Sent::new("GET", path)).expect(200);
        assert_eq!(served.header("content-type"), Some("application/json"));
        assert_eq!(served.body, document(Audience::Public), "{path}");
    }
    let closed = "/openapi.operator.json";
    harness.send(&Sent::new("GET", closed)).expect(401);
    harness.get(&harness.agent(), closed).expect(403);
    let operator = harness.operator();
    let served = harness.get(&operator, closed).expect(200);
    assert_eq!(served.body, document(Audience::Operator));
    harness.get(&operator, "/docs/operator").expect(200);
}

#[test]
fn the_page_for_people_loads_its_style_sheet_and_nothing_else() {
    let harness = Harness::start();
    let page = harness.raw(&Sent::new("GET", "/docs").bytes());
    let page = String::from_utf8(page).unwrap();
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    for expected in [
        "content-type: text/html; charset=utf-8",
        "content-security-policy: default-src 'none'; style-src 'self'",
        "referrer-policy: no-referrer",
        "<html lang=\"en\">",
        "<h3 id=\"recall\">",
        "href=\"/docs/style.css\"",
    ] {
        assert!(page.contains(expected), "{expected}");
    }
    let style = harness
        .send(&Sent::new("GET", "/docs/style.css"))
        .expect(200);
    assert_eq!(
        style.header("content-type"),
        Some("text/css; charset=utf-8")
    );
}
