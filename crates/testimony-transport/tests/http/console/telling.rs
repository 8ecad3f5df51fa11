//! What pages of operators tell: what was configured, what was asked and how long it took, and when keys were used.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use testimony_service::ports::ledger::audit::ChainHead;
use testimony_transport::caretaker::{Backup, Caretaker, Examined};
use testimony_transport::http::Options;

use super::Browser;
use crate::support::{Harness, QUESTION, fact};

/// Whoever looks after a memory that was configured with tables.
#[derive(Debug)]
struct Configured;

impl Caretaker for Configured {
    fn back_up(&self, _: &Path) -> Result<Backup, String> {
        Err("nothing is kept".to_owned())
    }

    fn settings(&self) -> Value {
        let said = |value: Value| json!({ "value": value, "from": "testimony.toml" });
        json!({
            "at_once": said(json!("9")),
            "log": said(Value::Null),
            "models": { "drafts": { "base_url": said(json!("http://127.0.0.1:9")), "judge": said(json!(true)) } },
            "banks": { "other-site": { "containers": said(json!(["workspace", "notes"])) } },
            "embedders": {},
        })
    }

    fn examine(&self, _: Option<ChainHead>, _: bool) -> Result<Examined, String> {
        Err("nothing is kept".to_owned())
    }
}

#[test]
fn what_stands_in_tables_of_the_configuration_is_shown_and_what_is_not_set_is_named() {
    let harness = Harness::of(Options {
        caretaker: Some(Arc::new(Configured)),
        ..Options::default()
    });
    let admin = Browser::of(&harness, "mara", "admin");
    let page = admin.get("/operations").expect(200);
    for (name, value) in [
        ("at_once", "9"),
        ("models.drafts.base_url", "http://127.0.0.1:9"),
        ("models.drafts.judge", "true"),
        ("banks.other-site.containers", "workspace, notes"),
    ] {
        page.says(&format!(
            "<code>{name}</code></td><td><bdi>{value}</bdi></td>"
        ));
    }
    page.says("Not set: <code>embedders</code>, <code>log</code>.");
}

/// The figure of a chart.
fn chart(title: &str, figure: &str) -> String {
    format!("<span class=\"overline\">{title}</span><strong>{figure}</strong>")
}

#[test]
fn questions_are_counted_and_looks_at_cases_are_not() {
    let harness = Harness::start();
    let agent = harness.agent();
    let kept = harness.retain(&agent, &fact()).expect(200);
    let ask = |words: &str| {
        harness
            .recall(&agent, &json!({ "query": words }))
            .expect(200)
    };
    ask(QUESTION);
    ask("When does the ferry to Norway leave?");
    let id = kept.body["memories"][0]["id"].as_str().unwrap();
    let case = format!("/api/v1/memories/{id}/courtroom");
    harness.get(&agent, &case).expect(200);
    let admin = Browser::of(&harness, "mara", "admin");
    let page = admin.get("/activity?span=day").expect(200);
    page.says(&chart("Kept", "1"))
        .says(&chart("Asked", "2"))
        .says(&chart("Abstained", "50 %"))
        .says("<td>courtroom</td>")
        .says("p95; p50")
        .says("p99");
}

#[test]
fn a_job_that_was_given_up_is_on_the_chart_of_jobs() {
    let harness = Harness::start();
    harness.agent();
    crate::jobs::dead_job(&harness);
    let admin = Browser::of(&harness, "mara", "admin");
    let page = admin.get("/activity?span=month").expect(200);
    page.says(&chart("Jobs", "0"))
        .says("jobs done; 1 made, 1 given up");
}

#[test]
fn the_list_of_keys_says_when_each_was_used_last() {
    let harness = Harness::start();
    let agent = harness.agent();
    let admin = Browser::of(&harness, "mara", "admin");
    let unused = || {
        let page = admin.get("/connections").expect(200);
        page.says("Last use").text.matches("not lately").count()
    };
    let before = unused();
    harness
        .recall(&agent, &json!({ "query": QUESTION }))
        .expect(200);
    assert_eq!(unused() + 1, before);
}

#[test]
fn a_key_is_made_with_everything_that_bounds_one() {
    let harness = Harness::start();
    let admin = Browser::of(&harness, "mara", "admin");
    let form = admin.get("/connections/new").expect(200);
    let fields = [
        ("name", "night shift"),
        ("containers", "workspace"),
        ("capabilities", "gateway.chat"),
        ("class", "agent_observation"),
        ("run_id", "night-7"),
        ("items_per_day", "40"),
        ("gateway_memory", "true"),
    ];
    for (name, _) in fields {
        form.says(&format!("name=\"{name}\""));
    }
    let made = admin.post("/connections/keys", &fields).expect(200);
    let (_, way) = made.text.split_once("href=\"/connections/keys/").unwrap();
    let way = format!("/connections/keys/{}", way.split('"').next().unwrap());
    let key = admin.get(&way).expect(200);
    key.says("<dt>Run label</dt><dd><bdi>night-7</bdi></dd>")
        .says("<dt>Items a day</dt><dd>40</dd>")
        .says("brings memory in unasked");
}

#[test]
fn a_recall_as_an_agent_is_asked_under_every_label() {
    let harness = Harness::start();
    let admin = Browser::of(&harness, "mara", "admin");
    let agent = harness.agent();
    let query: String = form_urlencoded::byte_serialize(QUESTION.as_bytes()).collect();
    for label in ["user_id", "app_id", "org_id", "run_id"] {
        let mut said = fact();
        said[label] = json!("till-7");
        harness.retain(&agent, &said).expect(200);
        let path = format!("/memories?view=recall&q={query}&{label}=till-7");
        let page = admin.get(&path).expect(200);
        page.says(&format!("name=\"{label}\" value=\"till-7\""));
        let (_, given) = page.text.split_once("What it gets").unwrap();
        let (given, _) = given.split_once("What was held back").unwrap();
        assert!(given.contains("6543"), "{label}: {given}");
    }
}

#[test]
fn shortcuts_can_be_switched_off() {
    let harness = Harness::start();
    let reviewer = Browser::of(&harness, "olaf", "reviewer");
    let page = reviewer.get("/account").expect(200);
    page.says("data-shortcuts")
        .says("Shortcuts of single keys, in this browser");
}
