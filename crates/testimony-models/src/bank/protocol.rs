//! The protocols that memory banks speak: where each is asked, what it is sent, and where in its answer memories stand.

use serde_json::{Value, json};
use testimony_domain::{Timestamp, words};
use testimony_service::ports::banks::{BankMemory, BankQuestion};

use crate::key::Shown;

words! {
    /// Which memory a bank is.
    pub enum BankProtocol {
        /// Another Testimony; a bank is a container there.
        Testimony = "testimony",
        /// Hindsight; a bank is one of its memory banks.
        Hindsight = "hindsight",
        /// The hosted mem0; a bank is a user there.
        Mem0 = "mem0",
        /// A mem0 server of one's own; a bank is a user there.
        Mem0Server = "mem0_server",
    }
}

/// What stands in a path for the name of the bank.
const BANK: &str = "{bank}";
/// How many tokens of memories are asked for where memories are not counted.
const TOKENS: u32 = 2_048;

/// How a protocol is spoken.
struct Dialect {
    /// The path behind the address, in which [`BANK`] is the bank.
    path: &'static str,
    /// How a credential is shown.
    shown: Shown,
    /// The members of a memory that can hold its words; the first that is there counts.
    text: &'static [&'static str],
    /// The members of a memory that can tell when it was said; the first that can be read counts.
    said: &'static [&'static str],
}

const TESTIMONY: Dialect = Dialect {
    path: "api/v2/containers/{bank}/recall",
    shown: Shown::BEARER,
    text: &["content"],
    said: &["observed_at"],
};

const HINDSIGHT: Dialect = Dialect {
    path: "v1/default/banks/{bank}/memories/recall",
    shown: Shown::BEARER,
    text: &["text"],
    said: &["mentioned_at", "occurred_start"],
};

const MEM0: Dialect = Dialect {
    path: "v3/memories/search/",
    shown: Shown {
        header: "authorization",
        before: "Token ",
    },
    text: &["memory"],
    said: &["updated_at", "created_at"],
};

const MEM0_SERVER: Dialect = Dialect {
    path: "search",
    shown: Shown {
        header: "x-api-key",
        before: "",
    },
    ..MEM0
};

impl BankProtocol {
    const fn dialect(self) -> Dialect {
        match self {
            Self::Testimony => TESTIMONY,
            Self::Hindsight => HINDSIGHT,
            Self::Mem0 => MEM0,
            Self::Mem0Server => MEM0_SERVER,
        }
    }

    pub(super) const fn shown(self) -> Shown {
        self.dialect().shown
    }

    /// The parts of the path at which a bank is asked.
    pub(super) fn path(self, bank: &str) -> impl Iterator<Item = &str> {
        let parts = self.dialect().path.split('/');
        parts.map(move |part| if part == BANK { bank } else { part })
    }

    /// The question as it is sent.
    pub(super) fn written(self, question: &BankQuestion<'_>, bank: &str) -> Value {
        let BankQuestion { text, limit, .. } = *question;
        match self {
            // Whatever its gates hold back is no word of that memory.
            Self::Testimony => json!({ "query": text, "limit": limit, "trust_policy": "balanced" }),
            Self::Hindsight => json!({
                "query": text, "max_tokens": TOKENS, "budget": "low", "include": { "entities": null },
            }),
            Self::Mem0 | Self::Mem0Server => {
                json!({ "query": text, "filters": { "user_id": bank }, "top_k": limit })
            }
        }
    }

    /// The memories of an answer, at most so many.
    ///
    /// # Errors
    /// Why it is no answer.
    pub fn read(self, bytes: &[u8], limit: usize) -> Result<Vec<BankMemory>, &'static str> {
        let body: Value = serde_json::from_slice(bytes).map_err(|_| "it is no JSON")?;
        let list = body.get("results").and_then(Value::as_array);
        let list = list.ok_or("it has no list of results")?;
        let dialect = self.dialect();
        let memories = list.iter().take(limit).map(|one| dialect.memory(one));
        memories.collect()
    }
}

impl Dialect {
    fn memory(&self, value: &Value) -> Result<BankMemory, &'static str> {
        let named = |names: &'static [&'static str]| {
            let members = names.iter().filter_map(|name| value.get(name));
            members.filter_map(Value::as_str)
        };
        let text = named(self.text).next();
        Ok(BankMemory {
            id: named(&["id"]).next().unwrap_or_default().to_owned(),
            text: text.ok_or("a result has no words")?.to_owned(),
            observed_at: named(self.said).find_map(instant),
        })
    }
}

/// An instant; one that names no zone is taken for UTC, as these servers mean it.
fn instant(text: &str) -> Option<Timestamp> {
    let said = text.parse().or_else(|_| format!("{text}Z").parse());
    said.ok()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const QUESTION: BankQuestion<'static> = BankQuestion {
        text: "Mara works at the observatory.",
        limit: 2,
        deadline: Duration::from_secs(5),
    };

    #[test]
    fn every_protocol_is_written_as_its_servers_speak_it() {
        let path = |protocol: BankProtocol| protocol.path("mine").collect::<Vec<_>>().join("/");
        let paths: Vec<String> = BankProtocol::ALL.iter().copied().map(path).collect();
        assert_eq!(
            paths,
            [
                "api/v2/containers/mine/recall",
                "v1/default/banks/mine/memories/recall",
                "v3/memories/search/",
                "search",
            ]
        );
        for protocol in BankProtocol::ALL {
            let body = protocol.written(&QUESTION, "mine");
            assert_eq!(body["query"], QUESTION.text, "{protocol}");
        }
        let body = BankProtocol::Mem0.written(&QUESTION, "mine");
        assert_eq!(body["filters"], json!({ "user_id": "mine" }));
        assert_eq!(body["top_k"], 2);
    }

    #[test]
    fn every_protocol_is_read_as_its_servers_speak_it() {
        for (protocol, answer) in [
            (
                BankProtocol::Testimony,
                json!({ "id": "mem_1", "content": "It is so.", "observed_at": "2026-01-02T03:04:05Z" }),
            ),
            (
                BankProtocol::Hindsight,
                json!({ "id": "mem_1", "text": "It is so.", "type": "world", "occurred_start": null,
                    "mentioned_at": "2026-01-02T03:04:05" }),
            ),
            (
                BankProtocol::Mem0,
                json!({ "id": "mem_1", "memory": "It is so.", "updated_at": null,
                    "created_at": "2026-01-01T19:04:05-08:00" }),
            ),
            (
                BankProtocol::Mem0Server,
                json!({ "id": "mem_1", "memory": "It is so.", "updated_at": "2026-01-02T03:04:05+00:00" }),
            ),
        ] {
            let body = json!({ "results": [answer] }).to_string();
            let expected = BankMemory {
                id: "mem_1".to_owned(),
                text: "It is so.".to_owned(),
                observed_at: "2026-01-02T03:04:05Z".parse().ok(),
            };
            assert_eq!(
                protocol.read(body.as_bytes(), 5),
                Ok(vec![expected]),
                "{protocol}"
            );
        }
    }

    #[test]
    fn what_is_no_list_of_memories_is_no_answer_and_no_more_are_read_than_were_asked_for() {
        for (body, wrong) in [
            ("no", "it is no JSON"),
            ("{}", "it has no list of results"),
            ("[{\"memory\": \"a\"}]", "it has no list of results"),
            ("{\"results\": [{\"id\": \"1\"}]}", "a result has no words"),
            ("{\"results\": [{\"memory\": 7}]}", "a result has no words"),
            ("{\"results\": [null]}", "a result has no words"),
        ] {
            assert_eq!(
                BankProtocol::Mem0.read(body.as_bytes(), 2),
                Err(wrong),
                "{body}"
            );
        }
        let many = json!({ "results": vec![json!({ "memory": "a" }); 40] }).to_string();
        assert_eq!(
            BankProtocol::Mem0.read(many.as_bytes(), 3).unwrap().len(),
            3
        );
    }
}
