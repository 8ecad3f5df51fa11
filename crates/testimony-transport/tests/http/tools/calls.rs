//! Calls: each tool does what its route does, as its caller, and says what to do where it does not.

use serde_json::{Value, json};
use testimony_domain::{Capability, SourceClass};
use testimony_recall::pack::{O200k, TokenCounter as _, parse_block};
use testimony_service::ports::ledger::LedgerError;
use testimony_service::ports::ledger::audit::Actor;

use super::{agent, done, in_several, listed, names, refused, send, with};
use crate::support::{Harness, QUESTION, fact};

const ALL: [&str; 8] = [
    "memory_context",
    "memory_recall",
    "memory_retain",
    "memory_writeback",
    "memory_reflect",
    "memory_correct",
    "memory_case",
    "memory_status",
];

#[test]
fn every_tool_says_what_it_is_for_takes_and_gives() {
    let harness = Harness::start();
    let tools = listed(&harness, &agent(&harness));
    assert_eq!(names(&tools), ALL);
    for tool in &tools {
        let name = &tool["name"];
        assert!(
            tool["title"].is_string() && tool["description"].is_string(),
            "{name}"
        );
        for schema in [&tool["inputSchema"], &tool["outputSchema"]] {
            assert_eq!(schema["type"], "object", "{name}");
            let properties = schema["properties"].as_object().unwrap();
            let required = schema["required"].as_array().into_iter().flatten();
            for field in required {
                assert!(
                    properties.contains_key(field.as_str().unwrap()),
                    "{name}: {field}"
                );
            }
        }
        let hints = &tool["annotations"];
        assert!(hints["readOnlyHint"].is_boolean(), "{name}");
        assert_eq!(hints["openWorldHint"], false, "{name}");
        let changes = hints["readOnlyHint"] == false;
        assert_eq!(hints["destructiveHint"].is_boolean(), changes, "{name}");
        assert_eq!(hints["idempotentHint"].is_boolean(), changes, "{name}");
        assert!(
            tool["inputSchema"]["properties"]["container_tag"].is_null(),
            "{name}"
        );
    }
}

/// What a tool needs to be called.
fn least(tool: &str, memory: &str) -> Value {
    match tool {
        "memory_context" => json!({ "user_message": QUESTION }),
        "memory_retain" => json!({ "content": "Ana moved to Porto in May." }),
        "memory_writeback" => json!({ "decisions": ["The harbour office opens at nine."] }),
        "memory_correct" => json!({ "memory_id": memory, "content": "The port is 6544." }),
        "memory_case" => json!({ "memory_id": memory }),
        "memory_status" => json!({}),
        _ => json!({ "query": QUESTION }),
    }
}

/// What a tool answers in a service of its own.
fn anew(tool: &str, said: &[(&str, Value)]) -> Value {
    let harness = Harness::start();
    let key = agent(&harness);
    let retained = harness.retain(&key, &fact()).expect(200);
    let memory = retained.body["memories"][0]["id"].as_str().unwrap();
    let mut arguments = least(tool, memory);
    for (name, value) in said {
        arguments[*name] = value.clone();
    }
    done(&harness, &key, tool, &arguments)
}

/// Where two answers differ.
fn differing(one: &Value, other: &Value, at: &str, found: &mut Vec<String>) {
    match (one, other) {
        (Value::Object(left), Value::Object(right)) => {
            for name in left
                .keys()
                .chain(right.keys().filter(|name| !left.contains_key(*name)))
            {
                differing(&one[name], &other[name], &format!("{at}/{name}"), found);
            }
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            for (place, (left, right)) in left.iter().zip(right).enumerate() {
                differing(left, right, &format!("{at}/{place}"), found);
            }
        }
        _ if one != other => found.push(at.to_owned()),
        _ => {}
    }
}

#[test]
fn a_default_that_is_told_is_the_one_that_holds() {
    let harness = Harness::start();
    let mut told = 0;
    for tool in listed(&harness, &agent(&harness)) {
        let name = tool["name"].as_str().unwrap();
        let properties = tool["inputSchema"]["properties"].as_object().unwrap();
        let is_raw = properties.contains_key("include_raw");
        let raw = is_raw.then_some(("include_raw", json!(true)));
        let controls = ["response_format", "max_response_bytes"];
        for (member, default) in properties
            .iter()
            .filter_map(|it| Some((it.0, it.1.get("default")?)))
        {
            told += 1;
            let beside: Vec<(&str, Value)> = match controls.contains(&member.as_str()) {
                true => Vec::new(),
                false => raw.clone().into_iter().collect(),
            };
            let differences = |said: Option<(&str, Value)>| {
                let said: Vec<(&str, Value)> = beside.iter().cloned().chain(said).collect();
                let mut found = Vec::new();
                differing(&anew(name, &beside), &anew(name, &said), "", &mut found);
                found
            };
            // What no two answers have in common, such as how long they took.
            let always = differences(None);
            let mut found = differences(Some((member, default.clone())));
            found.retain(|place| !always.contains(place));
            assert_eq!(
                found,
                Vec::<String>::new(),
                "{name}: {member} is told to be {default}"
            );
            if member == "trust_policy" {
                let other = differences(Some((member, json!("off"))));
                assert!(other.iter().any(|place| !always.contains(place)), "{name}");
            }
        }
    }
    assert!(told > 5, "{told}");
}

#[test]
fn the_list_of_tools_costs_few_tokens() {
    let harness = Harness::start();
    for key in [
        agent(&harness),
        in_several(&harness, &["workspace", "harbour"]),
    ] {
        let list = Value::Array(listed(&harness, &key)).to_string();
        let tokens = O200k.count(&list);
        assert!(tokens < 3_500, "{tokens} tokens: {list}");
    }
}

#[test]
fn what_is_written_by_a_tool_is_read_by_the_others() {
    let harness = Harness::start();
    let key = agent(&harness);
    let kept = done(
        &harness,
        &key,
        "memory_retain",
        &json!({ "content": fact()["content"], "request_id": "r-1" }),
    );
    assert_eq!(kept["saved"], 1, "{kept:#}");
    let id = kept["memories"][0]["id"].as_str().unwrap();
    let again = done(
        &harness,
        &key,
        "memory_retain",
        &json!({ "content": fact()["content"], "request_id": "r-1" }),
    );
    assert_eq!(again["idempotency_status"], "replayed");
    for (tool, arguments, list) in [
        ("memory_recall", json!({ "query": QUESTION }), "results"),
        (
            "memory_context",
            json!({ "user_message": QUESTION }),
            "memories",
        ),
        ("memory_reflect", json!({ "query": QUESTION }), "memories"),
    ] {
        let found = done(&harness, &key, tool, &arguments);
        assert_eq!(found["container_tag"], "workspace", "{tool}");
        assert_eq!(found[list][0]["id"], id, "{tool}: {found:#}");
    }
    let reply = done(
        &harness,
        &key,
        "memory_reflect",
        &json!({ "query": QUESTION }),
    );
    assert!(
        reply["reply"].as_str().unwrap().contains("6543"),
        "{reply:#}"
    );
    let case = done(
        &harness,
        &key,
        "memory_case",
        &json!({ "memory_id": id, "include_ai": true }),
    );
    assert_eq!(case["statement"], fact()["content"]);
    assert_eq!(
        case["supporting_evidence"].as_array().map(Vec::len),
        Some(1)
    );
    let row = harness
        .get(&key, &format!("/api/v1/memories/{id}/courtroom"))
        .expect(200)
        .body;
    assert_eq!(row["supporting_evidence"][0]["source"], "mcp");
}

#[test]
fn a_turn_is_handed_in() {
    let harness = Harness::start();
    let key = agent(&harness);
    let turn = json!({
        "user_message": "Please answer in Portuguese from now on.",
        "preferences": ["The user prefers answers in Portuguese."],
        "observed_facts": [{ "content": "The login page of Harborlight takes two seconds to load." }],
    });
    let handed = done(&harness, &key, "memory_writeback", &turn);
    assert_eq!(
        handed["retained_memories"].as_array().map(Vec::len),
        Some(2),
        "{handed:#}"
    );
}

#[test]
fn a_correction_takes_the_place_of_what_was_wrong() {
    let harness = Harness::start();
    let key = agent(&harness);
    let kept = done(&harness, &key, "memory_retain", &fact());
    let wrong = kept["memories"][0]["id"].clone();
    let corrected = done(
        &harness,
        &key,
        "memory_correct",
        &json!({
            "memory_id": wrong, "content": "The staging database of Harborlight runs on port 7001.",
        }),
    );
    assert_eq!(
        corrected["decisions"][0]["decision"], "supersedes",
        "{corrected:#}"
    );
    let found = done(
        &harness,
        &key,
        "memory_recall",
        &json!({ "query": QUESTION }),
    );
    let results = found["results"].as_array().unwrap();
    assert_eq!(results.len(), 1);
    assert!(results[0]["content"].as_str().unwrap().contains("7001"));
    let taken_back = done(
        &harness,
        &key,
        "memory_correct",
        &json!({
            "memory_id": corrected["memories"][0]["id"], "retract": true,
            "content": "Harborlight has no staging database.",
        }),
    );
    assert_eq!(
        taken_back["decisions"][0]["decision"], "supersedes",
        "{taken_back:#}"
    );
    let said = refused(
        &harness,
        &key,
        "memory_correct",
        &json!({ "memory_id": "none" }),
    );
    assert!(
        said.contains("/memory_id") && said.contains("/content"),
        "{said}"
    );
}

#[test]
fn a_conflict_says_what_was_kept_and_what_to_do() {
    let harness = Harness::start();
    let stronger = agent(&harness);
    let weaker = harness.key(|order| {
        order.capabilities =
            testimony_domain::Capabilities::of([Capability::Write, Capability::McpTools]);
        order.class = SourceClass::AgentObservation;
    });
    let kept = done(&harness, &stronger, "memory_retain", &fact());
    let said = refused(
        &harness,
        &weaker,
        "memory_correct",
        &json!({
            "memory_id": kept["memories"][0]["id"], "content": "The staging database of Harborlight runs on port 9.",
        }),
    );
    for part in [
        "\"code\":\"conflict\"",
        "\"status\":409",
        "\"remedy\"",
        "\"case_id\"",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn the_container_is_the_only_one_or_has_to_be_named() {
    let harness = Harness::start();
    let key = in_several(&harness, &["workspace", "harbour"]);
    let tools = listed(&harness, &key);
    for tool in &tools {
        let schema = &tool["inputSchema"];
        let which = &schema["properties"]["container_tag"]["enum"];
        if tool["name"] == "memory_case" {
            assert!(which.is_null());
        } else {
            assert_eq!(which, &json!(["workspace", "harbour"]), "{}", tool["name"]);
        }
    }
    let said = refused(
        &harness,
        &key,
        "memory_recall",
        &json!({ "query": QUESTION }),
    );
    for part in ["/container_tag", "workspace, harbour", "invalid_request"] {
        assert!(said.contains(part), "{said}");
    }
    done(
        &harness,
        &key,
        "memory_retain",
        &json!({ "content": fact()["content"], "container_tag": "harbour" }),
    );
    for (tag, count) in [("harbour", 1), ("workspace", 0)] {
        let found = done(
            &harness,
            &key,
            "memory_recall",
            &json!({ "query": QUESTION, "container_tag": tag }),
        );
        assert_eq!(
            found["results"].as_array().map(Vec::len),
            Some(count),
            "{tag}"
        );
    }
    let foreign = json!({ "query": QUESTION, "container_tag": "elsewhere" });
    assert!(refused(&harness, &key, "memory_recall", &foreign).contains("container_not_reached"));
    for wrong in [json!(7), json!("No Tag")] {
        let arguments = json!({ "query": QUESTION, "container_tag": wrong });
        assert!(refused(&harness, &key, "memory_recall", &arguments).contains("/container_tag"));
    }
    let prefix = in_several(&harness, &["user-*"]);
    assert!(
        refused(&harness, &prefix, "memory_recall", &json!({ "query": "x" })).contains("user-")
    );
}

#[test]
fn arguments_that_are_wrong_are_told_by_their_place() {
    let harness = Harness::start();
    let key = agent(&harness);
    for (tool, arguments, places) in [
        (
            "memory_recall",
            json!({ "limit": 0 }),
            &["/query", "/limit"][..],
        ),
        (
            "memory_context",
            json!({ "max_response_bytes": 1 }),
            &["/max_response_bytes"],
        ),
        ("memory_retain", json!({}), &["/content"]),
        ("memory_case", json!({}), &["/memory_id"]),
        (
            "memory_writeback",
            json!({ "decisions": "x" }),
            &["/decisions"],
        ),
    ] {
        let said = refused(&harness, &key, tool, &arguments);
        for place in places {
            assert!(said.contains(&format!("- {place}: ")), "{tool}: {said}");
        }
    }
    let missing = json!({ "memory_id": "mem_00000000000000000000000000000000" });
    assert!(refused(&harness, &key, "memory_case", &missing).contains("memory_not_found"));
    let found = done(
        &harness,
        &key,
        "memory_recall",
        &json!({ "query": QUESTION, "sing": true }),
    );
    assert_eq!(found["warnings"][0]["code"], "unknown_field", "{found:#}");
}

#[test]
fn memories_in_the_text_of_a_result_stay_data() {
    let harness = Harness::start();
    let key = agent(&harness);
    let content = fact()["content"].clone();
    done(
        &harness,
        &key,
        "memory_retain",
        &json!({ "content": content }),
    );
    let answer = send(
        &harness,
        &key,
        "memory_recall",
        &json!({ "query": QUESTION }),
    )
    .expect(200);
    let text = answer.body["result"]["content"][0]["text"]
        .as_str()
        .unwrap();
    let (words, block) = text.split_once('\n').unwrap();
    assert_eq!(words, "These answer:");
    let end = block.rfind("</testimony-memory>\n").unwrap() + "</testimony-memory>\n".len();
    let rows = parse_block(block.get(..end).unwrap()).unwrap();
    assert_eq!((rows.len(), json!(rows[0].text)), (1, content));
    let nothing = send(
        &harness,
        &key,
        "memory_recall",
        &json!({ "query": "Who composed the anthem of Norway?" }),
    )
    .expect(200);
    let text = nothing.body["result"]["content"][0]["text"]
        .as_str()
        .unwrap();
    assert!(text.starts_with("Nothing is known"), "{text}");
    assert_eq!(
        nothing.body["result"]["structuredContent"]["diagnostics"]["abstained"],
        true
    );
}

#[test]
fn what_a_prompt_reads_is_balanced_unless_somebody_says_otherwise() {
    let harness = Harness::start();
    let key = agent(&harness);
    let policy = |arguments: Value| {
        let found = done(&harness, &key, "memory_recall", &arguments);
        found["diagnostics"]["trust_policy_applied"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(policy(json!({ "query": QUESTION })), "balanced");
    assert_eq!(
        policy(json!({ "query": QUESTION, "trust_policy": null })),
        "balanced"
    );
    assert_eq!(
        policy(json!({ "query": QUESTION, "trust_policy": "strict" })),
        "strict"
    );
}

#[test]
fn calls_leave_the_same_trail_as_the_routes() {
    let harness = Harness::start();
    let key = agent(&harness);
    done(&harness, &key, "memory_retain", &fact());
    done(
        &harness,
        &key,
        "memory_recall",
        &json!({ "query": QUESTION, "request_id": "asked-1" }),
    );
    let operator = harness.operator();
    let events = harness
        .get(&operator, "/api/v1/admin/audit/events")
        .expect(200)
        .body
        .to_string();
    assert!(
        events.contains("\"memory.made\",\"actor\":\"key_"),
        "{events}"
    );
    let echo = done(
        &harness,
        &key,
        "memory_retain",
        &json!({ "content": fact()["content"] }),
    );
    let reasons = echo.to_string();
    assert!(reasons.contains("echo"), "{echo:#}");
}

#[test]
fn how_everything_stands_is_told_with_one_real_read() {
    let harness = Harness::start();
    let stands = done(&harness, &agent(&harness), "memory_status", &json!({}));
    assert_eq!(stands["status"], "ok", "{stands:#}");
    assert_eq!(stands["key"]["agent_id"], "helper");
    assert_eq!(stands["container_tag"], "workspace");
    assert_eq!(stands["containers"], json!(["workspace"]));
    assert_eq!(stands["tools"], json!(ALL));
    assert_eq!(stands["service"]["status"], "ready");
    assert_eq!(
        stands["read"],
        json!({ "status": "ok", "operation": "recall" })
    );
    let several = in_several(&harness, &["workspace", "harbour"]);
    let read = |key: &str, arguments: Value| {
        done(&harness, key, "memory_status", &arguments)["read"].clone()
    };
    assert_eq!(read(&several, json!({}))["status"], "no_container");
    assert_eq!(
        read(&several, json!({ "container_tag": "harbour" }))["status"],
        "ok"
    );
    assert_eq!(
        read(&with(&harness, &[Capability::Write]), json!({}))["status"],
        "not_allowed"
    );
    assert_eq!(
        read(&with(&harness, &[Capability::AgentContext]), json!({}))["operation"],
        "agent/context"
    );
    let failed = done(
        &harness,
        &several,
        "memory_status",
        &json!({ "container_tag": "elsewhere" }),
    );
    assert_eq!(failed["status"], "degraded");
    assert_eq!(failed["read"]["code"], "container_not_reached");
}

#[test]
fn a_write_that_fails_says_why() {
    let harness = Harness::start();
    let key = agent(&harness);
    *harness.excuse.lock().unwrap() = Some(|| LedgerError::Full);
    let said = refused(&harness, &key, "memory_retain", &fact());
    assert!(
        said.contains("storage_full") && said.contains("507"),
        "{said}"
    );
}

#[test]
fn a_key_that_was_revoked_calls_nothing_more() {
    let harness = Harness::start();
    let key = agent(&harness);
    listed(&harness, &key);
    let id = testimony_service::access::Credential::read(&key)
        .unwrap()
        .key();
    harness.service.revoke_key(Actor::Service, id).unwrap();
    let answer = send(&harness, &key, "memory_status", &json!({})).expect(401);
    assert_eq!(answer.code(), "credential_revoked");
}
