//! The review queue over HTTP: who sees which cases, and what a decision does.

use serde_json::{Value, json};
use testimony_domain::{AgentId, AgentScope, Capabilities, Capability, SourceClass};

use crate::governed::WORKSPACE;
use crate::support::{Harness, QUESTION, fact};

fn reviews(rest: &str) -> String {
    format!("{WORKSPACE}/reviews{rest}")
}

/// A row that an agent has noted and wants looked at.
fn requested(harness: &Harness, key: &str, content: &str) -> Value {
    let body =
        json!({ "content": content, "review_required": true, "review_reason": "please look" });
    harness.retain(key, &body).expect(200).body["memories"][0].clone()
}

fn decide(harness: &Harness, key: &str, case: &Value, body: &Value) -> crate::support::Answer {
    let path = reviews(&format!("/{}/decide", case.as_str().unwrap()));
    harness.ask(key, "decide_review", &path, body)
}

#[test]
fn a_case_is_listed_shown_and_approved() {
    let harness = Harness::start();
    let (scout, reviewer) = (harness.observer(), harness.reviewer(&["workspace"]));
    let row = requested(&harness, &scout, fact()["content"].as_str().unwrap());
    let listed = harness.ask(&reviewer, "reviews", &reviews(""), &Value::Null);
    let listed = listed.expect(200).body;
    let case = &listed["items"][0];
    assert_eq!(case["memory"]["id"], row["id"]);
    assert_eq!(case["note"], "please look");
    assert_eq!(listed["next"], Value::Null);
    let path = reviews(&format!("/{}", case["id"].as_str().unwrap()));
    let shown = harness.ask(&reviewer, "review", &path, &Value::Null);
    assert_eq!(&shown.expect(200).body, case);

    let body = json!({ "decision": "approve", "reason": "seen in the configuration" });
    let decided = decide(&harness, &reviewer, &case["id"], &body).expect(200);
    assert_eq!(decided.body["state"], "active");
    let found = harness.recall(&scout, &json!({ "query": QUESTION }));
    assert_eq!(found.expect(200).body["results"][0]["id"], row["id"]);
    let closed = harness.ask(&reviewer, "review", &path, &Value::Null).body;
    assert_eq!(closed["closed"]["decision"], "approve");
    assert_eq!(closed["closed"]["reason"], "seen in the configuration");
    assert!(closed["closed"]["by"].as_str().unwrap().starts_with("key_"));
    for (state, cases) in [("open", 0), ("closed", 1), ("any", 1)] {
        let path = reviews(&format!("?state={state}"));
        let listed = harness.ask(&reviewer, "reviews", &path, &Value::Null).body;
        assert_eq!(listed["items"].as_array().unwrap().len(), cases, "{state}");
    }
}

#[test]
fn nobody_approves_what_the_same_key_or_agent_said_but_an_operator() {
    let harness = Harness::start();
    let both = Capabilities::of([Capability::Review, Capability::Write]);
    let own = harness.key(|order| {
        order.class = SourceClass::AgentObservation;
        order.capabilities = both;
    });
    let twin = harness.key(|order| order.capabilities = both);
    requested(&harness, &own, "The pump of pier 4 is loud.");
    let listed = harness
        .ask(&own, "reviews", &reviews(""), &Value::Null)
        .body;
    let case = &listed["items"][0]["id"];
    for key in [&own, &twin] {
        let refused = decide(&harness, key, case, &json!({ "decision": "approve" }));
        assert_eq!(refused.expect(403).code(), "own_word");
        let reworded = json!({ "decision": "approve", "content": "The pump of pier 4 hums." });
        assert_eq!(decide(&harness, key, case, &reworded).code(), "own_word");
    }
    let operator = harness.operator();
    decide(&harness, &operator, case, &json!({ "decision": "approve" })).expect(200);
}

#[test]
fn what_is_approved_in_other_words_takes_the_place_of_what_was_said() {
    let harness = Harness::start();
    let (scout, reviewer) = (harness.observer(), harness.reviewer(&["workspace"]));
    // A reviewer may leave words out; to put others in takes an operator.
    let said = format!("{} I think.", fact()["content"].as_str().unwrap());
    let said = said.as_str();
    requested(&harness, &scout, said);
    let listed = harness
        .ask(&reviewer, "reviews", &reviews(""), &Value::Null)
        .body;
    let case = &listed["items"][0];
    let secret = ["ghp", "_a8Kd93jfLs02mQpXz71bVnR4tYwE6uHc5DgJ"].concat();
    let refused = json!({ "decision": "approve", "content": format!("The token is {secret}.") });
    let refused = decide(&harness, &reviewer, &case["id"], &refused).expect(409);
    assert!(!refused.body.to_string().contains(&secret));

    let body = json!({ "decision": "approve", "content": fact()["content"] });
    let decided = decide(&harness, &reviewer, &case["id"], &body)
        .expect(200)
        .body;
    assert_eq!(decided["state"], "superseded");
    let found = harness.recall(
        &scout,
        &json!({ "query": QUESTION, "trust_policy": "strict" }),
    );
    let found = found.expect(200);
    assert_eq!(
        found.contents("results"),
        [fact()["content"].as_str().unwrap()]
    );
    assert_eq!(found.body["results"][0]["id"], decided["reworded_id"]);
    assert_eq!(
        found.body["results"][0]["fact_id"],
        case["memory"]["fact_id"]
    );

    let undone = decide(
        &harness,
        &reviewer,
        &case["id"],
        &json!({ "decision": "undo" }),
    );
    assert_eq!(undone.expect(200).body["state"], "pending");
    let found = harness.recall(
        &scout,
        &json!({ "query": QUESTION, "trust_policy": "strict" }),
    );
    assert_eq!(found.expect(200).contents("results"), [""; 0]);
}

#[test]
fn one_decision_serves_a_group_and_parts_are_filtered_before_they_are_cut() {
    let harness = Harness::start();
    let scout = harness.observer();
    let guide = harness.key(|order| {
        order.class = SourceClass::AgentObservation;
        order.agent = Some(AgentId::new("agent_id", "guide").unwrap());
    });
    for (key, text) in [
        (&scout, "The crane of pier 2 is blue."),
        (&guide, "The gate of pier 9 is shut at night."),
        (&scout, "The lamp of pier 3 is broken."),
        (&guide, "The ferry to Brim leaves at dawn."),
    ] {
        requested(&harness, key, text);
    }
    // A reviewer who sees only what is shared and the agent's own gets full parts of that.
    let own = harness.key(|order| {
        order.agent = Some(AgentId::new("agent_id", "guide").unwrap());
        order.agent_scope = AgentScope::Own;
        order.capabilities = Capabilities::of([Capability::Review]);
    });
    let listed = harness
        .ask(&own, "reviews", &reviews("?limit=2"), &Value::Null)
        .body;
    assert_eq!(listed["items"].as_array().unwrap().len(), 2, "{listed:#}");
    assert!(!listed.to_string().contains("pier 2"));

    let reviewer = harness.reviewer(&["workspace"]);
    let mut after = String::new();
    let mut groups = Vec::new();
    loop {
        let path = reviews(&format!("/groups?limit=1{after}"));
        let part = harness
            .ask(&reviewer, "review_groups", &path, &Value::Null)
            .body;
        let kinds = part["kinds"].as_object().unwrap();
        let all: u64 = kinds.values().filter_map(Value::as_u64).sum();
        assert_eq!(all, 4, "the whole queue is counted: {part:#}");
        groups.extend(part["items"].as_array().unwrap().clone());
        match part["next"].as_str() {
            Some(next) => after = format!("&after={next}"),
            None => break,
        }
    }
    let cases: u64 = groups.iter().map(|it| it["cases"].as_u64().unwrap()).sum();
    assert_eq!(cases, 4, "{groups:#?}");
    let path = reviews("/decide");
    let mut decided = 0;
    for group in &groups {
        let body =
            json!({ "group": group["group"], "decision": "reject", "reason": "out of date" });
        let came = harness
            .ask(&reviewer, "decide_reviews", &path, &body)
            .expect(200)
            .body;
        decided += came["items"].as_array().unwrap().len();
        let again = harness.ask(&reviewer, "decide_reviews", &path, &body);
        assert_eq!(again.expect(404).code(), "case_not_found");
    }
    assert_eq!(decided, 4);
    let undo = json!({ "group": "x", "decision": "undo" });
    let refused = harness
        .ask(&reviewer, "decide_reviews", &path, &undo)
        .expect(422);
    assert_eq!(refused.pointers(), ["/decision"]);
}

#[test]
fn who_does_not_see_the_other_side_is_told_what_is_missing() {
    let harness = Harness::start();
    let agent = |name: &str| AgentId::new("agent_id", name).unwrap();
    let (scout, guide) = ("scout", "guide");
    let writer = |name: &str| {
        harness.key(|order| {
            order.class = SourceClass::AgentObservation;
            order.agent = Some(agent(name));
        })
    };
    let person = harness.agent();
    harness.retain(&person, &fact()).expect(200);
    let other = json!({ "content": "The staging database of Harborlight runs on port 7001." });
    harness.retain(&writer(scout), &other).expect(409);
    let narrow = harness.key(|order| {
        order.agent = Some(agent(guide));
        order.capabilities = Capabilities::of([Capability::Review]);
    });
    let listed = harness
        .ask(&narrow, "reviews", &reviews(""), &Value::Null)
        .body;
    assert_eq!(listed["items"], json!([]), "another agent's row is private");
    // Of a labelled row a reviewer whose key leaves the label open knows.
    let reviewer = harness.reviewer(&["workspace"]);
    let labelled =
        json!({ "content": "Ana parks in bay 12.", "user_id": "ana", "review_required": true });
    harness.retain(&person, &labelled).expect(200);
    let listed = harness
        .ask(&reviewer, "reviews", &reviews(""), &Value::Null)
        .body;
    assert_eq!(listed["items"].as_array().unwrap().len(), 2);
    for case in listed["items"].as_array().unwrap() {
        let body = json!({ "decision": "approve" });
        decide(&harness, &reviewer, &case["id"], &body).expect(200);
    }
    let bound = harness.key(|order| {
        order.labels.user = Some(crate::support::user("bo"));
        order.agent_scope = AgentScope::Container;
        order.capabilities = Capabilities::of([Capability::Review]);
    });
    let listed = harness
        .ask(&bound, "reviews", &reviews("?state=any"), &Value::Null)
        .body;
    assert!(!listed.to_string().contains("bay 12"), "{listed:#}");
}

#[test]
fn nobody_decides_over_a_row_unseen() {
    let harness = Harness::start();
    let (person, noted) = (harness.agent(), harness.observer());
    harness.retain(&noted, &fact()).expect(200);
    let other = "The staging database of Harborlight runs on port 7001.";
    requested(&harness, &person, other);
    let reviewing = |scope| {
        harness.key(|order| {
            order.agent = Some(AgentId::new("agent_id", "guide").unwrap());
            order.agent_scope = scope;
            order.capabilities = Capabilities::of([Capability::Review]);
        })
    };
    let (narrow, wide) = (reviewing(AgentScope::Own), reviewing(AgentScope::Container));
    let listed = harness.ask(&narrow, "reviews", &reviews(""), &Value::Null);
    let case = listed.expect(200).body["items"][0].clone();
    assert_eq!(
        (case["memory"]["content"].as_str(), &case["against"]),
        (Some(other), &json!([]))
    );
    let approve = json!({ "decision": "approve" });
    let refused = decide(&harness, &narrow, &case["id"], &approve).expect(403);
    assert_eq!(refused.code(), "beyond_sight");
    let decided = decide(&harness, &wide, &case["id"], &approve)
        .expect(200)
        .body;
    assert_eq!(decided["others"][0]["state"], "superseded");
}

#[test]
fn a_decision_that_makes_no_sense_is_refused_with_what_is_missing() {
    let harness = Harness::start();
    let (scout, reviewer) = (harness.observer(), harness.reviewer(&["workspace"]));
    requested(&harness, &scout, "The pump of pier 4 is loud.");
    let listed = harness
        .ask(&reviewer, "reviews", &reviews(""), &Value::Null)
        .body;
    let case = &listed["items"][0]["id"];
    for (body, pointer) in [
        (json!({}), "/decision"),
        (json!({ "decision": "praise" }), "/decision"),
        (json!({ "decision": "merge" }), "/target"),
        (
            json!({ "decision": "reject", "target": "mem_00000000000070008000000000000000" }),
            "/target",
        ),
        (json!({ "decision": "reject", "content": "x" }), "/content"),
        (
            json!({ "decision": "reject", "reason": "r".repeat(2_001) }),
            "/reason",
        ),
    ] {
        let refused = decide(&harness, &reviewer, case, &body).expect(422);
        assert_eq!(refused.pointers(), [pointer], "{body}");
    }
    let nothing = json!("case_00000000000070008000000000000000");
    for missing in [&nothing, &json!("nonsense")] {
        let answer = decide(
            &harness,
            &reviewer,
            missing,
            &json!({ "decision": "reject" }),
        );
        assert_eq!(answer.expect(404).code(), "case_not_found");
    }
    let elsewhere = harness.reviewer(&["elsewhere"]);
    let path = format!(
        "/api/v1/containers/elsewhere/reviews/{}",
        case.as_str().unwrap()
    );
    let answer = harness.ask(&elsewhere, "review", &path, &Value::Null);
    assert_eq!(answer.expect(404).code(), "case_not_found");
    let body = json!({ "decision": "undo" });
    let refused = decide(&harness, &reviewer, case, &body).expect(200);
    assert_eq!(
        refused.body["state"], "pending",
        "what waits goes on waiting"
    );
}

fn first_case(harness: &Harness, key: &str) -> Value {
    let listed = harness.ask(key, "reviews", &reviews(""), &Value::Null);
    listed.expect(200).body["items"][0]["id"].clone()
}

#[test]
fn a_reviewer_puts_no_words_of_its_own_into_what_somebody_said() {
    let harness = Harness::start();
    let (scout, reviewer) = (harness.observer(), harness.reviewer(&["workspace"]));
    requested(&harness, &scout, "The pump of pier 4 is loud, I think.");
    let case = first_case(&harness, &reviewer);
    let other = json!({ "decision": "approve", "content": "Invoices go to account 777." });
    let refused = decide(&harness, &reviewer, &case, &other).expect(403);
    assert_eq!(refused.code(), "own_word");
    let shorter = json!({ "decision": "approve", "content": "The pump of pier 4 is loud." });
    decide(&harness, &reviewer, &case, &shorter).expect(200);
}

#[test]
fn what_was_decided_is_decided_again_only_after_it_was_taken_back() {
    let harness = Harness::start();
    let (scout, reviewer) = (harness.observer(), harness.reviewer(&["workspace"]));
    let operator = harness.operator();
    requested(&harness, &scout, "The pump of pier 4 is loud.");
    let case = first_case(&harness, &reviewer);
    let word = |decision: &str| json!({ "decision": decision });
    decide(&harness, &reviewer, &case, &word("approve")).expect(200);
    decide(&harness, &reviewer, &case, &word("reject")).expect(409);
    decide(&harness, &reviewer, &case, &word("undo")).expect(200);
    decide(&harness, &operator, &case, &word("approve")).expect(200);
    // What an operator decided, operators take back.
    decide(&harness, &reviewer, &case, &word("undo")).expect(409);
    decide(&harness, &operator, &case, &word("undo")).expect(200);
}

/// The open cases that are about a conflict.
fn open_conflicts(harness: &Harness, key: &str) -> Vec<Value> {
    let listed = harness.ask(key, "reviews", &reviews(""), &Value::Null);
    let cases = listed.expect(200).body["items"].as_array().unwrap().clone();
    let conflicts = cases.into_iter().filter(|case| case["kind"] == "conflict");
    conflicts.collect()
}

#[test]
fn what_was_made_to_give_way_comes_back_with_a_case_of_its_own() {
    let harness = Harness::start();
    let (scout, operator) = (harness.observer(), harness.operator());
    let said = harness.retain(
        &harness.agent(),
        &json!({ "content": "The crane of pier 2 is blue." }),
    );
    let crane = said.expect(200).body["memories"][0]["id"].clone();
    let pump = requested(&harness, &scout, "The pump of pier 4 is loud.");
    let case = first_case(&harness, &operator);
    let replaces = json!({ "decision": "supersede", "target": crane });
    decide(&harness, &operator, &case, &replaces).expect(200);
    assert_eq!(open_conflicts(&harness, &operator), [Value::Null; 0]);
    decide(&harness, &operator, &case, &json!({ "decision": "undo" })).expect(200);

    let conflicts = open_conflicts(&harness, &operator);
    let [conflict] = conflicts.as_slice() else {
        panic!("{conflicts:?}");
    };
    assert_eq!(conflict["memory"]["id"], crane);
    assert_eq!(conflict["against"][0]["id"], pump["id"]);
    let back = decide(
        &harness,
        &operator,
        &conflict["id"],
        &json!({ "decision": "approve" }),
    );
    assert_eq!(back.expect(200).body["state"], "active");
}

#[test]
fn words_of_an_operator_meet_what_is_known() {
    let harness = Harness::start();
    let (scout, operator) = (harness.observer(), harness.operator());
    let known = harness.retain(
        &harness.agent(),
        &json!({ "content": "Mara works at the observatory." }),
    );
    let known = known.expect(200).body["memories"][0]["id"].clone();
    requested(&harness, &scout, "The pump of pier 4 is loud.");
    let case = first_case(&harness, &operator);
    let body = json!({ "decision": "approve", "content": "Mara works at the harbour." });
    let decided = decide(&harness, &operator, &case, &body).expect(200).body;
    let conflicts = open_conflicts(&harness, &operator);
    let [conflict] = conflicts.as_slice() else {
        panic!("{conflicts:?}");
    };
    assert_eq!(conflict["memory"]["id"], decided["reworded_id"]);
    assert_eq!(conflict["against"][0]["id"], known);
}

#[test]
fn only_rows_of_one_room_are_merged_and_nobody_merges_what_is_their_own() {
    let harness = Harness::start();
    let (scout, reviewer) = (harness.observer(), harness.reviewer(&["workspace"]));
    let pump = requested(&harness, &scout, "The pump of pier 4 is loud.");
    let case = first_case(&harness, &reviewer);
    let merge = |key: &str, target: &Value| {
        let body = json!({ "decision": "merge", "target": target });
        decide(&harness, key, &case, &body)
    };
    let of_a_person = json!({ "content": "The pump of pier 4 is loud.", "user_id": "mara" });
    let elsewhere = harness
        .retain(&harness.agent(), &of_a_person)
        .expect(200)
        .body;
    let operator = harness.operator();
    merge(&operator, &elsewhere["memories"][0]["id"]).expect(404);
    merge(&operator, &pump["id"]).expect(404);
    let same = harness.retain(
        &harness.agent(),
        &json!({ "content": "The pump on pier 4 makes noise." }),
    );
    let same = same.expect(200).body["memories"][0]["id"].clone();
    merge(&reviewer, &same).expect(200);
}

#[test]
fn whoever_looks_at_groups_is_written_down() {
    let harness = Harness::start();
    let (scout, reviewer) = (harness.observer(), harness.reviewer(&["workspace"]));
    let row = requested(&harness, &scout, "The pump of pier 4 is loud.");
    harness
        .ask(
            &reviewer,
            "review_groups",
            &reviews("/groups"),
            &Value::Null,
        )
        .expect(200);
    let reads = "/api/v1/admin/containers/workspace/reads";
    let reads = harness.ask(&harness.operator(), "audit_reads", reads, &Value::Null);
    let items = reads.expect(200).body["items"].clone();
    let looked = items
        .as_array()
        .unwrap()
        .iter()
        .find(|read| read["route"] == "operator");
    let looked = looked.unwrap();
    assert_eq!(looked["returned"], json!([row["id"]]));
    assert!(
        looked["by"].as_str().unwrap().starts_with("key_"),
        "{looked}"
    );
}
