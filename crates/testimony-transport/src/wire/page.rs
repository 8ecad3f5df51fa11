//! Long lists: which part of one is wanted, and how a part is sent.

use serde_json::{Value, json};
use testimony_domain::{Bound, Invalid, PageLimit};
use testimony_service::ports::ledger::Page;

use super::field::{Field, Kind};
use super::reader::{Log, Object};

const AFTER: Bound = Bound {
    name: "after",
    min: 1.0,
    max: 256.0,
    default: None,
    unit: "characters",
    meaning: "The end of a part of a list.",
};

/// The fields by which a part is asked for.
#[rustfmt::skip]
pub const PAGE: &[Field] = &[
    Field::new("limit", Kind::Whole("PageLimit"), "How many rows at most.").or(|| PageLimit::default().get().into()),
    Field::new("after", Kind::Text(&AFTER), "Go on behind this one: the `next` of the part before."),
];

/// The part that is asked for.
pub fn page<Id>(
    object: &Object<'_>,
    log: &mut Log,
    read: impl FnOnce(&str, &str) -> Result<Id, Invalid>,
) -> Page<Id> {
    let limit = object
        .whole("limit", log, PageLimit::new)
        .unwrap_or_default();
    Page {
        after: object.read("after", log, read),
        limit: usize::try_from(limit.get()).unwrap_or(usize::MAX),
    }
}

/// A part as it is sent: its rows, and where to go on where there may be more.
pub fn sent<Id: ToString>(
    rows: impl IntoIterator<Item = Value>,
    page: &Page<Id>,
    last: Option<Id>,
) -> Value {
    let rows: Vec<Value> = rows.into_iter().collect();
    let next = last.filter(|_| rows.len() >= page.limit);
    json!({ "items": rows, "next": next.map(|id| id.to_string()) })
}
