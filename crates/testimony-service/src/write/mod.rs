//! What is written: items come in, are examined, meet what is known, and are kept; what came of each is said.
//!
//! [`examine`] does what needs no lock: it reads the texts and looks for what stands near.
//! [`settle`] does the rest within one piece of work of the ledger, so that what a claim meets is what is known at that
//! very moment, and nothing stands half.

mod answer;
mod distill;
mod examine;
mod findable;
mod found;
mod item;
mod labels;
mod meet;
mod plan;
mod quota;
mod quoted;
mod repetition;
mod retain;
mod settle;
mod together;
mod writeback;

pub use answer::{
    Conflicting, Decision, Idempotency, NextAction, Replay, Retained, Skipped, Unreadable,
    WriteAnswer, Written,
};
pub(crate) use distill::NotDistilled;
pub(crate) use findable::{keep_vector, mention, queue_vector};
pub use found::FoundByRule;
pub(crate) use found::found_in;
pub(crate) use item::check_text;
pub use item::{
    ASSISTANT_RESPONSE, BATCH, CONTENT, Entry, Item, Place, Render, Repetition, RetainRequest,
    USER_MESSAGE, WritebackRequest,
};
pub(crate) use meet::{neighbour, shares_room};
pub(crate) use retain::Order;
pub(crate) use settle::group_of;
