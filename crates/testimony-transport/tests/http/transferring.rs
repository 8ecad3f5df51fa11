//! Export and import over HTTP: whose they are, what their answers hold, and that what comes back is what left.

use serde_json::{Value, json};
use testimony_transport::routes;
use testimony_transport::wire::shape;

use crate::support::{Harness, fact};

const EXPORT: &str = "/api/v1/admin/export";
const IMPORT: &str = "/api/v1/admin/import";

/// An answer of a route holds what its description says.
fn as_described(name: &str, body: &Value) {
    let route = routes::all().find(|route| route.name == name).unwrap();
    assert_eq!(
        shape::differences(&route.answer, body),
        Vec::<String>::new()
    );
}

fn exported(harness: &Harness, key: &str) -> Vec<Value> {
    let (mut lines, mut path) = (Vec::new(), format!("{EXPORT}?limit=2"));
    loop {
        let page = harness.get(key, &path).expect(200).body;
        as_described("export", &page);
        lines.extend(page["items"].as_array().unwrap().iter().cloned());
        match page["next"].as_str() {
            Some(next) => path = format!("{EXPORT}?limit=2&after={next}"),
            None => return lines,
        }
    }
}

#[test]
fn what_left_one_server_comes_into_another_and_leaves_it_again_as_it_was() {
    let (here, there) = (Harness::start(), Harness::start());
    here.retain(&here.agent(), &fact()).expect(200);
    let lines = exported(&here, &here.operator());
    let key = there.operator();
    let body = json!({ "header": lines[0], "lines": lines });
    let answer = there.post(&key, IMPORT, &body).expect(200).body;
    as_described("import", &answer);
    // Its own container is there already, and made by another key.
    let refused = answer["lines"].as_array().unwrap();
    assert!(
        refused.iter().all(|line| line["id"] == "workspace"),
        "{answer}"
    );
    let rows = |lines: Vec<Value>| -> Vec<Value> {
        let rows = lines.into_iter();
        rows.filter(|line| line["record"] != "container").collect()
    };
    assert_eq!(rows(exported(&there, &key)), rows(lines));
}

#[test]
fn only_operators_move_memory() {
    let harness = Harness::start();
    let key = harness.agent();
    harness.get(&key, EXPORT).expect(403);
    harness.post(&key, IMPORT, &json!({})).expect(403);
    harness
        .post(&key, "/api/v1/admin/import/mem0", &json!({}))
        .expect(403);
}

#[test]
fn what_is_wrong_is_named() {
    let harness = Harness::start();
    let key = harness.operator();
    harness
        .get(&key, &format!("{EXPORT}?after=nowhere"))
        .expect(422);
    harness
        .get(&key, &format!("{EXPORT}?container=nowhere"))
        .expect(404);
    let answer = harness
        .post(&key, IMPORT, &json!({ "lines": [1] }))
        .expect(422);
    assert_eq!(answer.pointers(), ["/header", "/lines/0"]);
    let header = json!({ "format": "testimony-export", "version": 9 });
    let body = json!({ "header": header, "lines": [] });
    let answer = harness.post(&key, IMPORT, &body).expect(422);
    assert_eq!(answer.pointers(), ["/header/version"]);
    let body = json!({ "container": "workspace" });
    harness
        .post(&key, "/api/v1/admin/import/mem0", &body)
        .expect(422);
    let body = json!({ "container": "workspace", "entries": [] });
    harness
        .post(&key, "/api/v1/admin/import/elsewhere", &body)
        .expect(422);
}

#[test]
fn entries_of_another_service_are_told_of_beforehand_and_then_taken_in() {
    let harness = Harness::start();
    let agent = harness.agent();
    let key = harness.operator();
    let path = "/api/v1/admin/import/mem0";
    let entries = json!([
        { "id": "one", "memory": "Mara works at the observatory.", "created_at": "2025-05-01T10:00:00Z" },
        { "id": "two", "memory": "" },
    ]);
    let body = |dry_run: bool| {
        json!({
            "container": "workspace", "entries": entries, "class": "user_statement", "dry_run": dry_run,
        })
    };
    let told = harness.post(&key, path, &body(true)).expect(200).body;
    as_described("import_from", &told);
    assert_eq!(told["counts"], json!({ "active": 1, "left_out": 1 }));
    let question = json!({ "query": "Where does Mara work?" });
    let nothing = harness.recall(&agent, &question).expect(200);
    assert_eq!(nothing.body["results"], json!([]));
    assert_eq!(
        harness.post(&key, path, &body(false)).expect(200).body,
        told
    );
    let found = harness.recall(&agent, &question).expect(200);
    assert_eq!(
        found.contents("results"),
        ["Mara works at the observatory."]
    );
}

/// The token is made up, and stands here in parts.
#[test]
fn no_file_opens_the_gate_that_it_has_to_pass() {
    let (here, there) = (Harness::start(), Harness::start());
    here.retain(&here.agent(), &fact()).expect(200);
    let token = ["gh", "p_", "a8Kd93jfLs02mQpXz71bVnR4tYwE6uHc5DgJ"].concat();
    let rules: Vec<&str> = testimony_admission::secrets::rules()
        .map(|rule| rule.id)
        .collect();
    let lines = exported(&here, &here.operator()).into_iter().map(|line| {
        let told = line.to_string().replace("workspace", "elsewhere");
        let mut line: Value = serde_json::from_str(&told.replace("6543", &token)).unwrap();
        if line["record"] == "container" {
            line["exempt_rules"] = json!(rules);
        }
        line
    });
    let lines: Vec<Value> = lines.collect();
    assert!(lines.iter().any(|line| line.to_string().contains(&token)));
    let key = there.operator();
    let body = json!({ "header": lines[0], "lines": lines });
    let answer = there.post(&key, IMPORT, &body).expect(200).body;
    assert!(!answer.to_string().contains(&token), "{answer}");
    let kept = exported(&there, &key);
    assert!(kept.iter().any(|line| line["record"] == "evidence"));
    for line in kept {
        assert!(!line.to_string().contains(&token), "{line}");
    }
}

fn fact_line(lines: &[Value]) -> Value {
    let mut facts = lines.iter().filter(|line| line["record"] == "fact");
    facts.next().unwrap().clone()
}

#[test]
fn a_fact_that_lives_here_is_not_changed_by_a_file() {
    let harness = Harness::start();
    let key = harness.operator();
    let said = json!({ "content": "Ylva works at Saab." });
    harness.retain(&harness.agent(), &said).expect(200);
    let lines = exported(&harness, &key);
    let mut fact = fact_line(&lines);
    fact["slot"]["subject"] = json!("somebody else");
    let body = json!({ "header": lines[0], "lines": [fact] });
    let answer = harness.post(&key, IMPORT, &body).expect(200).body;
    assert_eq!(answer["counts"]["refused"], 1, "{answer:#}");
    assert_eq!(exported(&harness, &key), lines);
}

#[test]
fn what_was_erased_does_not_come_back_with_a_file() {
    let harness = Harness::start();
    let key = harness.operator();
    let said = json!({ "content": "Ylva works at Saab." });
    let kept = harness.retain(&harness.agent(), &said).expect(200).body;
    let lines = exported(&harness, &key);
    let target = json!({ "memory": kept["memories"][0]["id"] });
    let erase = json!({ "target": target, "dry_run": false, "reason": "data_subject_request" });
    harness
        .post(&key, "/api/v1/admin/erasures", &erase)
        .expect(200);
    let body = json!({ "header": lines[0], "lines": lines });
    let answer = harness.post(&key, IMPORT, &body).expect(200).body;
    let of_fact = fact_line(&lines)["id"].clone();
    let named = answer["lines"].as_array().unwrap().iter();
    let mut named = named.filter(|line| line["id"] == of_fact);
    assert_eq!(named.next().unwrap()["outcome"], "refused", "{answer:#}");
    let left = json!(exported(&harness, &key)).to_string().to_lowercase();
    assert!(!left.contains("ylva"), "{left}");
}
