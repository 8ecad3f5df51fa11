//! The gateway of a server that runs, before a provider that does what each test tells it to: settings, credentials, what
//! goes through, and how it is told when the provider fails.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a helper of a test may end it where it stands"
)]

#[path = "../../../crates/testimony-models/tests/models/scripted.rs"]
#[expect(dead_code, reason = "other tests use more of it")]
mod scripted;
mod support;

use std::path::PathBuf;

use scripted::{Line, Provider, good, nobody};
use serde_json::{Value, json};
use support::{Memory, Served};

const COMPLETION: &str = r#"{"id":"c1","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"At the observatory."},"finish_reason":"stop"}],"usage":{"prompt_tokens":30,"completion_tokens":4}}"#;
const KEY: &str = "swordfish-of-the-provider";

/// A file of settings with a model, and its credential beside it.
struct Configured {
    kept: tempfile::TempDir,
}

impl Configured {
    fn with(url: &str, more: &str) -> Self {
        let kept = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(kept.path().join(name), text).unwrap();
        write("provider.key", &format!("{KEY}\n"));
        write(
            "settings.toml",
            &format!(
                "{more}\n[models.small]\nurl = \"{url}\"\nmodel = \"small-1\"\nprovider = \"house\"\nkey_file = \"provider.key\"\nattempts = 1\n"
            ),
        );
        Self { kept }
    }

    fn file(&self) -> PathBuf {
        self.kept.path().join("settings.toml")
    }

    fn served(&self) -> Served {
        Served::start(&["--config", self.file().to_str().unwrap()])
    }
}

/// What came back: status, `Retry-After`, body.
struct Came {
    status: u16,
    retry_after: Option<String>,
    text: String,
}

impl Came {
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }
}

fn post(served: &Served, path: &str, body: &Value) -> Came {
    let agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .build()
        .new_agent();
    let key = served.keys["agent_key"].as_str().unwrap();
    let mut came = agent
        .post(format!("{}{path}", served.url))
        .header("Authorization", format!("Bearer {key}"))
        .header("Content-Type", "application/json")
        .send(body.to_string())
        .unwrap();
    let retry_after = came.headers().get("retry-after");
    Came {
        status: came.status().as_u16(),
        retry_after: retry_after.map(|value| value.to_str().unwrap().to_owned()),
        text: came.body_mut().read_to_string().unwrap(),
    }
}

fn ask(stream: bool) -> Value {
    json!({
        "model": "house/small-1",
        "messages": [{ "role": "user", "content": "Where does Mara work?" }],
        "memory": { "container_tag": "workspace" },
        "stream": stream,
    })
}

#[test]
fn what_is_known_goes_to_the_model_and_the_credential_to_its_provider_alone() {
    let provider = Provider::saying(vec![good(COMPLETION)]);
    let configured = Configured::with(&provider.base(), "");
    let served = configured.served();
    let fact = json!({ "content": "Mara works at the observatory." });
    post(&served, "/api/v2/containers/workspace/retain", &fact);
    let came = post(&served, "/v1/chat/completions", &ask(false));
    assert_eq!(came.status, 200, "{}", came.text);
    let told = came.json();
    assert!(
        told["memory"]["tokens_injected"].as_u64().unwrap() > 0,
        "{told}"
    );
    assert_eq!(
        told["choices"][0]["message"]["content"],
        "At the observatory."
    );
    let went: Value = serde_json::from_str(&provider.bodies()[0]).unwrap();
    assert_eq!(went["model"], "small-1");
    assert!(
        went["messages"][0]["content"]
            .as_str()
            .unwrap()
            .contains("observatory")
    );
    assert!(provider.heads()[0].contains(&format!("Bearer {KEY}")));
    let config = configured.file();
    let shown = Memory::new().run(&[
        "serve",
        "--print-config",
        "--config",
        config.to_str().unwrap(),
    ]);
    let shown = shown.done();
    assert!(
        shown.contains("[models.") && shown.contains("provider.key"),
        "{shown}"
    );
    assert!(!shown.contains(KEY), "{shown}");
    for entry in std::fs::read_dir(served.memory.folder()).unwrap() {
        let kept = std::fs::read(entry.unwrap().path()).unwrap_or_default();
        assert!(!kept.windows(KEY.len()).any(|part| part == KEY.as_bytes()));
    }
}

#[test]
fn a_stream_goes_through_and_tells_of_memory() {
    let pieces = [
        "data: {\"choices\":[{\"delta\":{\"content\":\"At",
        " the\"}}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
        "data: [DONE]\n\n",
    ];
    let provider = Provider::saying(vec![Line::Pieces(pieces.map(str::to_owned).into())]);
    let served = Configured::with(&provider.base(), "").served();
    let came = post(&served, "/v1/chat/completions", &ask(true));
    assert!(
        came.text
            .starts_with("data: {\"choices\":[{\"delta\":{\"content\":\"At the\"}}]}\n\n"),
        "{}",
        came.text
    );
    assert!(came.text.contains("\"memory\":{"), "{}", came.text);
    assert!(came.text.ends_with("data: [DONE]\n\n"), "{}", came.text);
}

#[test]
fn how_a_provider_fails_is_told() {
    let busy = Line::Answer(429, &[("retry-after", "9")], "{}".to_owned());
    let half = Line::Half(vec!["data: {\"choices\":[]}\n\n".to_owned()]);
    for (line, status, retry_after, expected) in [
        (busy, 429, Some("9"), "upstream_busy"),
        (good("<html>"), 503, Some("1"), "upstream_unavailable"),
        (
            Line::Answer(401, &[], "{}".to_owned()),
            503,
            Some("1"),
            "upstream_unavailable",
        ),
        (half, 200, None, "upstream_unavailable"),
    ] {
        let provider = Provider::saying(vec![line]);
        let served = Configured::with(&provider.base(), "").served();
        let came = post(&served, "/v1/chat/completions", &ask(true));
        assert_eq!(
            (came.status, came.retry_after.as_deref()),
            (status, retry_after),
            "{}",
            came.text
        );
        assert!(came.text.contains(expected), "{}", came.text);
        assert!(!came.text.contains(KEY), "{}", came.text);
    }
    let served = Configured::with(&nobody(), "").served();
    let came = post(
        &served,
        "/v1/responses",
        &json!({ "model": "small", "input": "Hi" }),
    );
    assert_eq!(came.status, 503);
    assert!(came.text.contains("nobody listens"), "{}", came.text);
    let mut ready = ureq::get(format!("{}/readyz", served.url)).call().unwrap();
    let ready = ready.body_mut().read_to_string().unwrap();
    assert!(ready.contains("\"models\":\"degraded\""), "{ready}");
}

#[test]
fn a_role_that_names_no_model_keeps_the_server_from_starting() {
    let configured = Configured::with("http://127.0.0.1:1", "judge = \"large\"");
    let file = configured.file();
    let said = Memory::new().run(&[
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--config",
        file.to_str().unwrap(),
    ]);
    assert_ne!(said.status, 0);
    assert!(
        said.err.contains("`judge`") && said.err.contains("small"),
        "{}",
        said.err
    );
}

#[test]
fn a_role_has_its_model_asked() {
    let provider = Provider::saying(vec![good(COMPLETION)]);
    let configured = Configured::with(&provider.base(), "synthesis = \"small\"");
    let served = configured.served();
    let fact = json!({ "content": "Mara works at the observatory." });
    post(&served, "/api/v2/containers/workspace/retain", &fact);
    let question = json!({ "query": "Where does Mara work?" });
    let came = post(&served, "/api/v2/containers/workspace/reflect", &question);
    assert_eq!(came.status, 200, "{}", came.text);
    assert_eq!(provider.bodies().len(), 1);
    assert!(provider.bodies()[0].contains("observatory"));
}
