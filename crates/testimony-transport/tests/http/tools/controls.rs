//! Output controls: compact or raw, only how the answer came to be, and never more bytes than were asked for.

use serde_json::{Value, json};
use testimony_recall::pack::{O200k, TokenCounter as _};
use testimony_transport::routes::all;
use testimony_transport::wire::shape::differences;

use super::{agent, call, done, in_several, message, send};
use crate::support::{Answer, Harness, QUESTION, Sent, fact};

fn filled(harness: &Harness, key: &str) {
    let names = [
        "Ada", "Bela", "Cora", "Dora", "Edda", "Fina", "Gita", "Hana", "Ines", "Jana", "Kaja",
        "Lena",
    ];
    let text = |(n, name): (usize, &&str)| {
        let tools = "a hammer, a chisel, a lamp, a rope and ".repeat(n * 4);
        json!({ "content": format!("{name} works at the Harborlight shipyard with {tools}a saw.") })
    };
    let texts: Vec<Value> = names.iter().enumerate().map(text).collect();
    let kept = json!({ "contents": texts, "auto_extract": false });
    done(harness, key, "memory_retain", &kept);
}

const WHO: &str = "Who works at the Harborlight shipyard?";

#[test]
fn compact_is_usual_and_full_is_what_the_route_answers() {
    let harness = Harness::start();
    let key = agent(&harness);
    filled(&harness, &key);
    let compact = done(&harness, &key, "memory_recall", &json!({ "query": WHO }));
    assert!(
        compact["results"][0]["why_recalled"].is_null(),
        "{compact:#}"
    );
    let shape = all().find(|route| route.name == "recall").unwrap().answer;
    for control in [
        json!({ "response_format": "full" }),
        json!({ "include_raw": true }),
    ] {
        let mut arguments = json!({ "query": WHO });
        arguments
            .as_object_mut()
            .unwrap()
            .extend(control.as_object().unwrap().clone());
        let answer = harness
            .send(&message(&key, &call("memory_recall", &arguments)))
            .expect(200);
        let result = &answer.body["result"];
        assert_eq!(
            differences(&shape, &result["structuredContent"]),
            Vec::<String>::new()
        );
        let text: Value =
            serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, result["structuredContent"]);
    }
}

#[test]
fn only_how_the_answer_came_to_be_holds_no_memory() {
    let harness = Harness::start();
    let key = agent(&harness);
    filled(&harness, &key);
    for (tool, arguments) in [
        (
            "memory_recall",
            json!({ "query": WHO, "diagnostics_only": true }),
        ),
        (
            "memory_context",
            json!({ "user_message": WHO, "diagnostics_only": true, "include_raw": true }),
        ),
        (
            "memory_reflect",
            json!({ "query": WHO, "diagnostics_only": true }),
        ),
    ] {
        let said = done(&harness, &key, tool, &arguments);
        assert!(
            said["diagnostics"]["source_health_status"].is_string(),
            "{said:#}"
        );
        assert!(said["counts"].is_object(), "{said:#}");
        assert!(
            !said
                .to_string()
                .contains("works at the Harborlight shipyard with"),
            "{tool}: {said:#}"
        );
    }
}

/// How long a body is, byte by byte.
fn bytes(harness: &Harness, request: &Sent) -> (usize, Answer) {
    let raw = harness.raw(&request.bytes());
    let at = raw.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    (raw.len() - at - 4, Answer::read(&raw))
}

#[test]
fn no_answer_is_longer_than_was_asked_for() {
    let harness = Harness::start();
    let key = agent(&harness);
    filled(&harness, &key);
    let id = harness
        .recall(&key, &json!({ "query": WHO }))
        .expect(200)
        .body["results"][0]["id"]
        .clone();
    let calls = [
        (
            "memory_recall",
            json!({ "query": WHO, "limit": 100 }),
            "container_tag",
        ),
        (
            "memory_recall",
            json!({ "query": WHO, "include_raw": true }),
            "container_tag",
        ),
        (
            "memory_recall",
            json!({ "query": WHO, "diagnostics_only": true }),
            "container_tag",
        ),
        (
            "memory_context",
            json!({ "user_message": WHO, "max_context_tokens": 8000 }),
            "container_tag",
        ),
        ("memory_reflect", json!({ "query": WHO }), "container_tag"),
        ("memory_case", json!({ "memory_id": id }), "memory_id"),
        ("memory_status", json!({}), "container_tag"),
        ("memory_recall", json!({}), ""),
    ];
    for most in [1_024, 1_500, 2_000, 3_333, 6_000, 24_000] {
        for (tool, arguments, always) in &calls {
            let mut body = call(tool, arguments);
            body["params"]["arguments"]["max_response_bytes"] = json!(most);
            body["id"] = json!("ä".repeat(60));
            let modern = message(&key, &with_meta(&body))
                .header("MCP-Protocol-Version", "2026-07-28")
                .header("Mcp-Method", "tools/call")
                .header("Mcp-Name", tool);
            for request in [message(&key, &body), modern] {
                let (length, answer) = bytes(&harness, &request);
                assert!(length <= most, "{tool} {most}: {length}");
                assert_eq!(answer.status, 200, "{:#}", answer.body);
                let members = &answer.body["result"]["structuredContent"];
                assert!(
                    always.is_empty() || members[*always].is_string(),
                    "{tool} {most}: {:#}",
                    answer.body
                );
            }
        }
    }
}

fn with_meta(body: &Value) -> Value {
    let mut body = body.clone();
    body["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    body
}

#[test]
fn what_was_cut_is_said() {
    let harness = Harness::start();
    let key = agent(&harness);
    filled(&harness, &key);
    let whole = done(&harness, &key, "memory_recall", &json!({ "query": WHO }));
    assert!(whole["cut"].is_null());
    let cut = done(
        &harness,
        &key,
        "memory_recall",
        &json!({ "query": WHO, "max_response_bytes": 3000 }),
    );
    assert_eq!(cut["cut"]["max_response_bytes"], 3000, "{cut:#}");
    assert!(cut["cut"]["left_out"].is_object());
    let raw = done(
        &harness,
        &key,
        "memory_recall",
        &json!({ "query": WHO, "include_raw": true, "max_response_bytes": 9000 }),
    );
    assert!(raw["raw_left_out"].is_string(), "{raw:#}");
}

#[test]
fn what_was_cut_away_is_not_called_unknown_and_costs_no_tokens() {
    let harness = Harness::start();
    let key = agent(&harness);
    filled(&harness, &key);
    let context = json!({ "user_message": WHO, "max_context_tokens": 8000 });
    for (tool, arguments) in [
        ("memory_recall", json!({ "query": WHO })),
        ("memory_context", context.clone()),
    ] {
        let mut arguments = arguments;
        arguments["max_response_bytes"] = json!(1024);
        let answer = send(&harness, &key, tool, &arguments).expect(200).body;
        let text = answer["result"]["content"][0]["text"].as_str().unwrap();
        assert!(
            text.starts_with("More is known than fits into max_response_bytes; raise it."),
            "{tool}: {text}"
        );
    }
    let told = |most: u64| {
        let mut arguments = context.clone();
        arguments["max_response_bytes"] = json!(most);
        let answer = send(&harness, &key, "memory_context", &arguments);
        let result = answer.expect(200).body["result"].clone();
        let text = result["content"][0]["text"].as_str().unwrap();
        let end = text.rfind("</testimony-memory>\n");
        let end = end.map_or(0, |at| at + "</testimony-memory>\n".len());
        let block = text.get(..end).unwrap();
        let block = block.strip_prefix("For this turn:\n").unwrap_or_default();
        let told = result["structuredContent"]["tokens_injected"].as_u64();
        (told.unwrap_or_default(), O200k.count(block) as u64)
    };
    let mut before = 0;
    for most in [1_024, 2_500, 5_000, 10_000, 24_000] {
        let (told, counted) = told(most);
        assert_eq!(told, counted, "{most}");
        assert!(told >= before, "{most}");
        before = told;
    }
    assert!(before > 100, "{before}");
}

#[test]
fn a_small_answer_still_says_what_was_done() {
    let harness = Harness::start();
    let key = agent(&harness);
    let texts = |n: usize| {
        format!(
            "The pump of pier {n} is painted {}green.",
            "dark ".repeat(30)
        )
    };
    let small = |tool: &str, arguments: Value| {
        let mut arguments = arguments;
        arguments["max_response_bytes"] = json!(1024);
        done(&harness, &key, tool, &arguments)
    };
    let several: Vec<String> = (1..9).map(texts).collect();
    let order = json!({ "contents": several, "request_id": "r-1", "auto_extract": false });
    let kept = small("memory_retain", order);
    assert_eq!(
        (&kept["committed"], &kept["saved"]),
        (&json!(true), &json!(8)),
        "{kept:#}"
    );
    let id = kept["committed_memory_ids"][0].clone();
    assert!(id.is_string(), "{kept:#}");
    assert!(kept["cut"].is_object(), "{kept:#}");
    let turn = json!({
        "user_message": texts(11), "observed_facts": [texts(11), texts(12), texts(13), texts(14)],
        "request_id": "r-2",
    });
    let handed = small("memory_writeback", turn);
    assert_eq!(handed["committed"], true, "{handed:#}");
    assert_eq!(handed["operation_trail_id"], "r-2", "{handed:#}");
    assert!(handed["committed_memory_ids"][0].is_string(), "{handed:#}");
    let case = small("memory_case", json!({ "memory_id": id }));
    assert_eq!(case["memory_id"], id, "{case:#}");
    assert_eq!(case["final_verdict"], "trusted", "{case:#}");
    let asked = json!({ "query": "How is the pump of pier 3 painted?" });
    let reply = small("memory_reflect", asked.clone());
    assert!(reply["reply"].as_str().unwrap().len() > 16, "{reply:#}");
    let found = small("memory_recall", asked);
    assert_eq!(found["diagnostics"]["abstained"], false, "{found:#}");
}

#[test]
fn how_everything_stands_fits_into_what_was_asked_for() {
    let harness = Harness::start();
    let names: Vec<String> = (0..60).map(|n| format!("container-of-team-{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let key = in_several(&harness, &names);
    let whole = done(&harness, &key, "memory_status", &json!({}));
    assert_eq!(whole["containers"].as_array().map(Vec::len), Some(60));
    let most = 1500;
    let asked = call("memory_status", &json!({ "max_response_bytes": most }));
    let (length, answer) = bytes(&harness, &message(&key, &asked));
    assert!(length <= most, "{length}");
    let told = &answer.body["result"]["structuredContent"];
    assert_eq!(told["status"], "ok", "{told:#}");
    assert!(told["cut"].is_object(), "{told:#}");
}

#[test]
fn memories_that_nobody_was_shown_come_back_as_new_words_and_not_as_an_echo() {
    for (tool, field) in [
        ("memory_recall", "query"),
        ("memory_context", "user_message"),
        ("memory_reflect", "query"),
    ] {
        for (diagnostics_only, is_echo) in [(true, false), (false, true)] {
            let harness = Harness::start();
            let key = agent(&harness);
            done(&harness, &key, "memory_retain", &fact());
            let mut asked = json!({ "diagnostics_only": diagnostics_only });
            asked[field] = json!(QUESTION);
            done(&harness, &key, tool, &asked);
            let again = done(&harness, &key, "memory_retain", &fact());
            assert_eq!(
                again.to_string().contains("echo"),
                is_echo,
                "{tool}: {again:#}"
            );
        }
    }
}

/// The ids of the rows of a result.
fn rows_of(told: &Value) -> Vec<&str> {
    let lists = ["results", "related_context", "memories"];
    let rows = lists.iter().filter_map(|list| told[list].as_array());
    rows.flatten()
        .filter_map(|row| row["id"].as_str())
        .collect()
}

#[test]
fn memories_that_were_cut_away_come_back_as_new_words_and_those_that_fit_as_an_echo() {
    let text = |n: usize| {
        let tools = [
            "a lamp", "a rope", "an adze", "a plane", "a clamp", "a gouge",
        ][n];
        format!(
            "The {n}. of the six benches at the Harborlight shipyard holds {tools} and forty nails."
        )
    };
    for (tool, field) in [
        ("memory_recall", "query"),
        ("memory_context", "user_message"),
    ] {
        let harness = Harness::start();
        let key = agent(&harness);
        let keep = |n| {
            done(
                &harness,
                &key,
                "memory_retain",
                &json!({ "content": text(n), "auto_extract": false }),
            )
        };
        let ids: Vec<String> = (0..6)
            .map(|n| keep(n)["memories"][0]["id"].as_str().unwrap().to_owned())
            .collect();
        let mut asked = json!({ "max_response_bytes": 1900 });
        asked[field] = json!("What do the benches at the Harborlight shipyard hold?");
        let told = done(&harness, &key, tool, &asked);
        let shown = rows_of(&told);
        assert!(!shown.is_empty(), "{tool}: {told:#}");
        assert!(told["cut"]["left_out"].is_object(), "{tool}: {told:#}");
        for (n, id) in ids.iter().enumerate() {
            let again = keep(n).to_string();
            let is_shown = shown.contains(&id.as_str());
            assert_eq!(again.contains("echo"), is_shown, "{tool}: {id}: {again}");
        }
    }
}

#[test]
fn a_reply_counts_for_what_it_rests_on_and_a_saved_one_whoever_is_told() {
    let harness = Harness::start();
    let key = agent(&harness);
    done(&harness, &key, "memory_retain", &fact());
    let asked = json!({ "query": QUESTION, "save_memory": true, "diagnostics_only": true });
    done(&harness, &key, "memory_reflect", &asked);
    let again = done(&harness, &key, "memory_retain", &fact());
    assert!(again.to_string().contains("echo"), "{again:#}");
    let small = Harness::start();
    let key = agent(&small);
    done(&small, &key, "memory_retain", &fact());
    let asked = json!({ "query": QUESTION, "max_response_bytes": 1024 });
    let told = done(&small, &key, "memory_reflect", &asked);
    assert!(told["reply"].is_string(), "{told:#}");
    let again = done(&small, &key, "memory_retain", &fact());
    assert!(again.to_string().contains("echo"), "{again:#}");
}
