//! The courtroom: what speaks for and against a memory, the verdict, and the report that explains it.
//!
//! [`examine`] takes a [`CaseFile`] of plain values and gives a [`CaseReport`].
//! It first builds the [`bench`](Bench): the case as its reader may see it, from which rows that the reader may not see
//! are gone before anything is counted.
//! The verdict is the verdict table's, made stricter by every [guardrail](GUARDRAILS) that holds; an AI judge's opinion
//! is joined to it last and can only make it stricter still.
//! Every text in a report has been through the redactor that the caller passes, and is bounded.
//!
//! This crate does **not** call a model, fetch evidence, read a clock, know a wire format, or change what it judges.
#![warn(clippy::wildcard_enum_match_arm)]

mod answer;
mod bench;
mod case;
mod comparison;
mod evidence;
mod guardrail;
mod judgment;
mod missing;
mod pen;
mod questions;
mod report;
mod risk;
mod rivals;
mod timeline;
mod verdict;
mod words;

pub use answer::{Answer, AnswerStatus, Citation};
pub use bench::{Bench, Exhibit, Withheld};
pub use case::{ActorKind, AiOpinion, CaseFile, HistoryEntry, Judgment, NoCase};
pub use comparison::{BankComparison, BankExcerpt, BankOutcome, BankStatement, Comparison};
pub use evidence::{EvidenceItem, EvidenceStatus, EvidenceTotals};
pub use guardrail::{GUARDRAILS, Guardrail, GuardrailRow};
pub use judgment::{
    AiJudgment, AiStatus, CacheStatus, GuardrailOverride, Override, RecommendedAction, join,
};
pub use missing::{MISSING, MissingEvidence, MissingRow};
pub use pen::{Bounds, Pen};
pub use questions::{QUESTIONS, QuestionRow};
pub use report::{CaseReport, CourtroomStatus, Lineage, RevisionLine, examine};
pub use risk::{RISKS, RiskFlag, RiskRow};
pub use rivals::{Contradiction, Hypothesis, Strength};
pub use timeline::{Moment, TimelineEntry};
pub use verdict::{DeterministicVerdict, Ground, judge};
