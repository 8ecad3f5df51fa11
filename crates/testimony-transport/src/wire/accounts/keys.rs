//! Keys: what makes, rotates and lists them, and how one is sent. A secret is sent once, by whoever makes it.

use serde_json::{Map, Value, json};
use testimony_domain::{
    AgentId, AgentScope, AppId, Bound, Capabilities, Capability, ContainerGrant, Invalid,
    ItemsPerDay, KeyId, Labels, OrgId, OverlapHours, PrincipalKind, Problem, RequestsPerMinute,
    RunId, SourceApp, SourceClass, Timestamp, UserId,
};
use testimony_service::access::{KeyOrder, NewKey};
use testimony_service::ports::ledger::Page;
use testimony_service::ports::ledger::accounts::{Allowance, KeyRecord};

use crate::wire::Notes;
use crate::wire::fault::{Fault, Notice, Pointer};
use crate::wire::field::{Field, Form, Kind, Table, label};
use crate::wire::page::{PAGE, page};
use crate::wire::reader::{Log, Object};
use crate::wire::shape::{Member, Shape};

const fn text(name: &'static str, max: f64, meaning: &'static str) -> Bound {
    Bound {
        name,
        min: 1.0,
        max,
        default: None,
        unit: "characters",
        meaning,
    }
}

const NAME: Bound = text("name", 256.0, "What the maker of a key calls it.");
const PATTERN: Bound = text("containers", 129.0, "A tag, or a prefix that ends in `*`.");
const TAGS: Kind = Kind::Text(&PATTERN);
const MOST_CONTAINERS: usize = 1_000;

/// What scoped keys can be given: everything but `admin`, which is for operators.
const SCOPED: &[&str] = match Capability::WORDS.split_last() {
    Some((_, scoped)) => scoped,
    None => &[],
};
const CAPABILITY: Kind = Kind::Word(SCOPED);

/// The kinds of key that can be made; the others are made by signing in, or are nobody's to make.
const KINDS: &[&str] = &[
    PrincipalKind::Agent.as_str(),
    PrincipalKind::Connector.as_str(),
    PrincipalKind::Operator.as_str(),
];

pub(crate) const INSTANT: Kind = Kind::Form(Form {
    like: "2027-01-31T00:00:00Z",
    check: |field, text| instant(field, text).map(drop),
});

pub(crate) fn instant(field: &str, text: &str) -> Result<Timestamp, Invalid> {
    let expected = "2027-01-31T00:00:00Z";
    text.parse()
        .map_err(|_| Invalid::new(field, Problem::Malformed { expected }))
}

/// What a key lets its holder do.
#[rustfmt::skip]
pub(crate) const GRANT: &[Field] = &[
    Field::new("containers", Kind::OneOrMore(&TAGS, MOST_CONTAINERS), "Where it may act: tags, made where there are none, or one prefix such as `user-*`."),
    Field::new("capabilities", Kind::List(&CAPABILITY, SCOPED.len()), "What it may do; everything that an agent does where nothing is said."),
    Field::new("source_app", label!(SourceApp), "The application that it is bound to."),
    Field::new("agent_id", label!(AgentId), "The agent that it is bound to."),
    Field::new("agent_scope", Kind::Word(AgentScope::WORDS), "Whether it sees what other agents of its containers keep to themselves.").or(|| AgentScope::Own.as_str().into()),
    Field::new("class", Kind::Word(SourceClass::WORDS), "Whose word it is."),
    Field::new("ceiling", Kind::Word(SourceClass::WORDS), "The strongest class that anything from it can have; its class where nothing is said."),
    Field::new("user_id", label!(UserId), "The person that it is fixed to."),
    Field::new("app_id", label!(AppId), "The application label that it is fixed to."),
    Field::new("org_id", label!(OrgId), "The organisation that it is fixed to."),
    Field::new("run_id", label!(RunId), "The run that it is fixed to."),
];

/// How a key is called, how long it lasts and how much it may be used.
#[rustfmt::skip]
pub(crate) const LIFE: &[Field] = &[
    Field::new("name", Kind::Text(&NAME), "What its maker calls it.").or(|| "key".into()),
    Field::new("expires_at", INSTANT, "When it ends; never where nothing is said."),
    Field::new("requests_per_minute", Kind::Whole("RequestsPerMinute"), "How many requests a minute it may make; without limit where nothing is said."),
    Field::new("items_per_day", Kind::Whole("ItemsPerDay"), "How many items it may hand in on a day of UTC; without limit where nothing is said."),
    Field::new("gateway_memory", Kind::Flag, "Whether the gateway brings memory into its requests that say nothing about memory.").or(|| false.into()),
];

/// What makes a key.
pub const MAKE: Table = &[
    &[Field::new(
        "kind",
        Kind::Word(KINDS),
        "What kind of key it is; an operator's reaches everything.",
    )
    .or(|| PrincipalKind::Agent.as_str().into())],
    GRANT,
    LIFE,
];

/// What rotates a key.
pub const ROTATE: Table = &[&[Field::new(
    "overlap_hours",
    Kind::Number("OverlapHours"),
    "For how many hours the old secret is good beside the new one.",
)
.or(|| OverlapHours::default().get().into())]];

/// Which part of the list is wanted.
pub const LIST: Table = &[PAGE];

/// Reads what makes a key.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_new(
    body: &Map<String, Value>,
    now: Timestamp,
) -> Result<(KeyOrder, Notes), Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(body, &root, MAKE, &mut log);
    let kind = object.read("kind", &mut log, PrincipalKind::parse);
    let kind = kind.unwrap_or(PrincipalKind::Agent);
    let order = if kind == PrincipalKind::Operator {
        operator(&object, &mut log)
    } else {
        grant(&object, kind, usual_class(kind), &mut log)
    };
    let order = KeyOrder {
        name: object.owned("name").unwrap_or_else(|| "key".to_owned()),
        expires_at: in_future(&object, now, &mut log),
        allowance: allowance(&object, &mut log),
        ..order
    };
    log.end(order)
}

/// How much it may be used, and how the gateway serves it.
pub(crate) fn allowance(object: &Object<'_>, log: &mut Log) -> Allowance {
    let requests = object.whole("requests_per_minute", log, RequestsPerMinute::new);
    let items = object.whole("items_per_day", log, ItemsPerDay::new);
    Allowance {
        requests_per_minute: requests.map(RequestsPerMinute::get),
        items_per_day: items.map(ItemsPerDay::get),
        gateway_memory: object.flag("gateway_memory").unwrap_or(false),
    }
}

/// The class of what a key says whose maker says nothing about it.
const fn usual_class(kind: PrincipalKind) -> SourceClass {
    match kind {
        PrincipalKind::Connector => SourceClass::AgentObservation,
        PrincipalKind::Agent
        | PrincipalKind::Person
        | PrincipalKind::Operator
        | PrincipalKind::Host => SourceClass::UserStatement,
    }
}

/// An operator's key reaches everything, so nothing of what it reaches can be said.
fn operator(object: &Object<'_>, log: &mut Log) -> KeyOrder {
    for field in GRANT {
        if object.value(field.name).is_some() {
            let detail = "An operator's key is bound to nothing; leave this out, or make a key of another kind.";
            log.fault(Fault::at(object.pointer(field.name), detail));
        }
    }
    KeyOrder::operator("key")
}

/// What a scoped key lets its holder do.
pub(crate) fn grant(
    object: &Object<'_>,
    kind: PrincipalKind,
    usual: SourceClass,
    log: &mut Log,
) -> KeyOrder {
    let class = object.read("class", log, SourceClass::parse);
    let class = class.unwrap_or(usual);
    let ceiling = object.read("ceiling", log, SourceClass::parse);
    let ceiling = ceiling.unwrap_or(class);
    if ceiling < class {
        let detail = "It is stronger than `ceiling`, which counts.";
        log.warn(Notice::WithoutEffect, object.pointer("class"), detail);
    }
    let agent_scope = object.read("agent_scope", log, AgentScope::parse);
    KeyOrder {
        name: String::new(),
        kind,
        containers: containers(object, log),
        capabilities: capabilities(object, log),
        source_app: object.read("source_app", log, SourceApp::new),
        agent: object.read("agent_id", log, AgentId::new),
        agent_scope: agent_scope.unwrap_or(AgentScope::Own),
        class,
        ceiling,
        labels: labels(object, log),
        expires_at: None,
        allowance: Allowance::default(),
    }
}

fn capabilities(object: &Object<'_>, log: &mut Log) -> Capabilities {
    let named = object.list("capabilities", log, Capability::parse);
    if object.value("capabilities").is_none() {
        return Capabilities::of(KeyOrder::OF_AN_AGENT);
    }
    if object.elements("capabilities").next().is_none() {
        let detail =
            "It is empty, so the key could do nothing; name capabilities, or leave it out.";
        log.fault(Fault::at(object.pointer("capabilities"), detail));
    }
    Capabilities::of(named)
}

fn labels(object: &Object<'_>, log: &mut Log) -> Labels {
    Labels {
        user: object.read("user_id", log, UserId::new),
        app: object.read("app_id", log, AppId::new),
        org: object.read("org_id", log, OrgId::new),
        run: object.read("run_id", log, RunId::new),
    }
}

fn containers(object: &Object<'_>, log: &mut Log) -> ContainerGrant {
    let patterns: Vec<&str> = object.texts("containers").collect();
    let nowhere = ContainerGrant::Listed(Vec::new());
    if patterns.is_empty() {
        let detail = "It is required; send a tag, a list of tags, or one prefix such as `user-*`.";
        log.fault(Fault::at(object.pointer("containers"), detail));
        return nowhere;
    }
    ContainerGrant::parse("containers", &patterns).unwrap_or_else(|wrong| {
        log.fault(Fault::of(&wrong));
        nowhere
    })
}

pub(crate) fn in_future(object: &Object<'_>, now: Timestamp, log: &mut Log) -> Option<Timestamp> {
    let end = object.read("expires_at", log, instant)?;
    if end <= now {
        let detail = "It is over already; send an instant that is to come.";
        log.fault(Fault::at(object.pointer("expires_at"), detail));
    }
    Some(end)
}

/// Reads for how many hours the old secret is good.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_rotation(body: &Map<String, Value>) -> Result<(OverlapHours, Notes), Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(body, &root, ROTATE, &mut log);
    let hours = object.number("overlap_hours", &mut log, OverlapHours::new);
    log.end(hours.unwrap_or_default())
}

/// Reads which part of the list is wanted.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_list(query: &Map<String, Value>) -> Result<(Page<KeyId>, Notes), Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(query, &root, LIST, &mut log);
    let page = page(&object, &mut log, |_, text| text.parse());
    log.end(page)
}

/// A key as it is sent, without its secrets.
#[rustfmt::skip]
pub const KEY: &[Member] = &[
    Member::new("id", Shape::Id("key"), "Which."),
    Member::new("name", Shape::Text, "What its maker calls it."),
    Member::new("kind", Shape::Word(PrincipalKind::WORDS), "What kind it is."),
    Member::new("containers", Shape::List(&Shape::Text), "Where it may act: tags, a prefix that ends in `*`, or `*` for everywhere."),
    Member::new("capabilities", Shape::List(&Shape::Word(Capability::WORDS)), "What it may do."),
    Member::new("source_app", Shape::Maybe(&Shape::Text), "The application that it is bound to."),
    Member::new("agent_id", Shape::Maybe(&Shape::Text), "The agent that it is bound to."),
    Member::new("agent_scope", Shape::Word(AgentScope::WORDS), "Whether it sees what other agents keep to themselves."),
    Member::new("class", Shape::Word(SourceClass::WORDS), "Whose word it is."),
    Member::new("ceiling", Shape::Word(SourceClass::WORDS), "The strongest class that anything from it can have."),
    Member::new("user_id", Shape::Maybe(&Shape::Text), "The person that it is fixed to."),
    Member::new("app_id", Shape::Maybe(&Shape::Text), "The application label that it is fixed to."),
    Member::new("org_id", Shape::Maybe(&Shape::Text), "The organisation that it is fixed to."),
    Member::new("run_id", Shape::Maybe(&Shape::Text), "The run that it is fixed to."),
    Member::new("expires_at", Shape::Maybe(&Shape::Time), "When it ends."),
    Member::new("requests_per_minute", Shape::Maybe(&Shape::Whole), "How many requests a minute it may make."),
    Member::new("items_per_day", Shape::Maybe(&Shape::Whole), "How many items it may hand in on a day."),
    Member::new("gateway_memory", Shape::Flag, "Whether the gateway brings memory into its requests that say nothing about memory."),
    Member::new("made_at", Shape::Time, "When it was made."),
    Member::new("made_by", Shape::Text, "By whom."),
    Member::new("revoked_at", Shape::Maybe(&Shape::Time), "When it was revoked."),
    Member::new("old_secret_until", Shape::Maybe(&Shape::Time), "Until when the secret is good that was rotated out."),
    Member::new("last_used_at", Shape::Maybe(&Shape::Time), "When it last read or changed something, as far as the last hundred thousand of each go; told of a key by itself.").at_times(),
];

/// A part of the list of keys.
#[rustfmt::skip]
pub const KEYS: &[Member] = &[
    Member::new("items", Shape::List(&Shape::Object(KEY)), "Keys in the order in which they were made."),
    Member::new("next", Shape::Maybe(&Shape::Id("key")), "Where to go on."),
];

/// A key with its secret.
#[rustfmt::skip]
pub const NEW: &[Member] = &[
    Member::new("id", Shape::Id("key"), "Which."),
    Member::new("key", Shape::Text, "The key, with its secret. It is shown this once."),
    Member::new("record", Shape::Object(KEY), "What it lets its holder do."),
    Member::new("warnings", Shape::List(&Shape::Anything), "What is worth a word about the request."),
];

/// A key as it is sent, without its secrets.
#[must_use]
pub fn sent(record: &KeyRecord) -> Value {
    let principal = &record.principal;
    let labels = &principal.labels;
    let may: Vec<&str> = principal
        .capabilities
        .iter()
        .map(Capability::as_str)
        .collect();
    let old = record
        .secrets
        .iter()
        .filter_map(|secret| secret.until)
        .max();
    json!({
        "id": principal.key.to_string(),
        "name": record.name,
        "kind": principal.kind.as_str(),
        "containers": reached(&principal.containers),
        "capabilities": may,
        "source_app": principal.source_app.as_ref().map(SourceApp::as_str),
        "agent_id": principal.agent.as_ref().map(AgentId::as_str),
        "agent_scope": principal.agent_scope.as_str(),
        "class": principal.class.as_str(),
        "ceiling": principal.ceiling.as_str(),
        "user_id": labels.user.as_ref().map(UserId::as_str),
        "app_id": labels.app.as_ref().map(AppId::as_str),
        "org_id": labels.org.as_ref().map(OrgId::as_str),
        "run_id": labels.run.as_ref().map(RunId::as_str),
        "expires_at": principal.expires_at.map(|at| at.to_string()),
        "requests_per_minute": record.allowance.requests_per_minute,
        "items_per_day": record.allowance.items_per_day,
        "gateway_memory": record.allowance.gateway_memory,
        "made_at": record.made.at.to_string(),
        "made_by": record.made.by.to_string(),
        "revoked_at": record.revoked_at.map(|at| at.to_string()),
        "old_secret_until": old.map(|at| at.to_string()),
    })
}

/// The same, with when it was last used.
pub(crate) fn sent_with_use(record: &KeyRecord, last: Option<Timestamp>) -> Value {
    let mut told = sent(record);
    if let Some(members) = told.as_object_mut() {
        let last = last.map(|at| at.to_string());
        members.insert("last_used_at".to_owned(), json!(last));
    }
    told
}

/// Where a credential may act, as its maker would write it.
pub(crate) fn reached(grant: &ContainerGrant) -> Vec<String> {
    match grant {
        ContainerGrant::Listed(tags) => tags.iter().map(ToString::to_string).collect(),
        ContainerGrant::Prefix(prefix) => vec![format!("{prefix}*")],
        ContainerGrant::All => vec!["*".to_owned()],
    }
}

/// A key that was just made or rotated: the one answer that holds its secret.
#[must_use]
pub fn shown(key: &NewKey, record: &KeyRecord) -> Value {
    json!({
        "id": key.id.to_string(),
        "key": key.credential.reveal(),
        "record": sent(record),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_admin_cannot_be_given_to_a_scoped_key() {
        let left_out: Vec<&&str> = Capability::WORDS
            .iter()
            .filter(|word| !SCOPED.contains(word))
            .collect();
        assert_eq!(left_out, [&Capability::Admin.as_str()]);
    }
}
