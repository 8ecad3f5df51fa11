//! Every field of a public request that counts does: two requests that differ in it alone come to something else.
//!
//! A case is a line of `fixtures/http/fields.jsonl`: the request without the field, its value, and where in the answer (or
//! in the answer of a look afterwards) the difference stands. `$id` is the first memory that was there before, `$made` the
//! first that the request made.

use serde_json::{Map, Value, json};
use testimony_domain::SourceClass;
use testimony_transport::routes::{Audience, Route, all};
use testimony_transport::wire::field::{Effect, each};

use crate::support::{Answer, Harness, Sent};

const CASES: &str = include_str!("../../../../fixtures/http/fields.jsonl");

/// Fields whose difference needs more than two requests, each with the test that shows it or why there is none yet.
const ELSEWHERE: &[(&str, &str)] = &[
    (
        "client",
        "testimony-transport::http/accounts/connectors::a_token_becomes_a_key_and_a_configuration",
    ),
    (
        "source_ref",
        "testimony::behaviour/writing::two_who_read_the_same_page_do_not_support_each_other_and_each_keeps_what_it_read",
    ),
    (
        "graph_traversal",
        "testimony-recall::diagnostics::mode_and_graph_decide_which_channels_count",
    ),
    (
        "graph_max_hops",
        "testimony::behaviour/reading::a_relationship_leads_to_a_row_that_shares_no_word",
    ),
    (
        "evidence",
        "it is kept with the evidence, and no answer shows it yet",
    ),
    (
        "temperature",
        "testimony-transport::http/models/phrasing::temperature_and_context_reach_the_model",
    ),
    (
        "rewrite_context",
        "testimony-transport::http/models/phrasing::a_context_is_worded_anew_where_that_is_wanted_and_goes_well",
    ),
    ("request_id", "of a read it only names the row of the trail"),
    (
        "model",
        "testimony-transport::http/gateway/through::a_model_is_asked_by_the_name_that_its_provider_knows",
    ),
    (
        "messages",
        "testimony-transport::http/gateway/through::what_is_sent_goes_on_byte_for_byte",
    ),
    (
        "input",
        "testimony-transport::http/gateway/through::what_is_sent_goes_on_byte_for_byte",
    ),
    (
        "memory",
        "testimony-transport::http/gateway/memory::what_is_known_goes_ahead_of_the_conversation_and_is_told",
    ),
    (
        "stream",
        "testimony-transport::http/gateway/streams::a_stream_goes_on_byte_for_byte",
    ),
    (
        "metadata",
        "testimony-transport::http/gateway/through::what_is_sent_goes_on_byte_for_byte",
    ),
];

fn cases() -> impl Iterator<Item = Value> {
    CASES
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
}

fn field<'v>(case: &'v Value, name: &str) -> &'v str {
    case[name].as_str().unwrap_or_default()
}

fn route(case: &Value) -> &'static Route {
    all()
        .find(|route| route.name == field(case, "route"))
        .unwrap()
}

/// What there is before a case, where it does not say itself.
fn usual() -> Value {
    json!([
        { "content": "The staging database of Harborlight runs on port 6543.", "tags": ["release", "db"] },
        { "content": "Releases of Harborlight go out on Tuesdays.", "tags": ["release"] },
    ])
}

/// A service with what a case is about, and a few keys.
struct World {
    harness: Harness,
    agent: String,
    first: String,
}

impl World {
    fn of(case: &Value) -> Self {
        let harness = Harness::start();
        let agent = harness.agent();
        let before = case.get("setup").cloned().unwrap_or_else(usual);
        let made: Vec<Value> = before
            .as_array()
            .unwrap()
            .iter()
            .map(|body| harness.retain(&agent, body).expect(200).body)
            .collect();
        let first = made[0]["memories"][0]["id"].as_str().unwrap().to_owned();
        Self {
            harness,
            agent,
            first,
        }
    }

    fn key(&self, who: &str) -> String {
        match who {
            "operator" => self.harness.operator(),
            "user" => self
                .harness
                .key(|order| order.class = SourceClass::UserStatement),
            _ => self.agent.clone(),
        }
    }

    fn ask(&self, case: &Value, body: &Value) -> Answer {
        let route = route(case);
        let body = body.to_string().replace("$id", &self.first);
        let path = route.pattern.replace("{container_tag}", "workspace");
        let path = path.replace("{memory_id}", &self.first);
        let key = self.key(field(case, "as"));
        let sent = if route.body.is_some() {
            Sent::post(&path).body("application/json", body.as_bytes())
        } else {
            let query: Map<String, Value> = serde_json::from_str(&body).unwrap();
            let pairs = query.iter().map(|(name, value)| {
                format!(
                    "{name}={}",
                    value.as_str().unwrap_or_default().replace(' ', "+")
                )
            });
            let query = pairs.collect::<Vec<_>>().join("&");
            Sent::new("GET", &format!("{path}?{query}"))
        };
        self.harness.send(&sent.key(&key))
    }

    /// What comes of a request, as far as the case looks at it.
    fn outcome(&self, case: &Value, body: &Value) -> (u16, Value) {
        let mut answer = self.ask(case, body);
        if case["twice"] == true {
            answer = self.ask(case, body);
        }
        if let Some(look) = case.get("look") {
            let made = answer.body["memories"][0]["id"]
                .as_str()
                .unwrap_or_default();
            let path = field(look, "path").replace("$made", made);
            answer = self.harness.get(&self.key(field(look, "as")), &path);
        }
        let found = answer.body.pointer(field(case, "at"));
        (answer.status, found.cloned().unwrap_or_default())
    }
}

/// What goes wrong with a case.
fn complaint(case: &Value) -> Option<String> {
    let without = case.get("base").cloned().unwrap_or_else(|| json!({}));
    let mut with = without.clone();
    with[field(case, "field")] = case["value"].clone();
    // Each in a world of its own, so that neither leaves a trace in the other's; clock and ids are the same in both.
    let [one, other] = [&without, &with].map(|body| World::of(case).outcome(case, body));
    (one == other).then(|| {
        format!(
            "{} {}: {one:?} either way",
            field(case, "route"),
            field(case, "field")
        )
    })
}

fn holds(name: &str) {
    let wrong: Vec<String> = cases()
        .filter(|case| field(case, "route") == name)
        .filter_map(|case| complaint(&case))
        .collect();
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn every_field_of_a_retain_makes_a_difference() {
    holds("retain");
}

#[test]
fn every_field_of_a_recall_makes_a_difference() {
    holds("recall");
}

#[test]
fn every_field_of_a_context_makes_a_difference() {
    holds("agent_context");
}

#[test]
fn every_field_of_a_writeback_makes_a_difference() {
    holds("agent_writeback");
}

#[test]
fn every_field_of_a_reflection_makes_a_difference() {
    holds("reflect");
}

#[test]
fn every_field_of_a_case_report_makes_a_difference() {
    holds("courtroom");
}

#[test]
fn every_field_that_counts_has_a_case_or_a_reason() {
    let public = all().filter(|route| route.audience == Audience::Public);
    // What a message is made of says itself what it does; what a call carries is its route's.
    let apart = ["courtroom_v1", "mcp"];
    for route in public.filter(|route| !apart.contains(&route.name)) {
        let fields = each(route.query).chain(route.body.into_iter().flat_map(each));
        for counted in fields.filter(|field| field.effect == Effect::Counts) {
            let has_case = cases().any(|case| {
                field(&case, "route") == route.name && field(&case, "field") == counted.name
            });
            let elsewhere = ELSEWHERE.iter().any(|(name, _)| *name == counted.name);
            assert!(has_case || elsewhere, "{} {}", route.name, counted.name);
        }
    }
    for (name, why) in ELSEWHERE {
        assert!(!why.is_empty(), "{name}");
    }
}
