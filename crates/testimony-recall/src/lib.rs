//! What may go out: from a query, an identity and candidates with channel scores to an answer with full diagnostics.
//!
//! The stages stand in the order in which they run: [`query`] reads what is asked, [`gates`] hold back what the asker
//! may not have, [`score`] turns signals into relevance, [`answer`] tells what answers from what only stands near, and
//! [`diagnostics`] say how it came to be. [`mod@pack`] makes a prompt block of it.
//! [`why_not()`] says what became of one given row.
//!
//! This crate does **not** search, embed, store, fetch or remember anything, read a clock, call a model or know a wire
//! format.
//! Channel scores, the present instant and the second secret scan come in as arguments.
#![warn(clippy::wildcard_enum_match_arm)]

pub mod answer;
pub mod candidate;
pub mod diagnostics;
pub mod gates;
pub mod pack;
pub mod query;
pub mod request;
pub mod rerank;
pub mod score;
pub mod why_not;

mod mark;
mod text;
mod vocabulary;
mod words;

pub use answer::{
    Answer, Assessment, Recall, Recalled, Request, Suppressed, Unconfirmed, assess, recall,
    recall_as_read,
};
pub use candidate::{Candidate, Channel, Channels, Follows, SAME_TALK, SourceState, Sources};
pub use diagnostics::{Audit, Diagnostics, FallbackReason, WhyRecalled};
pub use gates::{GateContext, GateError, GateOutcome, GateVerdict, Stage, TrustGate};
pub use pack::{Budget, Packet, TokenCounter, pack};
pub use query::{QuestionKind, Reading};
pub use request::{Filters, Mode, Options, Sort, TagMatch, TagMode, TimeIntent, View, parse_bound};
pub use rerank::order_again;
pub use score::{ALGORITHM_VERSION, RowText, SYSTEM_FLOOR};
pub use vocabulary::Vocabulary;
pub use why_not::{WhyNot, why_not};
