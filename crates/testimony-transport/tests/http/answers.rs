//! With nothing but an agent's key: what is retained is recalled, stands in the next packet and has a case report.

use serde_json::{Value, json};
use testimony_domain::{AgentId, Capabilities, Capability, ContainerGrant, SourceClass};

use testimony_service::ports::health::Health;
use testimony_service::work::Dependency;
use testimony_transport::http::Options;
use testimony_transport::routes::HealthProbe;

use crate::support::{Harness, QUESTION, Sent, fact, user};

#[test]
fn what_is_retained_is_recalled_packed_and_examined() {
    let harness = Harness::start();
    let key = harness.agent();
    let retained = harness.retain(&key, &fact()).expect(200).body;
    let row = &retained["memories"][0];
    assert_eq!(row["lifecycle_state"], "active");
    assert_eq!(row["trust_bucket"], "trusted");
    assert_eq!(row["next_action"], "none");
    for (field, expected) in [
        ("container_tag", json!("workspace")),
        ("saved", json!(1)),
        ("committed", json!(true)),
        ("committed_memory_ids", json!([row["id"]])),
        ("enrichment_status", json!("complete")),
        ("pending_jobs", json!([])),
        ("runtime_fanout", Value::Null),
        ("client_retry_safe", json!(false)),
        ("idempotency_status", json!("request_id_missing")),
        ("warnings", json!([])),
    ] {
        assert_eq!(retained[field], expected, "{field}");
    }

    let recalled = harness
        .recall(&key, &json!({ "query": QUESTION }))
        .expect(200);
    assert_eq!(recalled.body["total"], 1);
    let result = &recalled.body["results"][0];
    assert_eq!(result["id"], row["id"]);
    assert_eq!(result["direct_answer"], true);
    assert_eq!(result["why_recalled"]["scope"], "user");
    assert_eq!(recalled.body["diagnostics"]["abstained"], false);
    assert_eq!(recalled.body["mode"], "hybrid");
    assert_eq!(recalled.body["trust_policy"], "off");
    let block = recalled.body["recall_context"].as_str().unwrap();
    assert!(block.contains("6543"), "{block}");

    let context = harness
        .context(&key, &json!({ "user_message": QUESTION }))
        .expect(200)
        .body;
    assert_eq!(context["memories"][0]["id"], row["id"]);
    assert_eq!(context["trust_policy"], "balanced");
    assert_eq!(context["effective_agent_id"], "helper");
    assert_eq!(context["effective_source_app"], "desk");
    assert_eq!(context["caller_agent_id_dropped"], false);
    assert!(context["tokens_injected"].as_u64().unwrap() > 0);
    assert_eq!(context["citations"][0]["memory_id"], row["id"]);
}

#[test]
fn a_case_is_reported_on_either_path_by_either_id() {
    let harness = Harness::start();
    let key = harness.agent();
    let retained = harness.retain(&key, &fact()).expect(200).body;
    let row = &retained["memories"][0];
    for path in ["/api/v1/memories/", "/v1/memories/"] {
        for id in [&row["id"], &row["fact_id"]] {
            let path = format!(
                "{path}{}/courtroom?query=who+approved+it%3F",
                id.as_str().unwrap()
            );
            let case = harness.get(&key, &path).expect(200).body;
            assert_eq!(case["memory_id"], row["id"]);
            assert_eq!(case["deterministic_verdict"]["verdict"], "trusted");
            assert_eq!(case["deterministic_verdict"]["temporal_state"], "current");
            assert_eq!(case["ai_judgment"]["status"], "omitted");
            assert_eq!(case["evidence_status"], "available");
            assert!(case["answer"]["text"].is_string());
        }
    }
    let url = row["courtroom_url"].as_str().unwrap();
    let with_ai = harness
        .get(&key, &format!("{url}?include_ai=true"))
        .expect(200)
        .body;
    assert_eq!(with_ai["ai_judgment"]["status"], "unavailable");
    assert_eq!(with_ai["courtroom_status"], "degraded");
}

#[test]
fn nothing_known_is_an_answer() {
    let harness = Harness::start();
    let key = harness.agent();
    let empty = harness
        .recall(&key, &json!({ "query": QUESTION }))
        .expect(200)
        .body;
    assert_eq!(empty["results"], json!([]));
    assert_eq!(empty["total"], 0);
    assert_eq!(empty["recall_context"], "");
    assert_eq!(empty["diagnostics"]["abstained"], true);
    let reason = &empty["diagnostics"]["fallback_reason"];
    assert_eq!(reason, "no_relevant_candidates_above_threshold");
    let context = harness
        .context(&key, &json!({ "user_message": QUESTION }))
        .expect(200)
        .body;
    assert_eq!(context["memories"], json!([]));
    assert_eq!(context["prompt_memory_block"], "");
}

#[test]
fn what_makes_no_new_memory_says_why() {
    let harness = Harness::start();
    let key = harness.agent();
    let answer = harness
        .retain(&key, &json!({ "content": "Hello!" }))
        .expect(200)
        .body;
    assert_eq!(answer["saved"], 0);
    assert_eq!(answer["enrichment_status"], "not_applicable");
    let row = &answer["memories"][0];
    assert_eq!(row["lifecycle_state"], "forensic");
    assert_eq!(row["trust_bucket"], "blocked");
    assert_eq!(row["reasons"][0]["code"], "residue_greeting");
    assert!(
        row["reasons"][0]["sentence"]
            .as_str()
            .unwrap()
            .ends_with('.')
    );
    assert!(row["evidence_id"].as_str().unwrap().starts_with("evd_"));

    harness.retain(&key, &fact()).expect(200);
    let again = harness.retain(&key, &fact()).expect(200).body;
    assert_eq!(again["saved"], 0);
    let skipped = &again["skipped"][0];
    assert_eq!(skipped["reasons"][0]["code"], "duplicate");
    assert!(skipped["existing_id"].as_str().unwrap().starts_with("mem_"));
    assert_eq!(again["decisions"][0]["decision"], "duplicate");
}

#[test]
fn a_secret_comes_back_on_no_way() {
    let harness = Harness::start();
    let key = harness.agent();
    // Synthetic, and in pieces, so that scanners of repositories stay quiet.
    let secret = ["gh", "p_", "Zk4Wn8Qs2Lt6Vb0Xc5Jd9Rf3Hg7My1Pa2Ue"].concat();
    let text = format!("The deploy token is {secret}.");
    let noisy = json!({ "content": text, "tags": [secret], secret.as_str(): 1 });
    let mut answers = vec![harness.retain(&key, &noisy)];
    answers.push(harness.recall(&key, &json!({ "query": text, secret.as_str(): true })));
    answers.push(harness.context(&key, &json!({ "user_message": text })));
    answers.push(harness.recall(&key, &json!({ "query": "x", "mode": secret })));
    for name in [
        "request_id",
        "user_id",
        "agent_id",
        "run_id",
        "speaker",
        "custom_id",
    ] {
        let named = json!({ "content": "Harborlight is hosted in Oslo.", name: secret });
        answers.push(harness.retain(&key, &named));
        let item =
            json!({ "contents": [{ "content": "Harborlight has two masts.", name: secret }] });
        answers.push(harness.retain(&key, &item));
    }
    let tag = secret.to_lowercase();
    answers.push(harness.post(
        &key,
        &format!("/api/v2/containers/{tag}/recall"),
        &json!({}),
    ));
    let path = format!("/v1/memories/{secret}/courtroom");
    answers.push(harness.get(&key, &path));
    for answer in answers {
        let said = answer.body.to_string().to_lowercase();
        assert!(!said.contains(&secret.to_lowercase()), "{said}");
    }
}

#[test]
fn a_secret_in_the_name_of_a_field_is_known_by_what_stands_before_it() {
    let harness = Harness::start();
    let key = harness.agent();
    // Synthetic, and in pieces, so that scanners of repositories stay quiet.
    let value = ["nQvWys81", "vp7hB1dxR4tYwE6u", "Hc5DgJk2Lm8Pq0Sz"].concat();
    for name in [
        format!("https://deploy:{value}@git.acme.io/x.git"),
        format!("DIGGERNAUT_TOKEN={value}"),
    ] {
        let noisy = json!({ "content": "Harborlight is hosted in Oslo.", name: 1 });
        let said = harness.retain(&key, &noisy).expect(200).body;
        let told = said["warnings"].to_string();
        assert!(
            told.contains("[REDACTED:") && !told.contains("vp7hB1dx"),
            "{told}"
        );
    }
    let plain = json!({ "query": "x", "a/b~c": 1 });
    let told = harness.recall(&key, &plain).expect(200).body["warnings"].clone();
    assert_eq!(told[0]["pointer"], "/a~1b~0c");
}

#[test]
fn a_header_of_the_protocol_that_is_refused_is_not_repeated_where_it_is_a_secret() {
    let harness = Harness::start();
    let secret = ["gh", "p_", "Zk4Wn8Qs2Lt6Vb0Xc5Jd9Rf3Hg7My1Pa2Ue"].concat();
    let key = harness.key(|order| {
        order.capabilities = Capabilities::of([Capability::McpTools]);
    });
    let asked = |version: &str, method: &str| {
        Sent::post("/mcp")
            .key(&key)
            .json(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }))
            .header("MCP-Protocol-Version", version)
            .header("Mcp-Method", method)
    };
    for sent in [asked(&secret, "tools/list"), asked("2026-07-28", &secret)] {
        let refused = harness.send(&sent).expect(400).body.to_string();
        assert!(!refused.contains(&secret), "{refused}");
    }
}

#[test]
fn no_account_is_called_or_bound_by_a_secret() {
    let harness = Harness::start();
    let operator = harness.operator();
    let secret = ["gh", "p_", "zk4wn8qs2lt6vb0xc5jd9rf3hg7my1pa2ue"].concat();
    let password = "four lamps on the pier";
    for (path, order, at) in [
        (
            "keys",
            json!({ "containers": format!("{secret}*") }),
            "/containers",
        ),
        (
            "keys",
            json!({ "containers": ["workspace"], "name": secret }),
            "/name",
        ),
        (
            "connectors",
            json!({ "containers": [secret] }),
            "/containers",
        ),
        (
            "people",
            json!({ "name": secret, "password": password }),
            "/name",
        ),
    ] {
        let path = format!("/api/v1/admin/{path}");
        let refused = harness.post(&operator, &path, &order).expect(422).body;
        assert_eq!(refused["errors"][0]["pointer"], at, "{refused}");
        assert!(!refused.to_string().contains(&secret), "{refused}");
    }
    let export = format!("/api/v1/admin/export?user_id={secret}");
    let refused = harness.get(&operator, &export).expect(422).body;
    assert!(!refused.to_string().contains(&secret), "{refused}");
}

#[test]
fn names_as_programs_make_them_are_no_secrets() {
    let harness = Harness::start();
    let key = harness.agent();
    for name in [
        "0190b3c2-7f3a-7000-8000-3f2a1b4c5d6e",
        "01J9ZQ3V5W8XK2M4N6P7R8S9T0",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "usr_2nQx8TjzKp4LmV0c",
        "session:2026-09-21T14:13:24Z#4711",
        "auth0|5f7c8ec7c33c6c004bbafe82",
        "ana@example.com",
        "dHVybi0wMDAxLTIwMjY=",
    ] {
        let body = json!({
            "content": "Harborlight is hosted in Bergen.",
            "request_id": name, "run_id": name, "user_id": name,
        });
        let answer = harness.retain(&key, &body).expect(200);
        assert_eq!(answer.body["operation_trail_id"], name);
    }
}

#[test]
fn what_an_agent_saw_waits_and_is_its_own() {
    let harness = Harness::start();
    let key = harness.key(|order| order.class = SourceClass::AgentObservation);
    let other = harness.key(|order| {
        order.class = SourceClass::AgentObservation;
        order.agent = Some(AgentId::new("agent_id", "other").unwrap());
    });
    let seen = json!({
        "observed_facts": ["The staging database of Harborlight runs on port 6543."],
        "agent_id": "somebody-else",
        "default_confidence": 1,
        "session_id": "run-1",
    });
    let answer = harness.writeback(&key, &seen).expect(200).body;
    let row = &answer["retained_memories"][0];
    assert_eq!(row["lifecycle_state"], "pending");
    assert_eq!(row["trust_bucket"], "needs_review");
    assert_eq!(row["next_action"], "review");
    for (field, expected) in [
        ("stored_visibility_scope", json!("private_agent")),
        ("sharing_eligible", json!(false)),
        ("sharing_blocked_reason", json!("pending_review")),
        (
            "effective_identity",
            json!({ "source_app": "desk", "agent_id": "helper", "agent_scope": "own" }),
        ),
    ] {
        assert_eq!(answer[field], expected, "{field}");
    }
    assert!(!answer["operation_trail_id"].as_str().unwrap().is_empty());
    assert_eq!(
        answer["dedupe_supersession_decisions"][0]["decision"],
        "new"
    );
    assert_eq!(answer["diagnostics"]["caller_agent_id_dropped"], true);
    assert_eq!(answer["diagnostics"]["retained_count"], 1);
    assert_eq!(
        answer["diagnostics"]["ignored_fields"][0]["field"],
        "default_confidence"
    );

    let question = json!({ "query": QUESTION, "run_id": "run-1" });
    let own = harness.recall(&key, &question).expect(200).body;
    assert_eq!(own["total"], 1);
    let foreign = harness.recall(&other, &question).expect(200).body;
    assert_eq!(
        (&foreign["total"], &foreign["related_context"]),
        (&json!(0), &json!([]))
    );
    assert_eq!(foreign["suppressed"], json!([]));
}

#[test]
fn a_foreign_id_is_as_good_as_a_missing_one() {
    let harness = Harness::start();
    let key = harness.key(|order| order.labels.user = Some(user("ana")));
    let elsewhere = harness.key(|order| {
        order.containers = ContainerGrant::parse("containers", &["elsewhere"]).unwrap();
    });
    let bound = harness.key(|order| order.labels.user = Some(user("ben")));
    let row = harness.retain(&key, &fact()).expect(200).body["memories"][0].clone();
    let id = row["id"].as_str().unwrap();
    let missing = format!("mem_{}", "0".repeat(32));
    for stranger in [&elsewhere, &bound] {
        let answers = [id, &missing, "no-id", "fact_x"].map(|id| {
            let answer = harness.get(stranger, &format!("/api/v1/memories/{id}/courtroom"));
            let mut body = answer.expect(404).body;
            body["request_id"] = Value::Null;
            body
        });
        assert!(
            answers.iter().all(|body| *body == answers[0]),
            "{answers:#?}"
        );
    }
    let first = json!({ "query": QUESTION, "priority_ids": [id] });
    harness.recall(&key, &first).expect(200);
    harness.recall(&bound, &first).expect(404);
    let nowhere = json!({ "query": QUESTION, "priority_ids": ["no-id"] });
    harness.recall(&key, &nowhere).expect(404);
}

#[test]
fn health_says_how_the_parts_are() {
    let harness = Harness::start();
    let alive = harness.send(&Sent::new("GET", "/healthz").header("Host", "10.0.0.7"));
    assert_eq!(alive.expect(200).body, json!({ "status": "ok" }));
    let ready = harness.send(&Sent::new("GET", "/readyz")).expect(200).body;
    assert_eq!(ready["status"], "ready");
    assert_eq!(
        ready["dependencies"],
        json!({ "ledger": "healthy", "index": "healthy", "journal": "healthy" })
    );

    let poorer = Harness::of(Options {
        health: Some(HealthProbe::new(|| {
            let because = Health::unavailable("the secret inside");
            vec![(Dependency::Embedder, because)]
        })),
        ..Options::default()
    });
    let ready = poorer.send(&Sent::new("GET", "/readyz")).expect(200).body;
    assert_eq!(ready["status"], "degraded");
    assert_eq!(ready["dependencies"]["embedder"], "unavailable");
    assert!(!ready.to_string().contains("secret"));
}

#[test]
fn a_trust_report_and_links_come_where_they_are_asked_for() {
    let harness = Harness::start();
    let key = harness.agent();
    harness.retain(&key, &fact()).expect(200);
    let question = json!({ "query": QUESTION, "include_trust_report": true });
    let with = &harness.recall(&key, &question).expect(200).body["results"][0];
    assert_eq!(with["trust_verdict"], "trusted");
    assert_eq!(with["trust_action"], "use");
    let without = harness
        .recall(&key, &json!({ "query": QUESTION }))
        .expect(200);
    assert!(without.body["results"][0].get("trust_verdict").is_none());
    let turn = json!({ "user_message": QUESTION, "include_courtroom_links": false });
    let bare = harness.context(&key, &turn).expect(200).body;
    assert!(bare["memories"][0].get("courtroom_url").is_none());
    assert!(bare["citations"][0].get("courtroom_url").is_none());
}
