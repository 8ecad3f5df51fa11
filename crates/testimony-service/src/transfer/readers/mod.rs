//! What other services export, read as items: pure functions of their JSON.
//!
//! An item keeps the text, its date, the id that it had (as its `custom_id`, so that sending it again is known), the person
//! that it is about, and whatever else came with it as metadata.
//! What cannot become an item is named with the reason, so that nothing is lost without a word.

mod chatgpt;
mod hindsight;
mod mem0;
mod supermemory;

use serde_json::{Map, Value};
use testimony_domain::{CustomId, SourceClass, Tag, Timestamp, UserId, words};

use crate::write::Item;

words! {
    /// Where an export comes from.
    pub enum Origin {
        /// Memories of mem0, as its listing gives them.
        Mem0 = "mem0",
        /// Documents or memory entries of supermemory, as its listings give them.
        Supermemory = "supermemory",
        /// Memory units of a bank of Hindsight, as its listing gives them.
        Hindsight = "hindsight",
        /// `conversations.json` of an export of ChatGPT.
        ChatGpt = "chatgpt",
    }
}

/// What was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Read {
    /// What can be written.
    pub items: Vec<Item>,
    /// What cannot.
    pub left_out: Vec<LeftOut>,
}

/// Something of an export that does not become an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The id that it had there, if any.
    pub id: Option<String>,
    /// Why.
    pub reason: &'static str,
}

/// Reads an export, or a part of one: a list of some of its entries.
#[must_use]
pub fn read(origin: Origin, document: &Value) -> Read {
    let entry: fn(&Entry<'_>, &mut Read) = match origin {
        Origin::Mem0 => mem0::entry,
        Origin::Supermemory => supermemory::entry,
        Origin::Hindsight => hindsight::entry,
        Origin::ChatGpt => chatgpt::conversation,
    };
    let mut read = Read::default();
    for value in entries(origin, document) {
        match value.as_object() {
            Some(members) => entry(&Entry { members }, &mut read),
            None => read.leave_out(None, "It is no JSON object."),
        }
    }
    read
}

/// The names under which an export has the list of its entries.
const fn lists_of(origin: Origin) -> &'static [&'static str] {
    match origin {
        Origin::Mem0 => &["results", "memories"],
        Origin::Supermemory => &["memories", "documents", "memoryEntries", "results"],
        Origin::Hindsight => &["items", "results", "memories"],
        Origin::ChatGpt => &["conversations"],
    }
}

/// The entries of an export: a list, a list under one of its names, or one entry alone.
///
/// Some of them, as a list, are a part of the export that is read as the whole is.
#[must_use]
pub fn entries(origin: Origin, document: &Value) -> Vec<&Value> {
    let lists = lists_of(origin);
    let named = || lists.iter().find_map(|name| document.get(name)?.as_array());
    match document.as_array().or_else(named) {
        Some(list) => list.iter().collect(),
        None => vec![document],
    }
}

impl Read {
    fn leave_out(&mut self, id: Option<String>, reason: &'static str) {
        self.left_out.push(LeftOut { id, reason });
    }

    /// Takes an item whose text says something.
    fn take(&mut self, item: Item) {
        if item.content.trim().is_empty() {
            self.leave_out(item.custom_id, "It has no text.");
        } else {
            self.items.push(item);
        }
    }
}

/// An entry of an export.
struct Entry<'v> {
    members: &'v Map<String, Value>,
}

impl<'v> Entry<'v> {
    fn value(&self, name: &str) -> Option<&'v Value> {
        self.members.get(name).filter(|value| !value.is_null())
    }

    fn text(&self, name: &str) -> Option<&'v str> {
        let text = self.value(name)?.as_str()?;
        Some(text).filter(|text| !text.trim().is_empty())
    }

    /// The first of these members that has a text.
    fn first(&self, names: &[&str]) -> Option<&'v str> {
        names.iter().find_map(|name| self.text(name))
    }

    fn flag(&self, name: &str) -> Option<bool> {
        self.value(name)?.as_bool()
    }

    fn texts(&self, name: &str) -> Vec<&'v str> {
        let list = self.value(name).and_then(Value::as_array);
        let texts = list.into_iter().flatten().filter_map(Value::as_str);
        texts.collect()
    }

    /// An id, which some services write as a number.
    fn id(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| {
            let value = self.value(name)?;
            let number = value.as_i64().map(|number| number.to_string());
            value.as_str().map(str::to_owned).or(number)
        })
    }

    /// The first of these members that is a date.
    fn date(&self, names: &[&str]) -> Option<Timestamp> {
        names.iter().find_map(|name| date(self.value(name)?))
    }

    /// Tags as far as they can be some here.
    fn tags(&self, name: &str) -> Vec<String> {
        let kept = self.texts(name).into_iter();
        let kept = kept.filter(|text| Tag::new("tags", text).is_ok());
        kept.map(str::to_owned).collect()
    }

    /// What the caller kept beside the text, with these members of the entry itself.
    fn metadata(&self, names: &[&str]) -> Option<Map<String, Value>> {
        let own = self.value("metadata").and_then(Value::as_object);
        let mut metadata = own.cloned().unwrap_or_default();
        for name in names {
            if let Some(value) = self.value(name) {
                metadata.insert((*name).to_owned(), value.clone());
            }
        }
        (!metadata.is_empty()).then_some(metadata)
    }
}

/// A date in words, or in seconds since 1970.
fn date(value: &Value) -> Option<Timestamp> {
    if let Some(text) = value.as_str() {
        return testimony_admission::claims::parse_observed_at(text).ok();
    }
    let seconds = value.as_f64()?;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "beyond the range it saturates, and then it is no instant"
    )]
    Timestamp::from_microsecond((seconds * 1e6).round() as i64).ok()
}

/// The id that an entry had, as far as it can be one here.
///
/// It stands alone: beside the name of a service it would look like a key of that service, and be taken out.
fn custom_id(id: Option<&str>) -> Option<String> {
    let id = CustomId::new("custom_id", id?).ok()?;
    Some(id.to_string())
}

/// The person of an entry.
///
/// Where a name cannot be a label here the entry is left out: without a label everybody would see it.
fn person(text: Option<&str>) -> Result<Option<UserId>, &'static str> {
    let read = text.map(|text| UserId::new("user_id", text)).transpose();
    read.map_err(|_| "The name of its person cannot be a `user_id` here.")
}

/// The weaker of what its importer says of an export and what an entry says of itself.
pub(super) fn lowered(item: Item, class: SourceClass) -> Item {
    let class = item.class.map_or(class, |own| own.min(class));
    Item {
        class: Some(class),
        ..item
    }
}
