//! What operators and reviewers send and are told.

pub mod audit;
pub mod erasure;
pub mod jobs;
pub mod memories;
pub mod memory;
pub mod quarantine;
pub mod review;
pub mod statistics;
pub mod why;

pub(crate) use memory::memory as memory_row;

use testimony_domain::{Bound, KeyId};

use super::field::{Field, Form, Kind};
use super::reader::Object;
use super::shape::{Member, Shape};

/// A reason in somebody's own words.
pub const REASON: Bound = Bound {
    name: "reason",
    min: 1.0,
    max: 2_000.0,
    default: None,
    unit: "characters",
    meaning: "Why something was decided, in the words of whoever decided.",
};

/// Why something is done.
pub(crate) const WHY: Field = Field::new(
    "reason",
    Kind::Text(&REASON),
    "Why; it is kept without secrets.",
);

/// Where a list goes on.
pub(crate) const NEXT: Member = Member::new(
    "next",
    Shape::Maybe(&Shape::Text),
    "What to send as `after` for the next part; nothing behind the last.",
);

/// What ids of keys look like.
pub(crate) const KEY_ID: Kind = Kind::Form(Form {
    like: "key_ and 32 hexadecimal digits",
    check: |_, text| text.parse::<KeyId>().map(drop),
});

/// Texts of an object by name; one that is not there is empty.
pub(crate) fn texts<const N: usize>(object: &Object<'_>, names: [&str; N]) -> [String; N] {
    names.map(|name| object.owned(name).unwrap_or_default())
}
