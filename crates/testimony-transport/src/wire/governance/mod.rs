//! What operators and reviewers send and are told.

pub mod memory;
pub mod review;

use testimony_domain::Bound;

use super::field::{Field, Kind};
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
