//! A memory that is asked as its callers ask it: in this process, or over HTTP with a key.

use serde_json::{Map, Value};
use testimony::Testimony;
use testimony::access::KeyOrder;
use testimony::domain::{AgentId, ContainerTag, Principal, SourceClass};
use testimony::ports::ledger::audit::Actor;
use testimony_transport::local::{Ask, ask};

use super::client::{Client, post};

/// Where a running server is, and how to come in.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Elsewhere {
    /// Ask the server at this address, such as `http://127.0.0.1:8420`, instead of a memory of this process.
    #[arg(long, value_name = "URL", requires = "key")]
    url: Option<String>,
    /// The key of an agent there.
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// The container there.
    #[arg(long, value_name = "TAG", default_value = "workspace")]
    container: String,
}

/// A memory.
pub(crate) struct Asked {
    container: String,
    way: Way,
}

enum Way {
    Here(Box<Testimony>, Box<Principal>),
    There(Client, String),
}

impl Asked {
    /// A memory that was never written to; on a server, rooms are kept apart by their person.
    pub(crate) fn new(elsewhere: &Elsewhere) -> Self {
        let container = elsewhere.container.clone();
        let way = match (&elsewhere.url, &elsewhere.key) {
            (Some(url), Some(key)) => {
                let address = url.trim_start_matches("http://").trim_end_matches('/');
                Way::There(Client::to(address), key.clone())
            }
            _ => here(&container),
        };
        Self { container, way }
    }

    /// The memory of this process and who asks it, to look behind its answers.
    pub(crate) fn here(&self) -> Option<(&Testimony, &Principal, ContainerTag)> {
        let container = ContainerTag::new("container", &self.container).unwrap();
        match &self.way {
            Way::Here(memory, who) => Some((memory, who, container)),
            Way::There(..) => None,
        }
    }

    /// Asks a route of the container.
    pub(crate) fn ask(&mut self, route: &str, body: Map<String, Value>) -> Value {
        let path = format!("/api/v2/containers/{}/{route}", self.container);
        match &mut self.way {
            Way::Here(memory, who) => {
                let asked = Ask {
                    method: "POST",
                    path: &path,
                    input: body,
                    idempotency_key: None,
                };
                match ask(memory.service(), None, who.as_ref().clone(), &asked) {
                    Ok(reply) => reply.into_json(),
                    Err(problem) => problem.document("eval"),
                }
            }
            Way::There(client, key) => client.send(&post(key, &path, &Value::Object(body))).json(),
        }
    }
}

fn here(container: &str) -> Way {
    let memory = Testimony::open_in_memory().unwrap();
    let container = ContainerTag::new("container", container).unwrap();
    let agent = AgentId::new("agent", "listener").unwrap();
    let order = KeyOrder::agent("listener", container, agent, SourceClass::UserStatement);
    let service = memory.service();
    let key = service.make_key(Actor::Service, order).unwrap();
    let shown = key.credential.reveal();
    let who = service.authenticate(Some(&shown)).unwrap();
    Way::Here(Box::new(memory), Box::new(who))
}
