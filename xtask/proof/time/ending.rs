//! Everything that ends by itself: a key, a connector token, the session of a browser, a memory.

use serde_json::json;

use super::{clock, key};
use crate::server::Server;
use crate::told::{Asker, RECALL, RETAIN, text, word};
use crate::trial::Trial;

const HOUR: i64 = 3_600;
const PASSWORD: &str = "a long sentence for the pier";

pub(super) struct Ending {
    key: String,
    connector: String,
    cookie: String,
    word: String,
}

impl Ending {
    /// A key alone.
    pub(super) const fn only(key: String) -> Self {
        Self {
            key,
            connector: String::new(),
            cookie: String::new(),
            word: String::new(),
        }
    }

    /// Each of them, to end within half a day.
    pub(super) fn made(trial: &mut Trial, server: &Server) -> Self {
        let mut operator = Asker::operator(server);
        let (_, connector) = operator.ask(
            "/api/v1/admin/connectors",
            &json!({ "minutes": 30, "name": "a client" }),
        );
        let word = word(&mut trial.chance);
        let told = json!({ "content": text(&word), "expires_in_hours": 6 });
        Asker::agent(server).ask(RETAIN, &told);
        let person =
            json!({ "name": format!("keeper {word}"), "password": PASSWORD, "role": "admin" });
        operator.ask("/api/v1/admin/people", &person);
        Self {
            key: key(server, Some(&clock::written(clock::now() + 6 * HOUR))),
            connector: connector["path"].as_str().unwrap_or_default().to_owned(),
            cookie: signed_in(&mut operator, &word),
            word,
        }
    }

    /// What of it still counts.
    fn counts(&self, server: &Server) -> Vec<&'static str> {
        let mut counts = Vec::new();
        let mut holder = Asker::with(server, self.key.clone());
        let recall =
            json!({ "query": format!("Where does colleague {} keep the spare key?", self.word) });
        let (status, _) = holder.ask(RECALL, &recall);
        if status != 401 {
            counts.push("the key");
        }
        let session = format!(
            "GET /api/v1/session HTTP/1.1\r\nHost: localhost\r\nCookie: {}\r\n\r\n",
            self.cookie
        );
        let session = server.client().send(session.as_bytes());
        if !self.cookie.is_empty() && !session.is_ok_and(|it| it.status == 401) {
            counts.push("the session");
        }
        let (_, found) = Asker::agent(server).ask(RECALL, &recall);
        if !self.word.is_empty() && found["results"].to_string().contains(&self.word) {
            counts.push("the memory");
        }
        counts
    }

    /// All of it counts, so that what follows means something.
    pub(super) fn still_counts(&self, trial: &mut Trial, server: &Server) {
        let counts = self.counts(server);
        if counts.len() != 3 {
            trial.broken(format!("before its end only {counts:?} counts"));
        }
    }

    /// Nothing of it counts any more, nor can the connector token be exchanged.
    pub(super) fn is_over(&self, trial: &mut Trial, server: &Server, when: &str) {
        for what in self.counts(server) {
            trial.leaked(format!("{what} counts {when}"));
        }
        if self.connector.is_empty() {
            return;
        }
        let client = json!({ "client": "claude-code" });
        let (status, _) = Asker::with(server, String::new()).ask(&self.connector, &client);
        if status != 404 {
            trial.leaked(format!("the connector token was answered {status} {when}"));
        }
    }
}

/// The cookie of a session.
fn signed_in(operator: &mut Asker, word: &str) -> String {
    let body = json!({ "name": format!("keeper {word}"), "password": PASSWORD });
    let answer = operator.post("/api/v1/session", &body);
    let cookie = answer.ok().and_then(|answer| {
        let cookie = answer.header("set-cookie")?;
        Some(cookie.split(';').next()?.to_owned())
    });
    cookie.unwrap_or_default()
}
