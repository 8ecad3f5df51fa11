//! Fields by their tables: every wrong one is named at once, unknown ones are named and ignored, absent ones have their
//! defaults.

use serde_json::{Map, Value, json};
use testimony_transport::routes::{Audience, Door, Handler, Route, all};
use testimony_transport::wire::field::{Field, Kind, each};

use crate::support::{Harness, QUESTION, fact};

/// Something that a field cannot be.
fn wrong(kind: &Kind) -> Value {
    match kind {
        Kind::Flag => json!("true"),
        Kind::Text(_) | Kind::Label(_) | Kind::Word(_) | Kind::Form(_) | Kind::TextOrList(..) => {
            json!(7)
        }
        Kind::Whole(_) | Kind::Number(_) => json!("7"),
        Kind::Object | Kind::Record(_) | Kind::Item(_) | Kind::TextOrWhole(_) => json!([]),
        Kind::List(..) | Kind::OneOrMore(..) => json!({}),
    }
}

/// Something of the right type that a field cannot be either, where there is such a thing.
fn beyond(kind: &Kind) -> Option<Value> {
    let bound = kind.bound();
    match kind {
        Kind::Text(bound) | Kind::TextOrWhole(bound) => {
            Some(json!("x".repeat(bound.max as usize + 1)))
        }
        Kind::Label(_) => Some(json!("a\u{7}b")),
        Kind::Word(_) | Kind::Form(_) => Some(json!("no such word")),
        Kind::Whole(_) | Kind::Number(_) => bound.map(|bound| json!(bound.max + 1.0)),
        Kind::List(_, most) => Some(Value::Array(vec![json!("x"); most + 1])),
        Kind::OneOrMore(..) => Some(json!(["x"])),
        Kind::Flag | Kind::Object | Kind::Record(_) | Kind::TextOrList(..) | Kind::Item(_) => None,
    }
}

fn routes_with_bodies() -> impl Iterator<Item = (&'static Route, &'static [&'static [Field]])> {
    let read = |route: &'static Route| Some((route, route.body?));
    let of_agents = |route: &&Route| route.audience == Audience::Public;
    let behind_a_container =
        |route: &&Route| matches!(route.handler, Handler::Behind(Door::Container(_), _));
    all()
        .filter(of_agents)
        .filter(behind_a_container)
        .filter_map(read)
}

fn path(route: &Route) -> String {
    route.pattern.replace("{container_tag}", "workspace")
}

#[test]
fn every_field_that_is_wrong_is_named_at_once() {
    let harness = Harness::start();
    let key = harness.agent();
    for (route, table) in routes_with_bodies() {
        type Make = fn(&Field) -> Option<Value>;
        let makers: [Make; 2] = [
            |field| Some(wrong(&field.kind)),
            |field| beyond(&field.kind),
        ];
        for make in makers {
            let body: Map<String, Value> = each(table)
                .filter_map(|field| Some((field.name.to_owned(), make(field)?)))
                .collect();
            let mut expected: Vec<String> = body
                .iter()
                .map(|(name, value)| {
                    // Of a short list each element is wrong by itself.
                    let alone = value.as_array().is_some_and(|list| list.len() == 1);
                    format!("/{name}{}", if alone { "/0" } else { "" })
                })
                .collect();
            let answer = harness
                .post(&key, &path(route), &Value::Object(body))
                .expect(422);
            let mut found = answer.pointers();
            expected.sort_unstable();
            // What is required and was left out is named as well.
            found.retain(|pointer| expected.iter().any(|known| known == pointer));
            assert_eq!(found, expected, "{}", route.name);
            for error in answer.body["errors"].as_array().unwrap() {
                let detail = error["detail"].as_str().unwrap();
                assert!(detail.contains(';') && detail.ends_with('.'), "{detail}");
            }
        }
    }
}

#[test]
fn every_default_is_a_value_that_its_field_can_have() {
    let harness = Harness::start();
    let key = harness.agent();
    for (route, table) in routes_with_bodies() {
        let mut body: Map<String, Value> = each(table)
            .filter_map(|field| Some((field.name.to_owned(), field.default?())))
            .collect();
        let needed = each(table).filter(|field| field.required);
        body.extend(needed.map(|field| (field.name.to_owned(), json!(QUESTION))));
        if route.name == "retain" {
            body.insert("content".to_owned(), fact()["content"].clone());
        }
        harness
            .post(&key, &path(route), &Value::Object(body))
            .expect(200);
    }
}

#[test]
fn a_null_is_as_good_as_nothing() {
    let harness = Harness::start();
    let key = harness.agent();
    for (route, table) in routes_with_bodies() {
        let mut body: Map<String, Value> = each(table)
            .map(|field| (field.name.to_owned(), Value::Null))
            .collect();
        let answer = harness.post(&key, &path(route), &Value::Object(body.clone()));
        let required: Vec<String> = each(table)
            .filter(|field| field.required)
            .map(|field| format!("/{}", field.name))
            .collect();
        match route.name {
            "retain" => assert_eq!(answer.expect(422).pointers(), ["/content"]),
            _ if required.is_empty() => assert_eq!(answer.status, 200),
            _ => assert_eq!(answer.expect(422).pointers(), required),
        }
        let needed = each(table).filter(|field| field.required || field.name == "content");
        body.extend(needed.map(|field| (field.name.to_owned(), json!(QUESTION))));
        harness
            .post(&key, &path(route), &Value::Object(body))
            .expect(200);
    }
}

#[test]
fn unknown_fields_are_named_and_ignored() {
    let harness = Harness::start();
    let key = harness.agent();
    for (route, table) in routes_with_bodies() {
        let named = |field: &'static Field| (field.name.to_owned(), json!(QUESTION));
        let needed = each(table).filter(|field| field.required || field.name == "content");
        let mut body: Map<String, Value> = needed.map(named).collect();
        body.insert("colour".to_owned(), json!("green"));
        body.insert("a/b".to_owned(), json!({ "deep": [1, 2] }));
        let answer = harness
            .post(&key, &path(route), &Value::Object(body))
            .expect(200);
        let warnings = answer.body["warnings"].as_array().unwrap();
        let said: Vec<&str> = warnings
            .iter()
            .filter_map(|it| it["pointer"].as_str())
            .collect();
        assert_eq!(said, ["/a~1b", "/colour"], "{}", route.name);
        assert!(warnings.iter().all(|it| it["code"] == "unknown_field"));
    }
}

#[test]
fn a_wrong_item_leaves_the_others_alone() {
    let harness = Harness::start();
    let key = harness.agent();
    let body = json!({ "contents": [
        fact()["content"],
        { "content": "", "memory_plane": "attic", "confidence": 2 },
        7,
        { "content": "The release of Harborlight is planned for the 3rd of March 2027.", "shade": 1 },
    ]});
    let answer = harness.retain(&key, &body).expect(200).body;
    assert_eq!(answer["saved"], 2);
    let errors = answer["errors"].as_array().unwrap();
    let places: Vec<_> = errors
        .iter()
        .map(|it| (it["index"].clone(), it["status"].clone()))
        .collect();
    assert_eq!(places, [(json!(1), json!(422)), (json!(2), json!(422))]);
    let pointers: Vec<&str> = errors[0]["errors"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|it| it["pointer"].as_str())
        .collect();
    assert_eq!(
        pointers,
        [
            "/contents/1/content",
            "/contents/1/memory_plane",
            "/contents/1/confidence"
        ]
    );
    assert_eq!(answer["warnings"][0]["pointer"], "/contents/3/shade");
    let indexes: Vec<&Value> = answer["memories"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["index"])
        .collect();
    assert_eq!(indexes, [0, 3]);

    let all_wrong = json!({ "contents": ["", { "content": 1 }] });
    let refused = harness.retain(&key, &all_wrong).expect(422);
    assert_eq!(refused.pointers(), ["/contents/0", "/contents/1/content"]);
    let none = harness.retain(&key, &json!({ "contents": [] })).expect(422);
    assert_eq!(none.pointers(), ["/contents"]);
    let candidates = json!({ "decisions": [{ "tags": "x", "content": "We ship Harborlight on Friday." }], "preferences": [3] });
    let refused = harness.writeback(&key, &candidates).expect(422);
    assert_eq!(refused.pointers(), ["/decisions/0/tags", "/preferences/0"]);
}

#[test]
fn items_take_what_the_request_says_and_say_where_they_differ() {
    let harness = Harness::start();
    let key = harness.agent();
    let body = json!({
        "content": "Harborlight is hosted in Bergen.",
        "contents": [
            { "content": "The backup of Harborlight runs at 2 am.", "source": "runbook", "tags": ["ops"],
              "observed_at": "1:56 pm on 8 May, 2023" },
            "Ana leads the Harborlight team.",
        ],
        "source": "import",
        "tags": ["all"],
        "metadata": { "observed_at": "2024-01-02" },
        "custom_id": "row-1",
        "confidence": 0.9,
        "recall_hint": "when Harborlight is spoken of",
        "lifecycle_state": "active",
    });
    let answer = harness.retain(&key, &body).expect(200).body;
    let rows = answer["memories"].as_array().unwrap();
    let facts: Vec<_> = rows
        .iter()
        .map(|row| {
            (
                row["pointer"].as_str().unwrap(),
                row["source"].as_str().unwrap(),
                &row["tags"],
                &row["custom_id"],
            )
        })
        .collect();
    assert_eq!(
        facts[0],
        (
            "/contents/0",
            "runbook",
            &json!(["ops", "all"]),
            &Value::Null
        )
    );
    assert_eq!(
        facts[1],
        ("/contents/1", "import", &json!(["all"]), &Value::Null)
    );
    assert_eq!(
        facts[2],
        ("/content", "import", &json!(["all"]), &json!("row-1"))
    );
    assert_eq!(rows[0]["observed_at"], "2023-05-08T13:56:00Z");
    assert_eq!(rows[1]["observed_at"], "2024-01-02T00:00:00Z");
    let named = |list: &str| -> Vec<&str> {
        let fields = answer["diagnostics"][list].as_array().unwrap();
        fields
            .iter()
            .filter_map(|it| it["field"].as_str())
            .collect()
    };
    assert_eq!(named("ignored_fields"), ["lifecycle_state", "confidence"]);
    assert_eq!(named("recorded_only_fields"), ["recall_hint"]);
    assert_eq!(answer["warnings"], json!([]));
    let batch = json!({ "contents": [fact()["content"]], "custom_id": "row-2" });
    let answer = harness.retain(&key, &batch).expect(200).body;
    assert_eq!(answer["memories"][0]["custom_id"], Value::Null);
    assert_eq!(answer["warnings"][0]["pointer"], "/custom_id");
    assert_eq!(answer["warnings"][0]["code"], "without_effect");
}

#[test]
fn bounds_are_those_of_the_interface() {
    let harness = Harness::start();
    let key = harness.agent();
    let edge = |length: usize| json!({ "content": "ü".repeat(length) });
    harness.retain(&key, &edge(50_000)).expect(200);
    harness.retain(&key, &edge(50_001)).expect(422);
    let many = |count: usize| json!({ "contents": vec!["Hello!"; count] });
    harness.retain(&key, &many(100)).expect(200);
    assert_eq!(
        harness.retain(&key, &many(101)).expect(422).pointers(),
        ["/contents"]
    );
    for (limit, status) in [(0, 422), (1, 200), (100, 200), (101, 422)] {
        let body = json!({ "query": QUESTION, "limit": limit });
        harness.recall(&key, &body).expect(status);
    }
    for (limit, status) in [
        (json!(10.0), 200),
        (json!(1.5), 422),
        (json!(-1), 422),
        (json!(1e300), 422),
    ] {
        let body = json!({ "query": QUESTION, "limit": limit });
        harness.recall(&key, &body).expect(status);
    }
    let word = json!({ "query": QUESTION, "sort": "best" });
    let refused = harness.recall(&key, &word).expect(422);
    let detail = refused.body["errors"][0]["detail"].as_str().unwrap();
    assert!(detail.contains("score, recent, oldest"), "{detail}");
    let session = json!({ "content": "The keys of Harborlight hang in the hall.", "memory_scope": "session" });
    let refused = harness.retain(&key, &session).expect(422);
    assert_eq!(refused.pointers(), ["/memory_scope"]);
    let case = harness
        .get(&key, "/v1/memories/mem_x/courtroom?include_ai=maybe")
        .expect(422);
    assert_eq!(case.pointers(), ["/include_ai"]);
}
