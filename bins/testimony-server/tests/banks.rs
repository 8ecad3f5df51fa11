//! A server that compares what it knows with another server of its kind: settings, credentials, and what is shown.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a helper of a test may end it where it stands"
)]

mod support;

use std::time::Duration;

use serde_json::{Value, json};
use support::{Memory, Served};

const HERE: &str = "The library of Harborlight closes at 18:00.";
const THERE: &str = "The library of Harborlight closes at 14:00.";

/// A file of settings with a bank, and its credential beside it.
fn configured(url: &str, key: &str, more: &str) -> (tempfile::TempDir, String) {
    let kept = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(kept.path().join(name), text).unwrap();
    write("bank.key", &format!("{key}\n"));
    write(
        "settings.toml",
        &format!(
            "[banks.other-site]\nprotocol = \"testimony\"\nurl = \"{url}\"\nbank = \"workspace\"\nkey_file = \"bank.key\"\n{more}\n"
        ),
    );
    let file = kept.path().join("settings.toml");
    let file = file.to_str().unwrap().to_owned();
    (kept, file)
}

fn ask(served: &Served, method: &str, path: &str, body: &Value) -> Value {
    let text = answer(served, "agent_key", (method, path), body);
    serde_json::from_str(&text).unwrap()
}

fn answer(served: &Served, key: &str, (method, path): (&str, &str), body: &Value) -> String {
    let key = served.keys[key].as_str().unwrap();
    let url = format!("{}{path}", served.url);
    let bearer = format!("Bearer {key}");
    let came = if method == "GET" {
        ureq::get(url).header("Authorization", bearer).call()
    } else {
        let asked = ureq::post(url).header("Authorization", bearer);
        asked
            .header("Content-Type", "application/json")
            .send(body.to_string())
    };
    came.unwrap().body_mut().read_to_string().unwrap()
}

fn retain(served: &Served, content: &str) -> Value {
    let path = "/api/v2/containers/workspace/retain";
    ask(served, "POST", path, &json!({ "content": content }))
}

/// The comparisons of a row, once there are some.
fn compared(served: &Served, id: &str) -> Value {
    let path = format!("/v1/memories/{id}/courtroom");
    for _ in 0..1_200 {
        let report = ask(served, "GET", &path, &Value::Null);
        if report["bank_comparisons"][0].is_object() {
            return report;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Value::Null
}

#[test]
fn two_servers_of_one_kind_are_compared_and_the_key_is_shown_nowhere() {
    let there = Served::start(&[]);
    retain(&there, THERE);
    let key = there.keys["agent_key"].as_str().unwrap();
    let (_kept, file) = configured(&there.url, key, "containers = [\"workspace\"]");
    let here = Served::start(&["--config", &file]);
    let retained = retain(&here, HERE);
    assert_eq!(retained["pending_jobs"], json!(["compare"]), "{retained:#}");
    let id = retained["memories"][0]["id"].as_str().unwrap();
    let report = compared(&here, id);
    let told = &report["bank_comparisons"][0];
    assert_eq!(told["bank"], "other-site", "{report:#}");
    assert_eq!(told["outcome"], "contradicts", "{report:#}");
    assert_eq!(told["statements"][0]["redacted_excerpt"], THERE);
    assert_eq!(report["final_verdict"], "trusted");
    let metrics = answer(&here, "operator_key", ("GET", "/metrics"), &Value::Null);
    for line in [
        "testimony_bank_questions_total 1",
        "testimony_bank_failures_total 0",
    ] {
        assert!(metrics.lines().any(|held| held == line), "{metrics}");
    }
    let shown = Memory::new().run(&["serve", "--print-config", "--config", &file]);
    let shown = shown.done();
    assert!(
        shown.contains("[banks.other-site]") && shown.contains("bank.key"),
        "{shown}"
    );
    assert!(!shown.contains(key), "{shown}");
    for entry in std::fs::read_dir(here.memory.folder()).unwrap() {
        let kept = std::fs::read(entry.unwrap().path()).unwrap_or_default();
        assert!(!kept.windows(key.len()).any(|part| part == key.as_bytes()));
    }
}

#[test]
fn a_bank_without_containers_keeps_the_server_from_starting() {
    let (_kept, file) = configured("http://127.0.0.1:1", "swordfish", "");
    let said = Memory::new().run(&["serve", "--listen", "127.0.0.1:0", "--config", &file]);
    assert_ne!(said.status, 0);
    assert!(
        said.err.contains("[banks.other-site]") && said.err.contains("`containers`"),
        "{}",
        said.err
    );
}
