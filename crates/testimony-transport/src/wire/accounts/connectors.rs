//! Connector tokens: what makes one, how one is sent, and what whoever exchanges one gets.

use std::time::Duration;

use serde_json::{Map, Value, json};
use testimony_domain::{
    Bound, Capability, ConnectorId, ConnectorMinutes, ContainerTag, PrincipalKind, SourceClass,
    Timestamp,
};
use testimony_service::access::{KeyOrder, NewConnector, NewKey};
use testimony_service::ports::ledger::Page;
use testimony_service::ports::ledger::accounts::KeyRecord;
use testimony_service::ports::ledger::connectors::ConnectorToken;

use super::clients::{Client, KINDS};
use super::keys::{GRANT, KEY, LIFE, allowance, grant, in_future, reached, sent as sent_key};
use crate::wire::Notes;
use crate::wire::fault::{Fault, Pointer};
use crate::wire::field::{Field, Kind, Table};
use crate::wire::page::{PAGE, page};
use crate::wire::reader::{Log, Object};
use crate::wire::shape::{Member, Shape};

testimony_domain::words! {
    /// How a connector token stands.
    pub enum Standing {
        /// It can be exchanged.
        Open = "open",
        /// It was exchanged.
        Used = "used",
        /// It was withdrawn.
        Withdrawn = "withdrawn",
        /// Its time is over.
        Ended = "ended",
    }
}

/// What makes a connector token.
pub const MAKE: Table = &[
    &[Field::new(
        "minutes",
        Kind::Whole("ConnectorMinutes"),
        "For how long it can be exchanged.",
    )
    .or(|| ConnectorMinutes::default().get().into())],
    GRANT,
    LIFE,
];

/// Which part of the list is wanted.
pub const LIST: Table = &[PAGE];

const CLIENT: Bound = Bound {
    name: "client",
    min: 1.0,
    max: 128.0,
    default: None,
    unit: "characters",
    meaning: "What kind of client connects.",
};

/// What exchanges a connector token.
pub const EXCHANGE: Table = &[&[Field::new(
    "client",
    Kind::Text(&CLIENT),
    "What kind of client connects; one that is not known gets the usual form.",
)
.required()]];

/// Reads what makes a connector token, and for how long it can be exchanged.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_new(
    body: &Map<String, Value>,
    now: Timestamp,
) -> Result<((KeyOrder, Duration), Notes), Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(body, &root, MAKE, &mut log);
    let usual = SourceClass::AgentObservation;
    let minutes = object.whole("minutes", &mut log, ConnectorMinutes::new);
    let order = KeyOrder {
        name: object
            .owned("name")
            .unwrap_or_else(|| "connector".to_owned()),
        expires_at: in_future(&object, now, &mut log),
        allowance: allowance(&object, &mut log),
        ..grant(&object, PrincipalKind::Connector, usual, &mut log)
    };
    let life = Duration::from_secs(60 * u64::from(minutes.unwrap_or_default().get()));
    log.end((order, life))
}

/// Reads which part of the list is wanted.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_list(query: &Map<String, Value>) -> Result<(Page<ConnectorId>, Notes), Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(query, &root, LIST, &mut log);
    let page = page(&object, &mut log, |_, text| text.parse());
    log.end(page)
}

/// Reads what kind of client connects.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_exchange(body: &Map<String, Value>) -> Result<(Client, Notes), Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(body, &root, EXCHANGE, &mut log);
    let client = object.text("client").map_or_else(Client::other, Client::of);
    log.end(client)
}

/// A connector token as it is sent, without its words.
#[rustfmt::skip]
pub const CONNECTOR: &[Member] = &[
    Member::new("id", Shape::Id("con"), "Which."),
    Member::new("state", Shape::Word(Standing::WORDS), "How it stands."),
    Member::new("ends_at", Shape::Time, "Until when it can be exchanged."),
    Member::new("used_at", Shape::Maybe(&Shape::Time), "When it was exchanged."),
    Member::new("withdrawn_at", Shape::Maybe(&Shape::Time), "When it was withdrawn."),
    Member::new("becomes", Shape::Object(KEY), "The key that it is exchanged for."),
];

/// A part of the list of connector tokens.
#[rustfmt::skip]
pub const CONNECTORS: &[Member] = &[
    Member::new("items", Shape::List(&Shape::Object(CONNECTOR)), "Connector tokens in the order in which they were made."),
    Member::new("next", Shape::Maybe(&Shape::Id("con")), "Where to go on."),
];

/// A connector token with its words.
#[rustfmt::skip]
pub const NEW: &[Member] = &[
    Member::new("id", Shape::Id("con"), "Which."),
    Member::new("token", Shape::Text, "The token. It is shown this once."),
    Member::new("path", Shape::Text, "Where a client sends `{\"client\": …}` to exchange it."),
    Member::new("record", Shape::Object(CONNECTOR), "What it is exchanged for, and until when."),
    Member::new("warnings", Shape::List(&Shape::Anything), "What is worth a word about the request."),
];

#[rustfmt::skip]
const ENDPOINT: &[Member] = &[
    Member::new("url", Shape::Text, "Where the client sends its calls."),
    Member::new("transport", Shape::Word(&["http"]), "How."),
    Member::new("headers", Shape::Map(&Shape::Text), "What it sends with each."),
];

#[rustfmt::skip]
const CONFIGURATION: &[Member] = &[
    Member::new("file", Shape::Text, "Where the client keeps it."),
    Member::new("format", Shape::Word(&["json", "toml"]), "How it is written there."),
    Member::new("text", Shape::Text, "What to write there."),
    Member::new("command", Shape::Maybe(&Shape::Text), "What to type instead, where the client has a command."),
];

/// What whoever exchanges a connector token gets.
#[rustfmt::skip]
pub const EXCHANGED: &[Member] = &[
    Member::new("id", Shape::Id("key"), "Which key."),
    Member::new("key", Shape::Text, "The key, with its secret. It is shown this once."),
    Member::new("container_tag", Shape::Maybe(&Shape::Text), "The one container that the key reaches, where it is one."),
    Member::new("containers", Shape::List(&Shape::Text), "Where the key may act."),
    Member::new("capabilities", Shape::List(&Shape::Word(Capability::WORDS)), "What the key may do."),
    Member::new("expires_at", Shape::Maybe(&Shape::Time), "When the key ends."),
    Member::new("client", Shape::Word(KINDS), "The kind of client for which it was made ready."),
    Member::new("mcp", Shape::Object(ENDPOINT), "Where and how the client connects."),
    Member::new("configuration", Shape::Object(CONFIGURATION), "The same in the client's own form."),
];

/// A connector token as it is sent, without its words.
#[must_use]
pub fn sent(connector: &ConnectorToken, now: Timestamp) -> Value {
    let standing = if connector.used_at.is_some() {
        Standing::Used
    } else if connector.withdrawn_at.is_some() {
        Standing::Withdrawn
    } else if connector.is_open(now) {
        Standing::Open
    } else {
        Standing::Ended
    };
    json!({
        "id": connector.id.to_string(),
        "state": standing.as_str(),
        "ends_at": connector.ends_at.to_string(),
        "used_at": connector.used_at.map(|at| at.to_string()),
        "withdrawn_at": connector.withdrawn_at.map(|at| at.to_string()),
        "becomes": sent_key(&connector.key),
    })
}

/// A connector token that was just made: the one answer that holds its words.
#[must_use]
pub fn shown(new: &NewConnector, now: Timestamp) -> Value {
    json!({
        "id": new.record.id.to_string(),
        "token": new.token,
        "path": format!("/mcp/connect/{}", new.token),
        "record": sent(&new.record, now),
    })
}

/// What whoever exchanges a connector token gets.
#[must_use]
pub fn exchanged(key: &NewKey, record: &KeyRecord, client: &Client, address: &str) -> Value {
    let principal = &record.principal;
    let (url, words) = (format!("{address}/mcp"), key.credential.reveal());
    let may: Vec<&str> = principal
        .capabilities
        .iter()
        .map(Capability::as_str)
        .collect();
    json!({
        "id": key.id.to_string(),
        "key": words,
        "container_tag": principal.containers.sole().map(ContainerTag::as_str),
        "containers": reached(&principal.containers),
        "capabilities": may,
        "expires_at": principal.expires_at.map(|at| at.to_string()),
        "client": client.kind,
        "mcp": {
            "url": url,
            "transport": "http",
            "headers": { "Authorization": format!("Bearer {words}") },
        },
        "configuration": client.configuration(&url, &words),
    })
}
