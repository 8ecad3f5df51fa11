//! `testimony mcp`: a conversation about tools on standard input and output.

mod support;

use serde_json::{Value, json};
use support::{Memory, Said, Served};

const FACT: &str = "The staging database of Harborlight runs on port 6543.";

fn message(id: u32, method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
}

fn call(id: u32, tool: &str, arguments: &Value) -> String {
    message(
        id,
        "tools/call",
        &json!({ "name": tool, "arguments": arguments }),
    )
}

/// What is said to lines, by the ids of their answers.
fn answers(said: Said) -> Vec<Value> {
    let mut lines = said.lines();
    lines.sort_by_key(|line| line["id"].as_u64());
    lines
}

fn spoken(memory: &Memory, words: &[&str], key: &str, lines: &[String]) -> Said {
    let words = [&["mcp"], words].concat();
    let input = format!("{}\n", lines.join("\n"));
    memory.run_with(&words, &[("TESTIMONY_KEY", key)], &input)
}

#[test]
fn every_line_is_answered_and_the_end_of_the_input_is_the_end() {
    let served = Served::start(&[]);
    let key = served.keys["agent_key"].as_str().unwrap();
    let begin = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    let lines = [
        message(1, "initialize", &begin),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string(),
        message(2, "tools/list", &json!({})),
        "no json".to_owned(),
        call(3, "memory_status", &json!({})),
    ];
    let said = spoken(&served.memory, &["--url", &served.url], key, &lines);
    let answers = answers(said);
    assert_eq!(answers.len(), 4, "{answers:?}");
    assert_eq!(answers[0]["error"]["code"], -32_700);
    assert_eq!(answers[1]["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(
        answers[2]["result"]["tools"].as_array().map(Vec::len),
        Some(8)
    );
    assert_eq!(answers[3]["result"]["structuredContent"]["status"], "ok");
}

#[test]
fn a_key_that_is_not_known_is_told_in_the_words_of_the_protocol() {
    let served = Served::start(&[]);
    let lines = [message(1, "tools/list", &json!({}))];
    let said = spoken(
        &served.memory,
        &["--url", &served.url],
        "tst_agent_none",
        &lines,
    );
    let answers = answers(said);
    assert_eq!(answers[0]["error"]["data"]["status"], 401, "{answers:?}");
    let none = served.memory.run(&["mcp", "--url", &served.url]);
    assert_eq!((none.status, none.out.as_str()), (2, ""));
    assert!(none.err.contains("TESTIMONY_KEY"), "{}", none.err);
}

#[test]
fn a_folder_is_spoken_for_in_this_process_by_the_key_of_an_agent() {
    let memory = Memory::new();
    let keys = memory.run(&["init", "--json"]).json();
    let key = keys["agent_key"].as_str().unwrap();
    let kept = spoken(
        &memory,
        &[],
        key,
        &[call(1, "memory_retain", &json!({ "content": FACT }))],
    );
    let kept = &answers(kept)[0]["result"]["structuredContent"];
    assert_eq!(kept["saved"], 1, "{kept:#}");
    let found = spoken(
        &memory,
        &[],
        key,
        &[call(
            1,
            "memory_recall",
            &json!({ "query": "On which port does the staging database of Harborlight run?" }),
        )],
    );
    let found = &answers(found)[0]["result"]["structuredContent"];
    assert_eq!(found["results"][0]["content"], FACT, "{found:#}");
    let unknown = spoken(
        &memory,
        &[],
        "tst_agent_none",
        &[message(1, "ping", &json!({}))],
    );
    assert_eq!(answers(unknown)[0]["error"]["data"]["status"], 401);
}

#[test]
fn a_folder_that_a_server_has_is_told_truly_and_with_what_to_do() {
    let served = Served::start(&[]);
    let key = served.keys["agent_key"].as_str().unwrap();
    let lines = [message(1, "ping", &json!({}))];
    let said = spoken(&served.memory, &[], key, &lines);
    assert_eq!((said.status, said.out.as_str()), (3, ""));
    for part in ["act as an agent", "--url"] {
        assert!(said.err.contains(part), "{}", said.err);
    }
    assert!(!said.err.contains("admin.sock"), "{}", said.err);
}

#[test]
fn a_server_that_is_not_there_is_told_and_nothing_else_is_written() {
    let memory = Memory::new();
    let lines = [message(1, "ping", &json!({}))];
    let said = spoken(
        &memory,
        &["--url", "http://127.0.0.1:1"],
        "tst_agent_x",
        &lines,
    );
    let why = answers(said)[0]["error"]["message"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(why.starts_with("No server answers"), "{why}");
}
