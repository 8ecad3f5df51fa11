//! A room of its own for what is measured: a memory that was never written to, or, on a server, rows of a person of
//! their own. Every row has a name there, by which the measurement knows it again.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::memory::{Asked, Elsewhere};

/// A room.
pub(crate) struct Room {
    pub(crate) asked: Asked,
    pub(crate) person: String,
    /// By what recall is to order results anew.
    pub(crate) order: Option<String>,
    /// So many things are told with one request.
    pub(crate) told_at_once: usize,
    /// The name of every row, by its id.
    names: HashMap<String, String>,
}

impl Room {
    /// A room that nobody was in before; `label` begins the name of its person.
    pub(crate) fn new(elsewhere: &Elsewhere, label: &str) -> Self {
        let now = std::time::SystemTime::now();
        let since = now.duration_since(std::time::UNIX_EPOCH).unwrap();
        Self {
            asked: Asked::new(elsewhere),
            person: format!("{label}-{}", since.as_millis()),
            order: None,
            told_at_once: 100,
            names: HashMap::new(),
        }
    }

    /// Retains what is said, each under its name; as it stands, or drawn into claims.
    pub(crate) fn retain(&mut self, said: &[(String, Value)], extract: bool) {
        for part in said.chunks(self.told_at_once) {
            let items = part.iter().map(|(name, item)| {
                let mut item = item.clone();
                item["custom_id"] = json!(format!("{}/{name}", self.person));
                item
            });
            let items: Vec<Value> = items.collect();
            let body = json!({ "contents": items, "auto_extract": extract });
            let answer = self.ask("retain", body);
            for row in answer["memories"].as_array().into_iter().flatten() {
                let custom = row["custom_id"].as_str();
                let name = custom.and_then(|it| it.rsplit('/').next());
                if let Some((id, name)) = row["id"].as_str().zip(name) {
                    self.names.insert(id.to_owned(), name.to_owned());
                }
            }
        }
    }

    /// Asks a route as the room's person.
    pub(crate) fn ask(&mut self, route: &str, mut body: Value) -> Value {
        body["user_id"] = json!(self.person);
        if let Some(name) = self.order.as_ref().filter(|_| route == "recall") {
            body["rerank"] = json!(true);
            body["reranking_backend"] = json!(name);
        }
        let body = body.as_object().cloned();
        self.asked.ask(route, body.unwrap_or_else(Map::new))
    }

    /// How many rows there are.
    pub(crate) fn rows(&self) -> usize {
        self.names.len()
    }

    /// The name of a row.
    pub(crate) fn name(&self, id: &str) -> Option<&String> {
        self.names.get(id)
    }

    /// The names of the rows in a list of an answer; nothing for a row that the room did not retain.
    pub(crate) fn names(&self, answer: &Value, list: &str) -> Vec<Option<&String>> {
        let rows = answer[list].as_array().into_iter().flatten();
        let ids = rows.filter_map(|row| row["id"].as_str());
        ids.map(|id| self.name(id)).collect()
    }
}
