//! Items: what is to be remembered, as a text or an object, with what the whole request says of all of them.

use serde_json::{Map, Value};
use testimony_admission::claims::parse_observed_at;
use testimony_domain::{
    ExpiryHours, MemoryId, MemoryKind, MemoryScope, Plane, SourceClass, UserId,
};
use testimony_service::write::{BATCH, CONTENT, Item};

use super::common::{SPEAKER, TAGS};
use super::fault::{Fault, Notice, Pointer};
use super::field::{Effect, Field, Form, Kind, Table, each, label};
use super::reader::{Log, Object, check};

/// The greatest number of items of one list.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the bound of a batch is whole and small"
)]
pub(crate) const MOST_ITEMS: usize = BATCH.max as usize;
/// The greatest number of ids that one field names.
const MOST_IDS: usize = 100;

/// Under this name what is only recorded stands in the metadata of evidence.
pub const RECORDED: &str = "_recorded";

const NEVER_RAISES: &str =
    "What becomes of a memory is decided by who says it and what supports it, never by the body.";
/// Why a field is only kept.
pub(crate) const KEPT: &str = "It is kept with the evidence; nothing is decided by it.";

/// A field that can raise nothing.
pub(crate) const fn never_raises(name: &'static str, kind: Kind, note: &'static str) -> Field {
    Field::new(name, kind, note).ignored(NEVER_RAISES)
}

/// What ids of memories look like.
pub(crate) const MEMORY_ID: Kind = Kind::Form(Form {
    like: "mem_ and 32 hexadecimal digits",
    check: |_, text| text.parse::<MemoryId>().map(drop),
});

const SAID_AT: Kind = Kind::Form(Form {
    like: "2023-05-08T13:56:00Z, 2023-05-08, or 1:56 pm on 8 May, 2023",
    check: |_, text| parse_observed_at(text).map(drop),
});

/// What an item is called by.
pub(crate) const ITEM_CONTENT: Field =
    Field::new("content", Kind::Text(&CONTENT), "What is to be remembered.");

/// What stands beside the content, in an item and, for all of them, in the request.
#[rustfmt::skip]
pub(crate) const BESIDE: &[Field] = &[
    Field::new("memory_type", Kind::Word(MemoryKind::WORDS), "What kind of memory it is."),
    Field::new("memory_plane", Kind::Word(Plane::WORDS), "The plane; `working` is private to the key's agent."),
    Field::new("memory_scope", Kind::Word(MemoryScope::WORDS), "The scope; `agent` is private to the key's agent, `session` to the run."),
    Field::new("source_type", label!(SourceLabel), "The class of its source; it can only lower that of the key."),
    Field::new("source_ref", label!(SourceRef), "The document or message that it was taken from."),
    Field::new("tags", TAGS, "Words by which it is filtered."),
    Field::new("metadata", Kind::Object, "What is to be kept with its evidence; no secrets."),
    Field::new("custom_id", label!(CustomId), "The caller's own id of it; sent again with another content it is a revision."),
    Field::new("observed_at", SAID_AT, "When it was said; also read from `metadata.observed_at`."),
    SPEAKER,
    Field::new("expires_in_hours", Kind::Number("ExpiryHours"), "After how many hours it expires."),
    Field::new("supersedes", Kind::OneOrMore(&MEMORY_ID, MOST_IDS), "Memories that it replaces."),
    Field::new("retracts", Kind::OneOrMore(&MEMORY_ID, MOST_IDS), "Memories that it takes back."),
    Field::new("evidence", Kind::Text(&CONTENT), "The words that it was drawn from."),
    never_raises("confidence", Kind::Number("Score"), "How sure the caller is."),
];

const OWN_USER: Field = Field::new(
    "user_id",
    label!(UserId),
    "The person it is about or for, where the request leaves it open.",
);
/// A caller's own trust in an item.
pub(crate) const TRUST_SCORE: Field = never_raises(
    "trust_score",
    Kind::Number("Score"),
    "How far the caller would trust it.",
);

/// Where an item came from.
pub(crate) const SOURCE: Field = Field::new(
    "source",
    label!(SourceLabel),
    "Where it came from, in the caller's words.",
);

/// The fields of an item.
pub const ITEM: Table = &[
    &[ITEM_CONTENT.required(), SOURCE, OWN_USER, TRUST_SCORE],
    BESIDE,
];

/// A list of items.
pub(crate) const ITEMS: Kind = Kind::List(&Kind::Item(ITEM), MOST_ITEMS);

/// Items of one field; those that are wrong keep their place, empty, so that the others keep theirs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Items {
    /// The items.
    pub items: Vec<Item>,
    /// What is wrong with those that are.
    pub wrong: Vec<(usize, Vec<Fault>)>,
}

impl Items {
    /// Whether there are items, and none of them can be read.
    #[must_use]
    pub fn is_all_wrong(&self) -> bool {
        !self.items.is_empty() && self.wrong.len() == self.items.len()
    }
}

/// What stands beside a content, in an item or in the request.
pub(crate) fn beside(object: &Object<'_>, log: &mut Log) -> Item {
    let text = |name: &str| object.owned(name);
    let ids =
        |name: &str, log: &mut Log| object.list(name, log, |_, text| text.parse::<MemoryId>());
    Item {
        content: String::new(),
        kind: object.read("memory_type", log, MemoryKind::parse),
        plane: object.read("memory_plane", log, Plane::parse),
        scope: object.read("memory_scope", log, MemoryScope::parse),
        source: text("source"),
        class: class(object, log),
        source_ref: text("source_ref"),
        tags: object.texts("tags").map(str::to_owned).collect(),
        metadata: object.object("metadata").cloned(),
        custom_id: text("custom_id"),
        observed_at: object
            .read("observed_at", log, |_, text| parse_observed_at(text))
            .or_else(|| said_at_of_metadata(object, log)),
        speaker: text("speaker"),
        user: None,
        expires_in: object.number("expires_in_hours", log, ExpiryHours::new),
        supersedes: ids("supersedes", log),
        retracts: ids("retracts", log),
        excerpt: text("evidence"),
    }
}

/// The class that is asked for. Other words are the caller's own and lower nothing.
fn class(object: &Object<'_>, log: &mut Log) -> Option<SourceClass> {
    let text = object.text("source_type")?;
    let class = SourceClass::parse("source_type", text).ok();
    if class.is_none() {
        let detail = "It is none of the classes of sources, so it lowers nothing.";
        log.warn(Notice::WithoutEffect, object.pointer("source_type"), detail);
    }
    class
}

fn said_at_of_metadata(object: &Object<'_>, log: &mut Log) -> Option<testimony_domain::Timestamp> {
    let text = object.object("metadata")?.get("observed_at")?.as_str()?;
    let said = parse_observed_at(text).ok();
    if said.is_none() {
        let at = object.pointer("metadata").below("observed_at");
        let detail = "It is no date that can be read, so it counts as said now.";
        log.warn(Notice::WithoutEffect, at, detail);
    }
    said
}

/// Reads the items of a field, each by itself.
pub(crate) fn items(object: &Object<'_>, name: &str, base: &Base, log: &mut Log) -> Items {
    let at = object.pointer(name);
    // A list that is no list, or too long, was complained about as a whole.
    let list = object.value(name).and_then(Value::as_array);
    let list = list.filter(|_| !log.faults.iter().any(|fault| fault.pointer == at));
    let mut items = Items::default();
    for (index, value) in list.into_iter().flatten().enumerate() {
        let mut own = Log::default();
        let item = item(value, &at.below(index), base, &mut own);
        log.warnings.append(&mut own.warnings);
        for idle in own.idle {
            if !log.idle.contains(&idle) {
                log.idle.push(idle);
            }
        }
        if own.faults.is_empty() {
            items.items.push(item);
        } else {
            items.items.push(Item::default());
            items.wrong.push((index, own.faults));
        }
    }
    items
}

fn item(value: &Value, at: &Pointer, base: &Base, log: &mut Log) -> Item {
    match value {
        Value::String(content) => {
            check(&ITEM_CONTENT.kind, at, value, log);
            base.under(Item::of(content), Map::new())
        }
        Value::Object(values) => {
            let object = Object::checked(values, at, ITEM, log);
            let own = Item {
                content: object.owned("content").unwrap_or_default(),
                user: object.read("user_id", log, UserId::new),
                ..beside(&object, log)
            };
            base.under(own, recorded(&object, ITEM))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {
            check(&Kind::Item(ITEM), at, value, log);
            Item::default()
        }
    }
}

/// What the request says of all its items.
#[derive(Clone, Debug, Default)]
pub(crate) struct Base {
    pub(crate) item: Item,
    pub(crate) recorded: Map<String, Value>,
}

impl Base {
    /// Reads what a request says of all its items.
    pub(crate) fn of(object: &Object<'_>, fields: Table, log: &mut Log) -> Self {
        Self {
            item: beside(object, log),
            recorded: recorded(object, fields),
        }
    }

    /// The request's one content, with all that is said of it.
    pub(crate) fn alone(&self, content: &str) -> Item {
        let item = Item {
            content: content.to_owned(),
            ..self.item.clone()
        };
        self.noting(item, Map::new())
    }

    /// An item with what the request says of all of them.
    fn under(&self, item: Item, recorded: Map<String, Value>) -> Item {
        // One id of the caller's names one row.
        let shared = Item {
            custom_id: None,
            ..self.item.clone()
        };
        self.noting(item.inheriting(&shared), recorded)
    }

    fn noting(&self, mut item: Item, own: Map<String, Value>) -> Item {
        let mut all = self.recorded.clone();
        all.extend(own);
        if !all.is_empty() {
            let metadata = item.metadata.get_or_insert_default();
            metadata.entry(RECORDED).or_insert(Value::Object(all));
        }
        item
    }
}

/// The fields that came and are only recorded.
pub(crate) fn recorded(object: &Object<'_>, fields: Table) -> Map<String, Value> {
    let only = each(fields).filter(|field| matches!(field.effect, Effect::Recorded(_)));
    only.filter_map(|field| Some((field.name.to_owned(), object.value(field.name)?.clone())))
        .collect()
}

/// Fields that no item of a batch takes from its request, since each is about one row.
pub(crate) fn warn_about_shared(object: &Object<'_>, log: &mut Log) {
    for name in ["custom_id", "supersedes", "retracts", "evidence"] {
        if object.value(name).is_some() {
            let detail = "It is about one row; send it in the item that it belongs to.";
            log.warn(Notice::WithoutEffect, object.pointer(name), detail);
        }
    }
}
