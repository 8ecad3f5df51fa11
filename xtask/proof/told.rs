//! What a memory was told, by whom, and how it is read back: what most scenarios begin and end with.

use std::collections::HashMap;
use std::io::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Answer, Client, get_as, post};
use crate::server::{Refused, Server};
use crate::trial::{Chance, Trial};

pub(crate) const RETAIN: &str = "/api/v2/containers/workspace/retain";
pub(crate) const RECALL: &str = "/api/v2/containers/workspace/recall";

/// How long an index may be behind its ledger.
const CATCHES_UP: Duration = Duration::from_secs(60);

/// Somebody with a key and a connection.
pub(crate) struct Asker {
    pub(crate) key: String,
    pub(crate) client: Client,
}

impl Asker {
    pub(crate) fn agent(server: &Server) -> Self {
        Self::with(server, server.first_key("agent_key"))
    }

    pub(crate) fn operator(server: &Server) -> Self {
        Self::with(server, server.first_key("operator_key"))
    }

    pub(crate) fn with(server: &Server, key: String) -> Self {
        let client = server.client();
        Self { key, client }
    }

    pub(crate) fn post(&mut self, path: &str, body: &Value) -> Result<Answer, Error> {
        self.client.send(&post(&self.key, path, body))
    }

    pub(crate) fn get(&mut self, path: &str) -> Result<Answer, Error> {
        self.client.send(&get_as(&self.key, path))
    }

    /// The status of an answer, 0 where none came, and what it says.
    pub(crate) fn ask(&mut self, path: &str, body: &Value) -> (u16, Value) {
        told(self.post(path, body))
    }

    pub(crate) fn look(&mut self, path: &str) -> (u16, Value) {
        told(self.get(path))
    }

    /// Waits until words that are read for the first time are at hand, so that what follows takes as long as it does.
    pub(crate) fn warm_up(&mut self) {
        drop(self.post(
            RETAIN,
            &json!({ "content": "The harbour office opens at nine." }),
        ));
    }
}

fn told(answer: Result<Answer, Error>) -> (u16, Value) {
    answer.map_or((0, Value::Null), |answer| (answer.status, answer.json()))
}

/// A request to retain, and what became of it.
pub(crate) struct Told {
    pub(crate) request_id: String,
    /// One distinctive word for each text.
    pub(crate) words: Vec<String>,
    /// The ids that were acknowledged; absent where no answer came.
    pub(crate) ids: Option<Vec<String>>,
}

impl Told {
    /// Something new to say.
    pub(crate) fn new(chance: &mut Chance, texts: usize) -> Self {
        Self {
            request_id: format!("told-{:016x}", chance.next()),
            words: (0..texts).map(|_| word(chance)).collect(),
            ids: None,
        }
    }

    pub(crate) fn body(&self) -> Value {
        let texts: Vec<Value> = self
            .words
            .iter()
            .map(|word| json!({ "content": text(word) }))
            .collect();
        json!({ "contents": texts, "request_id": self.request_id })
    }

    /// Says it, and keeps what came back.
    pub(crate) fn say(&mut self, asker: &mut Asker) -> Result<u16, Error> {
        let answer = asker.post(RETAIN, &self.body())?;
        if answer.status == 200 {
            self.ids = Some(ids(&answer.json()));
        }
        Ok(answer.status)
    }
}

/// What is said of a word.
pub(crate) fn text(word: &str) -> String {
    format!("Colleague {word} keeps the spare key in the third drawer.")
}

/// A word that nobody knows, of fourteen letters.
pub(crate) fn word(chance: &mut Chance) -> String {
    const FIRST: &[char] = &[
        'b', 'd', 'f', 'g', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'z',
    ];
    const SECOND: &[char] = &['a', 'e', 'i', 'o', 'u'];
    let word: String = (0..7)
        .flat_map(|_| [*chance.one_of(FIRST), *chance.one_of(SECOND)])
        .collect();
    let (first, rest) = word.split_at(1);
    format!("{}{rest}", first.to_uppercase())
}

/// The ids that an answer of retain acknowledges.
pub(crate) fn ids(answer: &Value) -> Vec<String> {
    let all = answer["committed_memory_ids"].as_array();
    let all = all.into_iter().flatten().filter_map(Value::as_str);
    all.map(str::to_owned).collect()
}

/// A folder is served again, or everything in it is lost.
pub(crate) fn again(trial: &mut Trial, folder: &Path) -> Option<Server> {
    match Server::start(trial.program, folder) {
        Ok(server) => Some(server),
        Err(Refused { said, .. }) => {
            trial.lost(format!("the server did not start again: {}", end(&said)));
            None
        }
    }
}

/// The end of a long text.
pub(crate) fn end(text: &str) -> String {
    let text = text.trim_end();
    let from = text.char_indices().rev().nth(300).map_or(0, |(at, _)| at);
    text.get(from..).unwrap_or_default().to_owned()
}

/// Every acknowledged id is there with what was said.
pub(crate) fn are_there(trial: &mut Trial, server: &Server, told: &[Told]) {
    let mut operator = Asker::operator(server);
    for told in told {
        let Some(ids) = &told.ids else { continue };
        if ids.len() != told.words.len() {
            trial.broken(format!(
                "{} ids were acknowledged for {} texts",
                ids.len(),
                told.words.len()
            ));
        }
        for (id, word) in ids.iter().zip(&told.words) {
            is_there(trial, &mut operator, id, word);
        }
    }
}

fn is_there(trial: &mut Trial, operator: &mut Asker, id: &str, word: &str) {
    let (status, found) = operator.look(&format!("/api/v1/admin/memories/{id}"));
    let content = found["memory"]["content"].as_str().unwrap_or_default();
    if status != 200 || content != text(word) {
        trial.lost(format!("{id} was acknowledged and is gone: {status}"));
        return;
    }
    let (status, _) = operator.look(&format!("/api/v1/memories/{id}/courtroom"));
    if status != 200 {
        trial.lost(format!("{id} was acknowledged and has no case: {status}"));
    }
}

/// What a list gives, part by part.
pub(crate) fn all(asker: &mut Asker, path: &str) -> Vec<Value> {
    let mut items = Vec::new();
    let mut after = String::new();
    loop {
        let (_, mut part) = asker.look(&format!("{path}{after}"));
        if let Some(part) = part["items"].as_array_mut() {
            items.append(part);
        }
        let Some(next) = part["next"].as_str() else {
            return items;
        };
        after = format!("&after={next}");
    }
}

/// How often each of the words that are told of stands in a row.
pub(crate) fn counted(server: &Server) -> HashMap<String, usize> {
    let path = "/api/v1/admin/containers/workspace/memories?limit=500";
    let mut counts = HashMap::new();
    for row in all(&mut Asker::operator(server), path) {
        let content = row["content"].as_str().unwrap_or_default();
        if let Some(word) = content.split(' ').nth(1) {
            *counts.entry(word.to_owned()).or_default() += 1;
        }
    }
    counts
}

/// Nothing of what was said in one request is there without the rest of it, and nothing twice.
pub(crate) fn nothing_half(trial: &mut Trial, server: &Server, told: &[Told]) {
    let counts = counted(server);
    for told in told {
        let there = told.words.iter().filter(|word| counts.contains_key(*word));
        let there = there.count();
        if there != 0 && there != told.words.len() {
            trial.broken(format!(
                "of a request {there} of {} rows are there",
                told.words.len()
            ));
        }
        if told
            .words
            .iter()
            .any(|word| counts.get(word).is_some_and(|it| *it > 1))
        {
            trial.broken("a request that was sent again is there twice");
        }
    }
}

/// What the doctor finds, and nothing where all is well.
pub(crate) fn findings(server: &Server) -> Vec<String> {
    let mut operator = Asker::operator(server);
    looked_again(|| {
        let (status, found) = operator.ask("/api/v1/admin/doctor", &json!({}));
        if status == 200 {
            listed(&found)
        } else {
            vec![format!("the doctor answered {status}: {found}")]
        }
    })
}

/// What an examination lists.
pub(crate) fn listed(found: &Value) -> Vec<String> {
    let findings = found["findings"].as_array();
    let findings = findings.into_iter().flatten();
    findings.map(Value::to_string).collect()
}

/// Looks, and again as long as it is only said that the index is behind, which ends by itself.
pub(crate) fn looked_again(mut look: impl FnMut() -> Vec<String>) -> Vec<String> {
    let start = Instant::now();
    loop {
        let found = look();
        let behind = found.iter().all(|it| it.contains("\"kind\":\"behind\""));
        if found.is_empty() || !behind || start.elapsed() > CATCHES_UP {
            return found;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// The doctor finds nothing: the chain is whole, and ledger and index are one.
pub(crate) fn is_sound(trial: &mut Trial, server: &Server) {
    for finding in findings(server) {
        trial.broken(format!("the doctor found {finding}"));
    }
}
