//! What stands beside the content of an item: scanned for secrets as content is, and kept as what is left of it.

use serde_json::{Map, Value};
use testimony_admission::submission::Field;
use testimony_domain::{CustomId, Invalid, Problem, Redacted, SourceLabel, SourceRef, Tag};

use super::item::{Item, METADATA, MOST_IN_METADATA};

/// Where a text stands beside the content.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Spot {
    name: String,
    text: String,
}

/// The texts beside the content of an item, in a fixed order.
#[derive(Clone, Debug, Default)]
pub(super) struct Beside(Vec<Spot>);

/// What is kept beside a content.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Labels {
    pub(super) source: SourceLabel,
    pub(super) source_ref: Option<SourceRef>,
    pub(super) custom_id: Option<CustomId>,
    pub(super) tags: Vec<Tag>,
    pub(super) metadata: Option<String>,
}

impl Beside {
    /// The texts of an item, each checked as what it is to become.
    pub(super) fn of(item: &Item, default_source: &str) -> Result<Self, Vec<Invalid>> {
        let mut beside = Self::default();
        let mut wrong = Vec::new();
        let source = item.source.as_deref().unwrap_or(default_source);
        wrong.extend(SourceLabel::new("source", source).err());
        beside.add("/source", source);
        if let Some(text) = &item.source_ref {
            wrong.extend(SourceRef::new("source_ref", text).err());
            beside.add("/source_ref", text);
        }
        if let Some(text) = &item.custom_id {
            wrong.extend(CustomId::new("custom_id", text).err());
            beside.add("/custom_id", text);
        }
        for (at, text) in item.tags.iter().enumerate() {
            wrong.extend(Tag::new(&format!("tags/{at}"), text).err());
            beside.add(&format!("/tags/{at}"), text);
        }
        if let Some(text) = &item.excerpt {
            beside.add("/evidence", text);
        }
        if let Some(metadata) = &item.metadata {
            match check_size(metadata) {
                Ok(()) => each_text(metadata, METADATA_AT, &mut |name, text| {
                    beside.add(name, text);
                }),
                Err(invalid) => wrong.push(invalid),
            }
        }
        if wrong.is_empty() {
            Ok(beside)
        } else {
            Err(wrong)
        }
    }

    fn add(&mut self, name: &str, text: &str) {
        self.0.push(Spot {
            name: name.to_owned(),
            text: text.to_owned(),
        });
    }

    /// The texts as admission looks through them.
    pub(super) fn fields(&self) -> Vec<Field<'_>> {
        self.0.iter().map(Spot::as_field).collect()
    }

    /// What is left of an item's labels once secrets are out of them; `left` are the texts of [`Beside::fields`] without
    /// their secrets, in their order.
    pub(super) fn labels(
        &self,
        item: &Item,
        left: &[(String, Redacted)],
    ) -> Result<Labels, Invalid> {
        let mut texts = self
            .0
            .iter()
            .zip(left)
            .map(|(spot, (_, text))| (spot, text));
        let source = texts.next().map(|(_, text)| fitted(text, 256));
        let mut labels = Labels {
            source: SourceLabel::new("source", &source.unwrap_or_default())?,
            source_ref: None,
            custom_id: None,
            tags: Vec::new(),
            metadata: None,
        };
        let mut excerpt = None;
        let mut of_metadata = Vec::new();
        for (spot, text) in texts {
            match spot.name.as_str() {
                "/source_ref" => {
                    labels.source_ref = SourceRef::new("", &fitted(text, 2_048)).ok();
                }
                "/custom_id" => labels.custom_id = CustomId::new("", &fitted(text, 256)).ok(),
                "/evidence" => excerpt = Some(text.as_str().to_owned()),
                tag if tag.starts_with("/tags/") => {
                    labels.tags.extend(Tag::new("", &fitted(text, 128)).ok());
                }
                _ => of_metadata.push(text.as_str().to_owned()),
            }
        }
        labels.metadata = kept_metadata(item.metadata.as_ref(), of_metadata, excerpt);
        Ok(labels)
    }
}

impl Spot {
    fn as_field(&self) -> Field<'_> {
        Field {
            name: &self.name,
            text: &self.text,
        }
    }
}

/// A label that redaction made longer is cut to its bound; what stands for a secret is no secret.
fn fitted(text: &Redacted, max: usize) -> String {
    text.head(max).as_str().to_owned()
}

/// Where the texts of metadata stand.
const METADATA_AT: &str = "/metadata";
/// A way into metadata that is longer is told by its end: it is there for who reads a report, and is copied for each text.
const LONGEST_WAY: usize = 256;

/// Refuses metadata that is more than what it stands beside.
fn check_size(metadata: &Map<String, Value>) -> Result<(), Invalid> {
    let (mut texts, mut length) = (0_usize, 0_usize);
    each_text(metadata, METADATA_AT, &mut |_, text| {
        texts += 1;
        length += text.chars().count();
    });
    let max = METADATA.max as usize;
    if length > max {
        return Err(Invalid::new("metadata", Problem::TooLong { length, max }));
    }
    if texts > MOST_IN_METADATA {
        let (min, max) = (0.0, MOST_IN_METADATA as f64);
        return Err(Invalid::new("metadata", Problem::OutOfRange { min, max }));
    }
    Ok(())
}

/// The way to something within an object.
fn below(at: &str, name: &str) -> String {
    let way = format!("{at}/{name}");
    if way.len() <= LONGEST_WAY {
        return way;
    }
    let end: Vec<char> = way.chars().rev().take(LONGEST_WAY / 4).collect();
    let end: String = end.into_iter().rev().collect();
    format!("{METADATA_AT}/…{end}")
}

/// Calls `each` with every text of an object, names and values alike, in the order in which [`put_back`] takes them.
fn each_text(object: &Map<String, Value>, at: &str, each: &mut impl FnMut(&str, &str)) {
    for (name, value) in object {
        let here = below(at, name);
        each(&here, name);
        each_value(value, &here, each);
    }
}

fn each_value(value: &Value, at: &str, each: &mut impl FnMut(&str, &str)) {
    match value {
        Value::String(text) => each(at, text),
        Value::Object(object) => each_text(object, at, each),
        Value::Array(values) => {
            for (number, value) in values.iter().enumerate() {
                each_value(value, &below(at, &number.to_string()), each);
            }
        }
        // A number can be a secret as well as a text can: a card number, a one-time code.
        Value::Number(number) => each(at, &number.to_string()),
        Value::Null | Value::Bool(_) => {}
    }
}

/// The object with the texts that are left, as JSON, with the excerpt that the caller gave beside it.
fn kept_metadata(
    object: Option<&Map<String, Value>>,
    left: Vec<String>,
    excerpt: Option<String>,
) -> Option<String> {
    let mut left = left.into_iter();
    let kept = object.map(|object| put_back(object, &mut left));
    if kept.is_none() && excerpt.is_none() {
        return None;
    }
    let mut whole = kept.unwrap_or_default();
    if let Some(excerpt) = excerpt {
        whole.insert("evidence".to_owned(), Value::String(excerpt));
    }
    Some(Value::Object(whole).to_string())
}

fn put_back(
    object: &Map<String, Value>,
    left: &mut impl Iterator<Item = String>,
) -> Map<String, Value> {
    let mut kept = Map::new();
    for value in object.values() {
        let name = left.next().unwrap_or_default();
        let value = put_back_value(value, left);
        kept.insert(name, value);
    }
    kept
}

fn put_back_value(value: &Value, left: &mut dyn Iterator<Item = String>) -> Value {
    match value {
        Value::String(_) => Value::String(left.next().unwrap_or_default()),
        Value::Object(object) => {
            let mut left = left;
            Value::Object(put_back(object, &mut left))
        }
        Value::Array(values) => values
            .iter()
            .map(|value| put_back_value(value, left))
            .collect(),
        Value::Number(number) => {
            let text = left.next().unwrap_or_default();
            if text == number.to_string() {
                value.clone()
            } else {
                Value::String(text)
            }
        }
        Value::Null | Value::Bool(_) => value.clone(),
    }
}
