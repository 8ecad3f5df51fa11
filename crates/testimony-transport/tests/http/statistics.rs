//! Statistics of a container over HTTP.

use serde_json::{Value, json};

use crate::support::{Harness, QUESTION, fact};

#[test]
fn a_container_is_counted_with_what_waits_and_how_it_is_read() {
    let harness = Harness::start();
    let (person, operator) = (harness.agent(), harness.operator());
    harness.retain(&person, &fact()).expect(200);
    let asked = json!({ "content": "The pump of pier 4 is loud.", "review_required": true, "memory_plane": "tool" });
    harness.retain(&person, &asked).expect(200);
    for query in [QUESTION, "Who won the chess game in Lisbon?"] {
        harness
            .recall(&person, &json!({ "query": query }))
            .expect(200);
    }
    let path = "/api/v1/admin/containers/workspace/statistics";
    let found = harness
        .ask(&operator, "statistics", path, &Value::Null)
        .expect(200)
        .body;
    assert_eq!(found["by_state"], json!({ "active": 1, "pending": 1 }));
    let tool = json!({ "memory_plane": "tool", "state": "pending", "memories": 1 });
    assert!(found["memories"].as_array().unwrap().contains(&tool));
    assert_eq!(found["open_cases"], json!({ "requested": 1 }));
    assert_eq!(found["reads"][0]["requests"], 2);
    assert_eq!(found["reads"][0]["abstention_rate"], 0.5);
    assert!(found["ledger_bytes"].as_u64().unwrap() > 4_096);
    assert_eq!(found["index_rows"], 2);
    let later = harness.ask(
        &operator,
        "statistics",
        &format!("{path}?since=2100-01-01"),
        &Value::Null,
    );
    assert_eq!(later.expect(200).body["reads"], json!([]));
    let nowhere = path.replace("workspace", "nowhere");
    let missing = harness.ask(&operator, "statistics", &nowhere, &Value::Null);
    assert_eq!(missing.expect(404).code(), "container_not_found");
}
