//! A server that logs all that it can, with everybody who sends something to it: an agent, an operator, a browser in front
//! of the console, and a model behind the gateway.

use serde_json::{Value, json};

use crate::asking::{House, WORKSPACE, percent};
use crate::client::Answer;
use crate::console::{Browser, named};
use crate::model::Model;
use crate::told;
use crate::trial::{Chance, Trial};

pub(super) struct Desk {
    pub(super) house: House,
    pub(super) browser: Browser,
    model: Model,
    /// Somebody whose password is set again and again.
    person: String,
    chance: Chance,
}

/// What stands in braces in a route or a body, and how it is made.
const MADE: &[(&str, fn(&mut Desk, &str) -> String)] = &[
    ("{container_tag}", |_, _| WORKSPACE.to_owned()),
    ("{origin}", |_, _| "mem0".to_owned()),
    ("{connector_token}", |_, text| percent(text)),
    ("{person_id}", |desk, _| desk.person.clone()),
    ("{memory_id}", |desk, _| desk.waiting("id")),
    ("{other_id}", |desk, _| desk.waiting("id")),
    ("{case_id}", |desk, _| desk.waiting("case_id")),
    ("{held_id}", |desk, text| {
        desk.retained(
            "case_id",
            &json!({ "content": format!("Olaf noted: {text}") }),
        )
    }),
    ("{closed_id}", |desk, _| desk.closed()),
    ("{group}", |desk, _| desk.group()),
];

impl Desk {
    pub(super) fn open(trial: &mut Trial, name: &str) -> Self {
        let model = Model::saying(&[]);
        model.settle(&trial.room(name), &[]);
        let mut house = House::open_with(trial, name, &["--log", "debug"]);
        named(&mut house, "mara", "admin");
        let person = named(&mut house, "olaf", "reviewer");
        // Signed in before anything is tried: whoever tries too much is asked to wait.
        let browser = Browser::enter(&mut house, "mara", None).unwrap();
        Self {
            house,
            browser,
            model,
            person,
            chance: Chance::of(trial.chance.next(), name),
        }
    }

    /// A path and a body with what is made for them.
    pub(super) fn with_what_it_needs(
        &mut self,
        path: &str,
        body: &Value,
        text: &str,
    ) -> (String, Value) {
        let (mut path, mut body) = (path.to_owned(), body.clone());
        for (name, make) in MADE {
            if path.contains(name) || holds(&body, name) {
                let made = make(self, text);
                path = path.replace(name, &made);
                put(&mut body, name, &made);
            }
        }
        (path, body)
    }

    /// Sends a body, as somebody who may send it there.
    pub(super) fn send(&mut self, method: &str, path: &str, body: &Value) -> Answer {
        let key = if path.contains("/admin/") || path.contains("/reviews/") {
            &self.house.operator
        } else {
            &self.house.agent
        };
        let request = match (method, path) {
            ("FORM", _) => self.browser.form(path, body),
            (_, "/api/v1/session/password") => self.browser.json(method, path, body),
            _ => {
                let body = body.to_string();
                crate::client::with_body(method, key, path, body.as_bytes())
            }
        };
        let answer = self.house.ask(&request);
        // What the model was shown is what was sent, and is kept no longer.
        drop(self.model.take());
        answer
    }

    /// What is told of a new row that waits for a decision.
    fn waiting(&mut self, field: &str) -> String {
        let content = told::text(&told::word(&mut self.chance));
        self.retained(
            field,
            &json!({ "content": content, "review_required": true }),
        )
    }

    fn retained(&mut self, field: &str, row: &Value) -> String {
        let agent = self.house.agent.clone();
        let made = self.house.retain(&agent, row).json();
        let made = made["memories"][0][field].as_str();
        made.unwrap_or("nothing").to_owned()
    }

    fn closed(&mut self) -> String {
        let case = self.waiting("case_id");
        let path = format!("/api/v1/containers/{WORKSPACE}/reviews/{case}/decide");
        self.house.order(&path, &json!({ "decision": "reject" }));
        case
    }

    fn group(&mut self) -> String {
        let case = self.waiting("case_id");
        let path = format!("/api/v1/containers/{WORKSPACE}/reviews/{case}");
        let case = self.house.as_operator(&path);
        case["group"].as_str().unwrap_or("nothing").to_owned()
    }
}

fn holds(body: &Value, name: &str) -> bool {
    match body {
        Value::String(text) => text.contains(name),
        Value::Array(all) => all.iter().any(|it| holds(it, name)),
        Value::Object(all) => all.values().any(|it| holds(it, name)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn put(body: &mut Value, name: &str, made: &str) {
    match body {
        Value::String(text) => *text = text.replace(name, made),
        Value::Array(all) => all.iter_mut().for_each(|it| put(it, name, made)),
        Value::Object(all) => all.values_mut().for_each(|it| put(it, name, made)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
