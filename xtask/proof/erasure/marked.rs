//! What is to be erased: words that nothing else holds, at every place that takes words, used in every way there is.

use std::path::Path;

use serde_json::{Value, json};

use super::routes;
use crate::bytes::Wanted;
use crate::server::Server;
use crate::told::{Asker, RECALL, RETAIN, ids};
use crate::trial::{Chance, Trial};

/// Places that a receipt names at least, where they held something of it.
const PLACES: &[&str] = &[
    "ledger.memories",
    "ledger.evidence",
    "ledger.entities",
    "ledger.embeddings",
    "ledger.handed_out",
    "ledger.judgments",
    "ledger.receipts",
    "index",
    "free_pages",
];

pub(super) struct Marked {
    /// Every word that must go.
    words: Vec<String>,
    /// The rows that say them.
    pub(super) ids: Vec<String>,
    target: Value,
    /// The request with which it came.
    said: Value,
    /// A question that it answers.
    question: String,
    /// Of whom it tells.
    user: Option<String>,
}

impl Marked {
    /// A memory with words at every place that a request to retain has; a shared one was drawn from a text that says
    /// something else too.
    pub(super) fn memory(trial: &mut Trial, server: &Server, shared: bool) -> Self {
        let words: Vec<String> = (0..6).map(|_| rare(&mut trial.chance)).collect();
        let fact = fact(&words[0], &words[1]);
        let more = if shared {
            " The stores of the tower are counted every Monday."
        } else {
            ""
        };
        let mut said = json!({
            "content": format!("{fact}{more}"),
            "metadata": { "note": format!("told by {}", words[2]) },
            "request_id": format!("erased-{:016x}", trial.chance.next()),
        });
        if !shared {
            said["tags"] = json!([words[3]]);
            said["custom_id"] = json!(words[4]);
            said["source"] = json!(words[5]);
        }
        let mut marked = Self {
            question: format!("What does keeper {} guard?", words[0]),
            words,
            ids: Vec::new(),
            target: Value::Null,
            said,
            user: None,
        };
        marked.is_said(trial, server);
        if let Some(id) = marked.ids.first() {
            marked.target = json!({ "memory": id });
        }
        marked.ids.truncate(1);
        marked.is_used(server);
        marked
    }

    /// A person of whom several things are told, in several ways.
    pub(super) fn person(trial: &mut Trial, server: &Server) -> Self {
        let words: Vec<String> = (0..8).map(|_| rare(&mut trial.chance)).collect();
        let user = words[7].to_ascii_lowercase();
        let texts: Vec<Value> = [(0, 1), (2, 3), (4, 5)]
            .into_iter()
            .map(|(who, what)| json!({ "content": fact(&words[who], &words[what]) }))
            .collect();
        let said = json!({
            "contents": texts,
            "user_id": user,
            "metadata": { "note": words[6] },
            "request_id": format!("erased-{:016x}", trial.chance.next()),
        });
        let mut marked = Self {
            question: format!("What does keeper {} guard?", words[0]),
            words,
            ids: Vec::new(),
            target: json!({ "container": "workspace", "user": user }),
            said,
            user: Some(user),
        };
        marked.is_said(trial, server);
        marked.is_used(server);
        marked
    }

    fn is_said(&mut self, trial: &mut Trial, server: &Server) {
        let (status, answer) = Asker::agent(server).ask(RETAIN, &self.said);
        self.ids = ids(&answer);
        if status != 200 || self.ids.is_empty() {
            trial.broken(format!("what is to be erased was not taken: {status}"));
        }
    }

    /// Recalled, put into a prompt, answered with, said again, echoed, and looked at as a case.
    fn is_used(&self, server: &Server) {
        let user = self.user.as_deref();
        let mut agent = Asker::agent(server);
        let route = |name: &str| format!("/api/v2/containers/workspace/{name}");
        let question = &self.question;
        let fact = fact(&self.words[0], &self.words[1]);
        agent.ask(RECALL, &json!({ "query": question, "user_id": user }));
        let turn = json!({ "user_message": question, "user_id": user });
        agent.ask(&route("agent/context"), &turn);
        agent.ask(
            &route("reflect"),
            &json!({ "query": question, "user_id": user }),
        );
        let echo = json!({
            "user_message": fact,
            "assistant_response": fact,
            "observed_facts": [fact],
            "user_id": user,
        });
        agent.ask(&route("agent/writeback"), &echo);
        agent.ask(RETAIN, &json!({ "content": fact, "user_id": user }));
        for id in &self.ids {
            agent.look(&format!("/api/v1/memories/{id}/courtroom?include_ai=true"));
        }
    }

    fn shown(&self, trial: &mut Trial, server: &Server) -> Vec<String> {
        let asked = (self.question.as_str(), self.user.as_deref());
        routes::showing(trial, server, &self.wanted(), &self.ids, asked)
    }

    /// Before it is erased it is where it will be looked for.
    fn is_seen(&self, trial: &mut Trial, server: &Server) {
        let shown = self.shown(trial, server);
        for route in ["/memories?", "/export?", "/recall", "/courtroom"] {
            if !shown.iter().any(|it| it.contains(route)) {
                trial.broken(format!("what is to be erased is not seen at {route}"));
            }
        }
        if self.wanted().found_below(&server.folder).is_empty() {
            trial.broken("what is to be erased is not seen in the folder");
        }
    }

    /// It is erased, and the receipt names every place.
    pub(super) fn is_erased(&self, trial: &mut Trial, server: &Server) {
        self.is_seen(trial, server);
        let body = json!({
            "target": self.target,
            "dry_run": false,
            "reason": "data_subject_request",
        });
        let (status, receipt) = Asker::operator(server).ask("/api/v1/admin/erasures", &body);
        trial.fault();
        if status != 200 {
            trial.broken(format!("the erasure was answered {status}: {receipt}"));
        }
        let places = receipt["places"].as_array();
        let names: Vec<&str> = places
            .into_iter()
            .flatten()
            .filter_map(|place| place["place"].as_str())
            .collect();
        for place in PLACES {
            let cut = *place == "ledger.evidence" && names.contains(&"ledger.evidence_cut");
            if !names.contains(place) && !cut {
                trial.broken(format!("the receipt does not name {place}, but {names:?}"));
            }
        }
        for id in &self.ids {
            if !receipt["memory_ids"].to_string().contains(id.as_str()) {
                trial.broken("the receipt does not name the memory");
            }
        }
    }

    pub(super) fn wanted(&self) -> Wanted {
        Wanted::windows(self.words.iter().map(String::as_str))
    }

    /// Nothing of it is in an answer, in the folder, or in the log of the server.
    pub(super) fn is_gone(&self, trial: &mut Trial, server: &Server) {
        for found in self.shown(trial, server) {
            trial.leaked(found);
        }
        self.is_in_no_byte_of(trial, &server.folder);
    }

    pub(super) fn is_in_no_byte_of(&self, trial: &mut Trial, folder: &Path) {
        let wanted = self.wanted();
        for found in wanted.found_below(folder) {
            trial.leaked(found);
        }
        let log = std::fs::read(folder.with_extension("log")).unwrap_or_default();
        for found in wanted.found_in(&log) {
            trial.leaked(format!("`{found}` stands in the log of the server"));
        }
    }

    /// The same request sent again, as a client does that got no answer, brings nothing back.
    pub(super) fn does_not_come_back(&self, trial: &mut Trial, server: &Server) {
        let (_, answer) = Asker::agent(server).ask(RETAIN, &self.said);
        if !self
            .wanted()
            .found_in(answer.to_string().as_bytes())
            .is_empty()
        {
            trial.leaked(format!(
                "the answer to a repetition says it again: {answer}"
            ));
        }
        self.is_gone(trial, server);
    }
}

fn fact(who: &str, what: &str) -> String {
    format!("Keeper {who} guards the {what} lantern of the north tower.")
}

/// A word of letters that no other word here is made of, so that eight of them in a row are its own.
fn rare(chance: &mut Chance) -> String {
    const FIRST: &[char] = &['c', 'h', 'j', 'q', 'w', 'x', 'y'];
    const SECOND: &[char] = &['a', 'e', 'i', 'o', 'u'];
    let word: String = (0..7)
        .flat_map(|_| [*chance.one_of(FIRST), *chance.one_of(SECOND)])
        .collect();
    let (first, rest) = word.split_at(1);
    format!("{}{rest}", first.to_uppercase())
}
